//! State: from every prior state to every branch nothing is destroyed, and what happens is what the original
//! configuration would have done for the same change.

use std::fs;
use std::path::{Path, PathBuf};

use tf_phi::terraform::plan_json::Plan;

use crate::compare::{nothing_is_destroyed, same};
use crate::support::Scratch;
use crate::support::sample::sampled;
use crate::trees::{NESTED, POSTGRES, REPEATED, RESOURCE, RESOURCE_THREE, SHARED, Tree, UNIVERSE};

const STATE: &str = "terraform.tfstate";

/// What the original plans for each assignment.
fn wanted(tree: &Tree, original: &Scratch) -> Vec<Plan> {
    tree.assignments.iter().map(|args| original.plan(args)).collect()
}

/// Plans every assignment in the specialised tree, and compares. Gives the plan of the one at `last`, which comes last, and its file.
fn flips(tree: &Tree, want: &[Plan], specialised: &Scratch, from: &str, last: usize) -> (Plan, PathBuf) {
    let count = tree.assignments.len();
    let mut done = None;
    for at in (1..=count).map(|step| (last + step) % count) {
        let args = tree.assignments[at];
        let what = format!("{}: {from} → {args:?}", tree.name);
        let (plan, file) = specialised.phi_plan(args);
        nothing_is_destroyed(&plan, &what);
        same(&want[at], &plan, specialised, &what);
        done = Some((plan, file));
    }
    done.unwrap()
}

fn apply_file(scratch: &Scratch, file: &Path) {
    scratch.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
}

pub fn every_pair(tree: &Tree) {
    for (index, prior) in sampled(tree.assignments.iter().enumerate(), tree.assignments.len(), tree.name) {
        let next = (index + 1) % tree.assignments.len();
        let original = tree.scratch();
        original.apply(prior);
        let specialised = tree.scratch();
        fs::copy(original.dir().join(STATE), specialised.dir().join(STATE)).unwrap();
        let want = wanted(tree, &original);
        let from = format!("original applied with {prior:?}");
        let (plan, file) = flips(tree, &want, &specialised, &from, index);

        // The move alone: no value changes.
        let idle = plan.resource_changes.iter().all(|c| c.mode == "data" || c.change.actions == ["no-op"]);
        assert!(idle, "{}: {prior:?} changes something: {:?}", tree.name, plan.resource_changes);
        apply_file(&specialised, &file);
        let from = format!("specialised applied with {prior:?}");
        let (_, file) = flips(tree, &want, &specialised, &from, next);

        // One flip that is applied, and from there to everywhere, back included.
        let args = tree.assignments[next];
        original.apply(args);
        apply_file(&specialised, &file);
        let want = wanted(tree, &original);
        flips(tree, &want, &specialised, &format!("{prior:?}, then {args:?} applied"), index);
    }
}

#[test]
fn two_branches_of_a_call() {
    every_pair(&POSTGRES);
}

#[test]
fn two_branches_of_a_resource() {
    every_pair(&RESOURCE);
}

#[test]
fn three_branches_of_a_resource() {
    every_pair(&RESOURCE_THREE);
}

#[test]
fn three_branches_of_a_universe() {
    every_pair(&UNIVERSE);
}

#[test]
fn three_paths_to_two_branches() {
    every_pair(&SHARED);
}

#[test]
fn a_choice_inside_a_choice() {
    every_pair(&NESTED);
}

#[test]
fn a_call_with_for_each() {
    every_pair(&REPEATED);
}

#[test]
fn a_state_that_began_specialised() {
    for tree in [&POSTGRES, &UNIVERSE] {
        let (original, specialised) = (tree.scratch(), tree.scratch());
        let mut file = specialised.phi_plan(tree.assignments[0]).1;
        for (at, args) in tree.assignments.iter().enumerate() {
            original.apply(args);
            apply_file(&specialised, &file);
            let (want, next) = (wanted(tree, &original), (at + 1) % tree.assignments.len());
            file = flips(tree, &want, &specialised, &format!("began specialised, now {args:?}"), next).1;
        }
    }
}

#[test]
fn a_chain_for_another_branch_fails_closed() {
    for tree in [&POSTGRES, &UNIVERSE, &RESOURCE, &RESOURCE_THREE] {
        for with_state in [false, true] {
            let scratch = tree.scratch();
            if with_state {
                scratch.apply(tree.assignments[0]);
            }
            for active in tree.assignments {
                scratch.phi(active);
                for other in tree.assignments {
                    let plan =
                        scratch.terraform(&[&["plan", "-input=false", "-no-color"][..], other].concat());
                    if active == other {
                        plan.expect(0);
                        continue;
                    }
                    let what = format!("{}: written for {active:?}, planned for {other:?}", tree.name);
                    let plan = plan.expect(1);
                    assert!(plan.stderr.contains("Moved object still exists"), "{what}: {}", plan.stderr);
                    // The excerpt holds one line of the block, and that says what to run.
                    let excerpt = "moved { # If Terraform stops here, run tf-phi plan.\n";
                    assert!(plan.stderr.contains(excerpt), "{what}: {}", plan.stderr);
                }
            }
        }
    }
}

/// A value that is replaced by another in `phi.hcl`: the record knows the address that is gone.
#[test]
fn a_branch_that_is_gone_hands_its_state_over() {
    let scratch = UNIVERSE.scratch();
    let (_, file) = scratch.phi_plan(&["-var=instance_size=small"]);
    scratch.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
    scratch.write("phi.hcl", &scratch.read("phi.hcl").replace("small", "tiny"));
    for size in ["tiny", "medium", "tiny", "large"] {
        let (plan, _) = scratch.phi_plan(&[&format!("-var=instance_size={size}")]);
        nothing_is_destroyed(&plan, size);
        let database = plan.resource_changes.iter().find(|c| c.name == "db").unwrap();
        assert_eq!(database.change.actions, ["update"], "{size}");
        assert_eq!(database.change.after["input"], size);
    }
}
