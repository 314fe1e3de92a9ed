//! Provider configurations that a resource of the root module names and nothing declares; constraints that are none.

use super::{Looked, Refused};
use crate::syntax::{ExprKind, traversal};
use crate::text::Place;

pub(super) fn find_missing(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    let module = looked.module;
    // What a call passes isn't looked at.
    for resource in module.resources.values().filter(|_| looked.path.is_root()) {
        let Some(provider) = &resource.provider else { continue };
        let named = traversal::absolute_traversal(&provider.expr);
        let Some((named, alias)) = named.as_ref().and_then(|named| Some((named, named.names().next()?)))
        else {
            continue;
        };
        let is_own = |name: &str, own: Option<&str>| *name == *named.root.text && own == Some(&*alias.text);
        let is_there = module.providers.iter().any(|own| is_own(&own.name, own.alias.as_deref()));
        if !is_there {
            let error = format!(
                "Provider configuration not present: {} names the provider configuration {}.{}, which isn't declared.",
                resource.addr, named.root.text, alias.text
            );
            found.push(Refused {
                at: format!("{}.provider", resource.addr),
                error,
                place: provider.value_place(),
            });
        }
    }
    for decl in &module.terraform {
        let Some(attr) = decl.block.body.attribute("required_version") else { continue };
        if let ExprKind::String(text) = &attr.expr.kind
            && !text.split(',').all(is_constraint)
        {
            let error =
                "Invalid version constraint: This string does not use correct version constraint syntax.";
            let place = Place { file: decl.block.file, span: attr.expr.span };
            found.push(Refused {
                at: "terraform.required_version".to_owned(),
                error: error.to_owned(),
                place,
            });
        }
    }
}

/// Returns true if a part of a constraint can be one: an operator, and a version that begins with a digit.
fn is_constraint(part: &str) -> bool {
    let part = part.trim();
    let version = part.trim_start_matches(['=', '!', '<', '>', '~']).trim_start();
    version.strip_prefix('v').unwrap_or(version).starts_with(|c: char| c.is_ascii_digit())
}
