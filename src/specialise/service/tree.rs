//! Modules under a form factor: the root edited in place, any other that changes as a residual folder.

use super::chosen::Chosen;
use super::merged::{self, Satellite};
use super::operator::{self, Once};
use super::replacing::{Candidate, Replacing, Without};
use super::{Rewrite, Written, block, dropped, going, provider, reference, removals};
use crate::addr::ModulePath;
use crate::config::phi::Operator;
use crate::config::{Config, Decl, Module, fix_in_native};
use crate::graph::{self, Use};
use crate::issue::{Code, Issue};
use crate::specialise::decision::{Child, Node};
use crate::specialise::residual::{FileEdits, Folders, Here, moved_folder, replace};
use crate::specialise::unit::UnitName;
use crate::specialise::written::head::insert_head_line;
use crate::specialise::written::held::Held;
use crate::specialise::written::laid;
use crate::specialise::{fold, guard, naming, paths};
use crate::syntax::{emit, trivia};
use crate::text::{Edit, Place, SourceId, Span};
use crate::trace::{Guard, Subject};
use crate::value::hcl;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Makes the texts.
struct Trees<'a> {
    r: &'a Replacing<'a>,
    chosen: &'a Chosen<'a>,
    /// Local names of providers that nothing needs any more.
    unused: BTreeSet<Arc<str>>,
    created: BTreeMap<PathBuf, Written>,
    folders: Folders,
    /// The operators that the root module calls, by folder.
    once: BTreeMap<PathBuf, Once>,
    without: Vec<Without>,
    issues: Vec<Issue>,
}

/// Returns the tree with calls of templates in place of the replaced resources and calls.
///
/// # Errors
/// Returns an error for each declaration that can't be rewritten.
pub(super) fn rewritten(
    r: &Replacing<'_>,
    chosen: &Chosen<'_>,
) -> Result<(Option<Rewrite>, Vec<Issue>), Vec<Issue>> {
    let config = r.config;
    let mut trees = Trees {
        r,
        chosen,
        unused: provider::unused(r, chosen),
        created: templates(r, chosen),
        folders: Folders::new(config),
        once: operator::all(r, chosen),
        without: Vec::new(),
        issues: Vec::new(),
    };
    let Some(root) = config.root() else { return Ok((None, Vec::new())) };
    let mut edits = trees.edits(root, &ModulePath::ROOT, &root.dir);
    let guards: Vec<Guard> = chosen.guards.iter().filter(|g| trees.at_root(g)).cloned().collect();
    for added in guard::edits(config, root, &guards) {
        match added {
            Ok((file, edit)) => edits.entry(file).or_default().push(edit),
            Err(issue) => trees.issues.push(*issue),
        }
    }
    let mut edited = BTreeMap::new();
    for (file, edits) in &edits {
        edited.extend(trees.made(*file, edits).map(|file| (file.from.clone(), file)));
    }
    if trees.issues.iter().any(Issue::is_error) {
        return Err(trees.issues);
    }
    if !trees.once.is_empty() {
        let text = operator::calls(&trees.once, &r.factor.name);
        trees.created.insert(root.dir.join(operator::FILE), Written::whole(text));
    }
    let rewrite = Rewrite {
        factor: r.factor.name.clone(),
        replaced: chosen.choices.values().flatten().map(|c| c.replaced.clone()).collect(),
        once: trees.once.values().map(|o| o.name.as_str().into()).collect(),
        dropped: chosen.dropped.values().flatten().cloned().collect(),
        without: trees.without,
        edited,
        created: trees.created,
    };
    Ok((Some(rewrite), trees.issues))
}

/// The files of services that come with the program and replace something.
fn templates(r: &Replacing<'_>, chosen: &Chosen<'_>) -> BTreeMap<PathBuf, Written> {
    let used: BTreeSet<&str> = chosen.choices.values().flatten().filter_map(|c| c.service.embedded).collect();
    let own = r.phi.embedded().filter(|e| used.contains(e.name));
    let files = own.flat_map(|e| e.module().map(|(path, text)| (e.dir().join(path), text)));
    files.map(|(path, text)| (path, Written::whole(text.to_owned()))).collect()
}

impl Trees<'_> {
    /// Returns true if a guard can be written: for a variable, or a data source of the root module. Other data sources add an issue,
    /// because replacement comes before any split, and no postcondition can be added behind a call.
    fn at_root(&mut self, guard: &Guard) -> bool {
        let Subject::Data(attribute) = &guard.subject else { return true };
        if !attribute.module.is_root() {
            let why =
                format!("It holds for the listed values of {attribute} alone, and nothing keeps others out.");
            let summary = format!("{attribute} can't decide what is replaced");
            let issue = Issue::error(Code::Unsupported, summary, why).about(attribute.to_string());
            let fix = "Decide by a variable, or by a data source of the root module.";
            self.issues.push(issue.fix(fix, ""));
        }
        attribute.module.is_root()
    }

    /// Returns the folder of a module under the form factor. It is the module's own folder if nothing in it changes.
    fn folder_of(&mut self, module: &Module, path: &ModulePath) -> PathBuf {
        if !self.chosen.changes(path) {
            return module.dir.clone();
        }
        let dir = self.folders.first(module, &naming::text_slug(&self.r.factor.name));
        let edits = self.edits(module, path, &dir);
        let mut texts = self.texts(module, &edits);
        let needed = self.needed(path);
        if !needed.is_empty() {
            let text = operator::variables(&needed);
            texts.push((PathBuf::from(operator::FILE), Written::whole(text)));
        }
        let content: String =
            texts.iter().map(|(name, file)| format!("{}\0{}\0", name.display(), file.text)).collect();
        let (dir, is_new) = self.folders.find(module, dir, content);
        let texts = texts.into_iter().filter(|_| is_new);
        self.created.extend(texts.map(|(name, file)| (dir.join(name), file)));
        dir
    }

    fn texts(&mut self, module: &Module, edits: &FileEdits) -> Vec<(PathBuf, Written)> {
        let own = |file: &SourceId| {
            let source = self.r.config.sources.get(*file);
            let head = source.and_then(|source| insert_head_line(&source.path, &source.text));
            head.into_iter().chain(edits.get(file).into_iter().flatten().cloned()).collect::<Vec<_>>()
        };
        let edits: Vec<_> = module.files.iter().map(|entry| (entry.source, own(&entry.source))).collect();
        let files = edits.iter().filter_map(|(file, edits)| self.made(*file, edits));
        files.map(|file| (file.from.file_name().map(PathBuf::from).unwrap_or_default(), file)).collect()
    }

    fn made(&mut self, file: SourceId, edits: &[Edit]) -> Option<Written> {
        let made = Written::of(self.r.config.sources.get(file)?, edits);
        made.map_err(|issue| self.issues.push(issue)).ok()
    }

    /// The edits of one module, whose residual will stand in `dir`.
    fn edits(&mut self, module: &Module, path: &ModulePath, dir: &Path) -> FileEdits {
        let config = self.r.config;
        let uses = graph::uses(module);
        let mut edits = FileEdits::new();
        let node = self.calls(module, path, dir, &mut edits);
        if dir != module.dir {
            let absent = &fold::Absent::default();
            let facts = fold::Facts { config, path, module, uses: &uses, value: &|_| None, absent };
            let mut held = Held::of(module, &fold::folded(&facts).references);
            let here = Here { module, path, dir };
            moved_folder((config, here), &node, &uses, &mut held, &mut edits);
            if let Err(issue) = held.declare(config, &mut edits) {
                self.issues.push(*issue);
            }
        }
        let own = self.chosen.choices.get(path).map_or(&[][..], Vec::as_slice);
        let satellites = self.chosen.dropped.get(path).map_or(&[][..], Vec::as_slice);
        let mut gone = dropped::places(self.r, module, own, satellites);
        gone.extend(self.chosen.idle.places(path, module));
        let merged = self.merged(module, own, satellites, (&uses, &gone), &mut edits);
        let inside = satellites.iter().filter(|s| s.merged.is_some());
        let inside = inside.filter_map(|s| Some(module.resources.get(s.resource()?)?.decl.block.place()));
        let inside: Vec<Place> = inside.collect();
        let mut blocks: Vec<Place> = Vec::new();
        for candidate in own {
            let block = &candidate.decl.block;
            let Some(source) = config.sources.get(block.file) else { continue };
            let Some(template) = self.r.templates.get(&candidate.service.name) else { continue };
            self.json_uses(module, &candidate.replaced.unit.to_string());
            let from = paths::source(dir, &template.dir);
            let mut more = self.arguments(candidate, &template.module, path);
            let given = |name: &str| more.iter().any(|(own, _)| own == name);
            let indent = trivia::inner_indent(&source.text, block.span.start);
            let mine = merged.iter().filter(|(owner, ..)| *owner == candidate.replaced.unit);
            let mine = mine.filter(|(_, into, _)| !given(into));
            let mine: Vec<(String, String)> =
                mine.map(|(_, into, text)| (into.to_string(), laid::moved(text, "", &indent))).collect();
            more.extend(mine);
            match block::made(self.r, candidate, (&from, &source.text), &more) {
                Ok(made) => {
                    let address = candidate.replaced.original();
                    let without = made.without.into_iter().map(|(argument, reason)| Without {
                        address: address.clone(),
                        argument,
                        reason,
                    });
                    self.without.extend(without);
                    let file = edits.entry(block.file).or_default();
                    *file = block::together(std::mem::take(file), made.edits);
                    self.warn(made.warning);
                    blocks.push(block.place());
                }
                Err(issues) => self.issues.extend(issues),
            }
            let stays = |u: &&Use| !reference::is_within(u, &gone) && !reference::is_within(u, &inside);
            for used in uses.iter().filter(|u| candidate.replaced.unit.holds(&u.referent)).filter(stays) {
                match reference::edits(self.r, module, candidate, used) {
                    Ok(found) => {
                        let file = edits.entry(used.file).or_default();
                        found.into_iter().for_each(|edit| replace(file, edit));
                    }
                    Err(issue) => self.issues.push(*issue),
                }
            }
        }
        for satellite in satellites {
            if let Some(resource) = satellite.resource().and_then(|own| module.resources.get(own)) {
                provider::block_edit(config, &resource.decl.block, &mut edits);
            }
        }
        provider::edits(config, module, &self.unused, &mut edits);
        blocks.extend(self.idle(module, path, &mut edits));
        for place in blocks {
            self.align(place, &mut edits);
        }
        edits
    }

    /// Points the calls of a module at folders that change, and hands down to them what they need.
    fn calls(&mut self, module: &Module, path: &ModulePath, dir: &Path, edits: &mut FileEdits) -> Node {
        let config = self.r.config;
        let mut node = Node::default();
        for (name, call) in &module.calls {
            let below = path.child(name.clone());
            let Some(target) = config.at(&below).filter(|_| !self.chosen.goes(&below)) else { continue };
            if self.chosen.idle.is_gone(path, name) {
                continue;
            }
            let new = self.folder_of(target, &below);
            if new == target.dir {
                continue;
            }
            node.calls.insert(name.clone(), Child::Through(Node::default()));
            if call.decl.json {
                let why = "What it calls changes under the form factor, and JSON files are not rewritten.";
                let issue = Issue::error(Code::Service, format!("module.{name} is declared in JSON"), why);
                let place = call.decl.place();
                self.issues.push(fix_in_native(issue.at(place), config, place));
            }
            repoint(config, call, &paths::source(dir, &new), edits);
            let arguments: Vec<(String, String)> =
                self.needed(&below).iter().map(|o| (o.name.clone(), o.reference(path))).collect();
            hand_down(config, call, &arguments, edits);
        }
        node
    }

    /// Takes out what nothing uses any more, and gives the blocks to be aligned.
    fn idle(&self, module: &Module, path: &ModulePath, edits: &mut FileEdits) -> Vec<Place> {
        let config = self.r.config;
        let (blocks, attributes) = self.chosen.idle.declarations(path, module);
        for decl in blocks {
            provider::block_edit(config, &decl.block, edits);
        }
        let mut within: BTreeMap<Place, (&Decl, Vec<Span>)> = BTreeMap::new();
        for (decl, place) in attributes {
            within.entry(decl.block.place()).or_insert((decl, Vec::new())).1.push(place.span);
        }
        let mut changed = Vec::new();
        for (place, (decl, spans)) in within {
            let Some(source) = config.sources.get(place.file) else { continue };
            if spans.len() == decl.block.body.items.len() {
                provider::block_edit(config, &decl.block, edits);
                continue;
            }
            let full = spans.into_iter().map(|span| trivia::item_full_lines(&source.text, span)).collect();
            let file = edits.entry(place.file).or_default();
            for edit in removals::removals(&source.text, decl.block.braces, full) {
                replace(file, edit);
            }
            changed.push(place);
        }
        changed
    }

    /// The arguments that satellites become, by owner and name.
    fn merged(
        &mut self,
        module: &Module,
        here: &[Candidate<'_>],
        satellites: &[going::Dropped],
        (uses, gone): (&[Use], &[Place]),
        edits: &mut FileEdits,
    ) -> Vec<(UnitName, Arc<str>, String)> {
        let mut found: BTreeMap<(UnitName, Arc<str>), Vec<String>> = BTreeMap::new();
        for own in satellites {
            let resource = own.resource().and_then(|own| module.resources.get(own));
            let (Some(merged), Some(resource)) = (&own.merged, resource) else { continue };
            let satellite = Satellite { module, here, resource, merged, uses, gone };
            let file = edits.entry(resource.decl.block.file).or_default();
            match merged::text(self.r, &satellite, file, &mut self.without) {
                Ok(text) => {
                    for owner in &merged.owners {
                        let key = (owner.clone(), merged.into.clone());
                        found.entry(key).or_default().push(text.clone());
                    }
                }
                Err(issues) => self.issues.extend(issues),
            }
            self.warn(merged::unknown(self.r, &satellite));
        }
        let mut all = Vec::new();
        for ((owner, into), texts) in found {
            let Some(candidate) = here.iter().find(|c| c.replaced.unit == owner) else { continue };
            match merged::joined(self.r, candidate, &into, &texts) {
                Some(text) => all.push((owner, into, text)),
                None => self.issues.push(merged::several(candidate, &into)),
            }
        }
        all
    }

    /// Returns the operators that calls in a module, or in modules below it, wait for.
    fn needed(&self, path: &ModulePath) -> Vec<&Once> {
        let below = self.chosen.choices.iter().filter(|(scope, _)| path.contains(scope));
        let dirs: BTreeSet<PathBuf> =
            below.flat_map(|(_, all)| all).filter_map(|c| operator::dir_of(self.r, c)).collect();
        dirs.iter().filter_map(|dir| self.once.get(dir)).collect()
    }

    /// Returns the arguments of a call that the original doesn't have.
    fn arguments(
        &self,
        candidate: &Candidate<'_>,
        template: &Module,
        path: &ModulePath,
    ) -> Vec<(String, String)> {
        let inputs = self.r.factor.inputs_of(candidate.service);
        let known = inputs.filter(|(name, _)| template.variables.contains_key(*name));
        let mut all: Vec<(String, String)> =
            known.filter_map(|(name, (value, _))| Some((name.to_string(), hcl::to_hcl(value)?))).collect();
        let once = operator::dir_of(self.r, candidate).and_then(|dir| self.once.get(&dir));
        all.extend(once.map(|once| (Operator::VARIABLE.to_owned(), once.reference(path))));
        all
    }

    /// One warning per resource, however many instances its module has.
    fn warn(&mut self, warning: Option<Issue>) {
        if let Some(issue) =
            warning.filter(|w| !self.issues.iter().any(|i| i.place == w.place && !i.is_error()))
        {
            self.issues.push(issue);
        }
    }

    fn align(&mut self, place: Place, edits: &mut FileEdits) {
        let Some(source) = self.r.config.sources.get(place.file) else { return };
        let Some(file) = edits.get_mut(&place.file) else { return };
        let (inner, mut rest): (Vec<Edit>, Vec<Edit>) =
            std::mem::take(file).into_iter().partition(|e| place.span.contains(e.span));
        match removals::aligned(&source.text, place.span, &inner, &laid::alignment) {
            Ok(inner) => rest.extend(inner),
            Err(issue) => self.issues.push(issue.at(place)),
        }
        *file = rest.into();
    }

    /// References in JSON files would have to change, and those are not rewritten.
    fn json_uses(&mut self, module: &Module, name: &str) {
        for entry in module.files.iter().filter(|f| f.json) {
            let Some(source) = self.r.config.sources.get(entry.source) else { continue };
            if let Some(at) = source.text.find(name) {
                let place = Place { file: entry.source, span: Span::new(at, at + name.len()) };
                let why = "References in it would have to change, and JSON files are not rewritten.";
                let issue = Issue::error(Code::Service, format!("a JSON file names {name}"), why).at(place);
                self.issues.push(issue.fix("Write what refers to it in a `.tf` file.", ""));
            }
        }
    }
}

/// Adds arguments to a call, apart from its own.
fn hand_down(
    config: &Config,
    call: &crate::config::Call,
    arguments: &[(String, String)],
    edits: &mut FileEdits,
) {
    let block = &call.decl.block;
    let Some(source) = config.sources.get(block.file).filter(|_| !arguments.is_empty()) else { return };
    let (text, newline) = (&*source.text, source.line_ending());
    let indent = trivia::inner_indent(text, block.span.start);
    let width = arguments.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let line = |(name, value): &(String, String)| format!("{indent}{name:width$} = {value}{newline}");
    let lines: String = arguments.iter().map(line).collect();
    let file = edits.entry(block.file).or_default();
    match trivia::before_closing_brace(text, block.braces) {
        Some(at) => file.push(Edit { span: Span { start: at, end: at }, text: format!("{newline}{lines}") }),
        None => {
            let at = block.braces.end - 1;
            let outer = trivia::line_indent(text, block.span.start);
            let text = format!("{newline}{lines}{outer}");
            file.push(Edit { span: Span { start: at, end: at }, text });
        }
    }
}

fn repoint(config: &Config, call: &crate::config::Call, source: &str, edits: &mut FileEdits) {
    let Some(attr) = &call.source else { return };
    let text = emit::string_literal(source);
    replace(edits.entry(attr.file).or_default(), Edit { span: attr.expr.span, text });
    if let Some(version) = &call.version
        && let Some(file) = config.sources.get(version.file)
    {
        let span = trivia::item_full_lines(&file.text, version.span);
        replace(edits.entry(version.file).or_default(), Edit { span, text: String::new() });
    }
}
