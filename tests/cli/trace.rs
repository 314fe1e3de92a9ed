//! `tf-phi trace`: the JSON contract, addresses, expressions.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::{Done, Scratch};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::Stdio;

const ROOT: &str = r#"variable "customer_env" {
  type = string
}
variable "secret" {
  type      = string
  sensitive = true
}
variable "on" {
  type = bool
}
module "database" {
  source         = "./modules/postgres"
  engine_version = var.customer_env == "prod" ? "15.4" : "14.9"
  size           = 100000000000000000001
}
"#;

const MODULE: &str = r#"variable "engine_version" {
  type = string
}
variable "size" {
  type = number
}

resource "terraform_data" "app" {
  input = var.engine_version
  triggers_replace = [var.size]
}
"#;

const PHI: &str = "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n";

fn scratch() -> Scratch {
    Scratch::new([("main.tf", ROOT), ("modules/postgres/main.tf", MODULE), ("phi.hcl", PHI)])
}

fn json(done: &Done) -> Value {
    assert_eq!(done.code, Some(0), "{}", done.err);
    serde_json::from_str(&done.out).unwrap()
}

#[test]
fn the_contract() {
    let scratch = scratch();
    let before = scratch.snapshot();
    let document = json(&scratch.run(&["trace", "--json"]));
    assert_eq!(document["format_version"], "1.0");
    let trace = &document["traces"][0];
    assert_eq!(trace["field"], "module.database.terraform_data.app.input");
    assert_eq!(trace["result"], "bounded");
    assert_eq!(trace["selector"], "var.customer_env == \"prod\"");
    let second = &trace["branches"][1];
    assert_eq!(second["value"], "14.9");
    assert_eq!(second["condition"], json!({ "not": { "existing": "var.customer_env == \"prod\"" } }));
    assert_eq!(second["gate"], "!(var.customer_env == \"prod\")");
    assert_eq!(second["scope"], "");
    assert_eq!(second["source_span"], "modules/postgres/main.tf:8-11");
    assert_eq!(second["trace_path"][0], "Field terraform_data.app.input");
    assert_eq!(second["trace_path"].as_array().unwrap().last().unwrap(), "Prim \"14.9\"");
    assert_eq!(scratch.snapshot(), before);
    assert_eq!(scratch.log(), "");
}

#[test]
fn one_field_and_all_of_a_declaration() {
    let scratch = scratch();
    let names = |address: &str| -> Vec<String> {
        let document = json(&scratch.run(&["trace", address, "-json"]));
        let traces = document["traces"].as_array().unwrap().clone();
        traces
            .iter()
            .map(|t| format!("{} {}", t["field"].as_str().unwrap(), t["result"].as_str().unwrap()))
            .collect()
    };
    assert_eq!(names("module.database.engine_version"), ["module.database.engine_version bounded"]);
    let both = [
        "module.database.terraform_data.app.input bounded",
        "module.database.terraform_data.app.triggers_replace resolved",
    ];
    assert_eq!(names("module.database.terraform_data.app"), both);
    assert_eq!(names("var.on"), ["var.on bounded"]);
    let size = scratch.run(&["trace", "module.database.size", "--json"]);
    assert!(size.out.contains("\"value\": 100000000000000000001"), "{}", size.out);
}

/// What people read: values, gates in the user's own words, places; then what leads to each value, with its source.
#[test]
fn a_trace_reads_as_a_table_and_its_hops() {
    let done = scratch().run(&["trace", "module.database.terraform_data.app.input"]);
    let want = r#"module.database.terraform_data.app.input: 2 values, chosen by var.customer_env == "prod"

  VALUE   WHEN                        FROM
  "15.4"  var.customer_env == "prod"  main.tf:13
  "14.9"  otherwise                   main.tf:13

  "15.4", "14.9"
    modules/postgres/main.tf:9  input = var.engine_version
    main.tf:13                  engine_version = var.customer_env == "prod" ? "15.4" : "14.9"
"#;
    assert_eq!((done.out.as_str(), done.code), (want, Some(0)));
}

#[test]
fn an_address_that_names_nothing() {
    let scratch = scratch();
    for (asked, near) in [
        ("module.database.terraform_data.app.inputs", "module.database.terraform_data.app.input"),
        ("module.databse.terraform_data.app.input", "module.database"),
        ("module.database.terraform_data.ap", "module.database.terraform_data.app"),
    ] {
        let done = scratch.run(&["trace", asked]);
        assert_eq!(done.code, Some(1));
        assert!(done.err.contains(&format!("Did you mean \"{near}\"?")), "{}", done.err);
    }
}

#[test]
fn every_argument_with_counts() {
    let document = json(&scratch().run(&["trace", "--all", "--json"]));
    assert_eq!(document["traces"].as_array().unwrap().len(), 5);
    assert_eq!(document["summary"], json!({ "bounded": 2, "resolved": 3 }));
    let text = scratch().run(&["trace", "--all"]);
    assert!(
        text.out.contains("5 arguments\n       3   60 %  resolved\n       2   40 %  bounded\n"),
        "{}",
        text.out
    );
}

#[test]
fn expressions_one_a_line() {
    let scratch = scratch();
    let mut command =
        scratch.command(&["trace", "--expr", "-", "-var", "customer_env=prod", "-var=secret=hunter2"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = "1 + 1\nvar.on ? \"a\" : \"b\"\nvar.customer_env == \"prod\" ? 1 : 2\n\n1 +\nvar.nope\nvar.secret\n\
        var.secret == \"x\" ? 1 : 2\nterraform_data.x.id\n";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let done = Done::new(child.wait_with_output().unwrap());
    let answers: Vec<Value> = done.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let results: Vec<&str> = answers.iter().map(|a| a["result"].as_str().unwrap()).collect();
    let want = ["resolved", "bounded", "resolved", "error", "error", "unbounded", "unbounded"];
    assert_eq!(&results[..7], want, "{}", done.out);
    assert_eq!((&answers[0]["value"], &answers[2]["value"]), (&json!(2), &json!(1)));
    assert_eq!(answers[1]["selector"], "var.on");
    assert_eq!(answers[3].as_object().unwrap().len(), 2);
    assert_eq!(answers[5]["code"], "sensitive");
    assert!(!done.out.contains("hunter2") && !done.err.contains("hunter2"), "{}", done.out);
    assert_eq!(done.code, Some(0));
}

#[test]
fn expressions_in_an_empty_folder() {
    let scratch = Scratch::new([]);
    let answer = json(&scratch.run(&["trace", "--expr", "[1, \"a\"][1]"]));
    assert_eq!((&answer["result"], &answer["value"]), (&json!("resolved"), &json!("a")));
    assert_eq!(scratch.run(&["trace"]).code, Some(1));
    let deep = format!("{}1{}", "(".repeat(3000), ")".repeat(3000));
    assert_eq!(json(&scratch.run(&["trace", "--expr", &deep]))["code"], "too-deep");
}

/// Where versions answer differently, the answer is that of the version that the tree is for. No Terraform is asked.
#[test]
fn expressions_are_answered_for_the_version_that_is_required() {
    let ask = |required: &str, text: &str| {
        let main = format!("terraform {{\n  required_version = \"{required}\"\n}}\n");
        let scratch = Scratch::new([("main.tf", main.as_str())]);
        let answer = json(&scratch.run(&["trace", "--expr", text]));
        assert_eq!(scratch.log(), "", "nothing is started");
        answer.get("value").unwrap_or(&answer["result"]).clone()
    };
    for (text, old, new) in [
        ("convert(1, string)", json!("error"), json!("1")),
        ("convert([1], list(string))", json!("error"), json!(["1"])),
        ("true || null", json!("error"), json!(true)),
        ("element([1, 2], -1)", json!("error"), json!(2)),
    ] {
        assert_eq!(ask("1.11.4", text), old, "{text}");
        assert_eq!(ask("~> 1.15.5", text), new, "{text}");
    }
    assert_eq!(ask("= 1.11.4", "1 + 1"), 2);
    assert_eq!(ask(">= 1.12.0", "true || null"), true);
    for none in [">= 1.11.0", "~> 1.11", "!= 1.15"] {
        assert_eq!(ask(none, "true || null"), "unbounded");
        assert_eq!(ask(none, "true || false"), true);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let scratch = scratch();
    let mut child =
        scratch.command(&["trace", "--all"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let done = Done::new(child.wait_with_output().unwrap());
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
}

#[test]
fn what_a_value_given_here_narrows() {
    let document = json(&scratch().run(&["trace", "--json", "-var", "customer_env=dev"]));
    assert_eq!(document["traces"][0]["result"], "resolved");
    assert_eq!(document["traces"][0]["value"], "14.9");
}

#[test]
fn modules_that_are_not_installed() {
    let root = "module \"db\" {\n  source = \"a/b/c\"\n}\n\nresource \"terraform_data\" \"x\" {\n  input = module.db.version\n}\n\n\
        resource \"terraform_data\" \"y\" {\n  input = \"z\"\n}\n";
    let scratch = Scratch::new([("main.tf", root), ("phi.hcl", PHI)]);
    let done = scratch.run(&["trace", "--all", "--json"]);
    let document = json(&done);
    assert_eq!(document["summary"], json!({ "resolved": 2, "unbounded": 1, "unbounded: not-installed": 1 }));
    assert!(done.err.contains("a module is not installed") && done.err.contains("main.tf:2"), "{}", done.err);
    let field = json(&scratch.run(&["trace", "terraform_data.x.input", "--json"]));
    assert!(field["traces"][0]["fixes"][0].as_str().unwrap().ends_with("tf-phi init"), "{field}");
    assert_eq!(scratch.run(&["plan"]).code, Some(1));
}

/// What is installed for a call whose version is an expression is one version, and that of all branches only if there is no other.
#[test]
fn a_version_by_expression_that_was_installed() {
    for (version, want) in [
        ("\"1.0.0\"", json!({ "resolved": 4 })),
        ("local.version", json!({ "resolved": 4 })),
        ("var.new ? \"1.0.0\" : \"1.0.0\"", json!({ "resolved": 4 })),
        (
            "var.new ? \"2.0.0\" : \"1.0.0\"",
            json!({ "resolved": 1, "bounded": 1, "unbounded": 1, "unbounded: unsupported": 1 }),
        ),
        (
            "var.new ? \"2.0.0\" : \"2.0.0\"",
            json!({ "resolved": 2, "unbounded": 1, "unbounded: unsupported": 1 }),
        ),
        (
            "var.any",
            json!({ "resolved": 1, "unbounded": 2, "unbounded: no-universe": 1, "unbounded: unsupported": 1 }),
        ),
    ] {
        let root = format!(
            "variable \"new\" {{\n  type = bool\n}}\nvariable \"any\" {{\n  type = string\n}}\nlocals {{\n  version = \"1.0.0\"\n}}\n\
             module \"db\" {{\n  source  = \"a/b/c\"\n  version = {version}\n}}\n\n\
             output \"x\" {{\n  value = module.db.version\n}}\n"
        );
        let list = r#"{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"db","Source":"registry.terraform.io/a/b/c","Version":"1.0.0","Dir":".terraform/modules/db"}]}"#;
        let scratch = Scratch::new([
            ("main.tf", root.as_str()),
            (".terraform/modules/modules.json", list),
            (".terraform/modules/db/main.tf", "output \"version\" {\n  value = \"1.0.0\"\n}\n"),
        ]);
        let document = json(&scratch.run(&["trace", "--all", "--json"]));
        assert_eq!(document["summary"], want, "{version}: {document}");
    }
}

#[test]
fn what_never_has_an_instance() {
    let root = "variable \"v\" {\n  type = string\n}\n\nresource \"terraform_data\" \"off\" {\n  count = 0\n  input = var.v\n}\n";
    let scratch = Scratch::new([
        ("main.tf", root),
        ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n"),
    ]);
    let done = scratch.run(&["trace"]);
    assert!(done.out.contains("terraform_data.off never has an instance"), "{}", done.out);
    assert_eq!(scratch.run(&["check"]).code, Some(0));
}

#[test]
fn parts_of_addresses() {
    let scratch = scratch();
    for (asked, near) in [
        ("app", "\"module.database.terraform_data.app\""),
        ("terraform_data.app.inptu", "\"module.database.terraform_data.app\""),
        ("module.db.terraform_data.app", "\"module.database.terraform_data.app\""),
        ("var.customer_emv", "\"var.customer_env\""),
    ] {
        let done = scratch.run(&["trace", asked]);
        assert!(done.code == Some(1) && done.err.contains(near), "{asked}: {}", done.err);
    }
    let keyed = scratch.run(&["trace", "module.database[\"a.b\"].terraform_data.app[0].input"]);
    assert!(
        keyed.code == Some(0) && keyed.out.contains("engine_version = var.customer_env == "),
        "{}",
        keyed.err
    );
}

/// What a variable file or a default says is a constant, as for Terraform.
#[test]
fn values_of_variables_are_constants() {
    let root = "variable \"v\" {\n  default = \"${1 + 1}\"\n}\n";
    for (given, want) in [
        ("v = \"${true ? \"a\" : \"b\"}\"\n", "\"value\":\"a\""),
        ("v = upper(\"a\")\n", "Functions may not be called here."),
        ("v = var.v\n", "Variables may not be used here."),
        ("# none\n", "\"value\":2"),
    ] {
        let scratch = Scratch::new([("main.tf", root), ("terraform.tfvars", given)]);
        let done = scratch.run(&["trace", "--expr", "var.v", "--json"]);
        assert!((done.out + &done.err).contains(want), "{given}");
    }
}

#[test]
fn an_infinite_number_is_no_secret() {
    let root = "variable \"n\" {\n  type     = string\n  nullable = false\n}\n";
    let scratch = Scratch::new([("main.tf", root)]);
    let said = |expr: &str| json(&scratch.run(&["trace", "--expr", expr]));
    assert_eq!(said("[1 / 0]")["value"], json!({ "infinite": true }));
    assert_eq!(said("-1 / 0")["value"], json!({ "infinite": true, "text": "(negative infinite number)" }));
    assert_ne!(said("[-1 / 0]")["value"], said("[1 / 0]")["value"]);
    assert_eq!(said("sensitive(1)")["result"], "unbounded");
    // What can't be null is decided.
    assert_eq!(said("var.n == null ? 1 : 2")["value"], 2);
}

/// Beyond 15 digits Terraform's `==` hangs on how a number was computed: no gate can name one. A cell needs none.
#[test]
fn a_fraction_of_many_digits_is_no_excess() {
    let main =
        "variable \"x\" {\n  type = number\n}\nresource \"terraform_data\" \"d\" {\n  input = var.x\n}\n";
    let pin = "specialize \"terraform_data.d\" {\n  fields = [\"input\"]\n}\n";
    let (a, b) = ("x = 0.30000000000000004\n", "x = 0.1\n");
    let scratch =
        Scratch::new([("main.tf", main), ("phi.hcl", pin), ("env/a.tfvars", a), ("env/b.tfvars", b)]);
    let said = scratch.run(&["trace"]).out;
    assert!(said.contains("plan-stability") && said.contains("more than 15 significant digits"), "{said}");
    let cells = scratch.run(&["matrix", "terraform_data.d.input"]).out;
    assert!(cells.contains("0.30000000000000004") && cells.contains("0.1"), "{cells}");
    // The fix as it is printed.
    for fixed in ["x = 0.3\n", "x = 0.300000000000000\n"] {
        let files = [("main.tf", main), ("phi.hcl", pin), ("env/a.tfvars", fixed), ("env/b.tfvars", b)];
        assert_eq!(Scratch::new(files).run(&["diff"]).code, Some(0));
    }
}

/// Of what a file holds that can't be read, nothing is known: a pin may match something in it.
#[test]
fn a_syntax_error_is_said_alone() {
    let broken = [("main.tf", "resource \"terraform_data\" \"app\" {\n  input = [\n}\n"), ("phi.hcl", PHI)];
    let scratch = Scratch::new(broken);
    for args in [&["check"][..], &["diff"], &["trace"], &["plan", "--dry-run"]] {
        let done = scratch.run(args);
        assert_eq!(done.code, Some(1), "{args:?}: {}", done.err);
        let said = format!("{}{}", done.out, done.err);
        assert!(said.contains("main.tf:3") && !said.contains("matches nothing"), "{args:?}: {said}");
    }
}

/// What is known of a value that isn't itself: how long it is, how a text begins and ends.
#[test]
fn comparisons_that_no_value_changes() {
    let root = "variable \"l\" {\n  type = list(string)\n}\nvariable \"n\" {\n  type = string\n}\ndata \"external\" \"x\" {\n  \
                program = [\"x\"]\n}\n";
    let scratch = Scratch::new([("main.tf", root)]);
    for (expr, want) in [
        ("length(var.l) >= 0", json!(true)),
        ("length(var.l) < 0 ? 1 : 2", json!(2)),
        ("length(var.l) == -1", json!(false)),
        ("\"a-${var.n}\" == \"b-x\"", json!(false)),
        ("\"b-x\" != \"a-${var.n}\"", json!(true)),
        ("\"${var.n}-a\" == \"x-b\"", json!(false)),
        ("\"a${var.n}\" == \"bx\"", json!(false)),
        ("contains([\"b\", \"c\"], \"a${var.n}\")", json!(false)),
        ("contains(toset([\"b\", \"c\"]), \"a-${var.n}\")", json!(false)),
        ("contains([\"x-b\", \"x-c\"], \"${var.n}-a\")", json!(false)),
        ("contains([\"b-${var.n}\", \"c\"], \"a-${var.n}\")", json!(false)),
        ("contains([\"a\"], \"a${var.n}a\")", json!(false)),
        ("contains([null, 1, \"b\"], \"a-${var.n}\")", json!(false)),
        ("length(slice(var.l, 1, 4))", json!(3)),
        ("length(slice(var.l, 1, 4)) > 2", json!(true)),
    ] {
        let said = json(&scratch.run(&["trace", "--expr", expr]));
        assert_eq!((&said["result"], &said["value"]), (&json!("resolved"), &want), "{expr}: {said}");
    }
    for open in [
        "\"a-${var.n}\" == \"a-x\"",
        "length(var.l) > 0",
        "contains([\"ab\", \"c\"], \"a${var.n}\")",
        "contains([\"\u{e4}\"], \"a${var.n}\")",
    ] {
        let said = json(&scratch.run(&["trace", "--expr", open]));
        assert_eq!(said["branches"].as_array().map(Vec::len), Some(2), "{open}: {said}");
    }
}

/// What is chosen is as sensitive as what chooses it.
#[test]
fn a_choice_that_is_decided_by_a_secret() {
    let scratch = Scratch::new([("main.tf", "variable \"n\" {\n  type = bool\n}\n")]);
    for expr in ["sensitive(true) ? \"a\" : \"b\"", "sensitive(1) == 2 ? [\"a\"] : [\"b\"]"] {
        let said = json(&scratch.run(&["trace", "--expr", expr]));
        assert_eq!(said["code"], "sensitive", "{expr}: {said}");
    }
    let said = json(&scratch.run(&["trace", "--expr", "nonsensitive(sensitive(true) ? \"a\" : \"b\")"]));
    assert_eq!(said["value"], "a");
    let said = json(&scratch.run(&["trace", "--expr", "sensitive(var.n) ? \"a\" : \"b\""]));
    assert_eq!(said["result"], "bounded", "{said}");
}

/// Terraform looks at every reference, also in what is never evaluated.
#[test]
fn a_reference_to_nothing_is_an_error_wherever_it_stands() {
    let root = "locals {\n  a = 1\n}\nresource \"terraform_data\" \"a\" {}\n";
    let scratch = Scratch::new([("main.tf", root)]);
    for expr in [
        "\"%{ if false }${nosuch.ref}%{ endif }\"",
        "false ? var.nosuch : 1",
        "true || local.nosuch",
        "[for x in [] : module.nosuch.a]",
        "try(data.nosuch.ref.x, 1)",
        "can(terraform_data.nosuch)",
    ] {
        let done = scratch.run(&["trace", "--expr", expr]);
        assert_eq!(json(&done)["result"], "error", "{expr}: {}{}", done.out, done.err);
    }
    for fine in ["false ? terraform_data.a.id : \"b\"", "[for x in [1] : x + local.a]"] {
        assert_eq!(json(&scratch.run(&["trace", "--expr", fine]))["result"], "resolved", "{fine}");
    }
}

/// A value that no field has says which files were looked at.
#[test]
fn the_variable_files_that_count_are_named() {
    let root = "variable \"pg\" {\n  default = \"15\"\n}\nresource \"terraform_data\" \"app\" {\n  input = var.pg\n}\n";
    let scratch = Scratch::new([("main.tf", root), ("prod.tfvars", "pg = \"16\"\n"), ("phi.hcl", PHI)]);
    let done = scratch.run(&["trace"]);
    assert!(done.err.contains("values taken from: prod.tfvars"), "{}", done.err);
}

/// A function whose result is a bool never gives null, so that no condition on it is an error.
#[test]
fn functions_that_give_a_bool_give_no_null() {
    let tests =
        ["issensitive(V)", "strcontains(V, \"x\")", "startswith(V, \"x\")", "can(V)", "contains([\"x\"], V)"];
    for (at, test) in tests.iter().enumerate() {
        for (universe, of) in [("", "var.v"), ("universe = [\"x\", \"y\"]", "var.v"), ("", "upper(var.v)")] {
            let main = format!(
                "variable \"v\" {{\n  type = string\n}}\nresource \"terraform_data\" \"x\" {{\n  input = {} ? 1 : 2\n}}\n",
                test.replace('V', of)
            );
            let phi = format!("variable \"v\" {{\n  {universe}\n}}\n");
            let scratch =
                Scratch::new([("main.tf", &*main), ("phi.hcl", if universe.is_empty() { "" } else { &phi })]);
            let said = scratch.run(&["trace", "terraform_data.x.input"]).out;
            assert!(!said.contains("error"), "{at} {said}");
            assert!(said.contains("always") || said.contains("2 values"), "{at} {said}");
        }
    }
}

/// Bins stand for a range: whoever reads the values has to know that they are rounded.
#[test]
fn what_is_rounded_is_said() {
    let main = "variable \"size\" {\n  type = number\n}\nresource \"terraform_data\" \"disk\" {\n  input = var.size\n}\n";
    let phi = "specialize \"terraform_data\" {\n  field \"input\" { bins = [20, 100] }\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    let text = scratch.run(&["trace"]).out;
    assert!(text.contains("2 values; `var.size` is rounded up to the next of them"), "{text}");
    let json: Value = serde_json::from_str(&scratch.run(&["trace", "--json"]).out).unwrap();
    assert_eq!(json["traces"][0]["rounded_from"], "var.size");
    let markdown = scratch.run(&["trace", "--format", "markdown"]).out;
    assert!(markdown.contains("`var.size` is rounded up to the next of these."), "{markdown}");
    let diff = scratch.run(&["diff"]);
    assert!(diff.err.contains("Warning: terraform_data.disk.input is rounded"), "{}", diff.err);
}
