//! Values that the rules of their own variables refuse, without any state: what is said, what isn't shown, and what is only warned of.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::{Done, Scratch};

const MAIN: &str = r#"variable "size" {
  type    = string
  default = "small"
  validation {
    condition     = contains(["small", "large"], var.size)
    error_message = "Small or large."
  }
}

variable "token" {
  type      = string
  default   = "abc"
  sensitive = true
  validation {
    condition     = length(var.token) == 3
    error_message = "Three letters."
  }
}

resource "terraform_data" "db" {
  lifecycle {
    prevent_destroy = var.size == "large"
  }
}
"#;

fn said(done: &Done) -> String {
    format!("{}{}", done.out, done.err).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_variable_the_value_the_line_and_the_message_are_said() {
    let scratch = Scratch::new([("main.tf", MAIN)]);
    let before = scratch.snapshot();
    let done = scratch.run(&["plan", "-var", "size=smal"]);
    let text = said(&done);
    assert_eq!(done.code, Some(1), "{text}");
    for words in [
        "Invalid value for variable",
        "main.tf:1:1",
        "var.size is \"smal\"",
        "Small or large.",
        "rule at main.tf:4",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(scratch.snapshot(), before);
}

#[test]
fn a_sensitive_value_is_not_shown() {
    let scratch = Scratch::new([("main.tf", MAIN)]);
    let done = scratch.run(&["plan", "-var", "token=hunter2222"]);
    let text = said(&done);
    assert_eq!(done.code, Some(1), "{text}");
    assert!(text.contains("var.token has a value that isn't shown") && !text.contains("hunter"), "{text}");
}

/// Terraform says the same of a default.
#[test]
fn a_default_that_its_rule_refuses_is_said_to_be_one() {
    let scratch = Scratch::new([("main.tf", &*MAIN.replace("\"small\"\n", "\"smal\"\n"))]);
    let done = scratch.run(&["plan"]);
    let text = said(&done);
    assert_eq!(done.code, Some(1), "{text}");
    assert!(text.contains("var.size is \"smal\", which is its default."), "{text}");
}

/// What was written into the file moves its lines.
#[test]
fn the_lines_are_those_of_the_file() {
    let below = "\nmodule \"m\" {\n  source = \"./m\"\n\n  size = var.size\n}\n\nvariable \"low\" {\n  default = 1\n  validation {\n    \
                 condition     = var.low < 3\n    error_message = \"Too high.\"\n  }\n}\n";
    let module = "variable \"size\" {\n}\nresource \"terraform_data\" \"x\" {\n  lifecycle {\n    prevent_destroy = var.size == \"large\"\n  }\n}\n";
    let scratch = Scratch::new([("main.tf", &*format!("{MAIN}{below}")), ("m/main.tf", module)]);
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let written = std::fs::read_to_string(scratch.tree().join("main.tf")).unwrap();
    let line = written.lines().position(|line| line == "variable \"low\" {").unwrap() + 1;
    let text = said(&scratch.run(&["plan", "-var", "low=7"]));
    assert!(
        text.contains(&format!("main.tf:{line} "))
            && text.contains(&format!("rule at main.tf:{}.", line + 2)),
        "{line}: {text}"
    );
}

/// Who only looks gets an answer, and is told.
#[test]
fn a_diff_warns_of_it() {
    let scratch = Scratch::new([("main.tf", MAIN)]);
    let done = scratch.run(&["diff", "-var", "size=smal"]);
    let text = said(&done);
    assert_eq!(done.code, Some(0), "{text}");
    assert!(text.contains("Invalid value for variable") && text.contains("Small or large."), "{text}");
}
