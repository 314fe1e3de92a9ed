//! What a proposed Stack plans beside what Terraform plans for its root module.

use super::cases::Case;
use super::compare::alike;
use super::lowered::{joined, waits};
use super::runtime::Runtime;
use crate::support::Scratch;
use serde_json::Value;
use std::collections::BTreeMap;

/// Proposes a Stack and plans each environment in both ways; gives how many values were compared, or all differences. A setting
/// `says=TEXT` is said (with `_` for spaces), and `component=NAME` is a component.
pub fn case(case: &Case, runtime: &mut Runtime) -> Result<usize, String> {
    let files: Vec<(&str, &str)> = case.files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let scratch = Scratch::with(&files);
    let done = scratch.tf_phi(&["stacks", "from-root", "--out", "stack"]);
    if done.code != 0 {
        return Err(format!("from-root ends with {}\n{}", done.code, done.stderr));
    }
    let mut faults = Vec::new();
    for setting in &case.settings {
        let (what, text) = setting.split_once('=').unwrap_or((setting, ""));
        let holds = match what {
            "says" => done.stderr.replace([' ', '\n'], "_").contains(text),
            "component" => done.stdout.lines().any(|line| line.ends_with(&format!("component.{text}"))),
            _ => true,
        };
        if !holds {
            faults.push(format!("{setting} doesn't hold\n{}{}", done.stdout, done.stderr));
        }
    }
    let formatted = scratch.terraform(&["-chdir=stack", "fmt", "-check", "-diff", "-recursive"]);
    if formatted.code != 0 && !case.has("random") {
        faults.push(format!("terraform fmt would change\n{}", formatted.stdout));
    }
    scratch.terraform(&["init", "-no-color", "-backend=false"]).expect(0);
    let deployments = deployments(&scratch);
    let mut count = 0;
    for (name, inputs) in &deployments {
        let said = runtime.plan_in(&scratch.dir(), "stack", inputs);
        match compared(&scratch, name, &said, &done.stdout) {
            Ok(values) => count += values,
            Err(why) => faults.push(format!("{name}: {why}")),
        }
    }
    if faults.is_empty() { Ok(count) } else { Err(faults.join("\n")) }
}

/// The inputs of the deployments, as Terraform itself reads them: each is an output of a root module of its own.
fn deployments(scratch: &Scratch) -> BTreeMap<String, Value> {
    let text = scratch.read("stack/deployments.tfdeploy.hcl");
    let text = text.replace("deployment \"", "output \"").replace("  inputs =", "  value =");
    scratch.write("deployed/main.tf", &text);
    scratch.terraform(&["-chdir=deployed", "plan", "-input=false", "-out=saved"]).expect(0);
    let shown = scratch.terraform(&["-chdir=deployed", "show", "-json", "saved"]).expect(0);
    std::fs::remove_dir_all(scratch.dir().join("deployed")).unwrap();
    let plan: Value = serde_json::from_str(&shown.stdout).unwrap();
    let changes = plan["output_changes"].as_object().unwrap();
    changes.iter().map(|(name, change)| (name.clone(), change["after"].clone())).collect()
}

fn compared(scratch: &Scratch, name: &str, said: &Value, moves: &str) -> Result<usize, String> {
    if !said["panic"].is_null() {
        return Err(format!("the runtime ends with {}", said["panic"]));
    }
    let file = format!("-var-file=env/{name}.tfvars");
    let mut words = vec!["plan", "-input=false", "-no-color", "-out=saved"];
    if scratch.dir().join(format!("env/{name}.tfvars")).exists() {
        words.push(&file);
    }
    let done = scratch.terraform(&words);
    let errors = said["errors"].as_array().unwrap();
    match (done.code == 0, errors.is_empty()) {
        (false, false) => return Ok(1),
        // A Stack puts off what repeats by a value that comes with an apply, for which a root module stops.
        (false, true) if waits(said) && done.stderr.contains("until apply") => return Ok(0),
        (false, true) => return Err(format!("only the root module stops\n{}", done.stderr)),
        (true, false) => return Err(format!("only the Stack stops\n{errors:#?}")),
        (true, true) => {}
    }
    let shown = scratch.terraform(&["show", "-json", "saved"]).expect(0);
    let plan: Value = serde_json::from_str(&shown.stdout).unwrap();
    let mut ours: BTreeMap<String, Value> = BTreeMap::new();
    for change in plan["resource_changes"].as_array().into_iter().flatten().filter(|c| c["mode"] == "managed")
    {
        let value = joined(&change["change"]["after"], &change["change"]["after_unknown"]);
        ours.insert(moved(change["address"].as_str().unwrap(), moves), value);
    }
    let theirs = said["resources"].as_object().unwrap();
    let theirs: BTreeMap<String, Value> = theirs.clone().into_iter().collect();
    let (names, wanted): (Vec<&String>, Vec<&String>) = (ours.keys().collect(), theirs.keys().collect());
    let mut faults = Vec::new();
    if names != wanted {
        return Err(format!("the Stack plans {wanted:?}, and the root module {names:?}"));
    }
    for (address, own) in &ours {
        if !alike(own, &theirs[address]) {
            faults.push(format!("{address} is {}, and in the root module {own}", theirs[address]));
        }
    }
    let declared = scratch.sources().into_iter().filter(|(path, _)| path.starts_with("stack"));
    let declared: String = declared.map(|(_, bytes)| String::from_utf8(bytes).unwrap()).collect();
    let outputs = plan["output_changes"].as_object().cloned().unwrap_or_default();
    let mut count = ours.len();
    for (name, change) in &outputs {
        if declared.contains(&format!("# output \"{name}\"")) {
            continue;
        }
        let own = joined(&change["after"], &change["after_unknown"]);
        let theirs = &said["stack_outputs"][name];
        count += 1;
        if !alike(&own, theirs) {
            faults.push(format!("output {name} is {theirs}, and in the root module {own}"));
        }
    }
    if faults.is_empty() { Ok(count) } else { Err(faults.join("\n")) }
}

/// Where the Stack has an object, by the table that is printed.
fn moved(address: &str, moves: &str) -> String {
    let table = moves.lines().filter_map(|line| line.split_once('→'));
    let found = table.map(|(from, to)| (from.trim(), to.trim())).find_map(|(from, to)| {
        let rest = address.strip_prefix(from)?;
        (rest.is_empty() || rest.starts_with(['.', '['])).then(|| format!("{to}{rest}"))
    });
    found.unwrap_or_else(|| address.to_owned())
}
