//! The modules of the components that are added: resources, data sources, checks, and calls that can't be components.

use super::levels::nodes;
use super::own::{self, all_locals, from, in_blocks, requirement};
use super::providers::Handed;
use super::read::{Node, Root, arguments};
use super::sheet::{Sheet, source};
use super::variables;
use super::words::{Scope, Words};
use crate::config::{In, module_source, paths};
use crate::stacks::items::{From, header};
use crate::syntax::{Attribute, Block, Item};
use crate::value::hcl;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments whose value is a reference and no value.
const STATIC: [&str; 4] = ["provider", "providers", "ignore_changes", "replace_triggered_by"];

/// Writes everything that stands in their modules but what is handed in and out.
pub(super) fn written(words: &mut Words<'_, '_>, sheet: &mut Sheet<'_, '_>, depth: usize) {
    let root = words.root;
    for node in nodes(root) {
        let Some(at) = words.levels.at(&node) else { continue };
        // Each of them has a module, even one that takes and gives nothing.
        words.of(at);
        let Some(block) = root.decl(&node).map(|decl| &decl.block) else { continue };
        let text = copied(words, from(root, block), block, Scope::Inner(at), Some(depth));
        let path = file(words, at, &sheet.stem(block.file));
        sheet.block(path, block.file, block.span, &text);
    }
    computed(words, sheet);
    let count = words.levels.names.len();
    (0..count).for_each(|at| locals(words, sheet, at));
}

fn file(words: &Words<'_, '_>, at: usize, stem: &str) -> PathBuf {
    format!("{}/{stem}.tf", words.levels.name(at)).into()
}

/// A block as it stands, in which names are what they are there. `depth` is that of a call's block itself.
fn copied(
    words: &mut Words<'_, '_>,
    from: From<'_>,
    block: &Block,
    scope: Scope,
    depth: Option<usize>,
) -> String {
    let is_call = &*block.kind.text == "module";
    let items = from.block(block, |item| match item {
        Item::Attribute(attr) => match (&*attr.name.text, depth) {
            ("source", Some(depth)) if is_call => {
                let text = from.raw(attr.expr.span).trim_matches('"');
                let own = paths::join(&words.root.module.dir, text);
                let text = if module_source::is_local(text) {
                    source(&own, depth.saturating_add(1))
                } else {
                    text.to_owned()
                };
                Some(format!("source = {}", hcl::quote(&text)))
            }
            ("depends_on", Some(_)) => words.after(attr, from.file, scope),
            _ => Some(argument(words, from, attr, scope)),
        },
        Item::Block(inner) => Some(from.copied(inner, &mut |attr| Some(argument(words, from, attr, scope)))),
    });
    format!("{} {{{items}}}", header(block))
}

fn argument(words: &mut Words<'_, '_>, from: From<'_>, attr: &Attribute, scope: Scope) -> String {
    let name = &*attr.name.text;
    match STATIC.contains(&name) {
        true => format!("{name} = {}", from.raw(attr.expr.span)),
        false => format!("{name} = {}", words.within(&attr.expr, from.file, scope)),
    }
}

/// Writes arguments and outputs that a component's module computes for the Stack.
fn computed(words: &mut Words<'_, '_>, sheet: &mut Sheet<'_, '_>) {
    let root = words.root;
    for (name, expr) in root.parts.values() {
        let Some(at) = words.levels.at(&Node::Part(name.clone())) else { continue };
        let text = words.within(expr, expr.file, Scope::Inner(at));
        let path = file(words, at, "outputs");
        sheet.add(path, format!("output {} {{\nvalue = {text}\n}}", hcl::quote(name)));
    }
}

/// Writes the locals of one module.
fn locals(words: &mut Words<'_, '_>, sheet: &mut Sheet<'_, '_>, at: usize) {
    let root = words.root;
    let own = |name: &&Arc<str>| words.levels.at(&Node::Local((*name).clone())) == Some(at);
    let own: BTreeSet<Arc<str>> = root.module.locals.keys().filter(own).cloned().collect();
    let done = all_locals(words, Scope::Inner(at), &mut |words| {
        checks(words, at);
        own.union(&words.of(at).locals).cloned().collect()
    });
    for (source, block, text) in in_blocks(root, sheet, &done) {
        let path = file(words, at, &sheet.stem(source));
        sheet.block(path, source, block, &text);
    }
}

/// Notes the validations of a module's variables that the Stack can't have, where all that they ask for is there.
fn checks(words: &mut Words<'_, '_>, at: usize) {
    let root = words.root;
    let inner = words.of(at);
    let open: Vec<Arc<str>> =
        inner.variables.iter().filter(|name| !inner.checks.contains_key(*name)).cloned().collect();
    for name in open {
        let mut texts = Vec::new();
        if let Some(variable) = root.module.variables.get(&name) {
            let block = &variable.decl.block;
            let from = from(root, block);
            for inner in variables::further(from, block, &name) {
                let own = In::new(block.file, inner.clone());
                let mut nodes =
                    arguments(&own).into_iter().flat_map(|attr| root.within(&attr.expr, attr.file));
                if nodes.all(|node| words.levels.at(&node) == Some(at)) {
                    texts.push(copied(words, from, inner, Scope::Inner(at), None));
                }
            }
        }
        words.of(at).checks.insert(name, texts);
    }
}

/// Writes what each module takes, gives and requires, and its component.
pub(super) fn declared(words: &mut Words<'_, '_>, sheet: &mut Sheet<'_, '_>) {
    let root = words.root;
    for at in 0..words.levels.names.len() {
        let inner = words.inner.entry(at).or_default();
        let names: Vec<Arc<str>> = inner.variables.iter().cloned().collect();
        let passed: Vec<String> = inner.passed.values().cloned().collect();
        let outputs: Vec<(String, String)> =
            inner.outputs.iter().map(|(v, n)| (n.clone(), v.clone())).collect();
        for name in names {
            let Some(variable) = root.module.variables.get(&name) else {
                let text = format!("variable {} {{\ntype = string\n}}", hcl::quote(&name));
                sheet.add(file(words, at, "variables"), text);
                continue;
            };
            let block = &variable.decl.block;
            let path = file(words, at, &sheet.stem(block.file));
            let checks = words.of(at).checks.get(&name).cloned().unwrap_or_default();
            let text = variables::in_module(from(root, block), block, &name, &checks);
            sheet.block(path, block.file, block.span, &text);
        }
        for name in passed {
            sheet.add(file(words, at, "variables"), format!("variable {} {{}}", hcl::quote(&name)));
        }
        for (name, value) in outputs {
            let text = format!("output {} {{\nvalue = {value}\n}}", hcl::quote(&name));
            sheet.add(file(words, at, "outputs"), text);
        }
        let handed = handed(words, at);
        sheet.add(file(words, at, "versions"), required(root, &handed));
        own::added(words, sheet, at, &handed);
    }
}

/// The configurations that a module takes.
fn handed(words: &Words<'_, '_>, at: usize) -> Vec<Handed> {
    let own = words.levels.providers.iter().filter(|(node, _)| words.levels.at(node) == Some(at));
    let all: BTreeSet<Handed> = own.flat_map(|(_, handed)| handed.iter().cloned()).collect();
    all.into_iter().collect()
}

fn required(root: &Root<'_>, handed: &[Handed]) -> String {
    let mut names: BTreeMap<&Arc<str>, (&str, Vec<String>)> = BTreeMap::new();
    for h in handed {
        let own = names.entry(&h.name).or_insert((&h.source, Vec::new()));
        own.1.extend(h.alias.is_some().then(|| h.key.clone()));
    }
    let one = |(name, (source, aliases)): (&&Arc<str>, &(&str, Vec<String>))| {
        format!("{name} = {}\n", requirement(root, name, source, aliases))
    };
    let lines: String = names.iter().map(one).collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("terraform {{\nrequired_providers {{\n{lines}}}\n}}")
    }
}
