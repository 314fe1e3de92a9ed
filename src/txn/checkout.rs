//! Files of a revision in a folder of their own, so that Terraform may read them.
//!
//! In: files by path, and a working directory whose state and Terraform data stand for the revision's, which has none. Its history is the revision's own:
//! what a plan does depends on it. Invariant:
//! nothing of the user's is written: what is theirs are links, and whoever works here works in a copy ([`super::Scratch`]).
//! Removed when dropped.

use super::{canonical_root, confined, io_issue, private};
use crate::host::{Confined, Host as _, Machine, Mode, WriteHost as _};
use crate::issue::{Code, Issue};
use std::collections::BTreeSet;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

/// Entries that belong to a working directory and to no revision of it.
const KEPT: &[&str] = &["terraform.tfstate", "terraform.tfstate.d", ".terraform", ".terraform.lock.hcl"];

/// The permissions of a file that may be run.
const EXECUTABLE: Mode = Mode::Exactly(0o700);

/// The new content of a path.
#[derive(Clone, Debug)]
pub enum Content {
    /// A file.
    File {
        /// Its contents.
        bytes: Vec<u8>,
        /// True if it may be run.
        executable: bool,
    },
    /// A link to something else among the files.
    Link(PathBuf),
}

/// The folder.
#[derive(Debug)]
pub struct Checkout {
    /// The folder goes with it.
    _temp: tempfile::TempDir,
    dir: PathBuf,
}

impl Checkout {
    /// Writes files into a new folder. `prefix` is the working directory in it, `work` the one whose state is meant.
    ///
    /// # Errors
    /// [`Code::Io`] where something can't be written.
    pub fn new(files: &[(PathBuf, Content)], prefix: &Path, work: &Path) -> Result<Checkout, Issue> {
        let fail = |e: io::Error| Issue::error(Code::Io, format!("can't create a temporary folder: {e}"), "");
        let temp = private("tf-phi-base-").map_err(fail)?;
        let host = &confined(temp.path())?;
        let top = canonical_root(host, temp.path())?;
        let mut made = BTreeSet::from([top.clone()]);
        for (path, content) in files {
            if !path.components().all(|c| matches!(c, Component::Normal(_))) {
                continue;
            }
            let target = top.join(path);
            folder(host, target.parent().unwrap_or(&top), &mut made)?;
            let written = match content {
                Content::File { bytes, executable: false } => host.write_later(&target, bytes, Mode::DEFAULT),
                Content::File { bytes, executable: true } => host.write_later(&target, bytes, EXECUTABLE),
                Content::Link(to) => symlink(to, &target),
            };
            written.map_err(|e| io_issue("write", &target, &e))?;
        }
        let dir = top.join(prefix);
        folder(host, &dir, &mut made)?;
        for name in KEPT {
            link(host, &work.join(name), &dir.join(name))?;
        }
        Ok(Checkout { _temp: temp, dir })
    }

    /// The working directory in it.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

fn folder(host: &Confined, dir: &Path, made: &mut BTreeSet<PathBuf>) -> Result<(), Issue> {
    let missing: Vec<&Path> = dir.ancestors().take_while(|d| !made.contains(*d)).collect();
    for dir in missing.into_iter().rev() {
        host.create_dir(dir).map_err(|e| io_issue("create", dir, &e))?;
        made.insert(dir.to_path_buf());
    }
    Ok(())
}

/// Leads from a name to what stands in the working directory, unless the revision has something of that name.
fn link(host: &Confined, to: &Path, at: &Path) -> Result<(), Issue> {
    let free = host.entry(at).map_err(|e| io_issue("look at", at, &e))?.is_none();
    if !free || Machine.kind(to).is_none() {
        return Ok(());
    }
    symlink(to, at).map_err(|e| io_issue("create", at, &e))
}
