//! Residuals: the text of a module under a node of the decision tree.
//!
//! The root is edited in place; any other module that changes becomes a residual folder of its own, so that a module
//! which others share stays as it is. Two nodes that decide the same of one module share the residual.

mod dropped;
mod edits;
mod fault;
mod writer;
mod in_place;
mod json;
mod pending;
mod refusals;
mod resolved;
mod rewrite;
mod split;
mod tail;

pub(super) use rewrite::moved_folder;

use super::decision::{Child, Literal, Node, Split};
use super::naming::Said;
use super::unit::waits::Waits;
use super::unit::{Unit, UnitName};
use super::{guard, naming};
use crate::addr::ModulePath;
use crate::config::module_source::is_local;
use crate::config::paths::join as join_paths;
use crate::config::{Config, Module};
use crate::graph::{self, Use};
use crate::specialise::fold;
use crate::specialise::written::held::Held;
use crate::specialise::written::{comment, laid};
use crate::syntax::parse;
use crate::text::{Edit, Place, Span};
use crate::value::Value;
pub use edits::{Edits, FileEdits, applied, apply, apply_within, broken, replace};
pub use in_place::written;
use pending::Pending;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
pub use writer::{Folders, Here, InPlace, Naming, Writer};

impl<'a> Writer<'a> {
    /// A writer without output.
    pub fn new(config: &'a Config, units: &'a [Unit<'a>], naming: &'a [Naming]) -> Writer<'a> {
        Writer {
            config,
            units,
            naming,
            files: BTreeMap::new(),
            origins: BTreeMap::new(),
            folders: Folders::new(config),
            in_place: InPlace::default(),
            issues: Vec::new(),
            relocations: Vec::new(),
            imports: Vec::new(),
            handed: Vec::new(),
            asked_by_data: Waits::of_data(config),
        }
    }

    /// The edits of the root module.
    pub fn root(&mut self, node: &Node) -> FileEdits {
        let config = self.config;
        let Some(module) = config.root() else { return FileEdits::new() };
        let dir = module.dir.clone();
        let path = ModulePath::ROOT;
        let here = Here { module, path: &path, dir: &dir };
        let mut edits = self.edits(here, node);
        edits.extend(std::mem::take(&mut self.in_place.edits));
        self.test_files(node, &mut edits);
        for guard in &node.guards {
            match guard::file(config, guard) {
                Ok(text) => self.files.extend(text.map(|text| (PathBuf::from(guard::FILE), text))),
                Err(issue) => self.issues.push(*issue),
            }
        }
        edits
    }

    /// The folder of a module's residual: its own where nothing changes.
    fn folder_of(&mut self, module: &'a Module, path: &ModulePath, node: &Node, slug: &str) -> PathBuf {
        if node.is_empty() {
            return module.dir.clone();
        }
        if let Some(dir) = self.in_place(module, path, node) {
            return dir;
        }
        if self.is_passed(path, node) {
            for (name, child) in &node.calls {
                let path = node.path_of(path, name, None);
                if let (Child::Through(inner), Some(target)) = (child, self.config.at(&path)) {
                    self.folder_of(target, &path, inner, "");
                }
            }
            return module.dir.clone();
        }
        // Text that depends on its folder is made for the first name; equal decisions give equal text.
        let dir = self.folders.first(module, slug);
        let here = Here { module, path, dir: &dir };
        let mut edits = self.edits(here, node);
        self.spare(module, node, &mut edits);
        tail::without_blank_ends(self.config, &mut edits);
        let texts = self.texts(module, &edits);
        let content = self.unsaid(module, &edits);
        let (dir, is_new) = self.folders.find(module, dir, content);
        for (name, text) in texts.into_iter().filter(|_| is_new) {
            self.origins.insert(dir.join(&name), module.dir.join(&name));
            self.files.insert(dir.join(name), text);
        }
        dir
    }

    /// All texts of a residual before they are laid out, without the comments above what has one value: what these say of one
    /// instance is no reason for a second folder.
    fn unsaid(&self, module: &Module, edits: &FileEdits) -> String {
        let mut out = String::new();
        for entry in &module.files {
            let Some(source) = self.config.sources.get(entry.source) else { continue };
            let own = edits.get(&entry.source).into_iter().flatten();
            let own: Vec<Edit> = own.filter(|edit| !comment::is_inserted(edit)).cloned().collect();
            // Where edits don't fit together, `texts` says so.
            let Ok(text) = apply(&source.text, &own) else { continue };
            let name = source.path.file_name().map(PathBuf::from).unwrap_or_default();
            out.push_str(&format!("{}\0{text}\0", name.display()));
        }
        out
    }

    fn texts(&mut self, module: &Module, edits: &FileEdits) -> Vec<(PathBuf, String)> {
        let mut out = Vec::new();
        for entry in &module.files {
            let Some(source) = self.config.sources.get(entry.source) else { continue };
            let name = source.path.file_name().map(PathBuf::from).unwrap_or_default();
            let text = match edits.get(&entry.source) {
                None => source.text.to_string(),
                Some(edits) => match apply(&source.text, edits) {
                    Ok(text) => {
                        let laid = laid::kept(&source.path, &source.text, &text);
                        let text = apply(&text, &laid).unwrap_or(text);
                        if !entry.json && parse(&text).is_err() {
                            let start = Place { file: entry.source, span: Span::new(0, 0) };
                            self.issues.push(fault::misread(start));
                        }
                        text
                    }
                    Err(issue) => {
                        self.issues.push(issue.in_path(source.path.display().to_string()));
                        continue;
                    }
                },
            };
            out.push((name, text));
        }
        out
    }

    fn edits(&mut self, here: Here<'_>, node: &Node) -> FileEdits {
        let uses = graph::uses(here.module);
        let in_json = graph::uses_in_json(here.module);
        let mut edits = FileEdits::new();
        self.json_refusals(here.module, node, &in_json);
        let value = |name: &str| node.known(name).cloned();
        let Here { module, path, .. } = here;
        let facts = fold::Facts {
            config: self.config,
            path,
            module,
            uses: &uses,
            value: &value,
            absent: &node.absent,
        };
        let folded = fold::folded(&facts);
        let mut held = Held::of(module, &folded.references);
        if here.dir != module.dir {
            rewrite::moved_folder((self.config, here), node, &uses, &mut held, &mut edits);
        }
        self.dropped(here, node, &uses, (folded, &mut held), &mut edits);
        let mut read = edits.clone();
        for literal in &node.literals {
            self.literal(literal, &mut edits);
        }
        for added in guard::edits(self.config, here.module, &node.guards) {
            match added {
                Ok((file, edit)) => edits.entry(file).or_default().push(edit),
                Err(issue) => self.issues.push(*issue),
            }
        }
        let splits: Vec<(UnitName, &Split)> = node.splits().collect();
        self.joins(here, node, &uses, &mut held, [&mut edits, &mut read]);
        let dir = (here.dir != module.dir).then(|| rewrite::directory(module));
        let copy = fold::Reread { facts: &facts, dir, locals: held.locals(), joined: self.joined(&splits) };
        self.issues.extend(fold::misread(&copy, &read).into_iter().map(fault::misread));
        for (name, child) in &node.calls {
            let Some(call) = here.module.calls.get(name) else { continue };
            let path = node.path_of(here.path, name, None);
            let target = self.config.at(&path);
            if let (Child::Through(inner), Some(target)) = (child, target) {
                let slug = through_slug(inner);
                let dir = self.folder_of(target, &path, inner, &slug);
                if dir != target.dir || here.dir != here.module.dir {
                    self.repoint(here, call, &dir, &mut edits);
                }
                self.drop_arguments(call, inner, &mut edits);
            }
        }
        for (name, _) in node.sources.iter().filter(|(name, _)| !node.calls.contains_key(*name)) {
            let target =
                self.config.at(&node.path_of(here.path, name, None)).map(|module| module.dir.clone());
            // A source that nobody listed has no module yet, but a path from the original's folder.
            let unread = || {
                let source = node.sources.get(name).filter(|source| is_local(source))?;
                Some(join_paths(&here.module.dir, &**source))
            };
            let call = here.module.calls.get(name).filter(|_| here.dir != here.module.dir);
            if let Some((call, dir)) = call.zip(target.or_else(unread)) {
                self.repoint(here, call, &dir, &mut edits);
            }
        }
        self.resolved_comments(here, node, &mut edits);
        self.in_json(here, node, (&in_json, &mut held), &mut edits);
        if let Err(issue) = held.declare(self.config, &mut edits) {
            self.issues.push(*issue);
        }
        self.statements(here, node, &mut edits);
        let all: Vec<Use> = uses.into_iter().chain(in_json).collect();
        self.refuse_cycles(here.module, &all, &splits);
        let mut pending = Pending::of(edits);
        for (unit, split) in splits {
            self.split(here, node, &unit, split, &mut pending);
        }
        pending.edits()
    }
}

/// A residual that is reached without a gate is named by the values in it.
fn through_slug(node: &Node) -> String {
    let mut slugs: Vec<String> = node.literals.iter().map(|l| naming::joint(&[l.said()])).collect();
    for child in node.calls.values() {
        match child {
            Child::Through(inner) => slugs.push(through_slug(inner)),
            Child::Split(_) => slugs.push("split".to_owned()),
        }
    }
    slugs.extend(node.resources.values().map(|_| "split".to_owned()));
    if slugs.iter().all(String::is_empty) {
        let said = |(field, value): (&Arc<str>, &Value)| Said { field: field.clone(), value: value.clone() };
        slugs = node.gone().take(1).map(|known| naming::joint(&[said(known)])).collect();
    }
    if slugs.is_empty() {
        slugs.extend(node.guards.iter().take(1).map(|_| "guarded".to_owned()));
    }
    slugs.dedup();
    slugs.truncate(4);
    slugs.join("_")
}

/// Returns true if an expression is this literal already.
pub fn is_literal(literal: &Literal) -> bool {
    literal.site.rest.is_empty() && literal.site.reading.is_plain(&literal.site.attr.expr)
}
