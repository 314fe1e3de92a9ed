//! `tf-phi review`: equal is proved, never assumed.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use serde_json::{Value, json};
use std::fs;

/// Reviews an edit of a tree whose files are given as they were; each edit is a file, what stands there, and what comes in its place.
fn edited(files: &[(&str, &str)], edits: &[(&str, &str, &str)], args: &[&str]) -> Done {
    let scratch = Scratch::new(files.iter().copied());
    repository_of(&scratch.tree());
    for (file, from, to) in edits {
        let path = scratch.tree().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        fs::write(path, text.replace(from, to)).unwrap();
    }
    let all = ["review", "--base", "HEAD"].into_iter().chain(args.iter().copied());
    scratch.run(&all.collect::<Vec<_>>())
}

/// The fields that differ in the only environment, with how both sides read.
fn differing(done: &Done) -> Vec<(String, Value, Value)> {
    let found: Value = serde_json::from_str(&done.out).unwrap();
    let said = |cell: &Value| match cell["result"].as_str() {
        Some("unbounded") => cell["term"].clone(),
        Some("written") => cell["text"].clone(),
        Some("resolved") => cell["value"].clone(),
        _ => cell.clone(),
    };
    let values = found["environments"][0]["values"].as_array().unwrap();
    let one = |v: &Value| (v["field"].as_str().unwrap().to_owned(), said(&v["before"]), said(&v["after"]));
    values.iter().map(one).collect()
}

/// The head differs in the field alone; text, Markdown, HTML and the exit status say so as well.
fn tells(main: &str, (from, to): (&str, &str), want: &[(&str, &str, &str)]) {
    let files = [("main.tf", main)];
    let found = differing(&edited(&files, &[("main.tf", from, to)], &["--format", "json"]));
    let want: Vec<_> = want.iter().map(|(f, a, b)| ((*f).to_owned(), json!(a), json!(b))).collect();
    assert_eq!(found, want, "{from} to {to}");
    for form in ["text", "markdown", "html"] {
        let done = edited(&files, &[("main.tf", from, to)], &["--format", form, "--fail-on", "change"]);
        assert_eq!(done.code, Some(3), "{form}: {}{}", done.out, done.err);
        assert!(!done.out.to_lowercase().contains("nothing differs"), "{form}: {}", done.out);
    }
}

/// Nothing differs.
fn is_equal(main: &str, (from, to): (&str, &str)) {
    let done = edited(
        &[("main.tf", main)],
        &[("main.tf", from, to)],
        &["--fail-on", "change,destroy,replace,finding"],
    );
    assert_eq!(done.code, Some(0), "{from} to {to}: {}{}", done.out, done.err);
    assert_eq!(done.out, "default: nothing differs\n\n", "{from} to {to}: {}", done.err);
}

const TWO: &str = "resource \"terraform_data\" \"a\" {\n}\nresource \"terraform_data\" \"b\" {\n}\n";

fn with(rest: &str) -> String {
    format!("{TWO}{rest}")
}

#[test]
fn a_reference_to_another_resource_is_a_difference() {
    let main = with(
        "resource \"terraform_data\" \"s\" {\n  input = terraform_data.a.id\n  triggers_replace = terraform_data.a.id\n}\n",
    );
    let field = |name: &'static str| (name, "terraform_data.a.id", "terraform_data.b.id");
    let want = [field("terraform_data.s.input"), field("terraform_data.s.triggers_replace")];
    tells(&main, ("= terraform_data.a.id", "= terraform_data.b.id"), &want);
}

#[test]
fn text_around_what_is_unknown_is_a_difference() {
    let main = with(
        "variable \"sg\" {\n  default = \"s\"\n}\nresource \"terraform_data\" \"s\" {\n  input = \"${var.sg}-${terraform_data.a.id}\"\n}\n",
    );
    let field = "terraform_data.s.input";
    tells(
        &main,
        ("${var.sg}-", "${var.sg}-x-"),
        &[(field, "\"s-${terraform_data.a.id}\"", "\"s-x-${terraform_data.a.id}\"")],
    );
    tells(
        &main,
        ("default = \"s\"", "default = \"t\""),
        &[(field, "\"s-${terraform_data.a.id}\"", "\"t-${terraform_data.a.id}\"")],
    );
}

#[test]
fn what_a_reference_hangs_on_is_followed_through_locals_and_modules() {
    let files = [
        (
            "main.tf",
            "resource \"terraform_data\" \"a\" {\n}\nlocals {\n  p = \"${terraform_data.a.id}-y\"\n}\nmodule \"m\" {\n  source = \"./m\"\n  for_each = toset([\"k\"])\n  v = local.p\n}\noutput \"o\" {\n  value = [for m in module.m : m.o]\n}\n",
        ),
        ("m/main.tf", "variable \"v\" {\n  type = string\n}\noutput \"o\" {\n  value = \"${var.v}!\"\n}\n"),
    ];
    let found = differing(&edited(&files, &[("main.tf", "-y", "-z")], &["--format", "json"]));
    let names: Vec<&str> = found.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["module.m.v", "output.o.value", "module.m.output.o.value"]);
    assert_eq!(found[1].1, json!("[\"${terraform_data.a.id}-y!\"]"));
    let done = edited(&files, &[("m/main.tf", "${var.v}!", "${var.v}?")], &["--fail-on", "change"]);
    assert_eq!(done.code, Some(3), "{}", done.out);
}

#[test]
fn a_refactoring_that_keeps_what_is_unknown_is_equal() {
    let main = with(
        "locals {\n  p = terraform_data.a.id\n}\nresource \"terraform_data\" \"s\" {\n  input = { x = terraform_data.a.id, y = [\"1\", \"${terraform_data.a.id}-z\"] }\n}\n",
    );
    is_equal(&main, ("x = terraform_data.a.id", "x = local.p"));
    is_equal(&main, ("\"${terraform_data.a.id}-z\"", "\"${\"${local.p}-\"}z\""));
    is_equal(&main, ("{ x = terraform_data.a.id,", "{ x = true ? local.p : local.p,"));
    is_equal(
        &main,
        ("[\"1\", \"${terraform_data.a.id}-z\"]", "concat([\"1\"], [for i in [local.p] : \"${i}-z\"])"),
    );
}

#[test]
fn operations_on_what_is_unknown_are_told_apart() {
    for (from, to) in [
        ("upper(terraform_data.a.id)", "lower(terraform_data.a.id)"),
        ("terraform_data.a.id == \"x\"", "terraform_data.a.id != \"x\""),
        (
            "[for a in terraform_data.a.output : [for b in terraform_data.a.output : a.x]]",
            "[for a in terraform_data.a.output : [for b in terraform_data.a.output : b.x]]",
        ),
        ("terraform_data.a.output[*].x", "terraform_data.a.output[*].y"),
        ("terraform_data.a.output ? 1 : 2", "terraform_data.a.output ? 1 : 3"),
        ("{ x = terraform_data.a.id }", "{ y = terraform_data.a.id }"),
        ("[terraform_data.a.id, 1]", "[terraform_data.a.id, 2]"),
        ("try(terraform_data.a.output.x, 1)", "try(terraform_data.a.output.x, 2)"),
    ] {
        let main = with(&format!("resource \"terraform_data\" \"s\" {{\n  input = {from}\n}}\n"));
        is_equal(&main, ("input = ", "input =   "));
        let done = edited(&[("main.tf", &main)], &[("main.tf", from, to)], &["--fail-on", "change"]);
        assert_eq!(done.code, Some(3), "{from} to {to}: {}{}", done.out, done.err);
    }
}

#[test]
fn what_is_no_value_is_compared_as_it_is_written() {
    let main = with(
        "resource \"terraform_data\" \"s\" {\n  depends_on = [terraform_data.a]\n  lifecycle {\n    ignore_changes = [input]\n    postcondition {\n      condition     = self.id != \"\"\n      error_message = \"No.\"\n    }\n  }\n}\n",
    );
    let field = "terraform_data.s.depends_on";
    tells(
        &main,
        ("[terraform_data.a]", "[terraform_data.b]"),
        &[(field, "[terraform_data.a]", "[terraform_data.b]")],
    );
    tells(&main, ("[input]", "all"), &[("terraform_data.s.lifecycle.ignore_changes", "[input]", "all")]);
    let (before, after) = ("self.id != \"\"", "self.id == \"\"");
    tells(&main, (before, after), &[("terraform_data.s.lifecycle.postcondition.condition", before, after)]);
    is_equal(&main, ("condition     =", "condition ="));
}

#[test]
fn instances_that_nobody_knows_are_compared_by_what_they_are_made_of() {
    let main = with(
        "resource \"terraform_data\" \"s\" {\n  for_each = terraform_data.a.output\n  input    = \"${each.key}-${each.value.x}\"\n}\n",
    );
    is_equal(&main, ("input    =", "input ="));
    let done = edited(
        &[("main.tf", &main)],
        &[("main.tf", "each.value.x", "each.value.y")],
        &["--fail-on", "change"],
    );
    assert_eq!(done.code, Some(3), "{}", done.out);
    let done = edited(
        &[("main.tf", &main)],
        &[("main.tf", "terraform_data.a.output", "terraform_data.b.output")],
        &["--fail-on", "change"],
    );
    assert_eq!(done.code, Some(3), "{}", done.out);
}

#[test]
fn what_nobody_can_read_is_counted_and_named() {
    let files = [(
        "main.tf",
        "resource \"terraform_data\" \"s\" {\n  input = \"${file(\"~/../nowhere\")}-${local.used}\"\n}\nlocals {\n  used   = 1\n  unused = 1\n}\n",
    )];
    let edit = [("main.tf", "used   = 1", "used   = 2")];
    let done = edited(&files, &edit, &["--fail-on", "change"]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    assert!(done.out.contains("1 argument depends on what can't be read here, and can't be compared without --plan: terraform_data.s.input"), "{}", done.out);
    let json: Value = serde_json::from_str(&edited(&files, &edit, &["--format", "json"]).out).unwrap();
    assert_eq!(json["environments"][0]["uncompared"], json!(["terraform_data.s.input"]));
    for form in ["markdown", "html"] {
        let out = edited(&files, &edit, &["--format", form]).out;
        assert!(out.contains("terraform") && out.contains("compared without"), "{form}: {out}");
        assert!(!out.to_lowercase().contains("nothing differs"), "{form}: {out}");
    }
    // What isn't edited behind it is as it was.
    let done = edited(&files, &[("main.tf", "unused = 1", "unused = 2")], &["--fail-on", "change"]);
    assert_eq!((done.code, &*done.out), (Some(0), "default: nothing differs\n\n"), "{}", done.err);
}

#[test]
fn a_secret_in_what_is_unknown_is_not_shown() {
    let main = with(
        "variable \"password\" {\n  default   = \"hunter2\"\n  sensitive = true\n}\nresource \"terraform_data\" \"s\" {\n  input = \"${var.password}-${terraform_data.a.id}\"\n}\n",
    );
    for form in ["text", "json", "markdown", "html"] {
        let done = edited(&[("main.tf", &main)], &[("main.tf", "a.id}", "b.id}")], &["--format", form]);
        assert!(done.code == Some(0) && !done.out.contains("hunter"), "{form}: {}{}", done.out, done.err);
    }
    let done = edited(&[("main.tf", &main)], &[("main.tf", "hunter2", "hunter3")], &["--fail-on", "change"]);
    assert!(done.code == Some(3) && !done.out.contains("hunter"), "{}", done.out);
}

/// Two environments of files, one of which is called like a workspace.
const WORKSPACE: &str = "resource \"terraform_data\" \"backup\" {\n  count = terraform.workspace == \"prod\" ? 1 : 0\n  input = \"x\"\n}\nvariable \"size\" {\n  default = \"s\"\n}\n";

#[test]
fn a_workspace_that_nothing_names_is_open() {
    let files =
        [("main.tf", WORKSPACE), ("env/dev.tfvars", "size = \"s\"\n"), ("env/prod.tfvars", "size = \"l\"\n")];
    let scratch = Scratch::new(files);
    let done = scratch.run(&["matrix", "--all"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.contains("terraform.workspace == \"prod\" ? 1 : 0"), "{}", done.out);
    assert_eq!(done.err.matches("The workspace is open").count(), 1, "{}", done.err);
    let done = edited(&files, &[("main.tf", "? 1 : 0", "? 0 : 0")], &["--fail-on", "change"]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    let listed = "variable \"terraform.workspace\" {\n  universe = [\"dev\", \"prod\"]\n}\n";
    let scratch = Scratch::new(files.into_iter().chain([("phi.hcl", listed)]));
    let found: Value = serde_json::from_str(&scratch.run(&["matrix", "--all", "--json"]).out).unwrap();
    let cells = &found["instances"][0]["cells"];
    assert_eq!((&cells["dev"], &cells["prod"]), (&json!([]), &json!(["[0]"])), "{found}");
}

#[test]
fn sources_that_are_chosen_do_not_hide_each_other() {
    let files = [
        (
            "main.tf",
            "variable \"network\" {\n  type = string\n}\nmodule \"network\" {\n  source = \"./modules/${var.network}\"\n}\n",
        ),
        ("env/dev.tfvars", "network = \"shared\"\n"),
        ("env/prod.tfvars", "network = \"isolated\"\n"),
        ("modules/shared/main.tf", "resource \"terraform_data\" \"vpc\" {\n  input = \"10.0.0.0/16\"\n}\n"),
        (
            "modules/isolated/main.tf",
            "resource \"terraform_data\" \"vpc\" {\n  input = \"10.64.0.0/16\"\n}\n",
        ),
    ];
    let scratch = Scratch::new(files);
    let found: Value = serde_json::from_str(&scratch.run(&["matrix", "--all", "--json"]).out).unwrap();
    let rows = found["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["field"] == "module.network.terraform_data.vpc.input").unwrap();
    assert_eq!(
        (&row["cells"]["dev"]["value"], &row["cells"]["prod"]["value"]),
        (&json!("10.0.0.0/16"), &json!("10.64.0.0/16"))
    );
    assert_eq!(found["instances"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(found["instances"][0]["cells"], json!({"dev": [""], "prod": [""]}));
    for (file, env) in [("modules/isolated/main.tf", 1), ("modules/shared/main.tf", 0)] {
        let done = edited(&files, &[(file, "10.", "11.")], &["--format", "json", "--fail-on", "change"]);
        let review: Value = serde_json::from_str(&done.out).unwrap();
        let counts: Vec<usize> =
            (0..2).map(|at| review["environments"][at]["values"].as_array().unwrap().len()).collect();
        assert_eq!((done.code, counts[env], counts[1 - env]), (Some(3), 1, 0), "{}", done.out);
    }
}

/// Runs a review where the base is another revision than the head's.
fn against(scratch: &Scratch, args: &[&str]) -> Done {
    let all = ["review", "--format", "json"].into_iter().chain(args.iter().copied());
    scratch.run(&all.collect::<Vec<_>>())
}

#[test]
fn a_branch_behind_its_base_is_compared_with_what_both_have() {
    let scratch = Scratch::new([("main.tf", "resource \"terraform_data\" \"a\" {\n  input = 1\n}\n")]);
    let tree = scratch.tree();
    repository_of(&tree);
    git(&tree, &["branch", "-m", "trunk"]);
    git(&tree, &["checkout", "-qb", "topic"]);
    git(&tree, &["checkout", "-q", "trunk"]);
    fs::write(tree.join("more.tf"), "resource \"terraform_data\" \"b\" {\n}\n").unwrap();
    git(&tree, &["add", "-A"]);
    git(&tree, &["commit", "-qm", "more"]);
    git(&tree, &["checkout", "-q", "topic"]);
    for base in [&["--base", "trunk"][..], &["--base", "trunk...HEAD"]] {
        let done = against(&scratch, base);
        let found: Value = serde_json::from_str(&done.out).unwrap();
        assert_eq!(found["environments"][0]["instances"], json!([]), "{base:?}");
    }
    let found: Value =
        serde_json::from_str(&against(&scratch, &["--base", "trunk", "--base-exact"]).out).unwrap();
    assert_eq!(
        found["environments"][0]["instances"],
        json!([{"address": "terraform_data.b", "before": true, "after": false}])
    );
}

#[test]
fn tracked_files_outside_of_the_root_are_read() {
    let main = "resource \"terraform_data\" \"a\" {\n  input = yamldecode(file(\"${path.module}/../config/x.yaml\")).image\n}\n";
    let scratch = Scratch::new([("app/main.tf", main), ("config/x.yaml", "image: a\n")]);
    repository_of(&scratch.tree());
    fs::write(scratch.tree().join("config/x.yaml"), "image: b\n").unwrap();
    let done = scratch.run(&["-chdir=app", "review", "--base", "HEAD", "--format", "json"]);
    assert_eq!(differing(&done), [("terraform_data.a.input".to_owned(), json!("a"), json!("b"))]);
    fs::write(scratch.tree().join("config/new.yaml"), "image: c\n").unwrap();
    fs::write(scratch.tree().join("app/main.tf"), main.replace("x.yaml", "new.yaml")).unwrap();
    let done = scratch.run(&["-chdir=app", "review", "--base", "HEAD", "--fail-on", "change"]);
    assert_eq!(done.code, Some(3), "what nobody added isn't read: {}", done.out);
}

#[test]
fn the_base_is_read_under_the_environments_of_the_head() {
    let main = "variable \"size\" {\n  default = \"s\"\n}\nresource \"terraform_data\" \"a\" {\n  input = var.size\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("env/dev.tfvars", "size = \"s\"\n")]);
    repository_of(&scratch.tree());
    let phi = "environment \"dev\" {\n  var_files = [\"env/dev.tfvars\"]\n}\nenvironment \"live\" {\n  variables = { size = \"l\" }\n}\n";
    fs::write(scratch.tree().join("phi.hcl"), phi).unwrap();
    let done = scratch.run(&["review", "--base", "HEAD", "--fail-on", "change"]);
    assert_eq!((done.code, done.out.as_str()), (Some(0), "dev, live: nothing differs\n\n"), "{}", done.err);
}

#[test]
fn another_value_in_a_block_of_an_environment_is_a_difference() {
    let main = "variable \"size\" {\n  type = number\n}\nresource \"terraform_data\" \"a\" {\n  input = var.size\n}\n";
    let phi = "environment \"dev\" {\n  variables = { size = 1 }\n}\n";
    let files = [("main.tf", main), ("phi.hcl", phi)];
    let edit = [("phi.hcl", "size = 1", "size = 2")];
    let done = edited(&files, &edit, &["--fail-on", "change", "--json"]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    assert_eq!(differing(&done), [("terraform_data.a.input".to_owned(), json!(1), json!(2))]);
}

#[test]
fn a_base_that_cannot_be_parsed_does_not_stop_what_mends_it() {
    let files = [("main.tf", "resource \"terraform_data\" \"a\" {\n  input = [1\n}\n")];
    let done = edited(&files, &[("main.tf", "[1", "[1]")], &["--fail-on", "change"]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    assert!(
        done.err.contains("HEAD is no configuration") && done.out.contains("terraform_data.a"),
        "{}{}",
        done.out,
        done.err
    );
}

#[test]
fn a_module_that_is_not_there_loses_nothing() {
    let files = [
        (
            "main.tf",
            "variable \"network\" {\n  type = string\n}\nmodule \"network\" {\n  source = \"./modules/${var.network}\"\n}\n",
        ),
        ("env/dev.tfvars", "network = \"shared\"\n"),
        ("env/prod.tfvars", "network = \"isolated\"\n"),
        ("modules/shared/main.tf", "resource \"terraform_data\" \"vpc\" {\n}\n"),
        ("modules/isolated/main.tf", "resource \"terraform_data\" \"vpc\" {\n}\n"),
    ];
    let edit = [("env/prod.tfvars", "isolated", "nowhere")];
    let done = edited(&files, &edit, &["--fail-on", "finding", "--format", "json"]);
    let found: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(done.code, Some(3), "{}", done.out);
    assert!(found["findings"].to_string().contains("Unreadable module directory"), "{found}");
    let prod = &found["environments"][1];
    assert_eq!(
        (&prod["instances"], &prod["uncompared"]),
        (&json!([]), &json!(["module.network"])),
        "{found}"
    );
}

#[test]
fn a_variable_that_an_environment_leaves_out_is_a_finding() {
    let files = [
        ("main.tf", "variable \"size\" {\n  type = string\n}\nvariable \"name\" {\n  type = string\n}\n"),
        ("env/dev.tfvars", "size = \"s\"\nname = \"n\"\n"),
        ("env/prod.tfvars", "size = \"l\"\nname = \"n\"\n"),
    ];
    let done = edited(
        &files,
        &[("env/prod.tfvars", "size = \"l\"\n", "")],
        &["--fail-on", "finding", "--format", "json"],
    );
    let found: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(done.code, Some(3), "{}", done.out);
    assert!(found["findings"].to_string().contains("No value for var.size"), "{found}");
    let done = edited(&files[..2], &[("main.tf", "\"size\"", "\"other\"")], &["--fail-on", "finding"]);
    assert_eq!(done.code, Some(3), "{}", done.out);
}

#[test]
fn what_is_driven_and_no_value_is_compared_by_environment() {
    let main = "variable \"us\" {\n  type = bool\n}\nprovider \"terraform\" {\n  alias = \"us\"\n}\nprovider \"terraform\" {\n  alias = \"eu\"\n}\nresource \"terraform_data\" \"a\" {\n  provider = var.us ? terraform.us : terraform.eu\n}\n";
    let files = [("main.tf", main), ("env/dev.tfvars", "us = false\n"), ("env/prod.tfvars", "us = false\n")];
    let done = edited(&files, &[("env/prod.tfvars", "false", "true")], &["--fail-on", "change"]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    assert!(done.out.contains("terraform_data.a.provider"), "{}", done.out);
}

/// What a file gave to an environment in the base, it gives there still, whatever a block of the head says under that name.
#[test]
fn a_block_of_the_head_changes_nothing_in_the_base() {
    let main = |count: &str| {
        format!(
            "variable \"v\" {{}}\nresource \"terraform_data\" \"a\" {{\n  count = var.v == \"prod\" ? {count} : 0\n}}\n"
        )
    };
    for (name, file, phi) in [
        ("prod", "live/prod.tfvars", "environment \"prod\" {\n  var_files = [\"live/dev.tfvars\"]\n}\n"),
        ("default", "terraform.tfvars", "environment \"default\" {\n  variables = { v = \"dev\" }\n}\n"),
    ] {
        let scratch = Scratch::new([
            ("main.tf", &*main("1")),
            ("live/dev.tfvars", "v = \"dev\"\n"),
            (file, "v = \"prod\"\n"),
        ]);
        if name == "default" {
            std::fs::remove_file(scratch.tree().join("live/dev.tfvars")).unwrap();
        }
        repository_of(&scratch.tree());
        let base = format!("--base={}", git(&scratch.tree(), &["rev-parse", "HEAD"]).trim());
        std::fs::write(scratch.tree().join("main.tf"), main("0")).unwrap();
        std::fs::write(scratch.tree().join("phi.hcl"), phi).unwrap();
        let done = scratch.run(&["review", &base, "--fail-on", "destroy"]);
        assert!(
            done.code == Some(3) && done.out.contains("terraform_data.a"),
            "{name}: {}{}",
            done.out,
            done.err
        );
    }
}

/// Of what is left out nobody can say that nothing is destroyed.
#[test]
fn what_is_left_out_may_be_destroyed() {
    let main: String = (0..60).map(|n| format!("resource \"aws_x\" \"z{n:02}\" {{\n  a = 1\n}}\n")).collect();
    let phi: String =
        (0..9_000).map(|n| format!("environment \"e{n}\" {{\n  variables = {{}}\n}}\n")).collect();
    let scratch = Scratch::new([("main.tf", &*main)]);
    repository_of(&scratch.tree());
    let base = format!("--base={}", git(&scratch.tree(), &["rev-parse", "HEAD"]).trim());
    std::fs::write(scratch.tree().join("main.tf"), main.rsplit_once("resource").unwrap().0).unwrap();
    std::fs::write(scratch.tree().join("phi.hcl"), phi).unwrap();
    for what in ["destroy", "replace", "change"] {
        let done = scratch.run(&["review", &base, "--fail-on", what]);
        assert_eq!(done.code, Some(3), "{what}: {}", done.err);
    }
}
