//! What both sides have to have in common: sources, plans, states, and what commands print.

use crate::support::Ran;
use crate::trees::{Files, by_hand};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Sources as Terraform alone has them, without layout, line endings and final lines.
pub fn form(files: &Files) -> Files {
    let bare = |text: &String| -> String {
        let lines = by_hand(text).replace('\r', "");
        let lines = lines.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        lines.filter(|line| !line.is_empty()).map(|line| line + "\n").collect()
    };
    files.iter().map(|(path, text)| (path.clone(), bare(text))).collect()
}

/// The first difference between the sources of both sides.
pub fn differ(phi: &Files, plain: &Files) -> Option<String> {
    let (phi, plain) = (form(phi), form(plain));
    let all: std::collections::BTreeSet<&String> = phi.keys().chain(plain.keys()).collect();
    let path = all.into_iter().find(|path| phi.get(*path) != plain.get(*path))?;
    let side = |files: &Files| files.get(path).cloned().unwrap_or_else(|| "nothing\n".to_owned());
    Some(format!("{path} with tf-phi:\n{}and with Terraform alone:\n{}", side(&phi), side(&plain)))
}

/// What a plan does, whatever its addresses: for each change, how it is done, to which resource, from what and to what.
pub fn changes(plan: &str) -> BTreeMap<String, usize> {
    let plan: Json = serde_json::from_str(plan).unwrap();
    let mut out = BTreeMap::new();
    for change in plan["resource_changes"].as_array().into_iter().flatten() {
        let actions = change["change"]["actions"].to_string();
        if actions.contains("no-op") {
            continue;
        }
        let value = |side: &str| change["change"][side]["input"].to_string();
        // A copy of a resource begins with its name.
        let first = change["name"].as_str().unwrap_or_default().split('_').next().unwrap_or_default();
        *out.entry(format!("{actions} {first} {} {}", value("before"), value("after"))).or_default() += 1;
    }
    for (name, change) in plan["output_changes"].as_object().into_iter().flatten() {
        if !change["actions"].to_string().contains("no-op") {
            *out.entry(format!("output {name} {} {}", change["before"], change["after"])).or_default() += 1;
        }
    }
    out
}

/// The objects in a state, by what they are.
pub fn objects(state: Option<String>) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    let Some(state) = state else { return out };
    let state: Json = serde_json::from_str(&state).unwrap();
    for resource in state["resources"].as_array().into_iter().flatten() {
        for instance in resource["instances"].as_array().into_iter().flatten() {
            *out.entry(instance["attributes"]["input"]["value"].to_string()).or_default() += 1;
        }
    }
    out
}

/// An address with the names of originals in the places of their copies'.
pub fn without_copies(address: &str) -> String {
    let steps = address.trim_end_matches("[0]").split('.');
    let first = |step: &str, count: usize| {
        let parts: Vec<&str> = step.trim_end_matches("[0]").split('_').take(count).collect();
        parts.join("_")
    };
    // A name of a type or of what was added has two parts, each other one has one.
    let is_of_two = |step: &str| step.starts_with("terraform_data") || step.starts_with("more_");
    let name = |step: &str| first(step, if is_of_two(step) { 2 } else { 1 });
    steps.map(name).collect::<Vec<_>>().join(".")
}

/// What the second plan destroys and the first doesn't.
pub fn destroyed_besides(plain: &BTreeMap<String, usize>, bare: &BTreeMap<String, usize>) -> Option<String> {
    let is_more = |(what, count): &(&String, &usize)| {
        what.contains("delete") && plain.get(*what).copied().unwrap_or(0) < **count
    };
    bare.iter().find(is_more).map(|(what, _)| what.clone())
}

/// The commands that a report offers, in order.
pub fn advice(ran: &Ran) -> Vec<String> {
    let said = format!("{}\n{}", ran.stdout, ran.stderr);
    let Some((_, fixes)) = said.split_once("\nFix") else { return Vec::new() };
    let programs = ["tf-phi ", "git ", "rm ", "mv ", "perl ", "terraform "];
    let lines = fixes.lines().map(str::trim).filter(|line| programs.iter().any(|p| line.starts_with(p)));
    lines.filter(|line| !line.contains("COMMIT") && !line.contains('…')).map(str::to_owned).collect()
}
