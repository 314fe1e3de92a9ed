//! The files that Git tracks, whatever `.gitignore` says of them.
//!
//! In: a host, and a folder without links in its path. Out: which paths the index of the work tree around it holds. The index is read
//! here, since commands that only read start no program. Invariant: whatever stands in the index, reading it ends, in memory that its
//! size bounds, and the only file that is opened for what it says is `sharedindex.` with a number, beside it: a split index has most of its
//! entries there. What can't be read holds nothing: a file that is ignored then doesn't count, as one that nobody added.

mod index;
mod reader;
mod split;

use super::View;
use crate::host::EntryKind;
use index::Index;
use reader::Entry;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The files that the index around a folder holds; it is read when it is asked for the first time.
#[derive(Debug, Default)]
pub struct Tracked {
    /// The top of the work tree.
    top: Option<PathBuf>,
    paths: OnceLock<Vec<Vec<u8>>>,
}

impl Tracked {
    /// Those around `dir`; none outside of a work tree.
    pub fn around(view: View<'_>, dir: &Path) -> Tracked {
        let has_git = |dir: &&Path| view.host.kind(&dir.join(".git")).is_some();
        Tracked { top: dir.ancestors().find(has_git).map(Path::to_owned), paths: OnceLock::new() }
    }

    /// The top of the work tree, if there is one.
    pub fn top(&self) -> Option<&Path> {
        self.top.as_deref()
    }

    /// Returns true if a path without links lies in a work tree and isn't tracked, as far as the index tells: one that can't be read tells of none.
    pub fn is_untracked(&self, view: View<'_>, path: &Path) -> bool {
        self.below(path).is_some() && !self.holds(view, path) && !self.holds_below(view, path)
    }

    /// Returns true if a file is tracked, by its path without links.
    pub fn holds(&self, view: View<'_>, path: &Path) -> bool {
        let Some(below) = self.below(path) else { return false };
        self.paths(view).binary_search_by(|own| own.as_slice().cmp(below.as_bytes())).is_ok()
    }

    /// Returns true if a file below a folder is tracked.
    pub fn holds_below(&self, view: View<'_>, dir: &Path) -> bool {
        let Some(below) = self.below(dir) else { return false };
        // The top of the work tree has no name there.
        let start = if below.is_empty() { String::new() } else { format!("{below}/") };
        let paths = self.paths(view);
        let at = paths.partition_point(|own| own.as_slice() < start.as_bytes());
        paths.get(at).is_some_and(|own| own.starts_with(start.as_bytes()))
    }

    fn below<'p>(&self, path: &'p Path) -> Option<&'p str> {
        path.strip_prefix(self.top.as_ref()?).ok()?.to_str()
    }

    fn paths(&self, view: View<'_>) -> &[Vec<u8>] {
        self.paths.get_or_init(|| {
            let read = || entries(view, &repository(view, self.top.as_ref()?)?);
            let files = read().unwrap_or_default().into_iter().filter(|entry| entry.is_file);
            let mut paths: Vec<Vec<u8>> = files.map(|entry| entry.path).collect();
            paths.sort_unstable();
            paths
        })
    }
}

/// Returns what the index of a repository holds, with what stands in the shared file.
fn entries(view: View<'_>, repository: &Path) -> Option<Vec<Entry>> {
    let read = |name: &str| Index::read(&view.host.read_named(&repository.join(name)).ok()?);
    let own = read("index")?;
    let Some(link) = own.link else { return Some(own.entries) };
    let shared = read(&format!("sharedindex.{}", link.shared))?;
    // A shared file adds to no other one.
    link.merged(shared.entries, own.entries).filter(|_| shared.link.is_none())
}

/// The folder of a work tree's own repository.
fn repository(view: View<'_>, top: &Path) -> Option<PathBuf> {
    let dot = top.join(".git");
    if view.host.is_outside(&dot) {
        return None;
    }
    if view.host.kind(&dot)? == EntryKind::Dir {
        return Some(dot);
    }
    let said = text(view, &dot)?;
    let folder = top.join(said.strip_prefix("gitdir:")?.trim());
    (!view.host.is_outside(&folder) || names(view, &folder, top)).then_some(folder)
}

/// Returns true if a repository that lies elsewhere names a work tree as its own.
fn names(view: View<'_>, folder: &Path, top: &Path) -> bool {
    let is_top = |path: PathBuf| view.host.canonical(&path).is_ok_and(|real| real == top);
    // A linked worktree's: the path of its `.git`.
    if let Some(named) = text(view, &folder.join("gitdir")) {
        let dot = folder.join(named.trim());
        return dot.file_name().is_some_and(|name| name == ".git")
            && dot.parent().is_some_and(|d| is_top(d.into()));
    }
    // A submodule's.
    let config = text(view, &folder.join("config")).unwrap_or_default();
    let mut named = config.lines().filter_map(|line| line.trim().strip_prefix("worktree"));
    named
        .find_map(|rest| rest.trim_start().strip_prefix('='))
        .is_some_and(|path| is_top(folder.join(path.trim())))
}

/// The text of a file of a repository, which may lie outside of the tree: nothing of it is shown, and it counts only where it names the
/// tree as its own.
fn text(view: View<'_>, path: &Path) -> Option<String> {
    String::from_utf8(view.host.read_named(path).ok()?).ok()
}
