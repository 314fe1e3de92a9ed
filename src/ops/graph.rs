//! `tf-phi graph`: the picture of a trace.
//!
//! Every value is drawn, whatever this run's variables are; they tell which one it takes. Where a field is specialised, its values
//! name the copies that stand for them.

use super::decide::decide;
use super::explain::decides;
use super::session::Session;
use super::trace::{Request, What, reports};
use super::{DONE, Outcome, Start};
use crate::addr::FieldAddr;
use crate::config::variables::VarArg;
use crate::pipeline::Decided;
use crate::report::graph::{Drawing, Form, Mark, drawn};
use crate::report::issue::Format;
use crate::report::{Found, Row, TraceReport};
use crate::value::{Value, json as value_json};

/// Runs the command; without an address the driven fields are drawn.
///
/// # Errors
/// As those of `trace`.
pub fn run(start: &Start, address: Option<&str>, vars: &[VarArg], form: Form) -> Outcome {
    let what = address.map_or(What::Driven, |a| What::Address(a.to_owned()));
    let request = |vars: &[VarArg]| Request { what: what.clone(), format: Format::Text, vars: vars.to_vec() };
    let (session, all) = reports(start, &request(&[]))?;
    let asked = !vars.is_empty() || start.workspace.is_some();
    let taken = if asked { reports(start, &request(vars))?.1 } else { Vec::new() };
    if all.is_empty() {
        start.note("no driven field: `phi.hcl` pins none, and no meta-argument is an expression.");
    }
    let decided = decided(start);
    let drawings: Vec<Drawing> = all
        .into_iter()
        .map(|report| {
            let taken = taken.iter().find(|t| t.field == report.field);
            let mark = |row: &Row| Mark {
                copies: decided.as_ref().map_or_else(Vec::new, |d| copies(d, &report.field, &row.given)),
                active: taken.and_then(|taken| is_taken(taken, &row.given)),
            };
            let marks = rows(&report).iter().map(mark).collect();
            Drawing { report, marks }
        })
        .collect();
    start.console.report(&drawn(&drawings, &session.config.sources, form));
    Ok(DONE)
}

/// The values of a trace.
fn rows(report: &TraceReport) -> &[Row] {
    match &report.found {
        Found::Resolved(row) => std::slice::from_ref(&**row),
        Found::Bounded { rows, .. } => rows,
        Found::Unbounded { .. } | Found::Error(_) => &[],
    }
}

/// Returns true if the run takes a value. `taken` is the trace of the same field with the run's values.
fn is_taken(taken: &TraceReport, value: &Value) -> Option<bool> {
    let left = rows(taken);
    match left {
        [] => None,
        [only] => Some(only.given == *value),
        several if several.iter().any(|row| row.given == *value) => None,
        _ => Some(false),
    }
}

/// Returns the decision for the tree, or nothing if there is none: the picture shows why.
fn decided(start: &Start) -> Option<Decided> {
    let mut session = Session::open(start).ok()?;
    let driven = session.driven(start);
    if session.is_blocked() || driven.is_empty() {
        return None;
    }
    decide(&mut session, &driven, &[]).ok()
}

/// The addresses of the copies in which a field has a value.
fn copies(decided: &Decided, field: &str, value: &Value) -> Vec<String> {
    let (Ok(field), Ok(value)) = (field.parse::<FieldAddr>(), value_json::to_json(value)) else {
        return Vec::new();
    };
    let specialised = &decided.specialised;
    let of = |address: &String| specialised.splits.iter().find(|split| split.addresses.contains(address));
    let own = specialised.record.specializations.iter().filter(|own| own.branch_value == value);
    own.filter(|own| of(&own.address).is_some_and(|split| decides(own, &split.original, &field)))
        .map(|own| own.address.clone())
        .collect()
}
