//! `provider "TYPE" "NAME"` as a configuration with an alias, and what a component is handed.

use super::rewrite::Rewriter;
use crate::config::{In, MergedBody, Provider};
use crate::syntax::{Attribute, Block, Body, Expr, ExprKind, Ident, TemplatePart};
use std::sync::Arc;

/// A provider's configuration. All of its instances are one here, which `for_each` repeats.
pub(super) fn declared(rewriter: &mut Rewriter<'_>, block: &Arc<Block>) -> Option<Provider> {
    let [kind, name] = rewriter.ctx.labels(block, ["type", "name"])?;
    rewriter.ctx.only(block, &["for_each"], &["config"]);
    let file = rewriter.ctx.file;
    let rewritten = rewriter.block(block, &[]);
    let config = Body::default();
    let config = rewritten.body.blocks_of("config").next().map_or(&config, |b| &b.body);
    let body = MergedBody {
        attributes: config.attributes().map(|a| In::new(file, a.clone())).collect(),
        blocks: config.blocks().map(|b| In::new(file, b.clone())).collect(),
    };
    let for_each = rewriter.ctx.attr(&rewritten.body, "for_each");
    Some(Provider { name: kind, alias: Some(name), decl: rewriter.ctx.decl(block), for_each, body })
}

/// `providers = { aws = provider.aws.main["a"] }` as `{ aws = aws.main }`.
pub(super) fn handed(rewriter: &mut Rewriter<'_>, attr: &Attribute) -> Arc<Attribute> {
    let mut attr = attr.clone();
    match &mut attr.expr.kind {
        ExprKind::Object(items) => {
            for item in items {
                one(rewriter, &mut item.value);
            }
        }
        _ => {
            let why = "The providers of a component are written out, as in { aws = provider.aws.main }.";
            rewriter.ctx.invalid(attr.expr.span, "Invalid providers", why);
        }
    }
    Arc::new(attr)
}

fn one(rewriter: &mut Rewriter<'_>, expr: &mut Expr) {
    let found = named(expr, rewriter);
    match found {
        Some((kind, name)) => {
            rewriter.handed.push((kind.clone(), name.clone()));
            let base = Expr { span: kind.span, kind: ExprKind::Variable(kind.text) };
            expr.kind = ExprKind::GetAttr(Box::new(base), name);
        }
        None => {
            let why = "A component is handed a provider's configuration, as in provider.aws.main or \
                       provider.aws.main[each.key].";
            rewriter.ctx.invalid(expr.span, "Invalid provider configuration", why);
        }
    }
}

/// The type and the name in `provider.TYPE.NAME`, with a key or without, in a template of JSON too.
fn named(expr: &Expr, rewriter: &mut Rewriter<'_>) -> Option<(Ident, Ident)> {
    match &expr.kind {
        ExprKind::Paren(inner) => named(inner, rewriter),
        ExprKind::Template(template) => match template.parts.as_slice() {
            [TemplatePart::Interpolation(inner, _)] => named(inner, rewriter),
            _ => None,
        },
        ExprKind::Index(base, key) => {
            // What stands there is looked at as all expressions are.
            rewriter.expr(&mut key.as_ref().clone());
            named(base, rewriter)
        }
        ExprKind::GetAttr(base, name) => match &base.kind {
            ExprKind::GetAttr(root, kind) => match &root.kind {
                ExprKind::Variable(word) if &**word == "provider" => Some((kind.clone(), name.clone())),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
