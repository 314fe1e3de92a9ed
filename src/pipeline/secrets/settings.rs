//! What `phi.hcl` gives to secrets, and what may be meant so.
//!
//! In: its text, and which variables hold what isn't to be shown. Out: the texts and numbers that are written out for these, and behind every word that isn't known in its
//! place. It is read whether or not anything is wrong in it. Absent on purpose: what is wrong.

use super::constants::add_constants;
use crate::config::Config;
use crate::config::phi::{PhiConfig, may_be_setting};
use crate::syntax::walk::walk_body;
use crate::syntax::{Expr, ExprKind, ObjectKey, parse};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Adds what `phi.hcl` gives to variables that are secret or unknown, and what a word that isn't known there may be meant to give.
pub(super) fn add_given_by_settings(
    config: &Config,
    phi: &PhiConfig,
    is_hidden: &dyn Fn(&str) -> bool,
    found: &mut BTreeSet<Arc<str>>,
) {
    let text = phi.source.and_then(|id| config.sources.get(id)).map(|file| &file.text);
    let Some(body) = text.and_then(|text| parse(text).ok()) else { return };
    walk_body(&body, &mut |around, attr| {
        let Some(within) = around.last() else { return add_constants(&attr.expr, found) };
        match (&*within.kind.text, &*attr.name.text) {
            ("environment", "variables") => {
                let ExprKind::Object(items) = &attr.expr.kind else {
                    return add_constants(&attr.expr, found);
                };
                for item in items {
                    let name = match &item.key {
                        ObjectKey::Name(name) => Some(&*name.text),
                        ObjectKey::Expr(Expr { kind: ExprKind::String(text), .. }) => Some(&**text),
                        ObjectKey::Expr(_) => None,
                    };
                    if name.is_none_or(is_hidden) {
                        add_constants(&item.value, found);
                    }
                }
            }
            ("environment", "workspace" | "var_files" | "data") => {}
            ("environment", _) => add_constants(&attr.expr, found),
            ("variables", name) if is_hidden(name) => add_constants(&attr.expr, found),
            ("variable", "universe" | "bins") => {}
            ("variable", _) => add_constants(&attr.expr, found),
            ("settings", name) if !may_be_setting(name) => add_constants(&attr.expr, found),
            _ => {}
        }
    });
}
