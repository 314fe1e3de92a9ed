//! `tf-phi doctor`, and commands over many root modules that put things back.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;
use crate::cli_common::git::git;
use std::fs;

const MAIN: &str = "variable \"env\" {}\nresource \"terraform_data\" \"db\" {\n  lifecycle {\n    \
    prevent_destroy = var.env == \"prod\"\n  }\n}\n";

#[test]
fn says_what_there_is_and_changes_nothing() {
    let files = [("main.tf", MAIN), ("dev.tfvars", "env = \"dev\"\n"), ("prod.tfvars", "env = \"prod\"\n")];
    let scratch = Scratch::new(files);
    let before = scratch.snapshot();
    let done = scratch.run(&["doctor"]);
    for said in [
        "1 where Terraform takes no expression",
        "2 environments",
        "prod: prod.tfvars",
        "main.tf:4: terraform_data.db.lifecycle.prevent_destroy",
        "none, or an empty one",
        "ignores nothing",
    ] {
        assert!(done.out.contains(said), "{said}\n{}\n{}", done.out, done.err);
    }
    assert_eq!(scratch.snapshot(), before);
}

#[test]
fn says_what_is_in_the_way() {
    let scratch = Scratch::new([
        ("main.tf", MAIN),
        (".gitignore", ".*\n"),
        ("phi.hcl", "specialize \"terraform_data.nope\" {\n  fields = [\"input\"]\n}\n"),
    ]);
    git(&scratch.tree(), &["init", "-q"]);
    let done = scratch.run(&["doctor"]);
    assert_eq!(done.code, Some(1));
    for said in ["Unknown resource \"terraform_data.nope\"", "tf-phi check", ".phi/history.jsonl", "`!.phi/`"]
    {
        assert!(done.out.contains(said), "{said}\n{}", done.out);
    }
    fs::write(scratch.tree().join(".gitignore"), ".*\n!.phi/\n").unwrap();
    let done = scratch.run(&["doctor"]);
    assert!(done.out.contains("ignores nothing"), "{}", done.out);
    // A state that can't be read is none of which nothing is known.
    fs::remove_file(scratch.tree().join("phi.hcl")).unwrap();
    fs::write(scratch.tree().join("terraform.tfstate"), "{").unwrap();
    fs::write(scratch.path("bin/terraform"), "#!/bin/sh\necho Broken >&2\nexit 1\n").unwrap();
    let done = scratch.run(&["doctor"]);
    assert!(done.code == Some(1) && !done.out.contains("none, or an empty one"), "{}", done.out);
}

/// Terraform shows the line that it stops at, whatever stands in it.
#[test]
fn shows_no_source_that_terraform_shows() {
    let main = "resource \"aws_db_instance\" \"x\" {\n  password = \"S3cretAA77\\q\"\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("terraform.tfstate", "{}")]);
    let said = "\nError: Invalid escape sequence\n\n  on main.tf line 2, in resource \"aws_db_instance\" \"x\":\n   2:   password = \"S3cretAA77\\\\q\"\n\nThe symbol \"S3cretAA77\" is none.\n";
    let script = format!(
        "#!/bin/sh\ncase \"$1\" in version) echo '{{\"terraform_version\":\"1.11.4\"}}';; *) cat >&2 <<'END'\n{said}END\nexit 1;; esac\n"
    );
    fs::write(scratch.path("bin/terraform"), script).unwrap();
    let done = scratch.run(&["doctor"]);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(
        done.out.contains("Invalid escape sequence") && done.out.contains("on main.tf line 2"),
        "{}",
        done.out
    );
    assert!(!(done.out + &done.err).contains("S3cret"), "a source was shown");
}

#[test]
fn restore_puts_every_root_back() {
    let files = [("live/a/main.tf", MAIN), ("live/b/main.tf", MAIN), ("live/c/main.tf", "")];
    let scratch = Scratch::new(files);
    let done = scratch.run(&["check", "--recursive", "--fix", "live"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    fs::write(scratch.tree().join("live/a/main.tf"), "resource \"x\" {").unwrap();
    let done = scratch.run(&["restore", "--recursive", "live"]);
    assert_eq!(done.code, Some(1), "one was edited\n{}", done.err);
    assert!(done.err.contains("live/b:") && !done.err.contains("live/c"), "{}", done.err);
    for (name, text) in files.into_iter().skip(1) {
        assert_eq!(fs::read_to_string(scratch.tree().join(name)).unwrap(), text);
    }
    let done = scratch.run(&["restore", "live/b", "live/c"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
}

#[test]
fn an_override_file_over_an_expression_is_named() {
    let over = "resource \"terraform_data\" \"db\" {\n  lifecycle {\n    prevent_destroy = false\n  }\n}\n";
    let scratch = Scratch::new([("main.tf", MAIN), ("x_override.tf", over)]);
    let done = scratch.run(&["plan"]);
    let said = "Terraform reads the prevent_destroy that an override file replaces";
    assert!(done.err.contains(said) && done.err.contains("main.tf:4"), "{}", done.err);
}
