//! A working directory as it was before the run that is at work in it, and as it will be again.
//!
//! In: the run's marker. Invariants: only files that are as the run wrote them, or as they were, are seen as they were: what somebody
//! edits meanwhile may be put back otherwise, and then nothing is told. Nothing is changed. Absent on purpose: runs that keep what they write.

use crate::host::{Confined, EntryKind, Host as _};
use crate::ops::read::marker::{Before, MARKER, Marker};
use crate::specialise::record::{hash, unslashed};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What stood there.
#[derive(Debug, Default)]
pub struct AsBefore {
    /// The text of each file that the run touches; nothing where there was none.
    texts: BTreeMap<PathBuf, Option<String>>,
    /// The targets of those that were links.
    links: BTreeMap<PathBuf, PathBuf>,
    /// Folders that were not there.
    dirs: BTreeSet<PathBuf>,
}

impl AsBefore {
    /// Reads what the run at work in a folder noted; nothing where it can't be told.
    pub fn read(root: &Path) -> Option<AsBefore> {
        let host = Confined::open(root).ok()?;
        let marker = Marker::parse(root, &host.read(Path::new(MARKER)).ok()?).ok()?;
        let mut before =
            AsBefore { dirs: marker.dirs.iter().map(|dir| unslashed(dir)).collect(), ..AsBefore::default() };
        before.texts.insert(PathBuf::from(MARKER), None);
        for file in marker.files {
            let path = unslashed(&file.path);
            if !is_as_told(&host, &file, &path) {
                return None;
            }
            before.links.extend(file.link.map(|to| (path.clone(), unslashed(&to))));
            before.texts.insert(path, file.before);
        }
        Some(before)
    }

    /// Returns what stood at a path that the run touches; within it, nothing stands for no file.
    pub fn text(&self, path: &Path) -> Option<Option<&str>> {
        if self.is_hidden(path) {
            return Some(None);
        }
        self.texts.get(path).map(|text| text.as_deref())
    }

    /// Returns the link that stood at a path that the run touches; within it, nothing stands for no link.
    pub fn link(&self, path: &Path) -> Option<Option<PathBuf>> {
        self.text(path).map(|_| self.links.get(path).cloned())
    }

    /// Returns the entries of a folder as they were; nothing where there was no such folder.
    pub fn list(&self, dir: &Path, entries: Vec<(String, EntryKind)>) -> Option<Vec<(String, EntryKind)>> {
        if self.is_hidden(dir) {
            return None;
        }
        let mut all: BTreeMap<String, EntryKind> = entries.into_iter().collect();
        all.retain(|name, _| self.text(&dir.join(name)).is_none());
        for (path, text) in
            self.texts.iter().filter(|(path, text)| text.is_some() && path.parent() == Some(dir))
        {
            let kind = if self.links.contains_key(path) { EntryKind::Link } else { EntryKind::File };
            all.extend(
                path.file_name()
                    .filter(|_| text.is_some())
                    .map(|name| (name.to_string_lossy().into_owned(), kind)),
            );
        }
        Some(all.into_iter().collect())
    }

    /// Returns true if a path is, or lies in, a folder that the run made.
    fn is_hidden(&self, path: &Path) -> bool {
        path.ancestors().any(|above| self.dirs.contains(above))
    }
}

/// Returns true if a file is as the run wrote it, or as it was.
fn is_as_told(host: &Confined, file: &Before, path: &Path) -> bool {
    if let Some(to) = host.link(path) {
        return [&file.link, &file.linked].into_iter().flatten().any(|known| unslashed(known) == to);
    }
    let now = host.read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    now == file.before || now.as_deref().map(hash) == file.written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_links_and_folders_as_they_were() {
        let text = |text: &str| Some(text.to_owned());
        let before = AsBefore {
            texts: BTreeMap::from([
                (PathBuf::from("main.tf"), text("old")),
                (PathBuf::from("made.tf"), None),
                (PathBuf::from("m/gone.tf"), text("was")),
                (PathBuf::from("m/link.tf"), text("linked")),
            ]),
            links: BTreeMap::from([(PathBuf::from("m/link.tf"), PathBuf::from("../main.tf"))]),
            dirs: BTreeSet::from([PathBuf::from("m-a")]),
        };
        let of = |path: &str| before.text(Path::new(path));
        assert_eq!((of("main.tf"), of("made.tf"), of("other.tf")), (Some(Some("old")), Some(None), None));
        assert_eq!((of("m-a"), of("m-a/main.tf"), of("m")), (Some(None), Some(None), None));
        let entries = |names: &[(&str, EntryKind)]| {
            names.iter().map(|(n, k)| ((*n).to_owned(), *k)).collect::<Vec<_>>()
        };
        let here = entries(&[
            ("m", EntryKind::Dir),
            ("m-a", EntryKind::Dir),
            ("made.tf", EntryKind::File),
            ("main.tf", EntryKind::Link),
        ]);
        let list = before.list(Path::new(""), here).unwrap();
        assert_eq!(list, entries(&[("m", EntryKind::Dir), ("main.tf", EntryKind::File)]));
        let list = before.list(Path::new("m"), entries(&[("x.tf", EntryKind::File)])).unwrap();
        assert_eq!(
            list,
            entries(&[("gone.tf", EntryKind::File), ("link.tf", EntryKind::Link), ("x.tf", EntryKind::File)])
        );
        assert_eq!(before.list(Path::new("m-a"), Vec::new()), None);
        assert_eq!(before.link(Path::new("m/link.tf")), Some(Some("../main.tf".into())));
        assert_eq!((before.link(Path::new("main.tf")), before.link(Path::new("x"))), (Some(None), None));
    }
}
