//! The commits that a merge puts together: the one in progress, or the one that made the head.
//!
//! In: a working directory. Out: the commits of both sides and the last one that they have in common. A rebase, a cherry-pick, a revert and
//! a stash that is applied are merges, too: their base is the commit before the one that is taken over. Which commits these are is a guess where
//! nothing says it (a merge that was squashed, one of three branches): whoever goes on compares with the versions that the index keeps. Absent
//! on purpose: what the commits hold.

use super::{Git, path_of, read_id};
use crate::host::{Host as _, Machine};
use crate::issue::Issue;
use std::collections::BTreeMap;
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

/// The versions of a file that the index keeps where Git couldn't merge them; nothing of a side that has none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Versions {
    /// The last one in common.
    pub base: Option<Vec<u8>>,
    /// The one that was checked out.
    pub ours: Option<Vec<u8>>,
    /// The one that comes in.
    pub theirs: Option<Vec<u8>>,
}

/// The folders in which Git keeps a rebase that isn't at its end. The name of the commit that comes in stays behind it.
const REBASES: [&str; 2] = ["rebase-merge", "rebase-apply"];

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
        let taken_over = if self.is_rebasing(&top)? { "REBASE_HEAD" } else { "CHERRY_PICK_HEAD" };
        if let Some(theirs) = find(taken_over)? {
            return Ok(Some(Sides { base: find(&format!("{theirs}^"))?, ours, theirs }));
        }
        if let Some(base) = find("REVERT_HEAD")? {
            let theirs = find(&format!("{base}^"))?;
            return Ok(theirs.map(|theirs| Sides { base: Some(base), ours, theirs }));
        }
        if self.find_unmerged(&top).is_ok_and(|names| !names.is_empty()) {
            let stash = find("refs/stash")?.zip(find("refs/stash^")?);
            return Ok(stash.map(|(theirs, base)| Sides { base: Some(base), ours, theirs }));
        }
        let Some((ours, theirs)) = find("HEAD^1")?.zip(find("HEAD^2")?) else { return Ok(None) };
        Ok(Some(Sides { base: self.find_common(&top, &ours, &theirs)?, ours, theirs }))
    }

    /// Returns true if a rebase isn't at its end.
    fn is_rebasing(&self, top: &Path) -> Result<bool, Issue> {
        for folder in REBASES {
            let shown = self.ask(top, &["rev-parse", "--git-path", folder], b"")?.unwrap_or_default();
            if !shown.is_empty() && Machine.kind(&top.join(path_of(shown))).is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The commits beside the head that hold a file as it was before and behind its last change, the latter first; none where Git knows no change of it.
    ///
    /// # Errors
    /// A folder outside of a work tree, a repository that can't be asked.
    pub fn find_last_change(&self, dir: &Path, file: &str) -> Result<Vec<String>, Issue> {
        let (top, _) = self.around(dir)?;
        let listed =
            self.ask(dir, &["rev-list", "--max-count=1", "HEAD", "--", file], b"")?.unwrap_or_default();
        let Some(last) = read_id(&listed) else { return Ok(Vec::new()) };
        let before = self.find_commit(&top, &format!("{last}^"))?;
        Ok(std::iter::once(last).chain(before).collect())
    }

    /// The files below a folder that Git couldn't merge, with the versions that the index keeps of them.
    ///
    /// # Errors
    /// A folder outside of a work tree, a repository that can't be asked.
    pub fn find_unmerged(&self, dir: &Path) -> Result<BTreeMap<PathBuf, Versions>, Issue> {
        self.around(dir)?;
        let listed = self.ask(dir, &["ls-files", "-z", "--unmerged"], b"")?.unwrap_or_default();
        let mut out: BTreeMap<PathBuf, Versions> = BTreeMap::new();
        for entry in listed.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
            let Some(tab) = entry.iter().position(|byte| *byte == b'\t') else { continue };
            let head = String::from_utf8_lossy(entry.get(..tab).unwrap_or_default());
            let mut words = head.split(' ').skip(1);
            let (Some(id), Some(stage)) = (words.next(), words.next()) else { continue };
            let name = OsString::from_vec(entry.get(tab + 1..).unwrap_or_default().to_vec());
            let versions = out.entry(PathBuf::from(name)).or_default();
            let place = match stage {
                "1" => &mut versions.base,
                "2" => &mut versions.ours,
                _ => &mut versions.theirs,
            };
            *place = self.ask(dir, &["cat-file", "blob", id], b"")?.ok();
        }
        Ok(out)
    }
}
