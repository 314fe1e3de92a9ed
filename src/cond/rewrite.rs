//! Changes to a diagram that keep the order of its terms: fixing a term, and taking universes for granted.
//!
//! Input: a formula and a rule over one split. Invariant: linear in the diagram, since each node is visited once.
//! Deliberately absent: substitution of one term by another.

use super::consts::{ConstId, Consts};
use super::split::{Probe, Split};
use super::table::{FormulaId, Formulas, Refusal};
use super::term::{Bounds, TermId, Universe};
use crate::value::Value;
use rustc_hash::FxHashMap;

impl Formulas {
    /// `f` where `term` has `value`: the term is no longer in it. For a value outside an enforced universe there is
    /// nothing to be said of, and the answer is false.
    ///
    /// # Errors
    /// [`Refusal::NotConstant`] where `value` isn't wholly known; [`Refusal::OverBudget`].
    pub fn restrict(&mut self, f: FormulaId, term: TermId, value: &Value) -> Result<FormulaId, Refusal> {
        let id = self.consts.intern(value).ok_or(Refusal::NotConstant)?;
        let possible = match self.term_of(term).map(|t| &t.bounds) {
            Some(Bounds::Enforced(universe)) => universe.contains(&id),
            Some(Bounds::Number) => self.consts.number(id).is_some(),
            _ => true,
        };
        if possible { self.fix(f, term, Probe::Const(id)) } else { Ok(FormulaId::FALSE) }
    }

    /// `f` where `term` is in the class `probe`, which `f` must not divide.
    pub(super) fn fix(&mut self, f: FormulaId, term: TermId, probe: Probe) -> Result<FormulaId, Refusal> {
        self.rewrite(f, &|consts, t, split| {
            if t == term { Split::all(*split.child(probe, consts)) } else { split }
        })
    }

    /// `f` as it is for values inside the universes, those that are only assumed too: formulas that agree there
    /// become equal. The result is meant for comparing; where values outside can occur it says nothing.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]
    pub fn within(&mut self, f: FormulaId) -> Result<FormulaId, Refusal> {
        if f == FormulaId::TRUE || f == FormulaId::FALSE {
            return Ok(f);
        }
        if let Some(known) = self.inside.get(&f) {
            return Ok(*known);
        }
        let terms = self.assumed_in(f);
        let inside = self.within_those(f, &terms)?;
        self.inside.insert(f, inside);
        Ok(inside)
    }

    /// [`Formulas::within`] for the universes of `terms` only.
    pub(super) fn within_those(&mut self, f: FormulaId, terms: &[TermId]) -> Result<FormulaId, Refusal> {
        if terms.is_empty() {
            return Ok(f);
        }
        let mut universes: FxHashMap<TermId, Universe> = FxHashMap::default();
        for term in terms {
            if let Some(universe) = self.term_of(*term).and_then(|t| t.bounds.universe()) {
                universes.insert(*term, universe.clone());
            }
        }
        self.rewrite(f, &|consts, term, split| match universes.get(&term) {
            Some(universe) => {
                let children: Vec<(ConstId, FormulaId)> =
                    universe.iter().map(|id| (*id, *split.child(Probe::Const(*id), consts))).collect();
                let base = children.first().map_or(split.other, |(_, c)| *c);
                Split::listed(&children, base, consts)
            }
            None => split,
        })
    }

    fn rewrite(&mut self, f: FormulaId, rule: Rule<'_>) -> Result<FormulaId, Refusal> {
        self.begin();
        self.rewrite_below(f, rule, &mut FxHashMap::default())
    }

    fn rewrite_below(
        &mut self,
        f: FormulaId,
        rule: Rule<'_>,
        done: &mut FxHashMap<FormulaId, FormulaId>,
    ) -> Result<FormulaId, Refusal> {
        let Some(node) = self.inner(f).cloned() else { return Ok(f) };
        if let Some(known) = done.get(&f) {
            return Ok(*known);
        }
        self.step()?;
        let children = node.split.map(|child| self.rewrite_below(*child, rule, done))?;
        let split = rule(&self.consts, node.term, children);
        let result = self.node(node.term, split)?;
        done.insert(f, result);
        Ok(result)
    }
}

/// Rewrites one node of a decision whose children are rewritten already.
type Rule<'a> = &'a dyn Fn(&Consts, TermId, Split<FormulaId>) -> Split<FormulaId>;
