//! Passages that can be found again after an edit around them.
//!
//! In: what was written into a file, and where. Out: the same replacements, those that stand for nothing or for a text that
//! stands elsewhere as well with lines from around, which are the same before and after. Invariant: what is put back is
//! the same text. Absent: looking for them; that is [`crate::specialise::record::restore`].

use crate::specialise::record::Replaced;
use crate::specialise::record::occurrences::Occurrences;
use rustc_hash::FxHashMap;

/// Lines that are added on either side at most.
const MOST_LINES: usize = 4;

/// Pieces that become part of one at most: where a text repeats itself, all of them would.
const MOST_JOINS: usize = 16;

/// The replacements of a file whose text is `written` now, each unlike all else where a few lines more make it so. Those that
/// leave no room for them are joined.
///
/// Works from the end: how often a piece stands there depends on the ones behind it alone.
pub fn findable(written: &str, mut pieces: Vec<Replaced>) -> Vec<Replaced> {
    let mut index = Occurrences::of(written);
    // Each with the number of others that were joined to it.
    let mut done: Vec<(Replaced, usize)> = Vec::with_capacity(pieces.len());
    let mut later: FxHashMap<String, usize> = FxHashMap::default();
    while let Some(mut piece) = pieces.pop() {
        let before = pieces.last().map_or(0, |piece| piece.at + piece.written.len());
        let mut joins = 0;
        loop {
            let mut is_found = |piece: &Replaced| {
                let again = later.get(&piece.written).copied().unwrap_or(0);
                let is_own = |(_, count)| count == again + 1;
                has_word(&piece.written) && index.from(&piece.written, before).is_some_and(is_own)
            };
            let behind = done.last().map_or(written.len(), |(next, _)| next.at);
            for _ in 0..MOST_LINES {
                if is_found(&piece) {
                    break;
                }
                piece = widened(written, (before, behind), piece);
            }
            let next = done.last().filter(|(_, more)| !is_found(&piece) && joins + more < MOST_JOINS);
            let Some(joined) = next.and_then(|(next, _)| joined(written, &piece, next)) else { break };
            piece = joined;
            if let Some((gone, more)) = done.pop() {
                joins += 1 + more;
                later.entry(gone.written).and_modify(|left| *left -= 1);
            }
        }
        *later.entry(piece.written.clone()).or_default() += 1;
        done.push((piece, joins));
    }
    done.into_iter().rev().map(|(piece, _)| piece).collect()
}

/// Returns true if there is a word in it. Signs and blanks stand in a comment that somebody types as well.
fn has_word(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// A piece and the next one behind it as one, where few lines are between them.
fn joined(written: &str, piece: &Replaced, next: &Replaced) -> Option<Replaced> {
    let between = written.get(piece.at + piece.written.len()..next.at)?;
    (between.lines().count() <= MOST_LINES).then(|| Replaced {
        at: piece.at,
        written: format!("{}{between}{}", piece.written, next.written),
        original: format!("{}{between}{}", piece.original, next.original),
    })
}

/// A piece with one line more on either side, as far as there is one between its neighbours.
fn widened(written: &str, (before, behind): (usize, usize), piece: Replaced) -> Replaced {
    let end = piece.at + piece.written.len();
    let above = written.get(before..piece.at).unwrap_or("");
    let below = written.get(end..behind).unwrap_or("");
    // From the middle of a line first to its start.
    let cut = above.strip_suffix('\n').unwrap_or(above).rfind('\n').map_or(0, |at| at + 1);
    let left = above.get(cut..).unwrap_or("");
    let right = below.find('\n').map_or(below, |at| below.get(..=at).unwrap_or(""));
    Replaced {
        at: piece.at - left.len(),
        written: format!("{left}{}{right}", piece.written),
        original: format!("{left}{}{right}", piece.original),
    }
}

#[cfg(test)]
mod tests {
    use crate::specialise::record::passages::*;
    use crate::specialise::record::restore::original;
    use crate::specialise::record::{FileRecord, hash};

    fn record(written: &str, pieces: &[(usize, &str, &str)]) -> FileRecord {
        let piece = |(at, w, o): &(usize, &str, &str)| Replaced {
            at: *at,
            written: (*w).into(),
            original: (*o).into(),
        };
        let replaced = findable(written, pieces.iter().map(piece).collect());
        FileRecord { path: "main.tf".into(), sha256: hash(written), replaced, ..FileRecord::default() }
    }

    #[test]
    fn what_was_emptied_is_found_by_its_neighbours() {
        let written = "module \"a\" {\n  source = \"./x\"\n}\n\nmodule \"b\" {\n  source = \"./y\"\n}\n";
        let at = written.find("}\n").unwrap();
        let file = record(written, &[(at, "", "  version = 1\n")]);
        let want = written.replacen("}\n", "  version = 1\n}\n", 1);
        assert_eq!(original(&file, written).unwrap(), want);
        let edited = |text: &str| format!("# mine\n{text}# end\n");
        assert_eq!(original(&file, &edited(written)).unwrap(), edited(&want));
        assert!(original(&file, &written.replace("./x", "./z")).is_err());
    }

    #[test]
    fn what_stands_elsewhere_too_is_told_apart() {
        let written = "a = \"1\"\nb = \"1\"\nc = \"1\"\n";
        let at = written.find("b = \"1\"").unwrap() + 4;
        let file = record(written, &[(at, "\"1\"", "var.b")]);
        assert_eq!(file.replaced[0].written, "b = \"1\"\n");
        assert_eq!(
            original(&file, &format!("d = 2\n{written}")).unwrap(),
            "d = 2\na = \"1\"\nb = var.b\nc = \"1\"\n"
        );
        // Where nothing tells them apart, nothing is guessed.
        let written = "x\n".repeat(40);
        let file = record(&written, &[(40, "x", "y")]);
        assert!(original(&file, &format!("{written}\n")).is_err());
        assert_eq!(
            original(&file, &written).unwrap(),
            format!("{}y\n{}", "x\n".repeat(20), "x\n".repeat(19))
        );
    }
}
