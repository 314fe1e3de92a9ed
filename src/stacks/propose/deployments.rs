//! The environments as deployments.

use super::variables::{Declared, Environment};
use super::words::{Words, free};
use crate::issue::{Code, Issue};
use crate::value::{Value, hcl};
use std::collections::BTreeSet;

/// HCP takes no more deployments of one Stack.
const MOST: usize = 20;

/// The blocks, and what is to be said of them.
pub(super) fn written(
    words: &Words<'_, '_>,
    declared: &Declared,
    environments: &[Environment],
) -> (String, Vec<Issue>) {
    let module = words.root.module;
    let mut issues = Vec::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut blocks = Vec::new();
    for env in environments {
        let name = free(plain(&env.assigned.name), |name| names.contains(name));
        names.insert(name.clone());
        let mut lines = Vec::new();
        for variable in module.variables.values() {
            let own = &variable.name;
            let known = env.assigned.universes.get(own).and_then(|u| u.values.first());
            let value = match (env.given.get(own), known) {
                (Some(value), _) if !value.is_null() => Some(value.clone()),
                // Its default is null in the Stack, so that each deployment says what it is.
                (None, Some(value)) if declared.nulls.contains(own) && variable.default.is_some() => {
                    Some(value.clone())
                }
                (None, None) if variable.default.is_none() => {
                    issues.push(missing(variable.decl.place(), own, &name));
                    None
                }
                _ => None,
            };
            if variable.is_hidden() || value.as_ref().is_some_and(is_secret) {
                issues.extend(value.map(|_| secret(variable.decl.place(), own, &name)));
                continue;
            }
            let text = value.filter(|v| !v.is_null()).and_then(|v| text(&v));
            lines.extend(text.map(|text| format!("{own} = {text}")));
        }
        if words.asks_workspace {
            lines.push(format!("{} = {}", words.workspace, hcl::quote(&env.workspace)));
        }
        let inputs = match lines.as_slice() {
            [] => "inputs = {}".to_owned(),
            lines => format!("inputs = {{\n{}\n}}", lines.join("\n")),
        };
        blocks.push(format!("deployment {} {{\n{inputs}\n}}", hcl::quote(&name)));
    }
    if environments.len() > MOST {
        let why = format!("There are {} environments here.", environments.len());
        let issue =
            Issue::warning(Code::Unsupported, format!("HCP takes {MOST} deployments of one Stack"), why);
        issues.push(issue.fix("Divide the deployments among several Stacks.", ""));
    }
    (blocks.join("\n\n"), issues)
}

fn text(value: &Value) -> Option<String> {
    hcl::to_hcl(&value.clone().unmark_deep().0)
}

/// Returns true if a value, or a part of it, is secret.
fn is_secret(value: &Value) -> bool {
    !value.clone().unmark_deep().1.is_empty()
}

/// A value that is nobody's to read is written nowhere.
fn secret(place: crate::text::Place, variable: &str, deployment: &str) -> Issue {
    let summary = format!("var.{variable} is secret, so its value in {deployment} isn't written");
    let issue = Issue::warning(Code::MissingValue, summary, "A deployment takes such a value from a store.")
        .at(place);
    issue.fix("Give it one from a store:", format!("{variable} = store.varset.NAME.{variable}"))
}

fn missing(place: crate::text::Place, variable: &str, deployment: &str) -> Issue {
    let summary = format!("var.{variable} has no value in {deployment}");
    let why = "It has no default, and no variable file gives it one: it comes from the command line or the environment.";
    let issue = Issue::warning(Code::MissingValue, summary, why).at(place);
    issue.fix(
        "Give it a value in the deployment, or one from a store:",
        format!("{variable} = store.varset.NAME.{variable}"),
    )
}

/// A name of a deployment.
fn plain(name: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    name.chars().map(fit).collect()
}
