//! Commands that do one thing in a Stack and another one in a root module.

use super::whether::is_stack;
use super::written::deployed;
use crate::config::variables::VarArg;
use crate::ops::plan;
use crate::ops::session::Session;
use crate::ops::terraformed::Request;
use crate::ops::{DONE, Outcome, Start, diff};
use std::path::Path;

/// `plan` and `apply`.
///
/// # Errors
/// Blocking issues.
pub fn run(start: &Start, request: &Request) -> Outcome {
    if is_stack(start) { super::run::run(start, request) } else { plan::run(start, request) }
}

/// `diff`: what `plan` would write.
///
/// # Errors
/// Blocking issues.
pub fn differences(start: &Start, vars: &[VarArg]) -> Outcome {
    if !is_stack(start) {
        return diff::run(start, vars);
    }
    let mut session = Session::open_partly(start)?;
    for deployed in deployed(start, &mut session)? {
        diff::show(start, &session, &deployed.tree, Path::new(""));
    }
    Ok(DONE)
}
