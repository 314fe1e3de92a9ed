//! `component` and `stack` blocks as calls.

use super::rewrite::Rewriter;
use super::{computed, providers};
use crate::config::literal::key_text;
use crate::config::{Call, In, Role};
use crate::syntax::{Attribute, Block, ExprKind, Ident, ObjectItem, ObjectKey};
use std::sync::Arc;

const OF_COMPONENT: [&str; 6] = ["source", "version", "for_each", "inputs", "providers", "depends_on"];
const OF_STACK: [&str; 5] = ["source", "version", "for_each", "inputs", "depends_on"];

/// The call that a `component` or `stack` block is.
pub(super) fn call(rewriter: &mut Rewriter<'_>, block: &Arc<Block>) -> Option<Call> {
    let [name] = rewriter.ctx.labels(block, ["name"])?;
    let name: Arc<str> = format!("{}.{name}", block.kind.text).into();
    let known: &[&str] = if Role::of_call(&name) == Role::Stack { &OF_STACK } else { &OF_COMPONENT };
    rewriter.ctx.only(block, known, &[]);
    let body = &block.body;
    let source = rewriter.ctx.attr(body, "source");
    match &source {
        None => rewriter.ctx.lacks(block, "source"),
        Some(attr) if !matches!(attr.expr.kind, ExprKind::String(_)) => {
            let why = "A Stack's source is a string as it is, without references and functions.";
            rewriter.ctx.invalid(attr.expr.span, "Invalid source address", why);
        }
        Some(_) => {}
    }
    let file = rewriter.ctx.file;
    let mut rewritten = |name: &str| body.attribute(name).map(|a| In::new(file, rewriter.attribute(a)));
    let (for_each, depends_on) = (rewritten("for_each"), rewritten("depends_on"));
    let inputs = body.attribute("inputs");
    let (written, computed) = (
        inputs.filter(|i| computed::is_written_out(&i.expr)),
        inputs.filter(|i| !computed::is_written_out(&i.expr)),
    );
    let computed = computed.map(|inputs| In::new(file, rewriter.attribute(inputs)));
    let args = written.map(|inputs| arguments(rewriter, inputs)).unwrap_or_default();
    Some(Call {
        name,
        decl: rewriter.ctx.decl(block),
        source,
        version: rewriter.ctx.attr(body, "version"),
        count: None,
        for_each,
        enabled: None,
        providers: body.attribute("providers").map(|a| In::new(file, providers::handed(rewriter, a))),
        depends_on,
        args,
        computed,
    })
}

/// Returns the arguments that `inputs` passes, one for each name.
fn arguments(rewriter: &mut Rewriter<'_>, inputs: &Attribute) -> Vec<In<Attribute>> {
    let file = rewriter.ctx.file;
    let ExprKind::Object(items) = &inputs.expr.kind else { return Vec::new() };
    let mut args: Vec<In<Attribute>> = Vec::new();
    for ObjectItem { key, value, .. } in items {
        let Some(text) = key_text(key) else { continue };
        let span = match key {
            ObjectKey::Name(name) => name.span,
            ObjectKey::Expr(key) => key.span,
        };
        let mut expr = value.clone();
        rewriter.expr(&mut expr);
        let attr = In::new(file, Attribute { span: span.to(expr.span), name: Ident { text, span }, expr });
        // Of two items with one key the last counts.
        args.retain(|a: &In<Attribute>| a.name.text != attr.name.text);
        args.push(attr);
    }
    args
}
