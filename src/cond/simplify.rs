//! Leaves out of a condition what its other parts say already.
//!
//! Input: a condition, and optionally what is given anyway. Invariant: where the given formula holds, the result means
//! the same, for values outside assumed universes too; no part is reworded, so that the text of the configuration
//! stays recognisable. Where a budget runs out the part stays as it is. Deliberately absent: new parts.

use super::condition::{Condition, Meanings};
use super::table::{FormulaId, Formulas, Parts, Refusal};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::Arc;

/// Conditions of more parts stay as they are: nobody reads them, and each part is weighed against all others.
const MAX_PARTS: usize = 200;

impl Condition {
    /// An equal condition without needless parts.
    #[must_use]
    pub fn simplify(self: &Arc<Condition>, formulas: &mut Formulas) -> Arc<Condition> {
        self.simplify_given(FormulaId::TRUE, formulas)
    }

    /// A condition that is equal where `given` holds, without the parts that are needless there.
    #[must_use]
    pub fn simplify_given(
        self: &Arc<Condition>,
        given: FormulaId,
        formulas: &mut Formulas,
    ) -> Arc<Condition> {
        if self.exceeds(MAX_PARTS) {
            return self.clone();
        }
        let mut known = Meanings { formulas, found: FxHashMap::default() };
        known.reduce(self, given).unwrap_or_else(|_| self.clone())
    }

    /// Returns the number of sites that a reader has to read.
    pub fn weight(&self) -> usize {
        match self {
            Condition::Always => 0,
            Condition::Existing(_) | Condition::Eq(..) => 1,
            Condition::Not(part) => part.weight(),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().map(|p| p.weight()).sum(),
        }
    }
}

impl Meanings<'_> {
    fn reduce(&mut self, c: &Arc<Condition>, given: FormulaId) -> Result<Arc<Condition>, Refusal> {
        let f = self.of(c)?;
        if self.formulas.minus(given, f)? == FormulaId::FALSE {
            return Ok(Arc::new(Condition::Always));
        }
        if self.formulas.and(given, f)? == FormulaId::FALSE {
            return Ok(Condition::never());
        }
        match &**c {
            Condition::Not(part) => Ok(Condition::negate(&self.reduce(part, given)?)),
            Condition::And(parts) => Ok(Condition::all(self.thin(parts, given, true)?)),
            Condition::Or(parts) => Ok(Condition::any(self.thin(parts, given, false)?)),
            _ => Ok(c.clone()),
        }
    }

    /// The parts that are needed, each simplified; tried from the heaviest and the last, so that the plainest stay.
    fn thin(
        &mut self,
        parts: &[Arc<Condition>],
        given: FormulaId,
        conjunction: bool,
    ) -> Result<Vec<Arc<Condition>>, Refusal> {
        let mut own = Vec::with_capacity(parts.len());
        let mut key = Vec::with_capacity(parts.len());
        for part in parts {
            let simple = self.reduce(part, given).unwrap_or_else(|_| part.clone());
            // Where nothing is given, what is simpler means the same.
            let formula = match given {
                FormulaId::TRUE => self.of(part)?,
                _ => simple.formula(self.formulas)?,
            };
            key.push((formula, part.weight()));
            own.push(simple);
        }
        let key = (conjunction, given, key);
        // The same choice is said in other words in each module; which words are needed is the same in all.
        let needed = match self.formulas.thinned.get(&key) {
            Some(known) => known.clone(),
            None => {
                let found: Arc<[bool]> = needed(&key, self.formulas)?.into();
                self.formulas.thinned.insert(key, found.clone());
                found
            }
        };
        Ok(own.into_iter().zip(&*needed).filter(|(_, needed)| **needed).map(|(part, _)| part).collect())
    }
}

/// Returns for each part if it is needed.
fn needed((conjunction, given, parts): &Parts, formulas: &mut Formulas) -> Result<Vec<bool>, Refusal> {
    let mut kept: Vec<Option<FormulaId>> = parts.iter().map(|(f, _)| Some(*f)).collect();
    let mut order: Vec<usize> = (0..kept.len()).collect();
    order.sort_by_cached_key(|i| Reverse((parts.get(*i).map_or(0, |p| p.1), *i)));
    for i in order {
        let Some(Some(own)) = kept.get(i).copied() else { continue };
        let others = kept.iter().enumerate().filter(|(j, _)| *j != i).filter_map(|(_, f)| *f);
        let gap = if *conjunction {
            let rest = formulas.and_all(others)?;
            let rest = formulas.and(*given, rest)?;
            formulas.minus(rest, own)?
        } else {
            let rest = formulas.or_all(others)?;
            let own = formulas.and(*given, own)?;
            formulas.minus(own, rest)?
        };
        if gap == FormulaId::FALSE
            && let Some(slot) = kept.get_mut(i)
        {
            *slot = None;
        }
    }
    Ok(kept.into_iter().map(|f| f.is_some()).collect())
}
