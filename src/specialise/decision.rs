//! The decision tree: what changes in which instance, before any text is made.
//!
//! A node stands for one instance of a module as it will be. A node without decisions is the module as it is.

use super::unit::{Unit, UnitName};
use crate::addr::{ModulePath, ResourceAddr};
use crate::trace::site::FieldSite;
use crate::trace::{Driven, Guard};
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A driven field becomes a literal.
#[derive(Clone, Debug)]
pub struct Literal {
    /// Where it is defined.
    pub site: FieldSite,
    /// What it becomes.
    pub value: Value,
    /// Whether Terraform counts it as sensitive.
    pub sensitive: bool,
}

/// The one value that a variable has in a copy.
#[derive(Clone, Debug)]
pub struct Known {
    /// The value.
    pub value: Value,
    /// Whether Terraform counts it as sensitive.
    pub sensitive: bool,
}

/// What changes in one instance.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Fields decided for the whole instance.
    pub literals: Vec<Literal>,
    /// Variables that have one value here: they go, and their uses become the value.
    pub variables: BTreeMap<Arc<str>, Known>,
    /// Calls that lead to a changed instance, or are split.
    pub calls: BTreeMap<Arc<str>, Child>,
    /// Resources that are split.
    pub resources: BTreeMap<ResourceAddr, Split>,
    /// What data sources of this module are held to; what variables are held to stands in the root module.
    pub guards: Vec<Guard>,
}

/// A call of a changed instance.
#[derive(Clone, Debug)]
pub enum Child {
    /// Under its own name.
    Through(Node),
    /// One copy per branch.
    Split(Split),
}

/// A unit that becomes one copy per branch.
#[derive(Clone, Debug)]
pub struct Split {
    /// Index among the units.
    pub unit: usize,
    /// In the order of the unit's branches.
    pub copies: Vec<Copied>,
}

/// One copy of a split unit.
#[derive(Clone, Debug, Default)]
pub struct Copied {
    /// Driven fields of the unit's own block.
    pub own: Vec<Literal>,
    /// What changes in the called module.
    pub inner: Node,
}

impl Node {
    /// Whether the module stays as it is.
    pub fn is_empty(&self) -> bool {
        self.literals.is_empty()
            && self.variables.is_empty()
            && self.calls.is_empty()
            && self.resources.is_empty()
            && self.guards.is_empty()
    }

    /// The node at the end of a path of calls; splits on the way are entered in every copy.
    pub fn at(&mut self, path: &[Arc<str>], act: &mut dyn FnMut(&mut Node)) {
        let Some((call, rest)) = path.split_first() else { return act(self) };
        match self.calls.entry(call.clone()).or_insert_with(|| Child::Through(Node::default())) {
            Child::Through(node) => node.at(rest, act),
            Child::Split(split) => split.copies.iter_mut().for_each(|c| c.inner.at(rest, act)),
        }
    }

    /// Adds a split unit.
    pub fn split(&mut self, index: usize, unit: &Unit<'_>) {
        let copies: Vec<Copied> = unit.branches.iter().map(|b| copy(unit, b)).collect();
        let split = Split { unit: index, copies };
        let name = unit.name.clone();
        self.at(&unit.scope.0.clone(), &mut |node| match &name {
            UnitName::Resource(addr) => {
                node.resources.insert(addr.clone(), split.clone());
            }
            UnitName::Call(call) => {
                node.calls.insert(call.clone(), Child::Split(split.clone()));
            }
        });
    }

    /// Adds what a data source is held to, in every copy of its module.
    pub fn guard(&mut self, module: &ModulePath, guard: &Guard) {
        self.at(&module.0, &mut |node| node.guards.push(guard.clone()));
    }

    /// Adds a field that is the same whatever happens.
    pub fn resolved(&mut self, driven: &Driven, value: &Value) {
        let literal = Literal { site: driven.site.clone(), value: value.clone(), sensitive: false };
        self.at(&driven.field.module.0.clone(), &mut |node| node.literals.push(literal.clone()));
    }
}

fn copy(unit: &Unit<'_>, branch: &super::unit::Joint) -> Copied {
    let mut copy = Copied::default();
    for (target, value) in unit.targets.iter().zip(&branch.values) {
        let sensitive = value.sensitive && super::subst::takes_expression(target.driven);
        let literal =
            Literal { site: target.driven.site.clone(), value: value.branch.value.clone(), sensitive };
        let depth = unit.scope.0.len();
        match target.driven.field.module.0.get(depth + 1..) {
            Some(rest) if target.driven.field.module.0.len() > depth => {
                copy.inner.at(rest, &mut |node| node.literals.push(literal.clone()));
            }
            _ => copy.own.push(literal),
        }
    }
    copy
}
