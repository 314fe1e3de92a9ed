//! Expressions in `*.tf.json`, and what override files make of a module, against the real Terraform.
//!
//! In: the lists and the folder beside this file. `terraform console` and a plan say what is right; on our side the program
//! itself is asked, so that reading, merging and tracing are all in between.

use crate::support::{Scratch, schemas, terraform};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const VALUES: &str = include_str!("json/values.txt");
const ERRORS: &str = include_str!("json/errors.txt");

/// What the values refer to.
const AROUND: &str = r#""n": 3, "s": "\u00e9 \"q\"", "nul": null, "o": {"a": {"b": [1, null]}}"#;

fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect()
}

/// What a program prints for a text on its standard input; nothing where it fails.
fn asked(scratch: &Scratch, program: &Path, args: &[&str], input: &str) -> Option<String> {
    let mut command: Command = scratch.command(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    if program == tf_phi() {
        schemas::judge(&printed);
    }
    output.status.success().then_some(printed)
}

fn tf_phi() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_tf-phi"))
}

fn console(scratch: &Scratch, expr: &str) -> Option<String> {
    asked(scratch, terraform(), &["console", "-no-color"], &format!("{expr}\n"))
}

/// Whether Terraform makes a plan of the folder, in which it evaluates all locals.
fn is_taken(scratch: &Scratch) -> bool {
    scratch.terraform(&["plan", "-input=false", "-no-color"]).code == 0
}

fn folder_of(values: &[&str]) -> Scratch {
    let locals: Vec<String> = values.iter().enumerate().map(|(i, v)| format!("\"v{i}\": {v}")).collect();
    Scratch::with(&[("main.tf.json", &format!("{{\"locals\": {{{AROUND},\n{}}}}}", locals.join(",\n")))])
}

#[test]
fn values_in_json_files_agree() {
    let values = lines(VALUES);
    assert!(values.len() >= 80, "{}", values.len());
    let scratch = folder_of(&values);
    let all: Vec<String> = (0..values.len()).map(|i| format!("jsonencode(local.v{i})")).collect();
    let printed = console(&scratch, &format!("jsonencode([{}])", all.join(", "))).unwrap();
    let shown: String = serde_json::from_str(printed.trim()).unwrap_or_else(|e| panic!("{e}: {printed}"));
    let theirs: Vec<String> = serde_json::from_str(&shown).unwrap();
    let printed = asked(&scratch, tf_phi(), &["trace", "--expr", "-"], &all.join("\n")).unwrap();
    let ours: Vec<Json> = printed.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((theirs.len(), ours.len()), (values.len(), values.len()));
    let differing: Vec<String> = values
        .iter()
        .zip(theirs.iter().zip(&ours))
        .filter(|(_, (theirs, ours))| ours["value"].as_str() != Some(theirs.as_str()))
        .map(|(text, (theirs, ours))| format!("{text}\n  terraform: {theirs}\n  tf-phi:    {ours}"))
        .collect();
    assert!(differing.is_empty(), "\n{}", differing.join("\n"));
}

#[test]
fn errors_in_json_files_agree() {
    for text in lines(ERRORS) {
        let scratch = folder_of(&[text]);
        assert!(!is_taken(&scratch), "terraform takes {text}");
        let ours = asked(&scratch, tf_phi(), &["trace", "--expr", "local.v0"], "");
        let result = ours.map(|line| serde_json::from_str::<Json>(&line).unwrap()["result"].clone());
        assert!(result.as_ref().is_none_or(|r| r == "error"), "tf-phi takes {text}: {result:?}");
    }
}

/// Address of a field → its value, of all outputs and of each resource's `input`, as a plan has them.
fn planned(scratch: &Scratch) -> BTreeMap<String, Json> {
    scratch.init();
    scratch.terraform(&["plan", "-input=false", "-no-color", "-out=p"]).expect(0);
    let shown = scratch.terraform(&["show", "-json", "p"]).expect(0).stdout;
    let plan: Json = serde_json::from_str(&shown).unwrap();
    let mut found = BTreeMap::new();
    for (name, output) in plan["planned_values"]["outputs"].as_object().unwrap() {
        found.insert(format!("output.{name}.value"), output["value"].clone());
    }
    let mut modules = vec![&plan["planned_values"]["root_module"]];
    while let Some(module) = modules.pop() {
        modules.extend(module["child_modules"].as_array().into_iter().flatten());
        for resource in module["resources"].as_array().into_iter().flatten() {
            let address = resource["address"].as_str().unwrap();
            if address.contains('[') {
                // One field stands for all instances; outputs say what they hold.
                continue;
            }
            found.insert(format!("{address}.input"), resource["values"]["input"].clone());
        }
    }
    found
}

#[test]
fn merged_files_agree() {
    let scratch = Scratch::copy_of("e2e/differential/merged");
    let theirs = planned(&scratch);
    assert!(theirs.len() >= 40, "{}", theirs.len());
    let traced = scratch.tf_phi(&["trace", "--all", "--json"]).expect(0).stdout;
    let traced: Json = serde_json::from_str(&traced).unwrap();
    let ours: BTreeMap<String, Json> = traced["traces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| {
            (
                t["field"].as_str().unwrap().to_owned(),
                if t["result"] == "resolved" { t["value"].clone() } else { t.clone() },
            )
        })
        .collect();
    let differing: Vec<String> = theirs
        .iter()
        .filter(|(field, theirs)| ours.get(*field) != Some(theirs))
        .map(|(field, theirs)| format!("{field}\n  terraform: {theirs}\n  tf-phi:    {:?}", ours.get(field)))
        .collect();
    assert!(differing.is_empty(), "\n{}", differing.join("\n"));
}

/// Overrides that both reject: name and text of each file.
const REJECTED: &[&[(&str, &str)]] = &[
    &[("main.tf", ""), ("override.tf", "variable \"a\" {}")],
    &[("main.tf", ""), ("override.tf", "locals {\n  a = 1\n}")],
    &[("main.tf", ""), ("override.tf", "output \"a\" {\n  value = 1\n}")],
    &[("main.tf", ""), ("override.tf.json", r#"{"resource": {"terraform_data": {"a": {}}}}"#)],
    &[("main.tf", ""), ("a_override.tf.json", r#"{"module": {"a": {"source": "./m"}}}"#)],
    &[
        ("main.tf", "variable \"a\" {\n  type    = number\n  default = 1\n}"),
        ("override.tf.json", r#"{"variable": {"a": {"default": "x"}}}"#),
    ],
    &[
        ("main.tf", "variable \"a\" {\n  default = \"x\"\n}"),
        ("override.tf.json", r#"{"variable": {"a": {"type": "number"}}}"#),
    ],
    &[
        ("main.tf", "resource \"terraform_data\" \"a\" {}"),
        ("override.tf", "resource \"terraform_data\" \"a\" {\n  depends_on = [terraform_data.b]\n}"),
    ],
    &[("main.tf", "locals {\n  a = 1\n}\nlocals {\n  a = 2\n}")],
    &[("main.tf", "locals {\n  a = 1\n}"), ("more.tf.json", r#"{"locals": {"a": 2}}"#)],
    &[
        ("main.tf", "output \"a\" {\n  value = 1\n}"),
        ("override.tf", "output \"a\" {\n  depends_on = [terraform_data.b]\n}"),
    ],
    &[("main.tf", ""), ("override.tf", "moved {\n  from = terraform_data.a\n  to   = terraform_data.b\n}")],
];

#[test]
fn overrides_that_are_rejected_agree() {
    for files in REJECTED {
        let scratch = Scratch::with(files);
        assert!(!is_taken(&scratch), "terraform takes {files:?}");
        // A default that doesn't fit is said of what uses it.
        let ours = asked(&scratch, tf_phi(), &["trace", "--expr", "-"], "1\nvar.a\n");
        let rejected = ours.as_ref().is_none_or(|lines| lines.contains("\"result\":\"error\""));
        assert!(rejected, "tf-phi takes {files:?}: {ours:?}");
    }
}
