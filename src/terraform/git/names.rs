//! The names in a commit's tree, those of submodules that are checked out included.
//!
//! In: a commit. Out: each file and link with the name that git has for its contents, and the submodules. Invariant: names are bytes, as git and
//! Terraform have them. Absent on purpose: contents.

use super::{Git, path_of_name};
use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::Issue;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry as Entries;
use std::path::{Component, Path, PathBuf};

/// The number of levels that submodules may nest.
const MOST_DEPTH: usize = 8;

/// A file or a link.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) kind: EntryKind,
    pub(super) id: String,
    pub(super) executable: bool,
    /// The repository that holds it.
    pub(super) store: PathBuf,
}

/// What is read of a commit's tree.
#[derive(Default)]
pub(super) struct Names {
    /// Files and links.
    pub entries: BTreeMap<PathBuf, Entry>,
    /// The submodules of the tree itself, with their commits.
    pub submodules: BTreeMap<PathBuf, String>,
    /// Submodules at any depth whose trees weren't read, with their commits.
    pub unread: BTreeMap<PathBuf, String>,
}

impl Names {
    /// Reads those of a commit.
    ///
    /// # Errors
    /// As git gives them.
    pub fn of(git: &Git, top: &Path, commit: &str) -> Result<Names, Issue> {
        let mut out = Names::default();
        read_tree(git, top, top, commit, Path::new(""), &mut out, MOST_DEPTH)?;
        Ok(out)
    }
}

/// The entries of a commit's tree, those of submodules that are checked out included, and the submodules of the tree at the top.
fn read_tree(
    git: &Git,
    top: &Path,
    store: &Path,
    commit: &str,
    at: &Path,
    out: &mut Names,
    depth: usize,
) -> Result<(), Issue> {
    let listed = git.ask(store, &["ls-tree", "-r", "-z", "--full-tree", commit], b"")?;
    let listed =
        listed.map_err(|refusal| refusal.issue("the revision's tree can't be read".to_owned(), store))?;
    for line in listed.split(|b| *b == 0) {
        let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
        let (head, name) = line.split_at(tab);
        let (head, name) = (String::from_utf8_lossy(head), path_of_name(name.get(1..).unwrap_or_default()));
        let mut parts = head.split(' ');
        let (Some(mode), Some(_), Some(id)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let path = at.join(&name);
        if !path.components().all(|c| matches!(c, Component::Normal(_))) {
            continue;
        }
        if mode == "160000" {
            if store == top {
                out.submodules.insert(path.clone(), id.to_owned());
            }
            let below = store.join(&name);
            let own = depth > 0 && Machine.kind(&below.join(".git")).is_some() && git.is_part(top, &below)?;
            // A commit that the submodule doesn't have leaves its folder empty.
            if !own || read_tree(git, top, &below, id, &path, out, depth - 1).is_err() {
                out.unread.insert(path, id.to_owned());
            }
            continue;
        }
        let kind = if mode == "120000" { EntryKind::Link } else { EntryKind::File };
        let executable = mode == "100755";
        out.entries.insert(path, Entry { kind, id: id.to_owned(), executable, store: store.to_path_buf() });
    }
    Ok(())
}

/// What each folder holds, in the order of names. Each entry is looked at once.
pub(super) fn folders_of(entries: &BTreeMap<PathBuf, Entry>) -> BTreeMap<PathBuf, Vec<(String, EntryKind)>> {
    let mut found: FxHashMap<&Path, Vec<(String, EntryKind)>> = FxHashMap::default();
    for (path, entry) in entries {
        let (mut at, mut kind) = (path.as_path(), entry.kind);
        // A folder that is known already stands in the one above it.
        while let (Some(folder), Some(name)) = (at.parent(), at.file_name()) {
            let names = found.entry(folder);
            let is_known = matches!(names, Entries::Occupied(_));
            names.or_default().push((name.to_string_lossy().into_owned(), kind));
            if is_known {
                break;
            }
            (at, kind) = (folder, EntryKind::Dir);
        }
    }
    let sorted = |(folder, mut names): (&Path, Vec<(String, EntryKind)>)| {
        names.sort_by(|a, b| a.0.cmp(&b.0));
        (folder.to_path_buf(), names)
    };
    found.into_iter().map(sorted).collect()
}
