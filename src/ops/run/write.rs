//! Writing a change set, which no signal cuts short.

use crate::host::{Confined, Host as _};
use crate::issue::{Code, Issue, Severity};
use crate::ops::Stop;
use crate::ops::read::excluded;
use crate::ops::read::marker::MARKER;
use crate::ops::read::rooted_host::{RootedHost, confined};
use crate::report;
use crate::specialise::moves;
use crate::specialise::record::{self, local};
use crate::terraform::signals::uninterrupted;
use crate::text::Sources;
use crate::txn::{Change, ChangeSet, Planned};
use std::path::Path;

/// Carries a change out, and gives what leads back.
///
/// # Errors
/// Returns an error if the tree can't be written; it is as it was then.
pub fn commit(set: &ChangeSet, console: report::Console) -> Result<ChangeSet, Box<Stop>> {
    judge_moves(set)?;
    let done = whole(|| {
        let host = confined(&set.root)?;
        crate::txn::commit(&host, &with_local_record(&host, set))
    })?;
    if let Some(issue) = done.unrecovered {
        let issue = Issue { severity: Severity::Warning, ..issue };
        report::issue::print(console, report::issue::Format::Text, &[issue], &Sources::default());
    }
    Ok(done.undo)
}

/// Sees to it that a file of moves holds nothing else, whatever it was made from.
fn judge_moves(set: &ChangeSet) -> Result<(), Issue> {
    let Some(Planned { change: Change::Write(bytes), .. }) = set.changes.get(Path::new(moves::FILE)) else {
        return Ok(());
    };
    if moves::is_of_moves(&String::from_utf8_lossy(bytes)) {
        return Ok(());
    }
    let why = "It would hold more than `moved`, `removed` and `import` blocks. Nothing was written.";
    Err(Issue::error(Code::Edited, "a file of moves can't be written", why).in_path(moves::FILE).fix(
        "Look for addresses that are none in the records, and put these back from version control:",
        "git checkout HEAD -- .phi",
    ))
}

/// Says which of the files that stay and have to be committed Git leaves out, with the lines that take them in again.
pub fn warn_of_excluded(host: &RootedHost, console: report::Console) {
    let mut issues = excluded::find_issues(host);
    issues.iter_mut().for_each(|issue| issue.severity = Severity::Warning);
    report::issue::print(console, report::issue::Format::Text, &issues, &Sources::default());
}

/// Adds the last record to changes that stay, in a file that Git ignores. It goes when nothing is on record any more.
fn with_local_record(host: &Confined, set: &ChangeSet) -> ChangeSet {
    let mut all = set.clone();
    let Some(planned) = set.changes.get(Path::new(record::FILE)) else { return all };
    if set.changes.contains_key(Path::new(MARKER)) {
        return all;
    }
    let read = |path: &str| host.read(Path::new(path)).ok();
    let (known, list) = (read(local::FILE), read(local::IGNORE));
    let own_list = list.as_ref().filter(|text| local::is_own_list(text));
    match &planned.change {
        Change::Write(last) => {
            if known.as_ref() != Some(last) {
                all.write(local::FILE, last.clone(), known.as_deref());
            }
            let is_ours = list.is_none() || own_list.is_some_and(|text| text != local::IGNORED.as_bytes());
            if is_ours {
                all.write(local::IGNORE, local::IGNORED, list.as_deref());
            }
        }
        Change::Link { .. } | Change::Delete => {
            known.iter().for_each(|known| all.delete(local::FILE, known));
            own_list.iter().for_each(|own| all.delete(local::IGNORE, own));
        }
    }
    all
}

/// Writes in one go: a signal that asks us to stop is heard behind it.
///
/// # Errors
/// Those of the work.
pub fn whole<T>(work: impl FnOnce() -> Result<T, Issue>) -> Result<T, Issue> {
    uninterrupted(work).unwrap_or_else(|e| {
        Err(Issue::error(
            Code::Environment,
            format!("signals can't be held back: {e}"),
            "Nothing was written.",
        ))
    })
}
