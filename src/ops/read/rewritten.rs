//! Copies that aren't what was written, but are what would be written now: somebody replaced a word everywhere, or Git merged both.
//!
//! In: a session that such copies block, and the same without that. Out: whether nothing is an edit. Invariant: nothing counts that differs in a
//! byte from what the sources around it would give, but for line endings. Absent on purpose: reading.

use super::rooted_host::RootedHost;
use crate::issue::{Code, Issue};
use crate::pipeline;
use crate::specialise::record::unslashed;
use crate::text::to_stored;
use crate::trace::Driven;
use std::path::{Path, PathBuf};

type Session = pipeline::Session<RootedHost>;

/// The copies that were edited; nothing where there is none, or anything else is wrong.
pub fn find_edited_copies(session: &Session) -> Option<Vec<PathBuf>> {
    let record = session.record.as_ref()?;
    let find_copy = |issue: &Issue| {
        let path = unslashed(issue.path.as_deref().filter(|_| issue.code == Code::Edited)?);
        record.file(&path).filter(|file| file.created).map(|_| path)
    };
    let copies: Option<Vec<PathBuf>> =
        session.issues.iter().filter(|issue| issue.is_error()).map(find_copy).collect();
    copies.filter(|copies| !copies.is_empty())
}

/// Returns true if each copy is what would be written now. The workspace has a part in no copy.
pub fn are_as_decided(mut session: Session, driven: &[Driven], copies: &[PathBuf]) -> bool {
    let Ok(decided) = pipeline::decide(&mut session, driven, &[], "default") else { return false };
    let is_as_decided = |path: &Path| {
        let now = session.analysed(path).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let then = decided.tree.get(path).and_then(Option::as_deref);
        now.zip(then).is_some_and(|(now, then)| to_stored(now) == to_stored(then))
    };
    copies.iter().all(|path| is_as_decided(path))
}
