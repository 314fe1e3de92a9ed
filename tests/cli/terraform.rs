//! Without a driven field, `tf-phi plan` is exactly `terraform plan`: arguments, status, streams, environment.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::{Done, Scratch};

const MAIN: (&str, &str) =
    ("main.tf", "variable \"v\" {}\nresource \"terraform_data\" \"a\" {\n  input = var.v\n}\n");

#[test]
fn arguments_status_and_stdout_pass_through() {
    let scratch = Scratch::new([MAIN]);
    let before = scratch.snapshot();
    let args = ["plan", "-detailed-exitcode", "-var", "v=a b", "-out=x y", "-unknown", "--", "-chdir=z"];
    let done = Done::new(scratch.command(&args).env("FAKE_EXIT", "2").output().unwrap());
    assert_eq!(done.code, Some(2));
    assert_eq!(done.out, "fake \u{1b}[1mplan\u{1b}[0m\n");
    assert_eq!(done.err.lines().count(), 1, "{}", done.err);
    assert!(done.err.contains("nothing to specialise"), "{}", done.err);
    assert!(scratch.log().contains("arg v=a b\n") && scratch.log().contains("arg -out=x y\n"));
    assert_eq!(scratch.calls(), [args.join(" ")]);
    assert_eq!(scratch.snapshot(), before);
}

#[test]
fn apply_and_a_saved_plan() {
    let phi = ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n");
    let scratch = Scratch::new([MAIN, phi, ("saved.tfplan", "")]);
    let done = scratch.run(&["apply", "-auto-approve", "saved.tfplan"]);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
    assert_eq!(scratch.calls(), ["apply -auto-approve saved.tfplan"]);
}

#[test]
fn another_directory_is_terraforms_business_too() {
    let scratch = Scratch::new([("sub/main.tf", "locals {}\n")]);
    let done = scratch.run(&["-chdir=sub", "plan", "-no-color"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert_eq!(scratch.calls(), ["-chdir=sub plan -no-color"]);
    let here = scratch.tree().canonicalize().unwrap();
    assert!(scratch.log().contains(&format!("pwd {}\n", here.display())));
}

#[test]
fn what_terraform_says_of_a_broken_tree_is_left_to_it() {
    let scratch = Scratch::new([("main.tf", "locals {\n")]);
    let done = Done::new(scratch.command(&["plan"]).env("FAKE_EXIT", "1").output().unwrap());
    assert_eq!((done.code, scratch.calls()), (Some(1), vec!["plan".to_owned()]));
}

#[test]
fn the_environment_passes_through() {
    let scratch = Scratch::new([MAIN]);
    let mut command = scratch.command(&["plan"]);
    command
        .env("TF_IN_AUTOMATION", "1")
        .env("TF_CLI_ARGS_plan", "-var 'unclosed")
        .env("TF_DATA_DIR", "elsewhere");
    assert_eq!(command.status().unwrap().code(), Some(0));
    assert!(scratch.log().contains("auto 1\n"));
    assert_eq!(scratch.calls(), ["plan"]);
}

#[test]
fn the_binary_is_chosen_in_order() {
    let scratch = Scratch::new([MAIN, ("phi.hcl", "settings {\n  terraform = \"terraform-other\"\n}\n")]);
    std::fs::copy(scratch.path("bin/terraform"), scratch.path("bin/terraform-other")).unwrap();
    std::fs::remove_file(scratch.path("bin/terraform")).unwrap();
    assert_eq!(scratch.run(&["plan"]).code, Some(0));
    let mut command = scratch.command(&["plan"]);
    let done = Done::new(command.env("TF_PHI_TERRAFORM", "/nowhere/terraform").output().unwrap());
    assert!(done.code == Some(1) && done.err.contains("TF_PHI_TERRAFORM"), "{}", done.err);
    let other = scratch.path("bin/terraform-other");
    let args = ["plan", "--terraform", other.to_str().unwrap(), "-input=false"];
    let mut command = scratch.command(&args);
    assert_eq!(command.env("TF_PHI_TERRAFORM", "/nowhere/terraform").status().unwrap().code(), Some(0));
    assert_eq!(scratch.calls(), ["plan", "plan -input=false"]);
}

#[test]
fn a_dry_run_without_anything_to_do_starts_nothing() {
    let scratch = Scratch::new([MAIN]);
    let done = scratch.run(&["plan", "--dry-run"]);
    assert_eq!((done.code, done.out.as_str(), scratch.log().as_str()), (Some(0), "", ""));
}

#[test]
fn help_and_version_start_nothing() {
    let scratch = Scratch::new([MAIN]);
    for args in [
        &["-help"][..],
        &["--help"],
        &["plan", "-help"],
        &["plan", "-out", "x", "--help"],
        &["trace", "-help"],
    ] {
        let done = scratch.run(args);
        assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{args:?}");
        assert!(done.out.contains("Usage: tf-phi"), "{}", done.out);
    }
    for args in ["-version", "--version", "version"] {
        assert_eq!(scratch.run(&[args]).out, concat!("tf-phi ", env!("CARGO_PKG_VERSION"), "\n"));
    }
    assert_eq!(scratch.log(), "");
}

#[test]
fn what_terraform_rejects_is_seen_with_tf_phi() {
    let call = "module \"m\" {\n  source = var.v == \"a\" ? \"./a\" : \"./b\"\n}\n";
    let main = "variable \"v\" {\n  type = string\n  validation {\n    condition     = contains([\"a\", \"b\"], var.v)\n    \
                error_message = \"No.\"\n  }\n}\noutput \"o\" {\n  value = { a = 1 }[var.v]\n}\n";
    for (call, program) in [("", "terraform"), (call, "tf-phi")] {
        let files = [("main.tf", main), ("call.tf", call), ("a/main.tf", ""), ("b/main.tf", "")];
        let done = Scratch::new(files).run(&["validate"]);
        assert!(done.out.contains(&format!("Seen:  {program} plan -var v=b")), "{}", done.out);
    }
    let done = Scratch::new([MAIN]).run(&["validate", "-no-tests"]);
    assert!(done.err.contains("Type: tf-phi run -- terraform validate -no-tests"), "{}", done.err);
}
