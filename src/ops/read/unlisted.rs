//! Values of the command line that a variable isn't meant to have.
//!
//! `plan` stops at them before anything is written. Who only looks gets an answer for the value all the same, and is told of it.

use crate::config::variables::VarArg;
use crate::issue::{Code, Issue, Severity};
use crate::ops::read::session::Session;
use crate::pipeline::run_values;
use crate::trace::Universes;
use crate::value::{Value, hcl};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of values named.
const SHOWN: usize = 12;

/// A warning for each value of `-var` and `-var-file` that isn't listed.
pub fn given(session: &mut Session, vars: &[VarArg]) -> Vec<Issue> {
    if vars.is_empty() {
        return Vec::new();
    }
    let known = session.issues.len();
    let listed = session.universes();
    let mut values = session.values(vars);
    values.retain(|_, v| v.is_of(vars));
    let accepted = run_values::evaluated(session, &values);
    // What is wrong with them is said where they are used.
    session.issues.truncate(known);
    issues(session, &listed, &accepted)
}

/// The same of values that are known already, beside what is listed without them.
pub fn issues(session: &Session, listed: &Universes, accepted: &BTreeMap<Arc<str>, Value>) -> Vec<Issue> {
    let meant = |name: &Arc<str>| listed.get(name).filter(|u| !u.environments && !u.values.is_empty());
    let outside = accepted.iter().filter_map(|(name, value)| {
        let universe = meant(name).filter(|u| u.bins.is_empty() && !u.values.contains(value))?;
        Some(issue(session, name, value, &universe.values))
    });
    outside.collect()
}

/// Returns a plan's issues as warnings, for commands that only read.
pub fn warned(issues: &[Issue]) -> Vec<Issue> {
    issues.iter().map(|issue| Issue { severity: Severity::Warning, ..issue.clone() }).collect()
}

fn issue(session: &Session, name: &str, value: &Value, listed: &[Value]) -> Issue {
    let variable = session.config.root().and_then(|m| m.variables.get(name));
    let secret = variable.is_some_and(crate::config::Variable::is_hidden);
    let text = |v: &Value| match secret {
        true => "(sensitive value)".to_owned(),
        false => hcl::to_hcl(v).unwrap_or_else(|| "…".to_owned()),
    };
    let mut known: Vec<String> = listed.iter().take(SHOWN).map(text).collect();
    known.extend((listed.len() > SHOWN).then(|| "…".to_owned()));
    let shown = if secret { "its value".to_owned() } else { text(value) };
    let summary = format!("var.{name}: {shown} isn't among the values that are listed for it");
    let why = format!("Listed are {}. A plan with any other value stops.", known.join(", "));
    Issue::warning(Code::NoUniverse, summary, why).at(variable.map(|variable| variable.decl.place()))
}
