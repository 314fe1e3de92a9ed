//! Copies that aren't what was written, but are what would be written now: somebody replaced a word everywhere, or Git merged both.
//!
//! In: a session that such copies block, and the same without that. Out: which of them nobody edited. Invariant: nothing counts that differs in a
//! byte from what the sources around it would give, but for line endings. Absent on purpose: reading.

use super::rooted_host::RootedHost;
use crate::issue::{Code, Issue};
use crate::pipeline;
use crate::specialise::Record;
use crate::specialise::record::unslashed;
use crate::text::to_stored;
use crate::trace::Driven;
use std::path::{Path, PathBuf};

type Session = pipeline::Session<RootedHost>;

/// The copies that were edited; nothing where there is none, or anything else is wrong.
pub fn find_edited_copies(session: &Session) -> Option<Vec<PathBuf>> {
    let record = session.record.as_ref()?;
    let errors = session.issues.iter().filter(|issue| issue.is_error());
    let copies: Option<Vec<PathBuf>> = errors.map(|issue| find_edited_copy(record, issue)).collect();
    copies.filter(|copies| !copies.is_empty())
}

/// The copy that an issue says was edited; with its line or without.
pub fn find_edited_copy(record: &Record, issue: &Issue) -> Option<PathBuf> {
    let named = issue.path.as_deref().filter(|_| issue.is_error() && issue.code == Code::Edited)?;
    let without_line = named.rsplit_once(':').map(|(path, _)| path);
    let mut paths = std::iter::once(named).chain(without_line).map(unslashed);
    paths.find(|path| record.file(path).is_some_and(|file| file.created))
}

/// Takes back what was said of copies that nobody edited.
pub fn forget_edits(session: &mut Session, copies: &[PathBuf]) {
    let Some(record) = &session.record else { return };
    let is_edit = |issue: &Issue| find_edited_copy(record, issue).is_none_or(|path| !copies.contains(&path));
    session.issues.retain(is_edit);
}

/// Returns those of the copies that are what would be written now. The workspace has a part in no copy.
pub fn list_as_decided(mut session: Session, driven: &[Driven], copies: &[PathBuf]) -> Vec<PathBuf> {
    let Ok(decided) = pipeline::decide(&mut session, driven, &[], "default") else { return Vec::new() };
    let is_as_decided = |path: &Path| {
        let now = session.analysed(path).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let then = decided.tree.get(path).and_then(Option::as_deref);
        now.zip(then).is_some_and(|(now, then)| to_stored(now) == to_stored(then))
    };
    copies.iter().filter(|path| is_as_decided(path)).cloned().collect()
}
