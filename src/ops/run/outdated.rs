//! Finds the edit that makes a tree out of date.
//!
//! In: the files that would change, before and after. Out: the line that somebody wrote rather than the copy that follows from it,
//! since an annotation belongs to the edit. A new line of a copy is found in the module that is copied; else the first line that
//! would change in the user's own files counts.

use crate::host::Host as _;
use crate::ops::diff::is_record;
use crate::ops::read::session::Session;
use crate::ops::run::decide::Tree;
use crate::specialise::moves;
use crate::text::{Place, SourceFile, Span};
use crate::txn::ChangeSet;
use similar::{DiffOp, TextDiff};
use std::path::{Path, PathBuf};

/// A line with fewer characters than this says nothing by itself.
const TELLING: usize = 4;

/// A file that would change.
struct Changed<'a> {
    path: &'a Path,
    before: Option<String>,
    after: &'a str,
    /// True if it is a copy of ours.
    ours: bool,
}

/// The place of the edit; nothing where it can't be told.
pub fn place(session: &mut Session, tree: &Tree, set: &ChangeSet) -> Option<Place> {
    let changed = changed(session, tree, set);
    let copied = changed.iter().filter(|c| c.ours && c.before.is_some());
    if let Some(place) = copied.flat_map(Changed::new_lines).find_map(|line| source(session, &line)) {
        return Some(place);
    }
    let own = changed.iter().filter(|c| !c.ours);
    let (path, text, offset) = own
        .filter_map(|c| {
            let before = c.before.as_deref()?;
            Some((c.path.to_path_buf(), before.to_owned(), c.first_change(before)?))
        })
        .next()?;
    let file = session.config.sources.add(SourceFile::new(path, text));
    let found = session.config.sources.get(file)?;
    let start = Span::new(offset, offset).start;
    let line = found.line_text(found.line_col(start).line);
    Some(Place { file, span: Span::new(offset, offset + line.len()) })
}

fn changed<'a>(session: &Session, tree: &'a Tree, set: &'a ChangeSet) -> Vec<Changed<'a>> {
    let is_source = |path: &&PathBuf| !is_record(path) && path.as_path() != Path::new(moves::FILE);
    let each = set.changes.keys().filter(is_source).map(|path| {
        let before = session.host.read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let created = session.record.as_ref().and_then(|r| r.file(path)).is_some_and(|f| f.created);
        let ours = created || before.is_none();
        Changed { path, before, after: tree.get(path).and_then(Option::as_deref).unwrap_or_default(), ours }
    });
    each.collect()
}

impl Changed<'_> {
    /// The lines that it doesn't have yet, and that could be found elsewhere.
    fn new_lines(&self) -> Vec<String> {
        let before = self.before.as_deref().unwrap_or_default();
        let diff = TextDiff::from_lines(before, self.after);
        let new = diff.iter_all_changes().filter(|c| c.tag() == similar::ChangeTag::Insert);
        let line = |text: &str| text.trim().to_owned();
        new.map(|c| line(c.value())).filter(|l| l.len() >= TELLING && !l.starts_with('#')).collect()
    }

    /// The byte at which the first line begins that would change.
    fn first_change(&self, before: &str) -> Option<usize> {
        let diff = TextDiff::from_lines(before, self.after);
        let first = diff.ops().iter().find(|op| !matches!(op, DiffOp::Equal { .. }))?.old_range().start;
        let lines: Vec<&str> = before.split_inclusive('\n').collect();
        // What comes after the end stands at the last line.
        let at = first.min(lines.len().saturating_sub(1));
        Some(lines.iter().take(at).map(|line| line.len()).sum())
    }
}

/// Returns the place of a line in the sources.
fn source(session: &Session, line: &str) -> Option<Place> {
    session.config.sources.iter().find_map(|(id, file)| {
        let mut start = 0;
        for text in file.text.split_inclusive('\n') {
            if text.trim() == line {
                let at = start + (text.len() - text.trim_start().len());
                return Some(Place { file: id, span: Span::new(at, at + line.len()) });
            }
            start += text.len();
        }
        None
    })
}
