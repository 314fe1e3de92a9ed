//! One step of a decision: how the values of one term are divided.
//!
//! A split is a total function from all values of a term to `C`: numbers lie on a line that is cut in places,
//! other constants are listed, everything else goes to `other`. Invariant of a reduced split: no listed point goes
//! where `other` goes, no two neighbouring pieces of the line go to the same place; hence equal functions are equal.
//! Deliberately absent: terms and universes (see `domain`).

use super::consts::{ConstId, Consts};
use std::cmp::Ordering;

/// A place on the line of numbers where a piece begins: at a number, or right after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Cut {
    /// A constant that is a number.
    pub at: ConstId,
    /// True if the number itself belongs to the piece before.
    pub after: bool,
}

impl Cut {
    /// The order of cuts along the line.
    pub fn order(self, other: Cut, consts: &Consts) -> Ordering {
        consts.number(self.at).cmp(&consts.number(other.at)).then(self.after.cmp(&other.after))
    }
}

/// A class of values that one split doesn't tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Probe {
    /// Every value that is neither a number nor listed.
    Other,
    /// A constant, number or not.
    Const(ConstId),
    /// Numbers before every cut.
    Below,
    /// Numbers from this cut on, up to the next.
    From(Cut),
}

/// A total function from the values of a term to `C`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Split<C> {
    /// The child for values that are neither numbers nor listed.
    pub other: C,
    /// Constants that aren't numbers, in order of their ids.
    pub points: Vec<(ConstId, C)>,
    /// The child for numbers below every cut.
    pub below: C,
    /// The pieces of the line, in its order.
    pub cuts: Vec<(Cut, C)>,
}

impl<C: Clone + PartialEq> Split<C> {
    /// Every value to `child`.
    pub fn all(child: C) -> Split<C> {
        Split { other: child.clone(), points: Vec::new(), below: child, cuts: Vec::new() }
    }

    /// The constants of `listed` to `child`, all else to `base`.
    pub fn listed(listed: &[(ConstId, C)], base: C, consts: &Consts) -> Split<C> {
        let mut split = Split::all(base.clone());
        let mut numbers = Vec::new();
        for (id, child) in listed {
            match consts.number(*id) {
                Some(_) => numbers.push((*id, child.clone())),
                None => split.points.push((*id, child.clone())),
            }
        }
        split.points.sort_by_key(|(id, _)| *id);
        split.points.dedup_by_key(|(id, _)| *id);
        numbers.sort_by(|a, b| consts.number(a.0).cmp(&consts.number(b.0)));
        numbers.dedup_by_key(|(id, _)| *id);
        for (at, child) in numbers {
            split.cuts.push((Cut { at, after: false }, child));
            split.cuts.push((Cut { at, after: true }, base.clone()));
        }
        split.reduce();
        split
    }

    /// Brings the split into its one reduced form.
    pub fn reduce(&mut self) {
        let other = self.other.clone();
        self.points.retain(|(_, child)| *child != other);
        // Of thousands of values nearly all may go where the rest does, and formulas are kept.
        if self.points.len() < self.points.capacity() / 2 {
            self.points.shrink_to_fit();
        }
        let mut last = self.below.clone();
        self.cuts.retain(|(_, child)| {
            let changes = *child != last;
            if changes {
                last = child.clone();
            }
            changes
        });
        if self.cuts.len() < self.cuts.capacity() / 2 {
            self.cuts.shrink_to_fit();
        }
    }

    /// The child of every value, where it is one.
    pub fn constant(&self) -> Option<&C> {
        (self.points.is_empty() && self.cuts.is_empty() && self.below == self.other).then_some(&self.other)
    }

    /// Every child, with repetitions.
    pub fn children(&self) -> impl Iterator<Item = &C> {
        let listed = self.points.iter().map(|(_, c)| c);
        let pieces = self.cuts.iter().map(|(_, c)| c);
        [&self.other, &self.below].into_iter().chain(listed).chain(pieces)
    }

    /// Returns the child for the values of `probe`. If the split divides that class, it is the child for the first
    /// value.
    pub fn child(&self, probe: Probe, consts: &Consts) -> &C {
        match probe {
            Probe::Other => &self.other,
            Probe::Below => &self.below,
            Probe::From(cut) => self.piece(cut, consts),
            Probe::Const(id) if consts.number(id).is_some() => {
                self.piece(Cut { at: id, after: false }, consts)
            }
            Probe::Const(id) => {
                let at = self.points.binary_search_by_key(&id, |(p, _)| *p).ok();
                at.and_then(|i| self.points.get(i)).map_or(&self.other, |(_, c)| c)
            }
        }
    }

    fn piece(&self, cut: Cut, consts: &Consts) -> &C {
        let count = self.cuts.partition_point(|(c, _)| c.order(cut, consts) != Ordering::Greater);
        count.checked_sub(1).and_then(|i| self.cuts.get(i)).map_or(&self.below, |(_, c)| c)
    }

    /// Both functions at once, divided as finely as either.
    pub fn zip<D: Clone + PartialEq>(&self, with: &Split<D>, consts: &Consts) -> Split<(C, D)> {
        let order = |a: &Cut, b: &Cut| a.order(*b, consts);
        Split {
            other: (self.other.clone(), with.other.clone()),
            points: beside((&self.other, &self.points), (&with.other, &with.points), Ord::cmp, false),
            below: (self.below.clone(), with.below.clone()),
            cuts: beside((&self.below, &self.cuts), (&with.below, &with.cuts), order, true),
        }
    }

    /// The function followed by `f`, reduced.
    pub fn map<D: Clone + PartialEq, E>(&self, mut f: impl FnMut(&C) -> Result<D, E>) -> Result<Split<D>, E> {
        let other = f(&self.other)?;
        let mut points = Vec::with_capacity(self.points.len());
        for (id, child) in &self.points {
            points.push((*id, f(child)?));
        }
        let below = f(&self.below)?;
        let mut cuts = Vec::with_capacity(self.cuts.len());
        for (cut, child) in &self.cuts {
            cuts.push((*cut, f(child)?));
        }
        let mut split = Split { other, points, below, cuts };
        split.reduce();
        Ok(split)
    }
}

impl Split<()> {
    /// Divided as finely as `with`, too.
    pub fn refine<D: Clone + PartialEq>(&self, with: &Split<D>, consts: &Consts) -> Split<()> {
        let both = self.zip(with, consts);
        let points = both.points.iter().map(|(id, _)| (*id, ())).collect();
        Split { other: (), points, below: (), cuts: both.cuts.iter().map(|(cut, _)| (*cut, ())).collect() }
    }
}

/// The child for everything that isn't listed, and the list, in order.
type List<'a, K, C> = (&'a C, &'a [(K, C)]);

/// Two lists as one. At a key that only one has, the other has what it has elsewhere: its first, or with `lasting` what
/// its last key before gave.
fn beside<K: Copy, C: Clone, D: Clone>(
    (mut c, left): List<'_, K, C>,
    (mut d, right): List<'_, K, D>,
    order: impl Fn(&K, &K) -> Ordering,
    lasting: bool,
) -> Vec<(K, (C, D))> {
    let mut both = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    loop {
        let next = match (left.peek(), right.peek()) {
            (None, None) => return both,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((a, _)), Some((b, _))) => order(a, b),
        };
        let x = if next.is_le() { left.next() } else { None };
        let y = if next.is_ge() { right.next() } else { None };
        let Some(key) = x.map(|(key, _)| *key).or(y.map(|(key, _)| *key)) else { return both };
        let pair = (x.map_or(c, |(_, child)| child), y.map_or(d, |(_, child)| child));
        both.push((key, (pair.0.clone(), pair.1.clone())));
        if lasting {
            (c, d) = pair;
        }
    }
}
