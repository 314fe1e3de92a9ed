//! Parts of driven arguments, and names of iterations under other names.

use crate::syntax::{Expr, ExprKind, ObjectKey};
use crate::text::Span;
use crate::trace::{Driven, Driver};
use std::sync::Arc;

/// Returns true if a driven field may be any expression: Terraform takes literals alone as static arguments.
pub fn takes_expression(driven: &Driven) -> bool {
    driven.driver == Driver::Pin && !driven.is_meta()
}

/// The span of the part of a field's argument that holds the driven value, looking into object constructors.
pub fn value_span(expr: &Expr, rest: &[Arc<str>]) -> Option<Span> {
    value_part(expr, rest).map(|part| part.span)
}

/// The part itself.
pub fn value_part<'e>(expr: &'e Expr, path: &[Arc<str>]) -> Option<&'e Expr> {
    let Some((name, rest)) = path.split_first() else { return Some(expr) };
    match &expr.kind {
        ExprKind::Paren(inner) => value_part(inner, path),
        ExprKind::Object(items) => {
            let item = items.iter().rev().find(|i| match &i.key {
                ObjectKey::Name(n) => n.text == *name,
                ObjectKey::Expr(e) => matches!(&e.kind, ExprKind::String(s) if s == name),
            })?;
            value_part(&item.value, rest)
        }
        _ => None,
    }
}

/// An expression's text with `each.key` and `each.value` under other names.
pub fn each_as(text: &str, key: &str, value: &str) -> String {
    rewrite(text, &|root, first| match (root, first) {
        ("each", Some("key")) => Some(key.to_owned()),
        ("each", Some("value")) => Some(value.to_owned()),
        _ => None,
    })
}

/// Puts something else in place of `root.first` wherever it names what is meant.
fn rewrite(text: &str, new: &dyn Fn(&str, Option<&str>) -> Option<String>) -> String {
    use crate::syntax::TraversalStep;
    let Ok(expr) = crate::syntax::parse_expr(text) else { return text.to_owned() };
    let mut edits = crate::text::EditSet::default();
    for used in crate::syntax::traversal::variables(&expr) {
        let Some(TraversalStep::Attr(first)) = used.steps.first() else { continue };
        if let Some(new) = new(&used.root.text, Some(&first.text)) {
            let span = used.root.span.to(first.span);
            // Two uses never overlap; a text that doesn't take the edit stays as it is.
            let _ = edits.replace(span, new);
        }
    }
    edits.apply(text).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::specialise::written::subst::*;

    #[test]
    fn names_are_put_in_where_they_are_meant() {
        assert_eq!(each_as("each.key == \"a\" || each.value.x", "k", "v"), "k == \"a\" || v.x");
        assert_eq!(each_as("[for each in var.x : each.key]", "k", "v"), "[for each in var.x : each.key]");
    }
}
