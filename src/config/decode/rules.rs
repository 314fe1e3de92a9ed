//! `validation`, `precondition`, `postcondition`, `assert`, and `check` blocks.

use super::Ctx;
use crate::config::{CheckRule, In};
use crate::syntax::{Block, Body};
use std::sync::Arc;

/// All rules of that block type.
pub(super) fn all(ctx: &mut Ctx, body: &Body, kind: &str) -> Vec<CheckRule> {
    body.blocks_of(kind).filter_map(|b| rule(ctx, b)).collect()
}

fn rule(ctx: &mut Ctx, block: &Arc<Block>) -> Option<CheckRule> {
    let expr = |name: &str| block.body.attribute(name).map(|a| In::new(ctx.file, a.expr.clone()));
    let (condition, error_message) = (expr("condition"), expr("error_message"));
    let Some(condition) = condition else {
        ctx.lacks(block, "condition");
        return None;
    };
    Some(CheckRule { block: ctx.block(block), condition, error_message })
}
