//! The numbers of expressions, which are given in pre-order: a traversal's last step is read last and comes first.

use crate::syntax::tree::{Expr, ExprId, ExprKind, ObjectKey, SplatStep, TemplatePart};

/// Numbers an expression and all in it from `next` on.
pub(super) fn give(expr: &mut Expr, next: &mut u32) {
    expr.id = ExprId(*next);
    *next += 1;
    match &mut expr.kind {
        ExprKind::Null
        | ExprKind::Bool(_)
        | ExprKind::Number(_)
        | ExprKind::String(_)
        | ExprKind::Variable(_) => {}
        ExprKind::Template(t) => t.parts.iter_mut().for_each(|part| match part {
            TemplatePart::Interpolation(inner, _) => give(inner, next),
            // Directives aren't plain.
            TemplatePart::Literal(..) | TemplatePart::If { .. } | TemplatePart::For { .. } => {}
        }),
        ExprKind::Tuple(items) => items.iter_mut().for_each(|item| give(item, next)),
        ExprKind::Object(items) => items.iter_mut().for_each(|item| {
            if let ObjectKey::Expr(key) = &mut item.key {
                give(key, next);
            }
            give(&mut item.value, next);
        }),
        ExprKind::GetAttr(inner, _)
        | ExprKind::LegacyIndex(inner, _)
        | ExprKind::Paren(inner)
        | ExprKind::Unary(_, inner) => give(inner, next),
        ExprKind::Index(first, second) | ExprKind::Binary(_, first, second) => {
            give(first, next);
            give(second, next);
        }
        ExprKind::Splat(splat) => {
            give(&mut splat.source, next);
            splat.each.iter_mut().for_each(|step| match step {
                SplatStep::Index(key) => give(key, next),
                // A splat in a splat isn't plain.
                SplatStep::Attr(_) | SplatStep::LegacyIndex(..) | SplatStep::Splat(_) => {}
            });
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            give(condition, next);
            give(then, next);
            give(otherwise, next);
        }
        ExprKind::Call(call) => call.args.iter_mut().for_each(|arg| give(arg, next)),
        ExprKind::For(f) => {
            give(&mut f.collection, next);
            f.result_key.iter_mut().for_each(|key| give(key, next));
            give(&mut f.result, next);
            f.condition.iter_mut().for_each(|condition| give(condition, next));
        }
    }
}
