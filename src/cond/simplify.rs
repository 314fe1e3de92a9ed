//! Leaves out of a condition what its other parts say already.
//!
//! Input: a condition, and optionally what is given anyway. Invariant: where the given formula holds, the result means
//! the same, for values outside assumed universes too; no part is reworded, so that the text of the configuration
//! stays recognisable. Where a budget runs out the part stays as it is. Deliberately absent: new parts.

use super::condition::Condition;
use super::table::{FormulaId, Formulas, Refusal};
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
        reduce(self, given, formulas).unwrap_or_else(|_| self.clone())
    }

    /// How much there is to read: the number of sites.
    pub fn weight(&self) -> usize {
        match self {
            Condition::Always => 0,
            Condition::Existing(_) | Condition::Eq(..) => 1,
            Condition::Not(part) => part.weight(),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().map(|p| p.weight()).sum(),
        }
    }
}

fn reduce(c: &Arc<Condition>, given: FormulaId, formulas: &mut Formulas) -> Result<Arc<Condition>, Refusal> {
    let f = c.formula(formulas)?;
    if formulas.minus(given, f)? == FormulaId::FALSE {
        return Ok(Arc::new(Condition::Always));
    }
    if formulas.and(given, f)? == FormulaId::FALSE {
        return Ok(Condition::never());
    }
    match &**c {
        Condition::Not(part) => Ok(Condition::negate(&reduce(part, given, formulas)?)),
        Condition::And(parts) => Ok(Condition::all(thin(parts, given, formulas, true)?)),
        Condition::Or(parts) => Ok(Condition::any(thin(parts, given, formulas, false)?)),
        _ => Ok(c.clone()),
    }
}

/// The parts that are needed, each simplified; tried from the heaviest and the last, so that the plainest stay.
fn thin(
    parts: &[Arc<Condition>],
    given: FormulaId,
    formulas: &mut Formulas,
    conjunction: bool,
) -> Result<Vec<Arc<Condition>>, Refusal> {
    let mut kept = Vec::with_capacity(parts.len());
    for part in parts {
        let part = part.simplify_given(given, formulas);
        let f = part.formula(formulas)?;
        kept.push(Some((part, f)));
    }
    let mut order: Vec<usize> = (0..kept.len()).collect();
    order.sort_by_cached_key(|i| Reverse((parts.get(*i).map_or(0, |p| p.weight()), *i)));
    for i in order {
        let Some(Some((_, own))) = kept.get(i) else { continue };
        let own = *own;
        let others: Vec<FormulaId> = kept
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .filter_map(|(_, p)| Some(p.as_ref()?.1))
            .collect();
        let gap = if conjunction {
            let rest = formulas.and_all(others)?;
            let rest = formulas.and(given, rest)?;
            formulas.minus(rest, own)?
        } else {
            let rest = formulas.or_all(others)?;
            let own = formulas.and(given, own)?;
            formulas.minus(own, rest)?
        };
        if gap == FormulaId::FALSE
            && let Some(slot) = kept.get_mut(i)
        {
            *slot = None;
        }
    }
    Ok(kept.into_iter().flatten().map(|(part, _)| part).collect())
}
