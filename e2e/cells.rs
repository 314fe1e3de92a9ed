//! Cells of `tf-phi matrix`, as the program prints them, against what Terraform says under each environment's values: its console for
//! expressions, its plans for the examples. Of random trees see the soundness tests with `--cells`.

use crate::support::{Scratch, terraform};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Stdio;
use tf_phi::terraform::plan_json::Plan;

const VARIABLES: &str = r#"variable "env" {
  type = string
}
variable "size" {
  type    = number
  default = 3
}
variable "tags" {
  type    = map(string)
  default = { team = "core" }
}
variable "zones" {
  type    = list(string)
  default = ["a", "b", "a"]
}
variable "cfg" {
  type    = object({ name = string, port = optional(number, 5432), on = optional(bool) })
  default = { name = "main" }
}
"#;

/// Variable files, so that each environment has other values.
const FILES: [(&str, &str); 4] = [
    ("dev.tfvars", "env = \"dev\"\n"),
    ("prod.tfvars", "env = \"prod\"\nsize = 12\ntags = { team = \"ops\", cost = \"7\" }\nzones = [\"c\"]\n"),
    ("qa.tfvars", "env = \"qa\"\nsize = 0.5\nzones = []\ncfg = { name = \"Q a\", port = 1, on = true }\n"),
    ("stage.tfvars.json", "{\"env\": \"stäge\", \"tags\": {}, \"cfg\": {\"name\": \"\", \"on\": false}}\n"),
];

/// What values are made of.
const TEXTS: [&str; 4] =
    ["var.env", "var.cfg.name", "\"${var.env}-${var.size}\"", "lookup(var.tags, \"team\", var.env)"];
const OF_TEXTS: [&str; 12] = [
    "upper(X)",
    "length(X)",
    "substr(X, 0, 2)",
    "split(\"-\", X)",
    "sha256(X)",
    "base64encode(X)",
    "{ (X) = true }",
    "contains([\"dev\", \"main\", \"core\"], X)",
    "X == \"prod\" ? { a = X } : null",
    "format(\"%-6s|%s\", X, jsonencode(X))",
    "try(tonumber(X), X)",
    "regexall(\"[a-z]+\", X)",
];
const WHOLE: [&str; 12] = [
    "var.size * 2 - 0.1",
    "ceil(var.size / 7)",
    "max(var.size, length(var.zones))",
    "range(floor(min(var.size, 4)))",
    "[for z in var.zones : \"${z}${var.size}\" if z != \"b\"]",
    "{ for i, z in var.zones : z => i... }",
    "toset(var.zones)",
    "merge(var.tags, { env = var.env })",
    "{ for k, v in merge(var.tags, { z = null }) : upper(k) => v }",
    "var.cfg",
    "var.cfg.on == null ? \"none\" : tostring(var.cfg.on)",
    "flatten([var.zones, [for k, v in var.tags : [k, v]]])",
];

fn expressions() -> Vec<String> {
    let of = |text: &str| OF_TEXTS.map(|form| form.replace('X', text));
    TEXTS.iter().flat_map(|text| of(text)).chain(WHOLE.map(str::to_owned)).collect()
}

/// The cells of a directory: of a field in an environment what is known.
fn cells(scratch: &Scratch) -> BTreeMap<(String, String), Value> {
    let done = scratch.tf_phi(&["matrix", "--all", "--format", "json"]).expect(0);
    let matrix: Value = serde_json::from_str(&done.stdout).unwrap();
    let rows = matrix["rows"].as_array().unwrap().iter().flat_map(|row| {
        let field = row["field"].as_str().unwrap().to_owned();
        let cells = row["cells"].as_object().unwrap().iter();
        cells.map(move |(env, cell)| ((field.clone(), env.clone()), cell.clone()))
    });
    rows.collect()
}

/// What the console says of expressions together, in its own words where it stops at one.
fn console(scratch: &Scratch, file: &str, expressions: &[String]) -> Result<Vec<Value>, String> {
    let mut command = scratch.command(terraform());
    command.arg("console").arg(format!("-var-file={file}"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Of several lines it says the last alone.
    let line = format!("jsonencode([{}])", expressions.join(", "));
    child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).into_owned());
    }
    // A string of HCL that holds JSON, and is itself one of JSON.
    let said: String = serde_json::from_slice(&done.stdout).unwrap();
    Ok(serde_json::from_str(&said).unwrap())
}

fn name(file: &str) -> &str {
    file.split('.').next().unwrap()
}

#[test]
fn cells_are_what_the_console_says() {
    let all = expressions();
    let each = |(at, text): (usize, &String)| {
        format!("locals {{\n  l{at} = {text}\n}}\noutput \"o{at}\" {{\n  value = local.l{at}\n}}\n")
    };
    let main: String =
        std::iter::once(VARIABLES.to_owned()).chain(all.iter().enumerate().map(each)).collect();
    let scratch = Scratch::with(&[&[("main.tf", &*main)], &FILES[..]].concat());
    let cells = cells(&scratch);
    let locals: Vec<String> = (0..all.len()).map(|at| format!("local.l{at}")).collect();
    let mut compared = 0;
    for (file, _) in FILES {
        let said = console(&scratch, file, &locals).unwrap();
        assert_eq!(said.len(), all.len(), "{file}");
        for (at, want) in said.iter().enumerate() {
            let cell = &cells[&(format!("output.o{at}.value"), name(file).to_owned())];
            assert_eq!((&cell["result"], &cell["value"]), (&"resolved".into(), want), "{file}: {}", all[at]);
            compared += 1;
        }
    }
    assert_eq!(compared, 240);
}

#[test]
fn cells_are_errors_where_the_console_stops() {
    let failing = [
        "{ dev = 1, prod = 2 }[var.env]",
        "var.zones[1]",
        "tonumber(var.tags.cost)",
        "substr(var.cfg.name, 0, var.size)",
    ];
    for text in failing {
        let main = format!("{VARIABLES}output \"o\" {{\n  value = {text}\n}}\n");
        let scratch = Scratch::with(&[&[("main.tf", &*main)], &FILES[..]].concat());
        let cells = cells(&scratch);
        let mut stops = 0;
        for (file, _) in FILES {
            let said = console(&scratch, file, &[text.to_owned()]);
            let cell = &cells[&("output.o.value".to_owned(), name(file).to_owned())];
            let want = if said.is_ok() { "resolved" } else { "error" };
            assert_eq!(cell["result"], want, "{file}: {text}: {cell} {said:?}");
            if let Ok(said) = said {
                assert_eq!([cell["value"].clone()], *said, "{file}: {text}");
            } else {
                stops += 1;
            }
        }
        assert!(stops > 0 && stops < FILES.len(), "{text} stops in {stops} of the environments");
    }
}

/// Each argument that a plan knows is what its cell says; gives how many were compared. The plans are those with each of the files.
pub fn as_planned(scratch: &Scratch, plans: &[(&str, Plan)]) -> usize {
    let cells = cells(scratch);
    let mut compared = 0;
    for (file, plan) in plans {
        for change in plan.resource_changes.iter().filter(|c| !c.address.contains('[')) {
            for (argument, planned) in change.change.after.as_object().into_iter().flatten() {
                let field = format!("{}.{argument}", change.address);
                let Some(cell) = cells.get(&(field.clone(), name(file).to_owned())) else { continue };
                if cell["result"] == "resolved" {
                    assert_eq!(cell["value"], *planned, "{file}: {field}");
                    compared += 1;
                }
            }
        }
    }
    compared
}

#[test]
fn cells_of_the_example_are_as_planned() {
    let scratch = Scratch::copy_of("examples/postgres");
    scratch.init();
    let files = [
        ("dev.tfvars", "customer_env = \"dev\"\n"),
        ("prod.tfvars", "customer_env = \"prod\"\ninstance_class = \"DB.M5\"\n"),
    ];
    for (file, text) in files {
        scratch.write(file, text);
    }
    let plans = files.map(|(file, _)| (file, scratch.plan(&[&format!("-var-file={file}")])));
    assert_eq!(as_planned(&scratch, &plans), 4);
}
