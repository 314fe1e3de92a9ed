//! Leaving a Stack: what was applied stays with root modules that plain Terraform plans, and nothing is destroyed.

use super::life::{MODULE, STACK, deployments};
use super::split;
use crate::support::{Ran, Scratch, actions};
use std::fs;

const FOLDER: &str = ".phi/stacks/dev";

/// A Stack, with a field that Terraform rejects or without.
fn stack(pinned: bool) -> Scratch {
    let scratch = Scratch::with(&[
        ("main.tfcomponent.hcl", STACK),
        ("m/main.tf", MODULE),
        ("main.tfdeploy.hcl", &deployments(r#"["a", "b"]"#)),
    ]);
    if pinned {
        let module = MODULE.replace(
            "input = var.name\n",
            "input = var.name\n  lifecycle {\n    prevent_destroy = var.name == \"other\"\n  }\n",
        );
        scratch.write("m/main.tf", &module.replace("value = terraform_data.n.input", "value = var.name"));
    }
    scratch
}

fn apply(scratch: &Scratch) {
    scratch.tf_phi(&["apply", "--env", "dev", "-no-color", "-auto-approve"]).expect(0);
}

/// What a plain plan of the deployment's folder does, as a list of actions.
#[track_caller]
fn plain(scratch: &Scratch) -> Vec<String> {
    let chdir = format!("-chdir={FOLDER}");
    scratch.terraform(&[&chdir, "init", "-input=false"]).expect(0);
    let file = scratch.aside("left.out");
    let out = format!("-out={}", file.display());
    scratch.terraform(&[&chdir, "plan", "-input=false", &out]).expect(0);
    let shown = scratch.terraform(&[&chdir, "show", "-json", file.to_str().unwrap()]).expect(0);
    let plan = serde_json::from_str(&shown.stdout).unwrap();
    actions(&plan).into_values().map(|a| a.actions).collect()
}

/// Puts literals in place of what Terraform rejects, as the command asks for.
fn write_literals(scratch: &Scratch) {
    let module = scratch.read("m/main.tf");
    scratch.write("m/main.tf", &module.replace("var.name == \"other\"", "false"));
}

#[track_caller]
fn leave(scratch: &Scratch) -> Ran {
    let before = ["main.tfcomponent.hcl", "m/main.tf", "main.tfdeploy.hcl"].map(|path| scratch.read(path));
    let ran = scratch.tf_phi(&["leave"]).expect(0);
    let after = ["main.tfcomponent.hcl", "m/main.tf", "main.tfdeploy.hcl"].map(|path| scratch.read(path));
    assert_eq!(before, after, "the Stack's own files stay");
    for path in ["phi.hcl", ".phi/stacks/dev.json"] {
        assert!(!scratch.dir().join(path).exists(), "{path} is left");
    }
    for path in ["phi.hcl", "phi.moved.tf", ".phi"] {
        assert!(!scratch.dir().join(FOLDER).join(path).exists(), "{FOLDER}/{path} is left");
    }
    ran
}

#[test]
fn what_was_applied_stays_with_a_root_module() {
    let scratch = stack(false);
    apply(&scratch);
    let ran = leave(&scratch);
    assert!(ran.stderr.contains("terraform -chdir=.phi/stacks/dev plan"), "{}", ran.stderr);
    assert_eq!(plain(&scratch), ["no-op"; 3]);
    // Once more there is nothing to take away.
    let again = scratch.tf_phi(&["leave"]).expect(0);
    assert!(again.stderr.contains(FOLDER) || again.stderr.contains("nothing of tf-phi"), "{}", again.stderr);
    assert_eq!(plain(&scratch), ["no-op"; 3]);
}

/// A pin, and a field that Terraform rejects.
#[test]
fn copies_come_home() {
    let scratch = split::stack();
    let listed = scratch.terraform(&["-chdir=.phi/stacks/dev", "state", "list"]).expect(0).stdout;
    assert_eq!(listed.trim(), "module.pg_v13[0].terraform_data.db");
    scratch.tf_phi(&["leave"]).expect(0);
    assert_eq!(plain(&scratch), ["no-op"]);
    assert!(scratch.read(".phi/stacks/dev/moved.tf").contains("from = module.pg_v13[0]"));
    let scratch = stack(true);
    apply(&scratch);
    let ran = leave(&scratch);
    assert!(ran.stderr.contains("Write literals"), "{}", ran.stderr);
    write_literals(&scratch);
    assert_eq!(plain(&scratch), ["no-op"; 3]);
}

#[test]
fn what_was_never_applied_goes() {
    let scratch = stack(true);
    scratch.tf_phi(&["plan", "--env", "dev", "-no-color", "-input=false"]).expect(0);
    leave(&scratch);
    let left: Vec<_> =
        scratch.everything().into_keys().filter(|p| p.extension().is_some_and(|e| e == "tf")).collect();
    assert!(left.iter().all(|path| !path.to_string_lossy().contains(FOLDER)), "{left:?}");
    // What HCP reads is as before.
    scratch.tf_phi(&["plan", "--env", "dev", "-no-color", "-input=false"]).expect(0);
}

#[test]
fn states_in_a_backend_stay_there() {
    let scratch = stack(false);
    scratch.write("phi.hcl", "backend \"local\" {\n  path = \"../../../states/${deployment}.tfstate\"\n}\n");
    apply(&scratch);
    leave(&scratch);
    assert_eq!(plain(&scratch), ["no-op"; 3]);
    assert!(scratch.read("states/dev.tfstate").contains("terraform_data"));
}

/// `restore` leaves the way home, and `plan` goes on as if nothing had happened.
#[test]
fn sources_that_are_put_back_are_planned_with_and_without() {
    let scratch = split::stack();
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(plain(&scratch), ["no-op"]);
    assert!(split::planned(&scratch).contains("No changes."));
    let scratch = stack(true);
    apply(&scratch);
    scratch.tf_phi(&["restore"]).expect(0);
    let module = scratch.read("m/main.tf");
    write_literals(&scratch);
    assert_eq!(plain(&scratch), ["no-op"; 3]);
    scratch.write("m/main.tf", &module);
    let ran = scratch.tf_phi(&["plan", "--env", "dev", "-no-color", "-input=false", "-detailed-exitcode"]);
    assert_eq!(ran.code, 0, "{}\n{}", ran.stdout, ran.stderr);
}

#[test]
fn what_would_be_left_is_shown() {
    let scratch = split::stack();
    let before = scratch.everything();
    let ran = scratch.tf_phi(&["leave", "--dry-run"]).expect(0);
    assert!(ran.stdout.contains("moved {"), "{}", ran.stdout);
    let sources = |all: std::collections::BTreeMap<_, _>| all.into_iter().collect::<Vec<_>>();
    assert_eq!(sources(scratch.everything()), sources(before));
    assert!(fs::metadata(scratch.dir().join(FOLDER)).is_ok());
}
