//! Configurations of providers: one with an alias for each instance, and what a component is handed.

use super::instances::unknown;
use super::items::From;
use super::unit::{Configured, Instance, Own, Unit, line_end};
use super::words::indexed;
use super::{names, requirements};
use crate::addr::Target;
use crate::config::In;
use crate::issue::{Code, Issue};
use crate::syntax::{Attribute, Block, Expr, ExprKind, Ident, ObjectKey, TemplatePart};
use crate::text::Place;
use crate::trace::Known;
use crate::value::hcl;
use std::sync::Arc;

/// Finds the instances of all configurations of a Stack.
pub(super) fn expanded(unit: &mut Unit<'_, '_, '_>) -> Configured {
    let mut all = Configured::new();
    let module = unit.module;
    for own in &module.providers {
        let Some(alias) = &own.alias else { continue };
        let target = Target::Provider(format!("{}.{alias}", own.name).into());
        let found = match unit.asking.keys(&unit.spot, &target, own.decl.place()) {
            Ok(found) => found,
            Err(issue) => {
                unit.fault(issue);
                continue;
            }
        };
        let local = local_name(unit, &own.name, alias);
        let mut instances = Own::new();
        for (key, standing) in found {
            let otherwise = indexed(&format!("local.{local}"), key.as_deref().unwrap_or_default());
            let each = unit.asking.each(&unit.spot.path, &target, &standing, otherwise);
            instances.push((key, each));
        }
        all.insert((own.name.clone(), alias.clone()), instances);
    }
    all
}

fn local_name(unit: &Unit<'_, '_, '_>, kind: &str, name: &str) -> String {
    unit.free(&format!("each_provider_{kind}_{name}"))
}

/// The blocks of a configuration's instances. Those of embedded Stacks are the root module's: Terraform takes none in a module
/// that goes away while state holds objects of it.
pub(super) fn written(
    unit: &mut Unit<'_, '_, '_>,
    from: From<'_>,
    block: &Block,
    (kind, name): (&Arc<str>, &Arc<str>),
) -> String {
    let Some(instances) = unit.providers.remove(&(kind.clone(), name.clone())) else { return String::new() };
    let config = block.body.blocks_of("config").next();
    let repeats = block.body.attribute("for_each").map(|for_each| {
        let text = unit.words().text(&for_each.expr, (from.file, from.json), None);
        (local_name(unit, kind, name), text)
    });
    let mut blocks = Vec::new();
    for (key, each) in &instances {
        let own = names::alias(name, key.as_deref());
        let path: Vec<&str> = unit.labels.iter().map(String::as_str).chain([own.as_str()]).collect();
        let alias = hcl::quote(&path.join(names::BETWEEN));
        let items = match (config, unit.labels.is_empty()) {
            (None, _) => String::new(),
            (Some(config), true) => unit.items(from, config, each.as_ref()),
            (Some(config), false) => {
                requirements::in_root(unit, from, &config.body, (each.as_ref(), repeats.as_ref()))
            }
        };
        let items = if items.trim().is_empty() { String::new() } else { line_end(items) };
        let items = items.trim_start_matches('\n');
        blocks.push(format!("provider {} {{\nalias = {alias}\n{items}}}", hcl::quote(kind)));
    }
    let composed = instances.iter().filter_map(|(_, each)| each.as_ref()).any(|each| each.value.is_none());
    unit.providers.insert((kind.clone(), name.clone()), instances);
    if !unit.labels.is_empty() {
        unit.out.hoisted.append(&mut blocks);
        return String::new();
    }
    unit.locals.extend(repeats.filter(|_| composed));
    blocks.join("\n\n")
}

/// A component's `providers` in one instance.
pub(super) fn handed(
    unit: &mut Unit<'_, '_, '_>,
    from: From<'_>,
    attr: &Attribute,
    (name, instance): (&Arc<str>, &Instance),
) -> Option<String> {
    let ExprKind::Object(items) = &attr.expr.kind else { return None };
    let own = In::new(from.file, attr.clone());
    let text = from.object(&attr.expr, items, |item| {
        let key = match &item.key {
            ObjectKey::Name(key) => key.text.to_string(),
            ObjectKey::Expr(key) => match &key.kind {
                ExprKind::String(text) => text.to_string(),
                _ => unit.words().text(key, (from.file, from.json), None),
            },
        };
        let place = Place { file: from.file, span: item.value.span };
        if !takes(unit, name, &key, &item.value) {
            return None;
        }
        match one(unit, &own, &item.value, (name, instance), place) {
            Ok(text) => Some(format!("{key} = {text}")),
            Err(issue) => {
                unit.fault(issue);
                None
            }
        }
    });
    (!text.trim().is_empty()).then(|| format!("providers = {{{text}}}"))
}

/// Returns true if Terraform takes what a component's module is handed. One that doesn't require the provider takes that of
/// HashiCorp by the name, and no other: a built-in one it has without being handed anything.
fn takes(unit: &Unit<'_, '_, '_>, name: &Arc<str>, key: &str, expr: &Expr) -> bool {
    let Some(child) = unit.config.child(&unit.spot.path, name) else { return true };
    let local = key.split('.').next().unwrap_or(key);
    let declared = || child.required_providers().any(|(_, attr)| *attr.name.text == *local);
    let source = named(expr).map(|(kind, _, _)| unit.module.provider_source(&kind.text)).unwrap_or_default();
    let source = source.strip_prefix("registry.terraform.io/").unwrap_or(&source);
    source == format!("hashicorp/{local}") || declared()
}

fn one(
    unit: &mut Unit<'_, '_, '_>,
    attr: &In<Attribute>,
    expr: &Expr,
    (name, instance): (&Arc<str>, &Instance),
    place: Place,
) -> Result<String, Issue> {
    let fault = |summary: &str, why: String| Issue::error(Code::Invalid, summary, why).at(place);
    let (kind, own, key) =
        named(expr).ok_or_else(|| fault("Invalid provider configuration", String::new()))?;
    let key = match key {
        None => None,
        Some(expr) => {
            let target = Target::Call(name.clone().into());
            match unit.asking.part(&unit.spot.path, &target, &instance.standing, (attr, expr)) {
                Known::Value(value) if value.as_str().is_some() => value.as_str().map(Arc::<str>::from),
                known => {
                    return Err(unknown(
                        known,
                        "the key of a provider's configuration",
                        place,
                        Some(unit.asking.kept_back.touched),
                    ));
                }
            }
        }
    };
    let known = unit.providers.get(&(kind.text.clone(), own.text.clone()));
    if !known.is_some_and(|all| all.iter().any(|(own, _)| *own == key)) {
        let key = key.map(|key| format!("[{}]", hcl::quote(&key))).unwrap_or_default();
        let why = format!("There is no instance provider.{}.{}{key}.", kind.text, own.text);
        return Err(fault("Reference to undeclared provider configuration", why));
    }
    Ok(format!("{}.{}", kind.text, names::alias(&own.text, key.as_deref())))
}

/// The type, the name and the key in `provider.TYPE.NAME[KEY]`.
fn named(expr: &Expr) -> Option<(&Ident, &Ident, Option<&Expr>)> {
    match &expr.kind {
        ExprKind::Paren(inner) => named(inner),
        ExprKind::Template(template) => match template.parts.as_slice() {
            [TemplatePart::Interpolation(inner, _)] => named(inner),
            _ => None,
        },
        ExprKind::Index(base, key) => named(base).map(|(kind, name, _)| (kind, name, Some(&**key))),
        ExprKind::GetAttr(base, name) => match &base.kind {
            ExprKind::GetAttr(_, kind) => Some((kind, name, None)),
            _ => None,
        },
        _ => None,
    }
}
