//! Values of arguments that are secret by their names, and of what hands them on: in no output of any command, in no format.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

mod cli_common;
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
        assert_eq!(done.code, Some(0), "{line}: {}", done.err);
        silent(&done, line);
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

/// What can't be read as a whole: the file, its text, and the line that is named.
const BROKEN: &[(&str, &str)] = &[
    ("main.tf", "variable \"t\" {\n  sensitive = true\n  default   = \"hunter2zq\" oops\n}\n"),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  default = \"hunter2zq\"\n  default = \"hunter2zq\"\n}\n",
    ),
    ("main.tf", "variable \"t\" {\n  sensitive = true\n  default   = \"hunter2zq\n}\n"),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  default   = \"a${upper(\"hunter2zq\")} b\" oops\n}\n",
    ),
    ("main.tf", "variable \"t\" {\n  sensitive = true\n  default   = \"a${lookup(x, \"hunter2zq\")}\n}\n"),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  default   = <<EOT\nhunter2zq\n${ oops oops\nEOT\n}\n",
    ),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  default   = <<EOT\nhunter2zq ${ oops oops }\nEOT\n}\n",
    ),
    ("main.tf", "variable \"t\" {\n  sensitive = true\n  default   = oops oops # was hunter2zq\n}\n"),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  default   = oops oops // was \"hunter2zq\" once\n}\n",
    ),
    ("main.tf", "variable \"t\" {\n  sensitive = true\n  default   = [oops \"x\", hunter2zq, \"y\"]\n}\n"),
    ("main.tf", "variable \"t\" {\n  sensitive = true\n  default   = upper(\"hunter2zq\")\n}\n"),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  type      = number\n  default   = \"hunter2zq\"\n}\n",
    ),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  default   = \"hunter2zq\"\n}\nvariable \"t\" {\n  default = \"hunter2zq\"\n}\n",
    ),
    ("main.tf", "module \"m\" {\n  source = \"./m\"\n  pw = \"hunter2zq\"\n  pw = \"hunter2zq\"\n}\n"),
    ("main.tf", "module \"m\" {\n  source = \"./m\"\n  pw = \"hunter2zq\"\n  nope = \"x\"\n}\n"),
    ("main.tf", "module \"m\" {\n  source = \"./m\"\n  pw = [\"hunter2zq\"]\n  count = nope.nope\n}\n"),
    (
        "main.tf",
        "locals {\n  t = \"hunter2zq\"\n  t = \"hunter2zq\"\n}\nresource \"aws_db_instance\" \"a\" {\n  password = local.t\n}\n",
    ),
    (
        "main.tf",
        "locals {\n  pin = 739120\n  pin = 739120\n}\nresource \"aws_db_instance\" \"a\" {\n  password = local.pin\n}\n",
    ),
    ("main.tf.json", "{\"variable\": {\"t\": {\"sensitive\": true, \"default\": \"hunter2zq\" oops}}}\n"),
    ("main.tf.json", "{\"variable\": {\"t\": {\"default\": \"hunter2zq\", \"default\": \"hunter2zq\"}}}\n"),
    ("main.tf.json", "{\n\"locals\": {\"t\": \"${hunter2zq \\\"hunter2zq\\\" oops}\"}\n}\n"),
];

/// Of what can't be read as a whole nobody knows what is secret: excerpts of it hold no literal, and tell where it is.
#[test]
fn an_excerpt_of_what_cannot_be_read_holds_no_literal() {
    let mut failures = Vec::new();
    for (name, text) in BROKEN {
        let child = "variable \"pw\" {\n  sensitive = true\n  type = string\n}\n";
        let scratch = Scratch::new([(*name, *text), ("m/main.tf", child)]);
        for line in [
            "validate",
            "validate --format json",
            "validate --format markdown",
            "validate --format github",
            "trace --all",
            "matrix --all",
            "plan --dry-run",
            "check",
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            let done = scratch.run(&words);
            let all = format!("{}{}", done.out, done.err);
            assert!(!all.contains("panicked"), "{all}");
            for canary in
                ["hunter2zq\"", "\"hunter2zq", "hunter2zq\n", "was hunter2zq", "739120", "hunter2zq $"]
            {
                if all.contains(canary) {
                    failures.push(format!("{line}: {text}\n{all}"));
                    break;
                }
            }
            if line == "validate" && !all.contains(&format!("{name}:")) && done.code != Some(0) {
                failures.push(format!("no place: {line}: {text}\n{all}"));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of them: {}",
        failures.len(),
        failures[..failures.len().min(8)].join("\n----\n")
    );
}

/// What is compared with a sensitive value is no less secret.
#[test]
fn a_literal_beside_a_sensitive_value_is_not_shown() {
    let main = "variable \"token\" {\n  sensitive = true\n}\nvariable \"env\" {}\n\
        output \"a\" {\n  value = nonsensitive(var.token == \"hunter2zq\") ? \"a\" : \"b\"\n}\n\
        output \"b\" {\n  sensitive = true\n  value = var.token == \"hunter2zq\" ? \"a\" : \"b\"\n}\n\
        output \"c\" {\n  value = var.env == \"shown\" ? \"a\" : \"b\"\n}\n\
        resource \"terraform_data\" \"d\" {\n  count = nonsensitive(contains([\"hunter2zq\"], var.token)) ? 1 : 0\n}\n";
    let scratch = Scratch::new([("main.tf", main)]);
    for line in [
        "trace --all",
        "trace --all --format json",
        "trace --all --format markdown",
        "trace output.a.value",
        "trace output.b.value",
        "graph output.a.value",
        "graph output.b.value --format svg",
        "matrix --all --format json",
        "validate",
        "validate --format json",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let done = scratch.run(&words);
        assert!(
            !format!("{}{}", done.out, done.err).contains("hunter2zq"),
            "{line}: {}{}",
            done.out,
            done.err
        );
    }
    let shown = scratch.run(&["trace", "output.c.value"]);
    assert!(shown.out.contains("var.env == \"shown\""), "{}", shown.out);
}

/// Of what a secret decides nothing says which value that was, even where the same text stands somewhere plain.
#[test]
fn what_picks_by_a_secret_is_not_shown() {
    let main = "variable \"token\" {\n  sensitive = true\n}\noutput \"plain\" {\n  value = \"hunter2zq\"\n}\n\
        locals {\n  m = {\n    hunter2zq = \"one\"\n    b = \"two\"\n  }\n}\n\
        output \"a\" {\n  value = nonsensitive(var.token == \"hunter2zq\") ? \"a\" : \"b\"\n}\n\
        output \"b\" {\n  value = nonsensitive(lookup(local.m, var.token, \"none\"))\n}\n\
        output \"c\" {\n  value = nonsensitive(local.m[var.token])\n}\n";
    let scratch = Scratch::new([("main.tf", main)]);
    for output in ["a", "b", "c"] {
        for line in [
            "trace F --format json",
            "trace F",
            "graph F",
            "graph F --format svg",
            "trace F --format markdown",
        ] {
            let done = scratch.run(&words(&line.replace('F', &format!("output.{output}.value"))));
            // The map itself stands in the source, as a line or as a whole.
            let told = |text: &&str| text.contains(CANARY) && !text.contains("hunter2zq = ");
            let all = format!("{}{}", done.out, done.err);
            let lines: Vec<&str> = all.lines().filter(told).collect();
            assert!(lines.is_empty(), "{output} {line}: {lines:#?}");
        }
    }
}

/// Of a call whose module isn't installed, names tell: what such an argument is, and what it comes from, isn't shown.
#[test]
fn arguments_of_modules_that_are_not_there_are_told_by_their_names() {
    let main = "variable \"env\" {}\nlocals {\n  pw = \"hunter2-local\"\n}\n\
        module \"db\" {\n  source   = \"acme/db/aws\"\n  password = var.env == \"prod\" ? \"hunter2-a\" : \"hunter2-b\"\n  \
        settings = { api_token = \"hunter2-c\", size = \"shown-size\" }\n  size     = \"shown-own\"\n}\n\
        module \"other\" {\n  source       = \"acme/other/aws\"\n  client_secret = local.pw\n}\n\
        resource \"helm_release\" \"h\" {\n  set_wo = [{ name = \"a\", value = \"hunter2-d\" }]\n  \
        set    = [{ name = \"a\", value = \"shown-set\" }]\n}\n\
        output \"pw\" {\n  value = local.pw\n}\n";
    let phi = "environment \"dev\" {\n  variables = { env = \"dev\" }\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    for line in READING.iter().filter(|line| line.contains("--all")) {
        silent(&scratch.run(&words(line)), line);
    }
    for field in
        ["module.db.password", "module.db.settings", "module.other.client_secret", "helm_release.h.set_wo"]
    {
        for line in ["trace F", "trace F --format json", "graph F", "graph F --format html"] {
            silent(&scratch.run(&words(&line.replace('F', field))), line);
        }
    }
    let shown = scratch.run(&["matrix", "--all"]);
    for text in ["shown-own", "shown-set"] {
        assert!(shown.out.contains(text), "{}", shown.out);
    }
}

/// An object that is written out in an argument which is secret as a whole: entries by names that are no secret's make nothing secret that they name.
#[test]
fn names_in_a_secret_object_stay_shown() {
    let main = "variable \"env\" {}\nvariable \"url\" {}\n\
        resource \"kubernetes_secret\" \"a\" {\n  data = { name = var.env, url = var.url, password = var.env == \"prod\" ? \"hunter2\" : \"\" }\n}\n\
        output \"shown\" {\n  value = var.env\n}\noutput \"hidden\" {\n  value = var.url\n}\n";
    let phi = "environment \"prod\" {\n  variables = { env = \"prod\", url = \"hunter2-url\" }\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    let done = scratch.run(&["matrix", "--all"]);
    assert!(!done.out.contains(CANARY), "{}", done.out);
    let line = done.out.lines().find(|line| line.starts_with("output.shown.value"));
    assert!(line.is_some_and(|line| line.contains("prod")), "{}", done.out);
}

/// What is written out in a `for_each` and goes to a secret argument through `each` is secret where it stands.
#[test]
fn what_a_for_each_hands_to_a_secret_is_not_shown() {
    let main = "variable \"r\" {\n  default = { a = \"prod\" }\n}\n\
        resource \"aws_db_instance\" \"m\" {\n  for_each = { x = \"hunter2-x\", y = \"hunter2-y\" }\n  password = each.value\n}\n\
        resource \"aws_db_instance\" \"o\" {\n  for_each = { x = { pw = \"hunter2-o\", size = 1 } }\n  password = each.value.pw\n  \
        size = each.value.size\n}\n\
        resource \"aws_db_instance\" \"s\" {\n  for_each = toset([\"hunter2-s\"])\n  password = each.value\n}\n\
        resource \"aws_db_instance\" \"k\" {\n  for_each = { hunter2-k = 1 }\n  password = each.key\n}\n\
        resource \"aws_db_instance\" \"plain\" {\n  for_each = { a = \"shown-a\" }\n  username = each.value\n}\n\
        module \"m\" {\n  source   = \"./m\"\n  for_each = { a = \"hunter2-m\" }\n  pw       = each.value\n}\n\
        output \"of\" {\n  value = [for k, v in aws_db_instance.m : v.password]\n}\n";
    let module = "variable \"pw\" {}\nresource \"aws_db_instance\" \"i\" {\n  password = var.pw\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("m/main.tf", module)]);
    for args in [
        &["matrix", "--all"][..],
        &["matrix", "--all", "--json"],
        &["trace", "--all"],
        &["trace", "--all", "--json"],
        &["validate"],
    ] {
        let done = scratch.run(args);
        assert!(
            !done.out.contains(CANARY) && !done.err.contains(CANARY),
            "{args:?}\n{}\n{}",
            done.out,
            done.err
        );
        assert!(args[0] != "matrix" || done.out.contains("shown-a"), "{}", done.out);
    }
}

/// A parameter that is stored as a plain text makes nothing secret that is stored in it.
#[test]
fn what_is_stored_as_a_plain_parameter_stays_shown() {
    let main = "locals {\n  url  = \"shown-url\"\n  hush = \"hunter2\"\n}\n\
        resource \"aws_ssm_parameter\" \"plain\" {\n  type  = \"String\"\n  value = local.url\n}\n\
        resource \"aws_ssm_parameter\" \"secret\" {\n  type  = \"SecureString\"\n  value = local.hush\n}\n\
        output \"url\" {\n  value = local.url\n}\noutput \"hush\" {\n  value = local.hush\n}\n";
    let scratch = Scratch::new([("main.tf", main)]);
    let done = scratch.run(&["matrix", "--all"]);
    assert!(done.out.contains("shown-url") && !done.out.contains(CANARY), "{}", done.out);
}

/// A rule that names a secret in whatever way: neither its message nor what is wrong with its condition stands anywhere, and no excerpt
/// shows what the secret is compared with.
#[test]
fn what_a_rule_says_of_a_secret_is_not_shown() {
    let rules = [
        "condition     = length(local.l) > 99\n      error_message = \"three ${local.l}\"",
        "condition     = tonumber(local.l) > 99\n      error_message = \"x\"",
        "condition     = parseint(local.l, 10) > 99\n      error_message = \"x\"",
        "condition     = local.l != \"hunter2-prod\"\n      error_message = \"x\"",
        "condition     = var.marked != \"hunter2-marked\"\n      error_message = \"x\"",
        "condition     = timeadd(local.l, \"1h\") != \"\"\n      error_message = \"x\"",
    ];
    let phi =
        "environment \"prod\" {\n  variables = { pw = \"hunter2-prod\", marked = \"hunter2-marked\" }\n}\n";
    for rule in rules {
        let main = format!(
            "variable \"pw\" {{}}\nvariable \"marked\" {{\n  sensitive = true\n}}\nlocals {{\n  l = var.pw\n}}\n\
             resource \"aws_db_instance\" \"a\" {{\n  password = var.pw\n}}\n\
             resource \"aws_db_instance\" \"e\" {{\n  for_each = {{ a = \"hunter2-e\" }}\n  password = each.value\n  lifecycle {{\n    \
             precondition {{\n      condition     = length(each.value) > 99\n      error_message = \"e ${{each.value}}\"\n    }}\n  }}\n}}\n\
             resource \"aws_instance\" \"b\" {{\n  lifecycle {{\n    precondition {{\n      {rule}\n    }}\n  }}\n}}\n\
             output \"o\" {{\n  value = 1\n  precondition {{\n      {rule}\n  }}\n}}\n\
             check \"c\" {{\n  assert {{\n      {rule}\n  }}\n}}\n\
             variable \"v\" {{\n  default = \"d\"\n  validation {{\n    condition     = var.v == local.l\n    error_message = \"v ${{local.l}}\"\n  }}\n}}\n"
        );
        let scratch = Scratch::new([("main.tf", &*main), ("phi.hcl", phi)]);
        cli_common::git::repository_of(&scratch.tree());
        for format in ["text", "json", "github", "markdown", "sarif"] {
            let done = scratch.run(&["validate", "--format", format]);
            assert!(
                !done.out.contains(CANARY) && !done.err.contains(CANARY),
                "{format}: {rule}\n{}\n{}",
                done.out,
                done.err
            );
            assert_eq!(done.code, Some(1), "{rule}\n{}", done.err);
        }
        std::fs::write(scratch.tree().join("more.tf"), "output \"more\" {\n  value = 1\n}\n").unwrap();
        for format in ["text", "json", "markdown"] {
            let done = scratch.run(&["review", "--base", "HEAD", "--format", format]);
            assert!(
                !done.out.contains(CANARY) && !done.err.contains(CANARY),
                "{format}: {rule}\n{}\n{}",
                done.out,
                done.err
            );
        }
    }
}

/// What a change makes a secret was one before it: the old side isn't shown either.
#[test]
fn what_becomes_a_secret_is_not_shown_as_it_was() {
    let base = "variable \"pw\" {}\nvariable \"other\" {}\nresource \"aws_instance\" \"i\" {\n  user_data = \"start ${var.pw}\"\n}\n\
                resource \"aws_instance\" \"j\" {\n  for_each  = { a = var.other }\n  user_data = each.value\n}\n";
    let phi = "environment \"dev\" {\n  variables = { pw = \"hunter2-dev\", other = \"hunter2-other\" }\n}\n";
    let scratch = Scratch::new([("main.tf", base), ("phi.hcl", phi)]);
    cli_common::git::repository_of(&scratch.tree());
    let head = base.replace("variable \"pw\" {}", "variable \"pw\" {\n  sensitive = true\n}");
    let head = format!("{head}resource \"aws_db_instance\" \"d\" {{\n  password = var.other\n}}\n");
    std::fs::write(scratch.tree().join("main.tf"), head).unwrap();
    for format in ["text", "json", "markdown", "html"] {
        let done = scratch.run(&["review", "--base", "HEAD", "--format", format]);
        assert!(!done.out.contains(CANARY), "{format}: {}", done.out);
        assert!(done.out.contains("user_data"), "{format}: {}", done.out);
    }
}

/// No excerpt shows what a deployment gives to a variable.
#[test]
fn what_a_deployment_gives_is_in_no_excerpt() {
    let component = "variable \"pw\" {\n  type      = string\n  sensitive = true\n}\nrequired_providers {\n}\n\
                     component \"m\" {\n  source = \"./m\"\n  inputs = {\n    pw = var.pw\n  }\n}\n";
    let deployment = "deployment \"prod\" {\n  inputs = {\n    pw          = \"hunter2-${nosuch.x}\"\n    db_password = \
                      \"hunter2-undeclared\"\n  }\n}\n";
    let files = [
        ("a.tfcomponent.hcl", component),
        ("d.tfdeploy.hcl", deployment),
        ("m/main.tf", "variable \"pw\" {}\n"),
    ];
    let scratch = Scratch::new(files);
    for args in
        [&["matrix"][..], &["trace", "--all"], &["validate"], &["suggest"], &["check"], &["graph", "--all"]]
    {
        let done = scratch.run(args);
        assert!(
            !done.out.contains(CANARY) && !done.err.contains(CANARY),
            "{args:?}\n{}\n{}",
            done.out,
            done.err
        );
    }
}
