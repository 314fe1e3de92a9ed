//! Helpers of function bodies: plain arguments by position, and bounds on results.
//!
//! Invariant: bodies run on arguments that [`call`](super::call::call) has converted; an argument of another kind is
//! an internal error and declined, never a panic. Deliberately absent: conversion, nulls, unknowns, marks.

use super::FuncError;
use crate::value::{Data, Number, Type, Value};
use std::sync::Arc;

/// The largest text that a function returns, in bytes.
pub const MAX_TEXT: usize = 16 << 20;

/// The largest number of elements that a function returns.
pub const MAX_ELEMENTS: usize = 300_000;

/// Argument `i`.
///
/// # Errors
/// Returns an error if there is none, which arity checks exclude.
pub fn arg(args: &[Value], i: usize) -> Result<&Value, FuncError> {
    args.get(i).ok_or_else(|| FuncError::declined("an argument is missing"))
}

/// The text of a string argument.
///
/// # Errors
/// Returns an error if it is no known string, which conversion excludes.
pub fn text(args: &[Value], i: usize) -> Result<&str, FuncError> {
    arg(args, i)?.as_str().ok_or_else(|| FuncError::declined("an argument is not a known string"))
}

/// The same, shared with whoever has it.
///
/// # Errors
/// As [`text`].
pub fn shared_text(args: &[Value], i: usize) -> Result<&Arc<str>, FuncError> {
    match &arg(args, i)?.data {
        Data::String(text) => Ok(text),
        _ => Err(FuncError::declined("an argument is not a known string")),
    }
}

/// The number of a number argument.
///
/// # Errors
/// Returns an error if it is no known number, which conversion excludes.
pub fn number(args: &[Value], i: usize) -> Result<&Number, FuncError> {
    arg(args, i)?.as_number().ok_or_else(|| FuncError::declined("an argument is not a known number"))
}

/// A number argument as a machine integer, as go-cty's `gocty` converts one.
///
/// # Errors
/// Fractions and what is out of range.
pub fn int(args: &[Value], i: usize) -> Result<i64, FuncError> {
    number(args, i)?.as_i64().ok_or_else(|| {
        FuncError::new(format!(
            "value must be a whole number, between {} and {} inclusive",
            i64::MIN,
            i64::MAX
        ))
    })
}

/// A string result.
///
/// # Errors
/// Declined beyond [`MAX_TEXT`].
pub fn string(text: impl AsRef<str>) -> Result<Value, FuncError> {
    check_text(text.as_ref().len())?;
    Ok(Value::string(text))
}

/// Checks that a text of this many bytes may be built.
///
/// # Errors
/// Declined beyond [`MAX_TEXT`].
pub fn check_text(bytes: usize) -> Result<(), FuncError> {
    if bytes > MAX_TEXT { Err(FuncError::declined("the resulting text is too long")) } else { Ok(()) }
}

/// Checks that a text may be built that holds all texts of a value: shared ones as often as they are named.
///
/// # Errors
/// Declined beyond [`MAX_TEXT`].
pub fn check_written(value: &Value) -> Result<(), FuncError> {
    let mut left = MAX_TEXT;
    take_written(value, &mut left)
}

fn take_written(value: &Value, left: &mut usize) -> Result<(), FuncError> {
    let own = match &value.data {
        Data::String(text) => text.len(),
        Data::Map(entries) => entries.keys().map(|key| key.len() + 1).sum(),
        _ => 1,
    };
    *left = left.checked_sub(own).ok_or_else(|| FuncError::declined("the resulting text is too long"))?;
    match &value.data {
        Data::Seq(_) | Data::Map(_) => value.parts().try_for_each(|part| take_written(part, left)),
        _ => Ok(()),
    }
}

/// Checks that a collection of this many elements may be built.
///
/// # Errors
/// Declined beyond [`MAX_ELEMENTS`].
pub fn check_elements(count: usize) -> Result<(), FuncError> {
    if count > MAX_ELEMENTS { Err(FuncError::declined("the result has too many elements")) } else { Ok(()) }
}

/// A list of strings.
///
/// # Errors
/// Declined beyond [`MAX_ELEMENTS`].
pub fn strings<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Result<Value, FuncError> {
    // One more than there may be tells that there are too many.
    let texts: Vec<Value> = texts.into_iter().take(MAX_ELEMENTS + 1).map(Value::string).collect();
    check_elements(texts.len())?;
    Ok(Value::list(Type::String, texts))
}

/// A tuple, unless it would be too large or too deep.
///
/// # Errors
/// Declined beyond [`MAX_ELEMENTS`] or the depth of values.
pub fn tuple(elements: Vec<Value>) -> Result<Value, FuncError> {
    check_elements(elements.len())?;
    Value::check_depth(&elements)?;
    Ok(Value::tuple(elements))
}
