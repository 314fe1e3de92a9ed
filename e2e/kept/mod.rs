//! No object is lost: what people do between two runs, beside a twin, the same sources under plain Terraform. Each step
//! destroys, replaces and forgets what the twin's does, and nothing else.

pub mod advice;
mod husks;
mod keys;
pub mod lost;
mod renamed;
mod restored;
pub mod twin;
mod verified;

use twin::Twin;

const PROD: &[&str] = &["-var=env=prod"];
const DEV: &[&str] = &["-var=env=dev"];

const PIN: (&str, &str) = ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input.v\"]\n}\n");

/// One resource that a variable splits.
const SINGLE: (&str, &str) = (
    "main.tf",
    r#"variable "env" { default = "dev" }

resource "terraform_data" "db" {
  input = { v = var.env == "prod" ? "15.4" : "14.9", tag = "db" }
}
"#,
);

/// One call that a variable splits.
const CALL: (&str, &str) = (
    "main.tf",
    r#"variable "env" { default = "dev" }

module "db" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "14.9"
}
"#,
);
const CALLED: (&str, &str) = (
    "db/main.tf",
    r#"variable "release" {}

resource "terraform_data" "db" {
  input = { v = var.release, tag = "db" }
}
"#,
);

/// A resource whose keys sit in different copies.
const KEYS: (&str, &str) = (
    "main.tf",
    r#"variable "env" { default = "dev" }

resource "terraform_data" "db" {
  for_each = toset(["a", "b"])
  input    = { v = { a = "1", b = "2" }[each.key], tag = "db ${each.key}" }
}
"#,
);

/// A call whose keys sit in different copies.
const CALL_KEYS: (&str, &str) = (
    "main.tf",
    r#"variable "env" { default = "dev" }

module "db" {
  source   = "./db"
  for_each = toset(["a", "b"])
  release  = { a = "1", b = "2" }[each.key]
  key      = each.key
}
"#,
);
const CALLED_KEYS: (&str, &str) = (
    "db/main.tf",
    r#"variable "release" {}
variable "key" {}

resource "terraform_data" "db" {
  input = { v = var.release, tag = "db ${var.key}" }
}
"#,
);

/// Keys in different copies, within a call that is repeated.
const NESTED_KEYS: (&str, &str) = (
    "main.tf",
    r#"variable "env" { default = "dev" }

module "app" {
  source   = "./app"
  for_each = toset(["x", "y"])
  name     = each.key
}
"#,
);
const NESTED_CALLED: (&str, &str) = (
    "app/main.tf",
    r#"variable "name" {}

resource "terraform_data" "db" {
  for_each = toset(["a", "b"])
  input    = { v = { a = "1", b = "2" }[each.key], tag = "db ${var.name} ${each.key}" }
}
"#,
);

/// A `moved` block.
fn moved(from: &str, to: &str) -> String {
    format!("\nmoved {{\n  from = {from}\n  to   = {to}\n}}\n")
}

/// Runs under both values go on as the twin's do.
#[track_caller]
fn goes_on(twin: &Twin) {
    twin.step(PROD, "later, prod");
    twin.step(DEV, "later, dev");
}

/// Tests of a case in the two modes in which the pin stays.
macro_rules! while_pinned {
    ($($case:ident),+ $(,)?) => { $(
        mod $case {
            use crate::kept::twin::Mode;
            #[test]
            fn in_place() {
                super::$case(Mode::InPlace);
            }
            #[test]
            fn ephemeral() {
                super::$case(Mode::Ephemeral);
            }
        }
    )+ };
}

/// Tests of a case in every mode.
macro_rules! every_mode {
    ($($case:ident),+ $(,)?) => { $(
        mod $case {
            use crate::kept::twin::Mode;
            #[test]
            fn in_place() {
                super::$case(Mode::InPlace);
            }
            #[test]
            fn ephemeral() {
                super::$case(Mode::Ephemeral);
            }
            #[test]
            fn unpinned() {
                super::$case(Mode::Unpinned);
            }
        }
    )+ };
}

use {every_mode, while_pinned};
