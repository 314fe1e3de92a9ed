//! How much one evaluation may do.
//!
//! A count, not a clock, so that the same text is refused on every machine. Values count by their parts, each time
//! that something walks over them, however often they are shared. Deliberately absent: memory, which the sizes of
//! values and texts bound.

use super::EvalError;
use crate::value::{Data, Type, Value};
use std::cell::Cell;

/// What one evaluation may do: some four million expressions, or one value of a hundred parts half a million times.
/// A few seconds; a module of a thousand locals or a list of 100 000 elements takes less than a tenth.
const ALL: u64 = 64 << 20;

/// What evaluating one expression counts, beside a part of a value.
const EXPRESSION: u64 = 16;

/// What converting a part counts.
const CONVERSION: u64 = 16;

/// So many bytes of text count as a part.
const TEXT_PART: usize = 256;

/// What is left of the work that one evaluation may do.
#[derive(Debug)]
pub struct Work {
    left: Cell<u64>,
    /// How many `try` and `can` are around, and how many operations in them may yet fail.
    attempts: Cell<u64>,
    risks: Cell<u64>,
}

impl Default for Work {
    fn default() -> Work {
        Work { left: Cell::new(ALL), attempts: Cell::new(0), risks: Cell::new(0) }
    }
}

impl Work {
    /// Counts one expression.
    ///
    /// # Errors
    /// A limit, once all is used up; from then on always.
    pub fn expression(&self) -> Result<(), EvalError> {
        self.spend(EXPRESSION)
    }

    /// Counts a walk over a value.
    ///
    /// # Errors
    /// As [`Work::expression`].
    pub fn value(&self, value: &Value) -> Result<(), EvalError> {
        match &value.data {
            Data::Seq(_) | Data::Map(_) => {
                self.spend(1 + value.length().unwrap_or(0) as u64)?;
                value.parts().try_for_each(|part| self.value(part))
            }
            Data::String(text) => self.spend((text.len() / TEXT_PART) as u64),
            _ => Ok(()),
        }
    }

    /// Counts a walk over a type.
    ///
    /// # Errors
    /// As [`Work::expression`].
    pub fn ty(&self, ty: &Type) -> Result<(), EvalError> {
        self.spend(1)?;
        ty.children().try_for_each(|child| self.ty(child))
    }

    /// Counts the conversion of a value to another type, which is planned part by part and builds all parts anew.
    ///
    /// # Errors
    /// As [`Work::expression`].
    pub fn conversion(&self, value: &Value) -> Result<(), EvalError> {
        self.spend(CONVERSION * value.length().unwrap_or(0) as u64)?;
        self.ty(&value.ty)?;
        self.value(value)
    }

    /// Runs a part whose errors are caught; and whether an operation in it may yet fail.
    pub fn attempt<T>(&self, part: impl FnOnce() -> T) -> (T, bool) {
        let risks = self.risks.replace(0);
        self.attempts.set(self.attempts.get() + 1);
        let done = part();
        self.attempts.set(self.attempts.get().saturating_sub(1));
        (done, self.risks.replace(risks) > 0)
    }

    /// Whether errors of what is evaluated are caught somewhere.
    pub fn is_attempt(&self) -> bool {
        self.attempts.get() > 0
    }

    /// Notes an operation that may yet fail.
    pub fn risk(&self) {
        self.risks.set(self.risks.get() + 1);
    }

    /// Runs a part of which nothing counts unless it is taken; and how many operations in it may yet fail.
    pub fn arm<T>(&self, part: impl FnOnce() -> T) -> (T, u64) {
        let before = self.risks.get();
        let done = part();
        (done, self.risks.replace(before) - before)
    }

    /// What was found of an arm that is taken counts.
    pub fn taken(&self, risks: u64) {
        self.risks.set(self.risks.get() + risks);
    }

    fn spend(&self, amount: u64) -> Result<(), EvalError> {
        let left = self.left.get().checked_sub(amount);
        self.left.set(left.unwrap_or(0));
        match left {
            Some(_) => Ok(()),
            None => Err(EvalError::declined("Too much work: the expression takes too many steps.")),
        }
    }
}
