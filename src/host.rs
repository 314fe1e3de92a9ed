//! The only seam to the outside: files, environment.
//!
//! Analysis reads through [`Host`], so tests bring their own. Writing is the transaction stage's, through
//! [`WriteHost`], so that faults can be injected; nothing else may call the writing half.

mod border;
mod confined;
mod straight;
mod secret;
mod write;

pub use border::{Border, TRUSTED};
pub use confined::Confined;
pub use secret::of_user as secret;
pub use straight::{kind as kind_straight, list as list_straight, read as read_straight};
pub use write::{Mode, WriteHost, mode, writable};

pub mod capacity;
pub mod memory;
pub mod threads;

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// The kind of a directory entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Dir,
    /// A symbolic link (not followed).
    Link,
    /// Anything else.
    Other,
}

/// Files and environment, reading half. Paths are absolute or relative to the process's directory.
pub trait Host: Send + Sync {
    /// The bytes of a file.
    ///
    /// # Errors
    /// As the operating system gives them.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The entries of a folder, sorted by name.
    ///
    /// # Errors
    /// As the operating system gives them.
    fn list(&self, path: &Path) -> io::Result<Vec<(String, EntryKind)>>;

    /// Returns the kind of the entry at a path, links followed; `None` if there is none.
    fn kind(&self, path: &Path) -> Option<EntryKind>;

    /// The same for a path whose answer is shown: [`EntryKind::Other`] for whatever lies outside of the tree. Judged and looked at in one: by the
    /// time that somebody judges the name again, something else could stand there.
    fn kind_inside(&self, path: &Path) -> Option<EntryKind> {
        self.kind(path)
    }

    /// Returns the target of the symbolic link at a path, not followed; `None` if there is no link.
    fn link(&self, _path: &Path) -> Option<PathBuf> {
        None
    }

    /// A path with links and `..` resolved.
    ///
    /// # Errors
    /// As the operating system gives them.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// The bytes of a file that the user named, wherever it stands; [`Host::read`] reads what is the tree's to read.
    ///
    /// # Errors
    /// As the operating system gives them.
    fn read_named(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read(path)
    }

    /// The bytes of a file that this program may have written, where no link leads to it; nothing only where nothing stands there.
    ///
    /// # Errors
    /// As the operating system gives them; where a link leads out of the tree.
    fn own(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        self.kind(path).map(|_| self.read(path)).transpose()
    }

    /// Returns true if a path leads out of the tree that is worked on, so that what stands there is not to be read.
    fn is_outside(&self, _path: &Path) -> bool {
        false
    }

    /// Returns true if functions see no file of a work tree that Git doesn't track: what they read is shown to others.
    fn hides_untracked(&self) -> bool {
        false
    }

    /// Returns true if the values of a variable file that stands in the tree aren't read, since Git doesn't track it.
    fn hides_values(&self, _path: &Path) -> bool {
        false
    }

    /// The number of root modules that are read in the same run: they share what a run may read.
    fn roots_of_run(&self) -> usize {
        1
    }

    /// Returns true if Git tracks every file here, as all that a revision holds.
    fn tracks_everything(&self) -> bool {
        false
    }

    /// Returns true if Git tracks a file, by its path below the working directory.
    fn is_tracked(&self, _path: &Path) -> bool {
        self.tracks_everything()
    }

    /// Returns true if Git tracks a file below a folder, whether or not it stands there. Where nobody can tell, it doesn't.
    fn is_tracked_below(&self, _dir: &Path) -> bool {
        false
    }

    /// An environment variable, where it is set and is UTF-8.
    fn env(&self, name: &str) -> Option<String>;

    /// All environment variables whose names and values are UTF-8.
    fn env_all(&self) -> BTreeMap<String, String>;
}

/// So many bytes hold most configuration files.
const MOST_FILES: usize = 16 << 10;

/// The most that is read of one file, in bytes: a tree is not to fill the memory.
pub const LARGEST: u64 = 64 << 20;

/// The bytes of a file that is open: of a regular one, and of no more than [`LARGEST`] bytes.
fn regular(file: std::fs::File) -> io::Result<Vec<u8>> {
    let found = file.metadata()?;
    if found.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    if !found.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let large =
        || io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {} MiB", LARGEST >> 20));
    if found.len() > LARGEST {
        return Err(large());
    }
    // Most files fit, and some say that they have no length at all.
    let mut bytes = Vec::with_capacity(MOST_FILES);
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(large());
    }
    bytes.shrink_to_fit();
    Ok(bytes)
}

/// The machine itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine;

#[allow(clippy::disallowed_methods)]
impl Host for Machine {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // A pipe would let the opening wait.
        let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
        regular(std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path)?)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            let kind = entry.file_type().map(kind_of)?;
            entries.push((entry.file_name().to_string_lossy().into_owned(), kind));
        }
        entries.sort_by(|a: &(String, EntryKind), b| a.0.cmp(&b.0));
        Ok(entries)
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        std::fs::metadata(path).ok().map(|m| kind_of(m.file_type()))
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        std::fs::read_link(path).ok()
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::canonicalize(path)
    }

    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn env_all(&self) -> BTreeMap<String, String> {
        std::env::vars_os()
            .filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)))
            .collect()
    }
}

impl Machine {
    /// The bytes of the file that a path leads to.
    #[allow(clippy::disallowed_methods)]
    pub fn size(self, path: &Path) -> Option<u64> {
        std::fs::metadata(path).ok().map(|found| found.len())
    }
}

fn kind_of(file_type: std::fs::FileType) -> EntryKind {
    if file_type.is_symlink() {
        EntryKind::Link
    } else if file_type.is_dir() {
        EntryKind::Dir
    } else if file_type.is_file() {
        EntryKind::File
    } else {
        EntryKind::Other
    }
}
