//! The texts, numbers and keys that are written out in secrets, or that environments give to them, by which words are known to quote one.
//!
//! In: a configuration, its secrets, and where values are written out that are none to be shown. Out: constants of these that stand nowhere else, beside something plain, and are
//! the name of nothing. Absent on purpose: the words.

use super::super::every_field;
use super::constants::{add_constants, add_parts};
use super::found::Secrets;
use super::places::Places;
use super::plain::PlainTexts;
use super::route::Route;
use super::settings::add_given_by_settings;
use super::touched::NAMED;
use crate::addr::{ModulePath, Target};
use crate::config::Config;
use crate::config::phi::PhiConfig;
use crate::pipeline::field::Field;
use crate::syntax::walk::walk;
use crate::syntax::{Expr, ExprKind, SplatStep, parse_expr};
use crate::text::{Place, SecretTexts, SourceId};
use crate::value::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Finds them. `written`: where secrets are written out. `given`: the values of root variables in environments, by name.
pub fn told_texts(
    config: &Config,
    secrets: &Secrets,
    written: &[Place],
    phi: &PhiConfig,
    given: &[(&str, Value)],
) -> SecretTexts {
    let fields = every_field::all(config);
    let mut found = BTreeSet::new();
    for place in written {
        let text = config.sources.slice(*place);
        match parse_expr(text).or_else(|_| parse_expr(&format!("{text}\n"))) {
            Ok(expr) => add_constants(&expr, &mut found),
            Err(_) => drop(found.insert(Arc::from(text))),
        }
    }
    let unlisted = every_field::unlisted(config);
    let is_named = |field: &&Field| crate::config::is_secret_field(config, &field.addr);
    for field in fields.iter().chain(&unlisted).filter(is_named) {
        add_constants(&field.site.attr.expr, &mut found);
    }
    let is_hidden = |name: &str| is_hidden(config, secrets, name);
    // What is given to a variable that isn't declared goes nowhere.
    let of_secrets = given.iter().filter(|(name, _)| is_declared(config, name) && is_hidden(name));
    of_secrets.for_each(|(_, value)| add_parts(value, &mut found));
    add_given_by_settings(config, phi, &is_hidden, &mut found);
    if found.is_empty() {
        return SecretTexts::default();
    }
    let plain = plain_of(config, secrets, (written, &fields), phi, given);
    SecretTexts::new(found.iter().filter(|text| !plain.has_text(text)).map(|text| &**text), plain.all())
}

/// The texts that stand in a tree beside something plain, or are the name of something. The arguments are those of [`told_texts`].
pub fn plain_texts(
    config: &Config,
    secrets: &Secrets,
    written: &[Place],
    phi: &PhiConfig,
    given: &[(&str, Value)],
) -> PlainTexts {
    plain_of(config, secrets, (written, &every_field::all(config)), phi, given)
}

/// Returns true if a root variable holds a secret, or isn't declared.
fn is_hidden(config: &Config, secrets: &Secrets, name: &str) -> bool {
    let declared = config.root().and_then(|module| module.variables.get(name));
    declared.is_none_or(|v| v.is_hidden() || secrets.has_variable(&ModulePath::ROOT, &v.name))
}

fn is_declared(config: &Config, name: &str) -> bool {
    config.root().is_some_and(|module| module.variables.contains_key(name))
}

fn plain_of(
    config: &Config,
    secrets: &Secrets,
    (written, fields): (&[Place], &[Field]),
    phi: &PhiConfig,
    given: &[(&str, Value)],
) -> PlainTexts {
    let mut plain = PlainTexts::default();
    let is_shown = |name: &str| is_declared(config, name) && !is_hidden(config, secrets, name);
    given.iter().filter(|(name, _)| is_shown(name)).for_each(|(_, value)| plain.add_value(value));
    let places: Places = written.iter().copied().collect();
    let mut add = |file: SourceId, expr: &Expr| {
        plain.add_unless(expr, &|inner| places.hold(Place { file, span: inner.span }));
    };
    for field in fields.iter().filter(|field| !secrets.hides(config, &field.addr)) {
        add(field.site.attr.file, &field.site.attr.expr);
    }
    for (path, id) in &config.paths {
        let Some(module) = config.module(*id) else { continue };
        for local in module.locals.values() {
            if !secrets.holds(path, &Target::Local(local.name.clone()), &Route::new()) {
                add(local.attr.file, &local.attr.expr);
            }
        }
        for variable in module.variables.values() {
            if let Some(ty) = &variable.type_attr {
                add(ty.file, &ty.expr);
            }
            if let Some(default) = &variable.default
                && !variable.is_hidden()
                && !secrets.has_variable(path, &variable.name)
            {
                add(default.file, &default.expr);
            }
        }
    }
    fields.iter().for_each(|field| add_members(&field.site.attr.expr, &mut plain));
    let locals = config.modules.iter().flat_map(|module| module.locals.values());
    locals.for_each(|local| add_members(&local.attr.expr, &mut plain));
    add_names(config, phi, fields, &mut plain);
    plain
}

/// Adds the names of members by which an expression takes apart what it iterates over: they say how an object is made, and are no keys of a map.
fn add_members(expr: &Expr, plain: &mut PlainTexts) {
    walk(expr, &mut |inner| {
        match &inner.kind {
            ExprKind::GetAttr(source, name) if is_of_iteration(source) => plain.add_text(&name.text),
            ExprKind::Splat(splat) => {
                for step in &splat.each {
                    if let SplatStep::Attr(name) = step {
                        plain.add_text(&name.text);
                    }
                }
            }
            _ => {}
        }
        true
    });
}

/// Returns true for something that an iteration gives a name, or a part of it.
fn is_of_iteration(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(root) => !NAMED.contains(&&**root) && &**root != "data",
        ExprKind::GetAttr(source, _) | ExprKind::Index(source, _) | ExprKind::LegacyIndex(source, _) => {
            is_of_iteration(source)
        }
        _ => false,
    }
}

/// What things are called in a tree.
pub fn name_texts(config: &Config, phi: &PhiConfig) -> PlainTexts {
    let mut names = PlainTexts::default();
    add_names(config, phi, &every_field::all(config), &mut names);
    names
}

/// Adds what things are called: names are no secrets, though one may read like them.
fn add_names(config: &Config, phi: &PhiConfig, fields: &[Field], plain: &mut PlainTexts) {
    for field in fields {
        field.addr.path.0.iter().for_each(|name| plain.add_text(name));
        plain.add_text(&field.addr.to_string());
    }
    for (_, file) in config.sources.iter().filter(|(_, file)| !file.path.to_string_lossy().starts_with('<')) {
        plain.add_text(&file.path.to_string_lossy());
        file.path.iter().for_each(|part| plain.add_text(&part.to_string_lossy()));
    }
    config.paths.keys().for_each(|path| plain.add_text(&path.to_string()));
    for module in &config.modules {
        for resource in module.every_resource().map(|resource| &resource.addr) {
            plain.add_text(&resource.to_string());
            [&resource.kind, &resource.name].into_iter().for_each(|name| plain.add_text(name));
        }
        let names = module.variables.keys().chain(module.locals.keys()).chain(module.outputs.keys());
        names.chain(module.calls.keys()).for_each(|name| plain.add_text(name));
    }
    for function in crate::func::all() {
        plain.add_text(function.name);
    }
    for environment in &phi.environments {
        plain.add_text(&environment.name);
    }
}
