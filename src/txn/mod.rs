//! The only stage that writes the user's tree.
//!
//! Input: a [`ChangeSet`], that is for each path the new content (or none) and what was read there before.
//! Invariant: after [`commit`], after an error of it, and after a crash followed by [`recover`], the tree is
//! byte for byte the old one or the new one, never a mixture; a path that changed since it was read fails the
//! commit; nothing outside the root is ever written, not through a symbolic link either; a set that differs
//! from the tree in nothing writes nothing at all.
//! Deliberately absent: any decision on *what* to write, and any write in place.
//!
//! How: `.phi/journal` is on the disk before the first change. New contents and copies of old ones then stand
//! beside their targets under names that Terraform ignores (`.phi-N.new~`, `.phi-N.old~`), renames put them
//! in place, and renaming the journal to `.phi/journal.committed` is the one moment at which old becomes new.

mod checkout;
mod commit;
mod held;
mod journal;
mod lock;
mod paths;
mod recover;
mod scratch;
mod seal;
mod set;
mod shadow;

pub use crate::config::writable::{PHI_DIR, check_path};
pub use checkout::{Checkout, Content};
pub use commit::{CommitReport, commit};
pub use journal::is_open;
pub use lock::Lock;
pub use recover::{Recovered, recover};
pub use scratch::Scratch;
pub use seal::{is_sealed, seal};
pub use set::{Change, ChangeSet, Planned, Prior};
pub use shadow::Shadow;

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::host::{Confined, EntryKind, Host, WriteHost};
use crate::issue::{Code, Issue};

fn hash(bytes: &[u8]) -> String {
    seal::hex(&Sha256::digest(bytes))
}

/// Returns true if the root has a `.phi` folder.
///
/// A link or a file of that name is refused: what tf-phi keeps would land elsewhere.
fn has_phi(host: &dyn WriteHost, root: &Path) -> Result<bool, Issue> {
    let phi = root.join(PHI_DIR);
    match host.entry(&phi).map_err(|e| io_issue("look at", &phi, &e))? {
        None => Ok(false),
        Some(EntryKind::Dir) => Ok(true),
        Some(_) => Err(not_a_folder(&phi)),
    }
}

fn not_a_folder(phi: &Path) -> Issue {
    let shown = phi.display().to_string();
    Issue::error(Code::Unsupported, format!("{shown} is not a folder"), "tf-phi keeps its records there.")
        .in_path(shown)
        .fix("Move what stands there out of the way.", "")
}

/// A folder that nothing leads out of.
fn confined(root: &Path) -> Result<Confined, Issue> {
    Confined::open(root).map_err(|e| io_issue("open the folder", root, &e))
}

fn canonical_root(host: &dyn Host, root: &Path) -> Result<PathBuf, Issue> {
    host.canonical(root).map_err(|e| io_issue("open the folder", root, &e))
}

/// A temporary folder that nobody else may look into: copies of state and plans hold secrets.
fn private(prefix: &str) -> io::Result<tempfile::TempDir> {
    use std::os::unix::fs::PermissionsExt as _;
    let own = std::fs::Permissions::from_mode(0o700);
    tempfile::Builder::new().prefix(prefix).permissions(own).tempdir()
}

/// An I/O error as an issue that names the path and what to do about the usual causes.
fn io_issue(verb: &str, path: &Path, error: &io::Error) -> Issue {
    let shown = path.display().to_string();
    let issue = Issue::error(Code::Io, format!("can't {verb} {shown}: {error}"), "").in_path(shown);
    match error.kind() {
        io::ErrorKind::PermissionDenied => issue.fix("Make it writable for the user who runs tf-phi.", ""),
        io::ErrorKind::ReadOnlyFilesystem => {
            issue.fix("Work in a copy on a file system that is mounted for writing.", "")
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            issue.fix("Free some space on the file system and run again.", "")
        }
        _ => issue,
    }
}

#[cfg(test)]
mod tests;
