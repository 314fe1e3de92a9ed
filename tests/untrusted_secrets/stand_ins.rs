//! Under a form factor: what was a secret before services replaced what holds it is one still.

use super::{silent, words};
use crate::cli_common::Scratch;

const READING: [&str; 18] = [
    "matrix --all",
    "matrix --all --format json",
    "matrix --all --format html",
    "trace --all",
    "trace --all --format json",
    "trace --all --format markdown",
    "trace --all --format sarif",
    "graph --all",
    "graph --all --format html",
    "graph --all --format json",
    "validate",
    "validate --format json",
    "suggest",
    "check",
    "check --format json",
    "trace --expr var.pw",
    "trace output.addr.value --format json",
    "plan --dry-run -v",
];

const RESOURCES: &str = r#"variable "env" {}
variable "pw" {
  type = string
}
variable "dropped" {
  default = "hunter2-default"
}
variable "users" {
  type = list(object({ name = string, password = string }))
}
locals {
  other = "hunter2-local"
}
resource "aws_db_instance" "app" {
  engine         = "postgres"
  engine_version = var.env == "prod" ? "15" : "14"
  db_name        = var.pw == "hunter2-compared" ? "shown-a" : "shown-b"
  password       = var.pw
}
resource "aws_db_instance" "literal" {
  engine         = "postgres"
  engine_version = "15"
  db_name        = "d"
  password       = var.env == "prod" ? "hunter2-litprod" : "hunter2-litdev"
}
resource "aws_db_instance" "each" {
  for_each       = { a = var.dropped }
  engine         = "postgres"
  engine_version = "15"
  password       = each.value
}
resource "aws_db_instance" "local" {
  engine         = "postgres"
  engine_version = "15"
  db_name        = "shown-name"
  password       = local.other
}
resource "aws_mq_broker" "q" {
  user {
    username = "shown-literal"
    password = "hunter2-block"
  }
  user {
    username = var.users[0].name
    password = var.users[0].password
  }
}
resource "aws_secretsmanager_secret_version" "v" {
  secret_string = var.dropped
}
resource "kubernetes_config_map" "i" {
  data = { x = "x ${aws_db_instance.app.password}", y = aws_db_instance.each["a"].password, z = var.dropped }
}
output "addr" {
  value = aws_db_instance.app.address
}
output "made" {
  value = aws_db_instance.app.password
}
output "made_too" {
  value = module.wrap.made
}
module "wrap" {
  source = "./wrap"
  env    = var.env
}
output "all" {
  value = var.users
}
"#;

const WRAP: &str = r#"variable "env" {}
resource "aws_db_instance" "in" {
  engine         = "postgres"
  engine_version = "15"
  password       = "hunter2-wrap-${var.env}"
}
output "made" {
  value = aws_db_instance.in.password
}
"#;

const TEMPLATE: &str = r#"variable "engine_version" {}
variable "db_name" {
  default = ""
}
variable "password" {}
resource "kubernetes_config_map" "c" {
  metadata {
    name = var.db_name
  }
  data = { p = var.password }
}
output "host" {
  value = "h-${var.password}"
}
output "password" {
  value = "hunter2-made"
}
"#;

const BROKER: &str = "variable \"user\" {\n  type    = list(object({ username = string, password = string }))\n  default = []\n}\n\
                      resource \"kubernetes_config_map\" \"c\" {\n  data = { for u in var.user : u.username => u.password }\n}\n";

const PHI: &str = r#"settings {
  form_factor = "onprem"
}
environment "dev" {
  variables = { env = "dev", pw = "hunter2-envdev", users = [{ name = "shown-n", password = "hunter2-u" }] }
}
environment "prod" {
  variables = { env = "prod", pw = "hunter2-envprod", users = [{ name = "shown-n", password = "hunter2-v" }] }
}
form_factor "onprem" {
  environment = "kubernetes"
  services    = ["pg", "mq"]
  drops       = ["aws_secretsmanager_secret_version"]
}
service "pg" {
  replaces = "aws_db_instance"
  when     = { engine = "postgres" }
  module   = "./svc"
  outputs  = { address = "host", password = "password" }
  field "engine_version" {
    universe = ["14", "15"]
  }
}
service "mq" {
  replaces = "aws_mq_broker"
  module   = "./mq"
}
"#;

#[test]
fn arguments_of_a_stand_in_are_as_secret_as_those_of_the_resource() {
    let scratch = Scratch::new([
        ("main.tf", RESOURCES),
        ("wrap/main.tf", WRAP),
        ("svc/main.tf", TEMPLATE),
        ("mq/main.tf", BROKER),
        ("phi.hcl", PHI),
    ]);
    for line in READING {
        let done = scratch.run(&words(line));
        if line.starts_with("plan") {
            // A diff shows sources, and no values.
            assert!(!format!("{}{}", done.out, done.err).contains("hunter2-env"), "{}", done.out);
            continue;
        }
        silent(&done, line);
    }
    let matrix = scratch.run(&["matrix", "--all"]);
    for shown in ["shown-name", "\"14\"", "\"15\""] {
        assert!(matrix.out.contains(shown), "{shown}: {}", matrix.out);
    }
    assert!(matrix.out.contains("module.app"), "{}", matrix.out);
}

const CALLS: &str = r#"variable "env" {}
variable "pw" {
  type = string
}
variable "plain" {
  type = string
}
module "db" {
  source = "./db"
  key    = var.pw
  hush   = var.env == "prod" ? "hunter2-prod" : "hunter2-dev"
  size   = var.plain
}
resource "kubernetes_config_map" "i" {
  data = { x = var.pw, y = module.db.address, z = module.db.size }
}
output "o" {
  value = module.db.address
}
output "p" {
  value = var.pw
}
output "addr" {
  value = module.db.size
}
"#;

const CALLED: &str = r#"variable "key" {
  sensitive = true
}
variable "hush" {
  sensitive = true
}
variable "size" {}
output "address" {
  sensitive = true
  value     = "${var.key}${var.hush}"
}
output "size" {
  value = var.size
}
"#;

const OTHER: &str = "variable \"key\" {}\nvariable \"hush\" {}\nvariable \"size\" {}\noutput \"host\" {\n  value = \"hunter2-host\"\n}\noutput \"size\" {\n  value = var.size\n}\n";

#[test]
fn marks_of_a_module_hold_for_what_stands_in_for_it() {
    let phi = "settings {\n  form_factor = \"onprem\"\n}\n\
               environment \"dev\" {\n  variables = { env = \"dev\", pw = \"hunter2-envdev\", plain = \"shown-size\" }\n}\n\
               form_factor \"onprem\" {\n  environment = \"kubernetes\"\n  services    = [\"pg\"]\n}\n\
               service \"pg\" {\n  replaces = \"module:./db\"\n  module   = \"./svc\"\n  outputs  = { address = \"host\", size = \"size\" }\n}\n";
    let scratch =
        Scratch::new([("main.tf", CALLS), ("db/main.tf", CALLED), ("svc/main.tf", OTHER), ("phi.hcl", phi)]);
    for line in READING {
        let done = scratch.run(&words(line));
        if !line.starts_with("plan") {
            silent(&done, line);
        }
    }
    let matrix = scratch.run(&["matrix", "--all"]);
    assert!(
        matrix.out.contains("shown-size") && matrix.out.contains("module.onprem_db.output.host"),
        "{}",
        matrix.out
    );
}
