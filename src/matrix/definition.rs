//! What defines an environment: its variable files, the values that `phi.hcl` lists, its workspace.
//!
//! In: an environment on two sides. Out: a row where they are defined otherwise. Absent on purpose: what stands in the files; values that
//! differ are told where they arrive.

use super::Cell;
use crate::config::paths;
use crate::config::variables::Named;
use crate::trace::Term;
use std::sync::Arc;

/// The name of the row.
const ROW: &str = "environment";

/// A definition.
#[derive(Clone, Debug)]
pub struct Definition {
    text: String,
    shown: String,
}

impl Definition {
    /// The definition of an environment. The values that it lists are compared, and not shown.
    pub fn of(env: &Named) -> Definition {
        let mut parts = Vec::new();
        let mut add = |what: &str, all: Vec<String>| {
            if !all.is_empty() {
                parts.push(format!("{what} {}", all.join(", ")));
            }
        };
        add("workspace", env.declared_workspace.iter().cloned().collect());
        add("var_files", env.files.iter().map(|file| paths::shown(file)).collect());
        add("variables", env.variables.keys().map(|name| name.to_string()).collect());
        let shown = if parts.is_empty() { "(nothing)".to_owned() } else { parts.join("; ") };
        let values: Vec<String> = env.variables.values().map(|(value, _)| format!("{value:?}")).collect();
        Definition { text: format!("{shown}\n{}", values.join("\n")), shown }
    }

    /// The row of two that aren't the same. Values that differ are told where they arrive; where they arrive nowhere, they are told here.
    pub fn differs(&self, head: &Definition, is_told: bool) -> Option<(String, Arc<Cell>, Arc<Cell>)> {
        let is_same = self.shown == head.shown;
        let cell = |side: &Definition, more: &str| {
            Arc::new(Cell::Written(Arc::new(Term::written(&side.text, format!("{}{more}", side.shown)))))
        };
        let more = if is_same { ", of other values" } else { "" };
        (self.text != head.text && !(is_same && is_told))
            .then(|| (ROW.to_owned(), cell(self, ""), cell(head, more)))
    }
}
