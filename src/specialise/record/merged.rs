//! What the lines of both sides of a merge mean for files that were edited.
//!
//! In: a record whose lines Git may have put together, and the texts as they stand. Out: the same record, with the pieces of each file in
//! the order in which they stand there. A line that the other side took out may be left beside one that came: what it tells of is
//! nowhere any more. Invariant: a file whose pieces are found in their order stays as it is, and where one can't be accounted for, nothing
//! is guessed. Absent: looking for pieces that were edited; that is [`super::restore`].

use super::occurrences::{Occurrences, names_in};
use super::restore::places;
use super::{FileRecord, Record, Replaced, hash, unslashed};
use crate::text::to_stored;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::Path;

/// Puts the pieces of each file in order; `read` gives a file's text as it is now.
pub fn settle(record: &mut Record, read: &dyn Fn(&Path) -> Option<String>) {
    let last = |address: &String| address.rsplit('.').next().unwrap_or_default().to_owned();
    let units = record.units.iter();
    let names: BTreeSet<String> = units
        .flat_map(|unit| unit.forms().map(|(address, _)| last(&address.to_owned())).collect::<Vec<_>>())
        .collect();
    let is_merged = record.is_merged;
    for file in record.files.iter_mut().filter(|file| !file.created && !file.replaced.is_empty()) {
        let Some(now) = read(&unslashed(&file.path)) else { continue };
        let now = to_stored(&now);
        let is_own = |side: &&FileRecord| side.sha256 == hash(&now) && places(side, &now).is_ok();
        if let Some(own) = file.others.iter().find(is_own).cloned() {
            *file = own;
            continue;
        }
        if places(file, &now).is_ok() {
            continue;
        }
        let Some(replaced) = arranged(&file.replaced, &now, &names) else { continue };
        // A file of which nothing is left was written over, and its original stands on record alone.
        if replaced.is_empty() && !is_merged {
            continue;
        }
        let found = FileRecord { replaced, ..file.clone() };
        if places(&found, &now).is_ok() {
            *file = found;
        }
    }
}

/// The pieces that stand in a text, in order; nothing where another one can't be accounted for.
fn arranged(pieces: &[Replaced], now: &str, names: &BTreeSet<String>) -> Option<Vec<Replaced>> {
    let mut index = Occurrences::of(now);
    let mut equal: FxHashMap<&str, Vec<&Replaced>> = FxHashMap::default();
    for piece in pieces {
        equal.entry(&piece.written).or_default().push(piece);
    }
    let mut found: Vec<(usize, &Replaced)> = Vec::new();
    let mut gone: Vec<&Replaced> = Vec::new();
    for (written, all) in equal {
        let at = occurrences(&mut index, written);
        let is_one = all.windows(2).all(|two| matches!(two, [one, other] if one.original == other.original));
        let is_copy = names_in(written).any(|word| names.contains(word));
        let missing = at.len().checked_sub(all.len());
        // Lines that both sides have may stand twice here; where both sides wrote the same, Git takes one.
        let all: Vec<&Replaced> = match (all.first(), missing) {
            (Some(first), None) if is_one => vec![*first; at.len().max(1)],
            (Some(first), Some(1..)) if is_one && is_copy => vec![*first; at.len()],
            _ => all,
        };
        // What stands above a piece may read like it; nothing below does.
        let Some(above) = at.len().checked_sub(all.len()) else {
            gone.extend(all);
            continue;
        };
        found.extend(at.into_iter().skip(above).zip(all));
    }
    // One that lies in another one was recorded with less around it, on the other side.
    found.sort_by_key(|(at, piece)| (*at, std::cmp::Reverse(piece.written.len())));
    let mut rest = String::new();
    let mut end = 0;
    let mut last: Option<&Replaced> = None;
    let mut is_clear = true;
    found.retain(|(at, piece)| {
        let is_free = *at >= end;
        if is_free {
            rest.push_str(now.get(end..*at).unwrap_or_default());
            (end, last) = (at + piece.written.len(), Some(*piece));
        } else {
            let is_less = |whole: &Replaced| whole.original.contains(&piece.original);
            is_clear &= at + piece.written.len() <= end && last.is_some_and(is_less);
        }
        is_free
    });
    if !is_clear {
        return None;
    }
    rest.push_str(now.get(end..).unwrap_or_default());
    let left: BTreeSet<&str> = names_in(&rest).collect();
    let is_accounted_for = |piece: &&Replaced| {
        let is_again = found.iter().any(|(_, other)| other.original == piece.original);
        let mut copies = names_in(&piece.written).filter(|word| names.contains(*word)).peekable();
        is_again || copies.peek().is_some() && copies.all(|name| !left.contains(name))
    };
    let all = gone.iter().all(is_accounted_for);
    all.then(|| found.into_iter().map(|(_, piece)| piece.clone()).collect())
}

/// The places of a piece that don't overlap, in order.
fn occurrences(index: &mut Occurrences<'_>, written: &str) -> Vec<usize> {
    let mut out = Vec::new();
    let mut from = 0;
    while let Some((at, _)) = index.from(written, from).filter(|_| !written.is_empty()) {
        out.push(at);
        from = at + written.len();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(written: &str, original: &str) -> Replaced {
        Replaced { at: 0, written: written.into(), original: original.into() }
    }

    fn settled(pieces: Vec<Replaced>, now: &str) -> Option<Vec<Replaced>> {
        let names = ["a_1", "a_2", "b_1"].map(str::to_owned).into();
        arranged(&pieces, now, &names)
    }

    #[test]
    fn pieces_stand_in_the_order_of_the_text() {
        let (a, b) = (piece("module \"a_1\" {}", "A"), piece("module \"b_1\" {}", "B"));
        let now = "module \"b_1\" {}\nlocals {}\nmodule \"a_1\" {}\n";
        assert_eq!(settled(vec![a.clone(), b.clone()], now), Some(vec![b.clone(), a.clone()]));
        // Equal ones stay in theirs.
        let twice = |o: &str| piece("x = 1", o);
        let now = "x = 1\nmodule \"a_1\" {}\nx = 1\n";
        let got = settled(vec![twice("first"), twice("second"), a.clone()], now).unwrap();
        assert_eq!(got, [twice("first"), a.clone(), twice("second")]);
        // What reads like one above it isn't one.
        let end = piece("\n}\n", "\n  v = 1\n}\n");
        let now = "module \"a_1\" {}\n}\nb {\n}\n";
        assert_eq!(settled(vec![end.clone(), a.clone()], now), Some(vec![a.clone(), end]));
        assert_eq!(settled(vec![piece("} {", "}"), piece("{}", "{")], "a {} {\n"), None, "they overlap");
    }

    #[test]
    fn a_line_that_the_other_side_took_out_is_passed_over() {
        let (a, b) = (piece("module \"a_1\" {}", "A"), piece("module \"b_1\" {}", "B"));
        let now = "module \"b_1\" {}\n";
        assert_eq!(settled(vec![a.clone(), b.clone()], now), Some(vec![b.clone()]));
        // What is left of an edit tells that it is one.
        let now = "module \"b_1\" {}\noutput \"o\" { value = module.a_1 }\n";
        assert_eq!(settled(vec![a, b], now), None);
        // What names no copy may be an edit of a literal.
        assert_eq!(settled(vec![piece("x = 1", "x = var.x")], "x = 2"), None);
    }

    #[test]
    fn of_two_lines_for_one_text_the_one_that_stands_there_counts() {
        let (old, new) =
            (piece("one(module.a_1)", "module.a"), piece("one(module.a_1, module.a_2)", "module.a"));
        let now = "o = one(module.a_1, module.a_2)\n";
        assert_eq!(settled(vec![old, new.clone()], now), Some(vec![new]));
        // Both sides have the line, and Git takes both, or they wrote two such texts, and it takes one.
        let join = piece("one(module.a_1)", "module.a");
        assert_eq!(settled(vec![join.clone(); 2], "o = one(module.a_1)\n"), Some(vec![join.clone()]));
        let now = "o = one(module.a_1)\np = one(module.a_1)\n";
        assert_eq!(settled(vec![join.clone()], now), Some(vec![join.clone(); 2]));
        let (less, more) = (piece("a_1", "a"), piece("o = a_1", "o = a"));
        assert_eq!(settled(vec![less, more.clone()], "o = a_1\n"), Some(vec![more]));
    }
}
