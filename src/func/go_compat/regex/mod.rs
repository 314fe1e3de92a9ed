//! Patterns of Go's `regexp`, translated into those of the `regex` crate.

pub(in crate::func) mod class;
pub(in crate::func) mod cost;
pub(in crate::func) mod translate;

use crate::func::FuncError;

/// The error for a pattern that Go rejects, with the first characters of what is wrong.
fn invalid(what: &str, text: &str) -> FuncError {
    let text: String = text.chars().take(20).collect();
    FuncError::new(format!("invalid regexp pattern: {what} in {text}"))
}

/// The refusal of a pattern that could mean something else in Go.
fn declined(what: &str) -> FuncError {
    FuncError::unsupported(format!("{what} in patterns is not supported"))
}
