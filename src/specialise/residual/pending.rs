//! The edits of a module while blocks are taken out of it and copied.
//!
//! In: edits in the order in which they were made. Out: the same, those within a block at a step that doesn't grow with the
//! file. Invariant: edits come out in the order in which they went in.

use super::edits::FileEdits;
use crate::text::{Edit, SourceId, Span};
use std::collections::BTreeMap;

/// Edits by file and place, each with its number in the order of making.
#[derive(Default)]
pub(super) struct Pending {
    files: BTreeMap<SourceId, BTreeMap<(u32, u32, usize), String>>,
    made: usize,
}

impl Pending {
    /// Builds it from lists.
    pub fn of(edits: FileEdits) -> Pending {
        let mut pending = Pending::default();
        for (file, edits) in edits {
            pending.files.entry(file).or_default();
            edits.into_iter().for_each(|edit| pending.put(file, edit));
        }
        pending
    }

    /// Adds an edit.
    pub fn put(&mut self, file: SourceId, Edit { span, text }: Edit) {
        let own = self.files.entry(file).or_default();
        own.insert((span.start, span.end, self.made), text);
        self.made += 1;
    }

    /// Takes out those within a span.
    pub fn take(&mut self, file: SourceId, within: Span) -> Vec<Edit> {
        let own = self.files.entry(file).or_default();
        let touched = own.range((within.start, 0, 0)..=(within.end, u32::MAX, usize::MAX));
        let inside = touched.map(|(key, _)| *key).filter(|(start, end, _)| {
            let span = Span { start: *start, end: *end };
            within.contains(span)
        });
        let inside: Vec<(u32, u32, usize)> = inside.collect();
        let mut out: Vec<(usize, Edit)> = Vec::with_capacity(inside.len());
        for key @ (start, end, number) in inside {
            out.extend(own.remove(&key).map(|text| (number, Edit { span: Span { start, end }, text })));
        }
        in_order(out)
    }

    /// All of them as lists again.
    pub fn edits(self) -> FileEdits {
        let list = |own: BTreeMap<(u32, u32, usize), String>| {
            let one = |((start, end, number), text)| (number, Edit { span: Span { start, end }, text });
            in_order(own.into_iter().map(one).collect())
        };
        self.files.into_iter().map(|(file, own)| (file, list(own).into())).collect()
    }
}

fn in_order(mut edits: Vec<(usize, Edit)>) -> Vec<Edit> {
    edits.sort_by_key(|(number, _)| *number);
    edits.into_iter().map(|(_, edit)| edit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_within_a_block_come_out_in_their_order() {
        let file = SourceId(0);
        let edit = |start, end, text: &str| Edit { span: Span { start, end }, text: text.to_owned() };
        let made =
            vec![edit(8, 9, "b"), edit(2, 3, "o"), edit(5, 5, "i"), edit(5, 5, "j"), edit(10, 11, "p")];
        let mut pending = Pending::of(FileEdits::from([(file, made.into())]));
        let inner = pending.take(file, Span { start: 5, end: 9 });
        assert_eq!(inner, [edit(8, 9, "b"), edit(5, 5, "i"), edit(5, 5, "j")]);
        pending.put(file, edit(5, 9, "block"));
        let left = pending.edits();
        assert_eq!(left[&file].as_slice(), [edit(2, 3, "o"), edit(10, 11, "p"), edit(5, 9, "block")]);
    }
}
