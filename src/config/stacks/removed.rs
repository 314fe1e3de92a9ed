//! `removed`: components that are no more, whose objects are to be destroyed or let go of.

use super::rewrite::{Rewriter, called};
use crate::config::Module;
use crate::issue::{Code, Issue};
use crate::syntax::{Block, Expr, ExprKind};
use crate::text::{Place, SourceId};
use std::sync::Arc;

/// A call that a `removed` block names without an index: all of its instances are removed.
pub(super) struct Removed {
    /// The name of the call, as `component.net`.
    call: Arc<str>,
    place: Place,
}

/// Looks at a `removed` block.
pub(super) fn declared(rewriter: &mut Rewriter<'_>, block: &Arc<Block>) -> Option<Removed> {
    rewriter.ctx.labels(block, [])?;
    rewriter.ctx.only(
        block,
        &["from", "source", "version", "for_each", "providers", "inputs"],
        &["lifecycle"],
    );
    let Some(from) = block.body.attribute("from") else {
        rewriter.ctx.lacks(block, "from");
        return None;
    };
    if block.body.attribute("source").is_none() {
        rewriter.ctx.lacks(block, "source");
    }
    let place = Place { file: rewriter.ctx.file, span: from.expr.span };
    match called(&from.expr) {
        Some((word, name)) => Some(Removed { call: format!("{word}.{}", name.text).into(), place }),
        None if target_of_index(&from.expr) => None,
        None => {
            let why = "What is removed is a component or an embedded stack, as in component.net or component.net[each.key].";
            rewriter.ctx.invalid(from.expr.span, "Invalid 'from' attribute", why);
            None
        }
    }
}

/// Returns true if it names an instance, or something within one.
fn target_of_index(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Index(base, _) | ExprKind::GetAttr(base, _) => {
            called(base).is_some() || target_of_index(base)
        }
        _ => false,
    }
}

/// Says which of what is removed is there all the same.
pub(super) fn conflicts(module: &Module, removed: &[(SourceId, Removed)], issues: &mut Vec<Issue>) {
    for (_, gone) in removed {
        if module.calls.contains_key(&gone.call) {
            let why = format!(
                "A removed block without an index says that {} and all of its instances are gone, but it is declared.",
                gone.call
            );
            issues
                .push(Issue::error(Code::Invalid, "Component exists for removed block", why).at(gone.place));
        }
    }
}
