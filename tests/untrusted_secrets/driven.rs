//! Driven fields whose expressions fail over a secret: what stops a run says nothing of it.

use super::{CANARY, words};
use crate::cli_common::Scratch;
use crate::cli_common::git::repository_of;

const HEAD: &str = "variable \"pw\" {}\nvariable \"env\" {}\nresource \"aws_db_instance\" \"b\" {\n  password = var.pw\n}\n\
    locals {\n  m = { x = true }\n}\n";
const PHI: &str = "environment \"a\" {\n  variables = { pw = \"hunter2-pw\", env = \"a\" }\n}\n\
    environment \"b\" {\n  variables = { pw = \"hunter2-pw\", env = \"b\" }\n}\n\
    specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";

/// Expressions that are an error over a secret `var.pw`, as a condition.
const FAILING: &[&str] = &[
    "tonumber(var.pw) > 1",
    "var.env == \"a\" && tonumber(var.pw) > 1",
    "lookup(local.m, var.pw)",
    "local.m[var.pw]",
    "{ for x in [var.pw, var.pw] : x => true }[\"a\"]",
    "uuidv5(var.pw, \"x\") == \"\"",
    "uuidv5(trimsuffix(var.pw, \"-pw\"), \"x\") == \"\"",
    "cidrhost(var.pw, 1) == \"\"",
    "timeadd(var.pw, \"1h\") == \"\"",
    "parseint(var.pw, 10) > 1",
    "file(var.pw) == \"\"",
    "file(\"/etc/${var.pw}\") == \"\"",
    "templatefile(var.pw, {}) == \"\"",
    "tonumber({ a = var.pw }[\"a\"]) > 1",
    "regex(var.pw, \"x\") == \"\"",
    "tobool(var.pw)",
    "try(tonumber(var.pw) > 1)",
];

/// Fields that stop a run, with a condition `S`.
const DRIVEN: &[&str] = &[
    "resource \"terraform_data\" \"z\" {\n  lifecycle {\n    prevent_destroy = S\n  }\n}\n",
    "resource \"terraform_data\" \"z\" {\n  lifecycle {\n    ignore_changes = S ? [input] : []\n  }\n}\n",
    "resource \"terraform_data\" \"z\" {\n  provider = S ? terraform.a : terraform.b\n}\n",
    "resource \"terraform_data\" \"z\" {\n  input = S\n}\n",
    "module \"z\" {\n  source = S ? \"./m\" : \"./n\"\n}\n",
];

const COMMANDS: &[&str] = &[
    "check",
    "check --format json",
    "diff",
    "plan --dry-run",
    "init --dry-run",
    "explain terraform_data.z",
    "trace --all",
    "matrix --all",
];

/// Nothing of a secret in what is said of a field that can't be specialised, whatever the field is and whichever way it fails.
#[test]
fn what_stops_a_run_says_nothing_of_a_secret() {
    for (at, expr) in FAILING.iter().enumerate() {
        for (number, driven) in DRIVEN.iter().enumerate() {
            let main = format!("{HEAD}{}", driven.replace('S', expr));
            let scratch = Scratch::new([
                ("main.tf", &*main),
                ("phi.hcl", PHI),
                ("m/main.tf", "output \"o\" {\n  value = 1\n}\n"),
                ("n/main.tf", "output \"o\" {\n  value = 2\n}\n"),
            ]);
            // Each way through one or two commands; the first through all.
            let is_meant = |nth: usize| at == 0 || (nth + at + number).is_multiple_of(5);
            for (_, line) in COMMANDS.iter().enumerate().filter(|(nth, _)| is_meant(*nth)) {
                let done = scratch.run(&words(line));
                let all = format!("{}{}", done.out, done.err);
                assert!(!all.contains(CANARY), "{line}: {expr}\n{driven}\n{all}");
                let reads = line.starts_with("trace") || line.starts_with("matrix");
                assert!(reads || done.code == Some(1), "{line}: {expr}\n{driven}\n{all}");
            }
        }
    }
}

/// The same where nothing lists the values of a variable, so that its default is traced alone.
#[test]
fn what_a_default_makes_an_error_is_not_shown() {
    let main = "variable \"pw\" {\n  default = \"hunter2-pw\"\n}\nresource \"aws_db_instance\" \"b\" {\n  password = var.pw\n}\n\
        resource \"terraform_data\" \"z\" {\n  input = tonumber(var.pw)\n}\n\
        resource \"terraform_data\" \"n\" {\n  for_each = toset([])\n  input = tonumber(var.pw)\n}\n";
    let pin = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", pin)]);
    for line in COMMANDS {
        let done = scratch.run(&words(line));
        let all = format!("{}{}", done.out, done.err);
        assert!(!all.contains(CANARY), "{line}\n{all}");
    }
    let done = scratch.run(&["check"]);
    let all = format!("{}{}", done.out, done.err);
    assert!(all.contains("secret") && all.contains("universe = "), "{all}");
}

/// What isn't a secret's is said as before.
#[test]
fn what_stops_a_run_beside_a_secret_is_said() {
    let plain = "resource \"terraform_data\" \"z\" {\n  lifecycle {\n    prevent_destroy = tonumber(\"x${var.env}\") > 1\n  }\n}\n";
    let scratch = Scratch::new([("main.tf", &*format!("{HEAD}{plain}")), ("phi.hcl", PHI)]);
    let done = scratch.run(&["check"]);
    assert!(done.err.contains("\"xa\"") || done.out.contains("\"xa\""), "{}{}", done.out, done.err);
}

/// What the conditions of services ask for is no other way to it.
#[test]
fn what_a_service_asks_says_nothing_of_a_secret() {
    let main = format!(
        "{HEAD}resource \"aws_instance\" \"z\" {{\n  ami = uuidv5(var.pw, \"x\")\n  tags = tonumber(var.pw)\n}}\n"
    );
    let phi = format!(
        "{PHI}form_factor \"f\" {{\n  services = [\"s\"]\n}}\nservice \"s\" {{\n  replaces = \"aws_instance\"\n  source = \"./s\"\n  \
         when = {{ ami = \"x\" }}\n}}\n"
    );
    let scratch = Scratch::new([("main.tf", &*main), ("phi.hcl", &*phi), ("s/main.tf", "")]);
    for line in ["check --form-factor f", "plan --dry-run --form-factor f"] {
        let done = scratch.run(&words(line));
        let all = format!("{}{}", done.out, done.err);
        assert!(!all.contains(CANARY), "{line}\n{all}");
        assert_eq!(done.code, Some(1), "{line}\n{all}");
    }
}

/// A deployment that can't be written as a root module because what repeats something fails.
#[test]
fn what_a_deployment_can_not_tell_says_nothing_of_a_secret() {
    for over in [
        "toset(tonumber(var.pw) > 1 ? [\"a\"] : [])",
        "{ for x in [var.pw, var.pw] : x => 1 }",
        "toset([uuidv5(var.pw, \"x\")])",
        "lookup({ a = toset([]) }, var.pw)",
    ] {
        let main = format!(
            "variable \"pw\" {{\n  type = string\n}}\nrequired_providers {{\n  aws = {{\n    source  = \"hashicorp/aws\"\n    \
             version = \"5.0\"\n  }}\n}}\nprovider \"aws\" \"a\" {{\n  config {{\n    secret_key = var.pw\n  }}\n}}\n\
             component \"c\" {{\n  source   = \"./m\"\n  for_each = {over}\n  inputs = {{\n    pw = var.pw\n  }}\n  \
             providers = {{ aws = provider.aws.a }}\n}}\n"
        );
        let scratch = Scratch::new([
            ("main.tfcomponent.hcl", &*main),
            ("main.tfdeploy.hcl", "deployment \"prod\" {\n  inputs = {\n    pw = \"hunter2-prod\"\n  }\n}\n"),
            (
                "m/main.tf",
                "variable \"pw\" {}\nresource \"aws_db_instance\" \"d\" {\n  password = var.pw\n}\n",
            ),
        ]);
        let done = scratch.run(&["plan", "--env", "prod", "--dry-run"]);
        let all = format!("{}{}", done.out, done.err);
        assert!(!all.contains(CANARY), "{over}\n{all}");
        assert_eq!(done.code, Some(1), "{over}\n{all}");
    }
}

/// What fails over secrets in every place where `validate` looks.
const FAILING_PLACES: &str = r#"variable "pw" {}
variable "pin" {
  type = number
}
variable "net" {}
variable "users" {
  type = list(object({ name = string, password = string }))
}
resource "aws_db_instance" "b" {
  password = var.pw
}
resource "aws_db_instance" "pin" {
  password = "${var.pin}"
}
resource "aws_db_instance" "c" {
  password = tostring(var.pin)
}
resource "aws_db_instance" "net" {
  password = var.net
}
resource "aws_mq_broker" "b" {
  dynamic "user" {
    for_each = { for u in var.users : u.password => u }
    content {
      username = user.value.name
      password = user.value.password
    }
  }
}
resource "aws_mq_broker" "nested" {
  dynamic "outer" {
    for_each = [1]
    content {
      dynamic "inner" {
        for_each = { for x in [var.pw, var.pw] : x => 1 }
        content {
          a = 1
        }
      }
      plain {
        a = tonumber(var.pw)
      }
    }
  }
  user {
    username = "x"
  }
  user {
    username = tonumber(var.pw)
  }
}
provider "aws" {
  region = tonumber(var.pw)
  assume_role {
    role_arn = tonumber(var.pw)
  }
}
provider "aws" {
  alias  = "other"
  region = tonumber(var.pw)
}
resource "aws_instance" "other" {
  provider = aws.other
}
check "c" {
  data "aws_ami" "d" {
    x = tonumber(var.pw)
    filter {
      name = tonumber(var.pw)
    }
    filter {
      name = { for x in [var.pw, var.pw] : x => 1 }
    }
  }
  assert {
    condition     = true
    error_message = "x"
  }
}
resource "aws_instance" "unquoted" {
  a = uuidv5(var.pw, "x")
  b = cidrhost("10.0.0.0/24", var.pin)
  c = cidrhost(var.net, 9999)
  d = cidrsubnet(var.net, 99, 1)
  e = uuidv5(substr(var.pw, 0, 7), "x")
  f = cidrnetmask(var.net)
  g = element([], var.pin)
  h = chunklist([1], -var.pin)
}
"#;

/// Failing inputs wherever `validate` looks for them: what repeats `dynamic` blocks, blocks beside others of their kind, arguments of
/// providers, and what a `check` asks.
#[test]
fn what_validate_finds_says_nothing_of_a_secret() {
    let phi = "environment \"prod\" {\n  variables = { pw = \"hunter2-pw\", pin = 4242424242, net = \"fd42:4242::/64\", users = [{ name = \"a\", \
        password = \"hunter2-dup\" }, { name = \"b\", password = \"hunter2-dup\" }] }\n}\n";
    let scratch = Scratch::new([("main.tf", FAILING_PLACES), ("phi.hcl", phi)]);
    repository_of(&scratch.tree());
    let silent = |line: &str| {
        let done = scratch.run(&words(line));
        let all = format!("{}{}", done.out, done.err);
        for secret in [CANARY, "4242"] {
            let lines: Vec<&str> = all.lines().filter(|text| text.contains(secret)).collect();
            assert!(lines.is_empty(), "{line}: {lines:#?}");
        }
        all
    };
    for format in ["text", "json", "github", "markdown", "sarif"] {
        let all = silent(&format!("validate --format {format}"));
        if format == "text" {
            for field in [
                "b.user.for_each",
                "outer.inner.for_each",
                "provider.aws.region",
                "check.c",
                "provider.aws.other",
            ] {
                assert!(all.contains(field), "{field}\n{all}");
            }
        }
    }
    let changed =
        FAILING_PLACES.replace("name = \"a\"", "name = \"c\"") + "output \"more\" {\n  value = 1\n}\n";
    std::fs::write(scratch.tree().join("main.tf"), changed).unwrap();
    for format in ["text", "json", "markdown"] {
        silent(&format!("review --base HEAD --format {format}"));
    }
}

/// A source that is made of a secret, where no module stands; and comments within arguments that are references.
#[test]
fn what_is_chosen_by_a_secret_is_not_named() {
    let main = format!(
        "{HEAD}module \"e\" {{\n  source = \"./${{var.pw}}\"\n}}\nresource \"terraform_data\" \"x\" {{\n  input = 1\n}}\n\
         resource \"terraform_data\" \"y\" {{\n  provider = terraform.a\n}}\n"
    );
    let scratch = Scratch::new([("main.tf", &*main), ("phi.hcl", PHI)]);
    repository_of(&scratch.tree());
    let references = "resource \"terraform_data\" \"y\" {\n  provider = terraform.b\n  depends_on = [\n    \
        terraform_data.x, # hunter2-comment\n    // hunter2-slashes\n    /* hunter2-block */\n    aws_db_instance.b[/* hunter2-within */ 0],\n  ]\n  \
        lifecycle {\n    ignore_changes = [\n      # hunter2-ignored\n      input,\n    ]\n  }\n}\n";
    let changed = main.split("resource \"terraform_data\" \"y\"").next().unwrap().to_owned() + references;
    std::fs::write(scratch.tree().join("main.tf"), changed).unwrap();
    for line in
        ["matrix --all", "matrix --all --format json", "validate", "check", "diff", "review --base HEAD"]
    {
        let done = scratch.run(&words(line));
        let all = format!("{}{}", done.out, done.err);
        assert!(!all.contains(CANARY), "{line}\n{all}");
    }
    let done = scratch.run(&words("review --base HEAD --format markdown"));
    assert!(!done.out.contains(CANARY), "{}", done.out);
    assert!(done.out.contains("ignore_changes") && done.out.contains("[input]"), "{}", done.out);
}

/// A gate that compares a secret, where a run has no value for another variable of it; and the hops that lead to it.
#[test]
fn what_a_gate_compares_is_not_shown() {
    let main = r#"variable "env" {}
variable "pw" {
  sensitive = true
  default   = "hunter2"
}
resource "terraform_data" "z" {
  lifecycle {
    prevent_destroy = can(regex("hunter2", var.pw)) && var.env == "prod"
  }
}
"#;
    let phi = "environment \"dev\" {\n  variables = { env = \"dev\" }\n}\nenvironment \"prod\" {\n  variables = { env = \"prod\" }\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    for line in [
        "explain terraform_data.z",
        "trace terraform_data.z.lifecycle.prevent_destroy --json",
        "explain terraform_data.z --json",
    ] {
        let done = scratch.run(&words(line));
        let all = format!("{}{}", done.out, done.err);
        assert!(!all.contains("hunter2"), "{line}\n{all}");
    }
}
