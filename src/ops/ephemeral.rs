//! Runs that leave the sources as they were.
//!
//! In: what a run would write. The change that specialises also writes a marker, `.phi/ephemeral.json`, with the texts
//! from before: one transaction, so the marker is there exactly as long as there is something to put back. It is put
//! back when Terraform has ended, whatever ended it, and otherwise by the next command. Invariants: signals end nothing
//! in between; what was typed meanwhile is not lost. What stays is the history (`.phi/history.jsonl`). Absent: any decision.

use super::decide::{Tree, change_set as changes};
use super::session::Session;
use super::{Outcome, Stop};
use crate::host::{Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::report::Console;
use crate::specialise::record::{FileRecord, hash, slashed, unslashed};
use crate::specialise::{Record, history, record, restore};
use crate::terraform::signals::Hold;
use crate::txn::{self, Change, ChangeSet, Lock, recover};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The marker, relative to the working directory.
const MARKER: &str = ".phi/ephemeral.json";

#[derive(Serialize, Deserialize)]
struct Marker {
    format_version: String,
    files: Vec<Before>,
    /// Folders that were not there.
    dirs: Vec<String>,
}

/// One file as it was.
#[derive(Serialize, Deserialize)]
struct Before {
    path: String,
    /// Its text; nothing where there was no file.
    before: Option<String>,
    /// The hash of what was written; nothing where it was deleted.
    written: Option<String>,
}

/// What an ephemeral run writes: the specialised tree, the marker, and the history, which stays.
///
/// # Errors
/// A file that is no text.
pub(super) fn change_set(session: &Session, tree: &Tree) -> Result<ChangeSet, Issue> {
    let host = &session.host;
    let mut set = changes(session, tree);
    let mut marker =
        Marker { format_version: record::FORMAT.to_owned(), files: Vec::new(), dirs: Vec::new() };
    let stays =
        |path: &Path| [history::FILE, history::FORMER, history::ATTRIBUTES.0].map(Path::new).contains(&path);
    for (path, planned) in set.changes.iter().filter(|(path, _)| !stays(path)) {
        let text = |bytes: Vec<u8>| {
            let why = "What is put back later has to be text.";
            let issue = Issue::error(Code::Unsupported, format!("{} is not UTF-8", path.display()), why);
            String::from_utf8(bytes).map_err(|_| issue)
        };
        let before = host.read(path).ok().map(text).transpose()?;
        let written = match &planned.change {
            Change::Write(bytes) => Some(hash(&text(bytes.clone())?)),
            Change::Delete => None,
        };
        let missing = path.ancestors().skip(1).filter(|d| !d.as_os_str().is_empty());
        let missing = missing.filter(|d| host.kind(d).is_none()).map(slashed);
        marker.dirs.extend(missing);
        marker.files.push(Before { path: slashed(path), before, written });
    }
    if !marker.files.is_empty() {
        let text = serde_json::to_string_pretty(&marker).unwrap_or_default();
        set.write(MARKER, text, None);
    }
    Ok(set)
}

/// Writes, lets Terraform run, and puts back.
///
/// # Errors
/// Those of the work; a file that can't be put back.
pub(super) fn during(
    root: &Path,
    set: &ChangeSet,
    console: Console,
    work: impl FnOnce() -> Outcome,
) -> Outcome {
    let hold = Hold::new().map_err(|e| {
        Issue::error(Code::Environment, format!("signals can't be held back: {e}"), "Nothing was written.")
    })?;
    super::write::commit(set, console)?;
    // Asked to stop before Terraform was there to hear it.
    let outcome = match hold.received() {
        Some(signal) => Ok(u8::try_from(128 + signal).unwrap_or(super::FAILED)),
        None => work(),
    };
    let back = put_back(root);
    match (outcome, back) {
        (outcome, Ok(_)) => outcome,
        (Ok(_), Err(issue)) => Err(issue.into()),
        (Err(mut stop), Err(issue)) => {
            stop.issues.push(issue);
            Err(stop)
        }
    }
}

/// Puts back what an ephemeral run that was killed left, unless another run is at it.
///
/// # Errors
/// Where that can't be done.
pub(super) fn settle(root: &Path) -> Result<(), Box<Stop>> {
    if Machine.kind(&root.join(MARKER)).is_none() {
        return Ok(());
    }
    match Lock::acquire(root) {
        Ok(_lock) => {
            recover(&Machine, root)?;
            put_back(root)?;
            Ok(())
        }
        Err(issue) if issue.code == Code::Locked => Ok(()),
        Err(issue) => Err(issue.into()),
    }
}

/// Puts the sources back as the marker says, where there is one. The lock is the caller's.
///
/// # Errors
/// [`Code::Edited`] where a file was changed so that what was there before can't be told.
pub(super) fn put_back(root: &Path) -> Result<(), Issue> {
    let read = |path: &Path| Machine.read(&root.join(path)).ok();
    let Some(bytes) = read(Path::new(MARKER)) else { return Ok(()) };
    let marker: Marker = serde_json::from_slice(&bytes).map_err(|e| unreadable(&e.to_string()))?;
    let written = read(Path::new(record::FILE)).map(|b| String::from_utf8_lossy(&b).into_owned());
    // Where a kept specialised tree stood before, an edit of what stands now is no edit of that.
    let fresh = marker.files.iter().all(|f| f.path != record::FILE || f.before.is_none());
    let written = written.filter(|_| fresh).and_then(|t| Record::parse(&t).ok());
    let mut set = ChangeSet::new(root);
    set.own_dirs.extend(marker.dirs.iter().map(|d| unslashed(d)));
    for file in &marker.files {
        let path: PathBuf = unslashed(&file.path);
        let now = read(&path);
        let recorded = written.as_ref().and_then(|r| r.file(&path));
        match before(file, now.as_deref(), recorded)? {
            Some(text) => set.write(&path, text, now.as_deref()),
            None => {
                if let Some(now) = &now {
                    set.delete(&path, now);
                }
            }
        }
    }
    set.delete(MARKER, &bytes);
    txn::commit(&Machine, &set)?;
    super::modules::settle_originals(root, None);
    Ok(())
}

/// What a file is to hold again, with what was typed meanwhile.
fn before(file: &Before, now: Option<&[u8]>, recorded: Option<&FileRecord>) -> Result<Option<String>, Issue> {
    let now = now.map(|b| String::from_utf8_lossy(b).into_owned());
    if now == file.before {
        return Ok(now);
    }
    if now.as_deref().map(hash) == file.written {
        return Ok(file.before.clone());
    }
    let typed = now.as_ref().zip(recorded).filter(|(_, r)| !r.created);
    let Some(text) = typed.and_then(|(now, r)| restore::original(r, now).ok()) else {
        let why = "It was edited while Terraform ran, or after a run that was killed, and what it held before can't be \
                   put together with the edit.";
        let issue = Issue::error(Code::Edited, format!("{} can't be put back", file.path), why);
        let issue = issue.in_path(file.path.clone());
        return Err(issue.fix(format!("Take the edit back; what stood there before is in {MARKER}."), ""));
    };
    Ok(Some(text))
}

fn unreadable(why: &str) -> Issue {
    let summary = "the sources from before an ephemeral run can't be read";
    Issue::error(Code::Edited, summary, format!("{why}."))
        .in_path(MARKER)
        .fix("Put the sources back from version control, and remove the file:", format!("rm {MARKER}"))
}
