//! Composes two successive sets of edits into one set on the original text.

use super::{Edit, EditError, EditSet, Span};

/// A range of the intermediate text, and what the first set did there.
struct Passage {
    /// The range in the original text.
    before: Span,
    /// The range in the intermediate text.
    after: Span,
}

impl EditSet {
    /// Returns one set of edits that does to the original what this set and then `second` do. The bytes of `second`
    /// are those of the text that this set gives.
    ///
    /// Edits of both sets that touch the same or adjacent bytes become one edit.
    ///
    /// # Errors
    /// Returns an error if a set does not fit its text.
    pub fn then(&self, second: &EditSet, original: &str) -> Result<EditSet, EditError> {
        let between = self.apply(original)?;
        let passages = self.passages();
        let mut spans: Vec<Span> = passages.iter().map(|p| p.after).collect();
        spans.extend(second.edits().iter().map(|e| e.span));
        spans.sort_unstable();
        let mut clusters: Vec<Span> = Vec::new();
        for span in spans {
            match clusters.last_mut() {
                Some(last) if span.start <= last.end => *last = last.to(span),
                _ => clusters.push(span),
            }
        }
        let mut out = EditSet::default();
        for cluster in clusters {
            let shift = |holds: &dyn Fn(&Passage) -> bool| -> i64 {
                let one = |p: &Passage| i64::from(length(p.after)) - i64::from(length(p.before));
                passages.iter().filter(|p| holds(p)).map(one).sum()
            };
            let start = i64::from(cluster.start) - shift(&|p| p.after.start < cluster.start);
            let end = i64::from(cluster.end) - shift(&|p| p.after.start <= cluster.end);
            let bound = |n: i64| u32::try_from(n).map_err(|_| EditError::OutOfBounds(cluster));
            let span = Span { start: bound(start)?, end: bound(end)? };
            let mut inner = EditSet::default();
            for Edit { span, text } in second.edits().iter().filter(|e| cluster.contains(e.span)) {
                let moved = Span { start: span.start - cluster.start, end: span.end - cluster.start };
                inner.replace(moved, text.clone())?;
            }
            let text = inner.apply(between.get(cluster.range()).unwrap_or(""))?;
            if original.get(span.range()) != Some(text.as_str()) {
                out.replace(span, text)?;
            }
        }
        Ok(out)
    }

    /// Returns the offset in the original from which a byte of the edited text comes. For a byte that an edit wrote,
    /// it is the offset of the edit.
    pub fn origin(&self, at: u32) -> u32 {
        let mut shift = 0i64;
        for Passage { before, after } in self.passages() {
            if after.start > at {
                break;
            }
            if at < after.end {
                return before.start.saturating_add(at - after.start).min(before.end);
            }
            shift += i64::from(length(after)) - i64::from(length(before));
        }
        u32::try_from(i64::from(at) - shift).unwrap_or(0)
    }

    fn passages(&self) -> Vec<Passage> {
        let mut shift = 0i64;
        let one = |e: &Edit| {
            let start = u32::try_from(i64::from(e.span.start) + shift).unwrap_or(0);
            let after = Span::new(start as usize, start as usize + e.text.len());
            shift += i64::from(length(after)) - i64::from(length(e.span));
            Passage { before: e.span, after }
        };
        self.edits().iter().map(one).collect()
    }
}

fn length(span: Span) -> u32 {
    span.end.saturating_sub(span.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(edits: &[(u32, u32, &str)]) -> EditSet {
        let mut set = EditSet::default();
        for (start, end, text) in edits {
            set.replace(Span { start: *start, end: *end }, *text).unwrap();
        }
        set
    }

    #[test]
    fn edits_of_written_text_become_one_edit_of_the_original() {
        let original = "a OLD b c d";
        let first = set(&[(2, 5, "NEWER"), (8, 9, "")]);
        let between = first.apply(original).unwrap();
        assert_eq!(between, "a NEWER b  d");
        let second = set(&[(4, 6, "_"), (11, 12, "D")]);
        let both = first.then(&second, original).unwrap();
        assert_eq!(both, set(&[(2, 5, "NE_R"), (8, 9, ""), (10, 11, "D")]));
        assert_eq!(both.apply(original).unwrap(), second.apply(&between).unwrap());
        assert_eq!([0, 2, 4, 9, 11].map(|at| first.origin(at)), [0, 2, 4, 7, 10]);
    }

    #[test]
    fn what_is_taken_back_is_no_edit() {
        let first = set(&[(1, 2, "xyz")]);
        assert!(first.then(&set(&[(1, 4, "b")]), "abc").unwrap().is_empty());
    }

    /// Edits at random places of a text of `length` bytes.
    fn edits(length: u32) -> impl Strategy<Value = EditSet> {
        let one = (0..=length, 0..4u32, "[x-z]{0,4}");
        proptest::collection::vec(one, 0..5).prop_map(move |all| {
            let mut set = EditSet::default();
            for (start, size, text) in all {
                // One that overlaps another is left out.
                let _ = set.replace(Span { start, end: (start + size).min(length) }, text);
            }
            set
        })
    }

    proptest! {
        #[test]
        fn together_they_give_what_they_give_in_turn(first in edits(20), second in edits(12)) {
            let original = "abcdefghijklmnopqrst";
            let between = first.apply(original).unwrap();
            prop_assume!(second.apply(&between).is_ok());
            let both = first.then(&second, original).unwrap();
            prop_assert_eq!(both.apply(original).unwrap(), second.apply(&between).unwrap());
        }
    }
}
