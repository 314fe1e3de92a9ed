//! From a file's body to declarations.
//!
//! Input: one parsed file. Output: what it declares, in source order, before duplicates and overrides are looked at.
//! Blocks and arguments that this version doesn't know are kept and not refused: Terraform itself judges them in the
//! same run, and its newer versions know more.

mod call;
mod check;
mod ctx;
pub(super) mod default;
mod output;
mod provider;
mod resource;
mod rules;
mod variable;

pub(super) use ctx::Ctx;

use crate::config::{Call, CheckBlock, Decl, In, Local, Output, Provider, Resource, Variable};
use crate::syntax::{Block, Body};
use std::sync::Arc;

/// The declarations of one file.
#[derive(Default)]
pub(super) struct FileDecls {
    pub variables: Vec<Variable>,
    pub locals: Vec<Local>,
    pub outputs: Vec<Output>,
    pub resources: Vec<Resource>,
    pub calls: Vec<Call>,
    pub providers: Vec<Provider>,
    pub checks: Vec<CheckBlock>,
    pub moved: Vec<Decl>,
    pub removed: Vec<Decl>,
    pub imports: Vec<Decl>,
    pub terraform: Vec<Decl>,
    pub others: Vec<Decl>,
}

/// Everything a file declares.
pub(super) fn file(ctx: &mut Ctx, body: &Body) -> FileDecls {
    let mut out = FileDecls::default();
    body.attributes().for_each(|attr| ctx.unexpected(attr));
    for block in body.blocks() {
        top_level(ctx, block, &mut out);
    }
    out
}

fn top_level(ctx: &mut Ctx, block: &Arc<Block>, out: &mut FileDecls) {
    match &*block.kind.text {
        "variable" => out.variables.extend(variable::decode(ctx, block)),
        "locals" => locals(ctx, block, &mut out.locals),
        "output" => out.outputs.extend(output::decode(ctx, block)),
        "resource" | "data" | "ephemeral" => out.resources.extend(resource::decode(ctx, block)),
        "module" => out.calls.extend(call::decode(ctx, block)),
        "provider" => out.providers.extend(provider::decode(ctx, block)),
        "check" => out.checks.extend(check::decode(ctx, block)),
        "moved" => out.moved.push(ctx.decl(block)),
        "removed" => out.removed.push(ctx.decl(block)),
        "import" => out.imports.push(ctx.decl(block)),
        "terraform" => out.terraform.push(ctx.decl(block)),
        _ => out.others.push(ctx.decl(block)),
    }
}

fn locals(ctx: &mut Ctx, block: &Arc<Block>, out: &mut Vec<Local>) {
    if ctx.labels(block, []).is_none() {
        return;
    }
    let decl = ctx.decl(block);
    for inner in block.body.blocks() {
        let why = "Blocks are not allowed here.";
        ctx.invalid(inner.kind.span, format!("Unexpected \"{}\" block", inner.kind.text), why);
    }
    for attr in block.body.attributes() {
        out.push(Local {
            name: attr.name.text.clone(),
            decl: decl.clone(),
            attr: In::new(ctx.file, attr.clone()),
        });
    }
}
