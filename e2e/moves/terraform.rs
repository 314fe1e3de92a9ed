//! One case planned by Terraform.

use super::Answer;
use super::generate::Case;
use crate::support::{Ran, Scratch};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tf_phi::addr::Key;
use tf_phi::moves::Refusal;

/// What Terraform said.
#[derive(Debug)]
pub struct Seen {
    pub answer: Answer,
    /// Summary and detail of each error.
    pub details: Vec<(String, String)>,
}

/// Plans a case. Nothing is initialised: the list of modules is all that Terraform would get.
pub fn plan(case: &Case) -> Seen {
    let scratch = Scratch::with(&[("terraform.tfstate", &state(case))]);
    let mut modules = Vec::new();
    for (path, text) in case.files() {
        let dir = if path.is_root() { ".".to_owned() } else { path.dotted().replace('.', "_") };
        scratch.write(&format!("{dir}/main.tf"), &text);
        let source = match path.depth() {
            0 => String::new(),
            1 => format!("./{dir}"),
            _ => format!("../{dir}"),
        };
        modules.push(json!({ "Key": path.dotted(), "Source": source, "Dir": dir }));
    }
    scratch.write(".terraform/modules/modules.json", &json!({ "Modules": modules }).to_string());
    let args = ["plan", "-json", "-input=false", "-lock=false", "-refresh=false", "-out=plan.out"];
    let ran = scratch.terraform(&args);
    let (errors, warnings) = (told(&ran, "error"), told(&ran, "warning"));
    if ran.code != 0 {
        let mut summaries: Vec<String> = errors.iter().map(|(summary, _)| summary.clone()).collect();
        summaries.sort();
        return Seen { answer: Answer::Refused(summaries), details: errors };
    }
    let mut blocked: Vec<String> = warnings
        .iter()
        .filter(|(summary, _)| summary == "Unresolved resource instance address changes")
        .flat_map(|(_, detail)| detail.lines().filter_map(|l| l.strip_prefix("  - ")).map(str::to_owned))
        .collect();
    blocked.sort();
    let shown = scratch.terraform(&["show", "-json", "plan.out"]).expect(0);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let mut ends = BTreeMap::new();
    for change in shown["resource_changes"].as_array().into_iter().flatten() {
        let Some(before) = change["change"]["before"]["id"].as_str() else { continue };
        let after = change["address"].as_str().unwrap();
        let previous = change["previous_address"].as_str().unwrap_or(after);
        assert_eq!(previous, before, "{shown}");
        assert!(ends.insert(before.to_owned(), after.to_owned()).is_none());
    }
    Seen { answer: Answer::Planned(ends, blocked), details: errors }
}

/// What is said at a level: summary and detail.
fn told(ran: &Ran, level: &str) -> Vec<(String, String)> {
    let lines = ran.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let found = lines.filter_map(|line| {
        let diagnostic = line.get("diagnostic")?.clone();
        let text = |name: &str| diagnostic[name].as_str().unwrap_or_default().to_owned();
        (text("severity") == level).then(|| (text("summary"), text("detail")))
    });
    found.collect()
}

/// A state file whose objects have their addresses as their ids.
fn state(case: &Case) -> String {
    let mut resources: BTreeMap<(String, String, String), Vec<Value>> = BTreeMap::new();
    for object in &case.state.objects {
        let mut instance = json!({
            "schema_version": 0,
            "attributes": {
                "id": object.to_string(), "input": null, "output": null, "triggers_replace": null
            },
            "sensitive_attributes": [],
        });
        match &object.key {
            None => {}
            Some(Key::Index(n)) => instance["index_key"] = json!(n),
            Some(Key::Name(name)) => instance["index_key"] = json!(&**name),
        }
        let resource = &object.resource;
        let of = (object.module.to_string(), resource.kind.to_string(), resource.name.to_string());
        resources.entry(of).or_default().push(instance);
    }
    for (module, resource) in &case.state.husks {
        let of = (module.to_string(), resource.kind.to_string(), resource.name.to_string());
        resources.entry(of).or_default();
    }
    let one = |((module, kind, name), instances): ((String, String, String), Vec<Value>)| {
        let mut out = json!({
            "mode": "managed",
            "type": kind,
            "name": name,
            "provider": "provider[\"terraform.io/builtin/terraform\"]",
            "instances": instances,
        });
        if !module.is_empty() {
            out["module"] = json!(module);
        }
        out
    };
    let resources: Vec<Value> = resources.into_iter().map(one).collect();
    json!({
        "version": 4,
        "terraform_version": "1.0.0",
        "serial": 1,
        "lineage": "65a2f9b1-799c-099a-cb64-7683878ba684",
        "outputs": {},
        "resources": resources,
        "check_results": null,
    })
    .to_string()
}

/// The addresses that the message on a refusal has to name.
pub fn addresses(refusal: &Refusal) -> Vec<String> {
    match refusal {
        Refusal::Redundant { address } => vec![address.clone()],
        Refusal::StillExists { from, to } => vec![from.clone(), to.clone()],
        Refusal::Ambiguous { address, first, second, .. } => {
            vec![address.clone(), first.clone(), second.clone()]
        }
        Refusal::Cycle { statements } => statements.clone(),
    }
}
