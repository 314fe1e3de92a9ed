//! Which variable files are environments, and what they are called.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;
use serde_json::{Value, json};

const MAIN: &str = "variable \"region\" {\n  type = string\n}\nvariable \"size\" {\n  type = string\n}\nresource \"terraform_data\" \"db\" {\n  input = \"${var.region}-${var.size}\"\n}\n";

fn matrix(files: &[(&str, &str)]) -> (Value, String) {
    let scratch = Scratch::new([("main.tf", MAIN)].into_iter().chain(files.iter().copied()));
    let done = scratch.run(&["matrix", "--all", "--json"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    (serde_json::from_str(&done.out).unwrap(), done.err)
}

const COMMON: [(&str, &str); 3] = [
    ("env/common.tfvars", "region = \"eu\"\n"),
    ("env/dev.tfvars", "size = \"s\"\n"),
    ("env/prod.tfvars", "size = \"l\"\n"),
];

#[test]
fn a_file_of_common_values_is_laid_below_every_environment() {
    let (found, said) = matrix(&COMMON);
    assert_eq!(found["environments"], json!(["common", "dev", "prod"]));
    assert!(said.contains("env/common.tfvars is likely a file of common values"), "{said}");
    let phi = ("phi.hcl", "settings {\n  common = [\"env/common.tfvars\"]\n}\n");
    let files: Vec<(&str, &str)> = COMMON.into_iter().chain([phi]).collect();
    let (found, said) = matrix(&files);
    assert_eq!(found["environments"], json!(["dev", "prod"]));
    let cells = &found["rows"][0]["cells"];
    assert_eq!((&cells["dev"]["value"], &cells["prod"]["value"]), (&json!("eu-s"), &json!("eu-l")));
    assert!(!said.contains("likely"), "{said}");
    let missing = ("phi.hcl", "settings {\n  common = [\"env/comon.tfvars\"]\n}\n");
    let scratch = Scratch::new([("main.tf", MAIN)].into_iter().chain(COMMON).chain([missing]));
    let done = scratch.run(&["matrix"]);
    assert!(done.code == Some(1) && done.err.contains("Did you mean \"env/common.tfvars\"?"), "{}", done.err);
}

#[test]
fn files_for_backends_are_no_environments() {
    let (found, _) = matrix(&[
        ("backend/dev.tfvars", "bucket = \"b\"\nkey = \"k\"\nregion = \"eu\"\n"),
        ("other.tfvars", "cidr = \"c\"\n"),
        ("env/dev.tfvars", "region = \"eu\"\nsize = \"s\"\n"),
        ("env/prod.tfvars", "region = \"eu\"\nsize = \"l\"\nmore = 1\n"),
    ]);
    assert_eq!(found["environments"], json!(["dev", "prod"]));
}

#[test]
fn a_folder_names_the_environment_of_its_terraform_tfvars() {
    let (found, _) = matrix(&[
        ("environments/dev/terraform.tfvars", "region = \"eu\"\nsize = \"s\"\n"),
        ("environments/prod.tfvars", "region = \"eu\"\nsize = \"l\"\n"),
    ]);
    assert_eq!(found["environments"], json!(["dev", "prod"]));
}
