//! The trees in which root modules are looked for: the work tree, and a revision.
//!
//! In: a path as it is named. Out: its place, what is listed there, and the root module that it would be. A revision is read as the work tree
//! is, so that what was a root module there is found by the same rules.

use crate::config::paths;
use crate::host::{EntryKind, Host, Machine};
use crate::issue::Issue;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session;
use crate::pipeline::Session;
use crate::terraform::git::{Commit, Revision};
use std::io;
use std::path::{Path, PathBuf};

/// The use that is made of root modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::ops) enum Purpose {
    /// They are looked at.
    #[default]
    Read,
    /// Something is written into them.
    Write,
}

/// A folder with a configuration, or with a `phi.hcl`.
pub(super) struct Found {
    /// Its path, as the folder above it was named.
    pub dir: PathBuf,
    /// True if it has a `phi.hcl`.
    pub has_phi: bool,
    /// True if there are variable files in it, or below it where no other configuration is.
    pub has_values: bool,
}

/// A tree whose root modules are looked for.
pub(super) trait Tree: Sync {
    /// The host of one root module.
    type Root: Host + Clone;

    /// Returns the host whose relative paths are those of the directories.
    fn host(&self) -> &Self::Root;

    /// Lists a directory.
    ///
    /// # Errors
    /// As the host gives them.
    fn list(&self, dir: &Path) -> io::Result<Vec<(String, EntryKind)>>;

    /// Returns a path, absolute and without links; as far as they are known where nothing stands there.
    fn place(&self, path: &Path) -> PathBuf;

    /// Opens a directory as a root module; nothing where it can't be opened.
    fn open(&self, dir: &Path) -> Option<Self::Root>;

    /// Reads the record of a root module; nothing where it can't be read.
    fn recorded(&self, dir: &Path) -> Option<Session<Self::Root>>;
}

/// The work tree. Directories count from where the command was started.
pub(super) struct WorkTree {
    base: PathBuf,
    host: RootedHost,
}

impl WorkTree {
    /// Opens the work tree where the command was started.
    ///
    /// # Errors
    /// Fails if there is no such folder.
    pub fn at(base: &Path) -> Result<WorkTree, Issue> {
        Ok(WorkTree { base: base.to_owned(), host: RootedHost::new(base)? })
    }
}

impl Tree for WorkTree {
    type Root = RootedHost;

    fn host(&self) -> &RootedHost {
        &self.host
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        Machine.list(&self.base.join(dir))
    }

    fn place(&self, path: &Path) -> PathBuf {
        let path = paths::join(&self.host.root, path);
        Machine.canonical(&path).unwrap_or(path)
    }

    fn open(&self, dir: &Path) -> Option<RootedHost> {
        RootedHost::new(&self.base.join(dir)).ok()
    }

    fn recorded(&self, dir: &Path) -> Option<session::Session> {
        session::Session::recorded(&self.base.join(dir)).ok()
    }
}

/// A revision. Directories count from the top of its work tree.
pub(super) struct Past {
    commit: Commit,
    host: Revision,
}

impl Past {
    /// Takes a revision's whole tree.
    pub fn of(commit: &Commit) -> Past {
        Past { commit: commit.clone(), host: commit.folder(commit.top(), Path::new("")) }
    }
}

impl Tree for Past {
    type Root = Revision;

    fn host(&self) -> &Revision {
        &self.host
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        self.host.list(dir)
    }

    fn place(&self, path: &Path) -> PathBuf {
        self.host.canonical(path).unwrap_or_else(|_| paths::join(self.commit.top(), path))
    }

    fn open(&self, dir: &Path) -> Option<Revision> {
        let found = self.commit.folder(&self.commit.top().join(dir), &paths::clean(dir));
        found.has_directory().then_some(found)
    }

    fn recorded(&self, dir: &Path) -> Option<Session<Revision>> {
        Session::on_record(self.open(dir)?).ok()
    }
}
