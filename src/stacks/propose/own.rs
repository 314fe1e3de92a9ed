//! The Stack's own files: variables, locals, providers, outputs, and components for module calls.

use super::providers::{Handed, label};
use super::read::{Node, Root};
use super::sheet::{Sheet, source, stack_file};
use super::types;
use super::variables::{self, Declared};
use super::words::{Scope, Words};
use crate::addr::{FieldAddr, FieldPath, ModulePath, Target};
use crate::config::{Call, In, Local, Output, module_source, paths};
use crate::issue::{Code, Issue};
use crate::stacks::items::{From, laid_out};
use crate::stacks::print;
use crate::syntax::{Attribute, Block, ExprKind, Item};
use crate::text::{SourceId, Span};
use crate::trace::site::FieldSite;
use crate::trace::{Known, Tracer};
use crate::value::{Type, hcl};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The file of the components that the proposal adds.
const ADDED: &str = "components";

/// Returns the file of a block as a source to copy from.
pub(super) fn from<'s>(root: &'s Root<'_>, block: &In<Block>) -> From<'s> {
    From { sources: &root.config.sources, file: block.file, json: false }
}

/// Writes variables, providers, and components for module calls.
pub(super) fn written(
    words: &mut Words<'_, '_>,
    sheet: &mut Sheet<'_, '_>,
    declared: &Declared,
    depth: usize,
) {
    let root = words.root;
    for variable in root.module.variables.values() {
        let block = &variable.decl.block;
        let text = variables::in_stack(from(root, block), block, &variable.name, declared);
        add(sheet, block, &text);
    }
    for provider in &root.module.providers {
        let block = &provider.decl.block;
        let config = items(words, from(root, block), block, &["alias", "version"]);
        let config = match config.trim() {
            "" => String::new(),
            config => format!("config {{\n{config}\n}}\n"),
        };
        let own = label(root, &provider.name, provider.alias.as_ref());
        let name = hcl::quote(&provider.name);
        add(sheet, block, &format!("provider {name} {} {{\n{config}}}", hcl::quote(&own)));
    }
    for call in root.module.calls.values().filter(|call| !root.kept.contains_key(&call.name)) {
        let text = component(words, call, depth);
        add(sheet, &call.decl.block, &text);
    }
}

fn add(sheet: &mut Sheet<'_, '_>, block: &In<Block>, text: &str) {
    let path = stack_file(&sheet.stem(block.file));
    sheet.block(path, block.file, block.span, text);
}

/// Returns the items of a block, without the arguments named in `but`.
fn items(words: &mut Words<'_, '_>, from: From<'_>, block: &Block, but: &[&str]) -> String {
    from.block(block, |item| match item {
        Item::Attribute(attr) if but.contains(&&*attr.name.text) => None,
        Item::Attribute(attr) => Some(argument(words, from, attr)),
        Item::Block(inner) => Some(from.copied(inner, &mut |attr| Some(argument(words, from, attr)))),
    })
}

fn argument(words: &mut Words<'_, '_>, from: From<'_>, attr: &Attribute) -> String {
    format!("{} = {}", attr.name.text, words.text(&attr.expr, from.file, Scope::Stack))
}

fn component(words: &mut Words<'_, '_>, call: &Call, depth: usize) -> String {
    let root = words.root;
    let block = &call.decl.block;
    let from = from(root, block);
    let text = call.source_text().unwrap_or_default();
    let text = match module_source::is_local(text) {
        true => source(&paths::join(&root.module.dir, text), depth),
        false => text.to_owned(),
    };
    let mut out = format!("component {} {{\nsource = {}\n", hcl::quote(&call.name), hcl::quote(&text));
    if let Some(version) = &call.version {
        out.push_str(&format!("version = {}\n", words.text(&version.expr, version.file, Scope::Stack)));
    }
    if let Some(for_each) = &call.for_each {
        out.push_str(&format!("for_each = {}\n", words.text(&for_each.expr, for_each.file, Scope::Stack)));
    }
    let inputs = from.block(block, |item| match item {
        Item::Attribute(attr) if call.arg(&attr.name.text).is_some() => Some(argument(words, from, attr)),
        _ => None,
    });
    let handed = words.levels.providers.get(&Node::Call(call.name.clone())).cloned().unwrap_or_default();
    let after = call.depends_on.as_ref().and_then(|attr| words.after(attr, attr.file, Scope::Stack));
    closed(out, inputs.trim(), &handed_over(root, &handed), after)
}

/// Returns a component's block, which begins with `out`.
fn closed(mut out: String, inputs: &str, providers: &str, after: Option<String>) -> String {
    if !inputs.is_empty() {
        out.push_str(&format!("\ninputs = {{\n{inputs}\n}}\n"));
    }
    out.push_str(providers);
    out.extend(after.map(|text| format!("\n{text}\n")));
    out + "}"
}

/// Returns the `providers` argument of a component.
pub(super) fn handed_over(root: &Root<'_>, handed: &[Handed]) -> String {
    let one =
        |h: &Handed| format!("{} = provider.{}.{}\n", h.key, h.name, label(root, &h.name, h.alias.as_ref()));
    let lines: BTreeSet<String> = handed.iter().map(one).collect();
    match lines.is_empty() {
        true => String::new(),
        false => format!("\nproviders = {{\n{}}}\n", lines.into_iter().collect::<String>()),
    }
}

/// Writes the outputs, with their types.
pub(super) fn outputs(
    words: &mut Words<'_, '_>,
    sheet: &mut Sheet<'_, '_>,
    tracers: &mut [Tracer<'_>],
    issues: &mut Vec<Issue>,
) {
    let root = words.root;
    for output in root.module.outputs.values() {
        let Some(value) = &output.value else { continue };
        let block = &output.decl.block;
        let from = from(root, block);
        let ty = type_of(root, output, value, tracers);
        if let Ok((_, true)) = &ty {
            let summary = format!("The type of output.{} is presumed", output.name);
            let why = "Attributes of this name are strings nearly everywhere, and the provider's schema alone says it.";
            issues.push(Issue::warning(Code::Unsupported, summary, why).at(output.decl.place()));
        }
        let shown = ty.as_ref().map_or("…".to_owned(), |(ty, _)| types::text(ty));
        let mut body = format!("type = {shown}\n");
        body.push_str(
            from.block(block, |item| match item {
                Item::Attribute(attr) => match &*attr.name.text {
                    "value" => Some(argument(words, from, attr)),
                    "description" | "sensitive" | "ephemeral" => Some(from.raw(attr.span).to_owned()),
                    _ => None,
                },
                Item::Block(_) => None,
            })
            .trim(),
        );
        let text = format!("output {} {{\n{body}\n}}", hcl::quote(&output.name));
        match ty {
            Ok(_) => add(sheet, block, &text),
            Err(why) => {
                let issue = Issue::warning(
                    Code::Unsupported,
                    format!("output.{} has no type here", output.name),
                    why,
                );
                issues.push(
                    issue
                        .at(output.decl.place())
                        .fix("Say it in the block, which stands there as a comment.", ""),
                );
                let text: String = laid_out(&text).lines().map(|line| format!("# {line}\n")).collect();
                add(sheet, block, &text);
            }
        }
    }
}

/// Returns the type of an output, and true if the type is a guess.
fn type_of(
    root: &Root<'_>,
    output: &Output,
    value: &In<Attribute>,
    tracers: &mut [Tracer<'_>],
) -> Result<(Type, bool), &'static str> {
    let mut known = Vec::new();
    let mut open = false;
    for tracer in tracers {
        match value_of(tracer, output, value) {
            Some(Known::Value(value)) if value.is_null() && value.ty == Type::Dynamic => {}
            Some(Known::Value(value)) => known.push(value.ty),
            _ => open = true,
        }
    }
    let told = types::of(root, &value.expr, value.file);
    let presumed = open && told.as_ref().is_some_and(|(_, presumed)| *presumed);
    match told {
        Some((ty, _)) if open => known.push(ty),
        None if open => {
            return Err("Its value comes with an apply, and nothing here says of which type it is.");
        }
        _ => {}
    }
    let ty = types::common(&known).ok_or("It has another type in each environment.")?;
    types::writable(&ty).map(|ty| (ty, presumed)).ok_or("Its value doesn't say of which type it is.")
}

fn value_of(tracer: &mut Tracer<'_>, output: &Output, value: &In<Attribute>) -> Option<Known> {
    let standing = tracer.module_standings(&ModulePath::ROOT).ok()?.into_iter().next()?;
    let target = Target::Output(output.name.clone());
    let addr = FieldAddr { module: ModulePath::ROOT, target, path: FieldPath(vec!["value".into()]) };
    let site = FieldSite::new(value.clone(), value.value_place(), Vec::new());
    tracer.known(&addr, &site, &standing).into_iter().next().map(|(_, known)| known)
}

/// Writes the locals that the Stack's expressions need, and those that nothing uses.
pub(super) fn locals(words: &mut Words<'_, '_>, sheet: &mut Sheet<'_, '_>) {
    let root = words.root;
    // Terraform evaluates what nothing needs, too.
    for name in root.module.locals.keys().filter(|name| !root.is_inner_local(name)) {
        if !words.inner.values().any(|inner| inner.locals.contains(name)) {
            words.locals.insert(name.clone());
        }
    }
    let done = all_locals(words, Scope::Stack, &mut |words| words.locals.clone());
    for (file, block, text) in in_blocks(root, sheet, &done) {
        let path = stack_file(&sheet.stem(file));
        sheet.block(path, file, block, &text);
    }
}

/// Returns the texts of the locals that `wanted` names. The text of one may lead to others.
pub(super) fn all_locals(
    words: &mut Words<'_, '_>,
    scope: Scope,
    wanted: &mut dyn FnMut(&mut Words<'_, '_>) -> BTreeSet<Arc<str>>,
) -> BTreeMap<Arc<str>, String> {
    let locals = &words.root.module.locals;
    let mut done: BTreeMap<Arc<str>, String> = BTreeMap::new();
    loop {
        let names = wanted(words);
        let open = names.iter().filter(|name| !done.contains_key(*name)).filter_map(|name| locals.get(name));
        let open: Vec<&Local> = open.collect();
        if open.is_empty() {
            return done;
        }
        for local in open {
            done.insert(local.name.clone(), words.text(&local.attr.expr, local.attr.file, scope));
        }
    }
}

/// Returns the text of the locals, grouped into blocks as in the root module.
pub(super) fn in_blocks(
    root: &Root<'_>,
    sheet: &Sheet<'_, '_>,
    texts: &BTreeMap<Arc<str>, String>,
) -> Vec<(SourceId, Span, String)> {
    let mut blocks: BTreeMap<(SourceId, Span), Vec<(u32, String)>> = BTreeMap::new();
    for (name, text) in texts {
        let Some(local) = root.module.locals.get(name) else { continue };
        let comment = sheet.comment(local.attr.file, local.attr.span);
        let own = blocks.entry((local.decl.block.file, local.decl.block.span)).or_default();
        own.push((local.attr.span.start, format!("{comment}{name} = {}\n", text.trim_end())));
    }
    let one = |((file, span), mut lines): ((_, _), Vec<(u32, String)>)| {
        lines.sort();
        let lines: String = lines.into_iter().map(|(_, line)| line).collect();
        (file, span, format!("locals {{\n{lines}}}"))
    };
    blocks.into_iter().map(one).collect()
}

/// Writes `required_providers`, and an empty configuration for each provider that the root module uses without configuring it.
pub(super) fn providers(words: &mut Words<'_, '_>, sheet: &mut Sheet<'_, '_>) {
    let root = words.root;
    let mut names: BTreeMap<Arc<str>, String> = BTreeMap::new();
    let mut plain: BTreeSet<Arc<str>> = BTreeSet::new();
    for handed in words.levels.providers.values().flatten() {
        names.insert(handed.name.clone(), handed.source.clone());
        if handed.alias.is_none() {
            plain.insert(handed.name.clone());
        }
    }
    for provider in &root.module.providers {
        let source = super::providers::source(root.module, &provider.name);
        names.entry(provider.name.clone()).or_insert(source);
    }
    let lines: String = names
        .iter()
        .map(|(name, source)| format!("{name} = {}\n", requirement(root, name, source, &[])))
        .collect();
    let mut text = match lines.is_empty() {
        true => String::new(),
        false => format!("required_providers {{\n{lines}}}"),
    };
    for name in plain {
        if !root.module.providers.iter().any(|p| p.name == name && p.alias.is_none()) {
            let own = label(root, &name, None);
            text.push_str(&format!("\n\nprovider {} {} {{}}", hcl::quote(&name), hcl::quote(&own)));
        }
    }
    sheet.add(stack_file("providers"), text);
}

/// Returns a provider's entry in `required_providers`.
pub(super) fn requirement(root: &Root<'_>, name: &str, source: &str, aliases: &[String]) -> String {
    let said = root.module.required_providers().find(|(_, attr)| *attr.name.text == *name);
    let mut lines = vec![format!("source = {}", hcl::quote(source))];
    match said.map(|(_, attr)| &attr.expr.kind) {
        Some(ExprKind::String(version)) => lines.push(format!("version = {}", hcl::quote(version))),
        Some(ExprKind::Object(items)) => {
            let version = items.iter().find(|item| print::key(&item.key) == "version");
            lines.extend(version.map(|item| format!("version = {}", print::text(&item.value))));
        }
        _ => {}
    }
    if !aliases.is_empty() {
        lines.push(format!("configuration_aliases = [{}]", aliases.join(", ")));
    }
    format!("{{\n{}\n}}", lines.join("\n"))
}

/// Adds a component for parts of the root module that aren't module calls.
pub(super) fn added(words: &Words<'_, '_>, sheet: &mut Sheet<'_, '_>, at: usize, handed: &[Handed]) {
    let root = words.root;
    let name = words.levels.name(at);
    let mut inputs: BTreeMap<String, String> = BTreeMap::new();
    let mut after = Vec::new();
    if let Some(inner) = words.inner.get(&at) {
        inputs.extend(inner.variables.iter().map(|v| (v.to_string(), format!("var.{v}"))));
        inputs.extend(inner.passed.iter().map(|(given, name)| (name.clone(), given.clone())));
        after.extend(inner.after.iter().cloned());
    }
    let out = format!("component {} {{\nsource = \"./{name}\"\n", hcl::quote(name));
    let inputs: Vec<String> = inputs.iter().map(|(name, given)| format!("{name} = {given}")).collect();
    let after = (!after.is_empty()).then(|| format!("depends_on = [{}]", after.join(", ")));
    sheet.add(stack_file(ADDED), closed(out, &inputs.join("\n"), &handed_over(root, handed), after));
}
