//! A split unit's block: one copy per branch in its place, with the gate, the source and the arguments of each.

use super::refusals::{refused, secret_keys};
use super::rewrite::directory;
use super::{FileEdits, Here, Writer, apply, replace, splits_of};
use crate::addr::{PathAttr, Referent};
use crate::config::{Call, Decl};
use crate::graph;
use crate::specialise::block::{self, Made};
use crate::specialise::decision::{Copied, Node, Split};
use crate::specialise::unit::UnitName;
use crate::specialise::{follow, join, paths, subst};
use crate::syntax::trivia;
use crate::text::Edit;
use crate::trace::Gate;
use std::path::Path;

impl Writer<'_> {
    /// One block per branch in place of the unit's own.
    pub(super) fn split(
        &mut self,
        here: Here<'_>,
        node: &Node,
        name: &UnitName,
        split: &Split,
        edits: &mut FileEdits,
    ) {
        let decl = match name {
            UnitName::Call(call) => here.module.calls.get(call).map(|c| &c.decl),
            UnitName::Resource(addr) => here.module.resources.get(addr).map(|r| &r.decl),
        };
        let Some(decl) = decl else { return };
        if let Some(issue) = refused(name, decl) {
            self.issues.push(issue);
            return;
        }
        let (Some(unit), Some(naming)) = (self.units.get(split.unit), self.naming.get(split.unit)) else {
            return;
        };
        if let Some(issue) = secret_keys(unit, naming, decl) {
            return self.issues.push(issue);
        }
        let Some(source) = self.config.sources.get(decl.block.file) else { return };
        let file = edits.entry(decl.block.file).or_default();
        let whole = decl.block.span;
        let inner: Vec<Edit> = file.iter().filter(|e| whole.contains(e.span)).cloned().collect();
        file.retain(|e| !whole.contains(e.span));
        let mut copies = Vec::new();
        for (i, copy) in split.copies.iter().enumerate() {
            let (Some(gate), Some(new)) = (unit.gates.gates.get(i), naming.names.get(i)) else { continue };
            let mut own = inner.clone();
            for literal in &copy.own {
                self.own_literal(literal, &mut own);
            }
            self.followed(here, name, split, i, &mut own);
            if let UnitName::Call(call) = name {
                self.called(here, call, copy, naming.slugs.get(i).map_or("", |s| s), &mut own);
            }
            let Some(text) = self.gate_text(here, node, decl, &gate.text) else { continue };
            let gate = Gate { text, ..gate.clone() };
            let made = Made {
                name: new,
                gate: &gate,
                late: unit.gates.late,
                comment: naming.comments.get(i).map_or("", |c| c.as_str()),
                naming,
            };
            match block::copy(&source.text, &decl.block, &made, &own) {
                Ok(text) => copies.push(text),
                Err(issue) => self.issues.push(issue.at(decl.block.place())),
            }
        }
        let newline = trivia::line_ending(&source.text);
        let text = copies.join(&format!("{newline}{newline}"));
        edits.entry(decl.block.file).or_default().push(Edit { span: whole, text });
    }

    /// The triggers of a copy of what follows another unit name the copy beside it.
    fn followed(&self, here: Here<'_>, name: &UnitName, split: &Split, copy: usize, own: &mut Vec<Edit>) {
        let UnitName::Resource(addr) = name else { return };
        let Some(root) = self.units.get(split.unit).and_then(|u| u.follows) else { return };
        let Some(resource) = here.module.resources.get(addr) else { return };
        for (at, (unit, naming)) in self.units.iter().zip(self.naming).enumerate() {
            let together = follow::root(self.units, at) == root && unit.scope == *here.path;
            let Some(copy) = naming.names.get(copy).filter(|_| together) else { continue };
            for edit in follow::edits(resource, &unit.name, copy, !naming.repetition.is_none()) {
                replace(own, edit);
            }
        }
    }

    /// A gate's text as it has to stand in this variant: what its module's own expressions name has changed there too.
    fn gate_text(&mut self, here: Here<'_>, node: &Node, decl: &Decl, text: &str) -> Option<String> {
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
            if let Some(edit) = value.and_then(|v| subst::literal(used, v)) {
                replace(edits.entry(file).or_default(), edit);
            }
            for (unit, split) in splits_of(node) {
                if join::names(used, &unit) {
                    self.join(used, &unit, split, &mut edits);
                }
            }
        }
        match apply(text, edits.get(&file).map_or(&[], Vec::as_slice)) {
            Ok(text) => Some(text),
            Err(issue) => {
                self.issues.push(issue.at(decl.block.place()));
                None
            }
        }
    }

    /// The edits inside a call's block for one copy: its source, and the arguments that went into the residual.
    fn called(&mut self, here: Here<'_>, name: &str, copy: &Copied, slug: &str, own: &mut Vec<Edit>) {
        let Some(call) = here.module.calls.get(name) else { return };
        let path = here.path.child(name);
        if let Some(target) = self.config.at(&path) {
            let dir = self.variant(target, &path, &copy.inner, slug);
            if dir != target.dir || here.dir != here.module.dir {
                let mut edits = FileEdits::new();
                self.repoint(here, call, &dir, &mut edits);
                for edit in edits.into_values().flatten() {
                    replace(own, edit);
                }
            }
        }
        let mut edits = FileEdits::new();
        self.drop_arguments(call, &copy.inner, &mut edits);
        // A call with overrides is not split, so all of it stands in one file.
        for edit in edits.into_values().flatten() {
            replace(own, edit);
        }
    }

    /// Takes the arguments away whose variables have gone.
    pub(super) fn drop_arguments(&mut self, call: &Call, inner: &Node, edits: &mut FileEdits) {
        for arg in call.args.iter().filter(|a| inner.variables.contains_key(&a.name.text)) {
            // An override file may have given it.
            let Some(source) = self.config.sources.get(arg.file) else { continue };
            let span = trivia::item_full_lines(&source.text, arg.span);
            replace(edits.entry(arg.file).or_default(), Edit { span, text: String::new() });
        }
    }

    pub(super) fn repoint(&mut self, here: Here<'_>, call: &Call, dir: &Path, edits: &mut FileEdits) {
        let Some(attr) = &call.source else { return };
        let text = crate::syntax::emit::string_literal(&paths::source(here.dir, dir));
        replace(edits.entry(attr.file).or_default(), Edit { span: attr.expr.span, text });
        if let Some(version) = &call.version
            && let Some(source) = self.config.sources.get(version.file)
        {
            let span = trivia::item_full_lines(&source.text, version.span);
            replace(edits.entry(version.file).or_default(), Edit { span, text: String::new() });
        }
    }
}
