//! `tf-phi verify`: equal for every assignment, different where somebody made it so, and nothing is written.

use std::fs;

use crate::support::Scratch;
use crate::support::sample::sampled;
use crate::trees::{NESTED, POSTGRES, REPEATED, RESOURCE_THREE, SHARED, Tree, UNIVERSE};

fn equal(scratch: &Scratch, args: &[&str], what: &str) {
    let before = scratch.everything();
    let ran = scratch.tf_phi(&[&["verify"][..], args].concat());
    assert!(ran.code == 0, "{what} {args:?}: {}\n{}\n{}", ran.code, ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("The two plans are equal"), "{}", ran.stdout);
    assert_eq!(scratch.everything(), before, "{what} {args:?}: something was written");
}

/// From nothing, and from the state of an assignment, or with `TF_PHI_WHOLE` of each, applied in either form.
pub fn every_way(tree: &Tree) {
    for args in sampled(tree.assignments, tree.assignments.len(), tree.name) {
        let scratch = tree.scratch();
        equal(&scratch, args, tree.name);
        scratch.apply(args);
        for next in tree.assignments {
            equal(&scratch, next, &format!("{}, original applied with {args:?}", tree.name));
        }
        let (_, file) = scratch.phi_plan(args);
        scratch.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
        for next in tree.assignments {
            equal(&scratch, next, &format!("{}, specialised applied with {args:?}", tree.name));
        }
    }
}

#[test]
fn a_call() {
    every_way(&POSTGRES);
}

#[test]
fn a_universe() {
    every_way(&UNIVERSE);
}

#[test]
fn a_resource_and_a_shared_value() {
    every_way(&RESOURCE_THREE);
    every_way(&SHARED);
}

#[test]
fn a_choice_inside_a_choice() {
    every_way(&NESTED);
}

#[test]
fn a_call_with_for_each() {
    every_way(&REPEATED);
}

#[test]
fn modules_beside_the_directory_and_state_elsewhere() {
    let scratch = Scratch::with(&[
        (
            "live/prod/main.tf",
            "terraform {\n  backend \"local\" {\n    path = \"../state/prod.tfstate\"\n  }\n}\nvariable \"env\" {}\n\
             module \"db\" {\n  source = \"../../modules/db\"\n  v = var.env == \"prod\" ? \"a\" : \"b\"\n}\n",
        ),
        (
            "modules/db/main.tf",
            "variable \"v\" {}\nresource \"terraform_data\" \"db\" {\n  input = \"${var.v} ${path.module}\"\n}\n",
        ),
        ("live/prod/phi.hcl", "specialize \"module.db\" {\n  fields = [\"v\"]\n}\n"),
        ("live/prod/vars/prod.tfvars", "env = \"prod\"\n"),
        ("live/state/keep", ""),
    ]);
    scratch.terraform(&["-chdir=live/prod", "init", "-input=false"]).expect(0);
    let args = ["-chdir=live/prod", "apply", "-auto-approve", "-var-file=vars/prod.tfvars"];
    scratch.terraform(&args).expect(0);
    let before = scratch.everything();
    let ran =
        scratch.tf_phi(&["-chdir=live/prod", "verify", "-var-file=vars/prod.tfvars", "-out=x"]).expect(0);
    assert!(ran.stdout.contains("equal"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(scratch.everything(), before);
}

#[test]
fn a_difference_is_shown() {
    // What a plan can't be pinned down to: each asks the clock.
    let scratch = Scratch::with(&[
        (
            "main.tf",
            "variable \"env\" {}\nresource \"terraform_data\" \"a\" {\n  input = var.env == \"prod\" ? \"a\" : \"b\"\n}\n\
             output \"when\" {\n  value = plantimestamp()\n}\n",
        ),
        ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n"),
    ]);
    scratch.init();
    let ran = (0..3).map(|_| scratch.tf_phi(&["verify", "-var=env=prod"])).find(|r| r.code != 0);
    // Two plans within one second are equal.
    if let Some(ran) = ran {
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        assert!(ran.stdout.contains("--- a/output.when"), "{}", ran.stdout);
    }
}

#[test]
fn an_original_that_cannot_be_planned() {
    let scratch = Scratch::with(&[
        (
            "main.tf",
            "variable \"env\" {}\nmodule \"m\" {\n  source = var.env == \"prod\" ? \"./a\" : \"./b\"\n}\n",
        ),
        ("a/main.tf", "resource \"terraform_data\" \"x\" {}\n"),
        ("b/main.tf", "resource \"terraform_data\" \"x\" {}\n"),
    ]);
    fs::create_dir(scratch.dir().join(".terraform")).unwrap();
    let ran = scratch.tf_phi(&["verify", "-var=env=prod"]).expect(1);
    assert!(ran.stderr.contains("the original can't be planned"), "{}", ran.stderr);
}

/// Terraform's errors alone: which flags it was given is no matter of the user's.
#[test]
fn why_the_original_cannot_be_planned() {
    let fails = "variable \"env\" {}\nresource \"terraform_data\" \"a\" {\n  input = var.env == \"prod\" ? \"a\" : \"b\"\n  \
        lifecycle {\n    precondition {\n      condition     = var.env == \"prod\"\n      error_message = \"only there\"\n    }\n  }\n}\n";
    let phi = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", fails), ("phi.hcl", phi)]);
    scratch.tf_phi(&["apply", "-input=false", "-auto-approve", "-var=env=prod"]).expect(0);
    let ran = scratch.tf_phi(&["verify", "-var=env=dev"]).expect(1);
    assert!(ran.stderr.contains("only there") && !ran.stderr.contains("Deprecated flag"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("Refreshing state"), "{}", ran.stderr);
}
