//! `--env NAME` of the commands that look at one run's values, and values that variable files list.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::Scratch;

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
