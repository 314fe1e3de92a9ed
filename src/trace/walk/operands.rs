//! Combinations of operands' alternatives: those in the making, and the finished ones with their values.

use crate::cond::{Condition, FormulaId};
use crate::eval::{EvalError, Outcome};
use crate::trace::{Alt, Hops, Part};
use crate::value::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// One combination of plain operands.
pub struct Combo {
    pub when: FormulaId,
    pub shown: Arc<Condition>,
    /// The operands that are values.
    pub values: Vec<Value>,
    /// All operands, where some of them are errors.
    pub failed: Option<Vec<Outcome>>,
    pub hops: Hops,
}

impl Combo {
    /// The first operand that is an error of the wanted kind.
    pub fn error(&self, wanted: impl Fn(&EvalError) -> bool) -> Option<&EvalError> {
        self.failed.iter().flatten().filter_map(|operand| operand.as_ref().err()).find(|e| wanted(e))
    }

    /// All operands.
    pub fn outcomes(self) -> Vec<Outcome> {
        self.failed.unwrap_or_else(|| self.values.into_iter().map(Ok).collect())
    }
}

/// A combination in the making: its conditions, apart from which alternatives it is made of.
pub struct Draft {
    pub when: FormulaId,
    pub shown: Arc<Condition>,
}

impl Draft {
    /// Returns the cost of joining one more condition, as a number of copied values.
    pub fn reading(&self) -> usize {
        match &*self.shown {
            Condition::And(parts) => 8 * parts.len(),
            _ => 1,
        }
    }
}

/// Combinations in the making.
pub struct Drafts<'g> {
    pub list: Vec<Draft>,
    /// The operands' alternatives, and whether there is a choice among them.
    pub operands: Vec<(Cow<'g, [Alt]>, bool)>,
    /// For each combination, which alternative of each operand with a choice; all in one row.
    pub picks: Vec<u32>,
}

impl<'g> Drafts<'g> {
    /// Returns the number of operands with a choice.
    pub fn width(&self) -> usize {
        self.operands.iter().filter(|(_, choice)| *choice).count()
    }

    /// Returns the combinations, to be made one by one.
    pub fn finished(self) -> Combos<'g> {
        Combos {
            width: self.width(),
            at: 0,
            list: self.list.into_iter(),
            operands: self.operands,
            picks: self.picks,
        }
    }
}

/// All combinations, each made when it is asked for: thousands of them with fifty operands each are hundreds of megabytes.
pub struct Combos<'g> {
    list: std::vec::IntoIter<Draft>,
    /// The operands' alternatives, and whether there is a choice among them.
    operands: Vec<(Cow<'g, [Alt]>, bool)>,
    picks: Vec<u32>,
    /// The number of operands with a choice.
    width: usize,
    at: usize,
}

impl ExactSizeIterator for Combos<'_> {}

impl Iterator for Combos<'_> {
    type Item = Combo;

    /// The next combination, with the values and hops of its alternatives.
    fn next(&mut self) -> Option<Combo> {
        let Draft { when, shown } = self.list.next()?;
        let mut picked = self.picks.iter().skip(self.at).take(self.width);
        self.at += self.width;
        let mut values = Vec::with_capacity(self.operands.len());
        let mut failed: Option<Vec<Outcome>> = None;
        let mut hops: Option<&Hops> = None;
        for (alts, choice) in &self.operands {
            let pick = if *choice { picked.next().map_or(0, |at| *at as usize) } else { 0 };
            let Some(alt) = alts.get(pick) else { continue };
            if hops.is_none_or(|hops| alt.hops.is_path() && !hops.is_path()) {
                hops = Some(&alt.hops);
            }
            let error = match &alt.part {
                Part::Value(value) => {
                    failed.iter_mut().for_each(|all| all.push(Ok(value.clone())));
                    values.push(value.clone());
                    continue;
                }
                Part::Failed(e) => e.clone(),
                Part::Object(_) | Part::Tuple(_) => EvalError::new("internal error: not flat"),
            };
            failed.get_or_insert_with(|| values.iter().cloned().map(Ok).collect()).push(Err(error));
        }
        Some(Combo { when, shown, values, failed, hops: hops.cloned().unwrap_or(Hops::NONE) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.list.size_hint()
    }
}
