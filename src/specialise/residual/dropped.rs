//! Declarations that go: variables that carried a driven value, and what nothing uses any more.

use super::{FileEdits, Here, Writer, replace};
use crate::addr::Referent;
use crate::config::{Decl, Module};
use crate::graph::{self, Use};
use crate::specialise::decision::Node;
use crate::specialise::written::held::Held;
use crate::specialise::{fold, links};
use crate::syntax::{Block, trivia};
use crate::text::{Edit, Span};
use crate::value::{Value, hcl};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Writer<'_> {
    /// Takes out what goes from a copy.
    pub(super) fn dropped(
        &self,
        here: Here<'_>,
        node: &Node,
        uses: &[Use],
        (folded, held): (fold::Folded, &mut Held<'_>),
        edits: &mut FileEdits,
    ) {
        let module = here.module;
        for (name, value) in node.gone() {
            self.substitute((name, value), uses, held, edits);
            self.drop_variable(module, name, edits);
        }
        for (file, edit) in folded.edits {
            replace(edits.entry(file).or_default(), edit);
        }
        for decl in node.absent.decls(module) {
            self.drop_decl(decl, edits);
        }
        for output in node.unused.outputs.iter().filter_map(|name| module.outputs.get(name)) {
            self.drop_decl(&output.decl, edits);
        }
        for name in &node.unused.variables {
            self.drop_variable(module, name, edits);
        }
        if !node.unused.locals.is_empty() {
            self.drop_locals(module, &node.unused.locals, edits);
        }
    }

    /// Leaves a copy's file as the module's own where nothing but unused variables with defaults would go: whoever passes none of
    /// them needs none gone, and the text stands once.
    pub(super) fn spare(&self, module: &Module, node: &Node, edits: &mut FileEdits) {
        // A use that no text stands for would have the default.
        let uses = graph::uses(module);
        let is_left = |name: &str, value: &Value| {
            let of = |used: &Use| matches!(&used.referent, Referent::Variable(n) if **n == *name);
            hcl::to_typed_hcl(value).is_none() && uses.iter().any(of)
        };
        let left: BTreeSet<&Arc<str>> =
            node.gone().filter(|(name, value)| is_left(name, value)).map(|(name, _)| name).collect();
        for entry in module.files.iter().filter(|file| links::declares_no_object(file)) {
            let Some(source) = self.config.sources.get(entry.source) else { continue };
            let optional = module.variables.values().filter(|v| {
                let is_here = v.decl.block.file == entry.source && v.decl.overrides.is_empty();
                is_here && v.default.is_some() && v.validations.is_empty() && !left.contains(&v.name)
            });
            let goes = optional.map(|v| trivia::item_with_blank(&source.text, v.decl.block.span));
            let goes: BTreeSet<(u32, u32)> = goes.map(|span| (span.start, span.end)).collect();
            let is_spared =
                |edit: &Edit| edit.text.is_empty() && goes.contains(&(edit.span.start, edit.span.end));
            if edits.get(&entry.source).is_some_and(|own| own.iter().all(is_spared)) {
                edits.remove(&entry.source);
            }
        }
    }

    fn substitute(
        &self,
        (name, value): (&str, &Value),
        uses: &[Use],
        held: &mut Held<'_>,
        edits: &mut FileEdits,
    ) {
        let own = |used: &&Use| matches!(&used.referent, Referent::Variable(n) if **n == *name);
        for used in uses.iter().filter(own) {
            let text = self.config.sources.get(used.file).map_or("", |source| &source.text);
            if let Some(edit) = held.put(used, value, text) {
                replace(edits.entry(used.file).or_default(), edit);
            }
        }
    }

    fn drop_variable(&self, module: &Module, name: &str, edits: &mut FileEdits) {
        let Some(variable) = module.variables.get(name) else { return };
        self.drop_decl(&variable.decl, edits);
    }

    fn drop_decl(&self, decl: &Decl, edits: &mut FileEdits) {
        for block in decl.blocks() {
            let Some(source) = self.config.sources.get(block.file) else { continue };
            let span = trivia::item_with_blank(&source.text, block.span);
            replace(edits.entry(block.file).or_default(), Edit { span, text: String::new() });
        }
    }

    /// Drops locals in every `locals` block: one in an override file hides another.
    fn drop_locals(&self, module: &Module, names: &BTreeSet<Arc<str>>, edits: &mut FileEdits) {
        for entry in module.files.iter().filter(|f| !f.json) {
            let Some(source) = self.config.sources.get(entry.source) else { continue };
            for block in entry.body.blocks_of("locals") {
                let own = edits.entry(entry.source).or_default();
                for span in locals(&source.text, block, names) {
                    replace(own, Edit { span, text: String::new() });
                }
            }
        }
    }
}

/// Returns the parts of a `locals` block that are removed.
fn locals(text: &str, block: &Block, names: &BTreeSet<Arc<str>>) -> Vec<Span> {
    let goes: Vec<Span> =
        block.body.attributes().filter(|a| names.contains(&a.name.text)).map(|a| a.span).collect();
    if !goes.is_empty() && goes.len() == block.body.attributes().count() {
        return vec![trivia::item_with_blank(text, block.span)];
    }
    goes.into_iter().map(|span| trivia::item_with_blank(text, span)).collect()
}
