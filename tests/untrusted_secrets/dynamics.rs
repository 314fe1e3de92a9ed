//! What repeats a `dynamic` block and goes to a secret argument through its iterator.

use super::{CANARY, READING, silent, words};
use crate::cli_common::Scratch;
use crate::cli_common::git::{git, repository_of};
use std::fs;

/// Each resource holds `hunter2` in a `for_each` alone, and hands it to a secret argument.
const MAIN: &str = r#"variable "env" {}
variable "on" {
  default = true
}
locals {
  open = { a = "shown-local" }
}
resource "aws_mq_broker" "list" {
  dynamic "user" {
    for_each = ["hunter2-list"]
    content {
      username = "shown-list"
      password = user.value
    }
  }
}
resource "aws_mq_broker" "objects" {
  dynamic "user" {
    for_each = [{
      pw   = "hunter2-objects"
      name = "shown-objects"
    }]
    content {
      username = user.value.name
      password = user.value.pw
    }
  }
}
resource "aws_mq_broker" "sets" {
  dynamic "user" {
    for_each = toset(["hunter2-sets"])
    content {
      username = "shown-sets"
      password = user.key
    }
  }
}
resource "aws_mq_broker" "keys" {
  dynamic "user" {
    for_each = { hunter2-keys = "shown-value" }
    content {
      username = user.value
      password = user.key
    }
  }
}
resource "aws_mq_broker" "iterator" {
  dynamic "user" {
    for_each = { x = "hunter2-iterator" }
    iterator = it
    content {
      username = it.key
      password = it.value
    }
  }
}
resource "aws_mq_broker" "chosen" {
  dynamic "user" {
    for_each = var.on ? { x = var.env == "prod" ? "hunter2-chosen" : "hunter2-other" } : {}
    content {
      username = "shown-chosen"
      password = format("%s", user.value)
    }
  }
}
resource "aws_mq_broker" "made" {
  dynamic "user" {
    for_each = [for s in ["hunter2-made"] : { pw = s }]
    content {
      username = "shown-made"
      password = user.value.pw
    }
  }
}
resource "aws_mq_broker" "merged" {
  dynamic "user" {
    for_each = merge({ y = { pw = "hunter2-merged", name = "shown-merged" } }, {})
    content {
      username = user.value.name
      password = user.value["pw"]
    }
  }
}
resource "aws_mq_broker" "each" {
  for_each = { a = "shown-each" }
  dynamic "user" {
    for_each = { (each.key) = "hunter2-each" }
    content {
      username = each.value
      password = user.value
    }
  }
}
resource "aws_mq_broker" "two" {
  dynamic "user" {
    for_each = ["hunter2-two"]
    content {
      username = "shown-two"
      password = user.value
    }
  }
  dynamic "user" {
    for_each = ["shown-second"]
    content {
      username = user.value
    }
  }
}
resource "azurerm_container_app" "nested" {
  dynamic "template" {
    for_each = [{ inner = ["hunter2-nested"], name = "shown-nested" }]
    content {
      revision_suffix = template.value.name
      dynamic "container" {
        for_each = template.value.inner
        content {
          name     = "shown-inner"
          password = container.value
        }
      }
    }
  }
}
resource "azurerm_container_app" "within" {
  dynamic "template" {
    for_each = ["shown-outer"]
    content {
      revision_suffix = template.value
      dynamic "container" {
        for_each = [{ outer = template.value, pw = "hunter2-within" }]
        iterator = c
        content {
          name     = c.value.outer
          password = c.value.pw
        }
      }
    }
  }
}
provider "aws" {
  dynamic "assume_role" {
    for_each = ["hunter2-provider"]
    content {
      role_arn = "shown-arn"
      password = assume_role.value
    }
  }
}
module "m" {
  source   = "./m"
  for_each = { a = "hunter2-handed", b = "hunter2-handed-too" }
  pw       = each.value
}
resource "aws_mq_broker" "plain" {
  dynamic "user" {
    for_each = [local.open, { a = "shown-plain" }]
    content {
      username = user.value.a
    }
  }
}
"#;

const MODULE: &str = r#"variable "pw" {}
locals {
  handed = { x = { pw = var.pw, name = "shown-module" } }
}
resource "aws_mq_broker" "i" {
  dynamic "user" {
    for_each = local.handed
    content {
      username = user.value.name
      password = user.value.pw
    }
  }
}
resource "aws_mq_broker" "own" {
  dynamic "user" {
    for_each = { x = { pw = "hunter2-own", name = "shown-own" } }
    content {
      username = user.value.name
      password = user.value.pw
    }
  }
}
"#;
const PHI: &str = "environment \"dev\" {\n  variables = { env = \"dev\" }\n}\nenvironment \"prod\" {\n  variables = { env = \"prod\" }\n}\n";

/// What is plain stays: other members of objects, other blocks of the resource.
const SHOWN: &[&str] = &[
    "shown-list",
    "shown-objects",
    "shown-merged",
    "shown-each",
    "shown-two",
    "shown-second",
    "shown-nested",
    "shown-inner",
    "shown-outer",
    "shown-module",
    "shown-own",
    "shown-local",
    "shown-plain",
];

#[test]
fn what_a_dynamic_block_hands_to_a_secret_is_not_shown() {
    let scratch = Scratch::new([("main.tf", MAIN), ("m/main.tf", MODULE), ("phi.hcl", PHI)]);
    let mut failures = Vec::new();
    let all = |line: &&&str| !["aws_db", "var.", "module.m"].iter().any(|own| line.contains(own));
    let more = [
        "trace aws_mq_broker.list.user.password --format json",
        "trace aws_mq_broker.chosen",
        "graph aws_mq_broker.objects.user.username --format html",
        "graph aws_mq_broker.chosen.user.password",
        "graph --all --format json",
        "trace --all --env prod",
        "diff",
    ];
    for line in READING.iter().filter(all).chain(&more) {
        let done = scratch.run(&words(line));
        let printed = format!("{}{}", done.out, done.err);
        assert!(!printed.contains("panicked"), "{line}: {printed}");
        failures.extend(printed.lines().filter(|l| l.contains(CANARY)).map(|l| format!("{line}: {l}")));
    }
    assert!(failures.is_empty(), "{} lines: {failures:#?}", failures.len());
    let matrix = scratch.run(&["matrix", "--all"]);
    for shown in SHOWN {
        assert!(matrix.out.contains(shown), "{shown}: {}", matrix.out);
    }
}

#[test]
fn a_review_shows_nothing_that_a_dynamic_block_hands_to_a_secret() {
    let scratch = Scratch::new([("main.tf", MAIN), ("m/main.tf", MODULE), ("phi.hcl", PHI)]);
    repository_of(&scratch.tree());
    let base = format!("--base={}", git(&scratch.tree(), &["rev-parse", "HEAD"]).trim());
    let changed = |text: &str| text.replace("hunter2-", "hunter2-new-").replace("shown-", "shown-new-");
    fs::write(scratch.tree().join("main.tf"), changed(MAIN)).unwrap();
    fs::write(scratch.tree().join("m/main.tf"), changed(MODULE)).unwrap();
    for format in ["text", "json", "markdown", "csv", "sarif", "github", "html"] {
        let done = scratch.run(&["review", &base, "--format", format]);
        silent(&done, format);
        if format == "json" {
            assert!(done.out.contains("shown-new-objects"), "{}", done.out);
        }
    }
}

/// An excerpt of what fails beside it: the lines of the `for_each` that hold it aren't quoted.
#[test]
fn an_excerpt_shows_no_line_of_what_a_dynamic_block_hands_to_a_secret() {
    for (for_each, secret) in [
        ("[{ pw = \"hunter2-a\", name = nosuch.thing }]", "value.pw"),
        ("{ a = { pw = \"hunter2-b\", name = parseint(\"x\", 10) } }", "value.pw"),
        ("concat([\"hunter2-c\"], [parseint(\"x\", 10)])", "value"),
        ("toset([\"hunter2-d\", nosuch(1)])", "key"),
    ] {
        let main = format!(
            "resource \"aws_mq_broker\" \"b\" {{\n  dynamic \"user\" {{\n    for_each = {for_each}\n    content {{\n      \
             username = \"a\"\n      password = user.{secret}\n    }}\n  }}\n}}\n"
        );
        let scratch = Scratch::new([("main.tf", &*main)]);
        for line in
            ["trace --all", "trace --all --format json", "validate", "validate --format markdown", "check"]
        {
            silent(&scratch.run(&words(line)), &format!("{for_each}: {line}"));
        }
    }
}

/// The same in JSON, where a block is an object.
#[test]
fn what_a_dynamic_block_in_json_hands_to_a_secret_is_not_shown() {
    let main = r#"{"resource": {"aws_mq_broker": {
"list": {"dynamic": {"user": {"for_each": ["hunter2-a"], "content": {"username": "shown-a", "password": "${user.value}"}}}},
"iterator": {"dynamic": {"user": [{"for_each": {"x": {"pw": "hunter2-b", "name": "shown-b"}}, "iterator": "it",
"content": {"username": "${it.value.name}", "password": "${it.value.pw}"}}]}},
"sets": {"dynamic": {"user": {"for_each": "${toset([\"hunter2-c\"])}", "content": {"username": "x", "password": "${user.key}"}}}}
}}}
"#;
    let scratch = Scratch::new([("main.tf.json", main)]);
    for line in
        ["matrix --all", "matrix --all --format json", "trace --all", "trace --all --format json", "validate"]
    {
        silent(&scratch.run(&words(line)), line);
    }
    let shown = scratch.run(&["matrix", "--all"]);
    assert!(shown.out.contains("shown-a") && shown.out.contains("shown-b"), "{}", shown.out);
}

/// The keys of a set are its elements, however it comes to what it repeats.
#[test]
fn elements_of_a_set_are_not_shown_as_keys() {
    let locals = "locals {\n  set   = toset([\"hunter2-set\"])\n  alias = { s = local.set }\n  made  = setunion([\"hunter2-made\"], [])\n}\n\
                  variable \"on\" {\n  default = true\n}\n";
    for for_each in [
        "local.set",
        "local.alias.s",
        "local.made",
        "var.on ? toset([\"hunter2-chosen\"]) : toset([])",
        "(toset([\"hunter2-paren\"]))",
        "try(toset([\"hunter2-try\"]), [])",
        "toset([for s in [\"hunter2-for\"] : s])",
    ] {
        for secret in ["value", "key"] {
            let main = format!(
                "{locals}resource \"aws_mq_broker\" \"b\" {{\n  dynamic \"user\" {{\n    for_each = {for_each}\n    content {{\n      \
                 username = \"a\"\n      password = user.{secret}\n    }}\n  }}\n}}\n\
                 resource \"aws_db_instance\" \"d\" {{\n  for_each = {for_each}\n  password = each.{secret}\n  db_name = \"d\"\n}}\n\
                 output \"plain\" {{\n  value = \"shown-plain\"\n}}\n"
            );
            let scratch = Scratch::new([("main.tf", &*main)]);
            for line in ["matrix --all", "trace --all", "trace --all --format json", "validate"] {
                silent(&scratch.run(&words(line)), &format!("{for_each} {secret}: {line}"));
            }
            let shown = scratch.run(&["matrix", "--all"]);
            assert!(shown.out.contains("shown-plain"), "{for_each}: {}", shown.out);
        }
    }
}
