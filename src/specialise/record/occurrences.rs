//! The places of pieces in a text.
//!
//! In: a text, and pieces that are looked for in it, any number of them. A piece that holds a whole word can stand only where
//! that word stands, so each is compared at the places of its rarest word alone, and not with the whole text. Invariant: what is
//! found is what a search through the text would find. Absent: which of the places is meant.

use rustc_hash::FxHashMap;

/// An index of a text.
pub(in crate::specialise) struct Occurrences<'t> {
    text: &'t str,
    /// The offsets at which each word begins.
    words: FxHashMap<&'t str, Vec<usize>>,
    /// Results of earlier searches.
    known: FxHashMap<String, Found>,
}

/// The places of a piece.
#[derive(Default)]
struct Found {
    /// Its first bytes, those of places that overlap included.
    at: Vec<usize>,
    /// The number of occurrences that don't overlap, from each of these on.
    apart: Vec<usize>,
}

impl<'t> Occurrences<'t> {
    /// Indexes a text.
    pub fn of(text: &'t str) -> Occurrences<'t> {
        let mut index = Occurrences { text, words: FxHashMap::default(), known: FxHashMap::default() };
        for (at, word) in words(text) {
            index.words.entry(word).or_default().push(at);
        }
        index
    }

    /// The text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The first place of a piece from a byte on, and at how many places from there on it stands that don't overlap.
    pub fn from(&mut self, piece: &str, from: usize) -> Option<(usize, usize)> {
        let found = self.found(piece);
        let first = found.at.partition_point(|at| *at < from);
        found.at.get(first).copied().zip(found.apart.get(first).copied())
    }

    fn found(&mut self, piece: &str) -> &Found {
        if !self.known.contains_key(piece) {
            let found = self.search(piece);
            self.known.insert(piece.to_owned(), found);
        }
        self.known.entry(piece.to_owned()).or_default()
    }

    fn search(&self, piece: &str) -> Found {
        let mut at = Vec::new();
        if !piece.is_empty() {
            // A word at either end may go on in the text.
            let inner = words(piece).filter(|(at, word)| *at > 0 && at + word.len() < piece.len());
            let places = |(at, word)| (at, self.words.get(word).map_or(&[][..], Vec::as_slice));
            let is_here = |at: &usize| self.text.get(*at..).is_some_and(|rest| rest.starts_with(piece));
            match inner.map(places).min_by_key(|(_, places)| places.len()) {
                Some((shift, places)) => {
                    at.extend(places.iter().filter_map(|place| place.checked_sub(shift)).filter(is_here));
                }
                None => {
                    let mut from = 0;
                    while let Some(found) = self.text.get(from..).and_then(|rest| rest.find(piece)) {
                        at.push(from + found);
                        from += found + piece.chars().next().map_or(1, char::len_utf8);
                    }
                }
            }
        }
        let mut apart = vec![0; at.len()];
        for i in (0..at.len()).rev() {
            let end = at.get(i).map_or(0, |at| at + piece.len());
            let next = at.partition_point(|at| *at < end);
            let more = apart.get(next).copied().unwrap_or(0);
            if let Some(apart) = apart.get_mut(i) {
                *apart = 1 + more;
            }
        }
        Found { at, apart }
    }
}

/// The words of a text, with their first bytes.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.as_bytes().get(at..)?;
        let start = at + rest.iter().position(is_part)?;
        let length = text.as_bytes().get(start..)?.iter().take_while(|b| is_part(b)).count();
        at = start + length;
        Some((start, text.get(start..at)?))
    })
}

/// The names in a text.
pub(super) fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::specialise::record::occurrences::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_what_a_search_finds(text in "[ab .ç]{0,40}", piece in "[ab .ç]{1,4}", from in 0..40usize) {
            prop_assume!(text.is_char_boundary(from));
            let rest = &text[from..];
            let first = rest.find(&piece).map(|at| (from + at, rest.matches(&piece).count()));
            let mut index = Occurrences::of(&text);
            prop_assert_eq!(index.from(&piece, from), first);
        }
    }
}
