//! What a terminal shows of `matrix`, `review` and `validate`, at 80 and 140 columns, with and without colour; of `plan` see
//! `cli_summary`. `UPDATE_GOLDEN=1` writes the snapshots; look at them before they are committed.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::git::repository_of;
use crate::cli_common::{Scratch, terminal};
use std::fs;
use std::path::Path;

const MAIN: &str = r#"variable "env" {
  type = string
}
variable "token" {
  type      = string
  sensitive = true
  default   = "hunter2"
}
variable "size" {
  type    = number
  default = 1
  validation {
    condition     = var.size < 10
    error_message = "At most nine machines fit into a rack, and each environment has one rack."
  }
}
locals {
  sizes = { dev = "small", staging = "small", prod = "large" }
  lazy  = var.env == "dev" || parseint(var.env, 10) > 1
}
resource "terraform_data" "machine" {
  count = var.env == "prod" ? 3 : 1
  input = local.sizes[var.env]
}
resource "terraform_data" "policy" {
  input = "${var.env}: ${join(", ", [for n in range(40) : "statement ${n}"])}"
}
resource "terraform_data" "secret" {
  input = "${var.env}-${var.token}"
}
"#;

/// A repository in which a change makes something of each kind: values, instances, findings.
fn scratch() -> Scratch {
    let file = |env: &str| format!("env = \"{env}\"\n");
    let scratch = Scratch::new([
        ("main.tf", MAIN),
        ("phi.hcl", "specialize \"terraform_data.machine\" {\n  fields = [\"input\"]\n}\n"),
        ("env/dev.tfvars", &*file("dev")),
        ("env/staging.tfvars", &*file("staging")),
        ("env/prod.tfvars", &*file("prod")),
    ]);
    repository_of(&scratch.tree());
    let head = MAIN
        .replace("prod = \"large\"", "prod = \"huge\"")
        .replace(", staging = \"small\"", "")
        .replace("var.env == \"prod\" ? 3 : 1", "var.env == \"prod\" ? 2 : 1");
    fs::write(scratch.tree().join("main.tf"), head).unwrap();
    fs::write(scratch.tree().join("env/prod.tfvars"), "env  = \"prod\"\nsize = 12\n").unwrap();
    scratch
}

#[test]
fn what_a_terminal_shows() {
    let scratch = scratch();
    let commands: [(&str, &[&str], i32); 3] = [
        ("matrix", &["matrix"], 0),
        ("review", &["review", "--base", "HEAD"], 0),
        ("validate", &["validate"], 1),
    ];
    let mut wrong = Vec::new();
    for (name, args, code) in commands {
        for (columns, colour) in [(80, true), (140, true), (80, false), (140, false)] {
            let done = terminal::run(&scratch, args, columns, colour);
            assert_eq!(done.code, Some(code), "{name}: {}{}", done.out, done.err);
            assert!(!done.out.contains("hunter2"), "{name}: {}", done.out);
            assert_eq!(done.out.contains('\u{1b}'), colour, "{name}");
            let file = format!("{name}-{columns}-{}.txt", if colour { "colour" } else { "plain" });
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terminal").join(&file);
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                fs::write(&path, &done.out).unwrap();
            }
            if fs::read_to_string(&path).unwrap_or_default() != done.out {
                wrong.push(format!("{file}:\n{}", done.out));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Without a terminal there is no colour and no width.
#[test]
fn what_a_pipe_gets() {
    let scratch = scratch();
    for args in [&["matrix"][..], &["review", "--base", "HEAD"], &["validate"]] {
        let done = scratch.run(args);
        assert!(!done.out.contains('\u{1b}') && !done.out.is_empty(), "{}", done.out);
    }
}
