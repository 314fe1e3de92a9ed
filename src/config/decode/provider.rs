//! `provider`

use super::Ctx;
use crate::config::{Provider, literal};
use crate::syntax::Block;
use crate::value::Data;
use std::sync::Arc;

pub(super) fn decode(ctx: &mut Ctx, block: &Arc<Block>) -> Option<Provider> {
    let [name] = ctx.labels(block, ["name"])?;
    let body = &block.body;
    let mut alias = None;
    if let Some(attr) = body.attribute("alias") {
        match literal::literal(&attr.expr).map(|v| v.data) {
            Ok(Data::String(text)) => alias = Some(text),
            _ => ctx.invalid(
                attr.expr.span,
                "Invalid provider configuration alias",
                "An alias must be a name in quotes; no expression is allowed here.",
            ),
        }
    }
    let rest = ctx.rest(body, &["alias", "version"], &[]);
    Some(Provider { name, alias, decl: ctx.decl(block), for_each: None, body: rest })
}
