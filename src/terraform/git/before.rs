//! The commit before something was written into files.
//!
//! In: files of a working directory, and what tells of a text that it was written. Out: the last commit on the way back from the head in which that holds for none of them. Absent on
//! purpose: what it is that was written.

use super::{Git, read_id};
use crate::issue::Issue;
use std::path::Path;

/// So many changes of a file are looked at.
const MOST_CHANGES: &str = "--max-count=200";

impl Git {
    /// Finds the last commit in which no file is as `is_written` says; nothing where there is none, or the history isn't all here.
    ///
    /// # Errors
    /// A folder outside of a work tree, a repository that can't be asked.
    pub fn find_before(
        &self,
        dir: &Path,
        files: &[&str],
        is_written: &dyn Fn(&str) -> bool,
    ) -> Result<Option<String>, Issue> {
        self.around(dir)?;
        let mut words = vec!["rev-list", MOST_CHANGES, "HEAD", "--"];
        words.extend(files);
        let listed = self.ask(dir, &words, b"")?.unwrap_or_default();
        let changes: Vec<String> = listed.split(|b| *b == b'\n').filter_map(read_id).collect();
        let Some(head) = self.find_commit(dir, "HEAD")? else { return Ok(None) };
        let oldest = changes.last().map(|last| format!("{last}^"));
        let oldest = oldest.map(|parent| self.find_commit(dir, &parent)).transpose()?.flatten();
        for commit in std::iter::once(head).chain(changes).chain(oldest) {
            if !self.is_any_written(dir, &commit, files, is_written)? {
                return Ok(Some(commit));
            }
        }
        Ok(None)
    }

    /// Returns true if the history of the head isn't all here.
    ///
    /// # Errors
    /// A repository that can't be asked.
    pub fn is_shallow(&self, dir: &Path) -> Result<bool, Issue> {
        let asked = self.ask(dir, &["rev-parse", "--is-shallow-repository"], b"")?;
        Ok(asked.is_ok_and(|said| said.starts_with(b"true")))
    }

    fn is_any_written(
        &self,
        dir: &Path,
        commit: &str,
        files: &[&str],
        is_written: &dyn Fn(&str) -> bool,
    ) -> Result<bool, Issue> {
        for file in files {
            let name = format!("{commit}:./{file}");
            let text = self.ask(dir, &["cat-file", "blob", &name], b"")?.unwrap_or_default();
            if is_written(&String::from_utf8_lossy(&text)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
