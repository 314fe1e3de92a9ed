//! Edits by file, before they are a set.

use crate::issue::{Code, Issue};
use crate::text::{Edit, EditError, EditSet, SourceId, Span};
use std::collections::BTreeMap;
use std::ops::{Bound, Deref};

/// The edits of one module, file by file.
pub type FileEdits = BTreeMap<SourceId, Edits>;

/// The edits of one file, in the order in which they were made. Whether one lies within another is known without looking at all of them.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    list: Vec<Edit>,
    /// How many of them have each span that isn't empty, by place.
    wide: BTreeMap<(u32, u32), usize>,
    /// How many of them insert at each byte.
    inserts: BTreeMap<u32, usize>,
    /// True once a span may lie within another: then all are looked at.
    is_nested: bool,
}

impl Edits {
    /// Adds an edit, whatever else there is.
    pub fn push(&mut self, edit: Edit) {
        let Span { start, end } = edit.span;
        if edit.span.is_empty() {
            *self.inserts.entry(start).or_default() += 1;
        } else {
            let before = self.wide.range(..(start, end)).next_back();
            let behind = self.wide.range((Bound::Excluded((start, end)), Bound::Unbounded)).next();
            self.is_nested |= before.is_some_and(|((from, to), _)| *from == start || *to >= end)
                || behind.is_some_and(|((from, to), _)| *from == start || *to <= end);
            *self.wide.entry((start, end)).or_default() += 1;
        }
        self.list.push(edit);
    }

    /// Adds an edit in the place of those within it; one that lies within another gives way.
    pub fn replace(&mut self, edit: Edit) {
        if self.has_around(edit.span) {
            return;
        }
        if self.has_within(edit.span) {
            self.retain(|e| !is_within(edit.span, e.span));
        }
        self.push(edit);
    }

    /// Keeps those for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&Edit) -> bool) {
        let (wide, inserts) = (&mut self.wide, &mut self.inserts);
        self.list.retain(|edit| {
            let is_kept = keep(edit);
            if !is_kept {
                match edit.span.is_empty() {
                    true => take_one(inserts, edit.span.start),
                    false => take_one(wide, (edit.span.start, edit.span.end)),
                }
            }
            is_kept
        });
    }

    /// All of them, in the order of making.
    pub fn as_slice(&self) -> &[Edit] {
        &self.list
    }

    /// Returns true if one that isn't empty has this span within it.
    fn has_around(&self, span: Span) -> bool {
        if self.is_nested {
            return self.list.iter().any(|e| e.span.contains(span) && e.span != span && !e.span.is_empty());
        }
        // Whichever begins last, of those that begin no later, ends last.
        let last = self.wide.range(..=(span.start, u32::MAX)).next_back();
        last.is_some_and(|((start, end), _)| *end >= span.end && (*start, *end) != (span.start, span.end))
    }

    /// Returns true if one lies within a span.
    fn has_within(&self, span: Span) -> bool {
        if self.is_nested {
            return self.list.iter().any(|e| is_within(span, e.span));
        }
        // Whichever begins first, of those that begin no earlier, ends first.
        let first = self.wide.range((span.start, 0)..).next();
        first.is_some_and(|((_, end), _)| *end <= span.end)
            || (span.start < span.end && self.inserts.range(span.start..span.end).next().is_some())
    }
}

/// Returns true if an edit gives way to one of this span: an insertion at its end doesn't.
fn is_within(span: Span, other: Span) -> bool {
    span.contains(other) && !(other.is_empty() && other.start == span.end)
}

fn take_one<K: Ord>(counts: &mut BTreeMap<K, usize>, key: K) {
    if let Some(count) = counts.get_mut(&key) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            counts.remove(&key);
        }
    }
}

impl Deref for Edits {
    type Target = [Edit];

    fn deref(&self) -> &[Edit] {
        &self.list
    }
}

impl Extend<Edit> for Edits {
    fn extend<I: IntoIterator<Item = Edit>>(&mut self, edits: I) {
        edits.into_iter().for_each(|edit| self.push(edit));
    }
}

impl FromIterator<Edit> for Edits {
    fn from_iter<I: IntoIterator<Item = Edit>>(edits: I) -> Edits {
        let mut all = Edits::default();
        all.extend(edits);
        all
    }
}

impl From<Vec<Edit>> for Edits {
    fn from(edits: Vec<Edit>) -> Edits {
        edits.into_iter().collect()
    }
}

impl IntoIterator for Edits {
    type Item = Edit;
    type IntoIter = std::vec::IntoIter<Edit>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'e> IntoIterator for &'e Edits {
    type Item = &'e Edit;
    type IntoIter = std::slice::Iter<'e, Edit>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

/// Adds an edit; one that lies within it gives way.
pub fn replace(edits: &mut Edits, edit: Edit) {
    edits.replace(edit);
}

/// A text with all edits applied.
pub fn apply(text: &str, edits: &[Edit]) -> Result<String, Issue> {
    applied(text, edits).map(|(_, text)| text)
}

/// The same, with the edits as a set.
pub fn applied(text: &str, edits: &[Edit]) -> Result<(EditSet, String), Issue> {
    let set = EditSet::of(edits.to_vec()).map_err(broken)?;
    let text = set.apply(text).map_err(broken)?;
    Ok((set, text))
}

/// A part of a text with the edits that lie in it. Edits are in bytes of the whole text.
pub fn apply_within(text: &str, part: Span, edits: &[Edit]) -> Result<String, Issue> {
    let own = edits.iter().filter(|e| part.contains(e.span));
    let own: Vec<Edit> = own.map(|e| e.clone().moved(|at| at - part.start)).collect();
    apply(text.get(part.range()).unwrap_or_default(), &own)
}

/// The issue for edits that can't be made.
pub fn broken(why: EditError) -> Issue {
    Issue::error(Code::Unsupported, "the changes to a file don't fit together", why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same without an index.
    fn replace_among_all(edits: &mut Vec<Edit>, edit: Edit) {
        if edits.iter().any(|e| e.span.contains(edit.span) && e.span != edit.span && !e.span.is_empty()) {
            return;
        }
        edits.retain(|e| !is_within(edit.span, e.span));
        edits.push(edit);
    }

    /// A look at all of them for each would take minutes here.
    #[test]
    fn many_edits_that_lie_apart_are_found_by_their_places() {
        const COUNT: u32 = 200_000;
        let mut own = Edits::default();
        let edit = |at: u32| Edit { span: Span { start: at * 4, end: at * 4 + 3 }, text: "x".to_owned() };
        (0..COUNT / 2).for_each(|at| own.replace(edit(at)));
        (COUNT / 2..COUNT).rev().for_each(|at| own.replace(edit(at)));
        (0..COUNT).for_each(|at| {
            own.replace(Edit { span: Span { start: at * 4 + 1, end: at * 4 + 2 }, text: "y".into() })
        });
        assert!(!own.is_nested);
        assert_eq!(own.len(), usize::try_from(COUNT).unwrap());
    }

    #[test]
    fn replacing_does_what_a_look_at_all_edits_does() {
        let mut seed: u32 = 7;
        let mut next = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % below
        };
        for round in 0..400 {
            let (mut own, mut all) = (Edits::default(), Vec::new());
            for number in 0..40 {
                let start = next(30);
                let edit = Edit { span: Span { start, end: start + next(6) }, text: number.to_string() };
                match round % 2 == 0 && next(8) == 0 {
                    true => {
                        own.push(edit.clone());
                        all.push(edit);
                    }
                    false => {
                        own.replace(edit.clone());
                        replace_among_all(&mut all, edit);
                    }
                }
                assert_eq!(own.as_slice(), all);
            }
        }
    }
}
