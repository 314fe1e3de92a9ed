//! The host's files with some of them replaced in memory.
//!
//! `plan` restores the original sources in memory before it loads, so loading sees an overlay first and the disk after.

use crate::config::paths;
use crate::host::{EntryKind, Host};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Texts that stand in for files, by cleaned path relative to the working directory; `None` for a file that is to be
/// taken as deleted.
pub type Overlay = BTreeMap<PathBuf, Option<String>>;

/// Reads through an overlay.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The machine, or what stands for it.
    pub host: &'a dyn Host,
    /// The texts that replace files.
    pub overlay: &'a Overlay,
}

impl View<'_> {
    /// The bytes of a file.
    ///
    /// # Errors
    /// As the host gives them; "not found" for a file that the overlay deletes.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.overlay.get(&paths::clean(path)) {
            Some(Some(text)) => Ok(text.clone().into_bytes()),
            Some(None) => Err(io::Error::new(io::ErrorKind::NotFound, "no such file or directory")),
            None => self.host.read(path),
        }
    }

    /// The same of a file that the user named, and not the tree.
    ///
    /// # Errors
    /// As [`View::read`].
    pub fn read_named(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.overlay.contains_key(&paths::clean(path)) {
            true => self.read(path),
            false => self.host.read_named(path),
        }
    }

    /// The names of the files (folders excluded) in a folder, sorted.
    ///
    /// # Errors
    /// As the host gives them, unless the overlay has a file in the folder.
    pub fn files(&self, dir: &Path) -> io::Result<Vec<String>> {
        Ok(self.entries(dir)?.into_keys().collect())
    }

    /// The same, each with whether it is known to be a regular file.
    ///
    /// # Errors
    /// As [`View::files`].
    pub fn entries(&self, dir: &Path) -> io::Result<BTreeMap<String, bool>> {
        let dir = paths::clean(dir);
        let mut names = BTreeMap::new();
        let mut added = false;
        let listed = self.host.list(paths::or_dot(&dir));
        for (name, kind) in listed.as_deref().unwrap_or_default() {
            let is_file = match kind {
                EntryKind::Dir => false,
                EntryKind::Link => self.host.kind(&dir.join(name)) != Some(EntryKind::Dir),
                EntryKind::File | EntryKind::Other => true,
            };
            if is_file {
                names.insert(name.clone(), *kind == EntryKind::File);
            }
        }
        for (path, text) in self.overlay {
            if path.parent() != Some(&*dir) {
                continue;
            }
            let Some(name) = path.file_name().map(|n| n.to_string_lossy().into_owned()) else { continue };
            if text.is_some() {
                added = true;
                names.insert(name, true);
            } else {
                names.remove(&name);
            }
        }
        match listed {
            Err(e) if !added => Err(e),
            _ => Ok(names),
        }
    }

    /// Returns true if a folder is there, on the machine or because the overlay has a file in it.
    pub fn is_dir(&self, dir: &Path) -> bool {
        let dir = paths::clean(dir);
        self.host.kind(paths::or_dot(&dir)) == Some(EntryKind::Dir)
            || self.overlay.iter().any(|(p, t)| t.is_some() && p.starts_with(&dir))
    }

    /// Returns true if a file is there.
    pub fn is_file(&self, path: &Path) -> bool {
        match self.overlay.get(&paths::clean(path)) {
            Some(text) => text.is_some(),
            None => matches!(self.host.kind(path), Some(EntryKind::File | EntryKind::Other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::memory::MemoryHost;

    #[test]
    fn the_overlay_adds_replaces_and_deletes() {
        let host = MemoryHost::new([("m/a.tf", "1"), ("m/b.tf", "2"), ("m/sub/c.tf", "3")]);
        let overlay = Overlay::from([
            (PathBuf::from("m/a.tf"), Some("new".to_owned())),
            (PathBuf::from("m/b.tf"), None),
            (PathBuf::from("n/d.tf"), Some(String::new())),
        ]);
        let view = View { host: &host, overlay: &overlay };
        assert_eq!(view.files(Path::new("./m")).unwrap(), ["a.tf"]);
        assert_eq!(view.files(Path::new("n")).unwrap(), ["d.tf"]);
        assert_eq!(view.read(Path::new("m/a.tf")).unwrap(), b"new");
        assert!(view.read(Path::new("m/b.tf")).is_err());
        assert!(
            view.is_dir(Path::new("n")) && view.is_dir(Path::new("m/sub")) && !view.is_dir(Path::new("q"))
        );
        assert!(view.files(Path::new("q")).is_err());
    }
}
