//! A split unit's blocks, its own and those of override files: one copy per branch in the place of each, with the gate,
//! the source and the arguments.

use super::pending::Pending;
use super::refusals::{refused, secret_keys};
use super::rewrite::directory;
use super::{Edits, FileEdits, Here, Writer, apply, replace, through_slug};
use crate::addr::{PathAttr, Referent};
use crate::config::{Call, Decl, In};
use crate::gate::Gate;
use crate::graph;
use crate::specialise::decision::{Copied, Node, Split};
use crate::specialise::unit::UnitName;
use crate::specialise::unit::follow;
use crate::specialise::written::block::{self, Made};
use crate::specialise::written::{context, literal};
use crate::specialise::{naming, paths};
use crate::syntax::{Attribute, Block, Item, trivia};
use crate::text::{Edit, Span};
use std::path::Path;
use std::sync::Arc;

impl Writer<'_> {
    /// Replaces the unit's block by one block per branch.
    pub(super) fn split(
        &mut self,
        here: Here<'_>,
        node: &Node,
        name: &UnitName,
        split: &Split,
        edits: &mut Pending,
    ) {
        let Some(decl) = name.decl(here.module) else { return };
        if let Some(issue) = refused(name, here.module, decl) {
            self.issues.push(issue);
            return;
        }
        if decl.json {
            // Said already: it is neither copied nor taken out.
            return;
        }
        let (Some(unit), Some(naming)) = (self.units.get(split.unit), self.naming.get(split.unit)) else {
            return;
        };
        if let Some(issue) = secret_keys(unit, naming, decl) {
            return self.issues.push(issue);
        }
        let blocks: Vec<Written<'_>> = decl.blocks().map(|block| Written::take(block, edits)).collect();
        // The gate joins what repeats the unit, wherever that stands.
        let gated = naming.repetition.attribute();
        let gated = gated.and_then(|attr| blocks.iter().position(|b| b.holds(attr))).unwrap_or(0);
        let mut copies: Vec<Vec<String>> = blocks.iter().map(|_| Vec::new()).collect();
        for (i, copy) in split.copies.iter().enumerate() {
            let (Some(gate), Some(new)) = (unit.gates.gates.get(i), naming.names.get(i)) else { continue };
            let mut own = FileEdits::new();
            for literal in &copy.own {
                self.literal(literal, &mut own);
            }
            self.followed(here, name, split, i, &mut own);
            if let UnitName::Call(call) = name {
                self.called(here, node, (call, copy), naming.slugs.get(i).map_or("", |s| s), &mut own);
            }
            let Some(text) = self.gate_text(here, node, decl, &gate.text) else { continue };
            let gate = Gate { text, ..gate.clone() };
            let comment = naming.comments.get(i).map_or("", |c| c.as_str());
            for ((at, written), copies) in blocks.iter().enumerate().zip(&mut copies) {
                let made = Made {
                    name: new,
                    gate: (at == gated).then_some(&gate),
                    late: unit.gates.late,
                    comment: if at == 0 { comment } else { "" },
                    naming,
                };
                let block = written.block;
                let Some(source) = self.config.sources.get(block.file) else { continue };
                match block::copy(source, block, &made, &written.with(&own)) {
                    Ok(text) => copies.push(text),
                    Err(issue) => self.issues.push(issue.at(block.place())),
                }
            }
        }
        for (written, copies) in blocks.iter().zip(copies) {
            let Some(source) = self.config.sources.get(written.block.file) else { continue };
            let newline = source.line_ending();
            let text = copies.join(&format!("{newline}{newline}"));
            edits.put(written.block.file, Edit { span: written.block.span, text });
        }
    }

    /// The triggers of a copy of what follows another unit name the copy beside it.
    fn followed(&self, here: Here<'_>, name: &UnitName, split: &Split, copy: usize, own: &mut FileEdits) {
        let Some(root) = self.units.get(split.unit).and_then(|u| u.follows) else { return };
        let Some(resource) = name.resource(here.module) else { return };
        for (at, (unit, naming)) in self.units.iter().zip(self.naming).enumerate() {
            let together = follow::root(self.units, at) == root && unit.scope == *here.path;
            let Some(copy) = naming.names.get(copy).filter(|_| together) else { continue };
            for edit in follow::edits(resource, &unit.name, copy, !naming.repetition.is_none()) {
                replace(own.entry(resource.decl.block.file).or_default(), edit);
            }
        }
    }

    /// A gate's text as it has to stand in this residual: what its module's own expressions name has changed there too.
    pub(super) fn gate_text(
        &mut self,
        here: Here<'_>,
        node: &Node,
        decl: &Decl,
        text: &str,
    ) -> Option<String> {
        let Ok(expr) = crate::syntax::parse_expr(text) else { return Some(text.to_owned()) };
        let mut edits = FileEdits::new();
        let file = decl.block.file;
        let uses = graph::uses_of(&expr, file);
        let dir = (here.dir != here.module.dir).then(|| directory(here.module));
        for used in &uses {
            let value = match &used.referent {
                // A gate keeps no mark: the value is in the source, and `for_each` takes nothing sensitive.
                Referent::Variable(name) => node.variables.get(name).map(|known| &known.value),
                Referent::Path(PathAttr::Module) => dir.as_ref(),
                _ => None,
            };
            if let Some(edit) = value.and_then(|v| context::put(used, v, text)) {
                replace(edits.entry(file).or_default(), edit);
            }
            if let Some((unit, split)) = node.split_of(&used.referent) {
                self.join(used, &unit, split, None, &mut edits);
            }
        }
        match apply(text, edits.get(&file).map_or(&[], Edits::as_slice)) {
            Ok(text) => Some(text),
            Err(issue) => {
                self.issues.push(issue.at(decl.block.place()));
                None
            }
        }
    }

    /// The edits of a call for one copy: its source, and the arguments that went into the residual.
    fn called(
        &mut self,
        here: Here<'_>,
        node: &Node,
        (name, copy): (&Arc<str>, &Copied),
        slug: &str,
        own: &mut FileEdits,
    ) {
        let Some(call) = here.module.calls.get(name) else { return };
        let path = node.path_of(here.path, name, copy.source.as_ref());
        if let Some(target) = self.config.at(&path) {
            // A source chosen by its folder's name says nothing of what differs in the folder's copy.
            let is_own_name =
                target.dir.file_name().is_some_and(|n| naming::text_slug(&n.to_string_lossy()) == slug);
            let inner = if is_own_name { through_slug(&copy.inner) } else { String::new() };
            let slug = if inner.is_empty() { slug } else { &inner };
            let dir = self.folder_of(target, &path, &copy.inner, slug);
            if dir != target.dir || here.dir != here.module.dir {
                self.repoint(here, call, &dir, own);
            }
        }
        self.drop_arguments(call, &copy.inner, own);
    }

    /// Takes the arguments away whose variables have gone, those that an override file hides too.
    pub(super) fn drop_arguments(&mut self, call: &Call, inner: &Node, edits: &mut FileEdits) {
        self.drop_from(call, &|name| inner.drops(name), edits);
    }

    fn drop_from(&mut self, call: &Call, gone: &dyn Fn(&str) -> bool, edits: &mut FileEdits) {
        for block in call.decl.blocks() {
            let Some(source) = self.config.sources.get(block.file) else { continue };
            let last = block
                .body
                .items
                .iter()
                .rev()
                .take_while(|item| matches!(item, Item::Attribute(attr) if gone(&attr.name.text)));
            // With the last arguments the blank line above them goes.
            let last = match last.last() {
                Some(Item::Attribute(attr)) => Some(attr.span),
                _ => None,
            };
            for arg in block.body.attributes().filter(|a| gone(&a.name.text)) {
                if self.config.is_json(block.file) {
                    let span = member_with_comma(&source.text, arg.span);
                    replace(edits.entry(block.file).or_default(), Edit { span, text: String::new() });
                    continue;
                }
                let mut span = trivia::item_with_blank(&source.text, arg.span);
                if last == Some(arg.span) && span != arg.span {
                    span.start = trivia::behind_text_above(&source.text, span.start);
                }
                replace(edits.entry(block.file).or_default(), Edit { span, text: String::new() });
            }
        }
    }

    pub(super) fn repoint(&mut self, here: Here<'_>, call: &Call, dir: &Path, edits: &mut FileEdits) {
        let Some(attr) = &call.source else { return };
        let edit = literal::of_source(self.config, attr, &paths::source(here.dir, dir));
        replace(edits.entry(attr.file).or_default(), edit);
        self.drop_from(call, &|name| name == "version", edits);
    }
}

/// A member of a JSON object that isn't the only one, with the comma that goes with it.
fn member_with_comma(text: &str, member: Span) -> Span {
    let (before, behind) = (text.get(..member.range().start), text.get(member.range().end..));
    let (before, behind) = (before.unwrap_or_default(), behind.unwrap_or_default());
    let length = |text: &str| u32::try_from(text.len()).unwrap_or_default();
    match (before.trim_end().strip_suffix(','), behind.trim_start().strip_prefix(',')) {
        (Some(kept), _) => Span { start: length(kept), ..member },
        (None, Some(kept)) => Span { end: length(text) - length(kept.trim_start()), ..member },
        (None, None) => member,
    }
}

/// A block that declares a unit, and the changes in it that every copy has.
struct Written<'a> {
    block: &'a In<Block>,
    inner: Edits,
}

impl<'a> Written<'a> {
    /// Takes the edits within the block out of those of its file.
    fn take(block: &'a In<Block>, edits: &mut Pending) -> Written<'a> {
        Written { block, inner: edits.take(block.file, block.span).into() }
    }

    fn holds(&self, attr: &In<Attribute>) -> bool {
        attr.file == self.block.file && self.block.span.contains(attr.span)
    }

    /// The edits of one copy: those that all share, and its own.
    fn with(&self, own: &FileEdits) -> Edits {
        let mut all = self.inner.clone();
        let own = own.get(&self.block.file).map_or(&[][..], Edits::as_slice);
        for edit in own.iter().filter(|e| self.block.span.contains(e.span)) {
            replace(&mut all, edit.clone());
        }
        all
    }
}
