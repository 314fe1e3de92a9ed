//! Bad input: a clear error with its place, exit status 1, Terraform not started, the tree untouched.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

const PHI: (&str, &str) = ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n");
const MAIN: (&str, &str) = (
    "main.tf",
    "variable \"on\" {\n  type    = bool\n  default = true\n}\n\nresource \"terraform_data\" \"a\" {\n  input = var.on ? \"x\" : \"y\"\n}\n",
);

/// Runs `plan`; every one of `words` has to stand in what is said, and nothing may have happened.
fn refused(scratch: &Scratch, words: &[&str]) {
    let before = scratch.snapshot();
    for command in ["plan", "apply"] {
        let done = scratch.run(&[command]);
        for word in words {
            assert!(done.err.contains(word), "{word:?} is not in\n{}", done.err);
        }
        assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{}", done.err);
        assert_eq!(scratch.log(), "", "Terraform was started");
        assert_eq!(scratch.snapshot(), before, "the tree was changed");
    }
}

#[test]
fn no_terraform() {
    let scratch = Scratch::new([MAIN]);
    fs::remove_file(scratch.path("bin/terraform")).unwrap();
    let mut command = scratch.command(&["plan"]);
    let done = crate::cli_common::Done::new(command.env("PATH", scratch.path("bin")).output().unwrap());
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("there is no terraform and no tofu on PATH"), "{}", done.err);
    let done = scratch.run(&["--terraform", "/nowhere/terraform", "plan"]);
    assert!(done.err.contains("/nowhere/terraform") && done.code == Some(1), "{}", done.err);
}

#[test]
fn no_such_directory() {
    let scratch = Scratch::new([MAIN]);
    for dir in ["nowhere", "main.tf"] {
        let done = scratch.run(&[&format!("-chdir={dir}"), "plan"]);
        assert!(done.err.contains(dir) && done.code == Some(1), "{}", done.err);
        assert_eq!(scratch.log(), "");
    }
}

#[test]
fn no_configuration() {
    refused(
        &Scratch::new([PHI]),
        &["No configuration files", "contains no Terraform configuration files", "tf-phi roots --recursive"],
    );
}

#[test]
fn a_missing_module_folder() {
    let call = ("call.tf", "module \"m\" {\n  source = \"./modules/m\"\n}\n");
    refused(&Scratch::new([MAIN, PHI, call]), &["call.tf:2:12", "modules/m", "does not exist"]);
}

#[test]
fn a_module_that_is_not_installed() {
    let call = ("call.tf", "module \"m\" {\n  source = \"a/b/c\"\n}\n");
    refused(&Scratch::new([MAIN, PHI, call]), &["call.tf:2:12", "not yet installed", "terraform init"]);
}

#[test]
fn several_modules_that_are_not_installed() {
    let calls =
        (1..=7).map(|n| format!("module \"m{n}\" {{\n  source = \"a/b/c\"\n}}\n")).collect::<String>();
    let scratch = Scratch::new([MAIN, PHI, ("call.tf", calls.as_str())]);
    refused(
        &scratch,
        &["7 modules are not installed", "call.tf:2: \"module.m1\"", "call.tf:14: ", "And 2 more."],
    );
    let said = scratch.run(&["plan"]).err;
    assert_eq!(said.matches("terraform init").count(), 1, "{said}");
    assert_eq!(said.matches("Blocking").count(), 1, "{said}");
}

#[test]
fn a_syntax_error() {
    let bad = ("bad.tf", "locals {\n  a = (1 +\n}\n");
    refused(&Scratch::new([MAIN, PHI, bad]), &["Syntax error", "bad.tf:", "unparsable"]);
}

#[test]
fn a_file_that_is_not_utf8() {
    let scratch = Scratch::new([MAIN, PHI]);
    fs::write(scratch.tree().join("latin.tf"), b"# ok\n# \xe9\n").unwrap();
    refused(&scratch, &["latin.tf:2", "UTF-8"]);
}

#[test]
fn a_file_that_cannot_be_read() {
    let scratch = Scratch::new([MAIN, PHI]);
    std::os::unix::fs::symlink("nowhere", scratch.tree().join("gone.tf")).unwrap();
    refused(&scratch, &["gone.tf", "nothing is there"]);
}

#[test]
fn a_typo_in_phi_hcl() {
    let typo = ("phi.hcl", "specialize \"terraform_data\" {\n  feilds = [\"input\"]\n}\n");
    refused(&Scratch::new([MAIN, typo]), &["phi.hcl:2:", "feilds", "Did you mean \"fields\"?"]);
    let typo = ("phi.hcl", "specialize \"terraform_dato\" {\n  fields = [\"input\"]\n}\n");
    refused(&Scratch::new([MAIN, typo]), &["phi.hcl:1:", "Did you mean \"terraform_data\"?"]);
    refused(&Scratch::new([MAIN, ("phi.hcl", "specialize {\n")]), &["phi.hcl:", "unparsable"]);
}

#[test]
fn a_field_that_cannot_be_determined() {
    let open = (
        "main.tf",
        "variable \"v\" {\n  type = string\n}\n\nresource \"terraform_data\" \"app\" {\n  input = var.v\n}\n",
    );
    let words = [
        "⚠ Blocking: can't determine the value of input on terraform_data.app",
        "main.tf:6:11",
        "Why:\n  var.v has no default value, and no validation block lists the allowed values.",
        "Fix (any one of these works):\n  1. Give the variable a default",
        "no-universe",
    ];
    refused(&Scratch::new([open, PHI]), &words);
}

#[test]
fn issues_as_json() {
    let open = ("main.tf", "variable \"v\" {}\nresource \"terraform_data\" \"app\" {\n  input = var.v\n}\n");
    let scratch = Scratch::new([open, PHI]);
    let done = scratch.run(&["plan", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&done.err).unwrap();
    assert_eq!(json["issues"][0]["code"], "no-universe");
    assert_eq!(json["issues"][0]["field"], "terraform_data.app.input");
    assert_eq!(json["issues"][0]["line"], 3);
    assert_eq!((done.code, scratch.log().as_str()), (Some(1), ""));
}

#[test]
fn a_tree_that_cannot_be_written() {
    let scratch = Scratch::new([MAIN, PHI, ("terraform.tfvars", "on = true\n")]);
    let mode = |mode| fs::set_permissions(scratch.tree(), fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    refused(&scratch, &["can't write in", "tree", "writable"]);
    // Nothing has to be written here, so nothing is in the way.
    mode(0o755);
    fs::remove_file(scratch.tree().join("phi.hcl")).unwrap();
    mode(0o555);
    let done = scratch.run(&["plan"]);
    mode(0o755);
    assert_eq!((done.code, scratch.calls()), (Some(0), vec!["plan".to_owned()]), "{}", done.err);
}

#[test]
fn two_runs_at_once() {
    let scratch = Scratch::new([MAIN, PHI]);
    let lock = tf_phi::txn::Lock::acquire(&scratch.tree()).unwrap();
    refused(&scratch, &["works in this directory", &std::process::id().to_string()]);
    drop(lock);
    assert!(!scratch.tree().join(".phi").exists());
}

#[test]
fn a_command_that_does_not_exist() {
    let scratch = Scratch::new([MAIN]);
    let done = scratch.run(&["plam"]);
    assert_eq!((done.code, scratch.log().as_str()), (Some(1), ""));
    assert!(done.err.contains("plan"), "{}", done.err);
    let done = scratch.run(&["-chdir", "x", "plan"]);
    assert!(done.err.contains("-chdir=DIR") && done.code == Some(1), "{}", done.err);
}
