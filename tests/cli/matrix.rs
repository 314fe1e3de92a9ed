//! `tf-phi matrix`: the JSON contract, environments, forms; nothing is written and no process started.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::{Done, Scratch};
use serde_json::{Value, json};

const MAIN: &str = r#"variable "env" {
  type = string
}
variable "size" {
  type    = string
  default = "small"
}
variable "password" {
  type      = string
  sensitive = true
  default   = "hunter2"
}
variable "n" {
  type    = number
  default = 1
}
locals {
  sizes = { small = "t3.micro", large = "r6g.4xlarge" }
}
resource "terraform_data" "counted" {
  count = var.n
  input = "${var.env}-${count.index}"
}
resource "terraform_data" "sized" {
  input = local.sizes[var.size]
}
resource "terraform_data" "secret" {
  input = { user = var.env, password = var.password }
}
resource "terraform_data" "same" {
  input = "same"
}
resource "terraform_data" "later" {
  input = terraform_data.same.id
}
module "each" {
  source   = "./m"
  for_each = toset(["p", var.env])
  v        = each.key
}
"#;

const MODULE: &str = r#"variable "v" {
  type = string
}
resource "terraform_data" "inner" {
  input = upper(var.v)
}
"#;

fn scratch() -> Scratch {
    Scratch::new([
        ("main.tf", MAIN),
        ("m/main.tf", MODULE),
        ("env/dev.tfvars", "env = \"dev\"\n"),
        ("env/prod.tfvars", "env = \"prod\"\nsize = \"large\"\nn = 2\n"),
        ("env/qa.tfvars", "env = \"qa\"\nsize = \"huge\"\nn = 0\n"),
    ])
}

fn json_of(done: &Done) -> Value {
    assert_eq!(done.code, Some(0), "{}", done.err);
    serde_json::from_str(&done.out).unwrap()
}

fn cells<'j>(matrix: &'j Value, field: &str) -> &'j Value {
    let rows = matrix["rows"].as_array().unwrap();
    rows.iter().find(|r| r["field"] == field).map_or(&Value::Null, |r| &r["cells"])
}

#[test]
fn a_cell_is_what_the_field_is_in_the_environment() {
    let scratch = scratch();
    let before = scratch.snapshot();
    let matrix = json_of(&scratch.run(&["matrix", "--all", "--format", "json"]));
    assert_eq!(matrix["format_version"], "1.0");
    assert_eq!(matrix["environments"], json!(["dev", "prod", "qa"]));
    let value = |v: &str| json!({"result": "resolved", "value": v});
    assert_eq!(
        cells(&matrix, "terraform_data.counted.input"),
        &json!({
            "dev": {"result": "instances", "instances": {"[0]": value("dev-0")}},
            "prod": {"result": "instances", "instances": {"[0]": value("prod-0"), "[1]": value("prod-1")}},
            "qa": {"result": "absent"},
        })
    );
    let sized = cells(&matrix, "terraform_data.sized.input");
    assert_eq!(sized["prod"], value("r6g.4xlarge"));
    assert_eq!(sized["qa"]["result"], "error");
    assert!(sized["qa"]["error"].as_str().unwrap().starts_with("Invalid index"), "{sized}");
    assert_eq!(cells(&matrix, "terraform_data.later.input")["dev"]["code"], "apply-time-value");
    assert_eq!(
        cells(&matrix, "terraform_data.secret.input")["dev"]["value"],
        json!({"user": "dev", "password": {"sensitive": true}})
    );
    assert_eq!(
        cells(&matrix, "module.each.terraform_data.inner.input")["qa"]["instances"],
        json!({"[\"p\"]": value("P"), "[\"qa\"]": value("QA")})
    );
    let instances = matrix["instances"].as_array().unwrap();
    let counted = instances.iter().find(|i| i["address"] == "terraform_data.counted").unwrap();
    assert_eq!(counted["cells"], json!({"dev": ["[0]"], "prod": ["[0]", "[1]"], "qa": []}));
    assert_eq!(scratch.snapshot(), before);
    assert_eq!(scratch.log(), "");
}

#[test]
fn without_an_address_what_differs_is_shown() {
    let scratch = scratch();
    let matrix = json_of(&scratch.run(&["matrix", "--format", "json"]));
    assert!(!cells(&matrix, "terraform_data.sized.input").is_null());
    assert!(cells(&matrix, "terraform_data.same.input").is_null());
    assert!(cells(&matrix, "module.each.source").is_null(), "how many instances there are is said once");
    let one =
        json_of(&scratch.run(&["matrix", "terraform_data.same.input", "--env", "dev", "--format", "json"]));
    assert_eq!(one["environments"], json!(["dev"]));
    assert_eq!(one["rows"].as_array().unwrap().len(), 1);
}

#[test]
fn no_form_shows_a_secret() {
    let scratch = scratch();
    for form in ["text", "json", "csv", "markdown", "html"] {
        let done = scratch.run(&["matrix", "--all", "--format", form]);
        assert_eq!(done.code, Some(0), "{form}: {}", done.err);
        assert!(!done.out.contains("hunter2"), "{form}: {}", done.out);
        assert!(done.out.contains("r6g.4xlarge"), "{form}: {}", done.out);
    }
}

#[test]
fn environments_of_blocks() {
    let phi = r#"environment "prod" {
  workspace = "production"
  var_files = ["env/prod.tfvars"]
  variables = { size = "small" }
}
environment "dev" {
  var_files = ["env/dev.tfvars"]
}
"#;
    let scratch = Scratch::new([
        (
            "main.tf",
            "variable \"env\" {}\nvariable \"size\" { default = \"x\" }\nresource \"terraform_data\" \"a\" {\n  input = \"${terraform.workspace}-${var.env}-${var.size}\"\n}\n",
        ),
        ("env/dev.tfvars", "env = \"dev\"\n"),
        ("env/prod.tfvars", "env = \"prod\"\nsize = \"large\"\n"),
        ("env/other.tfvars", "env = \"other\"\n"),
        ("terraform.tfvars", "size = \"auto\"\n"),
        ("phi.hcl", phi),
    ]);
    let matrix = json_of(&scratch.run(&["matrix", "--format", "json"]));
    assert_eq!(matrix["environments"], json!(["prod", "dev"]));
    let found = cells(&matrix, "terraform_data.a.input");
    assert_eq!(found["prod"]["value"], "production-prod-small");
    assert_eq!(found["dev"]["value"], "default-dev-auto");
}

#[test]
fn what_is_wrong_with_environments_is_said_with_the_nearest_name() {
    let said = |files: &[(&str, &str)], args: &[&str]| {
        let scratch = Scratch::new(files.iter().copied());
        let done = scratch.run(args);
        assert_eq!(done.code, Some(1), "{}", done.out);
        assert_eq!(done.out, "");
        done.err
    };
    let main = ("main.tf", "variable \"env\" { type = string }\n");
    let (dev, prod) = (("env/dev.tfvars", "env = \"dev\"\n"), ("env/prod.tfvars", "env = \"prod\"\n"));
    let unknown = said(&[main, dev, prod], &["matrix", "--env", "prd"]);
    assert!(unknown.contains("Did you mean \"prod\"?"), "{unknown}");
    let json = ("env/dev.tfvars.json", "{\"env\": \"dev\"}");
    let twice = said(&[main, dev, json], &["matrix"]);
    assert!(twice.contains("wo environments are named \"dev\""), "{twice}");
    let phi = ("phi.hcl", "environment \"prod\" {\n  var_files = [\"env/prd.tfvars\"]\n}\n");
    let missing = said(&[main, prod, phi], &["matrix"]);
    assert!(missing.contains("Did you mean \"env/prod.tfvars\"?"), "{missing}");
    let phi = ("phi.hcl", "environment \"prod\" {\n  variables = { enw = \"x\" }\n}\n");
    let undeclared = said(&[main, phi], &["matrix"]);
    assert!(undeclared.contains("Did you mean \"env\"?"), "{undeclared}");
}

#[test]
fn an_environment_is_given_to_terraform_as_if_by_hand() {
    let phi = "environment \"prod\" {\n  var_files = [\"env/prod.tfvars\"]\n  variables = { size = \"small\" }\n}\n";
    let scratch = Scratch::new([
        ("main.tf", "variable \"env\" { type = string }\nvariable \"size\" { type = string }\n"),
        ("env/prod.tfvars", "env = \"prod\"\n"),
        ("phi.hcl", phi),
    ]);
    let done = scratch.run(&["plan", "--env", "prod"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let calls = scratch.calls();
    assert!(calls.contains(&"plan -var-file env/prod.tfvars -var size=small".to_owned()), "{calls:?}");
}

/// Terraform passes over a `terraform.tfvars` that leads nowhere, and stops at an automatic file that does.
#[test]
fn a_variable_file_that_leads_nowhere() {
    let main =
        "variable \"a\" {\n  default = \"x\"\n}\nresource \"terraform_data\" \"r\" {\n  input = var.a\n}\n";
    for (name, code) in [("terraform.tfvars", 0), ("x.auto.tfvars", 1)] {
        let scratch = Scratch::new([("main.tf", main)]);
        std::os::unix::fs::symlink("nowhere.tfvars", scratch.tree().join(name)).unwrap();
        let done = scratch.run(&["matrix", "--all"]);
        assert_eq!(done.code, Some(code), "{name}: {}{}", done.out, done.err);
    }
}

/// A value that its variable doesn't take leaves one environment without it, and the others are shown.
#[test]
fn a_value_that_is_not_taken_costs_its_environment_alone() {
    let main = "variable \"size\" {\n  type = number\n}\nresource \"terraform_data\" \"x\" {\n  input = var.size\n}\n";
    let scratch = Scratch::new([
        ("main.tf", main),
        ("env/dev.tfvars", "size = \"three\"\n"),
        ("env/prod.tfvars", "size = 3\n"),
        ("env/qa.tfvars", "size = \"\n"),
    ]);
    let done = scratch.run(&["matrix"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(done.out.contains("terraform_data.x.input  (not given)  3"), "{}", done.out);
    assert!(
        done.err.contains("Warning: the value of var.size is not valid in the environment \"dev\""),
        "{}",
        done.err
    );
    assert!(done.err.contains("use a heredoc or \\n.\n"), "{}", done.err);
}
