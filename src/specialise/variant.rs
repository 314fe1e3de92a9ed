//! Variants: the text of a module under a node of the decision tree.
//!
//! The root is edited in place; any other module that changes becomes a residual folder of its own, so that a module
//! which others share stays as it is. Two nodes that decide the same of one module share the residual.

use super::block::Made;
use super::decision::{Child, Known, Literal, Node, Split};
use super::join::Shape;
use super::relocate::Relocation;
use super::unit::{Unit, UnitName};
use super::{block, cycles, join, naming, paths, subst};
use crate::addr::{Key, ModulePath, PathAttr, Referent};
use crate::config::{Config, Decl, Module};
use crate::graph::{self, Use};
use crate::issue::{Code, Issue};
use crate::syntax::trivia;
use crate::text::{Edit, EditSet, Place, SourceId, Span};
use crate::trace::reading::{Reading, item_edits};
use crate::trace::{Gate, Guard, Repetition};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What is known of a unit while text is made.
pub struct Naming {
    /// Names of the copies.
    pub names: Vec<String>,
    /// Slugs of the copies.
    pub slugs: Vec<String>,
    /// The comment above each copy.
    pub comments: Vec<String>,
    /// How the unit was repeated before.
    pub repetition: Repetition,
    /// Whether its `for_each` goes over a set; nothing where that isn't known.
    pub over_set: Option<bool>,
}

/// Makes texts from decisions.
pub struct Writer<'a> {
    /// The configuration as it is.
    pub config: &'a Config,
    /// The units.
    pub units: &'a [Unit<'a>],
    /// Names for each unit.
    pub naming: &'a [Naming],
    /// Files of residuals, by path.
    pub files: BTreeMap<PathBuf, String>,
    /// Folder of each residual by module folder and content.
    residuals: BTreeMap<(PathBuf, String), PathBuf>,
    /// Folders in use.
    taken: BTreeSet<String>,
    /// What can't be done.
    pub issues: Vec<Issue>,
    /// The user's `moved` blocks that are written per run.
    pub relocations: Vec<Relocation>,
    /// Units from which a `moved` block of the user's takes an instance: index of the unit, key.
    pub handed: Vec<(usize, Option<Key>)>,
}

/// The edits of one module, file by file.
pub type FileEdits = BTreeMap<SourceId, Vec<Edit>>;

/// A module, and where its variant will stand.
#[derive(Clone, Copy)]
pub struct Here<'m> {
    /// The module.
    pub module: &'m Module,
    /// The path of calls that leads to it, in the configuration as it is.
    pub path: &'m ModulePath,
    /// The folder of the variant.
    pub dir: &'m Path,
}

impl<'a> Writer<'a> {
    /// A writer without output.
    pub fn new(config: &'a Config, units: &'a [Unit<'a>], naming: &'a [Naming]) -> Writer<'a> {
        let taken = config.modules.iter().map(|m| m.dir.to_string_lossy().to_ascii_lowercase()).collect();
        Writer {
            config,
            units,
            naming,
            files: BTreeMap::new(),
            residuals: BTreeMap::new(),
            taken,
            issues: Vec::new(),
            relocations: Vec::new(),
            handed: Vec::new(),
        }
    }

    /// The edits of the root module.
    pub fn root(&mut self, node: &Node, guards: &[Guard]) -> FileEdits {
        let config = self.config;
        let Some(module) = config.root() else { return FileEdits::new() };
        let dir = module.dir.clone();
        let path = ModulePath::ROOT;
        let here = Here { module, path: &path, dir: &dir };
        let mut edits = self.edits(here, node);
        for guard in guards {
            match super::guard::edit(config, module, guard) {
                Ok((file, edit)) => edits.entry(file).or_default().push(edit),
                Err(issue) => self.issues.push(*issue),
            }
        }
        edits
    }

    /// The folder of a module's variant: its own where nothing changes.
    fn variant(&mut self, module: &'a Module, path: &ModulePath, node: &Node, slug: &str) -> PathBuf {
        if node.is_empty() {
            return module.dir.clone();
        }
        let parent = paths::residual_parent(&module.dir);
        // Text that depends on its folder is made for the first name; equal decisions give equal text.
        let base = folder_name(module);
        let dir = parent.join(naming::folder(&base, slug));
        let here = Here { module, path, dir: &dir };
        let edits = self.edits(here, node);
        let texts = self.texts(module, &edits);
        let content: String =
            texts.iter().map(|(name, text)| format!("{}\0{text}\0", name.display())).collect();
        let key = (module.dir.clone(), content.clone());
        if let Some(dir) = self.residuals.get(&key) {
            return dir.clone();
        }
        let mut dir = dir;
        if !self.taken.insert(dir.to_string_lossy().to_ascii_lowercase()) {
            // Beside the first one at the same depth, so that relative paths in the text hold.
            dir = parent.join(format!("{}-{}", naming::folder(&base, slug), naming::hex6(&content)));
            self.taken.insert(dir.to_string_lossy().to_ascii_lowercase());
        }
        for (name, text) in texts {
            self.files.insert(dir.join(name), text);
        }
        self.residuals.insert(key, dir.clone());
        dir
    }

    fn texts(&mut self, module: &Module, edits: &FileEdits) -> Vec<(PathBuf, String)> {
        let mut out = Vec::new();
        for entry in &module.files {
            let Some(source) = self.config.sources.get(entry.source) else { continue };
            let name = source.path.file_name().map(PathBuf::from).unwrap_or_default();
            let text = match edits.get(&entry.source) {
                None => source.text.to_string(),
                Some(edits) => match apply(&source.text, edits) {
                    Ok(text) => text,
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
        let mut edits = FileEdits::new();
        self.json_refusals(here.module, node);
        if here.dir != here.module.dir {
            moved_folder(here, node, &uses, &mut edits);
        }
        for (name, known) in &node.variables {
            self.drop_variable(here.module, name, &uses, known, &mut edits);
        }
        for literal in &node.literals {
            self.literal(literal, &mut edits);
        }
        let splits = splits_of(node);
        for used in &uses {
            for (unit, split) in &splits {
                if join::names(used, unit) && !used.is_address() {
                    self.join(used, unit, split, &mut edits);
                }
            }
        }
        for (name, child) in &node.calls {
            let Some(call) = here.module.calls.get(name) else { continue };
            let path = here.path.child(name.clone());
            let target = self.config.at(&path);
            if let (Child::Through(inner), Some(target)) = (child, target) {
                let slug = through_slug(inner);
                let dir = self.variant(target, &path, inner, &slug);
                self.repoint(here, call, &dir, &mut edits);
                self.drop_arguments(call, inner, edits.entry(call.decl.block.file).or_default());
            }
        }
        self.statements(here, node, &mut edits);
        self.refuse_cycles(here.module, &uses, &splits);
        for (unit, split) in splits {
            self.split(here, node, &unit, split, &mut edits);
        }
        edits
    }

    fn refuse_cycles(&mut self, module: &Module, uses: &[Use], splits: &[(UnitName, &Split)]) {
        let gates = splits.iter().filter_map(|(name, split)| {
            let gates = &self.units.get(split.unit)?.gates.gates;
            Some((name.clone(), gates.iter().map(|g| g.text.as_str()).collect()))
        });
        let gates: Vec<(UnitName, Vec<&str>)> = gates.collect();
        for unit in cycles::through_gates(module, uses, &gates) {
            let field = splits.iter().find(|(name, _)| *name == unit);
            let field = field.and_then(|(_, split)| self.units.get(split.unit)?.targets.first());
            let why = "What decides between its values depends on it, so that its copies would wait for themselves.";
            let issue = Issue::error(Code::Unsupported, format!("{unit} can't be split"), why)
                .fix("Choose by something that does not come from it.", "");
            self.issues.push(match field {
                Some(field) => issue.about(field.driven.field.to_string()),
                None => issue,
            });
        }
    }

    /// One block per branch in place of the unit's own.
    fn split(&mut self, here: Here<'_>, node: &Node, name: &UnitName, split: &Split, edits: &mut FileEdits) {
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
    fn called(
        &mut self,
        here: Here<'_>,
        name: &str,
        copy: &super::decision::Copied,
        slug: &str,
        own: &mut Vec<Edit>,
    ) {
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
        self.drop_arguments(call, &copy.inner, own);
    }

    /// Takes the arguments away whose variables have gone.
    fn drop_arguments(&mut self, call: &crate::config::Call, inner: &Node, own: &mut Vec<Edit>) {
        let Some(source) = self.config.sources.get(call.decl.block.file) else { return };
        for arg in call.args.iter().filter(|a| inner.variables.contains_key(&a.name.text)) {
            let span = trivia::item_full_lines(&source.text, arg.span);
            replace(own, Edit { span, text: String::new() });
        }
    }

    fn repoint(&mut self, here: Here<'_>, call: &crate::config::Call, dir: &Path, edits: &mut FileEdits) {
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

    fn literal(&mut self, literal: &Literal, edits: &mut FileEdits) {
        let mut own = Vec::new();
        self.own_literal(literal, &mut own);
        for edit in own {
            replace(edits.entry(literal.site.attr.file).or_default(), edit);
        }
    }

    fn own_literal(&mut self, literal: &Literal, own: &mut Vec<Edit>) {
        let attr = &literal.site.attr;
        if literal.site.reading == Reading::References
            && let Some(edits) = item_edits(&attr.expr, &literal.value)
        {
            edits.into_iter().for_each(|edit| replace(own, edit));
            return;
        }
        let span = subst::value_span(&attr.expr, &literal.site.rest);
        match (span, literal.site.reading.text(&literal.value)) {
            (Some(span), Some(text)) if literal.sensitive => {
                replace(own, Edit { span, text: format!("sensitive({text})") });
            }
            (Some(span), Some(text)) => replace(own, Edit { span, text }),
            _ => self.issues.push(
                Issue::error(
                    Code::Unsupported,
                    "a driven field is only part of what its argument gives",
                    "The argument is computed as a whole, so one part of it can't be made a literal.",
                )
                .at(attr.value_place())
                .fix("Write the argument as an object constructor, `{ … }`, with the field in it.", ""),
            ),
        }
    }

    fn join(&mut self, used: &Use, unit: &UnitName, split: &Split, edits: &mut FileEdits) {
        let Some(naming) = self.naming.get(split.unit) else { return };
        let source = self.config.sources.get(used.file).map_or("", |s| &s.text);
        let behind = source.get(used.traversal.span.end as usize..).unwrap_or("");
        match join::edit(used, unit, &naming.names, Shape::of(&naming.repetition), behind) {
            Ok(edit) => replace(edits.entry(used.file).or_default(), edit),
            Err(issue) => self.issues.push(*issue),
        }
    }

    fn drop_variable(
        &mut self,
        module: &Module,
        name: &str,
        uses: &[Use],
        known: &Known,
        edits: &mut FileEdits,
    ) {
        for used in uses {
            if matches!(&used.referent, Referent::Variable(n) if **n == *name)
                && let Some(edit) = subst::known(used, known)
            {
                replace(edits.entry(used.file).or_default(), edit);
            }
        }
        let Some(variable) = module.variables.get(name) else { return };
        for block in std::iter::once(&variable.decl.block).chain(&variable.decl.overrides) {
            let Some(source) = self.config.sources.get(block.file) else { continue };
            let span = with_blank_line(&source.text, trivia::item_full_lines(&source.text, block.span));
            replace(edits.entry(block.file).or_default(), Edit { span, text: String::new() });
        }
    }

    /// Declarations in JSON can be traced but not rewritten.
    fn json_refusals(&mut self, module: &Module, node: &Node) {
        let mut json: Vec<(&Decl, String)> = Vec::new();
        for name in node.calls.keys() {
            json.extend(module.calls.get(name).map(|c| (&c.decl, format!("module.{name}"))));
        }
        for addr in node.resources.keys() {
            json.extend(module.resources.get(addr).map(|r| (&r.decl, addr.to_string())));
        }
        for name in node.variables.keys() {
            json.extend(module.variables.get(name).map(|v| (&v.decl, format!("var.{name}"))));
        }
        for (unit, _) in splits_of(node) {
            let name = unit.to_string();
            for entry in module.files.iter().filter(|f| f.json) {
                let Some(source) = self.config.sources.get(entry.source) else { continue };
                if let Some(at) = source.text.find(&name) {
                    let place = Place { file: entry.source, span: Span::new(at, at + name.len()) };
                    let why = "References in it would have to change, and JSON files are not rewritten.";
                    let issue =
                        Issue::error(Code::Unsupported, format!("a JSON file names {name}"), why).at(place);
                    self.issues.push(issue.fix("Write what refers to it in a `.tf` file.", ""));
                }
            }
        }
        for (decl, what) in json.into_iter().filter(|(d, _)| d.json) {
            let issue = Issue::error(
                Code::Unsupported,
                format!("{what} is declared in JSON"),
                "JSON files can be traced, but not rewritten.",
            );
            self.issues.push(issue.at(decl.place()).fix("Declare it in a `.tf` file.", ""));
        }
    }
}

fn splits_of(node: &Node) -> Vec<(UnitName, &Split)> {
    let calls = node.calls.iter().filter_map(|(name, child)| match child {
        Child::Split(split) => Some((UnitName::Call(name.clone()), split)),
        Child::Through(_) => None,
    });
    calls
        .chain(node.resources.iter().map(|(addr, split)| (UnitName::Resource(addr.clone()), split)))
        .collect()
}

/// A residual that is reached without a gate is named by the values in it.
fn through_slug(node: &Node) -> String {
    let mut slugs: Vec<String> = node.literals.iter().map(|l| naming::slug(&l.value)).collect();
    for child in node.calls.values() {
        match child {
            Child::Through(inner) => slugs.push(through_slug(inner)),
            Child::Split(_) => slugs.push("split".to_owned()),
        }
    }
    slugs.extend(node.resources.values().map(|_| "split".to_owned()));
    slugs.dedup();
    slugs.truncate(4);
    slugs.join("_")
}

pub(super) fn folder_name(module: &Module) -> String {
    let name = module.dir.file_name().map(|n| n.to_string_lossy().into_owned());
    name.filter(|n| !n.is_empty() && n != "..").unwrap_or_else(|| "module".to_owned())
}

/// Why a unit can't be split as it stands.
fn refused(name: &UnitName, decl: &Decl) -> Option<Issue> {
    if let Some(over) = decl.overrides.first() {
        let why = "An override file changes it, and both would have to be rewritten together.";
        let issue = Issue::error(Code::Unsupported, format!("{name} can't be split"), why).at(over.place());
        return Some(issue.fix("Merge the override into the declaration.", ""));
    }
    None
}

/// Terraform takes no sensitive value in `for_each`, which is where the gate of such a unit belongs.
fn secret_keys(unit: &Unit<'_>, naming: &Naming, decl: &Decl) -> Option<Issue> {
    if !unit.sensitive || naming.repetition.for_each.is_none() {
        return None;
    }
    let summary = format!("{} can't be split", unit.name);
    let why =
        "What decides is sensitive, and `for_each`, where the gate would stand, takes nothing sensitive.";
    let issue = Issue::error(Code::Sensitive, summary, why).at(decl.place());
    Some(
        issue.fix(
            "Choose by something that is not sensitive, or take the mark off with `nonsensitive(...)`.",
            "",
        ),
    )
}

/// Adds an edit; one that lies within it gives way.
pub fn replace(edits: &mut Vec<Edit>, edit: Edit) {
    if edits.iter().any(|e| e.span.contains(edit.span) && e.span != edit.span && !e.span.is_empty()) {
        return;
    }
    edits.retain(|e| !edit.span.contains(e.span) || (e.span.is_empty() && e.span.start == edit.span.end));
    edits.push(edit);
}

/// What changes because the folder does: relative sources of other calls, `path.module`.
pub(super) fn moved_folder(here: Here<'_>, node: &Node, uses: &[Use], edits: &mut FileEdits) {
    for (name, call) in &here.module.calls {
        if node.calls.contains_key(name) {
            continue;
        }
        if let (Some(text), Some(attr)) = (call.source_text(), &call.source)
            && (text.starts_with("./") || text.starts_with("../"))
        {
            let target = paths::clean(&here.module.dir.join(text));
            let new = paths::source(here.dir, &target);
            if new != text {
                let text = crate::syntax::emit::string_literal(&new);
                replace(edits.entry(attr.file).or_default(), Edit { span: attr.expr.span, text });
            }
        }
    }
    let dir = directory(here.module);
    for used in uses.iter().filter(|u| u.referent == Referent::Path(PathAttr::Module)) {
        if let Some(edit) = subst::literal(used, &dir) {
            replace(edits.entry(used.file).or_default(), edit);
        }
    }
}

/// What `path.module` is in a module as it stands.
fn directory(module: &Module) -> crate::value::Value {
    let dir = module.dir.to_string_lossy().into_owned();
    crate::value::Value::string(if dir.is_empty() { "." } else { &dir })
}

/// A text with all edits applied.
pub fn apply(text: &str, edits: &[Edit]) -> Result<String, Issue> {
    let mut set = EditSet::default();
    for edit in edits {
        set.replace(edit.span, edit.text.clone()).map_err(|e| broken(&e.to_string()))?;
    }
    set.apply(text).map_err(|e| broken(&e.to_string()))
}

fn broken(why: &str) -> Issue {
    Issue::error(Code::Unsupported, "the changes to a file don't fit together", why)
}

/// A deleted item takes the blank line behind it along.
fn with_blank_line(text: &str, span: Span) -> Span {
    let end = trivia::line_end(text, span.end);
    let blank = text.get(span.end as usize..end as usize).is_some_and(|l| l.trim().is_empty());
    if blank { Span { start: span.start, end } } else { span }
}

/// Whether an expression is this literal already.
pub fn is_literal(literal: &Literal) -> bool {
    literal.site.rest.is_empty() && literal.site.reading.is_plain(&literal.site.attr.expr)
}
