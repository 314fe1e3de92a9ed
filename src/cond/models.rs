//! Enumeration: the cases that a formula tells apart and in which it holds.
//!
//! Input: a formula and a limit. Invariant: every case in which the formula holds is in exactly one model.
//! Deliberately absent: cases in which it doesn't hold; negate it for these.

use super::consts::ConstId;
use super::literal::Range;
use super::split::{Cut, Probe, Split};
use super::table::{FormulaId, Formulas, Refusal};
use super::term::{Bounds, TermId};
use crate::value::Value;

/// A case: a choice for each term of the formula, in order of the terms' creation.
pub type Model = Vec<(TermId, Pick)>;

/// The values of a term in one case.
#[derive(Clone, PartialEq, Debug)]
pub enum Pick {
    /// This value.
    Value(Value),
    /// Any number in the range.
    Between(Range),
    /// Any value that is neither a number nor named by the formula or the term's universe.
    Other,
}

impl Formulas {
    /// The first `limit` cases in which `f` holds.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]
    pub fn models(&mut self, f: FormulaId, limit: usize) -> Result<Vec<Model>, Refusal> {
        let mut choices = Vec::new();
        for term in self.terms(f).iter().copied() {
            choices.push((term, self.choices(f, term)));
        }
        let mut found = Vec::new();
        self.enumerate(f, &choices, &mut Vec::new(), limit, &mut found)?;
        Ok(found)
    }

    /// Returns the formula that holds if `f` does for every value of a term.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]
    pub fn for_all(&mut self, f: FormulaId, term: TermId) -> Result<FormulaId, Refusal> {
        self.each_value(f, term)?.into_iter().try_fold(FormulaId::TRUE, |all, own| self.and(all, own))
    }

    /// Returns the formula that holds if `f` does for some value of a term.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]
    pub fn for_some(&mut self, f: FormulaId, term: TermId) -> Result<FormulaId, Refusal> {
        self.each_value(f, term)?.into_iter().try_fold(FormulaId::FALSE, |any, own| self.or(any, own))
    }

    /// `f` for every choice among the values of a term.
    fn each_value(&mut self, f: FormulaId, term: TermId) -> Result<Vec<FormulaId>, Refusal> {
        self.choices(f, term).into_iter().map(|(probe, _)| self.fix(f, term, probe)).collect()
    }

    fn enumerate(
        &mut self,
        f: FormulaId,
        choices: &[(TermId, Vec<(Probe, Pick)>)],
        chosen: &mut Model,
        limit: usize,
        found: &mut Vec<Model>,
    ) -> Result<(), Refusal> {
        if f == FormulaId::FALSE || found.len() >= limit {
            return Ok(());
        }
        let Some(((term, picks), rest)) = choices.split_first() else {
            found.push(chosen.clone());
            return Ok(());
        };
        for (probe, pick) in picks {
            let below = self.fix(f, *term, *probe)?;
            chosen.push((*term, pick.clone()));
            self.enumerate(below, rest, chosen, limit, found)?;
            chosen.pop();
        }
        Ok(())
    }

    /// The classes of values of `term`, fine enough for every node of `f`, as a split without content.
    pub(super) fn partition(&self, f: FormulaId, term: TermId) -> Split<()> {
        let universe = self.bounds_of(term).universe().cloned().unwrap_or_default();
        let is_number = |id: &ConstId| self.consts.number(*id).is_some();
        let mut points: Vec<_> = universe.iter().filter(|id| !is_number(id)).map(|id| (*id, ())).collect();
        points.sort_unstable();
        points.dedup();
        let numbers = universe.iter().copied().filter(is_number);
        let mut cuts: Vec<Cut> =
            numbers.flat_map(|at| [false, true].map(|after| Cut { at, after })).collect();
        cuts.sort_by(|a, b| a.order(*b, &self.consts));
        cuts.dedup();
        let cuts = cuts.into_iter().map(|cut| (cut, ())).collect();
        let mut all = Split { other: (), points, below: (), cuts };
        for node in self.nodes_of(f) {
            if let Some(node) = self.inner(node).filter(|n| n.term == term) {
                all = all.refine(&node.split, &self.consts);
            }
        }
        all
    }

    pub(super) fn bounds_of(&self, term: TermId) -> Bounds {
        self.term_of(term).map_or(Bounds::Open, |t| t.bounds.clone())
    }

    fn choices(&self, f: FormulaId, term: TermId) -> Vec<(Probe, Pick)> {
        let value = |id| self.consts.value(id).cloned().map(|v| (Probe::Const(id), Pick::Value(v)));
        let bounds = self.bounds_of(term);
        if let Bounds::Enforced(universe) = &bounds {
            return universe.iter().filter_map(|id| value(*id)).collect();
        }
        let partition = self.partition(f, term);
        let mut choices: Vec<(Probe, Pick)> =
            partition.points.iter().filter_map(|(id, ())| value(*id)).collect();
        if !partition.cuts.is_empty() || self.tells_numbers(f, term) || bounds == Bounds::Number {
            let cuts: Vec<Cut> = partition.cuts.iter().map(|(cut, ())| *cut).collect();
            let starts = [None].into_iter().chain(cuts.iter().copied().map(Some));
            let ends = cuts.iter().copied().map(Some).chain([None]);
            for (low, high) in starts.zip(ends) {
                match (low, high) {
                    (Some(a), Some(b)) if a.at == b.at => choices.extend(value(a.at)),
                    _ => {
                        let probe = low.map_or(Probe::Below, Probe::From);
                        choices.push((probe, Pick::Between(self.range(low, high))));
                    }
                }
            }
        }
        if bounds != Bounds::Number {
            choices.push((Probe::Other, Pick::Other));
        }
        choices
    }

    /// Returns true if `f` tells numbers from other values: `t < 5 || t >= 5` says that `t` is a number.
    fn tells_numbers(&self, f: FormulaId, term: TermId) -> bool {
        let nodes = self.nodes_of(f);
        let mut splits = nodes.iter().filter_map(|n| self.inner(*n)).filter(|n| n.term == term);
        splits.any(|n| n.split.below != n.split.other)
    }
}
