//! A form factor or a service that goes is held, by the history: nothing is destroyed, with the record or without.

use super::{PHI, TEMPLATE, init};
use crate::support::Scratch;

const MAIN: &str = "resource \"terraform_data\" \"db\" {\n  input = \"15.4\"\n}\n";

/// The edits of `phi.hcl` that take a service away; nothing where the file goes.
fn without() -> [Option<String>; 4] {
    let none = PHI.replace("[\"x\"]", "[]");
    let no_block = none[..none.find("service ").unwrap()].to_owned();
    [Some(none), Some(PHI.replace("  form_factor = \"on-prem\"\n", "")), Some(no_block), None]
}

/// A tree after an apply with the form factor on.
fn applied(phi: &str, args: &[&str]) -> Scratch {
    let scratch = Scratch::with(&[("main.tf", MAIN), ("services/x/main.tf", TEMPLATE), ("phi.hcl", phi)]);
    init(&scratch);
    scratch.tf_phi(&[&["apply", "-auto-approve", "-input=false"][..], args].concat()).expect(0);
    scratch
}

/// Each edit is refused, names what a service made, and writes nothing.
fn held(scratch: &Scratch) {
    for phi in without() {
        match &phi {
            Some(text) => scratch.write("phi.hcl", text),
            None => std::fs::remove_file(scratch.dir().join("phi.hcl")).unwrap(),
        }
        let before = scratch.everything();
        let ran = scratch.tf_phi(&["plan", "-input=false"]).expect(1);
        assert!(ran.stderr.contains("state holds module.db.terraform_data.pg\n"), "{phi:?}: {}", ran.stderr);
        assert!(ran.stdout.is_empty(), "{}", ran.stdout);
        assert_eq!(scratch.everything(), before, "{phi:?}");
    }
}

#[test]
fn a_service_that_goes_is_held_with_the_record() {
    held(&applied(PHI, &[]));
}

#[test]
fn a_service_that_goes_is_held_after_restore() {
    let scratch = applied(PHI, &[]);
    scratch.tf_phi(&["restore"]).expect(0);
    held(&scratch);
}

#[test]
fn a_service_that_goes_is_held_where_nothing_is_kept() {
    held(&applied(&PHI.replace("settings {", "settings {\n  keep = false"), &[]));
    held(&applied(PHI, &["--ephemeral"]));
}

/// A service that makes other objects takes the place of the first.
#[test]
fn what_another_service_would_destroy_is_held() {
    let scratch = applied(PHI, &[]);
    scratch.tf_phi(&["restore"]).expect(0);
    let other = PHI.replace("\"x\"", "\"y\"").replace("services/x", "services/y");
    scratch.write("phi.hcl", &other);
    scratch.write("services/y/main.tf", &TEMPLATE.replace("\"pg\"", "\"other\""));
    let ran = scratch.tf_phi(&["plan", "-input=false"]).expect(1);
    assert!(ran.stderr.contains("state holds module.db.terraform_data.pg\n"), "{}", ran.stderr);
    // The same objects under another service's name stay.
    scratch.write("services/y/main.tf", TEMPLATE);
    let found = crate::support::actions(&scratch.phi_plan(&[]).0);
    assert!(found.len() == 1 && found.values().all(|a| a.actions == "no-op"), "{found:?}");
}
