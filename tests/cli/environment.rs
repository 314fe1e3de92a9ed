//! `--env NAME` of the commands that look at one run's values, and values that variable files list.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::git::repository_of;
use crate::cli_common::{Done, Scratch};
use std::fs;

const MAIN: &str = r#"variable "environment" {
  type = string
}
locals {
  versions = { dev = "16", qa = "15", prod = "15" }
}
resource "terraform_data" "server" {
  input = local.versions[var.environment]
}
"#;

const PHI: &str = "specialize \"terraform_data.server\" {\n  fields = [\"input\"]\n}\n";

fn scratch() -> Scratch {
    Scratch::new([
        ("main.tf", MAIN),
        ("phi.hcl", PHI),
        ("env/dev.tfvars", "environment = \"dev\"\n"),
        ("env/qa.tfvars", "environment = \"qa\"\n"),
        ("env/prod.tfvars", "environment = \"prod\"\n"),
    ])
}

/// A map has no value for a key that no file lists. The variable's validation keeps such keys out.
#[test]
fn values_that_nobody_listed_are_no_error_of_a_trace() {
    let done = scratch().run(&["trace"]);
    let want = "terraform_data.server.input: 2 values, chosen by var.environment\n
  VALUE  WHEN                      FROM
  \"16\"   var.environment == \"dev\"  env/dev.tfvars:1
  \"15\"   otherwise                 env/prod.tfvars:1\n";
    assert!(done.out.starts_with(want), "{}", done.out);
}

#[test]
fn one_environment_of_each_command() {
    let scratch = scratch();
    for (args, want) in [
        (&["trace", "--env", "dev"][..], "terraform_data.server.input: always \"16\""),
        (&["trace", "--env", "dev", "-var", "environment=qa"], "terraform_data.server.input: always \"15\""),
        (&["graph", "--env", "qa"], "\\\"15\\\""),
        (&["diff", "--env", "qa"], "+  to   = terraform_data.server_v15[0]"),
    ] {
        let done = scratch.run(args);
        assert!(done.out.contains(want) && done.code == Some(0), "{args:?}\n{}{}", done.out, done.err);
    }
    scratch.run(&["check", "--fix"]);
    let done = scratch.run(&["explain", "--env", "qa", "terraform_data.server_v15[0]"]);
    assert!(done.out.contains("  active with this run's values\n"), "{}", done.out);
}

#[test]
fn an_environment_that_is_not_there() {
    let done = scratch().run(&["trace", "--env", "staging"]);
    assert!(done.err.contains("No environment is named \"staging\"") && done.code == Some(1), "{}", done.err);
}

/// Terraform adds these words to every plan.
#[test]
fn arguments_in_the_environment_count_where_no_environment_is_named() {
    let main = "variable \"v\" {\n  type    = number\n  default = 0\n}\nvariable \"w\" {\n  default = 0\n}\nresource \"terraform_data\" \"a\" {\n  \
                triggers_replace = var.v\n  input            = var.w\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("common.vars", "v = 1\n")]);
    repository_of(&scratch.tree());
    let run = |args: &[&str], specific: &str, general: &str| {
        let mut command = scratch.command(args);
        command.env("TF_CLI_ARGS_plan", specific).env("TF_CLI_ARGS", general);
        Done::new(command.output().unwrap())
    };
    let file = "-var-file=common.vars";
    let cell = |specific, general, want: &str| {
        let done = run(&["matrix", "--all"], specific, general);
        assert!(done.out.contains(want), "{specific} {general}: {}{}", done.out, done.err);
    };
    cell(file, "", "triggers_replace  1");
    cell("-var v=2", "", "triggers_replace  2");
    cell(file, "-var v=3", "triggers_replace  3");
    // Of what isn't declared yet the base knows nothing.
    let review = ["review", "--base", "HEAD", "--fail-on", "change"];
    fs::write(scratch.tree().join("common.vars"), "v = 2\nx = 1\n").unwrap();
    fs::write(scratch.tree().join("x.tf"), "variable \"x\" {}\n").unwrap();
    let done = run(&review, file, "-var x=2");
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    assert!(done.out.contains("triggers_replace"), "{}", done.out);
    fs::remove_file(scratch.tree().join("x.tf")).unwrap();
    assert_eq!(run(&review, "", "").code, Some(0), "nothing reads the file");
    fs::write(scratch.tree().join("common.vars"), "v = [\n").unwrap();
    assert_eq!(run(&["validate"], file, "").code, Some(3), "Terraform stops at the file");
    assert_eq!(run(&["validate"], "-var-file=gone.vars", "").code, Some(1));
    for command in [&["validate"][..], &["matrix"], &review] {
        let done = run(command, "-var 'v=1", "");
        assert_eq!(done.code, Some(1), "{command:?}: {}", done.out);
        assert!(done.err.contains("TF_CLI_ARGS_plan can't be split"), "{}", done.err);
    }
}

#[test]
fn arguments_in_the_environment_are_none_of_those_that_are_named() {
    let scratch = scratch();
    let matrix = |words: &str| {
        let mut command = scratch.command(&["matrix", "--all", "--format", "csv"]);
        Done::new(command.env("TF_CLI_ARGS_plan", words).output().unwrap())
    };
    let done = matrix("-var environment=qa");
    assert!(done.code == Some(0) && done.out.contains("16"), "{}{}", done.out, done.err);
    assert_eq!(done.out, matrix("").out);
}
