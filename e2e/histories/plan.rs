//! What a plan does and what a state holds, object by object. An object is known by its id, never by its address.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// An object in a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    pub address: String,
    pub values: String,
    pub tag: String,
    pub status: String,
}

/// Returns true if a state holds resources without instances, as an apply that failed leaves them.
pub fn has_husks(file: &Path) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let state: Value = serde_json::from_str(&text).unwrap_or_default();
    list(&state["resources"]).iter().any(|resource| list(&resource["instances"]).is_empty())
}

/// Id → object; empty where there is no state.
pub fn state(file: &Path) -> BTreeMap<String, Object> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let state: Value = serde_json::from_str(&text).unwrap_or_default();
    let mut out = BTreeMap::new();
    for resource in list(&state["resources"]) {
        let module = resource["module"].as_str().map(|m| format!("{m}.")).unwrap_or_default();
        for instance in list(&resource["instances"]) {
            let key = match &instance["index_key"] {
                Value::Null => String::new(),
                key => format!("[{key}]"),
            };
            let attributes = &instance["attributes"];
            let deposed = if instance["deposed"].is_string() { "deposed" } else { "" };
            let values = |name: &str| attributes[name].get("value").cloned().unwrap_or_default();
            let (input, triggers) = (values("input"), values("triggers_replace"));
            let object = Object {
                address: format!("{module}{}.{}{key}", word(&resource["type"]), word(&resource["name"])),
                tag: tag(&input, &triggers),
                values: format!("{input} {triggers}"),
                status: format!("{deposed}{}", instance["status"].as_str().unwrap_or_default()),
            };
            out.insert(word(&attributes["id"]).to_owned(), object);
        }
    }
    out
}

impl Object {
    /// What a service made, and not the original's own.
    pub fn is_made(&self) -> bool {
        self.address.rsplit_once(".terraform_data.").is_some_and(|(_, name)| name.starts_with("pg"))
    }
}

/// Takes objects out of a state, by their ids.
pub fn forget(file: &Path, ids: &BTreeSet<String>) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let Ok(mut state) = serde_json::from_str::<Value>(&text) else { return };
    for resource in state["resources"].as_array_mut().into_iter().flatten() {
        if let Some(instances) = resource["instances"].as_array_mut() {
            instances.retain(|one| !ids.contains(word(&one["attributes"]["id"])));
        }
    }
    if let Some(resources) = state["resources"].as_array_mut() {
        resources.retain(|r| !list(&r["instances"]).is_empty());
    }
    std::fs::write(file, state.to_string()).unwrap();
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn tag(input: &Value, triggers: &Value) -> String {
    word(input.get("tag").or_else(|| triggers.get("tag")).unwrap_or(&Value::Null)).to_owned()
}

/// What is planned for one object.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub actions: String,
    /// The values that were planned; empty where the object goes.
    pub after: String,
    pub tag: String,
    pub address: String,
    pub from: Option<String>,
    /// Said to be protected by its values, before and after.
    pub guarded: bool,
}

impl Change {
    /// The object itself ceases to be, or is no longer looked after.
    pub fn loses(&self) -> bool {
        self.actions.contains("delete") || self.actions.contains("forget")
    }
}

/// What a plan does.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// By id.
    pub changes: BTreeMap<String, Change>,
    /// Tag → values of what is created, where nothing was.
    pub creates: BTreeMap<String, Change>,
}

impl Plan {
    pub fn parse(text: &str) -> Option<Plan> {
        let plan: Value = serde_json::from_str(text).ok()?;
        let mut out = Plan::default();
        for one in list(&plan["resource_changes"]) {
            let change = &one["change"];
            let actions: Vec<&str> = list(&change["actions"]).iter().map(word).collect();
            let (before, after) = (&change["before"], &change["after"]);
            let values = |v: &Value| match v {
                Value::Null => String::new(),
                v => format!("{} {}", v["input"], v["triggers_replace"]),
            };
            let guarded =
                before["input"]["guard"] == Value::Bool(true) && after["input"]["guard"] == Value::Bool(true);
            let deposed = if one["deposed"].is_string() { "deposed " } else { "" };
            let shown = if after.is_null() { before } else { after };
            let entry = Change {
                tag: tag(&shown["input"], &shown["triggers_replace"]),
                actions: format!("{deposed}{}", order(&actions)),
                after: values(after),
                address: word(&one["address"]).to_owned(),
                from: one["previous_address"].as_str().map(str::to_owned),
                guarded,
            };
            match before["id"].as_str() {
                Some(id) => out.changes.insert(id.to_owned(), entry),
                None => out.creates.insert(entry.tag.clone(), entry),
            };
        }
        Some(out)
    }

    /// For people: a line for each object, those that nothing happens to left out.
    pub fn print(&self) -> String {
        let mut out = String::new();
        for (id, change) in self.changes.iter().chain(&self.creates) {
            if change.actions == "no-op" && change.from.is_none() {
                continue;
            }
            let from = change.from.as_ref().map(|f| format!(" (from {f})")).unwrap_or_default();
            let id = id.get(..8).unwrap_or(id);
            writeln!(out, "      {} {}{from} [{id}] {}", change.actions, change.address, change.after)
                .unwrap();
        }
        out
    }
}

/// Which of the two comes first in a replacement is not compared.
fn order(actions: &[&str]) -> String {
    actions.iter().copied().collect::<BTreeSet<_>>().into_iter().rev().collect::<Vec<_>>().join(" ")
}
