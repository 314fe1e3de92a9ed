//! Whether a record may be believed: that what it says tf-phi wrote is what tf-phi writes.
//!
//! In: a working directory that was read. Out: a finding where anything else stands there, or where nobody can tell. Commands that only read see the originals that a
//! record tells. A record that names a file of the tree as one that tf-phi wrote hides that file from them, and one that names another original shows that in its place.
//! Invariant: nothing is written and nothing is started. Absent on purpose: which of both is right.

use super::decide::{change_set, reviewed};
use crate::config::paths::shown;
use crate::issue::{Code, Issue, Severity};
use crate::ops::read::session::Session;
use crate::ops::{Start, Stop};
use crate::pipeline::{Decided, Tree, find_way_home_to_original};
use crate::specialise::record::history;
use crate::specialise::{moves, record};
use crate::text::list_first;
use std::path::{Path, PathBuf};

/// What is on record, and no source.
const RECORDS: [&str; 4] = [record::FILE, history::FILE, history::FORMER, history::ATTRIBUTES.0];

/// More files aren't named.
const MOST_NAMED: usize = 8;

/// The finding, as a warning; nothing where there is no record, or it is as it would be written now.
pub fn find_doubt(start: &Start, session: &Session) -> Option<Issue> {
    let is_on_record = session.record.as_ref().is_some_and(|record| !record.files.is_empty());
    if !is_on_record || session.is_blocked() {
        return None;
    }
    let summary = "what stands in the tree is not what tf-phi would write";
    // The folder of a Stack has no record of its own.
    let found = if session.config.is_stack() { Ok(name_recorded(session)) } else { find_changes(start) };
    let (why, fix) = match found {
        Ok(files) if files.is_empty() => return None,
        Ok(files) => {
            let shown_names: Vec<String> = files.iter().map(|path| shown(path)).collect();
            start.console.kept_back.keep_names(shown_names.iter().map(String::as_str));
            let why = format!(
                "The sources are read as they were before tf-phi changed them. Only the record tells that. These files are not what tf-phi would \
                 write from there, so that what they hold is not looked at: {}.",
                list_first(&shown_names, MOST_NAMED)
            );
            (why, ("See what would change:", "tf-phi check --diff"))
        }
        Err(stop) => {
            let first = stop.issues.iter().find(|issue| issue.is_error());
            let first = first.map_or_else(String::new, |issue| format!(" {}.", issue.summary));
            let why = format!(
                "The sources are read as they were before tf-phi changed them. Only the record tells that. Whether tf-phi wrote what it names \
                 can't be found out.{first}"
            );
            (why, ("See why:", "tf-phi check"))
        }
    };
    Some(Issue::warning(Code::Outdated, summary, why).in_path(record::FILE).fix(fix.0, fix.1))
}

/// The finding as one that counts.
pub fn as_error(issue: Issue) -> Issue {
    Issue { severity: Severity::Error, ..issue }
}

/// The files that a record names.
fn name_recorded(session: &Session) -> Vec<PathBuf> {
    session.record.iter().flat_map(|record| &record.files).map(|file| record::unslashed(&file.path)).collect()
}

/// The sources that differ from what they are to be.
fn find_changes(start: &Start) -> Result<Vec<PathBuf>, Box<Stop>> {
    let (mut session, driven) = Session::unblocked(start)?;
    let decided = session.decide(&driven, &[])?;
    let tree = between_runs(&mut session, decided);
    let set = change_set(&session, &tree);
    Ok(set.changes.into_keys().filter(|path| RECORDS.iter().all(|own| path != Path::new(own))).collect())
}

/// The tree as it is to be between two runs.
pub fn between_runs(session: &mut Session, decided: Decided) -> Tree {
    if session.phi.settings.keeps() {
        return reviewed(session, decided);
    }
    // Here the sources are put back after each run.
    let way = find_way_home_to_original(session);
    let mut tree = session.originals_with_comments();
    tree.insert(PathBuf::from(record::FILE), None);
    tree.insert(PathBuf::from(moves::FILE), crate::ops::state::home::text_of(session, &way));
    tree
}
