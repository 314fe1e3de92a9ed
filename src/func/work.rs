//! How much one evaluation may do.
//!
//! A count, not a clock, so that the same text is refused on every machine. Values count by their parts, each time
//! that something walks over them, however often they are shared. Memory counts by what results hold that nothing else holds:
//! sizes alone don't bound it, since an evaluation keeps many values at a time, and memos keep what it made.

use super::EvalError;
use crate::value::{Data, Type, Value};
use std::cell::Cell;
use std::sync::Arc;

/// The work that one evaluation may do: about four million expressions, or half a million values of a hundred parts
/// each. That takes a few seconds; a module of a thousand locals or a list of 100 000 elements takes less than a
/// tenth.
const ALL: u64 = 64 << 20;

/// The cost of evaluating an expression, beside a part of a value.
const EXPRESSION: u64 = 16;

/// The cost of an error: its message, and the value with which Terraform continues.
const FAILURE: u64 = 128;

/// The cost of converting a part.
const CONVERSION: u64 = 16;

/// The most that writing a number costs, unless it is very large or very small.
const PLAIN_DIGITS: u64 = 600;

/// The bytes that a part of a value counts as where a function works on each byte.
const PART_BYTES: usize = 16;

/// The number of bytes of text that count as a part.
const TEXT_PART: usize = 256;

/// The bytes that one evaluation may make: eight texts of the greatest length, or a list of two million numbers.
const ROOM: u64 = 128 << 20;

/// What a part of a value takes, with its type.
const PART: u64 = 64;

/// The work that is left for an evaluation.
#[derive(Debug)]
pub struct Work {
    left: Cell<u64>,
    /// The bytes that may still be made.
    room: Cell<u64>,
    /// The bytes that were made.
    made: Cell<u64>,
    /// What was used up first: from then on everything is declined.
    end: Cell<Option<End>>,
    /// The number of surrounding `try`, `can` and arms of conditionals, and of the operations in them that may yet fail.
    around: Cell<u64>,
    risks: Cell<u64>,
}

/// What an evaluation has used up.
#[derive(Clone, Copy, Debug)]
enum End {
    Steps,
    Room,
}

impl End {
    fn message(self) -> &'static str {
        match self {
            End::Steps => "Too much work: the expression takes too many steps.",
            End::Room => "Too much at a time: the expression makes too many bytes of values.",
        }
    }
}

impl Default for Work {
    fn default() -> Work {
        Work::with_room(ROOM)
    }
}

impl Work {
    /// The work of one evaluation that may make so many bytes, and no more than any other.
    pub fn with_room(bytes: u64) -> Work {
        Work {
            left: Cell::new(ALL),
            room: Cell::new(bytes.min(ROOM)),
            made: Cell::new(0),
            end: Cell::new(None),
            around: Cell::new(0),
            risks: Cell::new(0),
        }
    }

    /// The bytes that were made. What is kept of an evaluation takes no more.
    pub fn bytes_made(&self) -> u64 {
        self.made.get()
    }

    /// Counts the bytes of a result that nothing holds but the result: parts of operands, which the caller still has, count nothing.
    ///
    /// # Errors
    /// A limit, once there is no room left; from then on always, for whatever is counted.
    pub fn count_new(&self, value: &Value) -> Result<(), EvalError> {
        match &value.data {
            Data::String(text) => self.count_new_text(text),
            Data::Unknown(Some(known)) if Arc::strong_count(known) == 1 => {
                known.prefix.as_ref().map_or(Ok(()), |prefix| self.count_new_text(prefix))
            }
            Data::Number(number) if Arc::strong_count(number) == 1 => self.take_room(number.bytes()),
            Data::Seq(items) if Arc::strong_count(items) == 1 => {
                self.take_room(PART.saturating_mul(items.len() as u64))?;
                items.iter().try_for_each(|item| self.count_new(item))
            }
            Data::Map(entries) if Arc::strong_count(entries) == 1 => {
                self.take_room(PART.saturating_mul(entries.len() as u64))?;
                entries.iter().try_for_each(|(key, item)| {
                    self.count_new_text(key)?;
                    self.count_new(item)
                })
            }
            _ => Ok(()),
        }
    }

    /// The same for a text, such as a message that quotes what it is about.
    ///
    /// # Errors
    /// As [`Work::count_new`].
    pub fn count_new_text(&self, text: &Arc<str>) -> Result<(), EvalError> {
        if Arc::strong_count(text) == 1 { self.take_room(text.len() as u64) } else { Ok(()) }
    }

    /// Checks that there is room for so many bytes that a function needs while it runs, and gives back.
    ///
    /// # Errors
    /// As [`Work::count_new`].
    pub fn check_room(&self, bytes: u64) -> Result<(), EvalError> {
        self.check_end()?;
        if bytes <= self.room.get() { Ok(()) } else { Err(self.end_with(End::Room)) }
    }

    fn take_room(&self, bytes: u64) -> Result<(), EvalError> {
        self.check_end()?;
        let left = self.room.get().checked_sub(bytes);
        self.made.set(self.made.get().saturating_add(bytes));
        self.room.set(left.unwrap_or(0));
        match left {
            Some(_) => Ok(()),
            None => Err(self.end_with(End::Room)),
        }
    }

    /// Why everything is declined, once something is used up.
    pub fn why_ended(&self) -> Option<&'static str> {
        self.end.get().map(End::message)
    }

    fn check_end(&self) -> Result<(), EvalError> {
        match self.why_ended() {
            Some(why) => Err(EvalError::declined(why)),
            None => Ok(()),
        }
    }

    fn end_with(&self, end: End) -> EvalError {
        self.end.set(Some(end));
        EvalError::declined(end.message())
    }

    /// What was spent.
    pub fn spent(&self) -> u64 {
        ALL.saturating_sub(self.left.get())
    }

    /// Counts one expression.
    ///
    /// # Errors
    /// A limit, once all work or all room is used up; from then on always.
    pub fn expression(&self) -> Result<(), EvalError> {
        self.spend(EXPRESSION)
    }

    /// Counts an error.
    ///
    /// # Errors
    /// As [`Work::expression`].
    pub fn failure(&self) -> Result<(), EvalError> {
        self.spend(FAILURE)
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

    /// Counts several walks over a value, looking at it once.
    ///
    /// # Errors
    /// As [`Work::expression`].
    pub fn charge_walks(&self, value: &Value, times: u64) -> Result<(), EvalError> {
        let before = self.spent();
        self.value(value)?;
        let once = self.spent().saturating_sub(before);
        self.spend(once.saturating_mul(times.saturating_sub(1)))
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
        self.around.set(self.around.get() + 1);
        let done = part();
        self.around.set(self.around.get().saturating_sub(1));
        (done, self.risks.replace(risks) > 0)
    }

    /// Returns true if it matters that an operation may yet fail: something around it catches errors, or looks at
    /// types.
    pub fn is_watched(&self) -> bool {
        self.around.get() > 0
    }

    /// Notes an operation that may yet fail.
    pub fn risk(&self) {
        self.risks.set(self.risks.get() + 1);
    }

    /// Runs a part of which nothing counts unless it is taken; and the number of operations in it that may yet fail.
    pub fn arm<T>(&self, part: impl FnOnce() -> T) -> (T, u64) {
        let risks = self.risks.get();
        self.around.set(self.around.get() + 1);
        let done = part();
        self.around.set(self.around.get().saturating_sub(1));
        (done, self.risks.replace(risks) - risks)
    }

    /// Adds the risks of an arm that is taken.
    pub fn taken(&self, found: u64) {
        self.risks.set(self.risks.get() + found);
    }

    /// Counts the numbers of a value that is written as text: of one with a great exponent the digits are worked out.
    ///
    /// # Errors
    /// As [`Work::expression`].
    pub fn digits(&self, value: &Value) -> Result<(), EvalError> {
        match &value.data {
            Data::Number(number) => self.spend((2 * number.magnitude()).saturating_sub(PLAIN_DIGITS)),
            Data::Seq(_) | Data::Map(_) => value.parts().try_for_each(|part| self.digits(part)),
            _ => Ok(()),
        }
    }

    /// Counts what a function does with each byte of a value's texts, so many of which take as long as an expression. A part counts as
    /// `PART_BYTES` bytes besides.
    ///
    /// # Errors
    /// As [`Work::expression`].
    pub fn bytes(&self, value: &Value, at_once: u64) -> Result<(), EvalError> {
        let count = |bytes: usize| self.spend(EXPRESSION.saturating_mul(bytes as u64) / at_once.max(1));
        match &value.data {
            Data::String(text) => count(text.len()),
            Data::Seq(items) => {
                count(items.len().saturating_mul(PART_BYTES))?;
                items.iter().try_for_each(|item| self.bytes(item, at_once))
            }
            Data::Map(entries) => entries.iter().try_for_each(|(key, item)| {
                count(key.len().saturating_add(PART_BYTES))?;
                self.bytes(item, at_once)
            }),
            _ => Ok(()),
        }
    }

    /// Counts what a function does besides walking over its arguments, in expressions.
    ///
    /// # Errors
    /// As [`Work::expression`].
    pub fn call(&self, expressions: u64) -> Result<(), EvalError> {
        self.spend(expressions.saturating_mul(EXPRESSION))
    }

    fn spend(&self, amount: u64) -> Result<(), EvalError> {
        self.check_end()?;
        let left = self.left.get().checked_sub(amount);
        self.left.set(left.unwrap_or(0));
        match left {
            Some(_) => Ok(()),
            None => Err(self.end_with(End::Steps)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ROOM, Work};
    use crate::value::{Type, Value};

    #[test]
    fn only_what_is_new_takes_room() {
        let work = Work::default();
        let text = Value::string("x".repeat(1000));
        work.count_new(&text).unwrap();
        assert_eq!(work.bytes_made(), 1000);
        let held = Value::list(Type::String, vec![text.clone(), text.clone()]);
        work.count_new(&held).unwrap();
        let own = work.bytes_made() - 1000;
        assert!(own > 0 && own < 500, "the list alone: {own}");
        work.count_new(&held.clone()).unwrap();
        assert_eq!(work.bytes_made(), 1000 + own, "somebody else holds it");
    }

    #[test]
    fn room_is_used_up_for_good() {
        let work = Work::with_room(1000);
        work.count_new(&Value::string("x".repeat(900))).unwrap();
        assert!(work.count_new(&Value::string("x".repeat(101))).unwrap_err().limit);
        assert!(work.count_new(&Value::string("x")).unwrap_err().limit);
        assert!(work.expression().unwrap_err().limit, "nothing goes on without room");
        let work = Work::with_room(u64::MAX);
        assert!(work.count_new(&Value::string("x".repeat(ROOM as usize + 1))).is_err());
    }

    #[test]
    fn work_is_used_up_for_good() {
        let work = Work::default();
        assert!(work.call(u64::MAX).unwrap_err().limit);
        assert!(work.call(0).unwrap_err().limit);
        assert!(work.value(&Value::string("x")).unwrap_err().limit);
        assert!(work.count_new(&Value::string("x")).unwrap_err().limit, "nor is there room");
        assert_eq!((work.bytes_made(), work.why_ended().is_some()), (0, true));
    }

    #[test]
    fn several_walks_are_so_many_times_one() {
        let value = Value::tuple(vec![Value::string("x"), Value::tuple(vec![Value::bool(true)])]);
        let spent = |times| {
            let work = Work::default();
            work.charge_walks(&value, times).unwrap();
            work.spent()
        };
        assert!(spent(1) > 0);
        assert_eq!(spent(5), 5 * spent(1));
    }

    #[test]
    fn what_a_call_needs_is_asked_for_once() {
        let work = Work::with_room(1000);
        work.check_room(1000).unwrap();
        assert!(work.check_room(1001).unwrap_err().limit);
        assert!(work.expression().unwrap_err().limit);
    }
}
