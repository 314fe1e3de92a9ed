//! `import` blocks that the declarations contradict. Of keys only literals are looked at.

use super::looked::{Looked, Refused};
use super::statements::{end_of, find_written, has_written, module_at};
use crate::addr::{Key, Mode, ModuleInstance, Referent};
use crate::config::literal::key_text;
use crate::config::{Decl, Resource};
use crate::graph::{Use, uses_of};
use crate::syntax::{Expr, ExprKind};
use std::collections::BTreeSet;

pub(super) fn find_unsuitable(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    let mut seen = BTreeSet::new();
    for decl in &looked.module.imports {
        find_no_key(decl, found);
        let mut say =
            |error: String| found.push(Refused { at: "import".to_owned(), error, place: decl.place() });
        if !looked.path.is_root() {
            say(format!(
                "Invalid import configuration: An import block was detected in \"{}\". Import blocks are only allowed in the root module.",
                looked.path
            ));
            continue;
        }
        let id = decl.block.body.attribute("id").map(|attr| &attr.expr.kind);
        if matches!(id, Some(ExprKind::Null)) || matches!(id, Some(ExprKind::String(text)) if text.is_empty())
        {
            say("Invalid import id argument: The import ID value evaluates to null or an empty string."
                .to_owned());
        }
        let Some((address, end)) = end_of(decl, "to") else { continue };
        let Some((resource, key)) = &end.resource else { continue };
        if resource.mode != Mode::Managed {
            say("Invalid import address: Only managed resources can be imported.".to_owned());
            continue;
        }
        if !seen.insert(address.clone()) {
            say(format!(
                "Duplicate import configuration for \"{address}\": A resource can have only one import block."
            ));
        }
        let module = module_at(looked.config, looked.path, &end.module);
        let declared = module.and_then(|module| module.resources.get(resource));
        if let Some(wrong) = declared.and_then(|resource| unsuitable_key(resource, key.as_ref())) {
            say(format!("Invalid import 'to' expression: {wrong}"));
        }
        let lacks = |resource: &Resource| is_written(resource) && !has_written(resource, key.as_ref());
        let suits = |resource: &&Resource| unsuitable_key(resource, key.as_ref()).is_none();
        let is_there = declared.is_some_and(|resource| !suits(&resource) || !lacks(resource));
        let is_known =
            looked.config.chosen.is_empty() && (module.is_some() || is_uncalled(looked, &end.module));
        if !is_there && is_known {
            say(format!(
                "Configuration for import target does not exist: The configuration for the given import target {address} does not exist. All \
                 target instances must have an associated configuration to be imported."
            ));
        }
    }
}

/// What the key of an address says that the resource isn't.
fn unsuitable_key(resource: &Resource, key: Option<&Key>) -> Option<&'static str> {
    match (key, &resource.count, &resource.for_each) {
        (None, Some(_), _) => Some("The target resource is using count."),
        (None, _, Some(_)) => Some("The target resource is using for_each."),
        (Some(_), None, None) => Some("The target resource does not use count or for_each."),
        (Some(Key::Name(_)), Some(_), None) => Some("The target resource does not use for_each."),
        (Some(Key::Index(_)), None, Some(_)) => Some("The target resource does not use count."),
        _ => None,
    }
}

/// Returns true if there is no call on the way to a module.
fn is_uncalled(looked: &Looked<'_>, below: &ModuleInstance) -> bool {
    let mut path = looked.path.clone();
    for (name, _) in &below.0 {
        let Some(module) = looked.config.at(&path) else { return false };
        if !module.calls.contains_key(name) {
            return true;
        }
        path = path.child(name.clone());
    }
    false
}

/// Finds keys of an `import` block without `for_each` that are expressions.
fn find_no_key(decl: &Decl, found: &mut Vec<Refused>) {
    let body = &decl.block.body;
    let Some(attr) = body.attribute("to").filter(|_| body.attribute("for_each").is_none()) else { return };
    let is_other = |used: &Use| {
        matches!(
            used.referent,
            Referent::Variable(_)
                | Referent::Local(_)
                | Referent::Output { .. }
                | Referent::Path(_)
                | Referent::Workspace
        )
    };
    // A name by itself is no address at all, which is said elsewhere.
    let within = |used: &Use| used.traversal.span.start != attr.expr.span.start;
    if uses_of(&attr.expr, decl.block.file).iter().any(|used| is_other(used) && within(used)) {
        let error = "Invalid expression: A single static variable reference is required: only attribute access and indexing with constant \
                     keys. No calculations, function calls, template expressions, etc are allowed here.";
        found.push(Refused {
            at: "import.to".to_owned(),
            error: error.to_owned(),
            place: decl.block.at(attr.expr.span),
        });
    }
}

/// Returns true if literals say which instances a resource has.
fn is_written(resource: &Resource) -> bool {
    let text = |item: &Expr| matches!(item.kind, ExprKind::String(_));
    match (&resource.count, &resource.for_each) {
        (Some(count), None) => matches!(find_written(&count.expr).kind, ExprKind::Number(_)),
        (None, Some(each)) => match &find_written(&each.expr).kind {
            ExprKind::Object(items) => items.iter().all(|item| key_text(&item.key).is_some()),
            ExprKind::Call(call) if &*call.name.text == "toset" => {
                match call.args.first().map(|arg| &arg.kind) {
                    Some(ExprKind::Tuple(items)) => items.iter().all(text),
                    _ => false,
                }
            }
            _ => false,
        },
        _ => false,
    }
}
