//! Stops a run whose own values aren't among those that are specialised.
//!
//! Terraform would stop at the emitted validation; but by then the tree is written. So the run stops before, and says what to
//! list.

use crate::config::Config;
use crate::config::variables::{VarOrigin, VarValues};
use crate::gate::Prover;
use crate::issue::{Code, Issue};
use crate::trace::{Guard, GuardKind, Subject, WORKSPACE, declared};
use crate::value::{Value, hcl};

/// The number of values that are named.
const SHOWN: usize = 12;

/// A finding for each guard on a root variable that this run's value would fail; `prover` knows this run's values.
pub fn outside(
    config: &Config,
    guards: &[Guard],
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
            out.push(issue(config, &text, guard, &own, values));
        }
    }
    out
}

fn issue(config: &Config, shown_as: &str, guard: &Guard, own: &Value, values: &VarValues) -> Issue {
    let name = guard.subject.to_string();
    let declared = declared(&name);
    let variable = config.root().and_then(|m| m.variables.get(declared));
    let secret = variable.is_some_and(|v| v.sensitive);
    let text = |v: &Value| hcl::to_hcl(v).unwrap_or_else(|| "…".to_owned());
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
