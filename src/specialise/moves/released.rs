//! The objects that a user's `removed` blocks release without destroying them.

use crate::config::{Config, Decl};
use crate::specialise::moves::named;
use crate::syntax::ExprKind;

/// Whole addresses, without keys.
pub fn released(config: &Config) -> Vec<String> {
    let mut out = Vec::new();
    for (path, id) in &config.paths {
        for decl in config.module(*id).iter().flat_map(|m| &m.removed).filter(|d| keeps(d)) {
            let from = decl.block.body.attribute("from");
            let Some(segments) = from.and_then(|f| named::segments(&f.expr)) else { continue };
            let own = segments.iter().map(|s| s.named.to_string());
            let module = (!path.is_root()).then(|| path.to_string());
            out.push(module.into_iter().chain(own).collect::<Vec<_>>().join("."));
        }
    }
    out
}

fn keeps(decl: &Decl) -> bool {
    let mut blocks = decl.block.body.blocks_of("lifecycle");
    blocks.any(|b| b.body.attribute("destroy").is_some_and(|a| matches!(a.expr.kind, ExprKind::Bool(false))))
}
