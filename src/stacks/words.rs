//! Rewrites expressions of a Stack for the modules that are written for it.
//!
//! In: an expression of a Stack's file. Out: its text, with module calls in place of components and embedded Stacks, and the values of
//! one instance in place of `each`. Invariant: nothing else of it changes.

use super::items::rewritten;
use super::print;
use crate::graph::uses_of;
use crate::specialise::put_in_place;
use crate::syntax::{Expr, TraversalStep};
use crate::text::{Edit, SourceId, Sources};
use crate::value::{Value, hcl};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The replacement for a component or an embedded Stack.
#[derive(Clone, Debug)]
pub(super) struct Stand {
    /// The expression for its outputs, such as `module.net` or `local.component_net`.
    pub text: String,
    /// The addresses of the calls.
    pub calls: Vec<String>,
}

/// The values of `each` in one instance.
#[derive(Clone, Debug)]
pub(super) struct Each {
    /// The key.
    pub key: Arc<str>,
    /// The value, if it can be written as a literal.
    pub value: Option<Value>,
    /// The expression for the value if it can't.
    pub otherwise: String,
}

/// The replacements for names in one module.
pub(super) struct Words<'s> {
    pub sources: &'s Sources,
    /// The replacements by name, such as `component.net`.
    pub stands: &'s BTreeMap<Arc<str>, Stand>,
}

impl Words<'_> {
    /// Returns the rewritten text of an expression in a file.
    pub fn text(&self, expr: &Expr, (file, json): (SourceId, bool), each: Option<&Each>) -> String {
        let text = match self.sources.get(file).filter(|_| !json) {
            Some(source) => source.slice(expr.span).to_owned(),
            None => print::text(expr),
        };
        self.rewritten(text, each)
    }

    /// Returns the rewritten text of an expression.
    pub fn rewritten(&self, text: String, each: Option<&Each>) -> String {
        rewritten(text, |expr, text| self.edits((expr, text), each))
    }

    fn edits(&self, (expr, text): (&Expr, &str), each: Option<&Each>) -> Vec<Edit> {
        let mut edits = Vec::new();
        for used in uses_of(expr, SourceId(0)) {
            let root = &*used.traversal.root.text;
            let Some(TraversalStep::Attr(first)) = used.traversal.steps.first() else { continue };
            let whole = used.span_through(1);
            match (root, each) {
                ("component" | "stack", _) => {
                    if let Some(stand) = self.stands.get(&*format!("{root}.{}", first.text)) {
                        edits.push(Edit { span: whole, text: stand.text.clone() });
                    }
                }
                ("each", Some(each)) => {
                    let value = match &*first.text {
                        "key" => Some(Value::string(&each.key)),
                        _ => each.value.clone(),
                    };
                    let literal = value.and_then(|value| put_in_place(&used, &value, text));
                    edits.push(literal.unwrap_or_else(|| Edit { span: whole, text: each.otherwise.clone() }));
                }
                _ => {}
            }
        }
        edits
    }

    /// Returns the calls that replace the elements of `depends_on`. One element may be replaced by several calls.
    pub fn listed(&self, items: &[Expr]) -> Vec<String> {
        let calls = items.iter().filter_map(|item| {
            let text = print::text(item);
            let text = text.trim_matches('"');
            Some(self.stands.get(text)?.calls.clone())
        });
        calls.flatten().collect()
    }
}

/// Returns true if a value can be written in place of `each.value`: it is known, primitive and not null.
pub(super) fn is_scalar(value: &Value) -> bool {
    value.is_wholly_known()
        && !value.is_null()
        && (value.as_str().is_some() || value.as_number().is_some() || value.as_bool().is_some())
}

/// Returns an expression with a key as its index.
pub(super) fn indexed(base: &str, key: &str) -> String {
    format!("{base}[{}]", hcl::quote(key))
}
