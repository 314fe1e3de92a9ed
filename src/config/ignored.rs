//! The paths that `.gitignore` files exclude, from the top of Git's work tree down to a folder.
//!
//! The patterns and which of them wins are the crate `ignore`'s; the files are read through the host. Absent on purpose: what
//! one machine alone excludes (`.git/info/exclude`, a user's own list).

use super::{View, paths};
use crate::host::EntryKind;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::path::{Path, PathBuf};

const NAME: &str = ".gitignore";

/// A longer list excludes nothing: each of its patterns would cost far more memory than its text.
const LONGEST: usize = 256 << 10;

/// The lists that hold for a folder, outermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Ignored {
    lists: Vec<Gitignore>,
    /// True if all files are tracked, so that no list excludes one.
    nothing: bool,
}

impl Ignored {
    /// Returns the patterns of the folders around `dir`, a folder without links in its path; none outside of a work
    /// tree.
    pub fn around(view: View<'_>, dir: &Path) -> Ignored {
        if view.host.tracks_everything() {
            return Ignored { nothing: true, ..Ignored::default() };
        }
        let has_git = |dir: &&Path| view.host.kind(&dir.join(".git")).is_some();
        let mut around: Vec<&Path> = match dir.ancestors().find(has_git) {
            Some(top) => dir.ancestors().skip(1).take_while(|d| d.starts_with(top)).collect(),
            None => Vec::new(),
        };
        around.reverse();
        around.into_iter().fold(Ignored::default(), |all, dir| all.and(view, dir, dir))
    }

    /// Adds the patterns in `dir`, if there are any. They are relative to `real`, the same folder without links.
    pub fn and(mut self, view: View<'_>, dir: &Path, real: &Path) -> Ignored {
        if !self.nothing {
            self.lists.extend(read(view, &dir.join(NAME), real));
        }
        self
    }

    /// Returns true if a path is excluded; its folders are asked for first. The innermost list that says anything
    /// counts.
    pub fn excludes(&self, path: &Path, is_dir: bool) -> bool {
        let mut said = self.lists.iter().rev().map(|list| list.matched(path, is_dir));
        said.find(|m| !m.is_none()).is_some_and(|m| matches!(m, Match::Ignore(_)))
    }
}

/// Returns true if the tree's lists exclude a file, by its path below the working directory. Its folders aren't asked for: of what
/// lies in an excluded one, nothing is told by the file.
pub fn excludes(view: View<'_>, path: &Path) -> bool {
    let root = view.host.canonical(Path::new(".")).unwrap_or_default();
    let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
    folders.reverse();
    let around = Ignored::around(view, &root);
    let all = folders.into_iter().fold(around, |all, dir| all.and(view, paths::or_dot(dir), &root.join(dir)));
    all.excludes(&root.join(path), false)
}

fn read(view: View<'_>, path: &Path, real: &Path) -> Option<Gitignore> {
    // Git follows no link here either.
    let listed = view.host.list(path.parent()?).ok()?;
    listed.iter().find(|(name, kind)| name == NAME && *kind == EntryKind::File)?;
    let bytes = view.read(path).ok().filter(|bytes| bytes.len() <= LONGEST)?;
    let mut builder = GitignoreBuilder::new(PathBuf::from(real));
    for line in String::from_utf8_lossy(&bytes).lines() {
        // Git passes over a pattern that it can't read.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}
