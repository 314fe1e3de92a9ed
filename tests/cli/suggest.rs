//! `tf-phi suggest`: a `phi.hcl` that is valid as it stands, and does what it says.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::Scratch;

const MAIN: &str = r#"variable "env" {
  type = string
}
variable "node" {
  type = string
}
variable "text" {
  type    = string
  default = "a\nspecialize \"x\" {}"
}
locals {
  versions = { dev = "16", prod = "15" }
}
resource "aws_db_instance" "app" {
  engine         = "postgres"
  engine_version = local.versions[var.env]
  instance_class = var.env == "prod" ? "db.r6g.large" : "db.t4g.micro"
  storage        = var.env == "prod" ? 500 : 20

  lifecycle {
    prevent_destroy = var.env == "prod"
  }
}
resource "aws_db_instance" "other" {
  engine         = "postgres"
  engine_version = "15"
  instance_class = var.node
}
resource "aws_instance" "odd" {
  ami = var.env == "prod" ? var.text : "b"
}
"#;

fn scratch() -> Scratch {
    Scratch::new([
        ("main.tf", MAIN),
        ("env/dev.tfvars", "env = \"dev\"\n"),
        ("env/prod.tfvars", "env = \"prod\"\n"),
    ])
}

#[test]
fn what_selects_is_proposed() {
    let want = r#"
# All variable files below the root count. To name those that do:
# settings {
#   environments = ["env/*.tfvars"]
# }

# Specialised without a block, since Terraform takes no expression there:
#   aws_db_instance.app.lifecycle.prevent_destroy

# aws_db_instance.app.engine_version: "16", "15"
specialize "aws_db_instance" {
  fields = ["engine_version"]
}

# aws_db_instance.app.instance_class: "db.r6g.large", "db.t4g.micro"
specialize "aws_db_instance.app" {
  fields = ["instance_class"]
}

# aws_instance.odd.ami: "a\nspecialize \"x\" {}", "b"
specialize "aws_instance" {
  fields = ["ami"]
}

# To pin these as well, say which values there are:
#   aws_db_instance.other.instance_class: var.node has no default value, and no validation block lists the allowed values.
# variable "node" {
#   universe = ["first", "second"]
# }
# specialize "aws_db_instance.other" {
#   fields = ["instance_class"]
# }
"#;
    let done = scratch().run(&["suggest"]);
    let (first, rest) = done.out.split_once('\n').unwrap();
    assert!(first.starts_with("# Suggested by tf-phi "), "{first}");
    assert_eq!((rest, done.code), (want, Some(0)), "{}", done.err);
}

/// What is printed goes into `phi.hcl` as it is: every pin is taken and written, and a second time nothing is left to propose.
#[test]
fn what_is_proposed_works() {
    let scratch = scratch();
    std::fs::write(scratch.tree().join("phi.hcl"), scratch.run(&["suggest"]).out).unwrap();
    let written = scratch.run(&["check", "--fix"]);
    assert_eq!(
        (written.err.contains("Warning"), written.code),
        (false, Some(0)),
        "{}{}",
        written.out,
        written.err
    );
    let main = std::fs::read_to_string(scratch.tree().join("main.tf")).unwrap();
    for copy in ["app_v16_db_t4g_micro", "odd_b"] {
        assert!(main.contains(copy), "{copy}\n{main}");
    }
    let again = scratch.run(&["suggest"]);
    let pins = again.out.lines().any(|l| l.starts_with("specialize"));
    assert!(
        !pins && again.out.contains("# Pinned already:\n#   aws_db_instance.app.engine_version"),
        "{}",
        again.out
    );
}

/// What needs a decision works once its lines are no comment any more: each list comes with the pins that it is for.
#[test]
fn what_waits_for_values_works_without_its_comment_signs() {
    let more = "variable \"secret\" {\n  type      = string\n  sensitive = true\n}\nresource \"aws_instance\" \"other\" {\n  ami           = \
                var.secret\n  instance_type = var.node\n}\n";
    let main = format!("{MAIN}{more}");
    let scratch = Scratch::new([("main.tf", main.as_str()), ("env/dev.tfvars", "env = \"dev\"\n")]);
    let out = scratch.run(&["suggest"]).out;
    // Nothing that is listed helps a sensitive value.
    assert!(!out.contains("secret"), "{out}");
    let (_, open) = out.split_once("# To pin these as well").unwrap();
    let open =
        open.lines().filter_map(|line| line.strip_prefix("# ")).filter(|line| !line.starts_with("  aws_"));
    let phi: String = open.map(|line| format!("{line}\n")).collect();
    std::fs::write(scratch.tree().join("phi.hcl"), &phi).unwrap();
    let done = scratch.run(&["diff"]);
    assert_eq!(done.code, Some(0), "{phi}\n{}", done.err);
    for copy in ["other_first", "other_second"] {
        assert!(done.out.contains(copy), "{phi}\n{}", done.out);
    }
}
