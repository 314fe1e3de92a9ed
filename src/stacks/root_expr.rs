//! Rewrites expressions of embedded Stacks for the root module, which configures the providers of these Stacks.
//!
//! In: an expression of an embedded Stack's module. Out: an expression of the root module with the same value. Variables are
//! replaced by the values passed to them, and locals by their expressions. A component's output is handed up by an output of each
//! module on the way, and the root module refers to the topmost one.

use super::exports::{Export, RootExpr};
use super::unit::Unit;
use crate::config::Module;
use crate::syntax::{Expr, Ident, TraversalStep, parse_expr, traversal};
use crate::text::{Edit, EditSet, Span};
use std::sync::Arc;

/// Returns an expression of a Stack as an expression of the root module; `None` if it can't be expressed there. `repeats` is the local
/// for a provider's `for_each`, with the expression of that local.
pub(super) fn root_expr(
    unit: &Unit<'_, '_, '_>,
    text: &str,
    repeats: Option<&(String, String)>,
) -> Option<RootExpr> {
    if unit.labels.is_empty() {
        return Some(RootExpr { text: text.to_owned(), exports: Vec::new() });
    }
    let expr: Expr = parse_expr(text).ok()?;
    let (mut edits, mut exports) = (Vec::new(), Vec::new());
    for used in traversal::variables(&expr) {
        let Some(TraversalStep::Attr(first)) = used.steps.first() else { continue };
        let (new, end) = match &*used.root.text {
            "var" => (unit.passed.get(&first.text)?.clone(), first.span),
            "local" => match repeats.filter(|(name, _)| **name == *first.text) {
                Some((_, text)) => (root_expr(unit, text, None)?, first.span),
                None => (local(unit, &first.text)?, first.span),
            },
            "module" => {
                let second = used.steps.get(1).and_then(|step| match step {
                    TraversalStep::Attr(name) => Some(name),
                    TraversalStep::Index(..) => None,
                });
                called(unit, first, second)?
            }
            _ => continue,
        };
        exports.extend(new.exports);
        edits.push(Edit { span: used.root.span.to(end), text: super::items::enclosed(&new.text) });
    }
    let text = EditSet::of(edits).ok()?.apply(text).ok()?;
    Some(RootExpr { text, exports })
}

/// Returns the expression that replaces a local in the root module: the local's own expression, or all instances of a component.
fn local(unit: &Unit<'_, '_, '_>, name: &Arc<str>) -> Option<RootExpr> {
    if let Some(local) = unit.module.locals.get(name) {
        let json = unit.module.files.iter().any(|f| f.source == local.attr.file && f.json);
        let text = unit.words().text(&local.attr.expr, (local.attr.file, json), None);
        return root_expr(unit, &text, None);
    }
    let text = format!("local.{name}");
    let module = behind(unit, &text)?;
    Some(handed_up(unit, format!("local_{name}"), text, any_ephemeral(module)))
}

/// Returns the expression that replaces one output of a call or the whole call, and the last name of the reference that it replaces.
fn called(unit: &Unit<'_, '_, '_>, label: &Ident, output: Option<&Ident>) -> Option<(RootExpr, Span)> {
    let text = format!("module.{}", label.text);
    let module = behind(unit, &text)?;
    // An output that isn't there is left to Terraform, which says so.
    match output.filter(|o| module.is_none_or(|m| m.outputs.contains_key(&o.text))) {
        Some(output) => {
            let is_ephemeral = module.and_then(|m| m.outputs.get(&output.text)).is_some_and(|o| o.ephemeral);
            let name = format!("{}{}{}", label.text, super::names::BETWEEN, output.text);
            Some((handed_up(unit, name, format!("{text}.{}", output.text), is_ephemeral), output.span))
        }
        None => Some((handed_up(unit, label.text.to_string(), text, any_ephemeral(module)), label.span)),
    }
}

/// Returns the module of the component or Stack that an expression refers to: `None` if it refers to neither, `Some(None)` if the
/// module wasn't read.
fn behind<'a>(unit: &Unit<'_, '_, 'a>, text: &str) -> Option<Option<&'a Module>> {
    let (name, _) = unit.stands.iter().find(|(_, stand)| stand.text == text)?;
    Some(unit.config.child(&unit.spot.path, name))
}

fn any_ephemeral(module: Option<&Module>) -> bool {
    module.is_some_and(|m| m.outputs.values().any(|o| o.ephemeral))
}

fn handed_up(unit: &Unit<'_, '_, '_>, name: String, text: String, is_ephemeral: bool) -> RootExpr {
    let export = Export { labels: unit.labels.clone(), name, text, is_ephemeral };
    RootExpr { text: export.seen(), exports: vec![export] }
}
