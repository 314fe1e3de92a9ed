//! Secrets in other forms than their own: as keys without quotes, in errors of conversion, behind words that `phi.hcl` doesn't know, as functions make of them, and with
//! letters that nobody sees. Each secret has digits in it, or is a word that the tree has nowhere else.

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};

/// What shows something. `diff` and `plan` show sources on standard output; what they say of them stands in the other one.
const OUTPUTS: [&str; 15] = [
    "validate",
    "validate --format json",
    "validate --format html",
    "validate --format sarif",
    "validate --format github",
    "trace --all",
    "trace --all --format json",
    "trace --all --format markdown",
    "matrix --all",
    "matrix --all --format json",
    "matrix --all --format html",
    "graph",
    "graph --format html",
    "check",
    "plan --dry-run",
];

const ENVIRONMENTS: &str = "environment \"dev\" {\n  variables = { env = \"dev\" }\n}\nenvironment \"prod\" {\n  variables = { env = \"prod\" }\n}\n";

/// Returns the lines of one run that have one of the texts in them.
fn telling(done: &Done, line: &str, texts: &[&str]) -> Vec<String> {
    let said = if line.starts_with("plan") { done.err.clone() } else { format!("{}{}", done.out, done.err) };
    assert!(!said.contains("panicked"), "{line}: {said}");
    let is_one = |said: &&str| texts.iter().any(|text| said.contains(text));
    said.lines().filter(is_one).map(|said| format!("{line}: {said}")).collect()
}

/// Fails where a run shows one of the texts.
fn assert_silent(name: &str, files: &[(&str, &str)], outputs: &[&str], texts: &[&str]) {
    let scratch = Scratch::new(files.iter().copied());
    let mut found = Vec::new();
    for line in outputs {
        let words: Vec<&str> = line.split(' ').collect();
        found.extend(telling(&scratch.run(&words), line, texts));
    }
    assert!(found.is_empty(), "{name}: {found:#?}");
}

/// Keys that are secrets, in every construct that names one without quotes: a reason, an error, a hop, an excerpt.
#[test]
fn no_word_names_a_key_that_is_a_secret() {
    let main = r#"variable "env" {}
variable "free" {}
locals {
  users = { hunter2-a = { size = "s" }, swordfish = { size = "l" } }
  deep  = { hunter2-e = { hunter2-f = "x" } }
}
resource "aws_db_instance" "each" {
  for_each       = local.users
  password       = each.key
  engine_version = each.value.size
  name           = each.value.nosuch
}
resource "aws_db_instance" "deep" {
  password       = "${keys(local.deep)[0]}"
  identifier     = keys(local.deep)[0]
  secret_string  = one(keys(local.deep))
}
resource "aws_instance" "hops" {
  a = local.deep["hunter2-e"].hunter2-f
  b = local.deep.hunter2-e.nosuch
  c = local.users.swordfish.nosuch
  d = local.users[var.env].size
  e = local.users[var.free].size
  f = { for k, v in local.users : k => v.nosuch }
  g = { for k, v in local.users : "x" => v.size }
  h = local.users["swordfish"].size.x
}
module "m" {
  source   = "./m"
  for_each = local.users
  pw       = each.key
  size     = each.value.size
}
output "a" {
  value = module.m["hunter2-a"].size
}
output "b" {
  value = aws_db_instance.each["swordfish"].nosuch.x
}
"#;
    let module = "variable \"pw\" {}\nvariable \"size\" {}\nresource \"aws_db_instance\" \"x\" {\n  password       = var.pw\n  engine_version = var.size == \"s\" ? \"1\" : timestamp()\n}\noutput \"size\" {\n  value = var.size\n}\n";
    let phi = format!(
        "{ENVIRONMENTS}specialize \"aws_db_instance\" {{\n  fields = [\"engine_version\"]\n}}\nspecialize \"aws_instance\" {{\n  fields = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\"]\n}}\n"
    );
    let files = [("main.tf", main), ("m/main.tf", module), ("phi.hcl", &*phi)];
    assert_silent("keys", &files, &OUTPUTS, &["hunter2", "swordfish"]);
}

/// What doesn't fit a type is said without the keys of a value that is sensitive.
#[test]
fn no_error_of_conversion_names_a_key_of_a_secret() {
    let types = [
        "map(number)",
        "map(object({ size = number }))",
        "object({ size = number })",
        "list(number)",
        "map(map(bool))",
        "tuple([number])",
    ];
    let values = [
        "{ swordfish = \"x\", hunter2-k = true }",
        "{ swordfish = { size = \"x\" }, hunter2-k = {} }",
        "{ \"swordfish\" = [], size = { hunter2-k = 1 } }",
        "[\"swordfish\", \"hunter2-k\"]",
    ];
    for (at, ty) in types.iter().enumerate() {
        for (number, value) in values.iter().enumerate() {
            let main = format!(
                "variable \"env\" {{}}\nvariable \"a\" {{\n  sensitive = true\n  type      = {ty}\n}}\nmodule \"m\" {{\n  source = \"./m\"\n  pw     = {value}\n}}\nresource \"aws_instance\" \"x\" {{\n  ami = try(var.a[var.env], 1)\n}}\n"
            );
            let module = format!("variable \"pw\" {{\n  sensitive = true\n  type      = {ty}\n}}\n");
            let phi = format!(
                "environment \"dev\" {{\n  variables = {{ env = \"dev\", a = {value} }}\n}}\nspecialize \"aws_instance\" {{\n  fields = [\"ami\"]\n}}\n"
            );
            let default = format!(
                "variable \"b\" {{\n  sensitive = true\n  type      = {ty}\n  default   = {value}\n}}\n"
            );
            // Each file with its own error, and the default of a variable with the others.
            let more = if (at + number) % 2 == 0 { &*default } else { "" };
            let files = [("main.tf", &*main), ("m/main.tf", &*module), ("b.tf", more), ("phi.hcl", &*phi)];
            assert_silent(
                ty,
                &files,
                &["validate", "matrix --all --format json", "check"],
                &["hunter2", "swordfish"],
            );
        }
    }
}

/// What stands where a value is meant, behind a word that isn't known there.
#[test]
fn no_word_that_is_unknown_in_phi_hcl_shows_what_it_gives() {
    let given = [
        "environmet \"dev\" {\n  variables = { pw = \"swordfish\", pv = \"hunter2-a\" }\n}\n",
        "environment \"dev\" {\n  variabels = { pw = \"swordfish\", pv = \"hunter2-a\" }\n}\n",
        "environment \"dev\" {\n  variables = { pw = \"swordfish\", pww = \"hunter2-a\" }\n}\n",
        "environment \"dev\" {\n  variables = { pw = { swordfish = nosuch.hunter2-a } }\n}\n",
        "environment \"dev\" {\n  variables {\n    pw = \"swordfish\"\n    pv = \"hunter2-a\"\n  }\n}\n",
        "environment \"dev\" {\n  variables = { pw = \"swordfish\" hunter2-a }\n}\n",
        "environment \"dev\" {\n  pw = var.swordfish\n  pv = \"hunter2-a\"\n}\n",
        "variable \"pw\" {\n  universe = [\"swordfish\", \"hunter2-a\", nosuch]\n}\n",
        "variable \"pw\" {\n  univers = [\"swordfish\", \"hunter2-a\"]\n}\n",
        "variable \"pww\" {\n  universe = [\"swordfish\", \"hunter2-a\"]\n}\n",
        "pw = \"swordfish hunter2-a\"\n",
        "settings {\n  pw = \"swordfish\"\n  pv = \"hunter2-a\"\n}\n",
        "backend \"pg\" {\n  conn_str = \"swordfish hunter2-a\"\n  x        = nosuch()\n}\n",
        "service \"x\" {\n  replaces = \"aws_db_instance\"\n  inputs   = { pw = \"hunter2-a\", q = swordfish.x }\n}\n",
    ];
    let main = "variable \"pw\" {}\nresource \"aws_db_instance\" \"x\" {\n  password = var.pw\n}\n";
    for phi in given {
        assert_silent(phi, &[("main.tf", main), ("phi.hcl", phi)], &OUTPUTS, &["hunter2", "swordfish"]);
    }
}

/// What functions make of a secret, wherever a message, a hop or an excerpt would say it: by the flow of values, and by the texts.
#[test]
fn no_form_of_a_secret_is_shown() {
    let made = [
        "upper(S)",
        "lower(S)",
        "title(S)",
        "strrev(S)",
        "substr(S, 2, 10)",
        "split(\"-\", S)[9]",
        "base64encode(S)",
        "base64encode(\"x${S}\")",
        "base64encode(\"xy${S}\")",
        "textencodebase64(S, \"UTF-8\")",
        "textdecodebase64(base64encode(S), \"UTF-8\")",
        "base64decode(base64encode(S))",
        "urlencode(\"${S}?\")",
        "jsonencode({ a = S })",
        "jsondecode(jsonencode([S]))[0]",
        "jsonencode(jsonencode(S))",
        "yamlencode([S])",
        "join(\"\", [substr(S, 0, 5), substr(S, 5, -1)])",
        "replace(S, \"-\", \"\")",
        "replace(S, \"-\", \"\u{200b}\")",
    ];
    // What fails says its argument; what is picked by a key names it; a comparison becomes a condition.
    let sinks = [
        "parseint(%, 10)",
        "tonumber(%)",
        "file(%)",
        "{ a = 1 }[%]",
        "regex(\"^nosuch$\", %)",
        "var.free == % ? \"a\" : timestamp()",
        "{ (%) = 1 }[var.env]",
        "{ for x in [%, %] : x => 1 }",
        "%",
        "[%][5]",
        "{ for k, v in { (%) = 1 } : k => v.x }",
        "cidrhost(%, 1)",
    ];
    let texts = [
        "hunter2zq",
        "HUNTER2ZQ",
        "Hunter2zq",
        "qz2retnuh",
        "nter2zq-l",
        "aHVudGVyMnpx",
        "h1bnRlcjJ6c",
        "odW50ZXIyen",
        "hunter2zqlonger",
    ];
    for (at, sink) in sinks.iter().enumerate() {
        let mut main =
            "variable \"env\" {}\nvariable \"free\" {}\nlocals {\n  pw = \"hunter2zq-longer-9\"\n}\nresource \"aws_db_instance\" \"pw\" {\n  password = local.pw\n}\n".to_owned();
        let mut fields = Vec::new();
        for (number, made) in made.iter().enumerate() {
            let made = sink.replace('%', &made.replace('S', "local.pw"));
            main.push_str(&format!("resource \"aws_instance\" \"i{number}\" {{\n  ami = {made}\n}}\n"));
            fields.push(number);
        }
        let phi = format!("{ENVIRONMENTS}specialize \"aws_instance\" {{\n  fields = [\"ami\"]\n}}\n");
        let files = [("main.tf", &*main), ("phi.hcl", &*phi)];
        // Every sink in what holds all that is known of a field, one in every output.
        let outputs: &[&str] =
            if at == 0 { &OUTPUTS } else { &["validate", "trace --all --format json", "check"] };
        assert_silent(sink, &files, outputs, &texts);
    }
}

/// An encoded secret that is decoded into a password is one.
#[test]
fn no_decoder_shows_what_it_decodes() {
    for (decoder, text, shown) in [
        ("textdecodebase64(local.enc, \"UTF-8\")", "aHVudGVyMnpxLWRlZmF1bHQ=", "aHVudGVyMnpx"),
        ("base64decode(local.enc)", "aHVudGVyMnpxLWRlZmF1bHQ=", "aHVudGVyMnpx"),
        ("jsondecode(local.enc).a", "{\\\"a\\\":\\\"hunter2zq-json\\\"}", "hunter2zq"),
        ("yamldecode(local.enc).a", "a: hunter2zq-yaml", "hunter2zq"),
        ("csvdecode(local.enc)[0].a", "a\\nhunter2zq-csv", "hunter2zq"),
        ("base64gunzip(local.enc)", "H4sIAAAAAAAC/8soLUkqSi0yqipKzM0F", "H4sIAAAAAAAC"),
        ("urldecode(local.enc)", "hunter2zq%2Durl", "hunter2zq"),
        ("replace(local.enc, \"_\", \"-\")", "hunter2zq_text", "hunter2zq"),
    ] {
        let main = format!(
            "variable \"env\" {{}}\nlocals {{\n  enc = \"{text}\"\n}}\nresource \"aws_db_instance\" \"x\" {{\n  password       = {decoder}\n  engine_version = local.enc\n}}\nresource \"aws_instance\" \"i\" {{\n  ami = parseint(local.enc, 10)\n}}\n"
        );
        let files = [("main.tf", &*main), ("phi.hcl", ENVIRONMENTS)];
        assert_silent(decoder, &files, &["matrix --all", "trace --all --format json", "validate"], &[shown]);
    }
}

/// Letters that nobody sees are shown as escapes, by which a secret would no longer be known.
#[test]
fn no_letter_without_width_hides_a_secret() {
    for letter in ["\u{200b}", "\u{202e}", "\u{301}", "\u{ad}", "\u{feff}", "\u{e0041}", "\u{7f}", "\u{fe0f}"]
    {
        for (secret, parts) in [
            (format!("swo{letter}rdfish"), ["swo", "rdfish"]),
            (format!("hun{letter}ter2zq"), ["hun", "ter2zq"]),
        ] {
            let main = format!(
                r#"variable "env" {{}}
variable "free" {{}}
variable "pw" {{
  default = "{secret}"
}}
locals {{
  users = {{ "{secret}" = {{ size = "s" }} }}
}}
resource "aws_db_instance" "a" {{
  for_each       = local.users
  password       = each.key
  engine_version = each.value.nosuch
}}
resource "aws_db_instance" "b" {{
  password       = var.pw
  engine_version = var.pw == "{secret}" ? "a" : "b"
}}
resource "aws_instance" "c" {{
  a = local.users["{secret}"].nosuch
  b = local.users[var.free].size
  c = parseint(var.pw, 10)
  d = file(var.pw)
  e = {{ a = 1 }}[var.pw]
}}
"#
            );
            let phi = format!(
                "{ENVIRONMENTS}specialize \"aws_db_instance\" {{\n  fields = [\"engine_version\"]\n}}\nspecialize \"aws_instance\" {{\n  fields = [\"a\", \"b\", \"c\", \"d\", \"e\"]\n}}\n"
            );
            let scratch = Scratch::new([("main.tf", &*main), ("phi.hcl", &*phi)]);
            for line in [
                "validate",
                "validate --format github",
                "trace --all --format json",
                "matrix --all --format html",
                "graph --format html",
                "check",
            ] {
                let words: Vec<&str> = line.split(' ').collect();
                let found = telling(&scratch.run(&words), line, &[parts[1]]);
                assert!(found.is_empty(), "{secret:?} {}: {found:#?}", parts[0]);
            }
        }
    }
}

/// An output that its author calls sensitive, with nothing in it that is known to be: its parts are what it is for.
const OUTPUTS_OF_SECRETS: &str = r#"variable "env" {}
variable "handed" {
  default = "hunter2-var"
}
locals {
  a     = "hunter2-local"
  table = { prod = "hunter2-p", dev = "hunter2-d" }
  list  = ["swordfish"]
}
output "a" {
  sensitive = true
  value     = local.a
}
output "b" {
  sensitive = true
  value     = local.table[var.env]
}
output "c" {
  sensitive = true
  value     = "hunter2-lit"
}
output "d" {
  sensitive = true
  value     = upper(var.handed)
}
output "e" {
  sensitive = true
  value     = module.m.made
}
output "f" {
  sensitive = true
  value     = [nosuch("swordfish"), local.list[0]]
}
output "shown" {
  value = [local.a, local.table, local.list, var.handed, module.m.made]
}
resource "aws_instance" "i" {
  a = local.a
  b = local.table[var.env]
  c = local.list[3]
  d = var.handed == "x" ? 1 : 2
  e = parseint(local.a, 10)
}
module "m" {
  source = "./m"
  x      = "hunter2-m"
}
"#;

const MODULE_OF_SECRETS: &str = "variable \"x\" {}\noutput \"made\" {\n  value = lower(var.x)\n}\n";

#[test]
fn an_output_that_is_sensitive_shows_nothing_of_what_it_is_made_of() {
    let phi = format!(
        "{ENVIRONMENTS}specialize \"aws_instance\" {{\n  fields = [\"a\", \"b\", \"c\", \"d\", \"e\"]\n}}\n"
    );
    let files = [("main.tf", OUTPUTS_OF_SECRETS), ("m/main.tf", MODULE_OF_SECRETS), ("phi.hcl", &*phi)];
    assert_silent("outputs", &files, &OUTPUTS, &["hunter2", "HUNTER2", "swordfish"]);
    let scratch = Scratch::new(files);
    repository_of(&scratch.tree());
    let base = format!("--base={}", git(&scratch.tree(), &["rev-parse", "HEAD"]).trim());
    let changed = OUTPUTS_OF_SECRETS.replace("hunter2-", "hunter2-new-").replace("swordfish", "swordfishes");
    std::fs::write(scratch.tree().join("main.tf"), changed).unwrap();
    for format in ["text", "json", "markdown", "html"] {
        let done = scratch.run(&["review", &base, "--format", format]);
        let found = telling(&done, format, &["hunter2", "HUNTER2", "swordfish"]);
        assert!(found.is_empty() && done.out.len() > 100, "{found:#?} {}", done.err);
    }
}

/// One that is sensitive for what Terraform asks the mark for says nothing of its other parts.
#[test]
fn an_output_that_is_sensitive_for_something_else_hides_nothing_more() {
    let main = r#"variable "env" {}
variable "pw" {
  sensitive = true
  default   = "hunter2"
}
locals {
  host = "shown-${var.env}"
}
output "all" {
  sensitive = true
  value     = { pw = var.pw, address = local.host }
}
output "resource" {
  sensitive = true
  value     = [aws_instance.i.arn, local.host]
}
output "module" {
  sensitive = true
  value     = module.m
}
resource "aws_instance" "i" {
  ami = local.host
}
module "m" {
  source = "./m"
  x      = local.host
}
"#;
    let files = [("main.tf", main), ("m/main.tf", MODULE_OF_SECRETS), ("phi.hcl", ENVIRONMENTS)];
    let done = Scratch::new(files).run(&["matrix", "--all"]);
    for row in ["aws_instance.i.ami", "module.m.x", "module.m.output.made.value"] {
        let line = done.out.lines().find(|line| line.starts_with(row)).unwrap_or_default();
        assert!(line.contains("shown-dev"), "{row}: {}{}", done.out, done.err);
    }
}

/// A name that only reads like a part of a secret stays, and so does what stands beside something plain.
#[test]
fn what_only_reads_like_a_secret_stays() {
    let main = r#"variable "env" {}
resource "aws_db_instance" "database1" {
  password       = "database1-postgres15"
  identifier     = "main-database1"
  engine_version = "postgres15"
  port           = "${var.env}-postgres15"
}
"#;
    let done = Scratch::new([("main.tf", main), ("phi.hcl", ENVIRONMENTS)]).run(&["matrix", "--all"]);
    for text in [
        "aws_db_instance.database1.engine_version",
        "\"main-database1\"",
        "\"postgres15\"",
        "\"prod-postgres15\"",
    ] {
        assert!(done.out.contains(text), "{text}: {}{}", done.out, done.err);
    }
}
