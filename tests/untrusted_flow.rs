//! Secrets × constructs that hand a value on × commands × formats: none of them is shown.
//!
//! A secret is a text that nothing else has. It comes from a variable, a local, an environment or a resource; each construct of the language makes
//! something of it; each command prints all that it knows. Looked for is the text itself, and what the constructs make of it.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

mod cli_common;

use cli_common::git::{git, repository_of};
use cli_common::{Done, Scratch};
use std::fmt::Write as _;

/// Every secret has this in it. Its other forms are what functions make of it.
const CANARY: &str = "hunter2zq";

/// The text, and what it looks like upside down, in capitals, in hexadecimal digits and in Base64, wherever it begins.
const FORMS: [&str; 8] = [
    CANARY,
    "HUNTER2ZQ",
    "Hunter2zq",
    "qz2retnuh",
    "68756e7465723271",
    "aHVudGVyMnpx",
    "h1bnRlcjJ6c",
    "odW50ZXIyen",
];

/// What the language makes of a secret `S`.
const CONSTRUCTS: &[&str] = &[
    "S",
    "(S)",
    "\"${S}\"",
    "\"x-${S}\"",
    "\"%{ if true }${S}%{ endif }\"",
    "\"%{ for c in [S] }${c}%{ endfor }\"",
    "<<-EOT\n  %{ for c in [S] ~}\n  ${c}\n  %{ endfor ~}\n  EOT\n",
    "<<-EOT\n  text ${S}\n  EOT\n",
    "true ? S : \"\"",
    "var.env == \"prod\" ? S : \"q\"",
    "length(S) > 3 ? S : \"q\"",
    "startswith(S, \"h\") ? \"a\" : \"b\"",
    "S == \"known-zq\" ? \"a\" : \"b\"",
    "{ known-zq = 1 }[S]",
    "lookup({ a = 1 }, S, 2)",
    "[S]",
    "[S][0]",
    "[{ a = S }][*].a",
    "[{ a = S }].*.a",
    "{ a = S }",
    "{ (S) = 1 }",
    "{ \"x-${S}\" = 1 }",
    "{ a = { b = [S] } }.a.b[0]",
    "{ a = { b = [S] } }[\"a\"].b",
    "[for x in [S] : x]",
    "[for x in [S] : x if x != \"\"]",
    "[for x in [S] : upper(x)]",
    "[for i, x in [S] : \"${i}${x}\"]",
    "{ for k, v in { a = S } : k => v }",
    "{ for x in [S] : x => 1 }",
    "{ for x in [S] : \"a\" => x... }",
    "[for y in [for x in [S] : { z = x }] : y.z]",
    "[for k, v in { (S) = 1 } : k]",
    "keys({ (S) = 1 })",
    "values({ a = S })",
    "lower(S)",
    "upper(S)",
    "title(S)",
    "strrev(S)",
    "format(\"%s!\", S)",
    "format(\"%q\", [S]...)",
    "formatlist(\"%s!\", [S])",
    "join(\",\", [S, \"b\"])",
    "split(\"-\", S)",
    "replace(S, \"-\", \"+\")",
    "substr(S, 0, 9)",
    "trim(S, \"x\")",
    "trimprefix(S, \"q\")",
    "trimsuffix(S, \"q\")",
    "trimspace(S)",
    "chomp(S)",
    "indent(2, S)",
    "regex(\"h.*\", S)",
    "regexall(\"h.*\", S)",
    "base64encode(S)",
    "base64decode(base64encode(S))",
    "textencodebase64(S, \"UTF-8\")",
    "urlencode(S)",
    "jsonencode({ a = S })",
    "jsondecode(jsonencode([S]))",
    "yamlencode([S])",
    "yamldecode(yamlencode([S]))",
    "csvdecode(\"a\\n${S}\")",
    "tostring(S)",
    "tolist([S])",
    "toset([S])",
    "tomap({ a = S })",
    "try(S, 1)",
    "try(tonumber(S), S)",
    "coalesce(\"\", S)",
    "coalescelist([], [S])",
    "compact([S])",
    "concat([], [S])",
    "contains([S], \"b\") ? S : upper(S)",
    "distinct([S])",
    "element([S], 0)",
    "flatten([[S]])",
    "index([S], \"b\")",
    "lookup({ a = S }, \"a\", \"\")",
    "matchkeys([S], [1], [1])",
    "merge({}, { a = S })",
    "one([S])",
    "reverse([S])",
    "setintersection([S], [S])",
    "setproduct([S], [\"b\"])",
    "setsubtract([S], [\"b\"])",
    "setunion([S], [\"b\"])",
    "slice([S], 0, 1)",
    "sort([S])",
    "chunklist([S], 1)",
    "transpose({ a = [S] })",
    "transpose({ (S) = [\"a\"] })",
    "zipmap([\"a\"], [S])",
    "zipmap([S], [1])",
    "basename(S)",
    "dirname(\"${S}/x\")",
    "abspath(S)",
    "pathexpand(S)",
    "templatefile(\"t.tpl\", { s = S })",
    "file(S)",
    "fileset(S, \"*\")",
    "tonumber(S)",
    "parseint(S, 10)",
    "tobool(S)",
    "cidrhost(S, 1)",
    "timeadd(S, \"1h\")",
    "formatdate(S, \"2020-01-01T00:00:00Z\")",
    "S.attribute",
    "S[0]",
    "S + 1",
    "!S",
    "[for x in S : x]",
    "sum([S])",
    "regex(\"^nosuch$\", S)",
    "regex(S, \"x\")",
    "one([S, S])",
    "{ for x in [S, S] : x => 1 }",
];

/// Where a secret comes from: an expression that gives it, and what declares that. Each stands in an argument `password`.
const SOURCES: &[(&str, &str)] = &[
    (
        "var.pw",
        "variable \"pw\" {\n  default = \"hunter2zq-default\"\n}\nresource \"aws_db_instance\" \"pw\" {\n  password = var.pw\n}\n",
    ),
    ("var.given", "resource \"aws_db_instance\" \"given\" {\n  password = var.given\n}\n"),
    ("var.typed", "resource \"aws_db_instance\" \"typed\" {\n  password = var.typed\n}\n"),
    (
        "local.lpw",
        "locals {\n  lpw = \"hunter2zq-local\"\n}\nresource \"aws_db_instance\" \"lpw\" {\n  password = local.lpw\n}\n",
    ),
    (
        "local.table[var.env]",
        "locals {\n  table = { dev = \"hunter2zq-dev\", prod = \"hunter2zq-prod\" }\n}\nresource \"aws_db_instance\" \"table\" {\n  password = local.table[var.env]\n}\n",
    ),
    (
        "local.each.a.password",
        "locals {\n  each = { a = { password = \"hunter2zq-ea\", size = \"shown-size\" }, b = { password = \"hunter2zq-eb\", size = \"shown-size\" } }\n}\nresource \"aws_db_instance\" \"each\" {\n  for_each       = local.each\n  password       = each.value.password\n  instance_class = each.value.size\n  identifier     = each.key\n}\n",
    ),
    (
        "local.users[0].password",
        "locals {\n  users = [{ name = \"shown-user\", password = \"hunter2zq-user\" }]\n}\nresource \"aws_mq_broker\" \"users\" {\n  dynamic \"user\" {\n    for_each = local.users\n    content {\n      username = user.value.name\n      password = user.value.password\n    }\n  }\n}\n",
    ),
    (
        "local.made.a",
        "locals {\n  raw  = [\"hunter2zq-raw\"]\n  made = { for i, x in local.raw : \"a\" => upper(x) }\n}\nresource \"aws_db_instance\" \"made\" {\n  password = join(\"\", [local.made[\"a\"]])\n}\n",
    ),
    (
        "aws_db_instance.direct.password",
        "resource \"aws_db_instance\" \"direct\" {\n  password = \"hunter2zq-direct\"\n}\n",
    ),
    (
        "terraform_data.t.input",
        "resource \"terraform_data\" \"t\" {\n  input = var.pw2\n}\nvariable \"pw2\" {\n  default = \"hunter2zq-tdata\"\n}\nresource \"aws_db_instance\" \"pw2\" {\n  password = var.pw2\n}\n",
    ),
    (
        "module.m.pw",
        "module \"m\" {\n  source = \"./m\"\n  pw     = var.env == \"prod\" ? \"hunter2zq-m1\" : \"hunter2zq-m2\"\n}\n",
    ),
    ("var.marked", "variable \"marked\" {\n  sensitive = true\n  default   = \"hunter2zq-marked\"\n}\n"),
];

/// Repetition by a secret, and what the names of repetition hand on.
const PLACES: &str = r#"
resource "aws_instance" "value_N" {
  for_each  = { a = S }
  user_data = each.value
  tags      = { t = "x-${each.value}" }
}
resource "aws_instance" "object_N" {
  for_each      = { a = { pw = S, size = "shown-size" } }
  user_data     = each.value.pw
  instance_type = each.value.size
}
resource "aws_instance" "key_N" {
  for_each  = toset([S])
  user_data = each.key
  ami       = each.value
  tags      = { t = upper(each.key) }
  key_name  = each.key == "known-zq" ? "a" : "b"
  subnet_id = var.env
}
resource "aws_instance" "map_N" {
  for_each  = { (S) = "plain" }
  user_data = each.key
  ami       = each.value
}
resource "aws_instance" "for_N" {
  for_each  = { for k, v in { a = S } : k => v }
  user_data = each.value
}
resource "aws_instance" "dynamic_N" {
  dynamic "ebs_block_device" {
    for_each = [S]
    content {
      device_name = ebs_block_device.value
      volume_type = var.env
    }
  }
  dynamic "network_interface" {
    for_each = { (S) = "x" }
    iterator = it
    content {
      device_index         = it.key
      network_interface_id = it.value
    }
  }
  dynamic "launch_template" {
    for_each = toset([S])
    content {
      name = launch_template.key
      dynamic "inner" {
        for_each = [{ deep = launch_template.value }]
        content {
          id = inner.value.deep
        }
      }
    }
  }
}
resource "aws_instance" "self_N" {
  user_data = terraform_data.holder_N.input
  ami       = terraform_data.holders_N[0].input.deep
  tags      = { all = join(",", terraform_data.holders_N[*].input.deep) }
}
resource "terraform_data" "holder_N" {
  input = S
}
resource "terraform_data" "holders_N" {
  count = 1
  input = { deep = S }
}
module "child_N" {
  source = "./child"
  name   = S
}
module "children_N" {
  source   = "./child"
  for_each = { a = S }
  name     = each.value
}
module "keyed_N" {
  source   = "./child"
  for_each = toset([S])
  name     = each.key
}
output "child_N" {
  value = module.child_N.name
}
output "children_N" {
  value = [module.children_N["a"].name, values(module.children_N)[*].name, module.children_N, module.child_N]
}
locals {
  hop_N  = { a = [S], size = "shown-size" }
  hops_N = [for x in local.hop_N.a : { y = x }]
}
output "hops_N" {
  value = local.hops_N[0].y
}
output "hop_size_N" {
  value = local.hop_N.size
}
"#;

const CHILD: &str = "variable \"name\" {}\nresource \"aws_instance\" \"c\" {\n  user_data = var.name\n  tags      = { t = \"x-${var.name}\" }\n}\noutput \"name\" {\n  value = var.name\n}\n";
const MODULE: &str = "variable \"pw\" {}\nresource \"google_sql_user\" \"s\" {\n  password = var.pw\n}\noutput \"pw\" {\n  value = var.pw\n}\n";
const PHI: &str = "environment \"dev\" {\n  variables = { env = \"dev\", given = \"shown-given1\", typed = \"shown-typed1\" }\n}\nenvironment \"prod\" {\n  variables = { env = \"prod\", given = \"shown-given2\", typed = \"shown-typed2\" }\n}\n";
const HEAD: &str = "variable \"env\" {}\nvariable \"given\" {}\nvariable \"typed\" {\n  type = string\n}\nresource \"aws_db_instance\" \"app\" {\n  engine_version = var.env == \"prod\" ? \"15\" : \"14\"\n}\n";

/// Environments, in which the source of secrets has one.
fn phi(source: usize) -> String {
    match SOURCES[source].0.strip_prefix("var.") {
        Some(name) => PHI.replace(&format!("shown-{name}"), &format!("{CANARY}-{name}")),
        None => PHI.to_owned(),
    }
}

/// One tree for each source.
fn tree(source: usize) -> (Scratch, String) {
    let (secret, declared) = SOURCES[source];
    let mut main = format!("{HEAD}{declared}");
    for (at, construct) in CONSTRUCTS.iter().enumerate() {
        // `S` stands alone in each of them.
        let words = construct.replace("%{S", "%{ S");
        let expr = replaced(&words, secret);
        write!(main, "output \"c{at}\" {{\n  value = {expr}\n}}\n").unwrap();
    }
    main.push_str(&replaced(PLACES, secret).replace("_N", &format!("_{source}")));
    let files = [
        ("main.tf", main.as_str()),
        ("m/main.tf", MODULE),
        ("child/main.tf", CHILD),
        ("t.tpl", "v=${s}"),
        ("phi.hcl", &*phi(source)),
    ];
    (Scratch::new(files), main.clone())
}

/// A text with an expression in the place of each `S` that is no part of a word.
fn replaced(text: &str, secret: &str) -> String {
    let mut out = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let beside = |at: Option<&char>| at.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_');
        let alone = !beside(at.checked_sub(1).and_then(|at| chars.get(at))) && !beside(chars.get(at + 1));
        match *c == 'S' && alone {
            true => out.push_str(secret),
            false => out.push(*c),
        }
    }
    out
}

fn silent(done: &Done, what: &str, failures: &mut Vec<String>) {
    let all = format!("{}{}", done.out, done.err);
    // Where nothing is found, nothing is said.
    assert!(all.len() > 10 || what.contains("validate"), "{what}: nothing was printed");
    assert!(!all.contains("panicked"), "{what}: {all}");
    let is_loud = |line: &&str| FORMS.iter().any(|form| line.contains(form));
    for line in all.lines().filter(is_loud).take(200) {
        let at = FORMS.iter().find_map(|form| line.find(form)).unwrap();
        let from = (0..=at.saturating_sub(120)).rev().find(|i| line.is_char_boundary(*i)).unwrap();
        failures.push(format!("{what}: {}", line[from..].chars().take(240).collect::<String>()));
    }
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
    "trace --all --env prod",
    "graph",
    "graph output.c0.value",
    "graph aws_instance.value_N.user_data --format mermaid",
    "graph aws_instance.key_N.user_data --format svg",
    "graph aws_instance.key_N.user_data --format html",
    "validate",
    "validate --format json",
    "validate --format markdown",
    "validate --format sarif",
    "validate --format github",
    "validate --format html",
    "suggest",
    "check",
    "check --format json",
];

/// What each source goes through.
const CORE: [&str; 4] =
    ["matrix --all --format json", "trace --all --format json", "trace --all", "validate"];

fn each_source(lines: &[&str]) {
    let mut failures = Vec::new();
    for (source, named) in SOURCES.iter().enumerate() {
        let (scratch, _) = tree(source);
        // Formats are rendered from the same report: one source in CI goes through all of them.
        let whole = source % 11 == 0 || std::env::var_os("TF_PHI_ALL_SECRETS").is_some();
        let is_meant = |line: &&&str| whole || CORE.contains(*line);
        for line in lines.iter().filter(is_meant) {
            let line = line.replace("_N", &format!("_{source}"));
            let words: Vec<&str> = line.split(' ').collect();
            silent(&scratch.run(&words), &format!("{} {line}", named.0), &mut failures);
        }
    }
    let count = failures.len();
    assert!(failures.is_empty(), "{count} lines: {:#?}", &failures[..count.min(60)]);
}

#[test]
fn no_construct_shows_a_secret_where_it_is_read() {
    each_source(READING);
}

/// A review shows what each environment had and has, and what a secret became isn't among that.
#[test]
fn no_construct_shows_a_secret_in_a_review() {
    let mut failures = Vec::new();
    for (source, named) in SOURCES.iter().enumerate() {
        let (scratch, main) = tree(source);
        repository_of(&scratch.tree());
        let base = format!("--base={}", git(&scratch.tree(), &["rev-parse", "HEAD"]).trim());
        let changed = main.replace("hunter2zq-", "hunter2zq-new-").replace("\"15\"", "\"16\"");
        std::fs::write(scratch.tree().join("main.tf"), changed).unwrap();
        std::fs::write(scratch.tree().join("phi.hcl"), phi(source).replace("hunter2zq-", "hunter2zq-new-"))
            .unwrap();
        for format in ["text", "json", "markdown", "html"] {
            let done = scratch.run(&["review", &base, "--format", format]);
            silent(&done, &format!("{} review {format}", named.0), &mut failures);
        }
    }
    let count = failures.len();
    assert!(failures.is_empty(), "{count} lines: {:#?}", &failures[..count.min(60)]);
}

/// What isn't secret stays: other attributes of what holds one, and what only stands beside one in a text.
#[test]
fn nothing_else_is_withheld() {
    for (source, named) in SOURCES.iter().enumerate() {
        let (scratch, _) = tree(source);
        let done = scratch.run(&["matrix", "--all"]);
        for row in [
            "aws_db_instance.app.engine_version",
            "aws_instance.object_N.instance_type",
            "output.hop_size_N.value",
        ] {
            let row = row.replace("_N", &format!("_{source}"));
            let line = done.out.lines().find(|line| line.starts_with(&row));
            assert!(
                line.is_some_and(|line| !line.contains("sensitive")),
                "{}: {row}: {line:?}\n{}{}",
                named.0,
                done.out,
                done.err
            );
        }
    }
}

/// What picks by keys that are secrets. `M` is a map with such keys, `L` a list of them, `P` a list of objects that hold them; `var.env` is plain, as
/// is all that these come to.
const PICKS: &[&str] = &[
    "M[var.env]",
    "lookup(M, var.env, \"none\")",
    "try(M[var.env], \"none\")",
    "can(M[var.env]) ? \"a\" : \"b\"",
    "merge(M, { plain = \"p\" })[var.env]",
    "contains(keys(M), var.env) ? \"a\" : \"b\"",
    "contains(L, var.env) ? \"a\" : \"b\"",
    "L[0] == var.env ? \"a\" : \"b\"",
    "keys(M)[0] == var.env ? \"a\" : \"b\"",
    "index(L, var.env)",
    "element([\"a\", \"b\"], index(L, var.env))",
    "[\"a\", \"b\"][index(keys(M), var.env)]",
    "length([for x in L : x if x == var.env]) > 0 ? \"a\" : \"b\"",
    "one([for p in P : p.size if p.password == var.env])",
    "join(\",\", [for p in P : p.size if p.password != var.env])",
    "{ for p in P : p.size => p.name... if p.password == var.env }",
    "{ for k, v in M : v => k == var.env ? \"a\" : \"b\"... }",
    "zipmap(P[*].password, P[*].size)[var.env]",
    "zipmap(L, [\"s\", \"l\"])[var.env]",
    "transpose({ for p in P : p.size => [p.password] })[var.env]",
    "matchkeys([\"a\", \"b\"], L, [var.env])",
    "length(setintersection(L, [var.env])) > 0 ? \"a\" : \"b\"",
    "length(setsubtract(toset([var.env]), L)) > 0 ? \"a\" : \"b\"",
    "regex(join(\"|\", L), var.env) == \"\" ? \"a\" : \"b\"",
    "can(regex(\"^(${join(\"|\", L)})$\", var.env)) ? \"a\" : \"b\"",
    "startswith(var.env, L[0]) ? \"a\" : \"b\"",
    "replace(var.env, L[0], \"\") == \"\" ? \"a\" : \"b\"",
    "coalesce(lookup(M, var.env, null), \"none\")",
    "\"%{ if var.env == L[0] }a%{ else }b%{ endif }\"",
    "upper(var.env) == upper(L[0]) ? \"a\" : \"b\"",
    "{ for k, v in M : \"x-${k}\" => v }[\"x-${var.env}\"]",
    "values({ for k, v in M : k => v if k == var.env })",
    "[for p in P : p.size if contains([p.password], var.env)]",
    "lookup({ for p in P : p.password => { size = p.size } }, var.env, { size = \"none\" }).size",
    "var.checked == \"q\" ? \"a\" : \"b\"",
];

/// The same by other ways than expressions: repetition, blocks, modules.
const PICKING: &str = r#"
variable "checked" {
  default = "q"
  validation {
    condition     = contains(concat(L, ["q"]), var.checked)
    error_message = "No."
  }
}
locals {
  picked = M[var.env]
  twice  = { a = local.picked }
}
output "picked" {
  value = local.twice.a
}
resource "aws_instance" "count" {
  count     = contains(L, var.env) ? 1 : 0
  subnet_id = var.env == "prod" ? "a" : "b"
}
resource "aws_instance" "each" {
  for_each  = { for p in P : p.name => p.size if p.password == var.env }
  subnet_id = each.value
}
resource "aws_instance" "blocks" {
  dynamic "ebs_block_device" {
    for_each = [for p in P : p.size if p.password == var.env]
    content {
      device_name = ebs_block_device.value
    }
  }
}
module "picked" {
  source = "./child"
  name   = lookup(M, var.env, "none")
}
module "counted" {
  source = "./child"
  count  = contains(keys(M), var.env) ? 1 : 0
  name   = "plain"
}
output "of_module" {
  value = module.picked.name
}
resource "aws_instance" "checked" {
  subnet_id = var.env
  lifecycle {
    precondition {
      condition     = contains(L, var.env)
      error_message = "No."
    }
  }
}
output "shown" {
  value = var.env == "shown-plain" ? "a" : "b"
}
output "shown_index" {
  value = { shown-one = 1, shown-two = 2 }[var.env]
}
output "shown_beside" {
  value = P[0].size == "s" && var.env == "shown-three" ? "a" : "b"
}
"#;

/// Where the keys come from: what declares them, and what `M`, `L` and `P` are.
const KEYED: &[(&str, [&str; 3])] = &[
    (
        "locals {\n  people = [{ name = \"shown-ann\", password = \"hunter2zq-a\", size = \"s\" }, { name = \"bob\", password = \"hunter2zq-b\", size = \"l\" }]\n  sizes  = { for p in local.people : p.password => p.size }\n  words  = local.people[*].password\n}\nresource \"aws_mq_broker\" \"b\" {\n  dynamic \"user\" {\n    for_each = local.people\n    content {\n      password = user.value.password\n    }\n  }\n}\n",
        ["local.sizes", "local.words", "local.people"],
    ),
    (
        "variable \"people\" {\n  sensitive = true\n  default   = [{ name = \"shown-ann\", password = \"hunter2zq-a\", size = \"s\" }, { name = \"bob\", password = \"hunter2zq-b\", size = \"l\" }]\n}\nlocals {\n  sizes = { for p in var.people : p.password => p.size }\n}\n",
        ["local.sizes", "keys(local.sizes)", "var.people"],
    ),
    (
        "locals {\n  pw     = sensitive(\"hunter2zq-p\")\n  people = [{ name = \"shown-ann\", password = local.pw, size = \"s\" }]\n}\n",
        ["{ (local.pw) = \"s\" }", "[local.pw, \"b\"]", "local.people"],
    ),
    (
        "variable \"people\" {\n  type = list(object({ name = string, password = string, size = string }))\n}\nlocals {\n  sizes = { for p in var.people : p.password => p.size }\n}\nresource \"aws_db_instance\" \"b\" {\n  for_each = { for p in var.people : p.name => p }\n  password = each.value.password\n}\n",
        ["local.sizes", "[for p in var.people : p.password]", "var.people"],
    ),
    (
        "locals {\n  sizes = { hunter2zq-x = \"s\", hunter2zq-y = \"l\" }\n}\nresource \"aws_db_instance\" \"b\" {\n  for_each = local.sizes\n  password = each.key\n}\n",
        [
            "local.sizes",
            "keys(local.sizes)",
            "[for k, v in local.sizes : { name = \"shown-ann\", password = k, size = v }]",
        ],
    ),
];

/// A tree whose secrets are keys. Nothing lists the values of what picks by them.
fn keyed_tree(at: usize) -> (Scratch, String) {
    let (declared, [map, list, people]) = KEYED[at];
    let put_in = |text: &str| {
        let words = |text: String, word: char, by: &str| {
            replaced(&text.replace('S', "\u{1}").replace(word, "S"), by).replace('\u{1}', "S")
        };
        words(words(words(text.to_owned(), 'M', map), 'L', list), 'P', people)
    };
    let mut main = format!("variable \"env\" {{}}\n{declared}{}", put_in(PICKING));
    for (at, pick) in PICKS.iter().enumerate() {
        write!(main, "output \"k{at}\" {{\n  value = {}\n}}\n", put_in(pick)).unwrap();
    }
    let people = "[{ name = \"shown-ann\", password = \"hunter2zq-t\", size = \"s\" }]";
    let given = |people: &str| match declared.contains("variable \"people\"") {
        true => format!("people = {people}"),
        false => String::new(),
    };
    let phi = format!(
        "environment \"one\" {{\n  variables = {{ {} }}\n}}\nenvironment \"two\" {{\n  variables = {{ {} }}\n}}\n",
        given(people),
        given("[]")
    );
    let files = [("main.tf", main.as_str()), ("child/main.tf", CHILD), ("phi.hcl", &*phi)];
    (Scratch::new(files), main.clone())
}

/// What a map with secret keys is asked for tells none of them: not in a condition, not in a hop, not in a finding.
#[test]
fn no_key_shows_a_secret_that_picks() {
    let mut failures = Vec::new();
    for at in 0..KEYED.len() {
        let (scratch, _) = keyed_tree(at);
        let whole = at == 0 || std::env::var_os("TF_PHI_ALL_SECRETS").is_some();
        for line in READING.iter().filter(|line| whole || CORE.contains(*line)) {
            let line =
                line.replace("output.c0", "output.k0").replace("value_N", "count").replace("key_N", "each");
            let line = line.replace(".user_data", ".subnet_id").replace("--env prod", "--env one");
            let words: Vec<&str> = line.split(' ').collect();
            silent(&scratch.run(&words), &format!("{at} {line}"), &mut failures);
        }
    }
    let count = failures.len();
    assert!(failures.is_empty(), "{count} lines: {:#?}", &failures[..count.min(60)]);
}

/// The same in a review.
#[test]
fn no_key_shows_a_secret_that_picks_in_a_review() {
    let mut failures = Vec::new();
    for at in 0..KEYED.len() {
        let (scratch, main) = keyed_tree(at);
        repository_of(&scratch.tree());
        let base = format!("--base={}", git(&scratch.tree(), &["rev-parse", "HEAD"]).trim());
        let changed = main.replace("hunter2zq-", "hunter2zq-new-").replace("\"a\"", "\"aa\"");
        std::fs::write(scratch.tree().join("main.tf"), changed).unwrap();
        for format in ["text", "json"] {
            let done = scratch.run(&["review", &base, "--format", format]);
            silent(&done, &format!("{at} review {format}"), &mut failures);
        }
    }
    let count = failures.len();
    assert!(failures.is_empty(), "{count} lines: {:#?}", &failures[..count.min(60)]);
}

/// Conditions on what is plain stay, in a tree that holds secrets.
#[test]
fn conditions_on_what_is_plain_are_shown() {
    for (at, (declared, _)) in KEYED.iter().enumerate() {
        let (scratch, _) = keyed_tree(at);
        for (field, text) in [
            ("output.shown.value", "var.env == \"shown-plain\""),
            ("output.shown_index.value", "var.env == \"shown-one\""),
            ("output.shown_beside.value", "var.env == \"shown-three\""),
        ] {
            // What stands beside it may be compared with a secret, or come from its keys.
            if field.contains("beside") && !declared.contains("people = [") {
                continue;
            }
            let done = scratch.run(&["trace", field]);
            assert!(done.out.contains(text), "{at} {field}: {}{}", done.out, done.err);
        }
    }
}
