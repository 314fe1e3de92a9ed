//! What an environment lacks: modules that its sources name and that aren't there, variables that have no value.
//!
//! In: a session, environments with their values, their cells. Out: findings, and the addresses of which nothing is known for that
//! reason. Absent on purpose: what `validate` finds, which are inputs at which an evaluation stops.

use super::{Assigned, Cell, Matrix};
use crate::addr::{FieldAddr, ModulePath, Target};
use crate::config::module_source::is_local;
use crate::issue::{Code, Issue};
use crate::pipeline::fields::Field;
use crate::pipeline::{HIDDEN, Session};
use crate::value::Value;
use crate::value::convert::convert;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Modules that aren't there, by the call and its source as it is shown.
#[derive(Clone, Debug, Default)]
pub struct Missing(BTreeMap<(String, String), BTreeSet<Arc<str>>>);

impl Missing {
    /// The calls whose source is chosen and leads nowhere, in the environments that choose it.
    pub fn of<H>(session: &Session<H>, fields: &[Field], matrix: &Matrix) -> Missing {
        let mut out = Missing::default();
        let chosen: BTreeMap<String, (ModulePath, Arc<str>)> = fields
            .iter()
            .filter_map(|field| Some((field.addr.plain().to_string(), chosen(&field.addr)?)))
            .collect();
        for row in &matrix.rows {
            let Some((path, name)) = chosen.get(&row.field) else { continue };
            let call = session.config.at(path).and_then(|module| module.calls.get(name));
            if call.is_none_or(|call| call.source_text().is_some()) {
                continue;
            }
            let path = path.child(name.clone());
            let there = session.config.chosen.get(&path);
            for (env, cell) in matrix.environments.iter().zip(&row.cells) {
                for (source, is_secret) in sources(cell).into_iter().filter(|(source, _)| is_local(source)) {
                    if there.is_none_or(|all| !all.contains(&source)) {
                        let shown = if is_secret { HIDDEN.to_owned() } else { format!("\"{source}\"") };
                        let key = (path.plain().to_string(), shown);
                        out.0.entry(key).or_default().insert(env.clone());
                    }
                }
            }
        }
        out
    }

    /// A finding for each of them.
    pub fn issues(&self) -> Vec<Issue> {
        let one = |((call, source), envs): (&(String, String), &BTreeSet<Arc<str>>)| {
            let why = format!(
                "The source is {source} in {}, and no module stands there. Terraform stops at it, and nothing is known of what is in it.",
                listed(envs)
            );
            Issue {
                field: Some(format!("{call}.source")),
                ..Issue::error(Code::Missing, "Unreadable module directory", why)
            }
        };
        self.0.iter().map(one).collect()
    }

    /// The calls whose modules an environment lacks.
    pub fn calls(&self, env: &str) -> Vec<String> {
        let own = self.0.iter().filter(|(_, envs)| envs.contains(env));
        own.map(|((call, _), _)| call.clone()).collect()
    }

    /// Returns true if an address lies in a module that isn't there in an environment.
    pub fn hides(&self, env: &str, address: &str) -> bool {
        let lacks = |call: &str| {
            let all = self.0.range((call.to_owned(), String::new())..);
            all.take_while(|((own, _), _)| own == call).any(|(_, envs)| envs.contains(env))
        };
        let ends = address.match_indices(['.', '[']).map(|(at, _)| address.split_at(at));
        ends.filter(|(_, rest)| *rest != ".source").any(|(call, _)| lacks(call))
    }
}

fn chosen(field: &FieldAddr) -> Option<(ModulePath, Arc<str>)> {
    let Target::Call(name) = &field.target else { return None };
    let is_source = matches!(field.path.0.as_slice(), [only] if &**only == "source");
    is_source.then(|| (field.module.clone(), name.name.clone()))
}

/// The texts of a source, and whether each is a secret.
fn sources(cell: &Cell) -> Vec<(String, bool)> {
    match cell {
        Cell::Resolved(value) => {
            let is_secret = value.marks_deep().is_secret();
            value.as_str().map(|text| (text.to_owned(), is_secret)).into_iter().collect()
        }
        Cell::Instances(all) => all.values().flat_map(sources).collect(),
        Cell::Absent | Cell::Unbounded { .. } | Cell::Written(_) | Cell::Error(_) | Cell::Marked(_) => {
            Vec::new()
        }
    }
}

/// A finding for each variable without a default that some environment leaves out. A run that nobody named may get its values by hand.
pub fn unset_variables<H>(session: &Session<H>, environments: &[Assigned]) -> Vec<Issue> {
    let mut out = Vec::new();
    let variables = session.config.root().into_iter().flat_map(|root| root.variables.values());
    for variable in variables.filter(|variable| variable.default.is_none()) {
        let lacks = |env: &&Assigned| env.is_named && !env.gives.contains(&variable.name);
        let envs: BTreeSet<Arc<str>> =
            environments.iter().filter(lacks).map(|env| env.name.clone()).collect();
        if !envs.is_empty() {
            let why = format!(
                "It has no default, and {} no value for it: Terraform asks for it there.",
                match envs.len() {
                    1 => format!("{} has", listed(&envs)),
                    _ => format!("{} have", listed(&envs)),
                }
            );
            let issue = Issue::error(Code::MissingValue, format!("No value for var.{}", variable.name), why);
            out.push(Issue {
                field: Some(format!("var.{}", variable.name)),
                ..issue.at(variable.decl.place())
            });
        }
    }
    out
}

/// A finding for each variable of which `phi.hcl` lists the values, and that some environment gives another one.
pub fn values_outside<H>(session: &Session<H>, environments: &[Assigned]) -> Vec<Issue> {
    let mut out = Vec::new();
    let variables = session.config.root().into_iter().flat_map(|root| root.variables.values());
    for variable in variables {
        let decl = session.phi.variables.get(&variable.name);
        let Some(universe) = decl.and_then(|decl| decl.universe.as_ref()) else { continue };
        let taken = universe.iter().filter_map(|(value, _)| convert(value, &variable.ty).ok());
        let taken: Vec<Value> = taken.collect();
        let leaves =
            |env: &&Assigned| match env.universes.get(&variable.name).map(|own| own.values.as_slice()) {
                Some([only]) => !taken.contains(&only.clone().unmark_deep().0),
                _ => false,
            };
        let envs: BTreeSet<Arc<str>> =
            environments.iter().filter(leaves).map(|env| env.name.clone()).collect();
        if !envs.is_empty() {
            let why = format!(
                "`phi.hcl` lists the values that it may have, and {} gives it another one: what is specialised by it has no branch there.",
                listed(&envs)
            );
            let summary = format!("A value outside of the universe of var.{}", variable.name);
            let issue = Issue::error(Code::NoUniverse, summary, why).at(variable.decl.place());
            let fix = "List the value in the universe, or give the variable one that is listed.";
            out.push(Issue { field: Some(format!("var.{}", variable.name)), ..issue.fix(fix, "") });
        }
    }
    out
}

fn listed(envs: &BTreeSet<Arc<str>>) -> String {
    let names: Vec<String> = envs.iter().map(|env| format!("\"{env}\"")).collect();
    format!("the environment{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))
}
