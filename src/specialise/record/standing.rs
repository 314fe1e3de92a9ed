//! Files as they stand, beside what is on record of them.
//!
//! In: a file's record, and a text. Out: whether that is what was written, or what a merge made of it; and the record of a file that was
//! edited. Absent: what stood there before; that is [`super::restore`].

use super::lines::has_marks;
use super::{FileRecord, Replaced, hash, hash_stored, passages, restore, slashed};
use crate::text::{EditSet, to_stored};
use std::path::Path;

impl FileRecord {
    /// Returns true if a file's text is what was written, whichever line endings Git gave it. In one that was edited what was written
    /// stands, whatever else the user typed around it.
    pub fn is_as_written(&self, now: &str) -> bool {
        if !self.created && self.sha256.is_empty() {
            return restore::stands(self, &to_stored(now));
        }
        // Records of older versions hold line endings as they stood.
        let is_own = |file: &FileRecord| hash_stored(now) == file.sha256 || hash(now) == file.sha256;
        is_own(self) || self.others.iter().any(is_own)
    }

    /// Returns true if a created file holds what a merge made of two texts that were written: nobody typed that.
    pub fn is_made_by_merge(&self, now: &str) -> bool {
        self.created && !self.is_as_written(now) && (!self.others.is_empty() || has_marks(now))
    }

    /// The entry of a merged record for a file that holds this text.
    pub fn of_text(&self, now: &str) -> &FileRecord {
        let is_own = |file: &&FileRecord| hash_stored(now) == file.sha256;
        std::iter::once(self).chain(&self.others).find(is_own).unwrap_or(self)
    }

    /// Builds the record of a file that was edited; `text` is the original after the edits.
    pub fn edited(path: &Path, original: &str, edits: &EditSet, text: &str) -> FileRecord {
        let (mut before, mut after) = (0, 0);
        let replaced = edits.edits().iter().map(|edit| {
            let at = (edit.span.range().start + after).saturating_sub(before);
            (before, after) = (before + edit.span.len(), after + edit.text.len());
            let original = original.get(edit.span.range()).unwrap_or("").to_owned();
            Replaced { at, written: edit.text.clone(), original }
        });
        let mut replaced: Vec<Replaced> = replaced.collect();
        let stored = to_stored(text);
        if stored.len() < text.len() {
            replaced.iter_mut().for_each(|piece| piece.store(text));
        }
        let replaced = passages::findable(&stored, replaced);
        let file =
            FileRecord { path: slashed(path), sha256: hash(&stored), replaced, ..FileRecord::default() };
        let is_by_place = !restore::is_told_by_text(&file, &stored);
        FileRecord { is_by_place, ..file }
    }
}
