//! Removes the providers that nothing needs once services have replaced the resources that needed them.
//!
//! Terraform installs what `required_providers` and `provider` blocks name, used or not, and in an air-gapped place that
//! may be impossible. Only what lost its last use by a replacement goes, and only where that is plain from the text.

use super::chosen::Chosen;
use super::replacing::Replacing;
use crate::config::{Config, Decl, In, Module, Resource};
use crate::specialise::residual::{FileEdits, replace};
use crate::specialise::unit::UnitName;
use crate::syntax::{Block, trivia};
use crate::text::{Edit, Span};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns the local names of the providers to remove.
pub(super) fn unused(r: &Replacing<'_>, chosen: &Chosen<'_>) -> BTreeSet<Arc<str>> {
    let config = r.config;
    let mut lost = BTreeSet::new();
    let mut kept = BTreeSet::new();
    for (path, id) in &config.paths {
        let Some(module) = config.module(*id) else { continue };
        let here = chosen.choices.get(path).map_or(&[][..], Vec::as_slice);
        let dropped = chosen.dropped.get(path).map_or(&[][..], Vec::as_slice);
        for resource in module.resources.values() {
            let own = UnitName::Resource(resource.addr.clone());
            let replaced = chosen.goes(path) || here.iter().any(|c| c.replaced.unit == own);
            if replaced || dropped.iter().any(|d| d.unit == own) { &mut lost } else { &mut kept }
                .insert(resource.provider_name());
        }
        if chosen.goes(path) {
            continue;
        }
        let checked = module.checks.iter().filter_map(|c| c.data.as_deref());
        kept.extend(checked.map(Resource::provider_name));
        // A module that stays as it is asks for what it asks for.
        if !chosen.changes(path) {
            kept.extend(module.required_providers().map(|(_, a)| a.name.text.clone()));
            kept.extend(module.providers.iter().map(|p| p.name.clone()));
        }
    }
    let stays: BTreeSet<_> =
        config.paths.iter().filter(|(path, _)| !chosen.goes(path)).map(|(_, id)| *id).collect();
    let modules: Vec<&Module> = config.modules.iter().filter(|m| stays.contains(&m.id)).collect();
    lost.retain(|name| !kept.contains(name) && is_plain(config, &modules, name));
    lost
}

/// Returns true if a provider is named only by its resources, its `provider` blocks and `required_providers`, none of them in JSON.
fn is_plain(config: &Config, modules: &[&Module], name: &str) -> bool {
    let begins = |decl: &Decl| {
        let address = decl.block.body.attribute("from").or(decl.block.body.attribute("to"));
        address.is_some_and(|a| {
            let roots = crate::syntax::traversal::variables(&a.expr);
            roots.iter().any(|t| *t.root.text == *"module" || t.root.text.starts_with(&format!("{name}_")))
        })
    };
    modules.iter().all(|module| {
        let passed = module.calls.values().any(|c| {
            c.providers.as_ref().is_some_and(|p| {
                config
                    .sources
                    .slice(p.value_place())
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .any(|w| w == name)
            })
        });
        let json = module.files.iter().any(|f| f.json)
            || module.providers.iter().any(|p| &*p.name == name && !p.decl.overrides.is_empty());
        let function = module.files.iter().any(|f| {
            config.sources.get(f.source).is_some_and(|s| s.text.contains(&format!("provider::{name}::")))
        });
        let moved = module.removed.iter().chain(&module.imports).any(begins);
        !passed && !json && !function && !moved && module.others.is_empty()
    })
}

/// Removes these providers from a module.
pub(super) fn edits(config: &Config, module: &Module, names: &BTreeSet<Arc<str>>, edits: &mut FileEdits) {
    for decl in &module.terraform {
        let goes = |b: &Block| b.body.attributes().all(|a| names.contains(&a.name.text));
        let empty: Vec<&Arc<Block>> = decl
            .block
            .body
            .blocks_of("required_providers")
            .filter(|b| !b.body.items.is_empty() && goes(b))
            .collect();
        if !empty.is_empty() && empty.len() == decl.block.body.items.len() {
            block_edit(config, &decl.block, edits);
            continue;
        }
        for block in empty {
            block_edit(config, &In::new(decl.block.file, block.clone()), edits);
        }
    }
    for (decl, attr) in module.required_providers().filter(|(_, a)| names.contains(&a.name.text)) {
        let Some(source) = config.sources.get(decl.block.file) else { continue };
        let span = trivia::item_full_lines(&source.text, attr.span);
        replace(edits.entry(decl.block.file).or_default(), Edit { span, text: String::new() });
    }
    for provider in module.providers.iter().filter(|p| names.contains(&p.name)) {
        block_edit(config, &provider.decl.block, edits);
    }
}

/// Removes a block, and a blank line behind it.
pub(super) fn block_edit(config: &Config, block: &In<Block>, edits: &mut FileEdits) {
    let Some(source) = config.sources.get(block.file) else { return };
    let span = trivia::item_full_lines(&source.text, block.span);
    let end = trivia::line_end(&source.text, span.end);
    let blank = source.text.get(span.end as usize..end as usize).is_some_and(|l| l.trim().is_empty());
    let span = if blank { Span { start: span.start, end } } else { span };
    replace(edits.entry(block.file).or_default(), Edit { span, text: String::new() });
}
