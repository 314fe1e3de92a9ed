//! Trees that Terraform refuses before it looks at any value: `tf-phi validate` finds each, with Terraform's own summary. And the same
//! forms where they are right: nothing is found there.

use crate::support::Scratch;
use std::collections::BTreeSet;

const A: &str = "resource \"terraform_data\" \"a\" {\n  input = 1\n}\n";

/// What is refused, after the declaration of `terraform_data.a` where the text begins with `+`.
const REFUSED: [&str; 44] = [
    "locals {\n  a = local.b\n  b = local.a\n}\noutput \"o\" {\n  value = local.a\n}\n",
    "locals {\n  a = local.a\n}\n",
    "locals {\n  a = terraform_data.b.id\n}\nresource \"terraform_data\" \"b\" {\n  input = local.a\n}\n",
    "output \"o\" {\n  value = each.key\n}\n",
    "locals {\n  x = count.index\n}\n",
    "resource \"terraform_data\" \"b\" {\n  input = count.index\n}\n",
    "resource \"terraform_data\" \"b\" {\n  count = 1\n  input = each.key\n}\n",
    "output \"o\" {\n  value = self.id\n}\n",
    "resource \"terraform_data\" \"b\" {\n  input = self.id\n}\n",
    "resource \"terraform_data\" \"b\" {\n  input = terraform_data.b.id\n}\n",
    "resource \"terraform_data\" \"b\" {\n  depends_on = [terraform_data.x]\n}\n",
    "resource \"terraform_data\" \"b\" {\n  depends_on = [module.x]\n}\n",
    "output \"o\" {\n  value      = 1\n  depends_on = [terraform_data.q]\n}\n",
    "resource \"terraform_data\" \"b\" {\n  lifecycle {\n    replace_triggered_by = [terraform_data.x]\n  }\n}\n",
    "resource \"terraform_data\" \"b\" {\n  provisioner \"local-exec\" {\n    command = var.x\n  }\n}\n",
    "output \"o\" {\n  value = nope(1)\n}\n",
    "locals {\n  a = [for x in [1] : nope(x)]\n}\n",
    "variable \"e\" {\n  ephemeral = true\n  default   = \"x\"\n}\noutput \"o\" {\n  value = var.e\n}\n",
    "variable \"e\" {\n  ephemeral = true\n  default   = 1\n}\nresource \"terraform_data\" \"b\" {\n  count = var.e\n}\n",
    "+resource \"terraform_data\" \"b\" {\n}\nmoved {\n  from = terraform_data.a\n  to   = terraform_data.b\n}\n",
    "+moved {\n  from = terraform_data.b\n  to   = terraform_data.c\n}\nmoved {\n  from = terraform_data.c\n  to   = terraform_data.b\n}\n",
    "+moved {\n  from = terraform_data.b\n  to   = terraform_data.a\n}\nmoved {\n  from = terraform_data.c\n  to   = terraform_data.a\n}\n",
    "+moved {\n  from = module.m\n  to   = terraform_data.a\n}\n",
    "+moved {\n  from = terraform_data.a\n  to   = terraform_data.a\n}\n",
    "+removed {\n  from = terraform_data.a\n}\n",
    "import {\n  to = terraform_data.x\n  id = \"1\"\n}\n",
    "resource \"terraform_data\" \"b\" {\n  provider = terraform.x\n}\n",
    "blah \"x\" {\n}\n",
    "variable \"a\" {\n  tipe = string\n}\n",
    "output \"a\" {\n  value = 1\n  val   = 2\n}\n",
    "resource \"terraform_data\" \"b\" {\n  lifecycle {\n    prevent = true\n  }\n}\n",
    "variable \"a\" {\n  default = 1\n  validation {\n    condition     = var.a > 0\n    error_message = \"m\"\n    extra         = 1\n  }\n}\n",
    "+moved {\n  from = terraform_data.b\n  to   = terraform_data.a\n  why  = 1\n}\n",
    "terraform {\n  required = \">= 1\"\n}\n",
    "variable \"count\" {\n}\n",
    "variable \"a\" {\n  default = 1\n  validation {\n    condition     = true\n    error_message = \"x\"\n  }\n}\n",
    "variable \"b\" {\n  default = 1\n}\nvariable \"a\" {\n  default = 1\n  validation {\n    condition     = var.b == 1\n    error_message = \"x\"\n  }\n}\n",
    "resource \"terraform_data\" \"b\" {\n  lifecycle {\n    precondition {\n      condition     = true\n      error_message = \"m\"\n    }\n  }\n}\n",
    "variable \"a\" {\n  default = 1\n  validation {\n    condition     = var.a == local.x\n    error_message = \"x\"\n  }\n}\nlocals {\n  x = var.a\n}\n",
    "check \"c\" {\n}\n",
    "terraform {\n  backend \"local\" {}\n  backend \"local\" {}\n}\n",
    "terraform {\n  required_version = \"nope\"\n}\n",
    "+output \"o\" {\n  value = terraform_data.a[0].id\n}\n",
    "resource \"terraform_data\" \"b\" {\n  count = 1\n}\noutput \"o\" {\n  value = try(terraform_data.b.id, \"x\")\n}\n",
];

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

/// A summary without what a cycle goes through, which comes in any order.
fn kind(summary: &str) -> String {
    summary.split_once("Cycle").map_or(summary, |_| "Cycle").to_owned()
}

/// A version may say it in other words; what it refuses has to be found in any case.
#[test]
fn what_terraform_refuses_is_found() {
    for text in REFUSED {
        let text = text.strip_prefix('+').map_or(text.to_owned(), |rest| format!("{A}{rest}"));
        let scratch = Scratch::with(&[("main.tf", &text)]);
        let plan = scratch.terraform(&["plan", "-input=false", "-no-color", "-lock=false"]);
        assert_ne!(plan.code, 0, "{text}");
        let found = scratch.tf_phi(&["validate"]);
        assert_ne!(found.code, 0, "{text}\n{}", plan.stderr);
        let (terraform, own) =
            (summaries(&plan.stderr), summaries(&format!("{}{}", found.stdout, found.stderr)));
        let is_measured = scratch.version().starts_with("1.11.");
        assert!(!is_measured || !terraform.is_disjoint(&own), "{text}\n{terraform:?}\n{own:?}");
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
