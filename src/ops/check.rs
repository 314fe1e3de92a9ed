//! `tf-phi check`: whether working directories are specialised and up to date.
//!
//! In: directories. Invariants: without `--fix` nothing is written; the move chain is written for each run, so whichever
//! branch it leads to, it counts as up to date. Absent: starting Terraform.

use super::decide::{Decided, Tree, assembled, change_set, decide, tree};
use super::rooted::Rooted;
use super::session::Session;
use super::{DIFFERENT, DONE, FAILED, Outcome, Start, Stop, summary, write};
use crate::config::{Overlay, load_with};
use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::pipeline::holds_sources;
use crate::report::issue::{Format, json, rendered};
use crate::report::summary::{Detail, Summary};
use crate::report::{Group, Reader, Style};
use crate::specialise::{moves, record};
use crate::text::{Sources, shell_word};
use crate::txn::PHI_DIR;
use serde_json::{Value as Json, json as object};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What is said of sources that were not read, or not wholly.
const UNREAD: [Code; 5] = [Code::Io, Code::Outside, Code::Unparsable, Code::TooLarge, Code::TooDeep];

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Directories; none stands for the working directory.
    pub dirs: Vec<PathBuf>,
    /// Every root module below them.
    pub recursive: bool,
    /// Show what would change.
    pub diff: bool,
    /// Write what would change.
    pub fix: bool,
    /// How findings are printed.
    pub format: Format,
}

/// One directory.
struct Checked {
    dir: PathBuf,
    /// What would change, or was written; nothing where it is up to date.
    changes: Vec<PathBuf>,
    fixed: bool,
    /// What was written.
    summary: Option<Summary>,
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
}

/// Runs the command.
///
/// # Errors
/// Directories that can't be listed.
pub fn run(start: &Start, request: &Request) -> Outcome {
    let named = if request.dirs.is_empty() { vec![PathBuf::from(".")] } else { request.dirs.clone() };
    let mut dirs = Vec::new();
    for dir in named {
        if request.recursive {
            dirs.extend(roots(&start.dir, &dir)?);
        } else {
            dirs.push(dir);
        }
    }
    let all: Vec<Checked> = dirs.into_iter().map(|dir| one(start, request, dir)).collect();
    print(start, request, &all);
    let any = |status: &str| all.iter().any(|c| c.status() == status);
    Ok(match (any("issues"), any("would-change")) {
        (true, _) => FAILED,
        (false, true) => DIFFERENT,
        (false, false) => DONE,
    })
}

fn one(start: &Start, request: &Request, dir: PathBuf) -> Checked {
    let start = Start { dir: start.dir.join(&dir), ..start.clone() };
    match changes(&start, request, &dir) {
        Ok((changes, summary, session)) => Checked {
            dir,
            fixed: request.fix,
            changes,
            summary,
            issues: session.issues,
            sources: session.config.sources,
        },
        Err(stop) => {
            let Stop { issues, sources } = *stop;
            Checked { dir, changes: Vec::new(), fixed: false, summary: None, issues, sources }
        }
    }
}

/// The files that differ from what they are to be, and what was written of them.
fn changes(
    start: &Start,
    request: &Request,
    dir: &Path,
) -> Result<(Vec<PathBuf>, Option<Summary>, Session), Box<Stop>> {
    let root = Rooted::new(&start.dir)?.root;
    let lock = if request.fix { Some(write::enter(&root)?) } else { None };
    let mut session = Session::open(start)?;
    let driven = session.driven(start);
    if session.is_idle(&driven) && (!session.asks() || !session.is_blocked()) {
        // What Terraform has to say of the tree is Terraform's business. But what wasn't read may hold a field to be specialised.
        let unread = |i: &Issue| i.is_error() && UNREAD.contains(&i.code);
        let kept = session.issues.iter().filter(|i| session.is_passed_over(i) || unread(i));
        let kept: Vec<Issue> = kept.cloned().collect();
        session.issues = kept;
        return Ok((Vec::new(), None, session));
    }
    if session.is_blocked() {
        return Err(session.stop());
    }
    let mut decided = match decide(&mut session, &driven, &[]) {
        Ok(decided) => decided,
        Err(issues) => {
            session.extend(issues);
            return Err(session.stop());
        }
    };
    session.extend(std::mem::take(&mut decided.warnings));
    let instead = decided.instead.take();
    let keep = session.phi.settings.keep;
    let mut done = keep.then(|| summary::of(&decided, driven.len(), false));
    let tree = if keep {
        reviewed(&session, decided)
    } else {
        // Here the sources are put back after each run.
        let mut tree = session.originals_with_comments();
        tree.insert(PathBuf::from(record::FILE), None);
        tree
    };
    let set = change_set(&session, &tree);
    let changed: Vec<PathBuf> = set.changes.keys().cloned().collect();
    if let Some(text) = instead.filter(|_| holds_sources(changed.iter())) {
        summary::note(start, request.format, &text);
    }
    if request.diff && request.format == Format::Text {
        super::diff::show(start, &session, &tree, dir);
    }
    if let Some(lock) = lock.filter(|_| !changed.is_empty()) {
        let _held = lock?;
        write::commit(&set, start.console)?;
    }
    if let Some(done) = &mut done {
        summary::files(done, &set);
    }
    Ok((changed, done, session))
}

/// The tree with the moves that a check may know of. Those that are there serve as long as the units are the same: they are
/// of the last run's variables, and a check has none.
pub(super) fn reviewed(session: &Session, decided: Decided) -> Tree {
    let path = Path::new(moves::FILE);
    let chain = session.chain();
    let chain = chain.as_deref();
    let ours = session.record.iter().find(|r| r.files.iter().any(|f| f.path == moves::FILE));
    let planned = &decided.specialised.record;
    let replaced = |r: &record::Record| r.services == planned.services && r.units == planned.units;
    if !planned.services.is_empty()
        && decided.specialised.splits.is_empty()
        && session
            .record
            .as_ref()
            .is_some_and(|r| replaced(r) && r.files.iter().all(|f| f.path != moves::FILE))
    {
        // A run has asked state for what services replace.
        return decided.tree;
    }
    if chain.is_none() || ours.is_none_or(|older| older.units != planned.units) {
        let run = (chain, decided.unset.as_ref());
        return tree(session, decided.specialised.finished_without_run(&session.config, &decided.known, run));
    }
    let mut record = decided.specialised.record;
    record.files.retain(|f| f.path != moves::FILE);
    record.files.extend(ours.iter().flat_map(|r| &r.files).find(|f| f.path == moves::FILE).cloned());
    let mut out = assembled(session, decided.specialised.files, record);
    out.remove(path);
    out
}

/// The root modules below a directory: folders with configuration that no other one calls, and those with a `phi.hcl`.
fn roots(base: &Path, dir: &Path) -> Result<Vec<PathBuf>, Issue> {
    let mut found = Vec::new();
    walk(base, dir, &mut found)?;
    let mut called: BTreeSet<PathBuf> = BTreeSet::new();
    for candidate in &found {
        let Ok(host) = Rooted::new(&base.join(candidate)) else { continue };
        let mut forms = vec![Overlay::new()];
        forms.extend(Session::recorded(&base.join(candidate)).ok().map(|s| s.overlay));
        for form in forms {
            let (config, _) = load_with(&host, &form, Path::new(""));
            let below = config.modules.iter().map(|m| m.dir.clone()).filter(|d| !d.as_os_str().is_empty());
            called.extend(below.filter_map(|d| host.canonical(&d).ok()));
        }
    }
    let has_own = |d: &Path| Machine.kind(&base.join(d).join("phi.hcl")).is_some();
    let is_root = |d: &PathBuf| {
        has_own(d) || Machine.canonical(&base.join(d)).is_ok_and(|real| !called.contains(&real))
    };
    Ok(found.into_iter().filter(is_root).collect())
}

fn walk(base: &Path, dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), Issue> {
    let entries = Machine.list(&base.join(dir)).map_err(|e| {
        let shown = dir.display().to_string();
        Issue::error(Code::Io, format!("can't list {shown}: {e}"), "").in_path(shown)
    })?;
    let is_ours = |n: &str| n.ends_with(".tf") || n.ends_with(".tf.json") || n == "phi.hcl";
    if entries.iter().any(|(n, kind)| *kind != EntryKind::Dir && is_ours(n)) {
        found.push(dir.to_path_buf());
    }
    for (name, _) in entries.iter().filter(|(n, kind)| *kind == EntryKind::Dir && !n.starts_with('.')) {
        walk(base, &dir.join(name), found)?;
    }
    Ok(())
}

fn shown(dir: &Path) -> String {
    dir.display().to_string()
}

/// The changed sources; those of tf-phi's own folder are not worth naming.
fn sources_of(checked: &Checked) -> Vec<String> {
    let own = |p: &&PathBuf| !p.starts_with(PHI_DIR);
    let named: Vec<String> = checked.changes.iter().filter(own).map(|p| shown(p)).collect();
    if named.is_empty() { checked.changes.iter().map(|p| shown(p)).collect() } else { named }
}

/// The finding that a directory would change.
fn outdated(checked: &Checked) -> Option<Issue> {
    let files = sources_of(checked);
    let first = files.first().filter(|_| checked.status() == "would-change")?.clone();
    let why = format!("These files would change: {}.", files.join(", "));
    let issue = Issue::error(Code::Outdated, "the tree is not specialised as it would be now", why);
    Some(
        issue
            .in_path(first)
            .fix("Write it:", format!("tf-phi check --fix {}", shell_word(&shown(&checked.dir)))),
    )
}

fn print(start: &Start, request: &Request, all: &[Checked]) {
    let console = start.console;
    match request.format {
        Format::Text => {
            for checked in all {
                let done = checked.summary.as_ref().filter(|_| checked.status() == "fixed");
                // Of many directories their files say enough.
                if let Some(done) = done.filter(|_| all.len() == 1 || start.detail == Detail::Verbose) {
                    summary::print(start, request.format, done, "");
                }
                text(start, checked, console.err);
            }
            if start.detail == Detail::Quiet {
                return;
            }
            let count = |status: &str| all.iter().filter(|c| c.status() == status).count();
            let fixed = count("fixed");
            let noun = if all.len() == 1 { "directory" } else { "directories" };
            let now = if fixed > 0 { format!(", {fixed} of them written now") } else { String::new() };
            console.report(&format!(
                "{} of {} {noun} up to date{now}.\n",
                count("up-to-date") + fixed,
                all.len()
            ));
        }
        Format::Json => {
            let dirs: Vec<Json> = all.iter().map(entry).collect();
            console.print(
                Reader::Json,
                &format!("{:#}\n", object!({ "format_version": "1.0", "directories": dirs })),
            );
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

fn text(start: &Start, checked: &Checked, style: Style) {
    let group = Group { dir: &checked.dir, issues: &checked.issues, sources: &checked.sources };
    start.console.say(&rendered(Format::Text, &[group], style));
    let files = sources_of(checked).join(", ");
    match checked.status() {
        "would-change" => {
            start.console.report(&format!("{}: would change {files}\n", shown(&checked.dir)));
        }
        "fixed" if start.detail != Detail::Quiet => {
            start.console.report(&format!("{}: wrote {files}\n", shown(&checked.dir)));
        }
        _ => {}
    }
}

fn entry(checked: &Checked) -> Json {
    let issues: Vec<Json> = checked.issues.iter().map(|i| json(i, &checked.sources)).collect();
    let changes: Vec<String> = checked.changes.iter().map(|p| shown(p)).collect();
    object!({
        "directory": shown(&checked.dir),
        "status": checked.status(),
        "changes": changes,
        "issues": issues,
    })
}
