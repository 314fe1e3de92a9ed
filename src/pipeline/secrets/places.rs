//! Places in sources, and whether one of them is around another.
//!
//! Invariant: of the places of a file none lies in another one, and they stand in order, so that a question takes as many steps as their number has binary digits.

use crate::text::{Place, SourceId, Span};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Places by file.
#[derive(Clone, Debug, Default)]
pub(super) struct Places(FxHashMap<SourceId, Vec<Span>>);

impl FromIterator<Place> for Places {
    fn from_iter<I: IntoIterator<Item = Place>>(all: I) -> Places {
        let mut files: FxHashMap<SourceId, Vec<Span>> = FxHashMap::default();
        for place in all {
            files.entry(place.file).or_default().push(place.span);
        }
        for spans in files.values_mut() {
            spans.sort_unstable_by_key(|span| (span.start, Reverse(span.end)));
            let mut end = None;
            // Those before begin no later: one that ends no later either lies in one of them.
            spans.retain(|span| {
                let is_outside = end.is_none_or(|end| span.end > end);
                end = end.max(Some(span.end));
                is_outside
            });
        }
        Places(files)
    }
}

impl Places {
    /// Returns true if one of them is the place, or is around it.
    pub fn hold(&self, place: Place) -> bool {
        self.hold_counting(place, &mut |()| {})
    }

    /// The same; `count` is called for each place that is looked at.
    fn hold_counting(&self, place: Place, count: &mut dyn FnMut(())) -> bool {
        let Some(spans) = self.0.get(&place.file) else { return false };
        let behind = spans.partition_point(|span| {
            count(());
            span.start <= place.span.start
        });
        // Of those that begin before it the last one ends last.
        behind.checked_sub(1).and_then(|at| spans.get(at)).is_some_and(|span| span.contains(place.span))
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = Place> + '_ {
        self.0.iter().flat_map(|(file, spans)| spans.iter().map(|span| Place { file: *file, span: *span }))
    }
}

#[cfg(test)]
mod tests {
    use super::Places;
    use crate::text::{Place, SourceFile, SourceId, Sources, Span};

    fn file() -> SourceId {
        Sources::default().add(SourceFile::new("a.tf", ""))
    }

    fn at(start: usize, end: usize) -> Place {
        Place { file: file(), span: Span::new(start, end) }
    }

    #[test]
    fn what_is_around_is_found() {
        let all = [(0, 4), (10, 50), (12, 14), (20, 30), (22, 24), (40, 60), (70, 70)];
        let places: Places = all.iter().map(|(from, to)| at(*from, *to)).collect();
        for from in 0..75 {
            for to in from..75 {
                let want = all.iter().any(|(start, end)| *start <= from && to <= *end);
                assert_eq!(places.hold(at(from, to)), want, "{from}..{to}");
            }
        }
    }

    /// All questions that a tree asks take about as many steps as it has places.
    #[test]
    fn looking_up_grows_as_the_places_do() {
        let steps = |places: usize| {
            let found: Places = (0..places).map(|number| at(number * 10, number * 10 + 5)).collect();
            let mut steps = 0_usize;
            for number in 0..places {
                assert!(found.hold_counting(at(number * 10 + 1, number * 10 + 3), &mut |()| steps += 1));
            }
            steps
        };
        let [one, two, four] = [1000, 2000, 4000].map(steps);
        assert!(one <= 1000 * 12, "{one}");
        assert!(two * 10 <= one * 25 && four * 10 <= two * 25, "{one} {two} {four}");
    }
}
