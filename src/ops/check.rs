//! `tf-phi check`: whether working directories are specialised and up to date.
//!
//! In: directories. Invariants: without `--fix` nothing is written; the move chain is written for each run, so whichever
//! branch it leads to, it counts as up to date. Absent: starting Terraform.

use super::diff::is_record;
use super::options::{Amount, Findings};
use super::roots::{self, Asked, Purpose};
use super::{Command, DIFFERENT, DONE, FAILED, Outcome, Start, Stop};
use crate::issue::{Code, Issue, Severity};
use crate::ops::read::excluded;
use crate::ops::read::merge::{find_unmerged, merge_originals};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::as_recorded::between_runs;
use crate::ops::run::decide::change_set;
use crate::ops::run::enter::enter;
use crate::ops::run::{outdated, summary, write};
use crate::pipeline::holds_sources;
use crate::report::issue::{Format, json, rendered};
use crate::report::summary::{Detail, Summary};
use crate::report::{Group, Style};
use crate::specialise::record;
use crate::text::{Place, Sources, shell_path, shell_word};
use crate::txn::{Change, ChangeSet, Lock};
use clap::Args;
use serde_json::{Value as Json, json as object};
use std::path::{Path, PathBuf};

/// The codes of sources that couldn't be read completely.
const UNREAD: [Code; 8] = [
    // A list of installed modules that can't be read, or that leads elsewhere.
    Code::Environment,
    Code::Io,
    Code::Outside,
    Code::Unparsable,
    Code::TooLarge,
    Code::TooDeep,
    // A folder that isn't there, a copy without its record.
    Code::Missing,
    Code::Edited,
];

/// The arguments of `tf-phi check`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit status: 0 where everything is up to date, 3 where something would change, 1 for stack issues. \
    Without the values of a run the move chain is not compared."
)]
pub struct Request {
    #[command(flatten)]
    roots: Asked,
    /// Show what would change
    #[arg(long)]
    diff: bool,
    /// Write what would change
    #[arg(long)]
    fix: bool,
    #[command(flatten)]
    findings: Findings,
    #[command(flatten)]
    amount: Amount,
}

/// One directory.
#[derive(Default)]
struct Checked {
    dir: PathBuf,
    /// The paths that would change, or were written; empty if the directory is up to date.
    changes: Vec<PathBuf>,
    /// Those of them that go.
    removed: Vec<PathBuf>,
    fixed: bool,
    /// The summary of the run, if it wrote.
    summary: Option<Summary>,
    /// The patch, if it is asked for.
    patch: String,
    /// A note for the user.
    note: Option<String>,
    /// The place of the edit that makes the directory out of date.
    edited: Option<Place>,
    issues: Vec<Issue>,
    sources: Sources,
}

impl Checked {
    fn status(&self) -> &'static str {
        match (self.issues.iter().any(Issue::is_error), self.changes.is_empty()) {
            (true, _) => "issues",
            (false, true) => "up-to-date",
            (false, false) if self.fixed => "fixed",
            (false, false) => "would-change",
        }
    }

    /// Adds what was written to put the originals of a merge together, before anything was specialised.
    fn add_merged(&mut self, merged: Option<ChangeSet>) {
        for (path, planned) in merged.into_iter().flat_map(|set| set.changes) {
            if self.changes.contains(&path) {
                continue;
            }
            if matches!(planned.change, Change::Delete) {
                self.removed.push(path.clone());
            }
            self.changes.push(path);
        }
        self.changes.sort();
    }
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let purpose = if self.fix { Purpose::Write } else { Purpose::Read };
        let dirs = Asked { purpose, ..self.roots.clone() }.chosen(start, &[])?.dirs();
        // Two roots may share the folder that copies of a module are written to.
        let jobs = if self.fix { Some(1) } else { self.roots.jobs };
        let all: Vec<Checked> =
            roots::each(start, jobs, &dirs, "checking", |at, dir| one(start, at, self, dir.to_owned()));
        print(start, self, &all);
        if all.is_empty() {
            start.note(&self.roots.none());
        }
        let any = |status: &str| all.iter().any(|c| c.status() == status);
        Ok(match (any("issues"), any("would-change")) {
            (true, _) => FAILED,
            (false, true) => DIFFERENT,
            (false, false) => DONE,
        })
    }
}

fn one(from: &Start, start: &Start, request: &Request, dir: PathBuf) -> Checked {
    match changes(from, start, request, &dir) {
        Ok((found, mut session)) => {
            session.extend(find_excluded(request, &session));
            Checked { issues: session.issues, sources: session.config.sources, dir, ..found }
        }
        Err(stop) => {
            let Stop { issues, sources } = *stop;
            Checked { dir, issues, sources, ..Checked::default() }
        }
    }
}

/// Finds what Git leaves out of the files that have to be committed. A tree whose clones stop isn't up to date; a run that wrote it is done all the same.
fn find_excluded(request: &Request, session: &Session) -> Vec<Issue> {
    if session.config.is_stack() {
        return Vec::new();
    }
    let mut found = excluded::find_issues(&session.host);
    found.iter_mut().filter(|_| request.fix).for_each(|issue| issue.severity = Severity::Warning);
    found
}

/// The files that differ from what they are to be, and what was written of them. `from` is where the command was started.
fn changes(
    from: &Start,
    start: &Start,
    request: &Request,
    dir: &Path,
) -> Result<(Checked, Session), Box<Stop>> {
    let root = RootedHost::new(&start.dir)?.root;
    let lock = if request.fix { Some(enter(&root)?) } else { None };
    if super::stacks::is_stack(start) {
        return of_stack(from, start, request, dir);
    }
    let (mut session, merged) = match &lock {
        Some(lock) => open_merged(start, lock)?,
        None => (Session::open(start)?, None),
    };
    let driven = session.driven(start);
    let driven = session.copied(driven);
    if session.is_idle(&driven) && (!session.asks() || !session.is_blocked()) {
        // What Terraform has to say of the tree is Terraform's business. But what wasn't read may hold a field to be specialised.
        let unread = |i: &Issue| i.is_error() && UNREAD.contains(&i.code);
        let kept = session.issues.iter().filter(|i| session.is_passed_over(i) || unread(i));
        let kept: Vec<Issue> = kept.cloned().collect();
        session.issues = kept;
        let mut found = Checked { fixed: request.fix, ..Checked::default() };
        found.add_merged(merged);
        return Ok((found, session));
    }
    session.judge()?;
    let mut decided = session.decide(&driven, &[])?;
    session.extend(std::mem::take(&mut decided.warnings));
    let instead = decided.instead.take();
    let keep = session.phi.settings.keeps();
    let done = keep.then(|| summary::of(&session, &decided, &driven, false));
    let tree = between_runs(&mut session, decided);
    let set = change_set(&session, &tree);
    let mut changes: Vec<PathBuf> = set.changes.keys().cloned().collect();
    // A record with the lines of both sides of a merge serves, where the files are as they are to be. What is written next mends it.
    let is_merged = session.record.as_ref().is_some_and(|record| record.is_merged && !record.is_local);
    let removed = set.changes.iter().filter(|(_, planned)| matches!(planned.change, Change::Delete));
    let removed = removed.map(|(path, _)| path.clone()).collect();
    let is_of_merge = is_merged && changes.iter().eq([Path::new(record::FILE)]);
    if is_of_merge && !request.fix {
        changes.clear();
    }
    let note = instead.filter(|_| holds_sources(changes.iter()));
    // Nothing is said of units where a record alone is written.
    let done = done.filter(|_| changes.is_empty() || changes.iter().any(|path| !is_record(path)));
    let note = note.or_else(|| is_of_merge.then(|| note_merged(request)));
    let shows = request.diff && request.findings.format() == Format::Text;
    let patch = if shows { super::diff::patch(from, &session, &tree, dir) } else { String::new() };
    let edited = if request.fix { None } else { outdated::place(&mut session, &tree, &set) };
    if let Some(lock) = lock.filter(|_| !changes.is_empty()) {
        let _held = lock?;
        write::commit(&set, start.console)?;
    }
    let done = done.map(|mut done| {
        summary::files(&mut done, &set);
        done
    });
    let mut found = Checked {
        changes,
        removed,
        fixed: request.fix,
        summary: done,
        patch,
        note,
        edited,
        ..Checked::default()
    };
    found.add_merged(merged);
    Ok((found, session))
}

/// What is said of a record with the lines of both sides of a merge, which serves as it is.
fn note_merged(request: &Request) -> String {
    let what = format!("{} has the lines of both sides of a merge", record::FILE);
    match request.fix {
        true => format!("{what}, and is written in order: it said the same before."),
        false => format!(
            "{what}, which serves. `tf-phi check --fix` writes it in order, and so does the next run."
        ),
    }
}

/// Opens a root module. Where a merge left what can't be told, its originals are put together first; what this wrote is returned as well.
fn open_merged(start: &Start, lock: &Result<Lock, Issue>) -> Result<(Session, Option<ChangeSet>), Box<Stop>> {
    let is_fault = |issue: &Issue| issue.is_error() && matches!(issue.code, Code::Edited | Code::Unparsable);
    let opened = Session::open(start);
    let is_at_fault = match &opened {
        Ok(session) => session.issues.iter().any(is_fault),
        Err(stop) => stop.issues.iter().any(is_fault),
    };
    if !is_at_fault && !is_unmerged(start) {
        return Ok((opened?, None));
    }
    let host = RootedHost::new(&start.dir)?;
    let here = Session::recorded(&start.dir).ok();
    if let Some(merged) = merge_originals(&host, here.as_ref()) {
        if let Err(issue) = lock {
            return Err(issue.clone().into());
        }
        write::commit(&merged.set, start.console)?;
        let conflicts = merged.find_conflicts();
        if !conflicts.is_empty() {
            return Err(Box::new(Stop { issues: conflicts, sources: Sources::default() }));
        }
        return Ok((Session::open(start)?, Some(merged.set)));
    }
    Ok((opened?, None))
}

/// Returns true if Git couldn't merge a file that tf-phi reads. One that it left as it was on one side may be nothing's fault.
fn is_unmerged(start: &Start) -> bool {
    RootedHost::new(&start.dir).is_ok_and(|host| !find_unmerged(&host.root).is_empty())
}

/// The same of a Stack: the folders of its deployments that were written. The lock is the caller's.
fn of_stack(
    from: &Start,
    start: &Start,
    request: &Request,
    dir: &Path,
) -> Result<(Checked, Session), Box<Stop>> {
    let mut session = Session::open_partly(start)?;
    let mut all = super::stacks::deployed(start, &mut session)?;
    let mut found = Checked { fixed: request.fix, ..Checked::default() };
    for deployed in &mut all {
        found.changes.extend(deployed.tree.keys().cloned());
        found
            .removed
            .extend(deployed.tree.iter().filter(|(_, text)| text.is_none()).map(|(path, _)| path.clone()));
        if request.diff && request.findings.format() == Format::Text {
            found.patch.push_str(&super::diff::patch(from, &session, &deployed.tree, dir));
        }
        if request.fix {
            deployed.write()?;
        }
    }
    session.issues.clear();
    Ok((found, session))
}

fn shown(dir: &Path) -> String {
    dir.display().to_string()
}

/// The changed sources; records are not worth naming.
fn sources_of(checked: &Checked) -> Vec<String> {
    let sources = checked.changes.iter().filter(|path| !is_record(path));
    let named: Vec<String> = sources.map(|path| shown(path)).collect();
    if named.is_empty() { checked.changes.iter().map(|p| shown(p)).collect() } else { named }
}

/// Splits the changed sources into those that are written and those that go.
fn split_removed(checked: &Checked) -> (Vec<String>, Vec<String>) {
    let is_removed = |name: &String| checked.removed.iter().any(|path| shown(path) == *name);
    let (removed, written) = sources_of(checked).into_iter().partition(is_removed);
    (written, removed)
}

/// Says what is done to the changed sources: what is written, and what goes.
fn say_changes(checked: &Checked, write: &str, remove: &str) -> String {
    let (written, removed) = split_removed(checked);
    let parts = [(write, written), (remove, removed)];
    let parts = parts.iter().filter(|(_, files)| !files.is_empty());
    parts.map(|(verb, files)| format!("{verb} {}", files.join(", "))).collect::<Vec<_>>().join("; ")
}

/// The finding that a directory would change, where it was edited.
fn outdated(checked: &Checked) -> Option<Issue> {
    let first = sources_of(checked).first().filter(|_| checked.status() == "would-change")?.clone();
    let (written, removed) = split_removed(checked);
    let why = [("These files would change", written), ("These files would be removed", removed)];
    let why = why.iter().filter(|(_, files)| !files.is_empty());
    let why =
        why.map(|(what, files)| format!("{what}: {}.", files.join(", "))).collect::<Vec<_>>().join("\n");
    let issue = Issue::error(Code::Outdated, "the tree is not specialised as it would be now", why);
    let issue = match checked.edited {
        Some(place) => issue.at(place),
        None => issue.in_path(first),
    };
    Some(issue.fix("Write it:", "tf-phi check --fix"))
}

/// The command that writes what would change.
fn fix(start: &Start, dir: &Path) -> String {
    let chdir =
        start.chdir.as_ref().map(|chdir| format!(" {}", shell_word(&format!("-chdir={}", shown(chdir)))));
    let dir = (dir != Path::new(".")).then(|| format!(" {}", shell_path(&shown(dir))));
    format!("tf-phi{} check --fix{}", chdir.unwrap_or_default(), dir.unwrap_or_default())
}

fn print(start: &Start, request: &Request, all: &[Checked]) {
    let console = start.console;
    match request.findings.format() {
        Format::Text => {
            for checked in all {
                if let Some(note) = &checked.note {
                    summary::note(start, request.findings.format(), note);
                }
                console.hand_on(console.diff_reader(), &checked.patch);
                let done = checked.summary.as_ref().filter(|_| checked.status() == "fixed");
                // Of many directories their files say enough.
                if let Some(done) = done.filter(|_| all.len() == 1 || start.detail == Detail::Verbose) {
                    summary::print(start, request.findings.format(), done, "");
                }
                text(start, checked);
            }
            if start.detail == Detail::Quiet {
                return;
            }
            let count = |status: &str| all.iter().filter(|c| c.status() == status).count();
            let fixed = count("fixed");
            let noun = if all.len() == 1 { "directory" } else { "directories" };
            let now = if fixed > 0 { format!(" ({fixed} updated)") } else { String::new() };
            console.report(&format!(
                "{} of {} {noun} up to date{now}.\n",
                count("up-to-date") + fixed,
                all.len()
            ));
        }
        Format::Json => {
            let dirs: Vec<Json> = all.iter().map(entry).collect();
            console.json(&object!({ "format_version": "1.0", "directories": dirs }));
        }
        format => {
            let issues: Vec<Vec<Issue>> =
                all.iter().map(|c| c.issues.iter().cloned().chain(outdated(c)).collect()).collect();
            let groups: Vec<Group<'_>> = all
                .iter()
                .zip(&issues)
                .map(|(c, issues)| Group { dir: &c.dir, issues, sources: &c.sources })
                .collect();
            console.print(format.reader(), &rendered(format, &groups, Style::Plain));
        }
    }
}

fn text(start: &Start, checked: &Checked) {
    let style = start.console.err;
    let group = Group { dir: &checked.dir, issues: &checked.issues, sources: &checked.sources };
    start.console.say(&rendered(Format::Text, &[group], style));
    match checked.status() {
        "would-change" => {
            let (dir, fix) = (shown(&checked.dir), fix(start, &checked.dir));
            let changes = say_changes(checked, "would change", "would remove");
            start.console.report(&format!("{dir}: {changes}; to write it: {fix}\n"));
        }
        "fixed" if start.detail != Detail::Quiet => {
            let changes = say_changes(checked, "wrote", "removed");
            start.console.report(&format!("{}: {changes}\n", shown(&checked.dir)));
        }
        _ => {}
    }
}

fn entry(checked: &Checked) -> Json {
    let issues: Vec<Json> = checked.issues.iter().map(|i| json(i, &checked.sources)).collect();
    object!({
        "directory": shown(&checked.dir),
        "status": checked.status(),
        "changes": sources_of(checked),
        "issues": issues,
    })
}
