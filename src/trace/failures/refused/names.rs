//! Names of variables that have a meaning of their own in a call of the module.

use super::{Looked, Refused};

/// The meta-arguments of calls.
const RESERVED: [&str; 8] =
    ["source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"];

pub(super) fn find_reserved(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for variable in looked.module.variables.values().filter(|v| RESERVED.contains(&&*v.name)) {
        let error = format!(
            "Invalid variable name: The variable name \"{}\" is reserved due to its special meaning inside module blocks.",
            variable.name
        );
        found.push(Refused { at: format!("var.{}", variable.name), error, place: variable.decl.place() });
    }
}
