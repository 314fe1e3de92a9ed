//! Makes a cover shorter without changing what it covers.
//!
//! Input: cubes between two bounds. Steps, twice: drop literals and shorten their lists, merge cubes that differ in
//! one literal, leave out cubes that the others cover. Invariant: every step keeps the cover between the bounds.
//! Deliberately absent: search; each step is greedy and in a fixed order, so that the result is stable.

use super::consts::ConstId;
use super::cubes::{Goal, RawCube};
use super::literal::Cube;
use super::split::{Probe, Split};
use super::table::{FormulaId, Formulas, Refusal};
use super::term::{Bounds, TermId};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeSet;

impl Formulas {
    pub(super) fn minimise(&mut self, mut cubes: Vec<RawCube>, goal: Goal) -> Result<Vec<RawCube>, Refusal> {
        for _ in 0..2 {
            for cube in &mut cubes {
                self.loosen(cube, goal.upper)?;
            }
            let merged = self.merge(self.arrange(cubes))?;
            cubes = self.without_redundant(self.arrange(merged), goal.lower)?;
        }
        Ok(self.arrange(cubes))
    }

    fn weight(&self, cube: &RawCube) -> (usize, usize) {
        (cube.len(), cube.iter().map(|(t, f)| self.weight_of(*t, *f)).sum())
    }

    /// Into an order that doesn't depend on the order of interning, since the greedy steps depend on it.
    fn arrange(&self, cubes: Vec<RawCube>) -> Vec<RawCube> {
        if cubes.len() < 2 {
            return cubes;
        }
        let mut spelled: Vec<_> = cubes.into_iter().map(|cube| (self.spell(&cube), cube)).collect();
        spelled.sort_by(|(a, _), (b, _)| self.cube_order(a, b));
        spelled.into_iter().map(|(_, cube)| cube).collect()
    }

    /// A cube in literals.
    pub(super) fn spell(&self, cube: &RawCube) -> Cube {
        cube.iter().map(|(t, f)| self.literal(*t, *f)).collect()
    }

    fn product(&mut self, cube: &[(TermId, FormulaId)]) -> Result<FormulaId, Refusal> {
        self.and_all(cube.iter().rev().map(|(_, f)| *f).collect::<Vec<_>>())
    }

    /// Drops the literals that `upper` doesn't need, and takes the widest set for one where that is less to read.
    fn loosen(&mut self, cube: &mut RawCube, upper: FormulaId) -> Result<(), Refusal> {
        let mut index = cube.len();
        while let Some(i) = index.checked_sub(1) {
            index = i;
            let Some((term, literal)) = cube.get(i).copied() else { continue };
            let others: RawCube = cube.iter().copied().filter(|(t, _)| *t != term).collect();
            let rest = self.product(&others)?;
            let outside = self.not(rest)?;
            let free = self.or(outside, upper)?;
            let widest = self.values_where(free, term)?;
            if widest == FormulaId::TRUE {
                *cube = others;
            } else if self.weight_of(term, widest) < self.weight_of(term, literal)
                && let Some(slot) = cube.get_mut(i)
            {
                slot.1 = widest;
            }
        }
        Ok(())
    }

    /// The values of `term` with which `f` holds whatever the other terms are.
    fn values_where(&mut self, f: FormulaId, term: TermId) -> Result<FormulaId, Refusal> {
        let sure = self.sure(f, term, &mut FxHashMap::default());
        match self.bounds_of(term) {
            Bounds::Enforced(universe) => {
                let holds = |id: &ConstId| *sure.child(Probe::Const(*id), &self.consts);
                let ids: Vec<ConstId> = universe.iter().copied().filter(holds).collect();
                self.indicator(term, &ids)
            }
            _ => {
                let split =
                    sure.map(|all| Ok::<_, Refusal>(if *all { FormulaId::TRUE } else { FormulaId::FALSE }))?;
                self.node(term, split)
            }
        }
    }

    /// Returns for each value of `term` if `f` holds whatever the other terms are. Each node of `f` is visited once.
    fn sure(&self, f: FormulaId, term: TermId, done: &mut FxHashMap<FormulaId, Split<bool>>) -> Split<bool> {
        let Some(node) = self.inner(f) else { return Split::all(f == FormulaId::TRUE) };
        if let Some(known) = done.get(&f) {
            return known.clone();
        }
        let holds = |child: &FormulaId| *child == FormulaId::TRUE;
        let sure = if node.term == term {
            // No term comes twice on one way, so nothing below asks for it again.
            node.split.map(|child| Ok::<_, Refusal>(holds(child))).unwrap_or_else(|_| Split::all(false))
        } else {
            let children: BTreeSet<FormulaId> = node.split.children().copied().collect();
            let mut all = Split::all(true);
            for child in children {
                let both = all.zip(&self.sure(child, term, done), &self.consts);
                let both = both.map(|(a, b)| Ok::<_, Refusal>(*a && *b));
                all = both.unwrap_or_else(|_| Split::all(false));
            }
            all
        };
        done.insert(f, sure.clone());
        sure
    }

    /// Merges cubes that are equal but for one term.
    fn merge(&mut self, mut cubes: Vec<RawCube>) -> Result<Vec<RawCube>, Refusal> {
        let mut i = 0;
        while i < cubes.len() {
            let partner = (i + 1..cubes.len()).find_map(|j| {
                let place = differ_once(cubes.get(i)?, cubes.get(j)?)?;
                Some((j, place))
            });
            let Some((j, place)) = partner else {
                i += 1;
                continue;
            };
            let other = cubes.remove(j);
            let Some(cube) = cubes.get_mut(i) else { break };
            if let (Some(here), Some((_, there))) = (cube.get_mut(place), other.get(place)) {
                here.1 = self.or(here.1, *there)?;
            }
            cube.retain(|(_, f)| *f != FormulaId::TRUE);
            // A merged cube may have become the partner of an earlier one.
            i = 0;
        }
        Ok(cubes)
    }

    /// Leaves out cubes without which `lower` is still covered, the longest first.
    fn without_redundant(&mut self, cubes: Vec<RawCube>, lower: FormulaId) -> Result<Vec<RawCube>, Refusal> {
        let mut order: Vec<usize> = (0..cubes.len()).collect();
        order.sort_by_cached_key(|i| cubes.get(*i).map(|c| (Reverse(self.weight(c)), Reverse(*i))));
        let mut products = Vec::with_capacity(cubes.len());
        for cube in &cubes {
            products.push(Some(self.product(cube)?));
        }
        for i in order {
            let others: Vec<FormulaId> =
                products.iter().enumerate().filter(|(j, _)| *j != i).filter_map(|(_, f)| *f).collect();
            let union = self.or_all(others)?;
            if self.minus(lower, union)? == FormulaId::FALSE
                && let Some(slot) = products.get_mut(i)
            {
                *slot = None;
            }
        }
        Ok(cubes.into_iter().zip(products).filter(|(_, p)| p.is_some()).map(|(c, _)| c).collect())
    }
}

/// The one place where two cubes over the same terms differ.
fn differ_once(a: &RawCube, b: &RawCube) -> Option<usize> {
    if a.len() != b.len() || a.iter().zip(b).any(|(x, y)| x.0 != y.0) {
        return None;
    }
    let mut places = a.iter().zip(b).enumerate().filter(|(_, (x, y))| x.1 != y.1).map(|(i, _)| i);
    let first = places.next()?;
    places.next().is_none().then_some(first)
}
