//! The revision that root modules are compared with, in the repository that a command was started for.
//!
//! In: a root module, and the name of a revision. Out: the tree of the revision around it. A root module in a submodule is compared with what the repository around has
//! for that submodule: a change there can bring any submodule, and what names mean within it is the submodule's own. Who starts a command within a submodule
//! asks for the submodule's revision. Invariant: trees are read once. Absent on purpose: comparing.

use crate::host::{Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::terraform::git::{Base, Changes, Commit, Git, Revision};
use crate::text::{one_line, shell_path, shell_word};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The revision's trees that were read: most root modules lie in one.
#[derive(Default)]
pub(super) struct Commits {
    known: Mutex<Vec<Commit>>,
    /// What differs from each, by its top.
    changes: Mutex<BTreeMap<PathBuf, Result<Arc<Changes>, Issue>>>,
    /// The work tree that decides, by the innermost one.
    deciding: Mutex<BTreeMap<PathBuf, PathBuf>>,
}

fn lock_unpoisoned<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Commits {
    /// What a root module was: what the revision has at its name, or else where its folder lies.
    ///
    /// # Errors
    /// As git gives them; a submodule whose commit isn't there.
    pub fn open_revision(&self, root: &Path, name: &Path, base: &Base) -> Result<Revision, Issue> {
        let commit = self.open_around(root, base)?;
        if let Some(revision) = commit.at_name(root, name)? {
            return Ok(revision);
        }
        commit.at(root)?.map_or_else(|| Revision::open(Git::find(&Machine)?, root, base), Ok)
    }

    /// The revision's tree around a folder.
    ///
    /// # Errors
    /// As git gives them.
    pub fn open_around(&self, root: &Path, base: &Base) -> Result<Commit, Issue> {
        let top = self.find_deciding_repository(root)?;
        let mut known = lock_unpoisoned(&self.known);
        if let Some(commit) = known.iter().find(|commit| Some(commit.top()) == top.as_deref()) {
            return Ok(commit.clone());
        }
        let commit = Commit::open(Git::find(&Machine)?, top.as_deref().unwrap_or(root), base)?;
        known.push(commit.clone());
        Ok(commit)
    }

    /// What differs from the revision's tree around a folder.
    ///
    /// # Errors
    /// As git gives them.
    pub fn find_changes(&self, root: &Path, base: &Base) -> Result<Arc<Changes>, Issue> {
        let commit = self.open_around(root, base)?;
        let mut changes = lock_unpoisoned(&self.changes);
        let known = changes.entry(commit.top().to_owned());
        known.or_insert_with(|| commit.changes().map(Arc::new)).clone()
    }

    /// The finding about a root module whose folder was one of the repository itself and lies in a submodule now, or the other way round.
    ///
    /// # Errors
    /// As git gives them.
    pub fn find_replaced(&self, root: &Path, base: &Base) -> Result<Option<Issue>, Issue> {
        let commit = self.open_around(root, base)?;
        if let Some(lost) = commit.find_lost(root) {
            let shown = lost.display().to_string();
            let summary =
                format!("{} was a submodule and is a folder of this repository now", one_line(&shown));
            let why = "The submodule isn't there any more, so what it declared is compared with nothing.";
            return Ok(Some(Issue::error(Code::Missing, summary, why)));
        }
        let Some(folder) = commit.find_replaced(root) else { return Ok(None) };
        let shown = folder.display().to_string();
        let summary = format!("{} was a folder of this repository and is a submodule now", one_line(&shown));
        let why = "Another repository says from now on what stands there. At this commit of it, that is compared with what the folder held; a later commit is one line in a change of this repository.";
        let dir = shell_path(&commit.top().join(folder).display().to_string()).into_owned();
        let issue = Issue::error(Code::Environment, summary, why);
        Ok(Some(issue.fix("See which repository that is:", format!("git -C {dir} remote --verbose"))))
    }

    /// The warning about a revision that has several last commits in common with the head.
    ///
    /// # Errors
    /// As git gives them.
    pub fn find_several_bases(&self, root: &Path, base: &Base) -> Result<Option<Issue>, Issue> {
        if !self.open_around(root, base)?.has_several_bases() {
            return Ok(None);
        }
        let shown = one_line(&base.revision).into_owned();
        let summary = format!("the head and {shown} have several last commits in common");
        let why = format!(
            "What equals one of these may still undo what came by another one, so the head is compared with {shown} itself. What came there since stands as gone."
        );
        let issue = Issue::warning(Code::Environment, summary, why);
        Ok(Some(issue.fix("To see your own changes alone, merge it first:", merge_command(&base.revision))))
    }

    /// The work tree that decides about a folder; nothing where it lies in none.
    fn find_deciding_repository(&self, root: &Path) -> Result<Option<PathBuf>, Issue> {
        let all = repository_tops(root);
        let Some((inner, outer)) = all.split_first() else { return Ok(None) };
        let mut known = lock_unpoisoned(&self.deciding);
        if let Some(top) = known.get(inner) {
            return Ok(Some(top.clone()));
        }
        let mut top = inner;
        for above in outer {
            if !Git::find(&Machine)?.is_tracked_in(above, top)? {
                break;
            }
            top = above;
        }
        known.insert(inner.clone(), top.clone());
        Ok(Some(top.clone()))
    }
}

/// The command that merges a revision; nothing of one that would be an option.
fn merge_command(revision: &str) -> String {
    if revision.starts_with('-') { String::new() } else { format!("git merge {}", shell_word(revision)) }
}

/// The work tree that decides about a folder, for who asks once.
///
/// # Errors
/// As git gives them.
pub(super) fn deciding_top(root: &Path) -> Result<Option<PathBuf>, Issue> {
    Commits::default().find_deciding_repository(root)
}

/// The work trees around a folder, innermost first, up to the first one that the command was started in.
fn repository_tops(root: &Path) -> Vec<PathBuf> {
    let here = Machine.canonical(Path::new(".")).unwrap_or_default();
    let mut all: Vec<PathBuf> = Vec::new();
    for top in root.ancestors().filter(|dir| Machine.kind(&dir.join(".git")).is_some()) {
        let is_related = here.starts_with(top) || top.starts_with(&here);
        if all.is_empty() || is_related {
            all.push(top.to_owned());
        }
        if here.starts_with(top) {
            break;
        }
    }
    all
}
