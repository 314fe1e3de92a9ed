//! What is written: put back byte for byte, written once, shown before, never half.

use std::fs;
use std::process::Command;

use crate::trees::{NESTED, POSTGRES, REPEATED, RESOURCE, RESOURCE_THREE, SHARED, UNIVERSE};

#[test]
fn restore_gives_back_every_byte() {
    for tree in [&POSTGRES, &UNIVERSE, &RESOURCE, &RESOURCE_THREE, &SHARED, &NESTED, &REPEATED] {
        let scratch = tree.scratch();
        let before = scratch.sources();
        for args in tree.assignments {
            scratch.phi(args);
            assert_ne!(before, scratch.sources(), "{}", tree.name);
        }
        scratch.tf_phi(&["restore"]).expect(0);
        assert_eq!(before, scratch.sources(), "{}", tree.name);
        // State may hold what was written, so its addresses stay known.
        assert!(!scratch.dir().join(".phi/provenance.json").exists(), "{}", tree.name);
        assert!(scratch.dir().join(".phi/history.jsonl").exists(), "{}", tree.name);
        let folders = fs::read_dir(scratch.dir()).unwrap().count();
        scratch.tf_phi(&["restore"]).expect(0);
        assert_eq!(folders, fs::read_dir(scratch.dir()).unwrap().count());
    }
}

#[test]
fn restore_keeps_what_was_edited_around() {
    let scratch = POSTGRES.scratch();
    let original = scratch.read("main.tf");
    scratch.phi(POSTGRES.assignments[0]);
    let edit = |text: &str| format!("# mine, before\n{text}\nlocals {{\n  mine = \"after\"\n}}\n");
    scratch.write("main.tf", &edit(&scratch.read("main.tf")));
    scratch.phi(POSTGRES.assignments[1]);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.read("main.tf"), edit(&original));
}

#[test]
fn a_second_plan_changes_no_file() {
    for tree in [&POSTGRES, &UNIVERSE, &RESOURCE_THREE, &NESTED] {
        let scratch = tree.scratch();
        scratch.phi(tree.assignments[0]);
        let before = scratch.everything();
        scratch.phi(tree.assignments[0]);
        assert_eq!(before, scratch.everything(), "{}", tree.name);
    }
}

#[test]
fn a_flip_writes_the_chain_and_nothing_else() {
    let scratch = UNIVERSE.scratch();
    scratch.phi(UNIVERSE.assignments[0]);
    let before = scratch.sources();
    scratch.phi(UNIVERSE.assignments[2]);
    let after = scratch.sources();
    let changed: Vec<String> = after
        .iter()
        .filter(|(path, text)| before.get(*path) != Some(text))
        .map(|(path, _)| path.display().to_string())
        .filter(|path| path != ".phi/provenance.json")
        .collect();
    assert_eq!(changed, ["phi.moved.tf"]);
    assert_eq!(before.len(), after.len());
}

#[test]
fn a_dry_run_writes_nothing() {
    let scratch = POSTGRES.scratch();
    let before = scratch.everything();
    let ran = scratch.tf_phi(&["plan", "--dry-run", "-var=customer_env=prod"]).expect(0);
    assert_eq!(before, scratch.everything());
    let said = format!("{}{}", ran.stdout, ran.stderr);
    for part in ["modules/postgres-v15-4", "modules/postgres-v14-9", "phi.moved.tf", "main.tf"] {
        assert!(said.contains(part), "{part} is missing in:\n{said}");
    }
    assert!(!said.contains("Terraform will perform"), "Terraform was started");
}

#[test]
fn the_diff_is_a_patch() {
    for tree in [&POSTGRES, &UNIVERSE, &RESOURCE, &NESTED] {
        let scratch = tree.scratch();
        let before = scratch.everything();
        let args = tree.assignments[0];
        let diff = scratch.tf_phi(&[&["diff"][..], args].concat()).expect(0).stdout;
        assert_eq!(before, scratch.everything(), "{}", tree.name);
        let patched = tree.raw();
        let patch = patched.aside("phi.patch");
        fs::write(&patch, &diff).unwrap();
        let git = Command::new("git")
            .args(["apply", "--whitespace=nowarn"])
            .arg(&patch)
            .current_dir(patched.dir())
            .env("GIT_CEILING_DIRECTORIES", patched.aside(""))
            .output()
            .unwrap();
        assert!(git.status.success(), "{}: {}\n{diff}", tree.name, String::from_utf8_lossy(&git.stderr));
        scratch.phi(args);
        let plain = |all: std::collections::BTreeMap<std::path::PathBuf, Vec<u8>>| {
            let kept = all.into_iter().filter(|(p, _)| !p.starts_with(".phi"));
            kept.map(|(p, b)| (p, String::from_utf8(b).unwrap())).collect::<Vec<_>>()
        };
        assert_eq!(plain(patched.sources()), plain(scratch.sources()), "{}", tree.name);
    }
}

#[test]
fn the_result_is_valid_and_formatted_nowhere_else() {
    for tree in [&POSTGRES, &UNIVERSE, &RESOURCE, &RESOURCE_THREE, &SHARED, &NESTED, &REPEATED] {
        let scratch = tree.scratch();
        scratch.phi(tree.assignments[0]);
        scratch.terraform(&["validate", "-no-color"]).expect(0);
    }
    let scratch = POSTGRES.scratch();
    scratch.phi(POSTGRES.assignments[0]);
    scratch.terraform(&["fmt", "-check", "-recursive", "-diff"]).expect(0);
}
