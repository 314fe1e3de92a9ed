//! Stops a run whose own values aren't among those that are specialised.
//!
//! Terraform would stop at the emitted validation; but by then the tree is written. So the run stops before, and says what to
//! list; or, where a driven field is an error under this run's values, that one: nothing that is listed helps then.

use crate::addr::FieldAddr;
use crate::config::Config;
use crate::config::variables::{VarOrigin, VarValues};
use crate::eval::EvalError;
use crate::gate::Prover;
use crate::issue::{Code, Issue};
use crate::syntax::{self, ExprKind};
use crate::trace::{Driven, Guard, GuardKind, Known, Subject, WORKSPACE, declared};
use crate::value::{Value, hcl};

/// The number of values that are named.
const SHOWN: usize = 12;

/// A finding for each guard on a root variable that this run's value would fail; `prover` knows this run's values.
pub fn outside(
    config: &Config,
    (guards, driven): (&[Guard], &[Driven]),
    prover: &mut Prover<'_, '_>,
    values: &VarValues,
) -> Vec<Issue> {
    let mut out = Vec::new();
    for guard in guards.iter().filter(|g| matches!(g.kind, GuardKind::Universe | GuardKind::Default)) {
        let text = match &guard.subject {
            Subject::Variable(name) => format!("var.{name}"),
            Subject::Workspace => WORKSPACE.to_owned(),
            Subject::Data(_) => continue,
        };
        // What can't be told, Terraform says.
        let Some(own) = prover.value_of(&text) else { continue };
        if !guard.values.contains(&own) {
            let failing = driven.iter().find_map(|d| Some((&d.field, failing(prover, d)?)));
            out.push(match failing {
                Some((field, error)) => cause(config, (&text, guard, &own), field, &error),
                None => issue(config, &text, guard, &own, values),
            });
        }
    }
    out
}

/// The error that a driven field is in an instance of this run.
fn failing(prover: &mut Prover<'_, '_>, driven: &Driven) -> Option<EvalError> {
    let tracer = prover.tracer();
    let modules = tracer.module_standings(&driven.field.module).ok()?;
    let standings = tracer.standings(&modules, &driven.field.target).ok()?;
    let known =
        standings.iter().flat_map(|s| tracer.known(&driven.field, &driven.site, s)).collect::<Vec<_>>();
    known.into_iter().find_map(|(_, known)| match known {
        Known::Failed(error) if !error.limit => Some(error),
        _ => None,
    })
}

/// The finding for a value with which a driven field is an error, so that Terraform stops whatever is listed.
fn cause(
    config: &Config,
    (shown_as, guard, own): (&str, &Guard, &Value),
    field: &FieldAddr,
    error: &EvalError,
) -> Issue {
    let variable = config.root().and_then(|m| m.variables.get(declared(&guard.subject.to_string())));
    let secret = variable.is_some_and(crate::config::Variable::is_hidden);
    let text = hcl::to_hcl(own).filter(|_| !secret);
    let with = text
        .as_ref()
        .map_or_else(|| format!("this value of {shown_as}"), |own| format!("{shown_as} = {own}"));
    let why = format!(
        "{} Terraform stops there as well, whatever `phi.hcl` lists. Nothing was written.",
        error.message
    );
    let issue =
        Issue::error(Code::Fails, format!("{field} is an error with {with}"), why).about(field.to_string());
    let Some(place) = error.place else { return issue.fix("Correct what it is computed from.", "") };
    // A map without an entry for the value.
    let written = config.sources.slice(place);
    let map = syntax::parse_expr(written).ok().and_then(|expr| match expr.kind {
        ExprKind::Index(map, key) if written.get(key.span.range()) == Some(shown_as) => {
            written.get(map.span.range()).map(str::to_owned)
        }
        _ => None,
    });
    match (map, text) {
        (Some(map), Some(own)) => {
            issue.at(place).fix(format!("Give `{map}` an entry with the key {own}."), "")
        }
        _ => issue.at(place).fix("Correct what it is computed from, or choose another value.", ""),
    }
}

fn issue(config: &Config, shown_as: &str, guard: &Guard, own: &Value, values: &VarValues) -> Issue {
    let name = guard.subject.to_string();
    let declared = declared(&name);
    let variable = config.root().and_then(|m| m.variables.get(declared));
    let secret = variable.is_some_and(crate::config::Variable::is_hidden);
    let text = |v: &Value| match secret {
        true => "(sensitive value)".to_owned(),
        false => hcl::to_hcl(v).unwrap_or_else(|| "…".to_owned()),
    };
    let shown = if secret { "its value".to_owned() } else { text(own) };
    let mut known: Vec<String> = guard.values.iter().take(SHOWN).map(&text).collect();
    if guard.values.len() > SHOWN {
        known.push("…".to_owned());
    }
    let given = values.get(declared);
    let from = match given.map(|v| &v.origin) {
        Some(VarOrigin::CommandLine) => "The command line gives it".to_owned(),
        Some(origin) => format!("{origin} gives it"),
        None if guard.subject == Subject::Workspace => "It is the selected workspace".to_owned(),
        None => "It is the default".to_owned(),
    };
    let mut list: Vec<String> = guard.values.iter().map(&text).collect();
    list.push(if secret { "…".to_owned() } else { text(own) });
    let why = format!("{from}. Specialised are {}, and no other. Nothing was written.", known.join(", "));
    let label = name.replace('\\', "\\\\").replace('"', "\\\"");
    let paste = format!("variable \"{label}\" {{\n  universe = [{}]\n}}", list.join(", "));
    let summary = format!("{shown_as}: {shown} isn't among the values that are specialised");
    let issue = Issue::error(Code::NoUniverse, summary, why)
        .fix("List it in `phi.hcl`, where the others are listed, or else so:", paste);
    match given.and_then(|v| v.place).or_else(|| variable.map(|v| v.decl.place())) {
        Some(place) => issue.at(place),
        None => issue,
    }
}
