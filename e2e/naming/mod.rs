//! From one naming scheme to the next: what a version with scheme 1 wrote (`first`, with its records) and made state of, under this
//! one. Nothing is destroyed, with the records, with the history alone, and where both are lost.

use std::fs;

use crate::compare::nothing_is_destroyed;
use crate::support::Scratch;

const DEV: [&str; 2] = ["-var=protect=false", "-var=env=dev"];
const PROD: [&str; 2] = ["-var=protect=true", "-var=env=prod"];

/// State as a version with scheme 1 left it: its tree, applied by Terraform alone.
fn applied() -> Scratch {
    let scratch = Scratch::copy_of("e2e/naming/first");
    scratch.init();
    let args = [&["apply", "-auto-approve", "-input=false", "-no-color"][..], &DEV].concat();
    scratch.terraform(&args).expect(0);
    let held = scratch.terraform(&["state", "list"]).expect(0).stdout;
    for name in
        ["flag_false[0]", "ignores_x", "listed_x", "object_x", "text_empty[0]", "each_false[\"k\"]", "site_x"]
    {
        assert!(held.contains(name), "{name} is none of the names of scheme 1:\n{held}");
    }
    scratch
}

/// The original sources in place of the specialised ones; records stay.
fn restored(scratch: &Scratch) {
    let original = Scratch::copy_of("e2e/naming/in");
    for path in scratch.sources().keys().filter(|path| !path.starts_with(".phi")) {
        fs::remove_file(scratch.dir().join(path)).unwrap();
    }
    for (path, text) in original.sources() {
        scratch.write(path.to_str().unwrap(), std::str::from_utf8(&text).unwrap());
    }
}

/// Nothing is to do for the run that state is of, nothing is destroyed by the others, and the new names are in use then.
#[track_caller]
fn goes_on(scratch: &Scratch, what: &str) {
    let rounds = [(DEV, true), (PROD, false), (DEV, false)];
    for (args, idle) in rounds {
        let (plan, file) = scratch.phi_plan(&args);
        nothing_is_destroyed(&plan, what);
        let busy: Vec<_> = plan.resource_changes.iter().filter(|c| c.change.actions != ["no-op"]).collect();
        assert!(!idle || busy.is_empty(), "{what}: {busy:?}");
        scratch.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
    }
    let held = scratch.terraform(&["state", "list"]).expect(0).stdout;
    for name in [
        "terraform_data.flag_prevent_destroy_false[0]",
        "terraform_data.ignores_ignore_changes_empty[0]",
        "terraform_data.listed_a[0]",
        "terraform_data.each_input_false[\"k\"]",
        "terraform_data.counted_input_false[1]",
        "module.chosen_right[0]",
        "module.site_terraform_eu[0]",
        "module.keyed_input_false[\"l\"]",
    ] {
        assert!(held.contains(name), "{what}: {name} is not in state:\n{held}");
    }
    scratch.tf_phi(&["check"]).expect(0);
}

#[test]
fn with_its_records() {
    goes_on(&applied(), "with records");
}

#[test]
fn restored_with_its_history() {
    let scratch = applied();
    restored(&scratch);
    fs::remove_file(scratch.dir().join(".phi/provenance.json")).unwrap();
    goes_on(&scratch, "with the history alone");
}

#[test]
fn without_records_and_history() {
    let scratch = applied();
    restored(&scratch);
    fs::remove_dir_all(scratch.dir().join(".phi")).unwrap();
    let before = scratch.everything();
    let ran = scratch.tf_phi(&[&["plan", "-input=false", "-no-color"][..], &DEV].concat());
    match ran.code {
        // State has no `prevent_destroy`, and a list there has another type than in the configuration: then it is asked.
        1 => assert_eq!(scratch.everything(), before, "{}", ran.stderr),
        _ => goes_on(&scratch, "by names"),
    }
    for name in ["flag_false", "ignores_x"] {
        assert!(ran.code == 0 || ran.stderr.contains(name), "{}", ran.stderr);
    }
    for name in ["text_empty", "each_false", "counted_false", "keyed_false"] {
        assert!(!ran.stderr.contains(name), "{name} follows from a value in state:\n{}", ran.stderr);
    }
}

#[test]
fn a_record_with_names_that_stay_is_not_written_anew() {
    let scratch = Scratch::with(&[
        (
            "main.tf",
            "variable \"env\" { type = string }\n\nresource \"terraform_data\" \"db\" {\n  input = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n",
        ),
        ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n"),
    ]);
    scratch.init();
    scratch.phi_plan(&["-var=env=dev"]);
    let record = scratch.read(".phi/provenance.json");
    assert!(record.contains("\"naming\": 2"), "{record}");
    // In the head with a blank, in each entry without.
    let scheme = |number: &str| {
        let head = record.replace("\"naming\": 2", &format!("\"naming\": {number}"));
        head.replace("\"naming\":2", &format!("\"naming\":{number}"))
    };
    let older = scheme("1");
    scratch.write(".phi/provenance.json", &older);
    scratch.tf_phi(&["check"]).expect(0);
    scratch.phi_plan(&["-var=env=prod"]);
    let now = scratch.read(".phi/provenance.json");
    assert!(!now.contains("\"naming\": 2") && !now.contains("\"naming\":2"), "{now}");
    let newer = scheme("3");
    scratch.write(".phi/provenance.json", &newer);
    let before = scratch.everything();
    scratch.tf_phi(&["plan", "-input=false", "-var=env=dev"]).expect(1);
    assert_eq!(scratch.everything(), before);
}
