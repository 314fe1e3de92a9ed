//! Expressions of a Stack as the root module has them.
//!
//! In: an expression of a Stack's file. Out: its own text, in which components and embedded Stacks are module calls and `each` is
//! what it stands for in one instance. Invariant: nothing else of it changes.

use super::print;
use crate::graph::uses_of;
use crate::specialise::put_in_place;
use crate::syntax::{Expr, TraversalStep, parse_expr};
use crate::text::{Edit, EditSet, SourceId, Sources};
use crate::value::{Value, hcl};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What stands for a component or an embedded Stack.
#[derive(Clone, Debug)]
pub(super) struct Stand {
    /// The expression that gives its outputs, as `module.net` or `local.component_net`.
    pub text: String,
    /// The addresses of the calls.
    pub calls: Vec<String>,
}

/// What `each` stands for.
#[derive(Clone, Debug)]
pub(super) struct Each {
    /// The key.
    pub key: Arc<str>,
    /// The value, where it can be written down.
    pub value: Option<Value>,
    /// The expression that gives it elsewhere.
    pub otherwise: String,
}

/// What names stand for in one module.
pub(super) struct Words<'s> {
    pub sources: &'s Sources,
    /// By the name, as `component.net`.
    pub stands: &'s BTreeMap<Arc<str>, Stand>,
}

impl Words<'_> {
    /// The text of an expression in a file.
    pub fn text(&self, expr: &Expr, (file, json): (SourceId, bool), each: Option<&Each>) -> String {
        let text = match self.sources.get(file).filter(|_| !json) {
            Some(source) => source.slice(expr.span).to_owned(),
            None => print::text(expr),
        };
        self.rewritten(text, each)
    }

    /// The same of a text by itself.
    pub fn rewritten(&self, mut text: String, each: Option<&Each>) -> String {
        if text.contains("<<") && !text.ends_with('\n') {
            text.push('\n');
        }
        let Ok(expr) = parse_expr(&text) else { return text };
        let mut edits = Vec::new();
        for used in uses_of(&expr, SourceId(0)) {
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
                    let literal = value.and_then(|value| put_in_place(&used, &value));
                    edits.push(literal.unwrap_or_else(|| Edit { span: whole, text: each.otherwise.clone() }));
                }
                _ => {}
            }
        }
        EditSet::of(edits).ok().and_then(|set| set.apply(&text).ok()).unwrap_or(text)
    }

    /// The elements of `depends_on`, each of which may be several calls.
    pub fn listed(&self, items: &[Expr]) -> Vec<String> {
        let calls = items.iter().filter_map(|item| {
            let text = print::text(item);
            let text = text.trim_matches('"');
            Some(self.stands.get(text)?.calls.clone())
        });
        calls.flatten().collect()
    }
}

/// A value that may stand in the place of `each.value`: what is not composed.
pub(super) fn is_scalar(value: &Value) -> bool {
    value.is_wholly_known()
        && !value.is_null()
        && (value.as_str().is_some() || value.as_number().is_some() || value.as_bool().is_some())
}

/// A key as an index.
pub(super) fn indexed(base: &str, key: &str) -> String {
    format!("{base}[{}]", hcl::quote(key))
}
