//! Values of root variables that their own `validation` blocks refuse.
//!
//! In: a tracer under whose universes each variable that has a value has one, as in a run. Out: what Terraform says of those that it
//! stops at. Invariant: a rule of which it isn't known whether it holds refuses nothing.

use super::checks::{self, Kind, Rule};
use crate::cond::FormulaId;
use crate::text::Place;
use crate::trace::Tracer;
use std::sync::Arc;

/// A rule that a value doesn't keep.
#[derive(Clone, Debug)]
pub struct RefusedValue {
    /// The variable.
    pub variable: Arc<str>,
    /// The rule's own message; none where the rule is an error, or the message can't be shown.
    pub message: Option<String>,
    /// Terraform's words where the rule is an error.
    pub error: Option<Arc<str>>,
    /// The rule.
    pub rule: Place,
}

/// The values that are refused, by the names of their variables.
pub fn find_refused_values(tracer: &mut Tracer<'_>) -> Vec<RefusedValue> {
    let config = tracer.inputs.config;
    let (Some(path), Some(module)) = (config.paths.keys().find(|path| path.is_root()), config.root()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for check in checks::of_values(path, module) {
        let Kind::Rule(rule, Rule::Validation(variable, _)) = &check.kind else { continue };
        let faults = tracer.faults(&check);
        let Some(fault) = faults.list.into_iter().find(|fault| fault.when == FormulaId::TRUE) else {
            continue;
        };
        let message = if fault.is_false { tracer.message(&check, fault.when) } else { None };
        let error = (!fault.is_false).then_some(fault.error);
        found.push(RefusedValue {
            variable: variable.name.clone(),
            message,
            error,
            rule: rule.block.header(),
        });
    }
    found
}
