//! tf-phi in process: load, drivers, trace, specialise.

use super::model::{Files, WORKSPACE};
use super::tree::{host_of, record_of, restored};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tf_phi::addr::{FieldAddr, FieldPath};
use tf_phi::config;
use tf_phi::config::variables::{Given, VarOrigin, VarValue, VarValues};
use tf_phi::gate::{GateCache, Prover};
use tf_phi::host::memory::MemoryHost;
use tf_phi::issue::Issue;
use tf_phi::pipeline::{Session, Traces};
use tf_phi::specialise::{Active, Record, Specialised};
use tf_phi::trace::{self, Traced};

/// A field that could have been determined, and was not.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub code: String,
    pub field: String,
    pub why: String,
}

impl Refusal {
    /// Code and reason without the names in it.
    pub fn kind(&self) -> String {
        let mut plain = String::new();
        for (i, part) in self.why.split('`').enumerate() {
            plain.push_str(if i % 2 == 0 { part } else { "…" });
        }
        let words = plain.split_whitespace().map(|w| {
            let named = w.contains('.') && !w.ends_with('.') || w.chars().any(|c| c.is_ascii_digit());
            if named { "…" } else { w }
        });
        format!("{}: {}", self.code, words.collect::<Vec<_>>().join(" "))
    }
}

/// What came of a tree.
pub struct Outcome {
    pub fields: usize,
    pub bounded: usize,
    pub refusals: Vec<Refusal>,
    /// Addresses of which there is never an instance: pins on them are passed over.
    pub idle: Vec<String>,
    /// The specialised form without move chains; nothing where no field is left.
    pub done: Option<Specialised>,
    /// Root variables whose default alone counts.
    pub pinned: Vec<String>,
    /// For each assignment asked: the active copies.
    pub active: Vec<Result<Vec<Vec<Active>>, String>>,
}

/// What went wrong.
#[derive(Debug)]
pub enum Wrong {
    /// The tree is not accepted.
    Issues(Vec<String>),
    /// A field counts as an error.
    Rejected(String),
}

/// An assignment: values of root variables, as text; nothing where the variable is not set.
pub type Assignment = BTreeMap<String, Option<String>>;

/// The workspace that is selected.
pub fn workspace(assignment: &Assignment) -> &str {
    assignment.get(WORKSPACE).and_then(|w| w.as_deref()).map_or("default", |w| w.trim_matches('"'))
}

fn texts(issues: &[Issue]) -> Vec<String> {
    issues.iter().map(|i| format!("{} {} {:?}: {}", i.code, i.summary, i.field, i.why)).collect()
}

pub fn values_of(assignment: &Assignment) -> VarValues {
    let mut out = VarValues::new();
    for (name, text) in assignment.iter().filter(|(name, _)| *name != WORKSPACE) {
        if let Some(text) = text {
            let value = match tf_phi::syntax::parse_expr(text) {
                Ok(expr) => expr,
                Err(e) => panic!("{text}: {e:?}"),
            };
            let value = config::literal::literal(&value).expect("a literal");
            out.insert(
                name.as_str().into(),
                VarValue { given: Given::Value(value), origin: VarOrigin::CommandLine, place: None },
            );
        }
    }
    out
}

/// Runs everything on a tree.
pub fn run(files: &Files, assignments: &[Assignment]) -> Result<Outcome, Wrong> {
    let refused = |issues: &[Issue]| Wrong::Issues(texts(issues));
    let read = super::tree::read(files, super::oracle::version());
    let (session, universes, mut driven) = read.map_err(|issues| refused(&issues))?;
    if !session.issues.is_empty() {
        return Err(refused(&session.issues));
    }
    let fields = driven.len();
    let (mut refusals, mut idle) = (Vec::new(), Vec::new());
    let done = loop {
        let mut traced = Traces::of(&session, &universes, &driven);
        // What is never there may be so only because of what another field needs, that is refused.
        idle.clear();
        let (kept, given_up) = kept(&driven, &traced.traces, &mut refusals, &mut idle)?;
        if given_up || kept.is_empty() {
            idle.clear();
            break None;
        }
        if kept.len() < driven.len() {
            driven = kept;
            continue;
        }
        if kept.len() == idle.len() {
            break None;
        }
        let bounded = traced.traces.iter().filter(|t| matches!(t.result, Traced::Bounded(_))).count();
        match traced.specialise(&session, &driven, "tf-phi soundness") {
            Ok(done) => break Some((done, bounded, traced.assumptions.pinned)),
            Err(issues) => {
                refusals.extend(issues.iter().map(refusal_of));
                let named: Vec<String> =
                    issues.iter().filter_map(|i| i.field.as_ref().map(ToString::to_string)).collect();
                let before = driven.len();
                let fixed = |d: &trace::Driven| d.driver == trace::Driver::Static;
                if driven.iter().any(|d| fixed(d) && named.contains(&d.field.to_string())) {
                    idle.clear();
                    break None;
                }
                driven.retain(|d| !named.contains(&d.field.to_string()));
                if driven.len() == before || driven.is_empty() {
                    idle.clear();
                    break None;
                }
            }
        }
    };
    let fields = fields - idle.len();
    let mut outcome =
        Outcome { fields, bounded: 0, refusals, idle, done: None, pinned: Vec::new(), active: Vec::new() };
    let Some((done, bounded, pinned)) = done else { return Ok(outcome) };
    outcome.bounded = bounded;
    outcome.pinned = pinned.iter().map(ToString::to_string).collect();
    outcome.active = actives(&session, &done, assignments);
    outcome.done = Some(done);
    Ok(outcome)
}

/// The fields that are finite or never there, and whether one is neither for which Terraform accepts no expression.
fn kept(
    driven: &[trace::Driven],
    traces: &[trace::Trace],
    refusals: &mut Vec<Refusal>,
    idle: &mut Vec<String>,
) -> Result<(Vec<trace::Driven>, bool), Wrong> {
    let (mut kept, mut given_up) = (Vec::new(), false);
    for (d, t) in driven.iter().zip(traces) {
        match &t.result {
            Traced::Unbounded(_) if t.never_instantiated => {
                idle.push(FieldAddr { path: FieldPath::default(), ..t.field.clone() }.to_string());
                kept.push(d.clone());
            }
            Traced::Unbounded(reason) => {
                given_up |= d.driver == trace::Driver::Static;
                refusals.push(Refusal {
                    code: reason.code.to_string(),
                    field: t.field.to_string(),
                    why: reason.why.clone(),
                });
            }
            Traced::Rejected(e) => return Err(Wrong::Rejected(format!("{}: {}", t.field, e.message))),
            Traced::Resolved(_) | Traced::Bounded(_) => match trace::issue_of(t) {
                Some(issue) => refusals.push(refusal_of(&issue)),
                None => kept.push(d.clone()),
            },
        }
    }
    Ok((kept, given_up))
}

fn refusal_of(issue: &Issue) -> Refusal {
    Refusal {
        code: format!("specialise:{}", issue.code),
        field: issue.field.clone().unwrap_or_default(),
        why: format!("{}: {}", issue.summary, issue.why),
    }
}

/// The active copies under each assignment.
fn actives(
    session: &Session<MemoryHost>,
    done: &Specialised,
    assignments: &[Assignment],
) -> Vec<Result<Vec<Vec<Active>>, String>> {
    let (config, limits) = (&session.config, session.limits());
    let mut out = Vec::new();
    for assignment in assignments {
        let active = tf_phi::specialise::run_universes(config, &values_of(assignment), workspace(assignment))
            .map_err(|issues| texts(&issues).join("; "))
            .and_then(|universes| {
                let mut tracer =
                    trace::Tracer::new(config, limits, &universes, Default::default(), session.outside());
                let absent = tf_phi::specialise::AbsentInstances::default();
                let found = tf_phi::specialise::active(
                    config,
                    &done.splits,
                    &mut Prover::new(&mut tracer, &mut GateCache::default()),
                    &absent,
                );
                let found: Result<_, tf_phi::specialise::Undecided> = found
                    .into_iter()
                    .map(|unit| unit.run.map(|run| run.into_iter().chain(unit.others).collect()))
                    .collect();
                found.map_err(|u| format!("undecided: {} {}", u.unit, format_args!("{:?}", u.open)))
            });
        out.push(active);
    }
    out
}

/// The tree with the changes in it.
pub fn applied(files: &Files, done: &Specialised) -> Files {
    let mut out = files.clone();
    out.extend(done.files.clone());
    out
}

/// Whether the specialised tree restores to the original, and comes out the same when specialised again.
pub fn stable(files: &Files, specialised: &Specialised, active: &[Vec<Active>]) -> Result<(), String> {
    let done = specialised.clone().finished(active);
    let got = applied(files, &done);
    let record = record_of(&got).ok_or("there is no record")?;
    let back = restored(&got).map_err(|issues| format!("restore: {}", texts(&issues).join("; ")))?;
    if &back != files {
        return Err("restore does not give back what was there".into());
    }
    written_well(files, &got, &record)?;
    let again = match run(&got, &[]) {
        Ok(o) => o.done,
        Err(e) => return Err(format!("a second run fails: {e:?}")),
    };
    let Some(again) = again else { return Err("a second run specialises nothing".into()) };
    let again = again.finished(active);
    let changed: Vec<PathBuf> =
        again.files.iter().filter(|(p, t)| got.get(*p) != Some(t)).map(|(p, _)| p.clone()).collect();
    if changed.is_empty() { Ok(()) } else { Err(format!("a second run changes {changed:?}")) }
}

/// Whether an edit of an argument that nothing drives changes its own line alone, wherever that was written. The argument
/// depends on what may decide, so that a copy could hold its value in place of its text. Nothing where the tree has no such place.
pub fn undriven(files: &Files) -> Result<Option<()>, String> {
    let Some(sites) = undriven_sites(files) else { return Ok(None) };
    let lines = |said: &str| -> Option<Files> {
        let tree = with_undriven(files, &sites, said);
        let done = run(&tree, &[]).ok()?.done?;
        Some(applied(&tree, &done.finished(&[])))
    };
    let (Some(before), Some(after)) = (lines("one"), lines("two")) else { return Ok(None) };
    let source = |path: &&PathBuf| path.extension().is_some_and(|e| e == "tf");
    if before.keys().filter(source).ne(after.keys().filter(source)) {
        return Err("an edit of an undriven argument changes which files there are".into());
    }
    for (path, text) in before.iter().filter(|(p, _)| source(p)) {
        let other = &after[path];
        let same = text.lines().count() == other.lines().count();
        let differ = text.lines().zip(other.lines()).filter(|(a, b)| a != b);
        let strange = |(a, b): &(&str, &str)| {
            let own = |line: &str| line.trim_start().split([' ', '=']).next() == Some(UNDRIVEN);
            !own(a) || !own(b)
        };
        if let Some((a, b)) = differ.into_iter().find(strange).or((!same).then_some(("", ""))) {
            return Err(format!("an edit of an undriven argument changes {}: {a} to {b}", path.display()));
        }
    }
    Ok(Some(()))
}

/// The name of the argument that is added.
const UNDRIVEN: &str = "undriven";

/// A file, a place in it, and what goes there; `%` stands for what is edited.
type Insertion = (PathBuf, usize, String);

/// A module that gets a variable more, and each of its calls an argument.
fn undriven_sites(files: &Files) -> Option<Vec<Insertion>> {
    let (config, _) = config::load(&host_of(files), Path::new(""));
    let name = config.root()?.variables.keys().next().map(|n| format!(" ${{jsonencode(var.{n})}}"));
    'modules: for module in config.modules.iter().skip(1) {
        let Some(file) = module.files.iter().find(|f| !f.json && !f.is_override) else { continue };
        let mut out = Vec::new();
        let path = config.sources.get(file.source)?.path.to_path_buf();
        let text = format!(
            "variable \"{UNDRIVEN}\" {{\n  type = string\n}}\n\nlocals {{\n  {UNDRIVEN}_kept = var.{UNDRIVEN}\n}}\n\n"
        );
        out.push((path, 0, text));
        for at in config.paths_of(module.id) {
            let (outer, call) = at.parent()?;
            let call = config.at(&outer).and_then(|m| m.call(&call));
            let Some(call) = call.filter(|c| !c.decl.json && !c.decl.block.braces.is_empty()) else {
                continue 'modules;
            };
            let block = &call.decl.block;
            let told = if outer.is_root() { name.clone().unwrap_or_default() } else { String::new() };
            let text = format!("\n  {UNDRIVEN} = \"%{told}\"\n");
            let place =
                (config.sources.get(block.file)?.path.to_path_buf(), block.braces.start as usize + 1, text);
            if !out.contains(&place) {
                out.push(place);
            }
        }
        out.sort();
        return Some(out);
    }
    None
}

fn with_undriven(files: &Files, sites: &[Insertion], said: &str) -> Files {
    let mut out = files.clone();
    for (path, at, text) in sites.iter().rev() {
        if let Some(file) = out.get_mut(path) {
            file.insert_str(*at, &text.replace('%', said));
        }
    }
    out
}

/// Whether what was written parses, and holds everything around the recorded passages as it was.
fn written_well(before: &Files, now: &Files, record: &Record) -> Result<(), String> {
    // A module that nothing calls may be no Terraform at all.
    let written =
        now.iter().filter(|(p, t)| p.extension().is_some_and(|e| e == "tf") && before.get(*p) != Some(t));
    for (path, text) in written {
        tf_phi::syntax::parse(text).map_err(|e| format!("{} doesn't parse: {e}", path.display()))?;
    }
    for file in record.files.iter().filter(|f| !f.created) {
        let path = Path::new(&file.path);
        let (Some(old), Some(new)) = (before.get(path), now.get(path)) else { continue };
        let (mut at_old, mut at_new) = (0, 0);
        for piece in &file.replaced {
            // Where no place is on record, its text tells where it is.
            let place = match piece.at {
                0 => new[at_new..].find(&piece.written).map(|found| at_new + found),
                at => Some(at),
            };
            let place = place.filter(|place| new[*place..].starts_with(&piece.written));
            let place = place.ok_or_else(|| format!("{} doesn't hold {:?}", file.path, piece.written))?;
            let around = &new[at_new..place];
            let same = old[at_old..].starts_with(around)
                && old[at_old + around.len()..].starts_with(&piece.original);
            if !same {
                return Err(format!("{} is not what it was around byte {place}", file.path));
            }
            at_old += around.len() + piece.original.len();
            at_new = place + piece.written.len();
        }
        if old[at_old..] != new[at_new..] {
            return Err(format!("{} ends otherwise", file.path));
        }
    }
    Ok(())
}

/// The module calls of a tree: key (`a.b`), folder, and source, as Terraform notes them when it installs modules.
pub fn calls(files: &Files) -> Vec<(String, PathBuf, String)> {
    let (config, _) = config::load(&host_of(files), Path::new(""));
    let mut out = Vec::new();
    for (path, id) in &config.paths {
        let (Some(module), Some((outer, name))) = (config.module(*id), path.parent()) else { continue };
        let source = config.at(&outer).and_then(|m| m.call(&name)?.source.clone());
        let source = source.and_then(|s| match &s.expr.kind {
            tf_phi::syntax::ExprKind::String(text) => Some(text.to_string()),
            _ => None,
        });
        out.push((path.dotted(), module.dir.clone(), source.unwrap_or_default()));
    }
    out
}
