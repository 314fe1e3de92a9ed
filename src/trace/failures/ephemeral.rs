//! Ephemeral values where Terraform takes none: arguments that it keeps in state, and variables of modules that don't say that they take them.

use super::checks::{Check, Kind};
use super::refused::keeps_all;
use crate::addr::{Mode, Target};
use crate::cond::FormulaId;
use crate::config::Module;
use crate::trace::{Alt, Frame, Guarded, Part};
use crate::value::{Mark, Value};

impl Frame<'_, '_> {
    /// Returns the conditions under which a value that is kept in state holds something ephemeral.
    pub(super) fn kept_where(&self, check: &Check<'_>, value: &Guarded) -> Vec<FormulaId> {
        let module = self.tracer.inputs.config.at(check.path);
        if !module.is_some_and(|module| is_kept(module, check)) {
            return Vec::new();
        }
        value.alts().iter().filter(|alt| is_ephemeral(alt)).map(|alt| alt.when).collect()
    }
}

/// Returns true if a value has an ephemeral part that is known to be one.
pub(super) fn is_ephemeral(alt: &Alt) -> bool {
    let marked = |v: &Value| v.has_mark_deep(Mark::Ephemeral);
    match &alt.part {
        Part::Value(v) => marked(v),
        Part::Object(attrs) => attrs.values().any(|part| part.alts().iter().any(is_ephemeral)),
        Part::Tuple(items) => items.iter().any(|part| part.alts().iter().any(is_ephemeral)),
        Part::Failed(_) => false,
    }
}

/// Terraform's words for an ephemeral value that a module's variable doesn't take.
pub(super) const EPHEMERAL_PASSED: &str = "Ephemeral value not allowed: This input variable is not declared as accepting a ephemeral values, so it \
                                           cannot be set to a result derived from an ephemeral value.";

/// Returns true if a check is about an argument whose value Terraform keeps in state, whatever the provider is.
pub(super) fn is_kept(module: &Module, check: &Check<'_>) -> bool {
    // What a `check` block asks is a data source, too.
    let target = check.field.as_ref().map(|field| &field.target);
    match (target, &check.kind) {
        (Some(Target::Resource(addr)), Kind::Value(..)) if check.name.path.len() == 1 => {
            addr.mode == Mode::Data
                || module.resources.get(addr).is_some_and(|resource| keeps_all(module, resource))
        }
        _ => false,
    }
}

/// Terraform's words for an ephemeral value that would be kept.
pub(super) fn ephemeral_kept(check: &Check<'_>) -> String {
    let name = check.name.path.first().map_or("", |name| &**name);
    format!(
        "Invalid use of ephemeral value: Ephemeral values are not valid for {name:?}, because it is not a write-only attribute and must be \
         persisted to state."
    )
}
