//! Before a command writes: the lock, and what an interrupted run left behind.

use super::{Stop, ephemeral};
use crate::host::{Confined, EntryKind, Host as _, Machine, WriteHost as _};
use crate::issue::{Code, Issue};
use crate::report;
use crate::terraform::signals::uninterrupted;
use crate::text::Sources;
use crate::txn::{ChangeSet, Lock, PHI_DIR, recover};
use std::path::Path;

/// Takes the lock and settles what an interrupted run left. In a tree that can't be written, and in which nothing of
/// ours stands, the fault is given back for when something has to be written.
///
/// # Errors
/// Another run in the same directory; what can't be settled.
pub(super) fn enter(root: &Path) -> Result<Result<Lock, Issue>, Box<Stop>> {
    let has_own = Machine.kind(&root.join(PHI_DIR)) == Some(EntryKind::Dir);
    match acquire(root) {
        Ok(lock) => {
            whole(|| {
                recover(&confined(root)?, root)?;
                ephemeral::put_back(root)
            })?;
            Ok(Ok(lock))
        }
        Err(issue) if has_own || issue.code == Code::Locked => Err(issue.into()),
        Err(issue) => Ok(Err(issue)),
    }
}

fn acquire(root: &Path) -> Result<Lock, Issue> {
    if let Err(e) = Machine.writable(root) {
        let shown = root.display().to_string();
        let why = format!("The directory can't be written: {e}. No file was changed.");
        let issue = Issue::error(Code::Io, format!("can't write in {shown}"), why).in_path(shown);
        return Err(issue.fix("Make it writable for the user who runs tf-phi, or work in a copy.", ""));
    }
    Lock::acquire(root)
}

/// The working directory, which nothing leads out of.
///
/// # Errors
/// Where it can't be opened.
pub(super) fn confined(root: &Path) -> Result<Confined, Issue> {
    Confined::open(root).map_err(|e| {
        let shown = root.display().to_string();
        Issue::error(Code::Io, format!("can't open the folder {shown}: {e}"), "").in_path(shown)
    })
}

/// Writes in one go: a signal that asks us to stop is heard behind it.
///
/// # Errors
/// Those of the work.
pub(super) fn whole<T>(work: impl FnOnce() -> Result<T, Issue>) -> Result<T, Issue> {
    uninterrupted(work).unwrap_or_else(|e| {
        Err(Issue::error(
            Code::Environment,
            format!("signals can't be held back: {e}"),
            "Nothing was written.",
        ))
    })
}

/// Carries a change out, and gives what leads back.
///
/// # Errors
/// Where the tree can't be written; it is as it was then.
pub(super) fn commit(set: &ChangeSet, console: report::Console) -> Result<ChangeSet, Box<Stop>> {
    let done = whole(|| crate::txn::commit(&confined(&set.root)?, set))?;
    if let Some(issue) = done.leftover {
        let issue = Issue { severity: crate::issue::Severity::Warning, ..issue };
        report::issue::print(console, report::issue::Format::Text, &[issue], &Sources::default());
    }
    Ok(done.undo)
}
