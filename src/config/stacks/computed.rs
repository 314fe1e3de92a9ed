//! `inputs` that an expression computes, as in `merge(local.common, { name = "a" })`.
//!
//! Which names it has nobody knows before it is evaluated, so each variable that is declared takes what stands under its name, and
//! null otherwise, which is no value to a Stack.

use crate::config::literal::key_text;
use crate::syntax::{Call, Expr, ExprKind, Ident};
use std::sync::Arc;

/// Returns true if the names are written out.
pub(super) fn is_written_out(inputs: &Expr) -> bool {
    match &inputs.kind {
        ExprKind::Object(items) => items.iter().all(|item| key_text(&item.key).is_some()),
        _ => false,
    }
}

/// Returns the expression for one variable's value among computed inputs.
pub(super) fn taken(inputs: &Expr, name: &Arc<str>) -> Expr {
    let key = Expr { span: inputs.span, kind: ExprKind::String(name.clone()) };
    let otherwise = Expr { span: inputs.span, kind: ExprKind::Null };
    let function = Ident { text: "lookup".into(), span: inputs.span };
    let call = Call { name: function, args: vec![inputs.clone(), key, otherwise], expand_final: false };
    Expr { span: inputs.span, kind: ExprKind::Call(Box::new(call)) }
}
