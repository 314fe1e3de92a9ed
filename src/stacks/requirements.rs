//! Provider requirements of the modules, and the provider configurations of embedded Stacks, which the root module passes down.
//!
//! The root module holds all configurations, so that an object whose component was removed still has its provider. The module of an
//! embedded Stack declares the configurations that it is passed: its own and those of Stacks within it. Invariant: a configuration
//! has the Stack's expressions, with the passed values in place of its variables.

use super::exports::{RootExpr, files};
use super::items::{From, header};
use super::root_expr::root_expr;
use super::unit::{Instance, Need, Unit};
use super::words::Each;
use super::{names, print};
use crate::config::{Call, In, Module};
use crate::issue::{Code, Issue};
use crate::syntax::{Attribute, Block, Body, ExprKind, Item};
use crate::text::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Returns the provider configurations that the module of an embedded Stack is passed.
pub(super) fn all(unit: &Unit<'_, '_, '_>) -> Vec<Need> {
    let own = unit.providers.iter().flat_map(|((kind, name), instances)| {
        let requirement = requirement(unit, kind);
        instances.iter().map(move |(key, _)| Need {
            kind: kind.clone(),
            requirement: requirement.clone(),
            way: vec![names::alias(name, key.as_deref())],
        })
    });
    own.chain(unit.needs.iter().cloned()).collect()
}

/// Returns the Stack's entry for a provider in `required_providers`, or an empty text.
fn requirement(unit: &Unit<'_, '_, '_>, kind: &str) -> String {
    let found = unit.module.files.iter().find_map(|entry| {
        let attr = entry.body.blocks_of("required_providers").find_map(|b| b.body.attribute(kind))?;
        let ExprKind::Object(items) = &attr.expr.kind else { return None };
        let text = |item: &crate::syntax::ObjectItem| {
            format!("{} = {}", print::key(&item.key), print::text(&item.value))
        };
        Some(items.iter().map(text).collect::<Vec<_>>().join("\n"))
    });
    found.unwrap_or_default()
}

/// Returns the `providers` argument for the call of an embedded Stack, on lines of its own.
pub(super) fn handed(unit: &Unit<'_, '_, '_>, label: &str) -> String {
    let one = |need: &Need| {
        let below = Need { way: need.way.iter().skip(1).cloned().collect(), ..need.clone() };
        format!("{} = {}", below.alias(), need.alias())
    };
    let lines: Vec<String> =
        unit.needs.iter().filter(|n| n.way.first().is_some_and(|w| w == label)).map(one).collect();
    if lines.is_empty() { String::new() } else { format!("\nproviders = {{\n{}\n}}\n", lines.join("\n")) }
}

/// Returns each provider's requirement and the aliases that the module is passed, by local name. The root module is passed none.
fn aliases(unit: &Unit<'_, '_, '_>) -> BTreeMap<Arc<str>, (String, Vec<String>)> {
    let mut out: BTreeMap<Arc<str>, (String, Vec<String>)> = BTreeMap::new();
    for need in all(unit) {
        let own = out.entry(need.kind.clone()).or_insert_with(|| (need.requirement.clone(), Vec::new()));
        if !unit.labels.is_empty() {
            own.1.push(need.alias());
        }
    }
    out
}

/// Returns the `required_providers` block.
pub(super) fn written(unit: &mut Unit<'_, '_, '_>, from: From<'_>, block: &Block) -> String {
    let aliases = aliases(unit);
    let body = from.block(block, |item| match item {
        Item::Attribute(attr) => Some(match (&attr.expr.kind, aliases.get(&attr.name.text)) {
            (ExprKind::Object(items), Some((_, handed))) if !handed.is_empty() => {
                let item = |item: &crate::syntax::ObjectItem| {
                    let text = unit.words().text(&item.value, (from.file, from.json), None);
                    Some(format!("{} = {text}", print::key(&item.key)))
                };
                let own = from.object(&attr.expr, items, item);
                format!("{} = {{{}\n{}\n}}", attr.name.text, own.trim_end(), listed(handed))
            }
            _ => unit.argument(from, attr, None),
        }),
        Item::Block(_) => None,
    });
    let declared: BTreeSet<&str> = block.body.attributes().map(|a| &*a.name.text).collect();
    let more: String = entries(&aliases, &declared).iter().map(|text| format!("\n{text}\n")).collect();
    format!("terraform {{\nrequired_providers {{{}{more}}}\n}}", super::unit::line_end(body))
}

fn listed(handed: &[String]) -> String {
    format!("configuration_aliases = [{}]", handed.join(", "))
}

/// Returns the entries of `required_providers` for all providers but those in `but`.
fn entries(aliases: &BTreeMap<Arc<str>, (String, Vec<String>)>, but: &BTreeSet<&str>) -> Vec<String> {
    let rest = aliases.iter().filter(|(kind, _)| !but.contains(&***kind));
    let one = |(kind, (requirement, handed)): (&Arc<str>, &(String, Vec<String>))| {
        let handed = if handed.is_empty() { String::new() } else { format!("{}\n", listed(handed)) };
        format!("{kind} = {{\n{requirement}\n{handed}}}")
    };
    rest.map(one).collect()
}

/// Writes a `required_providers` block if the Stack has none, and in the root module the configurations and outputs of embedded
/// Stacks.
pub(super) fn remaining(unit: &mut Unit<'_, '_, '_>) {
    let has_block = unit.module.files.iter().any(|f| f.body.blocks_of("required_providers").next().is_some());
    let mut blocks = Vec::new();
    let entries = entries(&aliases(unit), &BTreeSet::new());
    if !has_block && !entries.is_empty() {
        blocks.push(format!("terraform {{\nrequired_providers {{\n{}\n}}\n}}", entries.join("\n")));
    }
    if unit.labels.is_empty() {
        blocks.append(&mut unit.out.hoisted);
        let outputs = files(&unit.out.exports, unit.head);
        unit.out.files.extend(outputs);
    }
    if !blocks.is_empty() {
        let text = format!("# {} its embedded Stacks.\n\n{}\n", unit.head, blocks.join("\n\n"));
        let path = unit.path("phi_providers.tf");
        unit.out.files.insert(path, super::items::laid_out(&text));
    }
}

/// Returns the values of an embedded Stack's variables as expressions of the root module. A value that the root module can't express
/// is left out. The map is empty if the Stack configures no provider.
pub(super) fn passed(
    unit: &mut Unit<'_, '_, '_>,
    (name, call): (&Arc<str>, &Call),
    module: &Module,
    instance: &Instance,
) -> BTreeMap<Arc<str>, RootExpr> {
    if !unit.config.configures_providers(&unit.spot.path.child(name.clone())) {
        return BTreeMap::new();
    }
    let mut out = BTreeMap::new();
    for variable in module.variables.values() {
        let text = match (call.arg(&variable.name), &variable.default) {
            (Some(arg), _) => own_text(unit, arg, instance.each.as_ref()),
            (None, Some(default)) => own_text(unit, default, None),
            (None, None) => continue,
        };
        out.extend(text.map(|text| (variable.name.clone(), text)));
    }
    out
}

fn own_text(unit: &Unit<'_, '_, '_>, attr: &In<Attribute>, each: Option<&Each>) -> Option<RootExpr> {
    let json = unit.config.modules.iter().flat_map(|m| &m.files).any(|f| f.source == attr.file && f.json);
    let text = unit.words().text(&attr.expr, (attr.file, json), each);
    root_expr(unit, &text, None)
}

/// Returns the items of a provider configuration as expressions of the root module. `repeats` is the local for its `for_each`, with
/// the expression of that local.
pub(super) fn in_root(
    unit: &mut Unit<'_, '_, '_>,
    from: From<'_>,
    own: &Body,
    (each, repeats): (Option<&Each>, Option<&(String, String)>),
) -> String {
    let mut out = String::new();
    for item in &own.items {
        match item {
            Item::Attribute(attr) => {
                let text = unit.words().text(&attr.expr, (from.file, from.json), each);
                match root_expr(unit, &text, repeats) {
                    Some(new) => {
                        new.exports.iter().for_each(|export| export.add_to(&mut unit.out.exports));
                        out.push_str(&format!("{} = {}\n", attr.name.text, new.text.trim_end()));
                    }
                    None => unit.fault(not_in_root(Place { file: from.file, span: attr.expr.span })),
                }
            }
            Item::Block(inner) => {
                let body = in_root(unit, from, &inner.body, (each, repeats));
                out.push_str(&format!("{} {{\n{body}}}\n", header(inner)));
            }
        }
    }
    out
}

fn not_in_root(place: Place) -> Issue {
    let why = "A root module configures the providers of embedded Stacks itself, and there is no expression for this value in it.";
    let issue = Issue::error(
        Code::Unsupported,
        "A provider of an embedded Stack can't be configured in a root module",
        why,
    );
    issue.at(place).fix("Configure the provider in the Stack at the top, and pass what it needs.", "")
}
