//! `-target`, `-replace` and saved plans of a deployment, in the Stack's own addresses.

use super::life::{MODULE, STACK, deployments};
use crate::support::{Ran, Scratch};

const APP: &str = "component.app[\"a\"].terraform_data.n";

fn stack() -> Scratch {
    let deployed = deployments(r#"["a", "b"]"#);
    Scratch::with(&[("main.tfcomponent.hcl", STACK), ("m/main.tf", MODULE), ("main.tfdeploy.hcl", &deployed)])
}

fn run(scratch: &Scratch, command: &str, more: &[&str]) -> Ran {
    scratch.tf_phi(&[&[command, "--env", "dev", "-no-color"], more].concat())
}

#[test]
fn a_target_names_a_component_or_what_is_in_it() {
    let scratch = stack();
    for (target, adds) in [(APP, 2), ("component.app", 3), ("component.app[\"b\"]", 2), ("component.net", 1)]
    {
        let ran = run(&scratch, "plan", &["-input=false", &format!("-target={target}")]).expect(0);
        assert!(ran.stdout.contains(&format!("Plan: {adds} to add,")), "{target}: {}", ran.stdout);
    }
    let ran = run(&scratch, "plan", &["-target=component.apq"]).expect(1);
    assert!(ran.stderr.contains("no component has \"component.apq\""), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("component.app[\"a\"], component.app[\"b\"], component.net"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_replacement_names_one_instance() {
    let scratch = stack();
    run(&scratch, "apply", &["-auto-approve"]).expect(0);
    let ran = run(&scratch, "plan", &["-input=false", "-replace", APP]).expect(0);
    assert!(
        ran.stdout.contains("module.app__a.terraform_data.n will be replaced, as requested"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("1 to add, 0 to change, 1 to destroy"), "{}", ran.stdout);
    let ran = run(&scratch, "plan", &["-replace=component.app.terraform_data.n"]).expect(1);
    assert!(ran.stderr.contains("in several instances of a component"), "{}", ran.stderr);
}

#[test]
fn a_saved_plan_is_applied_by_the_command_that_is_printed() {
    let scratch = stack();
    run(&scratch, "plan", &["-input=false", "-out=my plan", &format!("-target={APP}")]).expect(0);
    let ran = scratch.tf_phi(&["apply", "my plan"]).expect(1);
    assert!(ran.stderr.contains("tf-phi apply --env dev 'my plan'"), "{}", ran.stderr);
    let ran = run(&scratch, "apply", &["my plan"]).expect(0);
    assert!(ran.stdout.contains("2 added, 0 changed, 0 destroyed"), "{}", ran.stdout);
    let ran = run(&scratch, "plan", &["-input=false"]).expect(0);
    assert!(ran.stdout.contains("Plan: 1 to add, 0 to change, 0 to destroy"), "{}", ran.stdout);
}
