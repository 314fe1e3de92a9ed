//! `module`

use super::Ctx;
use crate::config::{Call, In};
use crate::syntax::{Attribute, Block, Body};
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
    let enabled = decode_enabled(ctx, body);
    Some(Call {
        name,
        decl: ctx.decl(block),
        source,
        version: ctx.attr(body, "version"),
        count: ctx.attr(body, "count"),
        for_each: ctx.attr(body, "for_each"),
        enabled,
        providers: ctx.attr(body, "providers"),
        depends_on: ctx.attr(body, "depends_on"),
        args: ctx.rest(body, &META, &[]).attributes,
        computed: None,
    })
}

/// The `enabled` of a call's `lifecycle` block, which OpenTofu has since 1.11. It takes nothing else there, and no other block.
fn decode_enabled(ctx: &mut Ctx, body: &Body) -> Option<In<Attribute>> {
    let mut found = None;
    for inner in body.blocks().filter(|block| &*block.kind.text != "_") {
        if !ctx.tofu || &*inner.kind.text != "lifecycle" {
            ctx.unexpected_block(inner);
            continue;
        }
        ctx.only(inner, &["enabled"], &[]);
        found = found.or_else(|| ctx.attr(&inner.body, "enabled"));
    }
    found
}
