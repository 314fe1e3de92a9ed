//! The plan of the specialised tree holds what the original's holds: from nothing, for every assignment.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::compare::same;
use crate::support::Scratch;
use crate::trees::{NESTED, POSTGRES, REPEATED, RESOURCE, RESOURCE_THREE, SHARED, Tree, UNIVERSE};

/// Gives the specialised tree as the last assignment's run left it, and its sources from before the first one.
pub fn same_from_nothing(tree: &Tree) -> (Scratch, BTreeMap<PathBuf, Vec<u8>>) {
    let original = tree.scratch();
    let specialised = tree.scratch();
    let before = specialised.sources();
    for args in tree.assignments {
        let (plan, _) = specialised.phi_plan(args);
        assert!(
            specialised.dir().join(".phi/provenance.json").exists(),
            "{}: nothing was specialised",
            tree.name
        );
        same(&original.plan(args), &plan, &specialised, &format!("{} {args:?}", tree.name));
    }
    (specialised, before)
}

#[test]
fn running_example() {
    same_from_nothing(&POSTGRES);
}

#[test]
fn running_example_for_anything_else() {
    let original = POSTGRES.scratch();
    let specialised = POSTGRES.scratch();
    let odd = ["", "PROD", "prod ", "\"prod\"", "$${x}", "stage"];
    for value in odd {
        let arg = format!("-var=customer_env={value}");
        let (plan, _) = specialised.phi_plan(&[&arg, "-var=instance_class=DB.R6.Large"]);
        same(&original.plan(&[&arg, "-var=instance_class=DB.R6.Large"]), &plan, &specialised, value);
    }
}

#[test]
fn variables_from_everywhere_decide_the_branch() {
    let mut original = POSTGRES.scratch();
    let mut specialised = POSTGRES.scratch();
    for scratch in [&mut original, &mut specialised] {
        scratch.env("TF_VAR_customer_env", "prod");
    }
    same(&original.plan(&[]), &specialised.phi_plan(&[]).0, &specialised, "TF_VAR_");
    for scratch in [&original, &specialised] {
        scratch.write("terraform.tfvars", "customer_env = \"dev\"\n");
    }
    same(&original.plan(&[]), &specialised.phi_plan(&[]).0, &specialised, "terraform.tfvars");
    for scratch in [&original, &specialised] {
        scratch.write("x.auto.tfvars.json", "{\"customer_env\": \"prod\"}\n");
        scratch.write("dev.tfvars", "customer_env = \"dev\"\n");
    }
    same(&original.plan(&[]), &specialised.phi_plan(&[]).0, &specialised, "x.auto.tfvars.json");
    let args = ["-var-file=dev.tfvars"];
    same(&original.plan(&args), &specialised.phi_plan(&args).0, &specialised, "-var-file");
    let args = ["-var-file=dev.tfvars", "-var", "customer_env=prod"];
    same(&original.plan(&args), &specialised.phi_plan(&args).0, &specialised, "-var");
    for scratch in [&mut original, &mut specialised] {
        scratch.env("TF_CLI_ARGS_plan", "-var=customer_env=dev");
    }
    same(&original.plan(&[]), &specialised.phi_plan(&[]).0, &specialised, "TF_CLI_ARGS_plan");
}

#[test]
fn universe() {
    same_from_nothing(&UNIVERSE);
}

#[test]
fn resource() {
    same_from_nothing(&RESOURCE);
}

#[test]
fn resource_of_three() {
    same_from_nothing(&RESOURCE_THREE);
}

#[test]
fn branches_that_share_a_value() {
    same_from_nothing(&SHARED);
}

#[test]
fn a_choice_inside_a_choice() {
    same_from_nothing(&NESTED);
}

#[test]
fn a_call_with_for_each() {
    same_from_nothing(&REPEATED);
}
