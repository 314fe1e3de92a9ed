//! Values of arguments that are secret by their names, and of what hands them on: in no output of any command, in no format.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

mod cli_common;
#[path = "untrusted_secrets/connections.rs"]
mod connections;
#[path = "untrusted_secrets/decided.rs"]
mod decided;
#[path = "untrusted_secrets/driven.rs"]
mod driven;
#[path = "untrusted_secrets/dynamics.rs"]
mod dynamics;
#[path = "untrusted_secrets/excerpts.rs"]
mod excerpts;
#[path = "untrusted_secrets/files.rs"]
mod files;
#[path = "untrusted_secrets/forms.rs"]
mod forms;
#[path = "untrusted_secrets/given_by_run.rs"]
mod given_by_run;
#[path = "untrusted_secrets/handed.rs"]
mod handed;
#[path = "untrusted_secrets/keys.rs"]
mod keys;
#[path = "untrusted_secrets/names.rs"]
mod names;
#[path = "untrusted_secrets/repeated.rs"]
mod repeated;
#[path = "untrusted_secrets/stacks.rs"]
mod stacks;
#[path = "untrusted_secrets/stand_ins.rs"]
mod stand_ins;
#[path = "untrusted_secrets/texts.rs"]
mod texts;
#[path = "untrusted_secrets/values.rs"]
mod values;
#[path = "untrusted_secrets/written.rs"]
mod written;

use cli_common::git::{git, repository_of};
use cli_common::{Done, Scratch};

/// Every secret begins so.
const CANARY: &str = "hunter2";

const MAIN: &str = r#"variable "env" {}
variable "pw" {
  default = "hunter2-default"
}
variable "given" {}
locals {
  lpw   = var.pw
  table = { dev = "hunter2-dev", prod = "hunter2-prod" }
}
provider "aws" {
  secret_key = "hunter2-provider"
}
resource "aws_db_instance" "app" {
  engine_version = var.env == "prod" ? "15" : "14"
  password       = var.env == "prod" ? "hunter2-a" : "hunter2-b"
}
resource "aws_db_instance" "handed" {
  password = local.lpw
}
resource "aws_db_instance" "indexed" {
  password = local.table[var.env]
}
resource "aws_db_instance" "given" {
  password = var.given
}
resource "aws_db_instance" "fails" {
  password = parseint(var.env == "prod" ? "hunter2-e" : "hunter2-f", 10)
}
resource "aws_mq_broker" "blocks" {
  user {
    username = var.env
    password = "hunter2-block"
  }
  user {
    username = "x"
    password = var.env == "prod" ? "hunter2-block1" : "hunter2-block2"
  }
}
resource "aws_mq_broker" "made" {
  dynamic "user" {
    for_each = ["a", "b"]
    content {
      username = user.value
      password = var.env == "prod" ? "hunter2-made1" : "hunter2-made2"
    }
  }
}
resource "aws_ssm_parameter" "p" {
  value = var.env == "prod" ? "hunter2-ssm1" : "hunter2-ssm2"
}
resource "azurerm_container_app" "c" {
  secret {
    name  = var.env
    value = "hunter2-az-${var.env}"
  }
}
resource "google_compute_ssl_certificate" "c" {
  private_key = "hunter2-google-${var.env}"
}
resource "vault_generic_secret" "v" {
  data_json = jsonencode({ k = "hunter2-vault-${var.env}" })
}
module "m" {
  source = "./m"
  pw     = var.env == "prod" ? "hunter2-m1" : "hunter2-m2"
}
variable "creds" {
  default = { password = "hunter2-creds", size = "shown-size" }
}
variable "checked" {
  default = "hunter2-checked"
  validation {
    condition     = length(var.checked) > 100
    error_message = "Too short: ${var.checked}."
  }
}
locals {
  all = { pw = var.checked, size = "shown-local" }
}
resource "aws_db_instance" "attributes" {
  password       = var.creds.password
  instance_class = var.creds.size
}
resource "aws_db_instance" "of_local" {
  password       = local.all.pw
  instance_class = local.all.size
}
resource "aws_instance" "texts" {
  user_data = "export PW=${local.all.pw} AND=${base64encode(var.creds.password)}"
  tags      = { url = "postgres://u:${var.pw}@h", plain = jsonencode(local.all) }
}
output "handed" {
  value = local.lpw
}
output "given" {
  value = var.given
}
output "from_module" {
  value = module.m.pw
}
"#;
const MODULE: &str = r#"variable "pw" {}
resource "kubernetes_secret_v1" "s" {
  data = { x = "hunter2-k", y = var.pw }
}
resource "google_sql_user" "s" {
  password = var.pw
}
output "pw" {
  value = var.pw
}
"#;
const PHI: &str = r#"environment "dev" {
  variables = { env = "dev", given = "hunter2-given1" }
}
environment "prod" {
  variables = { env = "prod", given = "hunter2-given2" }
}
specialize "aws_db_instance.app" {
  fields = ["engine_version"]
}
"#;

fn tree(phi: &str) -> Scratch {
    Scratch::new([("main.tf", MAIN), ("m/main.tf", MODULE), ("phi.hcl", phi)])
}

/// Nothing that was printed holds a secret; and it was printed what was asked for.
fn silent(done: &Done, what: &str) {
    let all = format!("{}{}", done.out, done.err);
    let lines: Vec<&str> = all.lines().filter(|line| line.contains(CANARY)).collect();
    assert!(lines.is_empty(), "{what}: {lines:#?}");
    assert!(done.out.len() + done.err.len() > 10, "{what}: nothing was printed");
    assert!(!all.contains("panicked"), "{what}: {all}");
}

const READING: &[&str] = &[
    "matrix --all",
    "matrix --all --format json",
    "matrix --all --format markdown",
    "matrix --all --format csv",
    "matrix --all --format html",
    "trace --all",
    "trace --all --format json",
    "trace --all --format markdown",
    "trace --all --format sarif",
    "trace --all --format github",
    "trace --all --format gitlab",
    "trace aws_db_instance.app.password",
    "trace aws_db_instance.app.password --format json",
    "trace aws_db_instance.given -var given=hunter2-own -var env=dev",
    "trace aws_db_instance.fails",
    "trace aws_db_instance.fails --format json",
    "trace module.m.pw",
    "trace --expr var.pw",
    "trace --expr var.given -var given=hunter2-own",
    "graph aws_db_instance.app",
    "graph aws_db_instance.app --format mermaid",
    "graph aws_db_instance.app --format svg",
    "graph aws_db_instance.app --format html",
    "graph module.m.pw --format html",
    "validate",
    "validate --format json",
    "validate --format markdown",
    "validate --format csv",
    "validate --format sarif",
    "validate --format github",
    "validate --format html",
    "suggest",
    "check",
    "check --format json",
];

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

#[test]
fn no_secret_is_printed_by_what_reads() {
    let scratch = tree(PHI);
    for line in READING {
        silent(&scratch.run(&words(line)), line);
    }
    // What isn't secret is there.
    let shown = scratch.run(&["matrix", "--all"]);
    assert!(shown.out.contains("(sensitive value)") && shown.out.contains("\"15\""), "{}", shown.out);
    assert!(shown.out.contains("aws_mq_broker.blocks.user.0.username"), "{}", shown.out);
    let row = |name: &str| shown.out.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(!row("aws_mq_broker.blocks.user.0.username").contains("sensitive"), "{}", shown.out);
    for field in
        ["output.given.value", "output.handed.value", "module.m.pw", "vault_generic_secret.v.data_json"]
    {
        assert!(row(field).contains("(sensitive value)"), "{}", shown.out);
    }
}

#[test]
fn no_secret_is_printed_of_sources_in_json() {
    let main = r#"{"variable": {"env": {}}, "resource": {"aws_db_instance": {"app": {
  "engine_version": "${var.env == \"prod\" ? \"15\" : nosuch.thing}",
  "password": "${var.env == \"prod\" ? \"hunter2-a\" : \"hunter2-b\"}"}}}}"#;
    let phi = PHI.replace(", given = \"hunter2-given1\"", "").replace(", given = \"hunter2-given2\"", "");
    let scratch = Scratch::new([("main.tf.json", main), ("phi.hcl", phi.as_str())]);
    for line in READING.iter().filter(|line| !line.contains("var.") && !line.contains("module.m")) {
        silent(&scratch.run(&words(line)), line);
    }
}

/// A pin on a secret is refused, without a word of what it would be.
#[test]
fn a_pin_on_a_secret_is_refused() {
    for pin in [
        "specialize \"aws_db_instance.app\" {\n  fields = [\"password\"]\n}\n",
        "specialize \"aws_ssm_parameter\" {\n  fields = [\"value\"]\n}\n",
        "specialize \"module.m\" {\n  fields = [\"pw\"]\n}\n",
    ] {
        let scratch = tree(&format!("{PHI}{pin}"));
        for line in [
            "diff",
            "check",
            "check --format json",
            "plan --dry-run",
            "explain aws_db_instance.app",
            "graph",
            "trace",
        ] {
            let done = scratch.run(&words(line));
            silent(&done, line);
            if !matches!(line, "graph" | "trace") {
                assert!(format!("{}{}", done.out, done.err).contains("is secret"), "{line}: {}", done.err);
                assert_eq!(done.code, Some(1), "{line}");
            }
        }
    }
}

/// Nor is one that has a single value: that would stand in the sources, and in a diff.
#[test]
fn a_pin_on_a_secret_of_one_value_is_refused() {
    let main = "variable \"pw\" {}\nresource \"aws_db_instance\" \"x\" {\n  password = var.pw\n}\n";
    let phi = "specialize \"aws_db_instance.x\" {\n  fields = [\"password\"]\n}\n";
    let scratch =
        Scratch::new([("main.tf", main), ("terraform.tfvars", "pw = \"hunter2-one\"\n"), ("phi.hcl", phi)]);
    for line in ["diff", "check", "plan --dry-run", "check --fix"] {
        let done = scratch.run(&words(line));
        let said = format!("{}{}", done.out, done.err);
        assert!(said.contains("is secret") && !said.contains("hunter2"), "{line}: {said}");
        assert_eq!(done.code, Some(1), "{line}");
    }
}

/// Runs that write say what they did, and nothing of secrets.
#[test]
fn no_secret_is_printed_by_what_writes() {
    for line in [
        "plan --env prod -input=false -v",
        "plan --env prod -input=false --ephemeral -v",
        "check --fix",
        "explain aws_db_instance.app",
    ] {
        let scratch = tree(PHI);
        let done = scratch.run(&words(line));
        // A rule of the tree refuses a secret default, and Terraform would stop at it, too.
        let is_refused = line.starts_with("plan") && done.err.contains("a value that isn't shown");
        assert_eq!(done.code, Some(i32::from(is_refused)), "{line}: {}", done.err);
        silent(&done, line);
        if line.starts_with("plan") {
            let done = scratch.run(&words(&format!("{line} -var=checked={}", "hunter2-taken".repeat(9))));
            assert_eq!(done.code, Some(0), "{line}: {}", done.err);
            silent(&done, line);
        }
    }
}

/// A proposed Stack holds sources as they are, and of secrets no value that came from elsewhere.
#[test]
fn no_secret_of_an_environment_is_proposed() {
    let scratch = tree(PHI);
    let done = scratch.run(&["stacks", "from-root"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(!done.out.contains("hunter2-given") && !done.err.contains(CANARY), "{}", done.out);
    assert!(done.err.contains("var.given is secret"), "{}", done.err);
}

#[test]
fn no_secret_is_printed_by_a_review() {
    let scratch = tree(PHI);
    repository_of(&scratch.tree());
    let base = git(&scratch.tree(), &["rev-parse", "HEAD"]);
    let changed = MAIN.replace("hunter2-", "hunter2-new-").replace("\"15\"", "\"16\"");
    std::fs::write(scratch.tree().join("main.tf"), changed).unwrap();
    std::fs::write(scratch.tree().join("m/main.tf"), MODULE.replace("hunter2-", "hunter2-new-")).unwrap();
    std::fs::write(scratch.tree().join("phi.hcl"), PHI.replace("hunter2-given", "hunter2-new-given"))
        .unwrap();
    let base = format!("--base={}", base.trim());
    for format in ["text", "json", "markdown", "csv", "sarif", "github", "html"] {
        let done = scratch.run(&["review", &base, "--format", format]);
        silent(&done, format);
        if format == "json" {
            assert!(
                done.out.contains("\"16\"") && done.out.contains("aws_db_instance.app.password"),
                "{}",
                done.out
            );
        }
    }
}
