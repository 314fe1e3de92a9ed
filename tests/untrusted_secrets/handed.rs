//! What is handed to a variable of a module that says that it is sensitive is a secret where it comes from.

use super::{READING, silent, words};
use crate::cli_common::Scratch;
use crate::cli_common::git::repository_of;

const MAIN: &str = r#"variable "env" {}
variable "pw" {}
variable "deep" {}
variable "token" {}
variable "users" {
  type = map(object({ name = string, password = string }))
}
variable "checked" {
  validation {
    condition     = var.checked != "hunter2-refused"
    error_message = "not ${var.checked}"
  }
}
locals {
  made = "hunter2-local"
}
module "m" {
  source = "./m"
  pw     = var.pw
  other  = local.made
  config = { env = var.env, name = "shown-${var.env}", key = var.token }
  outer  = var.checked
}
module "each" {
  source   = "./m"
  for_each = var.users
  pw       = each.value.password
  other    = ""
  config   = {}
  outer    = ""
}
module "through" {
  source = "./through"
  deep   = var.deep
}
output "plain" {
  value = var.pw
}
output "named" {
  value = "x-${var.deep}"
}
output "made" {
  value = local.made
}
output "compared" {
  value = var.pw == "hunter2-compared" ? "a" : "b"
}
output "token" {
  value = var.token
}
output "users" {
  value = [for u in var.users : u.password]
}
output "names" {
  value = [for u in var.users : u.name]
}
output "env" {
  value = var.env
}
"#;

const MODULE: &str = "variable \"pw\" {\n  sensitive = true\n}\nvariable \"other\" {\n  sensitive = true\n}\nvariable \"config\" {\n  sensitive = true\n}\n\
                      variable \"outer\" {\n  sensitive = true\n}\n";
const THROUGH: &str = "variable \"deep\" {}\nmodule \"n\" {\n  source = \"../n\"\n  pw     = var.deep\n}\n";
const PHI: &str = r#"environment "dev" {
  variables = {
    env     = "shown-env"
    pw      = "hunter2-pw"
    deep    = "hunter2-deep"
    token   = "hunter2-token"
    checked = "hunter2-refused"
    users   = { a = { name = "shown-name", password = "hunter2-users" } }
  }
}
"#;

#[test]
fn what_is_handed_to_a_sensitive_variable_is_secret_at_its_source() {
    let scratch = Scratch::new([
        ("main.tf", MAIN),
        ("m/main.tf", MODULE),
        ("n/main.tf", "variable \"pw\" {\n  sensitive = true\n}\n"),
        ("through/main.tf", THROUGH),
        ("phi.hcl", PHI),
    ]);
    for line in READING
        .iter()
        .filter(|line| !["aws_", "given", "--format git", "sarif"].iter().any(|own| line.contains(own)))
    {
        silent(&scratch.run(&words(line)), line);
    }
    for line in
        ["stacks from-root", "trace --expr var.deep", "trace output.plain.value", "graph output.plain.value"]
    {
        let done = scratch.run(&words(line));
        let all = format!("{}{}", done.out, done.err);
        let lines: Vec<&str> = all.lines().filter(|line| line.contains("hunter2")).collect();
        // The literals of the sources stay in the sources.
        let is_source = |line: &&str| ["local", "compared", "refused"].iter().any(|own| line.contains(own));
        assert!(
            line.starts_with("stacks") && lines.iter().all(is_source) || lines.is_empty(),
            "{line}: {lines:#?}"
        );
    }
    let matrix = scratch.run(&["matrix", "--all"]);
    for shown in ["shown-env", "shown-name"] {
        assert!(matrix.out.contains(shown), "{shown}: {}", matrix.out);
    }
}

/// What a function is told beside a secret tells of it: what it begins with, has in it, or is in place of it.
#[test]
fn a_literal_told_to_a_function_with_a_secret_is_not_shown() {
    for call in [
        "strcontains(var.token, \"hunter2zq\")",
        "startswith(var.token, \"hunter2zq\")",
        "endswith(var.token, \"hunter2zq\")",
        "length(regexall(\"hunter2zq\", var.token)) > 0",
        "replace(var.token, \"hunter2zq\", \"\") == \"\"",
        "md5(var.token) == \"hunter2zq\"",
        "!contains([\"hunter2zq\"], var.token)",
        "index([\"hunter2zq\"], var.token) == 0",
    ] {
        let main = format!(
            "variable \"token\" {{\n  sensitive = true\n}}\noutput \"a\" {{\n  value = nonsensitive({call}) ? nosuch(1) : \"b\"\n}}\n\
             output \"b\" {{\n  value = nonsensitive({call}) ? \"a\" : \"b\"\n}}\n"
        );
        let scratch = Scratch::new([("main.tf", &*main)]);
        for line in [
            "trace --all",
            "trace --all --format json",
            "graph output.b.value",
            "matrix --all",
            "validate",
            "check",
        ] {
            silent(&scratch.run(&words(line)), &format!("{call}: {line}"));
        }
    }
}

/// What `phi.hcl` lists for a secret is in no excerpt of it.
#[test]
fn what_is_listed_for_a_secret_is_in_no_excerpt() {
    let main = "variable \"pw\" {\n  type      = number\n  sensitive = true\n}\noutput \"a\" {\n  value     = var.pw\n  sensitive = true\n}\n";
    let phi = "variable \"pw\" {\n  universe = [\"hunter2-listed\", 7]\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    for line in ["trace --all", "matrix --all", "validate", "check", "check --format json", "suggest"] {
        let done = scratch.run(&words(line));
        let all = format!("{}{}", done.out, done.err);
        assert!(!all.contains("hunter2"), "{line}: {all}");
    }
}

/// What a change says is no secret any more was one on the other side: it isn't shown in that review.
#[test]
fn what_ceases_to_be_a_secret_is_not_shown_in_that_review() {
    let base = "variable \"pw\" {\n  sensitive = true\n}\nvariable \"size\" {}\nresource \"aws_instance\" \"i\" {\n  user_data = \"start ${var.pw}\"\n  tags      = { size = var.size }\n}\n";
    let phi = "environment \"dev\" {\n  variables = { pw = \"hunter2-dev\", size = \"shown-1\" }\n}\n";
    let scratch = Scratch::new([("main.tf", base), ("phi.hcl", phi)]);
    repository_of(&scratch.tree());
    let head = base
        .replace(" {\n  sensitive = true\n}", " {}")
        .replace("start", "begin")
        .replace("size = var.size", "size = \"new-${var.size}\"");
    std::fs::write(scratch.tree().join("main.tf"), head).unwrap();
    std::fs::write(scratch.tree().join("phi.hcl"), phi.replace("shown-1", "shown-2")).unwrap();
    for format in ["text", "json", "markdown", "html"] {
        let done = scratch.run(&["review", "--base", "HEAD", "--format", format]);
        silent(&done, format);
        assert!(done.out.contains("user_data") && done.out.contains("new-shown-2"), "{format}: {}", done.out);
    }
}
