//! Before a command writes: the lock, and what an interrupted run left behind.

use crate::host::{self, EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::ops::Stop;
use crate::ops::read::rooted_host::confined;
use crate::ops::run::ephemeral;
use crate::ops::run::write::whole;
use crate::txn::{Lock, PHI_DIR, recover};
use std::path::Path;

/// Takes the lock and settles what an interrupted run left. In a tree that can't be written, and in which nothing of
/// ours stands, the fault is given back for when something has to be written.
///
/// # Errors
/// Another run in the same directory; what can't be settled.
pub fn enter(root: &Path) -> Result<Result<Lock, Issue>, Box<Stop>> {
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

/// The same before a run that may be dry: that takes no lock and settles nothing, and what an interrupted run left, it finds when it reads.
///
/// # Errors
/// As [`enter`].
pub fn enter_unless(is_dry: bool, root: &Path) -> Result<Result<Option<Lock>, Issue>, Box<Stop>> {
    if is_dry { Ok(Ok(None)) } else { Ok(enter(root)?.map(Some)) }
}

fn acquire(root: &Path) -> Result<Lock, Issue> {
    if let Err(e) = host::writable(root) {
        let shown = root.display().to_string();
        let why = format!("The directory can't be written: {e}. No file was changed.");
        let issue = Issue::error(Code::Io, format!("can't write in {shown}"), why).in_path(shown);
        return Err(issue.fix("Make it writable for the user who runs tf-phi, or work in a copy.", ""));
    }
    Lock::acquire(root)
}
