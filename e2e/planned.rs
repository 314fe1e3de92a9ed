//! What a plan knows of resources, against what `tf-phi matrix` says: which instances there are, and what their arguments say.

use crate::support::Scratch;
use serde_json::Value;
use std::collections::BTreeMap;

/// Resources by how they are repeated. Each has an argument that is known, one that isn't, and one that is so in part.
const RESOURCES: [(&str, &str); 9] = [
    ("single", ""),
    ("none", "count = var.env == \"prod\" ? 1 : 0"),
    ("two", "count = 2"),
    ("some", "count = var.n"),
    ("text", "count = \"1\""),
    ("set", "for_each = toset([\"a\", var.env])"),
    ("map", "for_each = { a = \"x\", b = var.env }"),
    ("empty", "for_each = var.n > 5 ? { a = 1 } : {}"),
    ("over", "for_each = terraform_data.map"),
];

/// What is read of a resource `R`, under the names of the arguments that its instances hold.
const OF_SINGLE: [&str; 12] = [
    "R.input.name",
    "R.input.id",
    "R.id",
    "\"${R.input.name}-${R.id}\"",
    "[for i in R[*] : i.input.name]",
    "length(R[*].id)",
    "R[*].input.name",
    "one(R[*].input.name)",
    "try(R.input.name, \"none\")",
    "R.triggers_replace",
    "{ (R.input.name) = R.id }",
    "R.input",
];
const OF_COUNT: [&str; 16] = [
    "length(R)",
    "R[0].input.name",
    "R[1].id",
    "try(R[0].id, \"none\")",
    "try(R[1].input.name, \"none\")",
    "can(R[1])",
    "R[*].input.name",
    "[for r in R : r.input.name]",
    "[for r in R : r.id]",
    "length(R[*].id)",
    "one(R[*].input.name)",
    "concat(R[*].input.name, [\"z\"])",
    "{ for i, r in R : i => r.input.name }",
    "element(R, 0).input.name",
    "length(R) > 0 ? R[0].input.name : \"none\"",
    "join(\",\", R[*].input.name)",
];
const OF_EACH: [&str; 16] = [
    "keys(R)",
    "length(R)",
    "R[\"a\"].input.name",
    "R[var.env].input.name",
    "try(R[\"z\"].id, \"none\")",
    "can(R[\"a\"].id)",
    "{ for k, r in R : k => r.input.name }",
    "{ for k, r in R : k => r.id if k != \"b\" }",
    "[for k in keys(R) : upper(k)]",
    "values(R)[*].input.name",
    "length(values(R))",
    "contains(keys(R), var.env)",
    "R[\"a\"].input != null",
    "merge({ for k, r in R : k => r.input.name }, { z = 1 })",
    "[for k, r in R : \"${k}=${r.input.name}\"]",
    "toset([for r in R : r.input.name])",
];

const HEAD: &str =
    "variable \"env\" {\n  type = string\n}\nvariable \"n\" {\n  type    = number\n  default = 1\n}\n";

fn main_file(repeated: &str, over: &str, forms: &[&str]) -> String {
    let key = match over {
        "" => "\"k\"",
        over if over.starts_with("count") => "count.index",
        _ => "each.key",
    };
    let others = "resource \"terraform_data\" \"other\" {\n}\nresource \"terraform_data\" \"map\" {\n  for_each = { a = \"x\", b = var.env }\n  \
                  input    = { name = each.value, id = terraform_data.other.id }\n}\n";
    let others = if repeated == "map" {
        others.split_once("resource \"terraform_data\" \"map\"").unwrap().0
    } else {
        others
    };
    let own = format!(
        "resource \"terraform_data\" \"{repeated}\" {{\n  {over}\n  input            = {{ name = \"n-${{{key}}}\", id = \
         terraform_data.other.id }}\n  triggers_replace = var.env\n}}\n"
    );
    let outputs = forms.iter().enumerate().map(|(at, form)| {
        let form = form.replace('R', &format!("terraform_data.{repeated}"));
        format!("output \"o{at}\" {{\n  value = {form}\n}}\n")
    });
    [HEAD.to_owned(), others.to_owned(), own].into_iter().chain(outputs).collect()
}

/// The cells of the only row of each output, in one environment.
fn cells(scratch: &Scratch, env: &str) -> BTreeMap<String, Value> {
    let done = scratch.tf_phi(&["matrix", "--all", "--format", "json"]);
    let matrix: Value = serde_json::from_str(&done.stdout).unwrap();
    let rows = matrix["rows"].as_array().unwrap().iter();
    rows.map(|row| (row["field"].as_str().unwrap().to_owned(), row["cells"][env].clone())).collect()
}

/// Forms are looked at one by one where Terraform rejects them together.
fn compare(
    scratch: &Scratch,
    [repeated, over]: [&str; 2],
    forms: &[&str],
    env: &str,
    counts: &mut [usize; 4],
) {
    scratch.write("main.tf", &main_file(repeated, over, forms));
    let file = format!("-var-file={env}.tfvars");
    let done = scratch.terraform(&["plan", "-input=false", "-lock=false", "-out=plan", &file]);
    match forms {
        _ if done.code == 0 => same(scratch, repeated, forms, env, counts),
        [form] => {
            let cell = &cells(scratch, env)["output.o0.value"];
            assert_eq!(cell["result"], "error", "{env}: {form} of {repeated}: {}\n{cell}", done.stderr);
            counts[3] += 1;
        }
        _ => forms.iter().for_each(|form| compare(scratch, [repeated, over], &[form], env, counts)),
    }
}

fn same(scratch: &Scratch, repeated: &str, forms: &[&str], env: &str, counts: &mut [usize; 4]) {
    let shown = scratch.terraform(&["show", "-json", "plan"]).expect(0);
    let plan: Value = serde_json::from_str(&shown.stdout).unwrap();
    let cells = cells(scratch, env);
    for (at, form) in forms.iter().enumerate() {
        let planned = &plan["output_changes"][format!("o{at}")];
        let cell = cells.get(&format!("output.o{at}.value"));
        let cell = cell.unwrap_or_else(|| panic!("{env}: {form} of {repeated}: no cell, but {cells:?}"));
        let said = format!("{env}: {form} of {repeated}: {cell}\n{planned}");
        match (cell["result"].as_str(), &planned["after_unknown"]) {
            (Some("resolved"), Value::Bool(false)) => {
                assert_eq!(cell["value"], planned["after"], "{said}");
                counts[0] += 1;
            }
            (Some("unbounded"), Value::Bool(false)) => {
                counts[1] += 1;
            }
            (Some("unbounded"), _) => counts[2] += 1,
            _ => panic!("{said}"),
        }
    }
}

/// No cell says another thing than the plan; and nearly all that a plan knows is known.
#[test]
fn what_a_plan_knows_of_resources() {
    let scratch = Scratch::with(&[
        ("dev.tfvars", "env = \"dev\"\n"),
        ("prod.tfvars", "env = \"prod\"\nn   = 0\n"),
        ("main.tf", HEAD),
    ]);
    scratch.init();
    // Known to both, to the plan alone, to neither; rejected by both.
    let mut counts = [0; 4];
    for (repeated, over) in RESOURCES {
        let forms: &[&str] = match over {
            "" => &OF_SINGLE,
            over if over.starts_with("count") => &OF_COUNT,
            _ => &OF_EACH,
        };
        for env in ["dev", "prod"] {
            compare(&scratch, [repeated, over], forms, env, &mut counts);
        }
    }
    println!("{counts:?}");
    assert!(counts[0] > 150 && counts[3] > 10, "{counts:?}");
    assert_eq!(counts[1], 0, "known to the plan alone");
}
