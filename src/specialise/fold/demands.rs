//! Places in which Terraform demands a reference, so that no literal can stand there.
//!
//! Sources: `configs/checks.go` (a condition without variables is "not checking anything"), `configs/named_values.go` (a validation
//! has to ask for its own variable), `lang/funcs/descriptions.go` and `templatestring` ("must be a direct reference"); each was asked of
//! Terraform 1.11 (`e2e/written.rs`). Addresses (`depends_on`, `replace_triggered_by`, `provider`, `moved`) are no expressions:
//! [`crate::graph::Use::is_static`].

use super::named::Facts;
use crate::syntax::{
    Attribute, Block, Body, Expr, ExprKind, IndexKey, Traversal, TraversalStep, traversal, walk,
};
use crate::text::Span;
use std::sync::Arc;

/// What an expression has to refer to.
pub(super) enum Demand {
    /// Anything: the condition of a precondition, a postcondition, or an assertion.
    Any,
    /// The variable that a validation belongs to.
    Own(Arc<str>),
}

impl Demand {
    /// Returns the demand of an argument, by the blocks around it.
    pub fn of(around: &[&Block], attr: &Attribute) -> Option<Demand> {
        let last = around.last()?;
        match (&*attr.name.text, &*last.kind.text) {
            ("condition", "precondition" | "postcondition" | "assert") => Some(Demand::Any),
            ("condition", "validation") => Some(Demand::Own(around.first()?.label(0)?.into())),
            _ => None,
        }
    }

    /// Returns true if an expression of a copy refers to what it has to, also once driven names are literals.
    pub fn is_met(&self, expr: &Expr, facts: &Facts<'_>) -> bool {
        let names = traversal::variables(expr);
        names.iter().any(|name| match self {
            Demand::Any => !becomes_literal(name, facts),
            Demand::Own(own) => is_under(name, "var", own),
        })
    }
}

/// Returns true if a literal may take the place of a name.
fn becomes_literal(name: &Traversal, facts: &Facts<'_>) -> bool {
    match name.steps.first() {
        Some(TraversalStep::Attr(first)) if &*name.root.text == "var" => (facts.value)(&first.text).is_some(),
        _ => is_under(name, "path", "module"),
    }
}

fn is_under(name: &Traversal, root: &str, first: &str) -> bool {
    let second = match name.steps.first() {
        Some(TraversalStep::Attr(step)) => &*step.text,
        Some(TraversalStep::Index(IndexKey::String(step), _)) => step,
        _ => return false,
    };
    &*name.root.text == root && second == first
}

/// Returns the arguments in a file that have to be names with steps: the first one of each `templatestring`.
pub fn direct_in(body: &Body) -> Vec<Span> {
    let mut out = Vec::new();
    walk::walk_body(body, &mut |_, attr: &Attribute| {
        walk::walk(&attr.expr, &mut |e| {
            if let ExprKind::Call(call) = &e.kind
                && takes_direct(&call.name.text)
            {
                out.extend(call.args.first().map(|arg| arg.span));
            }
            true
        });
    });
    out
}

/// Returns true if a function's first argument has to be a name with steps.
pub(super) fn takes_direct(function: &str) -> bool {
    matches!(function, "templatestring" | "core::templatestring")
}

/// Returns the span of a block that may go from a copy when its condition is true: an assertion takes its `check` along, which must
/// have one. A message that could fail is an error although the condition holds, and what a `check` reads is read for itself.
pub(super) fn removable(around: &[&Block]) -> Option<Span> {
    let own = around.last()?;
    let fixed =
        own.body.attribute("error_message").is_some_and(|m| matches!(m.expr.kind, ExprKind::String(_)));
    let gone = match &*own.kind.text {
        "assert" => {
            let check = around.first().filter(|block| &*block.kind.text == "check")?;
            (check.body.items.len() == 1).then_some(check.span)?
        }
        _ => own.span,
    };
    fixed.then_some(gone)
}
