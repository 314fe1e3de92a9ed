//! `output`

use super::{Ctx, rules};
use crate::config::Output;
use crate::syntax::Block;
use std::sync::Arc;

pub(super) fn decode(ctx: &mut Ctx, block: &Arc<Block>) -> Option<Output> {
    let [name] = ctx.labels(block, ["name"])?;
    let body = &block.body;
    let value = ctx.attr(body, "value");
    if value.is_none() && !ctx.is_override {
        ctx.lacks(block, "value");
    }
    Some(Output {
        name,
        decl: ctx.decl(block),
        value,
        sensitive: ctx.flag(body, "sensitive", false),
        ephemeral: ctx.flag(body, "ephemeral", false),
        depends_on: ctx.attr(body, "depends_on"),
        preconditions: rules::all(ctx, body, "precondition"),
    })
}
