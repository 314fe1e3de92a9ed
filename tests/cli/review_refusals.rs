//! `tf-phi review` on what can't be: what stops it says so and writes nothing; what is wrong with one side is a finding.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::git;
use crate::cli_common::{Done, Scratch};
use serde_json::{Value, json};
use std::fs;

const MAIN: &str = r#"variable "env" {
  type = string
}
variable "size" {
  type    = number
  default = 1
}
resource "terraform_data" "a" {
  input = var.env
}
resource "terraform_data" "b" {
  input = var.size
}
"#;

/// A committed root module with two environments, and some more files.
fn repository(more: &[(&str, &str)]) -> Scratch {
    let own = [
        ("app/main.tf", MAIN),
        ("app/env/dev.tfvars", "env = \"dev\"\n"),
        ("app/env/prod.tfvars", "env = \"prod\"\n"),
    ];
    let scratch = Scratch::new(own.into_iter().chain(more.iter().copied()));
    git(&scratch.tree(), &["init", "-q"]);
    commit(&scratch);
    scratch
}

fn commit(scratch: &Scratch) {
    git(&scratch.tree(), &["add", "-A"]);
    git(&scratch.tree(), &["commit", "-qm", "next"]);
}

fn review(scratch: &Scratch, args: &[&str]) -> Done {
    let all: Vec<&str> = ["-chdir=app", "review"].into_iter().chain(args.iter().copied()).collect();
    scratch.run(&all)
}

/// A review that stops: what it says. In no form is anything printed, and neither tree nor repository is touched.
fn refused(scratch: &Scratch, args: &[&str]) -> String {
    let before = scratch.snapshot();
    let mut said = String::new();
    for form in ["text", "json", "markdown", "html"] {
        let all: Vec<&str> = args.iter().copied().chain(["--format", form]).collect();
        let done = review(scratch, &all);
        assert_eq!((done.code, &*done.out), (Some(1), ""), "{form}: {}", done.err);
        said = done.err;
    }
    assert_eq!(scratch.snapshot(), before);
    assert_eq!(scratch.log(), "", "no Terraform is started");
    said
}

#[test]
fn a_revision_that_does_not_exist() {
    let scratch = repository(&[]);
    let said = refused(&scratch, &["--base", "nowhere"]);
    assert!(said.contains("no revision") && said.contains("\"nowhere\""), "{said}");
    // Nor with plans: what can't be compared isn't planned.
    refused(&scratch, &["--base", "nowhere", "--plan"]);
}

#[test]
fn no_git_repository() {
    let scratch = Scratch::new([("app/main.tf", MAIN)]);
    let said = refused(&scratch, &["--base", "HEAD"]);
    assert!(said.contains("not in a git repository"), "{said}");
}

#[test]
fn a_directory_outside_of_the_repository() {
    let scratch = repository(&[]);
    fs::rename(scratch.tree().join("app"), scratch.path("outside")).unwrap();
    std::os::unix::fs::symlink(scratch.path("outside"), scratch.tree().join("app")).unwrap();
    let said = refused(&scratch, &["--base", "HEAD"]);
    assert!(said.contains("not in a git repository"), "{said}");
}

#[test]
fn an_environment_that_nobody_names() {
    let scratch = repository(&[]);
    let said = refused(&scratch, &["--base", "HEAD", "--env", "prd"]);
    assert!(said.contains("No environment is named \"prd\"") && said.contains("\"prod\""), "{said}");
    // One that went is named by the base, and one that comes by the head.
    fs::rename(scratch.tree().join("app/env/prod.tfvars"), scratch.tree().join("app/env/live.tfvars"))
        .unwrap();
    let done = review(&scratch, &["--base", "HEAD", "--env", "live"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
}

#[test]
fn a_variable_file_that_is_not_there() {
    let phi = "environment \"prod\" {\n  var_files = [\"env/prd.tfvars\"]\n}\n";
    let scratch = repository(&[]);
    fs::write(scratch.tree().join("app/phi.hcl"), phi).unwrap();
    let said = refused(&scratch, &["--base", "HEAD"]);
    for part in ["No such variable file", "phi.hcl:2", "Did you mean \"env/prod.tfvars\"?"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("(in HEAD)"), "{said}");
    // The same in the base.
    commit(&scratch);
    fs::write(scratch.tree().join("app/phi.hcl"), phi.replace("prd", "prod")).unwrap();
    let said = refused(&scratch, &["--base", "HEAD"]);
    assert!(said.contains("No such variable file (in HEAD)"), "{said}");
}

#[test]
fn two_environments_of_one_name() {
    let scratch = repository(&[]);
    fs::write(scratch.tree().join("app/env/dev.tfvars.json"), "{\"env\": \"dev\"}").unwrap();
    let said = refused(&scratch, &["--base", "HEAD"]);
    assert!(said.contains("wo environments are named \"dev\"") && !said.contains("(in HEAD)"), "{said}");
    commit(&scratch);
    fs::remove_file(scratch.tree().join("app/env/dev.tfvars.json")).unwrap();
    let said = refused(&scratch, &["--base", "HEAD"]);
    assert!(said.contains("wo environments are named \"dev\" (in HEAD)"), "{said}");
}

fn json_of(scratch: &Scratch, status: i32) -> Value {
    let args = ["--base", "HEAD", "--fail-on", "finding", "--format", "json"];
    let done = review(scratch, &args);
    assert_eq!(done.code, Some(status), "{}{}", done.out, done.err);
    serde_json::from_str(&done.out).unwrap()
}

/// The fields that differ in an environment.
fn fields(review: &Value, at: usize) -> Vec<&str> {
    let values = review["environments"][at]["values"].as_array().unwrap();
    values.iter().map(|v| v["field"].as_str().unwrap()).collect()
}

#[test]
fn a_value_that_a_variable_does_not_take_is_a_finding_of_its_side() {
    let scratch = repository(&[]);
    let prod = scratch.tree().join("app/env/prod.tfvars");
    let dev = scratch.tree().join("app/env/dev.tfvars");
    fs::write(&prod, "env  = \"live\"\nsize = \"large\"\n").unwrap();
    fs::write(&dev, "env = \"test\"\n").unwrap();
    let found = json_of(&scratch, 3);
    let finding = &found["findings"][0];
    assert_eq!(found["findings"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(
        (&finding["field"], &finding["environments"], &finding["source_span"]),
        (&json!("var.size"), &json!(["prod"]), &json!("env/prod.tfvars:2"))
    );
    assert!(finding["error"].as_str().unwrap().starts_with("Invalid value for input variable:"), "{finding}");
    // What the value doesn't reach is compared; what it does has none.
    assert_eq!(fields(&found, 0), ["terraform_data.a.input"]);
    assert_eq!(fields(&found, 1), ["terraform_data.a.input", "terraform_data.b.input"]);
    assert_eq!(found["environments"][1]["values"][1]["after"]["result"], "unbounded");
    for form in ["text", "markdown", "html"] {
        let done = review(&scratch, &["--base", "HEAD", "--format", form]);
        assert!(
            done.code == Some(0) && done.out.contains("Invalid value for input variable"),
            "{}",
            done.out
        );
    }
    // It was so before: no finding, and the rest goes on.
    commit(&scratch);
    fs::write(&dev, "env = \"dev\"\n").unwrap();
    let found = json_of(&scratch, 0);
    assert_eq!(found["findings"], json!([]));
    assert_eq!((fields(&found, 0), fields(&found, 1)), (vec!["terraform_data.a.input"], Vec::new()));
    // It was so before, and is mended.
    fs::write(&prod, "env  = \"live\"\nsize = 3\n").unwrap();
    let found = json_of(&scratch, 0);
    assert_eq!(found["findings"], json!([]));
    assert_eq!(fields(&found, 1), ["terraform_data.b.input"]);
    // The matrix goes on with the others.
    fs::write(&prod, "env  = \"live\"\nsize = \"large\"\n").unwrap();
    let done = scratch.run(&["-chdir=app", "matrix"]);
    assert!(done.code == Some(0) && done.err.contains("var.size is not valid"), "{}", done.err);
}

#[test]
fn a_value_of_the_process_that_a_variable_does_not_take_is_no_difference() {
    let scratch = Scratch::new([("app/main.tf", MAIN)]);
    git(&scratch.tree(), &["init", "-q"]);
    commit(&scratch);
    let run = || {
        let mut command = scratch.command(&["-chdir=app", "review", "--base", "HEAD", "--format", "json"]);
        command.env("TF_VAR_size", "large").env("TF_VAR_env", "dev");
        Done::new(command.output().unwrap())
    };
    fs::write(scratch.tree().join("app/main.tf"), MAIN.replace("input = var.env", "input = upper(var.env)"))
        .unwrap();
    let done = run();
    assert_eq!(done.code, Some(0), "{}", done.err);
    let found: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(found["findings"], json!([]), "both sides have it");
    assert_eq!(fields(&found, 0), ["terraform_data.a.input"]);
    // A type that no longer takes it is the change's own.
    fs::write(scratch.tree().join("app/main.tf"), MAIN.replace("type = string", "type = number")).unwrap();
    let found: Value = serde_json::from_str(&run().out).unwrap();
    assert_eq!(found["findings"][0]["field"], "var.env");
}
