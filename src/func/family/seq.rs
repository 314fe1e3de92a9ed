//! Shared helpers of the functions on sequences: arguments, sizes, membership.
//!
//! Invariant: whatever could grow beyond [`MAX_ELEMENTS`], or compare more than [`MAX_COMPARISONS`] pairs, is declined.

use crate::func::FuncError;
use crate::func::args::int;
pub(super) use crate::func::args::{MAX_ELEMENTS, arg};
use crate::value::{Type, Value, ops};
use rustc_hash::FxHashSet;

/// The number of pairs of values that a function may compare.
const MAX_COMPARISONS: usize = 4_000_000;

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
    all: &'a [Value],
    texts: Option<FxHashSet<&'a str>>,
    compared: usize,
}

impl<'a> Members<'a> {
    /// The members.
    pub(super) fn new(all: &'a [Value]) -> Members<'a> {
        Members { all, texts: all.iter().map(Value::as_str).collect(), compared: 0 }
    }

    /// Returns true if a value is among them; `None` if unknowns leave that open.
    ///
    /// # Errors
    /// A limit on the number of comparisons.
    pub(super) fn has(&mut self, value: &Value) -> Result<Option<bool>, FuncError> {
        if let (Some(texts), Some(text)) = (&self.texts, value.as_str()) {
            return Ok(Some(texts.contains(text)));
        }
        self.compared = self.compared.saturating_add(self.all.len());
        if self.compared > MAX_COMPARISONS {
            return Err(FuncError::declined("the collections are too large to be compared"));
        }
        let mut open = false;
        for member in self.all {
            match ops::decide(member, value) {
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => open = true,
            }
        }
        Ok((!open).then_some(false))
    }
}

/// The values without those that equal an earlier one.
///
/// # Errors
/// A limit on the number of comparisons.
pub(super) fn without_repeats(values: &[Value]) -> Result<Vec<Value>, FuncError> {
    if let Some(texts) = values.iter().map(Value::as_str).collect::<Option<Vec<&str>>>() {
        let mut seen = FxHashSet::default();
        let new = values.iter().zip(texts).filter(|(_, text)| seen.insert(*text));
        return Ok(new.map(|(value, _)| value.clone()).collect());
    }
    let mut out: Vec<Value> = Vec::new();
    let mut compared = 0usize;
    for value in values {
        compared = compared.saturating_add(out.len());
        if compared > MAX_COMPARISONS {
            return Err(FuncError::declined("the list is too large to be compared"));
        }
        if !out.iter().any(|have| ops::decide(have, value) == Some(true)) {
            out.push(value.clone());
        }
    }
    Ok(out)
}

/// A result that would be too large.
pub(super) fn too_large() -> FuncError {
    FuncError::declined(format!("the result has more than {MAX_ELEMENTS} elements"))
}
