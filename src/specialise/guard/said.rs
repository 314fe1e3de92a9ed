//! Recognises a user's condition that already says what a guard would say. In: comparisons of one name with literals. Absent on purpose:
//! any other form, whose values would have to be found out.

use crate::config::literal::literal;
use crate::syntax::{BinaryOp, Expr, ExprKind};
use crate::value::Value;

/// Returns true if a condition lets through nothing but some of these values of `subject`.
pub(super) fn says(condition: &Expr, source: &str, subject: &str, values: &[Value]) -> bool {
    let found = listed(condition, source, subject);
    found.is_some_and(|found| !found.is_empty() && found.iter().all(|v| values.contains(v)))
}

fn listed(condition: &Expr, source: &str, subject: &str) -> Option<Vec<Value>> {
    let is_subject = |e: &Expr| {
        let text = source.get(e.span.range()).unwrap_or_default();
        text.split_whitespace().collect::<String>() == subject
    };
    match &condition.kind {
        ExprKind::Paren(inner) => listed(inner, source, subject),
        ExprKind::Binary(BinaryOp::Or, a, b) => {
            let mut all = listed(a, source, subject)?;
            all.extend(listed(b, source, subject)?);
            Some(all)
        }
        ExprKind::Binary(BinaryOp::Equal, a, b) if is_subject(a) => Some(vec![literal(b).ok()?]),
        ExprKind::Binary(BinaryOp::Equal, a, b) if is_subject(b) => Some(vec![literal(a).ok()?]),
        ExprKind::Call(call) if &*call.name.text == "contains" => match call.args.as_slice() {
            [Expr { kind: ExprKind::Tuple(items), .. }, of] if is_subject(of) => {
                items.iter().map(|i| literal(i).ok()).collect()
            }
            _ => None,
        },
        _ => None,
    }
}
