//! `tf-phi restore`: the original sources back.

use super::diff::is_record;
use super::options::Amount;
use super::roots::{self, Asked, Chosen, Purpose, Selection};
use super::{Command, DONE, FAILED, Outcome, Start, Stop, stacks};
use crate::host::{Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::ops::read::committed::read_by_commits;
use crate::ops::read::session::Session;
use crate::ops::run::decide::{change_set, remember};
use crate::ops::run::enter::enter_unless;
use crate::ops::run::write;
use crate::ops::state::home::{HomeFile, find_home, may_be_applied};
use crate::report::issue::Format;
use crate::report::roots::heading;
use crate::specialise::moves::OneSource;
use crate::specialise::record::history;
use crate::specialise::{Record, moves, record};
use crate::txn::{Change, ChangeSet};
use clap::Args;
use std::path::{Path, PathBuf};

/// The arguments of `tf-phi restore`.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// Directories of root modules; none stands for the current one
    #[arg(value_name = "DIR", num_args(0..))]
    dirs: Vec<PathBuf>,
    /// Every root module below the directories
    #[arg(long)]
    recursive: bool,
    /// Show the diff and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    amount: Amount,
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let selection = Selection { recursive: self.recursive, ..Selection::default() };
        let asked = Asked { dirs: self.dirs.clone(), selection, purpose: Purpose::Write, ..Asked::default() };
        match asked.chosen(start, &[])? {
            Chosen::One(dir) => self.restore_root(&roots::at(start, &dir)),
            Chosen::Many(dirs) => self.restore_each(start, &dirs),
        }
    }
}

impl Request {
    /// One after the other. A root that can't be put back doesn't keep the others from it.
    fn restore_each(&self, start: &Start, dirs: &[PathBuf]) -> Outcome {
        let mut ended = Vec::new();
        for dir in dirs {
            let here = roots::at(start, dir);
            let is_there = |file: &str| Machine.kind(&here.dir.join(file)).is_some();
            if ![record::FILE, history::FILE].into_iter().any(is_there) && !is_unrecorded(&here) {
                continue;
            }
            start.note(&format!("{}:", heading(dir)));
            ended.push(here.finish(self.restore_root(&here), Format::Text));
        }
        if ended.is_empty() {
            start.note("nothing to restore: nothing is specialised here.");
        }
        Ok(roots::worst(ended))
    }

    fn restore_root(&self, start: &Start) -> Outcome {
        let root = crate::ops::read::rooted_host::RootedHost::new(&start.dir)?.root;
        let lock = enter_unless(self.dry_run, &root)?;
        if stacks::is_stack(start) {
            let _held = lock.map_err(Box::<Stop>::from)?;
            return stacks::restore_stack(start, &|folder| self.restore_root(folder));
        }
        let mut session = Session::recorded(&start.dir)?;
        if session.record.is_none() {
            session = judge_unrecorded(start, session)?;
        } else if session.is_blocked() && Session::open(start).is_ok_and(|opened| !opened.is_blocked()) {
            // Copies that were edited to what would be written now.
            session.issues.retain(|issue| !issue.is_error());
        }
        if session.record.is_none() && session.history.is_empty() {
            start.console.note("nothing to restore: nothing is specialised here.");
            return Ok(DONE);
        }
        session.judge()?;
        let mut tree = session.originals_with_comments();
        let lost = session.lost(&tree);
        tree.insert(PathBuf::from(record::FILE), None);
        let home = find_home(&Start { form_factor: Some(String::new()), ..start.clone() });
        if !home.is_unknown {
            tree.insert(PathBuf::from(moves::FILE), home.text.clone());
        } else if session.record.iter().flat_map(|r| &r.files).all(|file| file.path != moves::FILE) {
            // The way home that stands there is better than none. Moves of a run lead the other way.
            tree.remove(Path::new(moves::FILE));
        }
        remember(&session, &Record::empty(), &mut tree);
        if self.dry_run {
            super::diff::show(start, &session, &tree, Path::new(""));
            return Ok(DONE);
        }
        let _held = lock.map_err(Box::<Stop>::from)?;
        let set = change_set(&session, &tree);
        write::commit(&set, start.console)?;
        if session.record.is_some() {
            crate::ops::read::modules::settle_originals(&root, Some(start.console));
            start.console.note(&count_restored(&set));
            if !lost.is_empty() {
                start.console.note("comments in what tf-phi wrote went with it:");
                start.console.paste(&lost.join("\n"));
            }
        } else {
            start.console.note("nothing to restore: the originals are in place.");
        }
        let is_due = may_be_applied(&session);
        say_home(start, &home, is_due);
        write::warn_of_excluded(&session.host, start.console);
        Ok(if home.is_unknown && is_due { FAILED } else { DONE })
    }
}

/// Says how many files were put back. Where nothing of a source was replaced any more, what went is named.
fn count_restored(set: &ChangeSet) -> String {
    let is_own = |path: &Path| is_record(path) || path == Path::new(moves::FILE);
    match set.changes.keys().filter(|path| !is_own(path)).count() {
        0 => {
            let gone = set.changes.iter().filter(|(_, planned)| matches!(planned.change, Change::Delete));
            let gone: Vec<String> = gone.map(|(path, _)| path.display().to_string()).collect();
            match gone.is_empty() {
                true => "no source had to be put back.".to_owned(),
                false => format!("no source had to be put back; removed {}.", gone.join(", ")),
            }
        }
        1 => "restored 1 file.".to_owned(),
        files => format!("restored {files} files."),
    }
}

/// Returns the session of a tree without a record: with the last record that there was, if something is specialised.
///
/// # Errors
/// What is specialised and no record explains, and calls of modules that aren't there: they may be copies.
fn judge_unrecorded(start: &Start, recorded: Session) -> Result<Session, Box<Stop>> {
    let mut session = Session::open_partly(start)?;
    let (open, _) =
        std::mem::take(&mut session.issues).into_iter().partition::<Vec<_>, _>(Issue::is_of_unrecorded);
    let add_way = |issue: Issue| match issue.code {
        Code::Missing => issue.fix(
            "If tf-phi wrote what is missing, take it back with its record:",
            "git checkout COMMIT -- . && tf-phi restore",
        ),
        _ => issue,
    };
    if !open.is_empty() {
        return Err(session.stopped(open.into_iter().map(add_way).collect()));
    }
    let told = session.record.as_ref().map(|_| read_by_commits(&recorded.host));
    Ok(told.transpose()?.flatten().unwrap_or(recorded))
}

/// Returns true if something is specialised in a tree without a record, or nobody can tell.
fn is_unrecorded(start: &Start) -> bool {
    let is_edited = |issue: &Issue| issue.is_error() && issue.code == Code::Edited;
    let is_open = |session: Session| session.record.is_some() || session.issues.iter().any(is_edited);
    Session::open_partly(start).map_or(true, is_open)
}

/// Puts the original sources back, without a word, where a run is about to write them anew. The lock of what lies above is held.
///
/// # Errors
/// Files that were edited so that the original text can't be found; a tree that can't be written.
pub(super) fn put_back(start: &Start) -> Result<(), Box<Stop>> {
    let mut session = Session::recorded(&start.dir)?;
    session.judge()?;
    let mut tree = session.originals_with_comments();
    tree.insert(PathBuf::from(record::FILE), None);
    remember(&session, &Record::empty(), &mut tree);
    write::commit(&change_set(&session, &tree), start.console)?;
    crate::ops::read::modules::settle_originals(&session.host.root, None);
    Ok(())
}

/// Says what leads home, and what it can't promise. Where no state may hold anything under the name of a copy, no way has to be found.
fn say_home(start: &Start, home: &HomeFile, is_due: bool) {
    if home.text.is_some() {
        start.console.note(&format!(
            "{} leads every object in state from the name of a copy back to its own address, in every workspace. With it a plain \
             `terraform plan` does what it would have done without tf-phi. Commit it, and keep it until each state has been \
             applied once.",
            moves::FILE
        ));
    }
    if !home.released.is_empty() {
        start.console.note(&format!(
            "a plain `terraform plan` gives these up without destroying them, since they belong to a form factor: {}. `tf-phi plan` under \
             that form factor keeps them.",
            home.released.join(", ")
        ));
    }
    say_gaps(start, home, is_due);
}

/// Says what the way home can't promise, and what Terraform rejects of the originals.
pub(super) fn say_gaps(start: &Start, home: &HomeFile, is_due: bool) {
    for (unit, keys) in &home.open {
        let known = if keys.is_empty() { "none".to_owned() } else { keys.join(", ") };
        start.console.note(&format!(
            "only a state tells which instances of {unit} there are. These have a way home: {known}. If another state has more, \
             run `tf-phi plan` there first, then `tf-phi restore` again."
        ));
    }
    for OneSource { unit, call } in &home.one_source {
        start.console.note(&format!(
            "the way home of {unit} is right beside some sources of {call}, and wrong beside others. Before you go on without tf-phi, run \
             `tf-phi apply` with the values that decide for the source that stays, write that source out in place of the expression, and \
             run `tf-phi restore` again."
        ));
    }
    for issue in &home.issues {
        let what = match (home.is_unknown, is_due) {
            (true, true) => "the way home can't be found",
            (true, false) => "what was put back can't be read",
            (false, _) => "the way home may not be whole",
        };
        start.console.note(&format!("{what}: {}. {}", issue.summary, issue.why));
    }
    if home.is_unknown && is_due {
        start.console.note("mend that, and run `tf-phi restore` again before anybody plans without tf-phi.");
    }
    if !home.rejected.is_empty() {
        start.console.note(&format!(
            "Terraform rejects the sources that were put back, since it takes no expression there: {}. Write literals before you \
             go on without tf-phi.",
            home.rejected.join(", ")
        ));
    }
}
