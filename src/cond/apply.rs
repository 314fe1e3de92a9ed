//! And, or, not and their kin, each in time of the product of the two diagrams' sizes at most.
//!
//! Input: formulas of one table. Invariant: every result of a step is remembered, and every operation has a budget of
//! steps; beyond it the answer is [`Refusal::OverBudget`]. Deliberately absent: reordering of terms.

use super::op::Op;
use super::split::Split;
use super::table::{FormulaId, Formulas, Refusal};

const NO: FormulaId = FormulaId::FALSE;
const YES: FormulaId = FormulaId::TRUE;

impl Formulas {
    /// Not `f`.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`], as for every operation here.
    pub fn not(&mut self, f: FormulaId) -> Result<FormulaId, Refusal> {
        self.xor(f, YES)
    }

    /// Both.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]
    pub fn and(&mut self, a: FormulaId, b: FormulaId) -> Result<FormulaId, Refusal> {
        self.begin();
        self.apply(Op::And, a, b)
    }

    /// Returns the disjunction of two formulas.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]
    pub fn or(&mut self, a: FormulaId, b: FormulaId) -> Result<FormulaId, Refusal> {
        self.begin();
        self.apply(Op::Or, a, b)
    }

    /// Exactly one.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]
    pub fn xor(&mut self, a: FormulaId, b: FormulaId) -> Result<FormulaId, Refusal> {
        self.begin();
        self.apply(Op::Xor, a, b)
    }

    /// `a` without `b`.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]
    pub fn minus(&mut self, a: FormulaId, b: FormulaId) -> Result<FormulaId, Refusal> {
        let not_b = self.not(b)?;
        self.and(a, not_b)
    }

    /// All of them; true for none.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]
    pub fn and_all(&mut self, all: impl IntoIterator<Item = FormulaId>) -> Result<FormulaId, Refusal> {
        self.apply_to_all(Op::And, YES, all)
    }

    /// Returns the disjunction of all formulas; false for none.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]
    pub fn or_all(&mut self, all: impl IntoIterator<Item = FormulaId>) -> Result<FormulaId, Refusal> {
        self.apply_to_all(Op::Or, NO, all)
    }

    /// Applies an operator whose result for nothing is `neutral`. In pairs: one after the other, the first would be read anew each time.
    fn apply_to_all(
        &mut self,
        op: Op,
        neutral: FormulaId,
        all: impl IntoIterator<Item = FormulaId>,
    ) -> Result<FormulaId, Refusal> {
        let mut all: Vec<FormulaId> = all.into_iter().collect();
        while all.len() > 1 {
            let mut joined = Vec::with_capacity(all.len().div_ceil(2));
            for pair in all.chunks(2) {
                joined.push(match pair {
                    [a, b] => {
                        self.begin();
                        self.apply(op, *a, *b)?
                    }
                    rest => rest.first().copied().unwrap_or(neutral),
                });
            }
            all = joined;
        }
        Ok(all.first().copied().unwrap_or(neutral))
    }

    fn apply(&mut self, op: Op, a: FormulaId, b: FormulaId) -> Result<FormulaId, Refusal> {
        // The constants come first in the order of ids, so `a` is one where either is.
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match (op, a) {
            (Op::And, _) | (Op::Or, _) if a == b => return Ok(a),
            (Op::Xor, _) if a == b => return Ok(NO),
            (Op::And, NO) | (Op::Or, YES) => return Ok(a),
            (Op::And, YES) | (Op::Or | Op::Xor, NO) => return Ok(b),
            (Op::Xor, YES) if b == NO => return Ok(YES),
            _ => {}
        }
        if let Some(known) = self.applied.get(&(op, a, b)) {
            return Ok(*known);
        }
        self.step()?;
        let (term, pairs) = self.divide(a, b);
        let Some(term) = term else { return Ok(NO) };
        let split = pairs.map(|(x, y)| self.apply(op, *x, *y))?;
        let result = self.node(term, split)?;
        self.applied.insert((op, a, b), result);
        if op == Op::Xor && a == YES {
            self.applied.insert((op, a, result), b);
        }
        Ok(result)
    }

    /// The first term that either formula tests, and what remains of both for each of its values.
    pub(super) fn divide(
        &self,
        a: FormulaId,
        b: FormulaId,
    ) -> (Option<super::TermId>, Split<(FormulaId, FormulaId)>) {
        let (x, y) = (self.inner(a), self.inner(b));
        let first = [x, y].into_iter().flatten().map(|n| n.term).min();
        let (all_a, all_b) = (Split::all(a), Split::all(b));
        let left = x.filter(|n| Some(n.term) == first).map_or(&all_a, |n| &n.split);
        let right = y.filter(|n| Some(n.term) == first).map_or(&all_b, |n| &n.split);
        (first, left.zip(right, &self.consts))
    }
}
