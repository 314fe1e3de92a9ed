//! Provider configurations: those that something names and nothing declares, what may not stand in one, and constraints that are none.

use super::blocks::may_be_block;
use super::looked::{Looked, Refused};
use crate::config::{Call, Module, Provider};
use crate::syntax::{Body, Expr, ExprKind, ObjectKey, is_name, traversal};
use crate::text::{Place, SourceId};
use std::collections::BTreeSet;

pub(super) fn find_missing(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    let module = looked.module;
    for resource in module.every_resource() {
        let Some(provider) = &resource.provider else { continue };
        let Some((name, alias)) = named(&provider.expr) else { continue };
        if module.has_configuration(&name, &alias) || is_passed(looked, &name, &alias) {
            continue;
        }
        let error = format!(
            "Provider configuration not present: {} names the provider configuration {name}.{alias}, which isn't declared.",
            looked.path.address_of(&resource.addr)
        );
        let at = format!("{}.provider", resource.addr);
        found.push(Refused { at, error, place: provider.value_place() });
    }
    module.providers.iter().for_each(|provider| find_in_provider(looked, provider, found));
    module.calls.values().for_each(|call| find_in_call(looked, call, found));
    for decl in &module.terraform {
        find_constraint(&decl.block.body, decl.block.file, "required_version", "terraform", found);
        for block in decl.block.body.blocks_of("required_providers") {
            find_requirements(&block.body, decl.block.file, found);
        }
    }
}

/// A provider's name and alias, where an expression has both.
fn named(expr: &Expr) -> Option<(String, String)> {
    // In JSON `required_providers` is all text.
    if let ExprKind::String(text) = &expr.kind {
        let (name, alias) = text.split_once('.')?;
        return Some((name.to_owned(), alias.to_owned()));
    }
    let named = traversal::absolute_traversal(expr)?;
    // A variable is no provider, and an expression that chooses one is written as what it is.
    let alias = named.names().next()?.text.to_string();
    Some((named.root.text.to_string(), alias))
}

/// Returns true if some call of the module passes such a configuration, as modules had it that declare none.
fn is_passed(looked: &Looked<'_>, name: &str, alias: &str) -> bool {
    let Some((outer, call)) = looked.path.parent() else { return false };
    let call = looked.config.at(&outer).and_then(|module| module.call(&call));
    call.is_none_or(|call| match &call.providers {
        None => false,
        Some(_) => passes(call, name, Some(alias)).is_none_or(|found| found),
    })
}

/// Returns whether a call passes a configuration; nothing where that can't be read.
fn passes(call: &Call, name: &str, alias: Option<&str>) -> Option<bool> {
    let Some(providers) = &call.providers else { return Some(false) };
    let ExprKind::Object(items) = &providers.expr.kind else { return None };
    let mut found = false;
    for item in items {
        let (key, own) = key_of(&item.key)?;
        found |= *key == *name && own.as_deref() == alias;
    }
    Some(found)
}

/// The provider that a key of `providers` names.
fn key_of(key: &ObjectKey) -> Option<(String, Option<String>)> {
    match key {
        ObjectKey::Name(name) => Some((name.text.to_string(), None)),
        ObjectKey::Expr(expr) => match &expr.kind {
            ExprKind::String(text) => match text.split_once('.') {
                Some((name, alias)) => Some((name.to_owned(), Some(alias.to_owned()))),
                None => Some((text.to_string(), None)),
            },
            _ => {
                let named = traversal::absolute_traversal(expr)?;
                let alias = named.names().next().map(|alias| alias.text.to_string());
                Some((named.root.text.to_string(), alias))
            }
        },
    }
}

/// What a module asks for and a call doesn't pass; what it passes and nobody has.
fn find_in_call(looked: &Looked<'_>, call: &Call, found: &mut Vec<Refused>) {
    let at = format!("module.{}.providers", call.name);
    let mut known = BTreeSet::new();
    // Where an expression chooses the source, each of the modules is called.
    for module in looked.config.behind(looked.path, &call.name.clone().into()) {
        for (name, alias) in asked_for(module) {
            if !known.insert((name.clone(), alias.clone())) {
                continue;
            }
            if passes(call, &name, Some(&alias)) == Some(false) {
                let error = format!(
                    "Missing required provider configuration: The child module requires an additional configuration for provider {}, with the \
                     local name \"{name}.{alias}\".",
                    module.provider_source(&name)
                );
                found.push(Refused { at: at.clone(), error, place: call.decl.place() });
            }
        }
    }
    let Some(providers) = &call.providers else { return };
    let ExprKind::Object(items) = &providers.expr.kind else { return };
    let mut seen = Vec::new();
    for item in items {
        if let Some(key) = key_of(&item.key) {
            if seen.contains(&key) {
                let error = "Duplicate provider address: Each child provider configuration can be assigned only once.";
                let place = providers.at(item.value.span);
                found.push(Refused { at: at.clone(), error: error.to_owned(), place });
            }
            seen.push(key);
        }
        let Some((name, alias)) = named(&item.value) else { continue };
        if !looked.module.has_configuration(&name, &alias) && looked.path.is_root() {
            let error =
                format!("missing provider {name}.{alias}: No configuration of this name is declared.");
            found.push(Refused { at: at.clone(), error, place: providers.at(item.value.span) });
        }
    }
}

/// The configurations that a module has to be handed.
fn asked_for(module: &Module) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (_, attr) in module.required_providers() {
        let asked = module.required_provider(&attr.name.text, "configuration_aliases");
        for list in asked {
            if let ExprKind::Tuple(items) = &list.kind {
                out.extend(items.iter().filter_map(named));
            }
        }
    }
    out.sort();
    out.dedup();
    out
}

fn find_in_provider(looked: &Looked<'_>, provider: &Provider, found: &mut Vec<Refused>) {
    let at = format!("provider.{}", provider.name);
    let mut say = |error: String, place: Place| found.push(Refused { at: at.clone(), error, place });
    let is_json = |file| looked.module.has_json(file);
    for block in provider.decl.blocks() {
        if let Some(alias) = provider.alias.as_deref().filter(|alias| !is_name(alias))
            && let Some(attr) = block.body.attribute("alias")
        {
            let error = format!(
                "Invalid provider configuration alias: An alias must be a valid name, and {alias:?} is none."
            );
            say(error, block.at(attr.expr.span));
        }
        for attr in block.body.attributes() {
            let name = &*attr.name.text;
            if matches!(name, "count" | "depends_on" | "source") {
                let error = format!(
                    "Reserved argument name in provider block: The provider argument name {name:?} is reserved for use by Terraform in a \
                     future version."
                );
                say(error, block.at(attr.name.span));
            }
        }
        let blocks = block.body.blocks().map(|inner| &inner.kind);
        // In JSON they are read as arguments.
        let in_json = block.body.attributes().filter(|attr| is_json(block.file) && may_be_block(&attr.expr));
        for name in blocks.chain(in_json.map(|attr| &attr.name)) {
            let kind = &*name.text;
            if matches!(kind, "lifecycle" | "locals") {
                let error = format!(
                    "Reserved block type name in provider block: The block type name {kind:?} is reserved for use by Terraform in a future \
                     version."
                );
                say(error, block.at(name.span));
            }
        }
    }
    for block in provider.decl.blocks() {
        find_constraint(&block.body, block.file, "version", &at, found);
    }
}

fn find_requirements(body: &Body, file: SourceId, found: &mut Vec<Refused>) {
    for attr in body.attributes() {
        let mut say = |error: &str, expr: &Expr| {
            found.push(Refused {
                at: format!("terraform.required_providers.{}", attr.name.text),
                error: error.to_owned(),
                place: Place { file, span: expr.span },
            });
        };
        let version = |expr: &Expr| matches!(&expr.kind, ExprKind::String(text) if !is_constraints(text));
        if version(&attr.expr) {
            say(NO_CONSTRAINT, &attr.expr);
        }
        let ExprKind::Object(items) = &attr.expr.kind else { continue };
        for item in items {
            match key_of(&item.key).as_ref().map(|(key, _)| key.as_str()) {
                Some("version") if version(&item.value) => say(NO_CONSTRAINT, &item.value),
                Some("source") => {
                    if let ExprKind::String(text) = &item.value.kind
                        && !matches!(text.split('/').count(), 1..=3)
                    {
                        say(
                            "Invalid provider source string: The \"source\" attribute must be in the format \"[hostname/][namespace/]name\"",
                            &item.value,
                        );
                    }
                }
                Some("version" | "configuration_aliases") | None => {}
                Some(_) => say(
                    "Invalid required_providers object: required_providers objects can only contain \"version\", \"source\" and \
                     \"configuration_aliases\" attributes.",
                    &item.value,
                ),
            }
        }
    }
}

const NO_CONSTRAINT: &str =
    "Invalid version constraint: This string does not use correct version constraint syntax.";

fn find_constraint(body: &Body, file: SourceId, name: &str, at: &str, found: &mut Vec<Refused>) {
    let Some(attr) = body.attribute(name) else { return };
    if let ExprKind::String(text) = &attr.expr.kind
        && !is_constraints(text)
    {
        let place = Place { file, span: attr.expr.span };
        found.push(Refused { at: format!("{at}.{name}"), error: NO_CONSTRAINT.to_owned(), place });
    }
}

fn is_constraints(text: &str) -> bool {
    text.split(',').all(is_constraint)
}

/// Returns true if a part of a constraint can be one: an operator, and a version that begins with a digit.
fn is_constraint(part: &str) -> bool {
    let part = part.trim();
    let version = part.trim_start_matches(['=', '!', '<', '>', '~']).trim_start();
    version.strip_prefix('v').unwrap_or(version).starts_with(|c: char| c.is_ascii_digit())
}
