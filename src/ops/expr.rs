//! `tf-phi trace --expr`: expressions in the root module, one answer a line.
//!
//! Variables that this run gives a value are that value; all others are traced as in a field.

use super::{DONE, Outcome, Start};
use crate::addr::{FieldAddr, FieldPath, ModulePath, Target};
use crate::config::Variable;
use crate::config::literal::literal;
use crate::config::variables::VarArg;
use crate::ops::read::session::Session;
use crate::pipeline::Veil;
use crate::pipeline::fields::expression_site;
use crate::pipeline::narrowing::{Tracers, narrowed};
use crate::pipeline::run_values;
use crate::report::outcome::Subject;
use crate::report::{Found, Reader, TraceReport, trace_json};
use crate::syntax::{self, ParseError};
use crate::text::Sources;
use crate::trace::Universes;
use crate::value::Value;
use serde_json::Value as Json;
use std::io::BufRead as _;

/// Answers one expression, or each line of standard input.
pub(super) fn run(start: &Start, mut session: Session, text: &str, vars: &[VarArg]) -> Outcome {
    session.allow_empty();
    let universes = session.universes();
    let values = session.values(vars);
    let values = run_values::evaluated(&mut session, &values);
    let secret = |name: &str| {
        session.config.root().and_then(|m| m.variables.get(name)).is_some_and(Variable::is_hidden)
    };
    let given = values.iter().filter(|(n, _)| secret(n)).map(|(_, v)| v.clone());
    let defaults = session.config.root().into_iter().flat_map(|m| m.variables.values());
    let defaults = defaults.filter(|v| v.is_hidden()).filter_map(|v| literal(&v.default.as_ref()?.expr).ok());
    let listed = universes.iter().filter(|(n, _)| secret(n)).flat_map(|(_, u)| u.values.iter().cloned());
    let secrets: Vec<Value> = given.chain(defaults).chain(listed).collect();
    let universes = narrowed(universes, &values);
    let mut session = session.go_on(start)?;
    if text != "-" {
        let answer = answer(&mut session, &universes, &secrets, text);
        print_answer(start, text, &answer);
        return Ok(DONE);
    }
    for line in std::io::stdin().lock().lines() {
        let (text, answer) = match line {
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => {
                let answer = answer(&mut session, &universes, &secrets, &line);
                (line, answer)
            }
            Err(e) => (String::new(), trace_json::rejected(&format!("The line can't be read: {e}."))),
        };
        if !print_answer(start, &text, &answer) {
            break;
        }
    }
    Ok(DONE)
}

/// Prints an answer. Who takes the mark off in an expression of their own asks for the value itself.
fn print_answer(start: &Start, text: &str, answer: &Json) -> bool {
    let line = format!("{answer}\n");
    match text.contains("nonsensitive(") {
        true => start.console.hand_on(Reader::Json, &line),
        false => start.console.print(Reader::Json, &line),
    }
}

/// Returns the entry of an expression beyond our limits, which Terraform might accept.
fn declined(text: &str, why: &ParseError) -> Json {
    let found = Found::Unbounded { code: why.code, why: why.to_string(), place: None, fixes: Vec::new() };
    trace_json::trace(&TraceReport { field: text.to_owned(), found, rounded_from: None }, &Sources::default())
}

fn answer(session: &mut Session, universes: &Universes, secrets: &[Value], text: &str) -> Json {
    let site = match syntax::parse_expr(text) {
        Ok(_) => expression_site(&mut session.config.sources, text, "expression"),
        Err(e) if e.is_limit() => return declined(text, &e),
        Err(e) => return trace_json::rejected(&format!("Invalid expression: {e}.")),
    };
    let Some(site) = site else { return trace_json::rejected("Invalid expression.") };
    let target = Target::Output("expression".into());
    let addr = FieldAddr { module: ModulePath::ROOT, target, path: FieldPath::from_text("value") };
    let subject = Subject {
        name: text,
        scope: ModulePath::ROOT,
        text: Some(text.trim().to_owned()),
        skip_first: true,
        secrets,
    };
    let session = &*session;
    let known = session.secrets();
    let mut tracers = Tracers::new(session, universes);
    let hidden = known.are_in(&session.config, &site.attr.expr);
    let touched = session.touched();
    let is_touched = touched.has_expr(&session.config, &site.attr.expr);
    let veil = Veil { secrets: known, touched, is_touched, hidden };
    let report = tracers.trace(&addr, &site, None, |prover, trace| {
        let all: Vec<Value> = trace.branches().iter().map(|branch| branch.value.clone()).collect();
        let subject = match hidden {
            true => Subject { text: None, secrets: &all, ..subject.clone() },
            false => subject.clone(),
        };
        let mut report = TraceReport::new(prover, trace, &subject);
        if hidden {
            report.conceal();
        }
        report.conceal_secrets(&veil, trace);
        report.conceal_words(&session.config.sources);
        report
    });
    match &report.found {
        Found::Error(e) => trace_json::rejected(&e.message),
        _ => trace_json::trace(&report, &session.config.sources),
    }
}
