//! `review`: which files of data differ between the base and the work tree.
//!
//! In: a revision. Out: whether any file differs that a call may read. Git is asked when the first question comes. What it can't tell
//! counts as changed. Absent on purpose: contents.

use crate::issue::Issue;
use crate::matrix::Reads;
use crate::terraform::git::Changes;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files that differ, once somebody asks.
pub(super) struct ChangedFiles<'f> {
    open: Box<dyn Fn() -> Result<Arc<Changes>, Issue> + 'f>,
    changes: Option<Result<Arc<Changes>, Issue>>,
    /// What the revision's links lead to.
    linked: Option<Vec<PathBuf>>,
}

impl<'f> ChangedFiles<'f> {
    /// Of what `open` gives.
    pub fn new(open: impl Fn() -> Result<Arc<Changes>, Issue> + 'f) -> ChangedFiles<'f> {
        ChangedFiles { open: Box::new(open), changes: None, linked: None }
    }

    /// All of them.
    ///
    /// # Errors
    /// As `open` gives them.
    pub fn all(&mut self) -> Result<Arc<Changes>, Issue> {
        self.changes.get_or_insert_with(|| (self.open)()).clone()
    }

    /// Returns true if any of the files differs that a call may read, or anything that may lead to another one. What a link leads to is read by
    /// the link's name.
    pub fn is_any(&mut self, reads: &Reads) -> bool {
        let Ok(changes) = self.all() else { return true };
        let linked = self.linked.get_or_insert_with(|| changes.find_linked());
        let is_linked = |path: &Path| linked.iter().any(|to| path.starts_with(to));
        let found = changes.of(&|path| reads.may_be(path) || changes.leads_on(path) || is_linked(path));
        found.map_or(true, |found| !found.is_empty())
    }
}
