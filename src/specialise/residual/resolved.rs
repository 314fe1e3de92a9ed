//! Comments above declarations that were changed without being split: what was decided in them, or below them.

use super::{FileEdits, Here, Writer};
use crate::specialise::decision::{Child, Node};
use crate::specialise::written::comment::{self, Told};
use crate::syntax::trivia;
use crate::text::{Edit, SourceId, Span};
use std::collections::{BTreeMap, BTreeSet};

impl Writer<'_> {
    /// Adds them for one module.
    pub(super) fn resolved_comments(&self, here: Here<'_>, node: &Node, edits: &mut FileEdits) {
        let mut above: BTreeMap<(SourceId, u32), Vec<&Told>> = BTreeMap::new();
        for literal in &node.literals {
            if let Some(told) = &literal.told {
                let block = literal.site.block;
                above.entry((block.file, block.span.start)).or_default().push(told);
            }
        }
        let starts: BTreeMap<SourceId, BTreeSet<u32>> = edits
            .iter()
            .map(|(file, own)| (*file, own.iter().map(|edit| edit.span.start).collect()))
            .collect();
        for (name, child) in &node.calls {
            let Child::Through(inner) = child else { continue };
            let Some(call) = here.module.calls.get(name) else { continue };
            let block = call.decl.block.place();
            // A call to what is edited in place stays as it is.
            let is_changed = call.decl.blocks().any(|b| {
                let span = b.place().span;
                starts.get(&b.file).is_some_and(|s| s.range(span.start..span.end).next().is_some())
            });
            if is_changed {
                above.entry((block.file, block.span.start)).or_default().extend(below(inner));
            }
        }
        let absent = |start: (SourceId, u32)| {
            let decls = node.absent.decls(here.module);
            decls.into_iter().any(|d| d.blocks().any(|b| (b.file, b.span.start) == start))
        };
        let split = |start: (SourceId, u32)| {
            let mut decls = node.splits().filter_map(|(name, _)| name.decl(here.module));
            decls.any(|d| d.blocks().any(|b| (b.file, b.span.start) == start))
        };
        for ((file, start), told) in above {
            let Some(source) = self.config.sources.get(file) else { continue };
            // The copies of what is split have comments of their own; JSON has none.
            if source.path.extension().is_some_and(|e| e == "json")
                || split((file, start))
                || absent((file, start))
            {
                continue;
            }
            if let Some(comment) = comment::resolved(&told) {
                let indent = trivia::line_indent(&source.text, start);
                let text = format!("{comment}{}{indent}", source.line_ending());
                edits.entry(file).or_default().push(Edit { span: Span { start, end: start }, text });
            }
        }
    }
}

/// Returns what is decided below a call that isn't split.
fn below(node: &Node) -> Vec<&Told> {
    let own = node.literals.iter().filter_map(|l| l.told.as_ref());
    let inner = node.calls.values().filter_map(|child| match child {
        Child::Through(inner) => Some(below(inner)),
        Child::Split(_) => None,
    });
    own.chain(inner.flatten()).collect()
}
