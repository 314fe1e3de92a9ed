//! Where the parts of a value stand that are written out in an expression.
//!
//! In: an expression, and the way to a part of its value. Out: the spans that the part is made in: no less, and as little more as objects and lists tell.
//! Absent on purpose: values.

use super::route::{EACH, KEYS, Route};
use crate::syntax::{Expr, ExprKind, ObjectKey};
use crate::text::Span;
use std::sync::Arc;

/// More spans of one expression aren't told apart.
const MOST_SPANS: usize = 64;

/// The spans of an expression in which a part of its value is written out.
pub(super) fn written_for(expr: &Expr, part: &Route) -> Vec<Span> {
    let mut found = Vec::new();
    add(expr, part, &mut found);
    if found.len() > MOST_SPANS { vec![expr.span] } else { found }
}

fn add(expr: &Expr, part: &[Arc<str>], found: &mut Vec<Span>) {
    let Some((step, rest)) = part.split_first() else { return found.push(expr.span) };
    match &expr.kind {
        _ if found.len() > MOST_SPANS => {}
        ExprKind::Paren(inner) => add(inner, part, found),
        ExprKind::Conditional(_, yes, no) => {
            add(yes, part, found);
            add(no, part, found);
        }
        ExprKind::Tuple(items) if **step == *EACH && !items.is_empty() => {
            items.iter().for_each(|item| add(item, rest, found));
        }
        ExprKind::Object(_) if **step == *KEYS => found.push(expr.span),
        ExprKind::Object(items) => {
            let is_named = |key: &ObjectKey| match key {
                ObjectKey::Name(_) | ObjectKey::Expr(Expr { kind: ExprKind::String(_), .. }) => key.is(step),
                ObjectKey::Expr(_) => true,
            };
            let before = found.len();
            for item in items.iter().filter(|item| **step == *EACH || is_named(&item.key)) {
                add(&item.value, rest, found);
            }
            // What is there by another name.
            if found.len() == before {
                found.push(expr.span);
            }
        }
        _ => found.push(expr.span),
    }
}
