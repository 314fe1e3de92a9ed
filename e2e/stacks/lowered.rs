//! What a deployment plans as a root module beside what the runtime plans for it.

use super::cases::Case;
use super::compare::{alike, unknown};
use super::runtime::Runtime;
use crate::support::Scratch;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Plans each deployment of a case in both ways; gives how many values were compared, or all differences.
pub fn case(case: &Case, runtime: &mut Runtime) -> Result<usize, String> {
    let mut files = case.files.clone();
    if !files.keys().any(|path| path.ends_with(".tfdeploy.hcl")) {
        let one =
            |(name, inputs): (&String, &Value)| format!("deployment {name:?} {{\n  inputs = {inputs}\n}}\n");
        files.insert("main.tfdeploy.hcl".to_owned(), case.inputs.iter().map(one).collect());
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let scratch = Scratch::with(&files);
    let (mut faults, mut count) = (Vec::new(), 0);
    for (name, inputs) in case.inputs.iter().filter(|(_, inputs)| !unknown(inputs)) {
        let said = runtime.plan(&scratch.dir(), inputs);
        if !said["panic"].is_null() || waits(&said) {
            continue;
        }
        let done = scratch.tf_phi(&["plan", "--env", name, "-input=false", "-no-color", "-out=saved"]);
        let printed = format!("{}{}", done.stdout, done.stderr);
        if !said["errors"].as_array().unwrap().is_empty() {
            if (done.code == 0) != case.has("apart") {
                faults.push(format!(
                    "{name}: the runtime stops with {:#}, and the plan is\n{printed}",
                    said["errors"]
                ));
            }
            continue;
        }
        if done.code != 0 {
            faults.push(format!(
                "{name}: the runtime has no error, and the plan ends with {}\n{printed}",
                done.code
            ));
            continue;
        }
        let folder = format!("-chdir=.phi/stacks/{name}");
        let shown = scratch.terraform(&[&folder, "show", "-json", "saved"]).expect(0);
        let plan: Value = serde_json::from_str(&shown.stdout).unwrap();
        let record: Value = serde_json::from_str(&scratch.read(&format!(".phi/stacks/{name}.json"))).unwrap();
        let formatted = scratch.terraform(&[&folder, "fmt", "-check", "-diff", "-recursive"]);
        if formatted.code != 0 && !case.has("unformatted") && !case.has("random") {
            faults.push(format!("{name}: terraform fmt would change\n{}", formatted.stdout));
        }
        match compared(&said, &plan, &record) {
            Ok(values) => count += values,
            Err(_) if case.has("apart") => {}
            Err(why) => faults.push(format!("{name}: {why}")),
        }
    }
    if faults.is_empty() { Ok(count) } else { Err(faults.join("\n")) }
}

/// Returns true if anything waits for a later plan, which no root module can.
pub fn waits(said: &Value) -> bool {
    !said["deferred"].as_array().is_none_or(Vec::is_empty)
        || said["components"]
            .as_array()
            .is_some_and(|all| all.iter().any(|c| c.as_str().unwrap().contains("[*]")))
}

fn compared(said: &Value, plan: &Value, record: &Value) -> Result<usize, String> {
    let mut ours: BTreeMap<String, Value> = BTreeMap::new();
    for change in plan["resource_changes"].as_array().into_iter().flatten().filter(|c| c["mode"] == "managed")
    {
        let address = in_stack(change["address"].as_str().unwrap(), record);
        ours.insert(address, joined(&change["change"]["after"], &change["change"]["after_unknown"]));
    }
    let theirs = said["resources"].as_object().unwrap();
    let (names, wanted): (Vec<&String>, BTreeSet<&String>) = (ours.keys().collect(), theirs.keys().collect());
    let wanted: Vec<&String> = wanted.into_iter().collect();
    if names != wanted {
        return Err(format!("the runtime plans {wanted:?}, and the root module {names:?}"));
    }
    let differ = |(address, own): (&String, &Value)| {
        (!alike(own, &theirs[address]))
            .then(|| format!("{address} is {}, and in the root module {own}", theirs[address]))
    };
    let mut faults: Vec<String> = ours.iter().filter_map(differ).collect();
    for (name, wanted) in said["stack_outputs"].as_object().unwrap() {
        let change = &plan["output_changes"][name];
        let own = joined(&change["after"], &change["after_unknown"]);
        if !alike(&own, wanted) {
            faults.push(format!("output {name} is {wanted}, and in the root module {own}"));
        }
    }
    if faults.is_empty() { Ok(ours.len()) } else { Err(faults.join("\n")) }
}

/// A value in which `true` in `open` stands for what isn't known.
pub fn joined(known: &Value, open: &Value) -> Value {
    match (known, open) {
        (_, Value::Bool(true)) => json!({"$unknown": true}),
        (Value::Object(own), Value::Object(open)) => {
            let mut all: Map<String, Value> = own
                .iter()
                .map(|(k, v)| (k.clone(), joined(v, &open.get(k).cloned().unwrap_or_default())))
                .collect();
            for (key, open) in open.iter().filter(|(k, _)| !own.contains_key(*k)) {
                let open = joined(&Value::Null, open);
                if unknown(&open) {
                    all.insert(key.clone(), open);
                }
            }
            Value::Object(all)
        }
        (Value::Null, Value::Object(open)) if !open.is_empty() => {
            joined(&json!({}), &Value::Object(open.clone()))
        }
        (Value::Array(own), Value::Array(open)) => {
            let at = |i: usize| open.get(i).cloned().unwrap_or_default();
            own.iter().enumerate().map(|(i, v)| joined(v, &at(i))).collect()
        }
        (known, _) => known.clone(),
    }
}

/// The Stack's address of what a root module has, by the record of what was written.
fn in_stack(address: &str, record: &Value) -> String {
    let instances = record["instances"].as_object().unwrap();
    let found = instances.iter().find_map(|(labels, own)| {
        let module: Vec<String> = labels.split('.').map(|l| format!("module.{l}")).collect();
        let rest = address.strip_prefix(&module.join("."))?;
        rest.starts_with('.').then(|| format!("{}{rest}", own.as_str().unwrap()))
    });
    found.unwrap_or_else(|| address.to_owned())
}
