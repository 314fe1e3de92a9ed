//! `inputs` that an expression computes, as in `merge(local.common, { name = "a" })`.
//!
//! Which names it has nobody knows before it is evaluated, so each variable that is declared takes what stands under its name, and
//! null otherwise, which is no value to a Stack.

use crate::config::literal::key_text;
use crate::syntax::{Call, Expr, ExprId, ExprKind, Ident};
use std::sync::Arc;

/// Returns true if the names are written out.
pub(super) fn is_written_out(inputs: &Expr) -> bool {
    match &inputs.kind {
        ExprKind::Object(items) => items.iter().all(|item| key_text(&item.key).is_some()),
        _ => false,
    }
}

/// Returns the expression for one variable's value among computed inputs. `number` tells the expressions of one block apart.
pub(super) fn taken(inputs: &Expr, name: &Arc<str>, number: usize) -> Expr {
    // No file has as many expressions as the numbers from the end.
    let from_the_end = u32::try_from(number.saturating_mul(3)).unwrap_or(u32::MAX);
    let own = |at: u32| {
        ExprId(
            u32::MAX
                .saturating_sub(inputs.id.0.saturating_mul(4096))
                .saturating_sub(from_the_end)
                .saturating_sub(at),
        )
    };
    let key = Expr { id: own(0), span: inputs.span, kind: ExprKind::String(name.clone()) };
    let otherwise = Expr { id: own(1), span: inputs.span, kind: ExprKind::Null };
    let function = Ident { text: "lookup".into(), span: inputs.span };
    let call = Call { name: function, args: vec![inputs.clone(), key, otherwise], expand_final: false };
    Expr { id: own(2), span: inputs.span, kind: ExprKind::Call(Box::new(call)) }
}
