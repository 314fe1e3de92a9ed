//! A host that lives in memory: for texts that stand in no tree, and for tests, benches and fuzzing.
//!
//! Folders exist where a file lies below them. Paths are compared as they are spelled after `.` and `..` are resolved
//! by their letters. Absent on purpose: links and permissions.

use super::{EntryKind, Host};
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Files and environment in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryHost {
    /// Contents by path.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// The environment.
    pub env: BTreeMap<String, String>,
    /// The number of root modules that are read in the same run; none counts as one.
    pub roots_of_run: usize,
}

impl MemoryHost {
    /// Returns a host with these files. Tests, benches and fuzzing make their trees of texts with it.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> MemoryHost {
        let files = files.into_iter().map(|(p, t)| (spelled(Path::new(p)), t.as_bytes().to_vec())).collect();
        MemoryHost { files, ..MemoryHost::default() }
    }
}

/// The path without `.` and without `..` where a name stands before it.
fn spelled(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

fn absent() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "no such file or directory")
}

impl Host for MemoryHost {
    fn roots_of_run(&self) -> usize {
        self.roots_of_run.max(1)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(&spelled(path)).cloned().ok_or_else(absent)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        let dir = spelled(path);
        let mut entries = BTreeMap::new();
        for file in self.files.keys() {
            let Ok(rest) = file.strip_prefix(&dir) else { continue };
            let mut parts = rest.components();
            let Some(first) = parts.next() else { continue };
            let kind = if parts.next().is_some() { EntryKind::Dir } else { EntryKind::File };
            entries.insert(first.as_os_str().to_string_lossy().into_owned(), kind);
        }
        if entries.is_empty() && !dir.as_os_str().is_empty() {
            return Err(absent());
        }
        Ok(entries.into_iter().collect())
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        let path = spelled(path);
        if self.files.contains_key(&path) {
            return Some(EntryKind::File);
        }
        let below = self.files.keys().any(|f| f.starts_with(&path));
        (below || path.as_os_str().is_empty()).then_some(EntryKind::Dir)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let path = spelled(path);
        self.kind(&path).map(|_| path).ok_or_else(absent)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.env.get(name).cloned()
    }

    fn env_all(&self) -> BTreeMap<String, String> {
        self.env.clone()
    }
}
