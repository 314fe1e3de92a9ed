//! The changes that a transaction is asked to make, as data.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::hash;

/// The change of one path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// The file holds exactly these bytes. Missing folders above it are created; an existing file keeps its
    /// permission bits.
    Write(Vec<u8>),
    /// A symbolic link stands there, to another file below the root. A whole file does where no link may: where the file system
    /// has none, or where a folder on the way is a link itself, so that it would lead elsewhere.
    Link {
        /// The link's destination, relative to its own folder.
        to: PathBuf,
        /// The content of a file in its place, where links can't be created.
        whole: Vec<u8>,
    },
    /// The path is deleted.
    Delete,
}

/// The content of a path when the change was decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prior {
    /// There was nothing.
    Absent,
    /// A file whose bytes have this SHA-256, in hexadecimal.
    Hash(String),
    /// A symbolic link that says this. What changes is the link, and never what it leads to.
    Link(PathBuf),
}

impl Prior {
    /// Describes the bytes that were read; `None` if there was no file.
    pub fn of(bytes: Option<&[u8]>) -> Prior {
        bytes.map_or(Prior::Absent, |b| Prior::Hash(hash(b)))
    }
}

/// A change together with what it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Planned {
    /// The change.
    pub change: Change,
    /// The content that must still be there for the change to be right.
    pub prior: Prior,
}

/// All changes of one transaction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangeSet {
    /// The working directory.
    pub root: PathBuf,
    /// Per path, relative to the root and below it.
    pub changes: BTreeMap<PathBuf, Planned>,
    /// Folders, relative to the root, that tf-phi created (now or in an earlier run): each is removed where
    /// the deletions of this transaction leave it empty. `.phi` and the folders in it count without being named.
    pub own_dirs: BTreeSet<PathBuf>,
    /// Links of the user's that gave way for a run. Each comes back as it was, wherever it leads.
    pub returned_links: BTreeSet<PathBuf>,
    /// The permission bits that a file may have at most that comes, or that is tf-phi's own: it may hold the text of others.
    pub widest: u32,
}

impl ChangeSet {
    /// An empty set for a working directory.
    pub fn new(root: impl Into<PathBuf>) -> ChangeSet {
        ChangeSet {
            root: root.into(),
            changes: BTreeMap::new(),
            own_dirs: BTreeSet::new(),
            returned_links: BTreeSet::new(),
            widest: 0o666,
        }
    }

    /// Plans a file's content. `prior` is what was read there, `None` for no file.
    pub fn write(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>, prior: Option<&[u8]>) {
        let planned = Planned { change: Change::Write(bytes.into()), prior: Prior::of(prior) };
        self.changes.insert(path.into(), planned);
    }

    /// Plans a change of what is ours: where a link stands, it goes, and what it leads to stays.
    pub fn plan(&mut self, path: impl Into<PathBuf>, change: Change, prior: Prior) {
        self.changes.insert(path.into(), Planned { change, prior });
    }

    /// Plans a file's removal. `prior` is what was read there.
    pub fn delete(&mut self, path: impl Into<PathBuf>, prior: &[u8]) {
        let planned = Planned { change: Change::Delete, prior: Prior::of(Some(prior)) };
        self.changes.insert(path.into(), planned);
    }
}
