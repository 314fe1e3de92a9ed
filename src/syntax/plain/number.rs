//! The numbers of expressions, which are given in pre-order: a traversal's last step is read last and comes first.

use crate::syntax::tree::{Expr, ExprId};
use crate::syntax::walk::PartMut;

/// Numbers an expression and all in it from `next` on.
pub(super) fn give(expr: &mut Expr, next: &mut u32) {
    expr.id = ExprId(*next);
    *next += 1;
    expr.each_part_mut(&mut |part, _| match part {
        PartMut::Expr(inner) => give(inner, next),
        PartMut::Name(_) | PartMut::Place(_) => {}
    });
}
