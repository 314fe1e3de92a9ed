//! `variable`

use super::{Ctx, default, rules};
use crate::config::{Variable, types};
use crate::issue::Issue;
use crate::syntax::Block;
use crate::value::Type;
use std::sync::Arc;

pub(super) fn decode(ctx: &mut Ctx, block: &Arc<Block>) -> Option<Variable> {
    let [name] = ctx.labels(block, ["name"])?;
    let body = &block.body;
    let type_attr = ctx.attr(body, "type");
    let mut broken = false;
    let (ty, defaults) = match type_attr.as_ref().map(|a| types::constraint(&a.expr)) {
        None => (Type::Dynamic, None),
        Some(Ok(decoded)) => decoded,
        Some(Err(e)) => {
            let mut issue = Issue::error(e.code, e.summary, e.detail).at(ctx.at(e.span));
            if let Some(instead) = e.instead {
                issue = issue.fix("Write a default that fits the type, or none:", instead);
            }
            ctx.issues.push(issue);
            broken = true;
            (Type::Dynamic, None)
        }
    };
    let variable = Variable {
        name,
        decl: ctx.decl(block),
        type_attr,
        ty,
        defaults: defaults.map(Arc::new),
        default: ctx.attr(body, "default"),
        nullable: ctx.flag(body, "nullable", true),
        sensitive: ctx.flag(body, "sensitive", false),
        ephemeral: ctx.flag(body, "ephemeral", false),
        holds_secret: false,
        validations: rules::all(ctx, body, "validation"),
    };
    if !broken {
        ctx.issues.extend(default::check(&variable));
    }
    Some(variable)
}
