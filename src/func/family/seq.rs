//! Shared helpers of the functions on sequences: arguments, sizes, membership.
//!
//! Invariant: whatever could grow beyond [`MAX_ELEMENTS`], or compare more than [`MAX_COMPARISONS`] parts in vain, is declined.

use crate::func::args::int;
pub(super) use crate::func::args::{MAX_ELEMENTS, arg};
use crate::func::{FuncError, Work};
use crate::value::ops::{Alike, Fingerprint};
use crate::value::{Type, Value, ops};

/// The number of parts of values that a function may compare in vain, beside those that one walk over its arguments meets.
const MAX_COMPARISONS: u64 = 1_000_000;

/// So many of these take as long as an expression.
const AT_ONCE: u64 = 4;

/// The elements of a known list, set or tuple; none of anything else.
pub(super) fn elements(value: &Value) -> &[Value] {
    value.as_seq().unwrap_or_default()
}

/// A whole number that fits Go's `int`, or what is wrong with the value.
pub(super) fn whole(value: &Value) -> Result<i64, String> {
    int(std::slice::from_ref(value), 0).map_err(|e| e.message)
}

/// Returns the number of elements of a known list, set or tuple, if it is certain. Unknown elements of a set may turn
/// out equal.
pub(super) fn certain_length(value: &Value) -> Option<usize> {
    let length = value.length()?;
    let open = matches!(value.ty, Type::Set(_)) && length > 1 && !value.is_wholly_known();
    (!open).then_some(length)
}

/// Membership among plain values, by Terraform's `==` without conversion.
pub(super) struct Members<'a> {
    known: Alike<'a>,
    /// Those that aren't wholly known.
    open: Vec<&'a Value>,
    all: Vec<&'a Value>,
    work: &'a Work,
    compared: u64,
}

impl<'a> Members<'a> {
    /// The members.
    pub(super) fn new(all: &'a [Value], work: &'a Work) -> Members<'a> {
        let (mut known, mut open) = (Alike::default(), Vec::new());
        for value in all {
            match Fingerprint::of(value) {
                Some(own) => known.add(0, own, value),
                None => open.push(value),
            }
        }
        Members { known, open, all: all.iter().collect(), work, compared: 0 }
    }

    /// Returns true if a value is among them; `None` if unknowns leave that open.
    ///
    /// # Errors
    /// A limit on the number of comparisons.
    pub(super) fn has(&mut self, value: &Value) -> Result<Option<bool>, FuncError> {
        let own = Fingerprint::of(value);
        let before = self.known.compared();
        let is_there = own.is_some_and(|own| self.known.has(0, own, value));
        let undecided = match own {
            _ if is_there => &Vec::new(),
            Some(_) => &self.open,
            None => &self.all,
        };
        let compared = self.known.compared().saturating_sub(before).saturating_add(undecided.len() as u64);
        self.compared = self.compared.saturating_add(compared);
        charge_work(self.work, compared)?;
        if self.compared > MAX_COMPARISONS {
            return Err(FuncError::declined("the collections are too large to be compared"));
        }
        if is_there {
            return Ok(Some(true));
        }
        let mut is_open = false;
        for member in undecided {
            match ops::decide(member, value) {
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => is_open = true,
            }
        }
        Ok((!is_open).then_some(false))
    }
}

/// Counts what was compared in vain.
fn charge_work(work: &Work, compared: u64) -> Result<(), FuncError> {
    work.call(compared / AT_ONCE).map_err(|e| FuncError::from(&e))
}

/// The values without those that equal an earlier one.
///
/// # Errors
/// A limit on the number of comparisons.
pub(super) fn without_repeats(values: &[Value], work: &Work) -> Result<Vec<Value>, FuncError> {
    let (mut out, mut alike) = (Vec::new(), Alike::default());
    for value in values {
        // What isn't wholly known equals nothing for certain.
        if let Some(own) = Fingerprint::of(value) {
            if alike.has(0, own, value) {
                continue;
            }
            alike.add(0, own, value);
        }
        if alike.compared() > MAX_COMPARISONS {
            charge_work(work, alike.compared())?;
            return Err(FuncError::declined("the list is too large to be compared"));
        }
        out.push(value.clone());
    }
    charge_work(work, alike.compared())?;
    Ok(out)
}

/// A result that would be too large.
pub(super) fn too_large() -> FuncError {
    FuncError::declined(format!("the result has more than {MAX_ELEMENTS} elements"))
}
