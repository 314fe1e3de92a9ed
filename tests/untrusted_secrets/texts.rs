//! Texts of a tree that get shown: values, excerpts, reasons, errors and ways out, of every construct in which a secret may be written out, in every output.

use crate::cli_common::Scratch;

/// Every secret begins with one of these.
const CANARIES: [&str; 2] = ["hunter2", "48151623"];

/// What shows something. `diff` and `plan` show sources on standard output; what they say of them stands in the other one.
const OUTPUTS: [&str; 11] = [
    "validate",
    "validate --format json",
    "validate --format html",
    "trace --all",
    "trace --all --format json",
    "matrix --all",
    "suggest",
    "graph",
    "check",
    "diff",
    "plan --dry-run",
];

type Files = &'static [(&'static str, &'static str)];

/// Returns where a secret is shown.
fn shown_in(name: &str, files: Files) -> Vec<String> {
    let scratch = Scratch::new(files.iter().copied());
    let mut failures = Vec::new();
    for output in OUTPUTS {
        let words: Vec<&str> = output.split(' ').collect();
        let done = scratch.run(&words);
        let shows_sources = matches!(output, "diff" | "plan --dry-run");
        let said = if shows_sources { done.err } else { format!("{}{}", done.out, done.err) };
        assert!(!said.contains("panicked"), "{said}");
        let told = said.lines().filter(|line| CANARIES.iter().any(|canary| line.contains(canary)));
        failures.extend(told.map(|line| format!("{name}: {output}: {line}")));
    }
    failures
}

/// Entries with the names of secrets, through every construct that hands an object on.
const MEMBERS: Files = &[
    (
        "main.tf",
        r##"variable "env" {}
locals {
  base = { address = "x" }
  cfg  = { address = "x", db_password = "hunter2-local" }
  two  = local.cfg
  list = [{ api_token = "hunter2-list" }]
  fors = { for k in ["a"] : k => { admin_password = "hunter2-for" } }
}
module "db" {
  source   = "acme/db/aws"
  settings = local.two
  merged   = merge(local.base, { password = "hunter2-merge" })
  listed   = local.list
  fors     = local.fors
  text     = jsonencode({ password = "hunter2-json" })
  cond     = var.env == "prod" ? { password = "hunter2-cond" } : null
  concat   = concat([{ password = "hunter2-concat" }], [])
  tried    = try({ password = "hunter2-try" }, null)
  made     = module.m.made
  tomap    = tomap({ api_token = "hunter2-tomap" })
}
module "m" {
  source = "./m"
  given  = { password = "hunter2-given" }
}
data "terraform_remote_state" "r" {
  backend = "pg"
  config  = merge({ schema_name = "x" }, { conn_str = "postgres://u:hunter2-conn@h/db" })
}
resource "foo_bar" "b" {
  dynamic "setting" {
    for_each = { a = { password = "hunter2-dynamic" } }
    content {
      body = setting.value
    }
  }
  settings = local.two
}
"##,
    ),
    (
        "phi.hcl",
        r##"environment "dev" {
  variables = { env = "dev" }
}
environment "prod" {
  variables = { env = "prod" }
}
"##,
    ),
    (
        "m/main.tf",
        r##"variable "given" {}
resource "foo_bar" "g" {
  settings = var.given
}
output "made" {
  value = { password = "hunter2-made" }
}
"##,
    ),
];

/// Lines that hold something wrong beside a secret.
const EXCERPTS: Files = &[
    (
        "main.tf",
        r##"variable "env" {}
resource "foo_bar" "a" {
  x = merge({}, { password = "hunter2" }, nosuch.x)
}
resource "foo_bar" "b" {
  x = [{ password = "hunter2" }, nosuch.x]
}
resource "foo_bar" "c" {
  x = var.env == "prod" ? { db_password = "hunter2", x = nosuch() } : null
}
module "d" {
  source = "acme/x/aws"
  x = tomap({ api_token = "hunter2", b = nosuch.x })
}
resourc "a" "b" { password = "hunter2" }
connection { password = "hunter2" }
resource "foo_bar" "e" {
  x = { for k in ["a"] : "password" => "hunter2${nosuch.x}" }
}
"##,
    ),
    (
        "phi.hcl",
        r##"environment "dev" {
  variables = { env = "dev" }
}
environment "prod" {
  variables = { env = "prod" }
}
"##,
    ),
];

/// A way out that quotes the expression.
const FIXES_MARK: Files = &[
    (
        "main.tf",
        r##"variable "env" {}
resource "terraform_data" "z" {
  input = var.env == "prod" ? sensitive("hunter2") : sensitive("hunter2")
}
"##,
    ),
    (
        "phi.hcl",
        r##"environment "dev" {
  variables = { env = "dev" }
}
environment "prod" {
  variables = { env = "prod" }
}
specialize "terraform_data.z" {
  fields = ["input"]
}
"##,
    ),
];

/// A way out that writes a declaration anew.
const FIXES_JSON: Files = &[
    (
        "main.tf.json",
        r##"{"variable": {"env": {}},
 "resource": {"foo_bar": {"z": {"password": "hunter2", "count": "${var.env == \"prod\" ? 1 : 0}", "size": "${var.env == \"prod\" ? 1 : 2}"}}}}
"##,
    ),
    (
        "phi.hcl",
        r##"environment "dev" {
  variables = { env = "dev" }
}
environment "prod" {
  variables = { env = "prod" }
}
specialize "foo_bar.z" {
  fields = ["size"]
}
"##,
    ),
];

/// A way out that writes blocks out.
const FIXES_UNROLL: Files = &[
    (
        "main.tf",
        r##"variable "env" {}
resource "foo_bar" "z" {
  dynamic "user" {
    for_each = { a = var.env, b = "y" }
    content {
      size     = user.value == "prod" ? 1 : 2
      password = "hunter2"
    }
  }
}
"##,
    ),
    (
        "phi.hcl",
        r##"environment "dev" {
  variables = { env = "dev" }
}
environment "prod" {
  variables = { env = "prod" }
}
specialize "foo_bar.z" {
  fields = ["user.size"]
}
"##,
    ),
];

/// A way out that writes a resource with `for_each`.
const FIXES_COUNT: Files = &[
    (
        "main.tf",
        r##"variable "env" {}
resource "foo_bar" "z" {
  count    = 2
  size     = count.index == 0 ? 1 : 2
  password = "hunter2"
}
"##,
    ),
    (
        "phi.hcl",
        r##"environment "dev" {
  variables = { env = "dev" }
}
environment "prod" {
  variables = { env = "prod" }
}
specialize "foo_bar.z" {
  fields = ["size"]
}
"##,
    ),
];

/// Why nothing finite is known of fields beside secrets.
const REASONS: Files = &[
    (
        "main.tf",
        r##"variable "env" {}
variable "pw" {}
data "foo_x" "d" {}
resource "aws_db_instance" "p" {
  password = var.pw
}
resource "foo_bar" "z" {
  a = "${data.foo_x.d.id}-${var.pw == "hunter2" ? 1 : 2}"
  b = var.pw == 48151623 ? data.foo_x.d.id : "v"
  c = data.foo_x.d.m[var.pw == "hunter2" ? "v" : "b"]
  d = "${data.foo_x.d.id}-${{ hunter2 = "v", b = 2 }[var.pw]}"
  e = merge(data.foo_x.d.m, { password = 48151623, db_password = "hunter2" })
  f = startswith(data.foo_x.d.id, "v") ? substr(var.pw, 0, 48151623) : "x"
}
"##,
    ),
    (
        "phi.hcl",
        r##"environment "dev" {
  variables = { env = "dev" }
}
environment "prod" {
  variables = { env = "prod" }
}
specialize "foo_bar.z" {
  fields = ["a", "b", "c", "d", "e", "f"]
}
"##,
    ),
];

/// Errors with a value that nobody listed.
const OUTSIDE: Files = &[
    (
        "main.tf",
        r##"variable "env" {
  default = "stage"
}
variable "pw" {
  default = "k"
}
locals {
  table = { dev = { password = "hunter2" }, prod = { password = "hunter2" } }
}
resource "aws_db_instance" "p" {
  password       = local.table["dev"].password
  engine_version = length({ x = "1", dev = "2", prod = "3" }[var.env]) == 1 ? "15" : "14"
}
resource "aws_db_instance" "q" {
  password       = "hunter2"
  engine_version = { dev = "2", prod = "3", x = local.table.dev.password }[var.env]
}
"##,
    ),
    (
        "phi.hcl",
        r##"environment "dev" {
  variables = { env = "dev" }
}
environment "prod" {
  variables = { env = "prod" }
}
specialize "aws_db_instance.q" {
  fields = ["engine_version"]
}
specialize "aws_db_instance.p" {
  fields = ["engine_version"]
}
"##,
    ),
];

/// Arguments and entries that are given twice.
const DUPS: Files = &[
    (
        "main.tf",
        r##"variable "env" {}
resource "aws_db_instance" "p" {
  password = "hunter2"
  password = "hunter2"
}
locals {
  x = { password = "hunter2", password = "hunter2" }
}
module "m" {
  source = "acme/x/aws"
  x = { api_token = "hunter2" }
  x = { api_token = "hunter2" }
}
"##,
    ),
    (
        "phi.hcl",
        r##"environment "dev" {
  variables = { env = "dev" }
}
environment "prod" {
  variables = { env = "prod" }
}
"##,
    ),
];

/// Blocks that are given twice, and what the language itself rejects.
const DUPB: Files = &[
    (
        "main.tf",
        r##"variable "env" {}
resource "aws_db_instance" "p" { password = "hunter2" }
resource "aws_db_instance" "p" { password = "hunter2" }
resource "aws_db_instance" "q" { password = "hunter2" extra }
"##,
    ),
    (
        "phi.hcl",
        r##"environment "dev" {
  variables = { env = "dev" }
}
environment "prod" {
  variables = { env = "prod" }
}
"##,
    ),
];

#[test]
fn entries_by_the_names_of_secrets_are_shown_through_no_construct() {
    let mut failures = Vec::new();
    failures.extend(shown_in("members", MEMBERS));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn no_excerpt_shows_a_secret_beside_what_is_wrong() {
    let mut failures = Vec::new();
    failures.extend(shown_in("excerpts", EXCERPTS));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn no_way_out_holds_a_secret() {
    let mut failures = Vec::new();
    failures.extend(shown_in("fixes_mark", FIXES_MARK));
    failures.extend(shown_in("fixes_json", FIXES_JSON));
    failures.extend(shown_in("fixes_unroll", FIXES_UNROLL));
    failures.extend(shown_in("fixes_count", FIXES_COUNT));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn no_reason_and_no_error_quotes_a_secret() {
    let mut failures = Vec::new();
    failures.extend(shown_in("reasons", REASONS));
    failures.extend(shown_in("outside", OUTSIDE));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn what_is_given_twice_shows_no_secret() {
    let mut failures = Vec::new();
    failures.extend(shown_in("dups", DUPS));
    failures.extend(shown_in("dupb", DUPB));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Secrets by a name, a mark and a variable of a module, in every construct.
#[test]
fn no_output_shows_a_secret_whatever_construct_it_stands_in() {
    let constructs = [
        "\"hunter2\"",
        "\"hunter2-${var.env}\"",
        "\"${var.env == \"prod\" ? \"hunter2-a\" : \"hunter2-b\"}\"",
        "48151623",
        "48151623 + nosuch.x",
        "<<EOT\nhunter2\nEOT\n",
        "[\"hunter2\", var.env]",
        "{ a = \"hunter2\" }",
        "{ hunter2 = var.env }[var.env]",
        "var.env == \"prod\" ? \"hunter2-p\" : \"hunter2-d\"",
        "upper(\"hunter2\")",
        "lower(format(\"%s\", \"hunter2\"))",
        "parseint(\"hunter2\", 10)",
        "lookup({ dev = \"hunter2-d\" }, var.env)",
        "merge({ a = \"hunter2\" }, nosuch.x)",
        "merge({ a = \"hunter2\" }, {}).a",
        "[for x in [\"hunter2\"] : x]",
        "{ for k, v in { a = \"hunter2\" } : k => v }",
        "one([\"hunter2\"])",
        "try(nosuch(), \"hunter2\")",
    ];
    let sinks = [
        "resource \"aws_db_instance\" \"s@\" {\n  password = %\n}\n",
        "resource \"foo_bar\" \"s@\" {\n  settings = merge(var.env == \"x\" ? {} : {}, { password = % })\n}\n",
        "locals {\n  l@ = %\n}\nresource \"aws_db_instance\" \"s@\" {\n  password = local.l@\n}\n",
        "locals {\n  l@ = { password = % }\n}\nresource \"foo_bar\" \"s@\" {\n  settings = local.l@\n}\n",
        "module \"m@\" {\n  source = \"./m\"\n  pw = %\n}\n",
        "module \"c@\" {\n  source = \"./m-${var.env}\"\n  pw = %\n}\n",
        "module \"n@\" {\n  source = \"acme/n/aws\"\n  list = [{ api_token = % }]\n}\n",
        "resource \"aws_mq_broker\" \"b@\" {\n  user {\n    password = %\n  }\n}\n",
        "resource \"aws_mq_broker\" \"d@\" {\n  dynamic \"user\" {\n    for_each = [%]\n    content {\n      password = user.value\n    }\n  }\n}\n",
        "variable \"v@\" {\n  sensitive = true\n  default = null\n}\noutput \"o@\" {\n  sensitive = true\n  value = var.v@ == % ? 1 : 2\n}\n",
    ];
    let module = "variable \"pw\" {\n  sensitive = true\n}\noutput \"pw\" {\n  sensitive = true\n  value = var.pw\n}\n";
    let phi = "environment \"dev\" {\n  variables = { env = \"dev\" }\n}\nenvironment \"prod\" {\n  variables = { env = \"prod\" }\n}\n";
    let mut failures = Vec::new();
    for (number, sink) in sinks.iter().enumerate() {
        let mut main = "variable \"env\" {}\n".to_owned();
        for (at, construct) in constructs.iter().enumerate() {
            let text = sink.replace('@', &at.to_string());
            let is_within = text.contains("{ password = %")
                || text.contains("{ api_token = %")
                || text.contains("[%]")
                || text.contains("% ?");
            if !(is_within && construct.contains('\n')) {
                main.push_str(&text.replace('%', construct));
            }
        }
        let scratch = Scratch::new([
            ("main.tf", &*main),
            ("m/main.tf", module),
            ("m-dev/main.tf", module),
            ("m-prod/main.tf", module),
            ("phi.hcl", phi),
        ]);
        for output in ["validate", "trace --all", "matrix --all", "suggest", "check", "graph"] {
            let words: Vec<&str> = output.split(' ').collect();
            let done = scratch.run(&words);
            let said = format!("{}{}", done.out, done.err);
            assert!(!said.contains("panicked"), "{said}");
            let told = said.lines().filter(|line| CANARIES.iter().any(|canary| line.contains(canary)));
            failures.extend(told.map(|line| format!("sink {number}: {output}: {line}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
