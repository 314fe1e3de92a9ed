//! `check` blocks.

use super::{Ctx, resource, rules};
use crate::config::CheckBlock;
use crate::syntax::Block;
use std::sync::Arc;

pub(super) fn decode(ctx: &mut Ctx, block: &Arc<Block>) -> Option<CheckBlock> {
    let [name] = ctx.labels(block, ["name"])?;
    let data = block.body.blocks_of("data").next().and_then(|b| resource::decode(ctx, b)).map(Box::new);
    Some(CheckBlock { name, decl: ctx.decl(block), data, asserts: rules::all(ctx, &block.body, "assert") })
}
