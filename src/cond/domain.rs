//! Terms, what values they take, and the atoms over them.
//!
//! How a closed term stays canonical: its diagram steps send every value outside the universe where the *first*
//! value of the universe goes. That is a substitution of values, so it commutes with and, or and not, and two formulas
//! that agree on the universe have one id. A universe that is only assumed is not built in: the term's outside stays
//! visible until [`Formulas::within`] applies the same substitution. Deliberately absent: how a universe was found.

use super::consts::{ConstId, is_exact};
use super::split::{Cut, Split};
use super::table::{FormulaId, Formulas, Refusal};
use super::term::{Bounds, Comparison, Domain, Term, TermId, Universe};
use crate::value::Value;
use rustc_hash::FxHashSet;

impl Formulas {
    /// The term of `key`. A key is whatever identifies an expression of one value per run; the caller's to choose.
    ///
    /// The same key with another domain is another, unrelated term: less is known then, but nothing false.
    pub fn term(&mut self, key: &str, domain: Domain) -> TermId {
        let bounds = match domain {
            Domain::Open => Bounds::Open,
            Domain::Number => Bounds::Number,
            Domain::Closed { values, enforced } => {
                let ids: Option<Vec<ConstId>> = values.iter().map(|v| self.consts.intern(v)).collect();
                let mut ids = ids.unwrap_or_default();
                let mut seen = rustc_hash::FxHashSet::default();
                ids.retain(|id| seen.insert(*id));
                match (ids.is_empty(), enforced) {
                    (true, _) => Bounds::Open,
                    (_, true) => Bounds::Enforced(Universe::of(ids)),
                    (_, false) => Bounds::Assumed(Universe::of(ids)),
                }
            }
        };
        self.intern_term(Term { key: key.into(), bounds })
    }

    /// The key that `term` was made with.
    pub fn key(&self, term: TermId) -> &str {
        self.term_of(term).map_or("", |t| &t.key)
    }

    /// The universe of a closed term, in the order given; empty for others.
    pub fn universe(&self, term: TermId) -> Vec<Value> {
        let ids = self.term_of(term).and_then(|t| t.bounds.universe()).cloned().unwrap_or_default();
        ids.iter().filter_map(|id| self.consts.value(*id).cloned()).collect()
    }

    /// `term == value`, as Terraform's `==` compares: no conversion between types, nulls are equal.
    ///
    /// # Errors
    /// [`Refusal::NotConstant`] where `value` isn't wholly known.
    pub fn eq(&mut self, term: TermId, value: &Value) -> Result<FormulaId, Refusal> {
        let id = self.consts.intern(value).ok_or(Refusal::NotConstant)?;
        if let Some(known) = self.equal.get(&(term, id)) {
            return Ok(*known);
        }
        let equal = self.indicator(term, &[id])?;
        self.equal.insert((term, id), equal);
        Ok(equal)
    }

    /// `term` is one of `values`; false for none.
    ///
    /// # Errors
    /// [`Refusal::NotConstant`] where a value isn't wholly known.
    pub fn one_of(&mut self, term: TermId, values: &[Value]) -> Result<FormulaId, Refusal> {
        let mut ids = Vec::with_capacity(values.len());
        for value in values {
            ids.push(self.consts.intern(value).ok_or(Refusal::NotConstant)?);
        }
        self.indicator(term, &ids)
    }

    /// `term OP number`; false for a term that isn't a number.
    ///
    /// # Errors
    /// [`Refusal::NotConstant`] where `value` isn't a known number that binary floats hold exactly (`0.5` is one, `0.1`
    /// isn't: `t == 0.1` and `t > 0.1` can both be true). A bool term for the whole comparison is the way out.
    pub fn compare(&mut self, term: TermId, op: Comparison, value: &Value) -> Result<FormulaId, Refusal> {
        let at = self.consts.intern(value).ok_or(Refusal::NotConstant)?;
        let limit = self.consts.number(at).filter(|n| is_exact(n)).ok_or(Refusal::NotConstant)?;
        let bounds = self.term_of(term).map(|t| t.bounds.clone());
        if let Some(Bounds::Enforced(universe)) = &bounds {
            let holds = |id: &ConstId| self.consts.number(*id).is_some_and(|n| compares(n.cmp(limit), op));
            let inside: Vec<ConstId> = universe.iter().copied().filter(holds).collect();
            return self.indicator(term, &inside);
        }
        let (after, from_cut) = match op {
            Comparison::Less => (false, FormulaId::FALSE),
            Comparison::LessOrEqual => (true, FormulaId::FALSE),
            Comparison::Greater => (true, FormulaId::TRUE),
            Comparison::GreaterOrEqual => (false, FormulaId::TRUE),
        };
        let below = if from_cut == FormulaId::TRUE { FormulaId::FALSE } else { FormulaId::TRUE };
        let other = if bounds == Some(Bounds::Number) { below } else { FormulaId::FALSE };
        let split = Split { other, points: Vec::new(), below, cuts: vec![(Cut { at, after }, from_cut)] };
        self.node(term, split)
    }

    /// `term` is one of `ids`, in the canonical form of its domain.
    pub(super) fn indicator(&mut self, term: TermId, ids: &[ConstId]) -> Result<FormulaId, Refusal> {
        let (yes, no) = (FormulaId::TRUE, FormulaId::FALSE);
        let bounds = self.term_of(term).map(|t| t.bounds.clone());
        let split = match bounds {
            Some(Bounds::Enforced(universe)) => {
                let chosen: FxHashSet<ConstId> = ids.iter().copied().collect();
                // Only what goes elsewhere than the first value, and all that isn't in the universe, is listed.
                let base = universe.iter().next().is_some_and(|first| chosen.contains(first));
                let listed: Vec<_> = match base {
                    true => universe.iter().filter(|id| !chosen.contains(id)).map(|id| (*id, no)).collect(),
                    false => ids.iter().filter(|id| universe.contains(id)).map(|id| (*id, yes)).collect(),
                };
                let base = if base { yes } else { no };
                Split::listed(&listed, base, &self.consts)
            }
            Some(Bounds::Number) => {
                let listed: Vec<_> =
                    ids.iter().filter(|id| self.consts.number(**id).is_some()).map(|id| (*id, yes)).collect();
                Split::listed(&listed, no, &self.consts)
            }
            _ => {
                let listed: Vec<_> = ids.iter().map(|id| (*id, yes)).collect();
                Split::listed(&listed, no, &self.consts)
            }
        };
        self.node(term, split)
    }
}

fn compares(order: std::cmp::Ordering, op: Comparison) -> bool {
    match op {
        Comparison::Less => order.is_lt(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterOrEqual => order.is_ge(),
    }
}
