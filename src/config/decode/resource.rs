//! `resource`, `data`, `ephemeral`

use super::{Ctx, rules};
use crate::addr::{Mode, ResourceAddr};
use crate::config::{In, Lifecycle, Resource};
use crate::syntax::{Block, Body};
use std::sync::Arc;

const META: [&str; 4] = ["count", "for_each", "provider", "depends_on"];

pub(super) fn decode(ctx: &mut Ctx, block: &Arc<Block>) -> Option<Resource> {
    let [kind, name] = ctx.labels(block, ["type", "name"])?;
    let mode = match &*block.kind.text {
        "data" => Mode::Data,
        "ephemeral" => Mode::Ephemeral,
        _ => Mode::Managed,
    };
    let body = &block.body;
    ctx.one_repetition(body);
    let own_blocks: &[&str] =
        if mode == Mode::Managed { &["lifecycle", "connection", "provisioner"] } else { &["lifecycle"] };
    let (provisioners, connection) = if mode == Mode::Managed {
        let all: Vec<In<Block>> = body.blocks_of("provisioner").map(|b| ctx.block(b)).collect();
        (all, body.blocks_of("connection").next().map(|b| ctx.block(b)))
    } else {
        (Vec::new(), None)
    };
    Some(Resource {
        addr: ResourceAddr { mode, kind, name },
        decl: ctx.decl(block),
        count: ctx.attr(body, "count"),
        for_each: ctx.attr(body, "for_each"),
        provider: ctx.attr(body, "provider"),
        depends_on: ctx.attr(body, "depends_on"),
        lifecycle: lifecycle(ctx, body),
        provisioners,
        connection,
        body: ctx.rest(body, &META, own_blocks),
    })
}

fn lifecycle(ctx: &mut Ctx, body: &Body) -> Lifecycle {
    let mut blocks = body.blocks_of("lifecycle");
    let Some(block) = blocks.next() else { return Lifecycle::default() };
    if let Some(second) = blocks.next() {
        let why = "This resource already has a lifecycle block.";
        ctx.invalid(second.kind.span, "Duplicate lifecycle block", why);
    }
    let inner = &block.body;
    Lifecycle {
        blocks: vec![ctx.block(block)],
        create_before_destroy: ctx.attr(inner, "create_before_destroy"),
        prevent_destroy: ctx.attr(inner, "prevent_destroy"),
        ignore_changes: ctx.attr(inner, "ignore_changes"),
        replace_triggered_by: ctx.attr(inner, "replace_triggered_by"),
        enabled: ctx.attr(inner, "enabled").filter(|_| ctx.tofu),
        preconditions: rules::all(ctx, inner, "precondition"),
        postconditions: rules::all(ctx, inner, "postcondition"),
    }
}
