//! What is handed to a variable of a module that says that it is sensitive is a secret where it comes from.

use super::{READING, silent, words};
use crate::cli_common::Scratch;

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
