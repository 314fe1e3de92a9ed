//! A formula over one term, as people say it: one of these values, none of those, in this range.
//!
//! Input: the indicator of a set of values. Invariant: deterministic, and independent of the order in which constants
//! were met: values stand in the order of the universe, or else in reading order. Deliberately absent: HCL text (`gate`).

use super::consts::{ConstId, reading_order};
use super::split::{Cut, Probe, Split};
use super::table::{FormulaId, Formulas};
use super::term::{Bounds, TermId, Universe};
use crate::value::Value;
use std::cmp::Ordering;

/// A conjunction of literals over different terms, in order of their creation; true where it is empty.
pub type Cube = Vec<Literal>;

/// `term` lies in the union of `values` and `ranges`; with `negated`, it doesn't.
#[derive(Clone, PartialEq, Debug)]
pub struct Literal {
    /// The term.
    pub term: TermId,
    /// True if the literal is about all values that aren't listed.
    pub negated: bool,
    /// Single values, in the order of the universe, or else null, bools, numbers, strings.
    pub values: Vec<Value>,
    /// Ranges of numbers, ascending and disjoint.
    pub ranges: Vec<Range>,
}

/// Numbers between two bounds; a missing bound is infinite.
#[derive(Clone, PartialEq, Debug)]
pub struct Range {
    /// The lower bound.
    pub low: Option<Bound>,
    /// The upper bound.
    pub high: Option<Bound>,
}

/// An end of a [`Range`].
#[derive(Clone, PartialEq, Debug)]
pub struct Bound {
    /// A number.
    pub value: Value,
    /// True if the number itself belongs to the range.
    pub inclusive: bool,
}

impl Literal {
    /// Returns the number of items that a reader has to read.
    pub fn weight(&self) -> usize {
        self.values.len() + self.ranges.len()
    }
}

/// The listed part of a literal, by constants.
#[derive(Default)]
struct Listed {
    values: Vec<ConstId>,
    ranges: Vec<(Option<Cut>, Option<Cut>)>,
}

impl Listed {
    fn weight(&self) -> usize {
        self.values.len() + self.ranges.len()
    }
}

impl Formulas {
    /// The literal that `f`, a formula over `term` alone, is.
    pub(super) fn literal(&self, term: TermId, f: FormulaId) -> Literal {
        let (negated, listed) = self.listed(term, f);
        let universe = self.term_of(term).and_then(|t| t.bounds.universe());
        let place = |id: &ConstId| universe.and_then(|u| u.place(id)).unwrap_or(usize::MAX);
        let value = |id: ConstId| Some((place(&id), self.consts.value(id)?.clone()));
        let mut values: Vec<(usize, Value)> = listed.values.iter().filter_map(|id| value(*id)).collect();
        values.sort_by(|(p, a), (q, b)| p.cmp(q).then_with(|| reading_order(a, b)));
        let values = values.into_iter().map(|(_, v)| v).collect();
        let ranges = listed.ranges.iter().map(|(low, high)| self.range(*low, *high)).collect();
        Literal { term, negated, values, ranges }
    }

    /// Returns the number of items in the literal for `f`, a formula over `term` alone.
    pub(super) fn weight_of(&self, term: TermId, f: FormulaId) -> usize {
        self.listed(term, f).1.weight()
    }

    /// Returns the constants that a literal lists; true if they are those that it excludes.
    fn listed(&self, term: TermId, f: FormulaId) -> (bool, Listed) {
        let constant = Split::all(f);
        let split = self.inner(f).map_or(&constant, |n| &n.split);
        match self.term_of(term).map(|t| &t.bounds) {
            Some(Bounds::Enforced(universe)) => self.of_universe(split, universe),
            Some(Bounds::Number) => shorter(|wanted| of_line(split, wanted)),
            _ => {
                let negated = split.other == FormulaId::TRUE;
                (negated, of_line(split, if negated { FormulaId::FALSE } else { FormulaId::TRUE }))
            }
        }
    }

    /// The order of cubes in a normal form: short ones first, then by terms, then by values, as they are read.
    pub(super) fn cube_order(&self, a: &Cube, b: &Cube) -> Ordering {
        let terms = |cube: &Cube| cube.iter().map(|l| l.term).collect::<Vec<_>>();
        let literals = || a.iter().zip(b).map(|(x, y)| self.literal_order(x, y)).find(|o| o.is_ne());
        let by_terms = a.len().cmp(&b.len()).then_with(|| terms(a).cmp(&terms(b)));
        by_terms.then_with(|| literals().unwrap_or(Ordering::Equal))
    }

    fn literal_order(&self, a: &Literal, b: &Literal) -> Ordering {
        let universe = self.term_of(a.term).and_then(|t| t.bounds.universe());
        let place = |v: &Value| {
            let id = self.consts.lookup(v).ok().flatten();
            let place = universe.zip(id).and_then(|(universe, id)| universe.place(&id));
            place.unwrap_or(usize::MAX)
        };
        let value = |x: &Value, y: &Value| place(x).cmp(&place(y)).then_with(|| reading_order(x, y));
        let bound = |x: &Option<Bound>, y: &Option<Bound>| match (x, y) {
            (Some(x), Some(y)) => reading_order(&x.value, &y.value).then(x.inclusive.cmp(&y.inclusive)),
            (x, y) => x.is_some().cmp(&y.is_some()),
        };
        let range = |x: &Range, y: &Range| bound(&x.low, &y.low).then_with(|| bound(&x.high, &y.high));
        let values = || each(&a.values, &b.values, value);
        let ranges = || each(&a.ranges, &b.ranges, range);
        a.negated.cmp(&b.negated).then_with(values).then_with(ranges)
    }

    /// The range from one cut up to the next.
    pub(super) fn range(&self, low: Option<Cut>, high: Option<Cut>) -> Range {
        let bound = |cut: Option<Cut>, low: bool| {
            let cut = cut?;
            Some(Bound { value: self.consts.value(cut.at)?.clone(), inclusive: cut.after != low })
        };
        Range { low: bound(low, true), high: bound(high, false) }
    }

    /// Returns the included or the excluded values of a universe, as [`shorter`] does.
    fn of_universe(&self, split: &Split<FormulaId>, universe: &Universe) -> (bool, Listed) {
        let most = split.other == FormulaId::TRUE;
        let mut few = of_line(split, if most { FormulaId::FALSE } else { FormulaId::TRUE });
        few.values.retain(|id| universe.contains(id));
        // One of thousands is told without a look at the others.
        let rest = universe.len() - few.values.len();
        if few.ranges.is_empty() && (few.values.len() < rest || few.values.len() == rest && !most) {
            return (most, few);
        }
        shorter(|wanted| {
            let goes = |id: &&ConstId| *split.child(Probe::Const(**id), &self.consts) == wanted;
            Listed { values: universe.iter().filter(goes).copied().collect(), ranges: Vec::new() }
        })
    }
}

fn of_line(split: &Split<FormulaId>, wanted: FormulaId) -> Listed {
    let mut listed = Listed::default();
    listed.values.extend(split.points.iter().filter(|(_, c)| *c == wanted).map(|(id, _)| *id));
    let starts = [(None, split.below)].into_iter().chain(split.cuts.iter().map(|(c, f)| (Some(*c), *f)));
    let ends = split.cuts.iter().map(|(c, _)| Some(*c)).chain([None]);
    for ((low, child), high) in starts.zip(ends) {
        if child != wanted {
            continue;
        }
        match (low, high) {
            (Some(a), Some(b)) if a.at == b.at => listed.values.push(a.at),
            _ => listed.ranges.push((low, high)),
        }
    }
    listed
}

/// Lexicographic order.
fn each<T>(a: &[T], b: &[T], order: impl Fn(&T, &T) -> Ordering) -> Ordering {
    let differ = a.iter().zip(b).map(|(x, y)| order(x, y)).find(|o| o.is_ne());
    differ.unwrap_or_else(|| a.len().cmp(&b.len()))
}

/// Returns the included or the excluded values, whichever list is shorter; true for the excluded ones.
fn shorter(listed: impl Fn(FormulaId) -> Listed) -> (bool, Listed) {
    let (inside, outside) = (listed(FormulaId::TRUE), listed(FormulaId::FALSE));
    if outside.weight() < inside.weight() { (true, outside) } else { (false, inside) }
}
