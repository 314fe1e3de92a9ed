//! Runs that leave a split unit without an instance, or without one of its keys: no plain `terraform plan` after one of them
//! destroys what the original's own plan keeps, whatever its variables. It does what the original does, or it stops.

use std::fs;

use tf_phi::terraform::plan_json::Plan;

use crate::compare::same;
use crate::support::Scratch;
use crate::support::sample::sampled;

const PHI: (&str, &str) = ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n");
const VARS: &str = "variable \"env\" { type = string }\nvariable \"on\" { type = bool }\n";
const DB: (&str, &str) = (
    "db/main.tf",
    "variable \"env\" { type = string }\nresource \"terraform_data\" \"db\" {\n  input = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n",
);
const CALLED: (&str, &str) = (
    "db/main.tf",
    "variable \"release\" { type = string }\nresource \"terraform_data\" \"db\" { input = var.release }\n",
);
const ALL: [[&str; 2]; 4] = [
    ["-var=on=true", "-var=env=prod"],
    ["-var=on=true", "-var=env=dev"],
    ["-var=on=false", "-var=env=prod"],
    ["-var=on=false", "-var=env=dev"],
];

/// A plain plan of the specialised tree: whether it succeeded, and then it does what the original's does.
#[track_caller]
fn plain(want: &Plan, specialised: &Scratch, args: &[&str], what: &str) -> bool {
    let file = specialised.aside("plain.out");
    let out = format!("-out={}", file.display());
    specialised.terraform(&["get"]).expect(0);
    let ran = specialised.terraform(&[&["plan", "-input=false", "-no-color", &out][..], args].concat());
    if ran.code != 0 {
        let known = ["Moved object still exists", "written by a run with other instances"];
        // Terraform breaks long lines.
        let said = ran.stderr.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(known.iter().any(|k| said.contains(k)), "{what}: {}", ran.stderr);
        return false;
    }
    same(want, &specialised.show(&file), specialised, what);
    true
}

/// From a state, after a run with some of the variables: every plain plan. With `TF_PHI_WHOLE` from every state, after a run with
/// any. `decided`: whether a run without an instance says which copy would be active.
fn every_order(main: &str, others: &[(&str, &str)], decided: bool) {
    let main = format!("{VARS}{main}");
    let files = [&[PHI, ("main.tf", main.as_str())][..], others].concat();
    let priors = [(ALL[0], "original"), (ALL[1], "specialised"), (ALL[2], "original")];
    // One of them for each tree, unless all are asked for.
    for (prior, began) in sampled(priors, priors.len(), &main) {
        let original = Scratch::with(&files);
        original.init();
        original.apply(&prior);
        let wanted = ALL.map(|args| original.plan(&args));
        let specialised = Scratch::with(&files);
        specialised.init();
        if began == "original" {
            let state = "terraform.tfstate";
            fs::copy(original.dir().join(state), specialised.dir().join(state)).unwrap();
        } else {
            let (_, file) = specialised.phi_plan(&prior);
            specialised.terraform(&["apply", "-input=false", file.to_str().unwrap()]).expect(0);
        }
        for run in sampled(ALL, 2, &main) {
            let before = format!("{main}\n{began} applied with {prior:?}, run with {run:?}");
            specialised.phi(&run);
            let written = specialised.sources();
            specialised.phi(&run);
            assert_eq!(written, specialised.sources(), "{before}: a second run changes something");
            specialised.tf_phi(&["check"]).expect(0);
            specialised.tf_phi(&[&["verify"][..], &run].concat()).expect(0);
            for (next, want) in ALL.iter().zip(&wanted) {
                let right = plain(want, &specialised, next, &format!("{before}, planned with {next:?}"));
                let on = |args: &[&str; 2]| args[0] == ALL[0][0];
                // Where nothing had an instance, its keys are not known.
                let known =
                    decided && (on(&prior) || on(&run) || main.contains("count")) || on(&run) || !on(next);
                assert!(right || !known || run[1] != next[1], "{before}, planned with {next:?}: stopped");
            }
        }
        specialised.tf_phi(&["restore"]).expect(0);
        assert_eq!(specialised.read("main.tf"), main);
    }
}

#[test]
fn a_resource_that_may_be_absent() {
    every_order(
        "resource \"terraform_data\" \"db\" {\n  count = var.on ? 1 : 0\n  input = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n",
        &[],
        true,
    );
}

#[test]
fn a_call_that_may_be_absent() {
    every_order(
        "module \"db\" {\n  source  = \"./db\"\n  count   = var.on ? 1 : 0\n  release = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n",
        &[CALLED],
        true,
    );
}

#[test]
fn a_choice_within_a_call_that_may_be_absent() {
    every_order(
        "module \"db\" {\n  source = \"./db\"\n  count  = var.on ? 1 : 0\n  env    = var.env\n}\n",
        &[DB],
        true,
    );
}

#[test]
fn keys_that_may_be_absent() {
    every_order(
        "resource \"terraform_data\" \"db\" {\n  for_each = var.on ? toset([\"p\", \"q\"]) : toset([])\n  input    = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n",
        &[],
        true,
    );
}

#[test]
fn a_choice_by_key_where_keys_may_be_absent() {
    every_order(
        "resource \"terraform_data\" \"db\" {\n  for_each = var.on ? { p = \"a\", q = \"b\" } : {}\n  input    = var.env == \"prod\" ? (each.value == \"a\" ? \"15.4\" : \"13.1\") : \"14.9\"\n}\n",
        &[],
        false,
    );
}

#[test]
fn a_choice_within_keys_that_may_be_absent() {
    every_order(
        "module \"db\" {\n  source   = \"./db\"\n  for_each = toset(var.on ? [\"p\"] : [])\n  env      = var.env\n}\n",
        &[DB],
        true,
    );
}

/// What a plain apply creates after a run without any instance has its chain already.
#[test]
fn what_appears_after_a_run_fails_closed_at_a_flip() {
    let main = format!(
        "{VARS}resource \"terraform_data\" \"db\" {{\n  count = var.on ? 1 : 0\n  input = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}}\n"
    );
    let scratch = Scratch::with(&[PHI, ("main.tf", &main)]);
    scratch.init();
    scratch.phi(&ALL[2]);
    scratch.apply(&ALL[0]);
    let ran = scratch.terraform(&[&["plan", "-input=false"][..], &ALL[1]].concat()).expect(1);
    assert!(ran.stderr.contains("Moved object still exists"), "{}", ran.stderr);
    let (plan, _) = scratch.phi_plan(&ALL[1]);
    assert_eq!(plan.resource_changes[0].change.actions, ["update"]);
}

/// Keys that neither the run nor state has: a plain plan with them stops.
#[test]
fn other_keys_than_those_of_the_run_stop_a_plain_plan() {
    let vars = "variable \"env\" { type = string }\nvariable \"names\" { type = set(string) }\nvariable \"n\" { type = number }\n";
    let main = format!(
        "{vars}resource \"terraform_data\" \"db\" {{\n  for_each = var.names\n  input    = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}}\nresource \"terraform_data\" \"n\" {{\n  count = var.n\n  input = var.env == \"prod\" ? \"a\" : \"b\"\n}}\n"
    );
    let phi = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[("phi.hcl", phi), ("main.tf", &main)]);
    scratch.init();
    let plan = |names: &str, n: u8| {
        let (names, n) = (format!("-var=names={names}"), format!("-var=n={n}"));
        scratch.terraform(&["plan", "-input=false", "-var=env=prod", &names, &n])
    };
    for (names, run, n) in [("[]", "[]", 1), ("[\"p\"]", "[\"p\", \"$${q}\\\"\"]", 2)] {
        scratch.phi(&["-var=env=prod", &format!("-var=names={run}"), &format!("-var=n={n}")]);
        plan(names, n).expect(0);
        plan(run, n).expect(0);
        plan("[]", 0).expect(0);
        for ran in [plan("[\"other\"]", n), plan(names, n + 1)] {
            assert!(ran.expect(1).stderr.contains("Run `tf-phi"));
        }
        // Whoever destroys everything means it.
        let destroyed = ["plan", "-destroy", "-var=env=prod", "-var=names=[\"other\"]", "-var=n=9"];
        scratch.terraform(&destroyed).expect(0);
    }
}

/// Terraform itself moves a resource to or from its first instance when `count` comes or goes.
#[test]
fn a_count_that_comes_or_goes() {
    let with = |count: &str| {
        format!(
            "{VARS}resource \"terraform_data\" \"db\" {{\n{count}  input = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}}\n"
        )
    };
    let forms = [with(""), with("  count = var.on ? 1 : 0\n")];
    for (before, after) in [(&forms[0], &forms[1]), (&forms[1], &forms[0])] {
        for prior in [ALL[0], ALL[1]] {
            let original = Scratch::with(&[PHI, ("main.tf", before)]);
            original.init();
            original.apply(&prior);
            original.write("main.tf", after);
            let wanted = ALL.map(|args| original.plan(&args));
            for began in ["original", "specialised", "restored"] {
                let specialised = Scratch::with(&[PHI, ("main.tf", before)]);
                specialised.init();
                if began == "original" {
                    specialised.apply(&prior);
                } else {
                    let (_, file) = specialised.phi_plan(&prior);
                    specialised.terraform(&["apply", "-input=false", file.to_str().unwrap()]).expect(0);
                    specialised.tf_phi(&["restore"]).expect(0);
                }
                if began == "specialised" {
                    specialised.phi(&prior);
                    let written = specialised.read("main.tf");
                    specialised.tf_phi(&["restore"]).expect(0);
                    assert!(written.contains("db_v15_4"));
                }
                specialised.write("main.tf", after);
                for (next, want) in ALL.iter().zip(&wanted) {
                    let what = format!("{began} applied with {prior:?}, now {next:?}\n{after}");
                    let (plan, _) = specialised.phi_plan(next);
                    same(want, &plan, &specialised, &what);
                }
            }
        }
    }
}

#[test]
fn a_retired_choice_without_instances_is_up_to_date() {
    let scratch = Scratch::with(&[
        (
            "main.tf",
            "variable \"env\" {\n  type = string\n}\nvariable \"on\" {\n  type = bool\n}\n\nmodule \"m\" {\n  source   = \"./m\"\n  for_each = toset(var.on ? [\"a\"] : [])\n  env      = var.env\n}\n\nresource \"terraform_data\" \"plain\" {\n  input = { v = \"1\", env = var.env }\n}\n",
        ),
        (
            "m/main.tf",
            "variable \"env\" {\n  type = string\n}\n\nresource \"terraform_data\" \"db\" {\n  for_each = toset([\"x\"])\n  input    = var.env == \"prod\" ? \"15\" : \"14\"\n}\n",
        ),
        (
            "phi.hcl",
            "settings {\n  edit = [\"m\"]\n}\nspecialize \"terraform_data.plain\" {\n  fields = [\"input.v\"]\n}\nspecialize \"module.m.terraform_data.db\" {\n  fields = [\"input\"]\n}\n",
        ),
    ]);
    scratch.init();
    let dev = ["plan", "-input=false", "-no-color", "-var=env=dev", "-var=on=false"];
    scratch.tf_phi(&dev).expect(0);
    scratch.write("phi.hcl", "specialize \"terraform_data.plain\" {\n  fields = [\"input.v\"]\n}\n");
    scratch.tf_phi(&dev).expect(0);
    // A run has found that nothing moves. A check has no variables to find it out, and takes the run's word.
    scratch.tf_phi(&["check", "."]).expect(0);
}
