//! Work trees within a work tree: what the repository around says of them.
//!
//! In: a revision of the repository around, and a folder in a submodule. Out: whether that repository has a say in it, and what the folder was there. Invariant: nothing
//! that a submodule says by itself counts. Absent on purpose: comparing.

use super::{Commit, Git};
use crate::host::{Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::text::{shell_path, shell_word};
use std::path::{Path, PathBuf};

impl Git {
    /// Returns true if a repository tracks a folder in its work tree, as a submodule or by files in it.
    ///
    /// # Errors
    /// As git gives them.
    pub fn is_tracked_in(&self, top: &Path, dir: &Path) -> Result<bool, Issue> {
        let Some(below) = dir.strip_prefix(top).ok().and_then(Path::to_str) else { return Ok(false) };
        self.around(top)?;
        let listed = self.ask(top, &["ls-files", "-z", "--", below], b"")?;
        let summary = || format!("the files of {} can't be listed", top.display());
        Ok(!listed.map_err(|refusal| refusal.issue(summary(), top))?.is_empty())
    }
}

impl Commit {
    /// The folder that is a submodule now and was one of the repository itself in this revision, where `real` lies in such a one.
    pub fn find_replaced(&self, real: &Path) -> Option<PathBuf> {
        let top = real.ancestors().find(|dir| Machine.kind(&dir.join(".git")).is_some())?;
        let below = top.strip_prefix(self.top()).ok().filter(|below| !below.as_os_str().is_empty())?;
        let mut own =
            self.0.entries.range(below.to_path_buf()..).take_while(|(path, _)| path.starts_with(below));
        own.any(|(_, entry)| entry.store != top).then(|| below.to_path_buf())
    }

    /// The submodule of this revision that lay in the place of a folder and isn't there any more, so that it can't be read.
    pub fn find_lost(&self, real: &Path) -> Option<PathBuf> {
        let (path, _) = self.find_unread(real.strip_prefix(self.top()).ok()?)?;
        (!self.has_git(path)).then(|| path.clone())
    }

    fn find_unread(&self, prefix: &Path) -> Option<(&PathBuf, &String)> {
        self.0.unread.iter().find(|(path, _)| prefix.starts_with(path))
    }

    fn has_git(&self, submodule: &Path) -> bool {
        Machine.kind(&self.top().join(submodule).join(".git")).is_some()
    }

    /// Checks that the submodule of a folder was read, where the revision has one there and it is still one.
    pub(super) fn judge_submodule(&self, prefix: &Path) -> Result<(), Issue> {
        let Some((path, id)) = self.find_unread(prefix).filter(|(path, _)| self.has_git(path)) else {
            return Ok(());
        };
        let shown = path.display().to_string();
        let why = format!(
            "The base has the submodule {shown} at the commit {id}, which can't be read there: it isn't in that clone, or the clone is none of this repository's."
        );
        let issue = Issue::error(Code::Missing, format!("the base of {shown} can't be read"), why);
        let dir = self.top().join(path).display().to_string();
        let fetch = format!("git -C {} fetch --depth=1 origin {}", shell_path(&dir), shell_word(id));
        Err(issue.fix("Fetch it:", fetch))
    }
}
