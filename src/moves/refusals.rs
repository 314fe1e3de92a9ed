//! The statements that Terraform refuses.

use super::declared::Declared;
use super::order::Order;
use super::{Named, Statement, Subject};
use rustc_hash::FxHashMap;
use std::fmt;

/// The reason why Terraform refuses a statement. Addresses are absolute.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Refusal {
    /// Both ends are the same.
    Redundant {
        /// The address.
        address: String,
    },
    /// The object that moves away is still declared.
    StillExists {
        /// Its address.
        from: String,
        /// The address to which it moves.
        to: String,
    },
    /// Something moves to two addresses, or to something two move.
    Ambiguous {
        /// The address that has to have one other end only.
        address: String,
        /// True if it is the origin of the move, false if it is the destination.
        is_from: bool,
        /// The other end that is named first.
        first: String,
        /// The one that contradicts.
        second: String,
    },
    /// Statements that would each have to come before the other.
    Cycle {
        /// The statements as text, in the order in which they are given.
        statements: Vec<String>,
    },
}

impl Refusal {
    /// The summary of Terraform's message.
    pub fn summary(&self) -> &'static str {
        match self {
            Refusal::Redundant { .. } => "Redundant move statement",
            Refusal::StillExists { .. } => "Moved object still exists",
            Refusal::Ambiguous { .. } => "Ambiguous move statements",
            Refusal::Cycle { .. } => "Cyclic dependency in move statements",
        }
    }

    /// Both ends of the statement that is refused; nothing where it takes several.
    pub fn ends(&self) -> Option<(&str, &str)> {
        match self {
            Refusal::Redundant { address } => Some((address, address)),
            Refusal::StillExists { from, to } => Some((from, to)),
            Refusal::Ambiguous { address, is_from: true, second, .. } => Some((address, second)),
            Refusal::Ambiguous { address, second, .. } => Some((second, address)),
            Refusal::Cycle { .. } => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Redundant { address } => write!(f, "{address} moves to itself."),
            Refusal::StillExists { from, to } => write!(f, "{from} moves to {to}, but is still declared."),
            Refusal::Ambiguous { address, is_from: true, first, second } => {
                write!(f, "{address} moves to {first} and to {second}.")
            }
            Refusal::Ambiguous { address, first, second, .. } => {
                write!(f, "Both {first} and {second} move to {address}.")
            }
            Refusal::Cycle { statements } => {
                write!(f, "These moves form a cycle: {}.", statements.join(", "))
            }
        }
    }
}

/// Returns what Terraform refuses, as `ValidateMoves` does (`internal/refactoring`, Terraform 1.11). Each statement
/// is checked in every instance of its module, and in none if there is none. Cycles are only looked for if everything
/// else is right.
pub fn refusals(statements: &[Statement], declared: &dyn Declared) -> Vec<Refusal> {
    let mut found = Vec::new();
    let mut targets: FxHashMap<Subject, Subject> = FxHashMap::default();
    let mut sources: FxHashMap<Subject, Subject> = FxHashMap::default();
    for statement in statements {
        for module in declared.module_instances(&statement.scope) {
            let (from, to) = (statement.from.within(&module), statement.to.within(&module));
            if from == to {
                found.push(Refusal::Redundant { address: from.to_string() });
                continue;
            }
            if exists(&from, declared) {
                found.push(Refusal::StillExists { from: from.to_string(), to: to.to_string() });
            }
            let sides = [(&mut targets, &from, &to, true), (&mut sources, &to, &from, false)];
            for (known, address, other, is_from) in sides {
                let first = known.entry(address.clone()).or_insert_with(|| other.clone());
                if first != other {
                    found.push(Refusal::Ambiguous {
                        address: address.to_string(),
                        is_from,
                        first: first.to_string(),
                        second: other.to_string(),
                    });
                }
            }
        }
    }
    if found.is_empty() {
        for group in Order::of(statements).cycles() {
            let named = group.iter().filter_map(|at| statements.get(*at)).map(ToString::to_string);
            found.push(Refusal::Cycle { statements: named.collect() });
        }
    }
    found
}

fn exists(subject: &Subject, declared: &dyn Declared) -> bool {
    match &subject.named {
        Named::Call(name) => declared.has_call(&subject.module, name),
        Named::Module => declared.has_module_instance(&subject.module),
        Named::Resource(resource) => declared.has_resource(&subject.module, resource),
        Named::Instance(..) => subject.object().is_some_and(|object| declared.has_instance(&object)),
    }
}
