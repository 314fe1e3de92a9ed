//! Conditions that ask nothing: they refer to no object, or a validation doesn't to its variable. `check` blocks without an assertion.

use super::looked::{Looked, Refused};
use crate::addr::Referent;
use crate::config::CheckRule;
use crate::graph;

pub(super) fn find_constant(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    let module = looked.module;
    for variable in module.variables.values() {
        let at = format!("var.{}", variable.name);
        for rule in &variable.validations {
            if find_empty(&at, "validation", rule, found) {
                continue;
            }
            let uses = graph::uses_of(&rule.condition.node, rule.condition.file);
            let own =
                |referent: &Referent| matches!(referent, Referent::Variable(name) if *name == variable.name);
            if !uses.iter().any(|used| own(&used.referent)) {
                let error = format!(
                    "Invalid variable validation condition: The condition for variable {:?} must refer to var.{} in order to test incoming \
                     values.",
                    variable.name, variable.name
                );
                found.push(Refused { at: at.clone(), error, place: rule.condition.at(rule.condition.span) });
            }
        }
    }
    for resource in module.resources.values() {
        let at = resource.addr.to_string();
        for rule in &resource.lifecycle.preconditions {
            find_empty(&at, "precondition", rule, found);
        }
        for rule in &resource.lifecycle.postconditions {
            find_empty(&at, "postcondition", rule, found);
        }
    }
    for output in module.outputs.values() {
        for rule in &output.preconditions {
            find_empty(&format!("output.{}", output.name), "precondition", rule, found);
        }
    }
    for check in &module.checks {
        let at = format!("check.{}", check.name);
        for rule in &check.asserts {
            find_empty(&at, "assert", rule, found);
        }
        if check.asserts.is_empty() {
            let error = "Zero assert blocks: Check blocks must have at least one assert block.";
            found.push(Refused { at, error: error.to_owned(), place: check.decl.place() });
        }
    }
}

/// Returns true if a condition refers to nothing, and says so.
fn find_empty(at: &str, kind: &str, rule: &CheckRule, found: &mut Vec<Refused>) -> bool {
    let is_empty = crate::syntax::traversal::variables(&rule.condition.node).is_empty();
    if is_empty {
        let error = format!(
            "Invalid {kind} expression: The condition expression must refer to at least one object from elsewhere in the configuration, or \
             else its result would not be checking anything."
        );
        found.push(Refused { at: at.to_owned(), error, place: rule.condition.at(rule.condition.span) });
    }
    is_empty
}
