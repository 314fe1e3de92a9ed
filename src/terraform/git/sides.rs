//! The commits that a merge puts together: the one in progress, or the one that made the head.
//!
//! In: a working directory. Out: the commits of both sides and the last one that they have in common. A rebase, a cherry-pick, a revert and
//! a stash that is applied are merges, too: their base is the commit before the one that is taken over. Absent on purpose: what the
//! commits hold.

use super::Git;
use crate::issue::Issue;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

/// Both sides of a merge, by the names of commits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sides {
    /// The last commit in common; nothing where the histories have none.
    pub base: Option<String>,
    /// The commit that was checked out.
    pub ours: String,
    /// The commit that comes in.
    pub theirs: String,
}

/// The names that Git gives the commit that comes in, while it couldn't finish by itself.
const TAKEN_OVER: [&str; 2] = ["REBASE_HEAD", "CHERRY_PICK_HEAD"];

impl Git {
    /// Finds the sides of the merge in progress, or of the one that made the head; nothing where there is neither.
    ///
    /// # Errors
    /// A folder outside of a work tree, a repository that can't be asked.
    pub fn find_sides(&self, dir: &Path) -> Result<Option<Sides>, Issue> {
        let (top, _) = self.around(dir)?;
        let find = |revision: &str| self.find_commit(&top, revision);
        let Some(ours) = find("HEAD")? else { return Ok(None) };
        if let Some(theirs) = find("MERGE_HEAD")? {
            return Ok(Some(Sides { base: self.find_common(&top, &ours, &theirs)?, ours, theirs }));
        }
        for name in TAKEN_OVER {
            if let Some(theirs) = find(name)? {
                return Ok(Some(Sides { base: find(&format!("{theirs}^"))?, ours, theirs }));
            }
        }
        if let Some(base) = find("REVERT_HEAD")? {
            let theirs = find(&format!("{base}^"))?;
            return Ok(theirs.map(|theirs| Sides { base: Some(base), ours, theirs }));
        }
        if let Some((theirs, base)) =
            find("refs/stash")?.zip(find("refs/stash^")?).filter(|_| self.is_unmerged(&top))
        {
            return Ok(Some(Sides { base: Some(base), ours, theirs }));
        }
        let Some((ours, theirs)) = find("HEAD^1")?.zip(find("HEAD^2")?) else { return Ok(None) };
        Ok(Some(Sides { base: self.find_common(&top, &ours, &theirs)?, ours, theirs }))
    }

    /// The files below a folder of which the index keeps several versions, since Git couldn't merge them.
    ///
    /// # Errors
    /// A folder outside of a work tree, a repository that can't be asked.
    pub fn find_unmerged(&self, dir: &Path) -> Result<BTreeSet<PathBuf>, Issue> {
        self.around(dir)?;
        let listed = self.ask(dir, &["ls-files", "-z", "--unmerged"], b"")?.unwrap_or_default();
        let names = listed.split(|byte| *byte == 0).filter_map(|entry| {
            let tab = entry.iter().position(|byte| *byte == b'\t')?;
            Some(PathBuf::from(OsString::from_vec(entry.get(tab + 1..)?.to_vec())))
        });
        Ok(names.collect())
    }

    fn is_unmerged(&self, top: &Path) -> bool {
        self.find_unmerged(top).is_ok_and(|names| !names.is_empty())
    }
}
