//! Files that hold their original again, as Git gives it back by `checkout`, `restore`, `stash` or `revert`.
//!
//! In: a file's record, and its text now. Out: whether that is an original. A file whose pieces make the recorded text again, put in
//! where they were taken out, is the original to the byte. One that was changed besides, as by a pull behind a stash, counts where
//! all that was replaced stands there, a whole block among it, and nothing that was written does: a block stands in a module once. So
//! does what stood nowhere else when it was replaced. An earlier original, whose blocks read otherwise, names no copy any more.

use super::occurrences::{Occurrences, names_in};
use super::{FileRecord, Replaced, hash};
use rustc_hash::FxHashSet;

/// Returns true if a file that was edited is what it was before, to the byte.
pub(super) fn is_original(file: &FileRecord, now: &str) -> bool {
    written_over(file, now).is_some_and(|text| hash(&text) == file.sha256)
}

/// Returns the text that the recorded pieces make of an original.
fn written_over(file: &FileRecord, original: &str) -> Option<String> {
    let mut out = String::with_capacity(original.len());
    let mut at = 0_usize;
    for piece in &file.replaced {
        let between = piece.at.checked_sub(out.len())?;
        out.push_str(original.get(at..at.checked_add(between)?)?);
        at += between;
        at += original.get(at..)?.starts_with(&piece.original).then_some(piece.original.len())?;
        out.push_str(&piece.written);
    }
    out.push_str(original.get(at..)?);
    Some(out)
}

/// Returns true if a file holds all that was replaced, and nothing of what was written.
pub(super) fn is_changed_original(file: &FileRecord, now: &str) -> bool {
    let mut index = Occurrences::of(now);
    let mut at = 0;
    for piece in &file.replaced {
        if !piece.written.is_empty() && index.from(&piece.written, 0).is_some() {
            return false;
        }
        if piece.original.is_empty() {
            continue;
        }
        let Some((found, _)) = index.from(&piece.original, at) else { return false };
        at = found + piece.original.len();
    }
    // Of a file without hash it was made sure that nothing of what was replaced stood elsewhere.
    has_block(file) || file.sha256.is_empty()
}

/// Returns true if a file names no copy that was written into it any more, and declares again what they stood in for: Git gave back an
/// original from before an edit.
pub(super) fn is_earlier_original(file: &FileRecord, now: &str) -> bool {
    let heads: FxHashSet<&str> = block_heads(now).collect();
    let (mut copies, mut gone) = (FxHashSet::default(), false);
    for piece in &file.replaced {
        let before: FxHashSet<&str> = block_heads(&piece.original).collect();
        let added = block_heads(&piece.written).filter(|head| !before.contains(head));
        copies.extend(added.filter_map(last_label));
        gone |= before.iter().any(|head| !heads.contains(head));
    }
    if gone || copies.is_empty() || names_in(now).any(|word| copies.contains(word)) {
        return false;
    }
    // What was no block has to stand there again as it was: else it may have been edited as it was written.
    let is_block = |piece: &Replaced| block_heads(&piece.original).next().is_some();
    let mut index = Occurrences::of(now);
    file.replaced.iter().all(|piece| {
        let is_back =
            is_block(piece) || piece.original.is_empty() || index.from(&piece.original, 0).is_some();
        is_back && (piece.written.is_empty() || index.from(&piece.written, 0).is_none())
    })
}

/// The first line of each block that stands in no other one.
fn block_heads(text: &str) -> impl Iterator<Item = &str> {
    let starts = |line: &&str| line.starts_with(|c: char| c.is_ascii_lowercase()) && line.ends_with('{');
    text.lines().map(str::trim_end).filter(starts)
}

/// The last label in the first line of a block.
fn last_label(head: &str) -> Option<&str> {
    head.strip_suffix('{')?.trim_end().strip_suffix('"')?.rsplit('"').next()
}

/// Returns true if a whole block was replaced.
fn has_block(file: &FileRecord) -> bool {
    file.replaced.iter().any(|piece| piece.original.contains("{\n") || piece.original.contains("{\r\n"))
}

/// Returns true if an original that Git gives back is told from what was written without a hash of it: a block is, and so is what
/// stood nowhere else.
pub(super) fn is_told_apart(file: &FileRecord, written: &str) -> bool {
    let mut index = Occurrences::of(written);
    let mut originals =
        file.replaced.iter().map(|piece| piece.original.as_str()).filter(|o| !o.is_empty()).peekable();
    has_block(file)
        || originals.peek().is_some() && originals.all(|original| index.from(original, 0).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(written: &str) -> FileRecord {
        let piece = |at, w: &str, o: &str| Replaced { at, written: w.into(), original: o.into() };
        FileRecord {
            path: "main.tf".into(),
            sha256: hash(written),
            replaced: vec![piece(2, "NEW", "block {\n}"), piece(8, "", "OLD")],
            ..FileRecord::default()
        }
    }

    #[test]
    fn the_pieces_make_what_was_written_of_the_original_alone() {
        let file = record("a NEW b c");
        assert!(is_original(&file, "a block {\n} b OLDc"));
        for other in ["a block {\n} b OLDd", "a NEW b c", "a block {\n} b c", "", "a block {\n}"] {
            assert!(!is_original(&file, other), "{other}");
        }
        let beyond = FileRecord { replaced: vec![Replaced { at: 99, ..Replaced::default() }], ..file };
        assert!(!is_original(&beyond, "a"));
    }

    #[test]
    fn an_earlier_original_names_no_copy() {
        let piece = |w: &str, o: &str| Replaced { at: 0, written: w.into(), original: o.into() };
        let copies = "# phi: a\nmodule \"a_2\" {\n}\n\nmodule \"a_1\" {\n}";
        let file = FileRecord {
            path: "main.tf".into(),
            replaced: vec![piece(copies, "module \"a\" {\n  v = 3\n}"), piece("one(module.a_2)", "module.a")],
            ..FileRecord::default()
        };
        let back = "module \"a\" {\n  v = 2\n}\n";
        assert!(is_earlier_original(&file, &format!("{back}x = module.a\n")));
        assert!(!is_earlier_original(&file, &format!("{back}x = 2\n")), "it was edited as it was written");
        for other in [
            "",
            "locals {}\n",
            "module \"a\" ",
            "module \"a_2\" {\n}\n",
            "x = module.a_1\n",
            "x = [one(module.a_2)]",
        ] {
            assert!(!is_earlier_original(&file, other), "{other}");
        }
        let literal = FileRecord { replaced: vec![piece("x = 1", "x = var.x")], ..file };
        assert!(!is_earlier_original(&literal, "x = 2"), "it may be an edit of what was written");
    }

    #[test]
    fn an_original_with_other_edits_holds_nothing_that_was_written() {
        let file = record("a NEW b c");
        assert!(is_changed_original(&file, "# hi\na block {\n} bb OLDc"));
        for other in ["a block {\n} b c", "a NEW block {\n} b OLD", "OLD block {\n}", "b OLD"] {
            assert!(!is_changed_original(&file, other), "{other}");
        }
        let line = Replaced { at: 0, written: "x = 1".into(), original: "x = var.x".into() };
        let file = FileRecord { replaced: vec![line], ..file };
        assert!(!is_changed_original(&file, "x = var.x"), "a line may stand elsewhere");
    }
}
