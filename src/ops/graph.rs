//! `tf-phi graph`: the picture of a trace.

use super::trace::{Request, What, reports};
use super::{DONE, Outcome, Start};
use crate::config::variables::VarArg;
use crate::report::graph::{Form, Graph};

/// Runs the command; without an address the driven fields are drawn.
///
/// # Errors
/// As those of `trace`.
pub fn run(start: &Start, address: Option<&str>, vars: &[VarArg], form: Form) -> Outcome {
    let what = address.map_or(What::Driven, |a| What::Address(a.to_owned()));
    let request = Request { what, format: crate::report::issue::Format::Text, vars: vars.to_vec() };
    let (session, reports) = reports(start, &request)?;
    if reports.is_empty() {
        start.console.note("no driven field: `phi.hcl` pins none, and no meta-argument is an expression.");
    }
    start.console.report(&Graph::new(&reports, &session.config.sources).drawn(form));
    Ok(DONE)
}
