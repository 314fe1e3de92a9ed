//! Trees in either syntax that Terraform refuses before it looks at any value: `tf-phi validate` finds each, with Terraform's own summary. And the same
//! forms where they are right: nothing is found there.

use crate::support::{Ran, Scratch};
use std::collections::BTreeSet;
use tables::{Syntax, read_trees};

#[path = "../tests/refused/mod.rs"]
mod tables;

/// The trees that are refused, and those that look like it and aren't.
const REFUSED: &str = include_str!("../tests/refused/refused.txt");
const TAKEN: &str = include_str!("../tests/refused/right.txt");

/// What looks like it and is right.
const RIGHT: &str = r#"
terraform {
  required_version = ">= 1.0, < 99"
  backend "local" {}
}
variable "a" {
  description = "d"
  type        = number
  default     = 1
  nullable    = false
  sensitive   = false
  validation {
    condition     = var.a > 0 && local.limit > 0
    error_message = "m"
  }
}
locals {
  limit = 10
  each  = { key = "k" }
  of    = local.each.key
  loop  = [for count in [1] : count + 1]
  other = [for self in [{ id = 1 }] : self.id]
}
resource "terraform_data" "one" {
  input = var.a
  lifecycle {
    create_before_destroy = true
    replace_triggered_by  = [terraform_data.counted, terraform_data.counted[0].id]
    ignore_changes        = [input]
    precondition {
      condition     = var.a != 7
      error_message = "m"
    }
    postcondition {
      condition     = self.id != "x"
      error_message = "m"
    }
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.id}"
  }
}
resource "terraform_data" "counted" {
  count      = 2
  input      = "${count.index}-${length(terraform_data.each)}"
  depends_on = [terraform_data.each]
}
resource "terraform_data" "each" {
  for_each = toset(["a"])
  input    = "${each.key}${each.value}"
}
resource "terraform_data" "over" {
  for_each = terraform_data.each
  input    = each.value.id
}
module "m" {
  source   = "./m"
  for_each = { a = 1 }
  v        = each.value
  w        = terraform_data.one.id
}
moved {
  from = terraform_data.gone
  to   = terraform_data.one
}
moved {
  from = terraform_data.went["a"]
  to   = terraform_data.each["a"]
}
removed {
  from = terraform_data.old
  lifecycle {
    destroy = false
  }
}
check "c" {
  assert {
    condition     = length(terraform_data.each) == 1
    error_message = "m"
  }
}
output "o" {
  value      = module.m["a"].o
  depends_on = [terraform_data.one]
  precondition {
    condition     = var.a > 0
    error_message = "m"
  }
}
output "whole" {
  value = terraform_data.each
}
"#;

fn summaries(text: &str) -> BTreeSet<String> {
    let lines = text.lines().map(|line| line.trim_start_matches(['│', '⚠', ' ']));
    let marks = ["Error: ", "Stops: ", "Blocking: "];
    lines.filter_map(|line| marks.iter().find_map(|mark| line.strip_prefix(mark)).map(kind)).collect()
}

/// A summary without what a cycle goes through, which comes in any order, and without the key of an object.
fn kind(summary: &str) -> String {
    let kinds = ["Cycle", "no change found"];
    kinds.into_iter().find(|kind| summary.contains(kind)).unwrap_or(summary).to_owned()
}

/// A tree that is asked about: what it is called, the summary of its refusal, and its files.
type Asked = (&'static str, Option<&'static str>, Vec<(String, String)>);

/// The trees of a table in both syntaxes, of which CI asks about every twelfth.
fn asked(text: &'static str, is_refused: bool) -> impl Iterator<Item = Asked> {
    let step = if std::env::var_os("TF_PHI_WHOLE").is_some() { 1 } else { 12 };
    read_trees(text, is_refused).into_iter().step_by(step).flat_map(|tree| {
        let one = |syntax| Some((tree.name, tree.summary(syntax), tree.in_syntax(syntax)?));
        [Syntax::Native, Syntax::Json].into_iter().filter_map(one).collect::<Vec<_>>()
    })
}

fn planned(files: &[(String, String)]) -> (Scratch, Ran) {
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let scratch = Scratch::with(&files);
    // A cloud that is one would be asked by `init`.
    let needs_init = ["backend ", "\"backend\": {", "cloud {"];
    let needs_init =
        files.len() > 1 || needs_init.iter().any(|part| files.iter().any(|(_, text)| text.contains(part)));
    if needs_init {
        let init = scratch.terraform(&["init", "-input=false", "-no-color"]);
        if init.code != 0 {
            return (scratch, init);
        }
    }
    let plan = scratch.terraform(&["plan", "-input=false", "-no-color", "-lock=false"]);
    (scratch, plan)
}

/// A version may say it in other words; what it refuses has to be found in any case.
#[test]
fn what_terraform_refuses_is_found() {
    for (name, summary, files) in asked(REFUSED, true) {
        let (scratch, plan) = planned(&files);
        let found = scratch.tf_phi(&["validate"]);
        let Some(summary) = summary else {
            let is_taken = plan.code == 0 || plan.stderr.contains("initialization required");
            assert!(
                !scratch.version().starts_with("1.11.") || is_taken,
                "{name}: {files:?}\n{}",
                plan.stderr
            );
            assert_eq!(found.code, 0, "{name}: {files:?}\n{}", found.stdout);
            continue;
        };
        assert_ne!(plan.code, 0, "{files:?}");
        assert_ne!(found.code, 0, "{files:?}\n{}", plan.stderr);
        let (terraform, own) =
            (summaries(&plan.stderr), summaries(&format!("{}{}", found.stdout, found.stderr)));
        let is_measured = scratch.version().starts_with("1.11.");
        let both = terraform.contains(&kind(summary)) && own.contains(&kind(summary));
        assert!(!is_measured || both, "{files:?}\n{summary}\n{terraform:?}\n{own:?}");
    }
}

#[test]
fn what_looks_like_it_is_taken() {
    for (name, summary, files) in asked(TAKEN, false) {
        let (scratch, plan) = planned(&files);
        let is_right = summary.is_some() != (plan.code == 0);
        assert!(!scratch.version().starts_with("1.11.") || is_right, "{name}: {files:?}\n{}", plan.stderr);
    }
}

#[test]
fn what_terraform_takes_is_no_finding() {
    let module = "variable \"v\" {\n  type = number\n}\nvariable \"w\" {\n}\noutput \"o\" {\n  value = \"${var.v}${var.w}\"\n}\n";
    let scratch = Scratch::with(&[("main.tf", RIGHT), ("m/main.tf", module)]);
    scratch.init();
    scratch.terraform(&["plan", "-input=false", "-no-color", "-lock=false"]).expect(0);
    let found = scratch.tf_phi(&["validate"]).expect(0);
    assert!(found.stdout.is_empty(), "{}", found.stdout);
}
