//! `tf-phi review`: where a value is sensitive is compared as the value is, and told without it.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::repository_of;
use crate::cli_common::{Done, Scratch};
use serde_json::{Value, json};
use std::fs;

/// What no report may show.
const SECRET: &str = "Sup3rS3cretVal";

const PASSWORD: &str = "variable \"pw\" {\n  sensitive = true\n  default   = \"Sup3rS3cretVal\"\n}\n";

/// Reviews an edit of a file of a tree.
fn review(files: &[(&str, &str)], (file, from, to): (&str, &str, &str), form: &str) -> Done {
    let scratch = Scratch::new(files.iter().copied());
    repository_of(&scratch.tree());
    let path = scratch.tree().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file}: {from}");
    fs::write(path, text.replace(from, to)).unwrap();
    scratch.run(&["review", "--base", "HEAD", "--format", form, "--fail-on", "change", "--all"])
}

/// The field is a row, in every form, with these texts and no secret.
fn tells(files: &[(&str, &str)], edit: (&str, &str, &str), field: &str, [before, after]: [&str; 2]) {
    for form in ["text", "markdown", "html", "json"] {
        let done = review(files, edit, form);
        assert_eq!(done.code, Some(3), "{form}: {}{}", done.out, done.err);
        assert!(!done.out.contains(SECRET) && !done.err.contains(SECRET), "{form}: {}{}", done.out, done.err);
        if form == "text" {
            let row = done.out.lines().find(|line| line.starts_with(&format!("{field} ")));
            let cells: Vec<&str> =
                row.unwrap_or_default().split("  ").map(str::trim).filter(|c| !c.is_empty()).collect();
            assert_eq!(cells, [field, before, after], "{}", done.out);
        }
    }
}

fn resource(input: &str) -> String {
    format!("{PASSWORD}resource \"terraform_data\" \"a\" {{\n  input = {input}\n}}\n")
}

#[test]
fn marks_that_move_within_an_object_are_a_difference() {
    let main = resource("{ first = sensitive(\"a\"), second = \"b\" }");
    let edit = ("main.tf", "sensitive(\"a\"), second = \"b\"", "\"a\", second = sensitive(\"b\")");
    tells(
        &[("main.tf", &main)],
        edit,
        "terraform_data.a.input",
        ["(sensitive: first)", "(sensitive: second)"],
    );
    let main = resource("{ first = var.pw, second = \"b\" }");
    let edit = ("main.tf", "var.pw, second = \"b\"", "nonsensitive(var.pw), second = sensitive(\"b\")");
    let texts = ["(sensitive in parts)", "(sensitive in parts; at other places)"];
    tells(&[("main.tf", &main)], edit, "terraform_data.a.input", texts);
}

#[test]
fn a_mark_that_comes_around_a_list_or_goes_is_a_difference() {
    let main = resource("[sensitive(\"a\"), \"b\"]");
    let edit = ("main.tf", "[sensitive(\"a\"), \"b\"]", "sensitive([\"a\", \"b\"])");
    tells(
        &[("main.tf", &main)],
        edit,
        "terraform_data.a.input",
        ["(sensitive in parts)", "(sensitive value)"],
    );
    let edit = ("main.tf", "[sensitive(\"a\"), \"b\"]", "[\"a\", sensitive(\"b\")]");
    tells(&[("main.tf", &main)], edit, "terraform_data.a.input", ["(sensitive: [0])", "(sensitive: [1])"]);
    let edit = ("main.tf", "sensitive = true", "sensitive = false");
    tells(
        &[("main.tf", &resource("var.pw"))],
        edit,
        "terraform_data.a.input",
        ["(sensitive value)", "(not sensitive)"],
    );
}

#[test]
fn marks_that_move_behind_a_module_and_an_output_are_a_difference() {
    let main = format!(
        "{PASSWORD}module \"m\" {{\n  source = \"./m\"\n  a      = var.pw\n}}\nresource \"terraform_data\" \"a\" {{\n  input = module.m.o\n}}\noutput \"o\" {{\n  value     = module.m.o\n  sensitive = true\n}}\n"
    );
    let module = "variable \"a\" {}\noutput \"o\" {\n  value = { a = var.a, b = sensitive(\"b\") }\n}\n";
    let files = [("main.tf", &*main), ("m/main.tf", module)];
    let edit = ("m/main.tf", "a = var.a", "a = nonsensitive(var.a)");
    let texts = ["(sensitive in parts)", "(sensitive in parts; at other places)"];
    for field in ["terraform_data.a.input", "module.m.output.o.value"] {
        tells(&files, edit, field, texts);
    }
}

#[test]
fn a_secret_that_loses_its_mark_beside_another_one_is_not_shown() {
    let main = resource("{ first = var.pw, second = \"b\", third = 1 }");
    let edit = (
        "main.tf",
        "var.pw, second = \"b\", third = 1",
        "nonsensitive(var.pw), second = sensitive(\"b\"), third = 2",
    );
    let texts = ["(sensitive in parts)", "(sensitive in parts; another value)"];
    tells(&[("main.tf", &main)], edit, "terraform_data.a.input", texts);
}

#[test]
fn json_says_where_a_value_is_sensitive() {
    let main = resource("{ first = sensitive(\"a\"), second = \"b\" }");
    let edit = ("main.tf", "sensitive(\"a\"), second = \"b\"", "\"a\", second = sensitive(\"b\")");
    let found: Value = serde_json::from_str(&review(&[("main.tf", &main)], edit, "json").out).unwrap();
    let cell = |at: &str| json!({"result": "resolved", "value": {"sensitive": true}, "sensitive_at": [at]});
    let want = json!([{"field": "terraform_data.a.input", "before": cell("first"), "after": cell("second")}]);
    assert_eq!(found["environments"][0]["values"], want);
}

#[test]
fn what_is_withheld_by_a_name_alone_is_no_difference() {
    let main =
        "locals {\n  l = \"abcdef\"\n}\nresource \"aws_db_instance\" \"a\" {\n  username = local.l\n}\n";
    let edit = ("main.tf", "username = local.l\n", "username = local.l\n  password = local.l\n");
    let done = review(&[("main.tf", main)], edit, "text");
    assert!(done.out.contains("aws_db_instance.a.password  —"), "{}", done.out);
    assert!(!done.out.contains("aws_db_instance.a.username"), "{}", done.out);
}
