//! Declarations in `.tf.json`: expressions where Terraform takes none are seen there as well, and what is refused says what to type.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;
use serde_json::Value;

const PROTECT: &str = r#"{
  "variable": {"protect": {"type": "bool", "default": true}},
  "resource": {"terraform_data": {"d": {"input": 1, "lifecycle": {"prevent_destroy": "${var.protect}"}}}}
}
"#;

const SOURCE: &str = r#"{
  "variable": {"kind": {"type": "string", "default": "a"}},
  "module": {"m": {"source": "./modules/${var.kind}"}}
}
"#;

fn traces(scratch: &Scratch) -> Vec<(String, String)> {
    let done = scratch.run(&["trace", "--json"]);
    let all: Value = serde_json::from_str(&done.out).unwrap();
    let of = |t: &Value, name: &str| t[name].as_str().unwrap().to_owned();
    all["traces"].as_array().unwrap().iter().map(|t| (of(t, "field"), of(t, "result"))).collect()
}

#[test]
fn an_expression_in_a_static_argument_is_traced() {
    let scratch = Scratch::new([("main.tf.json", PROTECT)]);
    let want = ("terraform_data.d.lifecycle.prevent_destroy".to_owned(), "bounded".to_owned());
    assert_eq!(traces(&scratch), [want]);
    let done = scratch.run(&["diff"]);
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("terraform_data.d is declared in JSON"), "{}", done.err);
    assert!(!done.err.contains("don't fit together"), "{}", done.err);
}

#[test]
fn a_chosen_source_is_traced() {
    let files = [
        ("main.tf.json", SOURCE),
        ("modules/a/main.tf", "output \"x\" {\n  value = 1\n}\n"),
        ("modules/b/main.tf", "output \"x\" {\n  value = 1\n}\n"),
    ];
    let scratch = Scratch::new(files);
    assert_eq!(traces(&scratch), [("module.m.source".to_owned(), "resolved".to_owned())]);
    let done = scratch.run(&["diff"]);
    assert!(done.err.contains("no validation can be added to var.kind"), "{}", done.err);
    // What is printed is pasted: the rule goes among the variable's members.
    let (_, fix) = done.err.split_once("\"validation\": {").unwrap();
    let (rule, _) = fix.split_once("\n       }").unwrap();
    let member = format!("\"default\": \"a\", \"validation\": {{{rule}}}");
    let main = SOURCE.replace("\"default\": \"a\"", &member);
    let fixed = Scratch::new([("main.tf.json", main.as_str()), files[1], files[2]]);
    let done = fixed.run(&["diff"]);
    assert_eq!(done.code, Some(0), "{main}\n{}", done.err);
    assert!(done.out.contains("./modules/a"), "{}", done.out);
}

/// Each static argument, by itself.
#[test]
fn each_static_argument_is_seen() {
    for (member, field) in [
        (r#""lifecycle": {"prevent_destroy": "${var.b}"}"#, "lifecycle.prevent_destroy"),
        (r#""lifecycle": {"create_before_destroy": "${!var.b}"}"#, "lifecycle.create_before_destroy"),
        (r#""lifecycle": {"ignore_changes": "${var.b ? [input] : []}"}"#, "lifecycle.ignore_changes"),
        (r#""provider": "${var.b ? aws.a : aws.b}""#, "provider"),
    ] {
        let main = format!(
            r#"{{"variable": {{"b": {{"type": "bool"}}}}, "resource": {{"terraform_data": {{"d": {{{member}}}}}}}}}"#
        );
        let seen = traces(&Scratch::new([("main.tf.json", main.as_str())]));
        assert_eq!(seen, [(format!("terraform_data.d.{field}"), "bounded".to_owned())], "{member}");
    }
    // What Terraform reads as it stands is none.
    let plain = r#"{"resource": {"terraform_data": {"d": {"provider": "terraform.a", "lifecycle": {"prevent_destroy": true, "ignore_changes": ["input"]}}}}}"#;
    assert_eq!(traces(&Scratch::new([("main.tf.json", plain)])), []);
    let escaped = r#"{"module": {"m": {"source": "./$${x}"}}}"#;
    assert_eq!(traces(&Scratch::new([("main.tf.json", escaped), ("$${x}/main.tf", "")])), []);
}

/// Terraform rejects a byte order mark before JSON, and takes it before its own syntax.
#[test]
fn a_byte_order_mark_before_json_is_an_error() {
    let marked = |text: &str| format!("\u{feff}{text}");
    let (json, variables) = (marked(r#"{"output": {"x": {"value": 1}}}"#), marked(r#"{"x": 1}"#));
    let pin = "specialize \"terraform_data.d\" {\n  fields = [\"input\"]\n}\n";
    let driven = "variable \"x\" {\n}\nresource \"terraform_data\" \"d\" {\n  input = var.x\n}\n";
    for (name, text) in [("extra.tf.json", &json), ("terraform.tfvars.json", &variables)] {
        let done = Scratch::new([("main.tf", driven), ("phi.hcl", pin), (name, text)]).run(&["diff"]);
        assert_eq!(done.code, Some(1), "{name}: {}", done.out);
        assert!(done.err.contains(name), "{name}: {}", done.err);
    }
    let native = marked("x = \"a\"\n");
    let done =
        Scratch::new([("main.tf", driven), ("phi.hcl", pin), ("terraform.tfvars", &native)]).run(&["diff"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
}

/// What can't be split in JSON is printed in native syntax, and works in a file of its own.
#[test]
fn a_declaration_is_printed_in_native_syntax() {
    let protected = r#"{"resource": {"terraform_data": {"d": {"input": {"a": "t ${var.p} \"q\"\n", "b": [1, null]}, "lifecycle": {"prevent_destroy": "${var.p}"}}}}}"#;
    let called = r#"{"module": {"d": {"source": "./m", "v": "${var.p ? \"x\" : \"y\"}"}}}"#;
    let child = "variable \"v\" {}\nresource \"terraform_data\" \"d\" {\n  input = var.v\n}\n";
    let variable = "variable \"p\" {\n  type = bool\n}\n";
    let pin = "specialize \"module.d.terraform_data.d\" {\n  fields = [\"input\"]\n}\n";
    for (json, phi) in [(protected, ""), (called, pin)] {
        let run = |json: &str, native: &str| {
            let files = [
                ("p.tf", variable),
                ("m/main.tf", child),
                ("phi.hcl", phi),
                ("main.tf.json", json),
                ("new.tf", native),
            ];
            Scratch::new(files).run(&["diff"])
        };
        let done = run(json, "");
        assert_eq!(done.code, Some(1), "{}", done.err);
        let (_, rest) = done.err.split_once("Declare it in a `.tf` file, in place of the JSON:\n").unwrap();
        let (native, _) = rest.split_once("\n\nCode:").unwrap();
        let done = run("{}", native);
        assert_eq!(done.code, Some(0), "{native}\n{}", done.err);
        assert!(done.out.contains("\n+"), "{}", done.out);
    }
}

/// Without copies a value stands in place of each, in a form that Terraform reads.
#[test]
fn without_copies_each_static_argument_is_a_literal() {
    let aliases = r#""provider": {"aws": [{"alias": "a"}, {"alias": "b"}]}"#;
    let module = ("m/main.tf", "variable \"b\" {}\nresource \"terraform_data\" \"x\" {}\n");
    for (member, put) in [
        (
            r#""resource": {"terraform_data": {"d": {"provider": "${var.b ? aws.a : aws.b}"}}}"#,
            r#""provider": "aws.a""#,
        ),
        (
            r#""resource": {"terraform_data": {"d": {"lifecycle": {"ignore_changes": "${var.b ? all : []}"}}}}"#,
            r#""ignore_changes": "all""#,
        ),
        (
            r#""resource": {"terraform_data": {"d": {"lifecycle": {"ignore_changes": "${var.b ? [tags[\"a\"]] : []}"}}}}"#,
            r#""ignore_changes": ["tags[\"a\"]"]"#,
        ),
        (
            r#""module": {"m": {"source": "./m", "providers": {"aws": "${var.b ? aws.a : aws.b}", "aws.x": "aws.b"}}}"#,
            r#""providers": {"aws": "aws.a", "aws.x": "aws.b"}"#,
        ),
        (r#""module": {"m": {"source": "./${var.b ? "m" : "n"}"}}"#, r#""source": "./m""#),
    ] {
        let member = member.replace(r#""m" : "n""#, r#"\"m\" : \"n\""#);
        let main = format!(r#"{{"variable": {{"b": {{"type": "bool"}}}}, {aliases}, {member}}}"#);
        let scratch = Scratch::new([("main.tf.json", main.as_str()), module]);
        let done = scratch.run(&["diff", "--no-copies", "-var=b=true"]);
        assert_eq!(done.code, Some(0), "{main}\n{}", done.err);
        let line = done.out.lines().find(|line| line.starts_with('+') && !line.starts_with("+++"));
        assert!(line.is_some_and(|line| line.contains(put)), "{put}\n{}", done.out);
    }
}

/// Callers that differ lead to folders of their own; what goes with the old source goes.
#[test]
fn without_copies_a_call_in_json_leads_elsewhere() {
    let main = r#"{
  "variable": {"b": {"type": "bool"}},
  "module": {
    "one": {"source": "./m", "b": "${var.b}"},
    "two": {"b": "${!var.b}", "source": "./m"}
  }
}
"#;
    let module = "variable \"b\" {}\nresource \"terraform_data\" \"x\" {\n  lifecycle {\n    prevent_destroy = var.b\n  }\n}\n";
    let scratch = Scratch::new([("main.tf.json", main), ("m/main.tf", module)]);
    let done = scratch.run(&["diff", "--no-copies", "-var=b=true"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let calls: Vec<&str> = done
        .out
        .lines()
        .filter(|line| line.starts_with("+    \"one\"") || line.starts_with("+    \"two\""))
        .collect();
    let (one, two) = (calls[0], calls[1]);
    assert!(one.contains("\"source\": \"./") && !one.contains("\"./m\""), "{one}");
    assert!(two.contains("\"source\": \"./") && !two.contains("\"./m\""), "{two}");
    assert!(done.out.contains("prevent_destroy = true") && done.out.contains("prevent_destroy = false"));
}
