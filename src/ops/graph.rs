//! `tf-phi graph`: the picture of a trace.
//!
//! Every value is drawn, whatever this run's variables are; they tell which one it takes. Where a field is specialised, its values
//! name the copies that stand for them.

use super::explain::decides;
use super::options::{RunValues, one_of};
use super::trace::{What, reports};
use super::{Command, DONE, Outcome, Start};
use crate::addr::FieldAddr;
use crate::issue::Code;
use crate::ops::read::environment::under;
use crate::ops::read::session::Session;
use crate::pipeline::Decided;
use crate::report::graph::{Drawing, Form, Mark, drawn};
use crate::report::{Found, Row, TraceReport};
use crate::value::{Value, json as value_json};
use clap::Args;

/// The forms of the picture.
const FORMS: [(&str, Form); 4] =
    [("dot", Form::Dot), ("mermaid", Form::Mermaid), ("svg", Form::Svg), ("html", Form::Html)];

/// The arguments of `tf-phi graph`.
#[derive(Args, Clone, Debug)]
pub struct Request {
    #[command(flatten)]
    values: RunValues,
    /// One field, or all fields of a declaration; none draws the driven fields
    #[arg(value_name = "ADDRESS[.FIELD]")]
    address: Option<String>,
    /// dot, mermaid, svg or html
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&FORMS), default_value = "dot")]
    format: Form,
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let (start, vars) = &under(start, &self.values)?;
        let what = What::named(self.address.as_deref());
        let (session, all) = reports(start, &what, &[])?;
        let asked = !vars.is_empty() || start.workspace.is_some();
        let taken = if asked { reports(start, &what, vars)?.1 } else { Vec::new() };
        if all.is_empty() {
            start.note("no driven field: `phi.hcl` pins none, and no meta-argument is an expression.");
        }
        // Where the work came to its end, there is no decision, and to look for one would cost as much again.
        let is_spent =
            |report: &TraceReport| matches!(&report.found, Found::Unbounded { code: Code::TooLarge, .. });
        let decided = if all.iter().any(is_spent) { None } else { decided(start) };
        let drawings: Vec<Drawing> = all
            .into_iter()
            .map(|report| {
                let taken = taken.iter().find(|t| t.field == report.field);
                let mark = |row: &Row| Mark {
                    copies: decided.as_ref().map_or_else(Vec::new, |d| copies(d, &report.field, &row.given)),
                    active: taken.and_then(|taken| is_taken(taken, &row.given)),
                };
                let marks = report.found.rows().iter().map(mark).collect();
                Drawing { report, marks }
            })
            .collect();
        start.console.report(&drawn(&drawings, &session.config.sources, self.format));
        Ok(DONE)
    }
}

/// Returns true if the run takes a value. `taken` is the trace of the same field with the run's values.
fn is_taken(taken: &TraceReport, value: &Value) -> Option<bool> {
    let left = taken.found.rows();
    match left {
        [] => None,
        [only] => Some(only.given == *value),
        several if several.iter().any(|row| row.given == *value) => None,
        _ => Some(false),
    }
}

/// Returns the decision for the tree, or nothing if there is none: the picture shows why.
fn decided(start: &Start) -> Option<Decided> {
    let (mut session, driven) = Session::unblocked(start).ok()?;
    if driven.is_empty() { None } else { session.decide(&driven, &[]).ok() }
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
