//! `module`

use super::Ctx;
use crate::config::Call;
use crate::syntax::Block;
use std::sync::Arc;

const META: [&str; 7] =
    ["source", "version", "count", "for_each", "providers", "depends_on", "ignore_nested_deprecations"];

pub(super) fn decode(ctx: &mut Ctx, block: &Arc<Block>) -> Option<Call> {
    let [name] = ctx.labels(block, ["name"])?;
    let body = &block.body;
    ctx.one_repetition(body);
    let source = ctx.attr(body, "source");
    if source.is_none() && !ctx.is_override {
        ctx.lacks(block, "source");
    }
    body.blocks().filter(|b| &*b.kind.text != "_").for_each(|inner| ctx.unexpected_block(inner));
    Some(Call {
        name,
        decl: ctx.decl(block),
        source,
        version: ctx.attr(body, "version"),
        count: ctx.attr(body, "count"),
        for_each: ctx.attr(body, "for_each"),
        providers: ctx.attr(body, "providers"),
        depends_on: ctx.attr(body, "depends_on"),
        args: ctx.rest(body, &META, &[]).attributes,
        computed: None,
    })
}
