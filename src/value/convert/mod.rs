//! Conversion between types, as cty's `convert` package does it.
//!
//! Input: a value and the type wanted, possibly a type constraint with optional attributes. Invariant: the result is of
//! the wanted type with its `any`s filled in, or an error in Terraform's words; marks, nulls and unknowns survive.
//! Deliberately absent: defaults of optional attributes (they become null here), the path to what doesn't fit.
//! Source of the semantics: go-cty `convert/*`. A conversion is planned on types first and applied to a value then.

mod apply;
mod mismatch;
mod plan;
mod unknown;

pub use mismatch::mismatch_message;
pub(super) use plan::plan;

use super::{Result, Type, Value, ValueError};

/// Converts a value, safely or not, as Terraform does wherever it wants a type.
///
/// # Errors
/// In the words that follow "Unsuitable value: " and the like, without a period: `a number is required`,
/// `list of string required`, `attribute "a" is required`.
pub fn convert(value: &Value, want: &Type) -> Result<Value> {
    if value.ty == want.without_optional() {
        return Ok(value.clone());
    }
    match plan(&value.ty, want, true) {
        Some(plan) => plan.apply(value),
        None if want.has_dynamic() && value.is_untyped() => {
            Ok(Value::unknown(want.without_optional()).with_marks(&value.marks_deep()))
        }
        None => Err(ValueError::new(mismatch_message(&value.ty, want))),
    }
}

/// Returns true if all values of one type convert to another one; with `unsafely`, if some do.
pub fn converts(from: &Type, to: &Type, unsafely: bool) -> bool {
    from == to || plan(from, to, unsafely).is_some()
}

#[cfg(test)]
mod tests;
