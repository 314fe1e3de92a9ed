//! Questions about formulas.
//!
//! An answer "within the universes" takes closed terms at their word, also those whose universe is only assumed.
//! Deliberately absent: answers by sampling. Everything is decided on the diagram, or refused.

use super::split::Probe;
use super::table::{FormulaId, Formulas, Refusal};
use super::term::{Bounds, TermId};
use crate::value::{Data, Number, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

impl Formulas {
    /// Returns true if `f` always holds within the universes. `f == FormulaId::TRUE` asks the same without assumed
    /// universes.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`], as for every question here.
    pub fn is_true(&mut self, f: FormulaId) -> Result<bool, Refusal> {
        Ok(self.within(f)? == FormulaId::TRUE)
    }

    /// Returns true if `f` never holds within the universes.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]
    pub fn is_false(&mut self, f: FormulaId) -> Result<bool, Refusal> {
        Ok(self.within(f)? == FormulaId::FALSE)
    }

    /// Returns true if the first term of `f` alone rules out that `term` is `value`. Other terms aren't looked at, so
    /// false says nothing.
    pub fn rules_out(&self, f: FormulaId, term: TermId, value: &Value) -> bool {
        let node = self.inner(f).filter(|n| n.term == term);
        let id = self.consts.lookup(value).ok().flatten();
        node.zip(id).is_some_and(|(n, id)| *n.split.child(Probe::Const(id), &self.consts) == FormulaId::FALSE)
    }

    /// The terms that decide `f`, in order of creation. Exact: each of them makes a difference somewhere.
    pub fn terms(&self, f: FormulaId) -> Arc<[TermId]> {
        let found = || {
            let mut terms: Vec<TermId> =
                self.nodes_of(f).iter().filter_map(|n| Some(self.inner(*n)?.term)).collect();
            terms.sort_unstable();
            terms.dedup();
            terms.into()
        };
        self.terms_slot(f).map(|slot| slot.get_or_init(found).clone()).unwrap_or_default()
    }

    /// Returns the terms of `f` whose universe is only assumed.
    pub(super) fn assumed_in(&self, f: FormulaId) -> Vec<TermId> {
        let assumed = |t: &TermId| matches!(self.term_of(*t).map(|t| &t.bounds), Some(Bounds::Assumed(_)));
        self.terms(f).iter().copied().filter(assumed).collect()
    }

    /// Every inner node of `f`, each once.
    pub(super) fn nodes_of(&self, f: FormulaId) -> Vec<FormulaId> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut open = vec![f];
        while let Some(next) = open.pop() {
            let Some(node) = self.inner(next) else { continue };
            if seen.insert(next) {
                found.push(next);
                open.extend(node.split.children().copied());
            }
        }
        found
    }

    /// Evaluates `f` under the values that `values` knows; `None` if they don't decide it.
    ///
    /// An unknown value, and one outside an enforced universe, decides nothing.
    pub fn evaluate(&self, f: FormulaId, values: &dyn Fn(TermId) -> Option<Value>) -> Option<bool> {
        let mut probes = FxHashMap::default();
        for term in self.terms(f).iter().copied() {
            probes.insert(term, values(term).and_then(|v| self.probe_of(term, &v)));
        }
        self.evaluate_below(f, &probes, &mut FxHashMap::default())
    }

    fn evaluate_below(
        &self,
        f: FormulaId,
        probes: &FxHashMap<TermId, Option<Found>>,
        done: &mut FxHashMap<FormulaId, Option<bool>>,
    ) -> Option<bool> {
        let Some(node) = self.inner(f) else { return Some(f == FormulaId::TRUE) };
        if let Some(known) = done.get(&f) {
            return *known;
        }
        let result = match probes.get(&node.term).and_then(Option::as_ref) {
            Some(Found::Class(probe)) => {
                self.evaluate_below(*node.split.child(*probe, &self.consts), probes, done)
            }
            Some(Found::Number(n)) => {
                let before = |at| self.consts.number(at).map(|c| c.cmp(n));
                let started = |after: bool, order| match order {
                    Some(std::cmp::Ordering::Less) => true,
                    Some(std::cmp::Ordering::Equal) => !after,
                    _ => false,
                };
                let last = node.split.cuts.iter().rfind(|(cut, _)| started(cut.after, before(cut.at)));
                self.evaluate_below(last.map_or(node.split.below, |(_, c)| *c), probes, done)
            }
            None => {
                let mut results = node.split.children().map(|c| self.evaluate_below(*c, probes, done));
                let first = results.next().flatten();
                if results.all(|r| r == first) { first } else { None }
            }
        };
        done.insert(f, result);
        result
    }

    fn probe_of(&self, term: TermId, value: &Value) -> Option<Found> {
        let id = self.consts.lookup(value).ok()?;
        match self.term_of(term).map(|t| &t.bounds) {
            Some(Bounds::Enforced(universe)) => {
                let id = id.filter(|id| universe.contains(id))?;
                Some(Found::Class(Probe::Const(id)))
            }
            bounds => match (&value.data, id) {
                (Data::Number(n), None) => Some(Found::Number(Number::clone(n))),
                (data, _) if bounds == Some(&Bounds::Number) && !matches!(data, Data::Number(_)) => None,
                (_, Some(id)) => Some(Found::Class(Probe::Const(id))),
                (_, None) => Some(Found::Class(Probe::Other)),
            },
        }
    }
}

/// The class in which a value lies.
enum Found {
    Class(Probe),
    Number(Number),
}
