//! Files of copies that are links, under a real Terraform: get, init, validate, fmt, plans, saved plans, state, `-chdir`.

use crate::compare::{nothing_is_destroyed, same};
use crate::support::{Scratch, actions, terraform};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const ENVS: [&str; 3] = ["-var=env=prod", "-var=env=stage", "-var=env=qa"];

fn scratch() -> Scratch {
    Scratch::copy_of("tests/golden/links/pinned/in")
}

/// The links below a folder.
fn links(dir: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_symlink() {
            true => found.push(path),
            false if path.is_dir() => found.extend(links(path)),
            false => {}
        }
    }
    found
}

#[test]
fn terraform_reads_and_lays_out_what_links_lead_to() {
    let scratch = scratch();
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    let written = links(scratch.dir().join("modules"));
    assert_eq!(written.len(), 16);
    scratch.terraform(&["get"]).expect(0);
    scratch.init();
    scratch.terraform(&["validate", "-no-color"]).expect(0);
    let before = scratch.sources();
    let done = scratch.terraform(&["fmt", "-recursive"]).expect(0);
    assert_eq!(done.stdout, "");
    // Through a link it lays out the original, once.
    let outputs = scratch.read("modules/db/outputs.tf");
    scratch.write("modules/db/outputs.tf", &outputs.replace(" = ", "    =    "));
    scratch.terraform(&["fmt", "-recursive"]).expect(0);
    assert_eq!((scratch.sources(), links(scratch.dir().join("modules"))), (before, written));
    scratch.tf_phi(&["check"]).expect(0);
}

#[test]
fn state_goes_to_copies_of_links_and_home() {
    let scratch = scratch();
    scratch.init();
    scratch.apply(&["-var=env=prod"]);
    for env in ENVS {
        let (plan, file) = scratch.phi_plan(&[env]);
        nothing_is_destroyed(&plan, env);
        scratch.terraform(&["apply", "-input=false", "-no-color", file.to_str().unwrap()]).expect(0);
        for other in ENVS {
            scratch.tf_phi(&["verify", other]).expect(0);
        }
        let chdir = format!("-chdir={}", scratch.dir().display());
        let mut command = scratch.command(terraform());
        command.current_dir("/").args([
            &chdir,
            "plan",
            "-input=false",
            "-no-color",
            "-detailed-exitcode",
            env,
        ]);
        assert_eq!(command.output().unwrap().status.code(), Some(0));
    }
    assert!(!links(scratch.dir().join("modules")).is_empty());
    // An edit of the original reaches all copies; one of a value takes the place of a link, and the original stays.
    let outputs = scratch.read("modules/db/outputs.tf");
    scratch.write(
        "modules/db/outputs.tf",
        &format!("{outputs}\noutput \"engine\" {{\n  value = var.engine\n}}\n"),
    );
    let (plan, _) = scratch.phi_plan(&["-var=env=qa"]);
    assert!(actions(&plan).values().all(|a| a.actions == "no-op"));
    assert!(scratch.read("modules/db/outputs.tf").ends_with("value = var.engine\n}\n"));
    assert!(scratch.read("modules/db-v17-1/outputs.tf").ends_with("value = \"17.1\"\n}\n"));
    scratch.tf_phi(&["restore"]).expect(0);
    assert!(links(scratch.dir().join("modules")).is_empty());
    // And home again.
    fs::remove_file(scratch.dir().join("phi.hcl")).unwrap();
    let (plan, _) = scratch.phi_plan(&["-var=env=qa"]);
    nothing_is_destroyed(&plan, "home");
    assert!(actions(&plan).values().all(|a| a.actions == "no-op"));
}

#[test]
fn variables_that_stay_without_a_use_change_no_plan() {
    let copy = || Scratch::copy_of("tests/golden/links/optional-variables/in");
    let (original, specialised) = (copy(), copy());
    original.init();
    specialised.init();
    for env in ["-var=env=prod", "-var=env=stage"] {
        let (plan, _) = specialised.phi_plan(&[env]);
        same(&original.plan(&[env]), &plan, &specialised, env);
        specialised.tf_phi(&["verify", env]).expect(0);
    }
    let written = links(specialised.dir().join("modules"));
    assert!(written.iter().any(|link| link.ends_with("variables.tf")), "{written:?}");
}

#[test]
fn a_revision_with_links_is_planned() {
    let scratch = scratch();
    scratch.init();
    scratch.apply(&["-var=env=prod"]);
    let (_, file) = scratch.phi_plan(&["-var=env=prod"]);
    scratch.terraform(&["apply", "-input=false", "-no-color", file.to_str().unwrap()]).expect(0);
    scratch.write("env/prod.tfvars", "env = \"prod\"\n");
    scratch.write(".gitignore", ".terraform\n*.tfstate*\n");
    for words in [&["init", "-q"][..], &["add", "-A"], &["commit", "-qm", "x"]] {
        let mut git = Command::new("git");
        git.current_dir(scratch.dir())
            .args(["-c", "user.name=n", "-c", "user.email=e@example.org"])
            .args(words);
        assert!(git.output().unwrap().status.success(), "{words:?}");
    }
    let main = scratch.read("modules/db/modules/instance/main.tf");
    scratch.write("modules/db/modules/instance/main.tf", &main.replace("= var.name", "= upper(var.name)"));
    let ran = scratch
        .tf_phi(&["review", "--base", "HEAD", "--plan", "--env", "prod", "--format", "json"])
        .expect(0);
    let review: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let plan = &review["environments"][0]["plan"];
    assert_eq!(plan["before"]["change"], 0, "{plan}");
    assert_eq!((&plan["after"]["change"], &plan["after"]["destroy"]), (&1.into(), &0.into()), "{plan}");
}

/// One source for several root modules, by links that lead out of each: what a run puts in their places is planned and applied.
#[test]
fn shared_sources_behind_links_are_planned_and_applied() {
    let main = "variable \"protect\" {\n  type    = bool\n  default = false\n}\n\nresource \"terraform_data\" \"db\" {\n  input = 1\n  \
                lifecycle {\n    prevent_destroy = var.protect\n  }\n}\n";
    let scratch = Scratch::with(&[("common/main.tf", main), ("live/dev/x", ""), ("live/prod/x", "")]);
    for env in ["dev", "prod"] {
        let dir = scratch.dir().join("live").join(env);
        std::os::unix::fs::symlink("../../common/main.tf", dir.join("main.tf")).unwrap();
    }
    scratch.commit();
    for (env, protect) in [("dev", "false"), ("prod", "true")] {
        let (chdir, var) = (format!("-chdir=live/{env}"), format!("-var=protect={protect}"));
        scratch.tf_phi(&[&chdir, "init", "--ephemeral", "-no-color"]).expect(0);
        let run = |words: &[&str]| {
            let done =
                scratch.tf_phi(&[&[&*chdir], words, &["--ephemeral", "-no-color", &var]].concat()).expect(0);
            assert!(scratch.dir().join("live").join(env).join("main.tf").is_symlink());
            assert_eq!(scratch.read("common/main.tf"), main);
            done.stdout
        };
        assert!(run(&["plan"]).contains("Plan: 1 to add, 0 to change, 0 to destroy."));
        assert!(run(&["apply", "-auto-approve"]).contains("1 added, 0 changed, 0 destroyed"));
        assert!(run(&["plan"]).contains("No changes."));
    }
    // The same without copies.
    scratch.write("live/dev/phi.hcl", "settings {\n  copies = false\n}\n");
    let done = scratch.tf_phi(&["-chdir=live/dev", "plan", "-no-color", "-var=protect=true"]).expect(0);
    assert!(done.stdout.contains("Plan: 0 to add, 0 to change, 0 to destroy."), "{}", done.stdout);
    assert!(scratch.dir().join("live/dev/main.tf").is_symlink());
}
