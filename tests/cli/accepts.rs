//! What the Terraform or OpenTofu in use evaluates by itself is left alone.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;

const TREE: &str = "\
variable \"dir\" {\n  type    = string\n  default = \"app\"\n  const   = true\n}\n\
variable \"env\" {\n  type = string\n  validation {\n    condition     = contains([\"a\"], var.env)\n    error_message = \"a\"\n  }\n}\n\
locals {\n  constant = \"./${var.dir}\"\n}\n\
module \"constant\" {\n  source = local.constant\n}\n\
module \"chosen\" {\n  source = \"./${var.env}\"\n}\n\
resource \"terraform_data\" \"kept\" {\n  lifecycle {\n    prevent_destroy = var.env == \"a\"\n  }\n}\n";

/// The driven fields, where the tree says what it is for.
fn driven(program: &str, required: &str) -> Vec<String> {
    let settings = format!("settings {{\n  terraform = \"{program}\"\n}}\n");
    let version = format!("terraform {{\n  required_version = \"{required}\"\n}}\n{TREE}");
    let scratch = Scratch::new([("main.tf", version.as_str()), ("phi.hcl", &settings)]);
    let output = scratch.command(&["trace", "--json"]).output().unwrap();
    assert_eq!(scratch.log(), "", "nothing is started");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let traces = json["traces"].as_array().unwrap();
    let mut fields: Vec<String> = traces.iter().map(|t| t["field"].as_str().unwrap().to_owned()).collect();
    fields.sort();
    fields
}

#[test]
fn a_field_is_driven_where_an_expression_is_no_use() {
    let [constant, chosen, kept] =
        ["module.constant.source", "module.chosen.source", "terraform_data.kept.lifecycle.prevent_destroy"];
    for required in ["> 0", "!= 1.16.0", "< 2", "1.11.4", ">= 1.14.9, < 2"] {
        assert_eq!(driven("terraform", required), [chosen, constant, kept], "{required}");
    }
    for required in ["1.15.0", ">= 1.15", "~> 1.15.1", "> 1.2, >= 1.15", ">= 2.0.0"] {
        assert_eq!(
            driven("terraform", required),
            [chosen, kept],
            "{required}: a constant is known when modules are installed"
        );
    }
    assert_eq!(driven("tofu", "1.7.0"), [chosen, constant, kept]);
    assert_eq!(driven("tofu", ">= 1.8.0"), [kept], "variables are known, too");
    assert!(driven("tofu", ">= 1.12.1").is_empty());
}

#[test]
fn nothing_is_asked_where_it_does_not_matter() {
    let scratch = Scratch::new([("main.tf", "module \"a\" {\n  source = \"./a\"\n}\n"), ("a/main.tf", "")]);
    assert_eq!(scratch.run(&["trace"]).code, Some(0));
    assert_eq!(scratch.log(), "");
}
