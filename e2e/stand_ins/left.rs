//! Leaving tf-phi, or going without it, while a state holds what services made: plain Terraform destroys nothing.
//!
//! Who leaves under a form factor keeps what its services made. What belongs to another form of the tree is forgotten, in whatever
//! workspace it lies.

use super::advice::{paste, pastes};
use super::{FIELD, PHI, Place, TEMPLATE, chosen, init, moved, resource, tree, write};
use crate::support::{Scratch, actions};
use std::collections::BTreeMap;

const OFF: &[&str] = &["--form-factor", ""];
const ON: &[&str] = &["--form-factor", "on-prem"];

/// `phi.hcl` that names no form factor by itself.
fn unset() -> String {
    PHI.replace("settings {\n  form_factor = \"on-prem\"\n}\n", "").strip_suffix("}\n").unwrap().to_owned()
        + FIELD
}

fn made(place: Place, repeated: &str, phi: &str) -> Scratch {
    let scratch = Scratch::with(&[("phi.hcl", phi), ("services/x/main.tf", TEMPLATE)]);
    write(&scratch, &tree(place, &resource("db", repeated)));
    init(&scratch);
    scratch
}

fn apply(scratch: &Scratch, args: &[&str]) {
    scratch.tf_phi(&[&["apply", "-auto-approve", "-input=false"][..], args].concat()).expect(0);
}

/// What a plain plan does, by address.
fn plain(scratch: &Scratch) -> BTreeMap<String, String> {
    scratch.terraform(&["get"]).expect(0);
    actions(&scratch.plan(&[])).into_iter().map(|(address, action)| (address, action.actions)).collect()
}

/// Nothing of a state goes but by being forgotten; returns what is kept, forgotten, and created.
#[track_caller]
fn counts(scratch: &Scratch, what: &str) -> [usize; 3] {
    let found = plain(scratch);
    assert!(found.values().all(|a| !a.contains("delete")), "{what}: {found:?}\n{}", home(scratch));
    let count = |kind: &str| found.values().filter(|a| *a == kind).count();
    [count("no-op"), count("forget"), count("create")]
}

fn home(scratch: &Scratch) -> String {
    let read = |path: &str| std::fs::read_to_string(scratch.dir().join(path)).unwrap_or_default();
    read("moved.tf") + &read("phi.moved.tf")
}

#[track_caller]
fn gone(scratch: &Scratch) {
    for path in ["phi.hcl", "phi.moved.tf", ".phi/history.jsonl", ".phi/provenance.json"] {
        assert!(!scratch.dir().join(path).exists(), "{path} is left");
    }
}

/// Under the form factor, without one, and under it once more with the state of the other.
fn leaves(place: Place, repeated: &str, objects: usize) {
    let left = |made_under: &[&str], args: &[&str]| {
        let scratch = made(place, repeated, &unset());
        apply(&scratch, made_under);
        scratch.tf_phi(&[&["leave"], args].concat()).expect(0);
        gone(&scratch);
        counts(&scratch, &format!("made {made_under:?}, left {args:?}"))
    };
    assert_eq!(left(ON, ON), [objects, 0, 0], "what the service made is kept");
    assert_eq!(left(ON, OFF), [0, objects, objects], "what the service made is forgotten");
    assert_eq!(left(OFF, ON), [0, objects, objects], "what the service replaces is forgotten");
    assert_eq!(left(OFF, OFF), [objects, 0, 0], "what the original declares is kept");
}

#[test]
fn under_a_form_factor_in_the_root() {
    leaves(Place::Root, "", 1);
}

#[test]
fn under_a_form_factor_in_a_module() {
    leaves(Place::Module, "", 1);
}

#[test]
fn under_a_form_factor_with_keys() {
    leaves(Place::Keys, super::BOTH, 4);
}

/// Both states see one tree: the one that it is for keeps its objects, the other one forgets them.
#[test]
fn two_workspaces_with_different_form_factors() {
    for (args, kept, other) in [(ON, "customer", "cloud"), (OFF, "cloud", "customer")] {
        let scratch = made(Place::Module, "", &unset());
        for (workspace, args) in [("cloud", OFF), ("customer", ON)] {
            scratch.terraform(&["workspace", "new", workspace]).expect(0);
            apply(&scratch, args);
        }
        let ran = scratch.tf_phi(&[&["leave"], args].concat()).expect(0);
        assert!(ran.stderr.contains("without destroying them"), "{}", ran.stderr);
        for (workspace, want) in [(kept, [1, 0, 0]), (other, [0, 1, 1]), ("default", [0, 0, 1])] {
            scratch.terraform(&["workspace", "select", workspace]).expect(0);
            assert_eq!(counts(&scratch, workspace), want, "{workspace} left {args:?}");
        }
    }
}

/// Nothing was ever applied: the tree is what the form factor makes of it all the same.
#[test]
fn without_a_state() {
    let scratch = made(Place::Module, "", PHI);
    scratch.tf_phi(&["plan", "-input=false"]).expect(0);
    scratch.tf_phi(&["leave"]).expect(0);
    gone(&scratch);
    let found = plain(&scratch);
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        [("module.m.module.db.terraform_data.pg".into(), "create".to_owned())]
    );
    assert!(!home(&scratch).contains("removed {"), "no state holds anything: {}", home(&scratch));
}

/// Nobody has said which form is to stay: each of the printed commands leads out.
#[test]
fn without_saying_which_form_is_to_stay() {
    let make = || {
        let scratch = made(Place::Root, "", &unset());
        apply(&scratch, ON);
        scratch
    };
    let scratch = make();
    let before = scratch.everything();
    let refused = scratch.tf_phi(&["leave"]).expect(1);
    assert_eq!(scratch.everything(), before);
    let ways = pastes(&refused);
    assert_eq!(ways, ["tf-phi leave --form-factor on-prem", "tf-phi leave --form-factor ''"]);
    for (way, want) in ways.iter().zip([[1, 0, 0], [0, 1, 1]]) {
        let scratch = make();
        paste(&scratch, way);
        gone(&scratch);
        assert_eq!(counts(&scratch, way), want);
    }
}

/// A bare run between two of tf-phi's, and after `restore`.
#[test]
fn bare_runs_without_tf_phi_destroy_nothing() {
    for phi in [PHI.to_owned(), PHI.replace("settings {", "settings {\n  keep = false")] {
        let scratch = made(Place::Module, "", &phi);
        apply(&scratch, &[]);
        scratch.tf_phi(&["restore"]).expect(0);
        assert_eq!(counts(&scratch, &phi), [0, 1, 1]);
        // Nothing was applied, and with tf-phi nothing has changed.
        let found = actions(&scratch.phi_plan(&[]).0);
        assert!(found.len() == 1 && found.values().all(|a| a.actions == "no-op"), "{found:?}");
    }
    let scratch = made(Place::Module, "", &PHI.replace("settings {", "settings {\n  keep = false"));
    apply(&scratch, &[]);
    scratch.tf_phi(&["plan", "-input=false"]).expect(0);
    assert_eq!(counts(&scratch, "keep = false"), [0, 1, 1]);
}

/// The user's own moves go on from there.
#[test]
fn after_a_rename_under_a_service() {
    let scratch = made(Place::Root, "", &unset());
    apply(&scratch, ON);
    scratch.tf_phi(&["restore"]).expect(0);
    let renamed = resource("main", "") + &moved(super::DB, "terraform_data.main");
    write(&scratch, &tree(Place::Root, &renamed));
    apply(&scratch, ON);
    scratch.tf_phi(&[&["leave"], ON].concat()).expect(0);
    assert_eq!(counts(&scratch, "renamed"), [1, 0, 0]);
}

/// A state that was last applied before a `moved` block came: what the service made goes where the block leads what it stands in for.
#[test]
fn before_a_rename_was_applied() {
    for (place, repeated, objects) in [
        (Place::Root, "", 1),
        (Place::Root, super::TWO, 2),
        (Place::Module, super::BOTH, 2),
        (Place::Keys, "", 2),
    ] {
        let scratch = made(place, repeated, &unset());
        apply(&scratch, ON);
        scratch.tf_phi(&["restore"]).expect(0);
        let renamed = resource("main", repeated) + &moved(super::DB, "terraform_data.main");
        write(&scratch, &tree(place, &renamed));
        scratch.tf_phi(&[&["leave"], ON].concat()).expect(0);
        assert_eq!(counts(&scratch, "renamed"), [objects, 0, 0], "{place:?} {repeated}\n{}", home(&scratch));
    }
}

/// The same out of a module.
#[test]
fn before_a_move_out_of_a_module_was_applied() {
    for (repeated, objects) in [("", 1), (super::BOTH, 2)] {
        let scratch = made(Place::Module, repeated, &unset());
        apply(&scratch, ON);
        scratch.tf_phi(&["restore"]).expect(0);
        write(&scratch, &tree(Place::Module, ""));
        let out = moved("module.m.terraform_data.db", super::DB);
        scratch.write("more.tf", &(resource("db", repeated) + &out));
        scratch.tf_phi(&[&["leave"], ON].concat()).expect(0);
        assert_eq!(counts(&scratch, repeated), [objects, 0, 0], "{}", home(&scratch));
    }
}

/// The same where one key gets another name, beside one that goes.
#[test]
fn before_a_key_was_renamed() {
    let scratch = made(Place::Root, super::BOTH, &unset());
    apply(&scratch, ON);
    scratch.tf_phi(&["restore"]).expect(0);
    let renamed = moved("terraform_data.db[\"a\"]", "terraform_data.db[\"c\"]");
    write(&scratch, &tree(Place::Root, &(resource("db", "  for_each = toset([\"c\"])\n") + &renamed)));
    scratch.tf_phi(&[&["leave"], ON].concat()).expect(0);
    let found = plain(&scratch);
    assert_eq!(found.values().collect::<Vec<_>>(), ["delete", "no-op"], "{found:?}\n{}", home(&scratch));
}

/// What stood in for something that is deleted is forgotten: whoever takes the edit back afterwards doesn't destroy it either.
#[test]
fn after_what_was_replaced_is_deleted() {
    for args in [ON, OFF] {
        let scratch = made(Place::Root, "", &unset());
        apply(&scratch, ON);
        scratch.tf_phi(&["restore"]).expect(0);
        write(&scratch, &tree(Place::Root, ""));
        scratch.tf_phi(&[&["leave"], args].concat()).expect(0);
        assert_eq!(counts(&scratch, "left"), [0, 1, 0]);
        write(&scratch, &tree(Place::Root, &resource("db", "")));
        assert_eq!(counts(&scratch, "taken back"), [0, 1, 1]);
    }
}

/// A condition chooses between two services.
#[test]
fn where_a_condition_chooses_the_service() {
    let phi = chosen::phi(false);
    let main = format!("variable \"old\" {{\n  type = bool\n}}\n{}", chosen::resource("db", ""));
    let template = chosen::template();
    for old in ["-var=old=false", "-var=old=true"] {
        let scratch = Scratch::with(&[
            ("main.tf", &*main),
            ("phi.hcl", &*phi),
            ("services/x/main.tf", &*template),
            ("services/y/main.tf", &template.replace("\"pg\"", "\"other\"")),
        ]);
        init(&scratch);
        apply(&scratch, &[old]);
        scratch.tf_phi(&["leave"]).expect(0);
        scratch.terraform(&["get"]).expect(0);
        let found = actions(&scratch.plan(&[old]));
        let kinds: Vec<&str> = found.values().map(|a| a.actions.as_str()).collect();
        assert_eq!(kinds, ["no-op"], "{old}: {found:?}\n{}{}", home(&scratch), scratch.read("main.tf"));
    }
}

/// Where nothing but services' calls is written, there are no copies, and what is left between runs gives the calls up all the same.
#[test]
fn between_runs_without_any_copy() {
    let unkept = PHI.replace("settings {", "settings {\n  keep = false");
    for (phi, args) in [(&*unkept, &[][..]), (PHI, &["--ephemeral"])] {
        for (place, repeated) in [(Place::Root, ""), (Place::Module, "  count = 1\n"), (Place::Keys, "")] {
            let scratch = made(place, repeated, phi);
            let objects = if matches!(place, Place::Keys) { 2 } else { 1 };
            scratch.tf_phi(&[&["plan", "-input=false"], args].concat()).expect(0);
            assert!(home(&scratch).is_empty(), "{place:?}: nothing was applied yet");
            apply(&scratch, args);
            assert_eq!(counts(&scratch, &format!("{place:?} {args:?}")), [0, objects, objects]);
        }
    }
}

/// The original gives up by a `removed` block what a service stood in for: it is forgotten as well.
#[test]
fn what_the_original_gives_up_is_forgotten() {
    let scratch = made(Place::Root, "", PHI);
    apply(&scratch, &[]);
    scratch.tf_phi(&["restore"]).expect(0);
    let gone = "removed {\n  from = terraform_data.db\n\n  lifecycle {\n    destroy = false\n  }\n}\n";
    write(&scratch, &tree(Place::Root, gone));
    scratch.tf_phi(&["plan", "-input=false"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(counts(&scratch, "after restore"), [0, 1, 0]);
}

/// The same after a move: what the block names was called otherwise when the service made it.
#[test]
fn what_the_original_gives_up_after_a_move_is_forgotten() {
    let scratch = made(Place::Root, "", PHI);
    apply(&scratch, &[]);
    scratch.tf_phi(&["restore"]).expect(0);
    let gone = "moved {\n  from = terraform_data.db\n  to   = terraform_data.main\n}\nremoved {\n  from = terraform_data.main\n\n  lifecycle {\n    destroy = false\n  }\n}\n";
    write(&scratch, &tree(Place::Root, gone));
    let found: Vec<String> = actions(&scratch.phi_plan(&[]).0).into_values().map(|a| a.actions).collect();
    assert_eq!(found, ["forget"]);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(counts(&scratch, "after restore"), [0, 1, 0]);
}
