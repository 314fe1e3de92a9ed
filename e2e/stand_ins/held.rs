//! A form factor or a service that goes is held, by the history: nothing is destroyed, with the record or without.

use super::{PHI, Place, TEMPLATE, done, init, tree, write};
use crate::support::{Scratch, actions};

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

/// Without a history the name and the template tell, and the user has the last word.
#[test]
fn a_lost_history_holds_by_the_template() {
    let scratch = applied(PHI, &[]);
    scratch.tf_phi(&["restore"]).expect(0);
    std::fs::remove_dir_all(scratch.dir().join(".phi")).unwrap();
    std::fs::remove_file(scratch.dir().join("phi.moved.tf")).unwrap();
    scratch.write("phi.hcl", &PHI.replace("  form_factor = \"on-prem\"\n", ""));
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
    assert!(ran.stderr.contains("state holds module.db.terraform_data.pg\n"), "{}", ran.stderr);
    let own = "tf-phi history --own 'module.db.terraform_data.pg'";
    assert!(ran.stderr.contains(own), "{}", ran.stderr);
    scratch.tf_phi(&["history", "--own", "module.db.terraform_data.pg"]).expect(0);
    let found = crate::support::actions(&scratch.phi_plan(&[]).0);
    assert_eq!(found["module.db.terraform_data.pg"].actions, "delete");
}

/// An operator stays as long as anything is declared that its form factor's services stood in for.
#[test]
fn an_operator_goes_with_the_last_of_what_needs_it() {
    let phi = PHI.replace(
        "  module   = \"./services/x\"\n",
        "  module   = \"./services/x\"\n  operator = \"./services/op\"\n",
    );
    let template = format!("{TEMPLATE}variable \"operator\" {{\n  type = string\n}}\n");
    let operator = "resource \"terraform_data\" \"op\" {}\noutput \"ready\" {\n  value = \"yes\"\n}\n";
    let scratch = Scratch::with(&[
        ("main.tf", MAIN),
        ("services/x/main.tf", &template),
        ("services/op/main.tf", operator),
        ("phi.hcl", &phi),
    ]);
    init(&scratch);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    let listed = scratch.terraform(&["state", "list"]).expect(0).stdout;
    let made = listed.lines().find(|l| l.ends_with("terraform_data.op")).unwrap().to_owned();
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.write("phi.hcl", &phi.replace("[\"x\"]", "[]"));
    scratch.terraform(&["state", "rm", "module.db"]).expect(0);
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
    assert!(ran.stderr.contains(&format!("state holds {made}\n")), "{}", ran.stderr);
    // Nothing is declared any more that it is there for.
    scratch.write("main.tf", "");
    let found = crate::support::actions(&scratch.phi_plan(&[]).0);
    assert_eq!(found[&made].actions, "delete");
}

/// A key that the original gives up before the service comes: it is destroyed as without tf-phi, and not forgotten with what the service
/// replaces.
#[track_caller]
fn given_up_key(place: Place, protected: &str) {
    let body = |key: &str| {
        format!(
            "resource \"terraform_data\" \"db\" {{\n  for_each = toset([{key}])\n  input = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n{protected}}}\n"
        )
    };
    let (before, after) = (tree(place, &body("\"a\"")), tree(place, &body("\"b\"")));
    let (twin, phi) = (Scratch::with(&[]), Scratch::with(&[("services/x/main.tf", TEMPLATE)]));
    for scratch in [&twin, &phi] {
        write(scratch, &before);
        init(scratch);
        scratch.apply(&[]);
        write(scratch, &after);
    }
    phi.write("phi.hcl", PHI);
    if !protected.is_empty() {
        let stops = ["plan", "-input=false"];
        assert!(twin.terraform(&stops).expect(1).stderr.contains("Instance cannot be destroyed"));
        let said = phi.tf_phi(&stops).expect(1).stderr;
        assert!(said.contains("in spite of `prevent_destroy`"), "{said}");
        return;
    }
    let (wanted, found) = (twin.plan(&[]), phi.phi_plan(&[]).0);
    assert_eq!(done(&found), done(&wanted), "{place:?}: {:?}", actions(&found));
    phi.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    assert!(done(&phi.phi_plan(&[]).0).iter().all(|a| a == "no-op"), "{place:?}");
}

#[test]
fn a_key_that_goes_as_the_service_comes_is_destroyed() {
    [Place::Root, Place::Module, Place::Keys].into_iter().for_each(|place| given_up_key(place, ""));
}

#[test]
fn a_protected_key_that_goes_as_the_service_comes_stops() {
    given_up_key(Place::Root, "  lifecycle {\n    prevent_destroy = true\n  }\n");
}

/// An edit of a service's block that changes nothing of what is written is none that `check` asks for.
#[test]
fn an_edit_of_a_block_that_changes_nothing_is_up_to_date() {
    let scratch = applied(PHI, &[]);
    scratch.tf_phi(&["check"]).expect(0);
    scratch.write("phi.hcl", &PHI.replace("service \"x\" {\n", "service \"x\" {\n  # of our own\n"));
    scratch.tf_phi(&["check"]).expect(0);
    scratch.tf_phi(&["plan", "-input=false"]).expect(0);
    scratch.tf_phi(&["check"]).expect(0);
}

/// What is done after an apply that left the key that the original gives up beside its address.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Then {
    Again,
    /// The form factor goes.
    Off,
    /// And the key comes back.
    BackAndOff,
}

/// An apply failed before it destroyed what the original gives up: nothing of it is lost or forgotten.
fn left_beside(then: Then) {
    let body = |key: &str| {
        format!(
            "resource \"terraform_data\" \"db\" {{\n  for_each = toset([{key}])\n  input = \"15.4\"\n}}\n"
        )
    };
    let (before, after) = (tree(Place::Root, &body("\"a\"")), tree(Place::Root, &body("\"b\"")));
    let (twin, phi) = (Scratch::with(&[]), Scratch::with(&[("services/x/main.tf", TEMPLATE)]));
    for scratch in [&twin, &phi] {
        write(scratch, &before);
        init(scratch);
        scratch.apply(&[]);
        write(scratch, &after);
    }
    phi.write("phi.hcl", PHI);
    // Nobody approves, and state is made what a failed apply leaves.
    for name in ["db_given_up", "db_given_up_2"] {
        phi.tf_phi(&["apply", "-input=false"]).expect(1);
        let listed = phi.terraform(&["state", "list"]).expect(0).stdout;
        let to = format!("terraform_data.{name}[\"a\"]");
        assert!(phi.read("phi.moved.tf").contains(&to), "{}", phi.read("phi.moved.tf"));
        phi.terraform(&["state", "mv", listed.lines().next().unwrap(), &to]).expect(0);
    }
    phi.tf_phi(&["restore"]).expect(0);
    if then != Then::Again {
        phi.write("phi.hcl", &PHI.replace("  form_factor = \"on-prem\"\n", ""));
    }
    if then == Then::BackAndOff {
        [&twin, &phi].iter().for_each(|scratch| write(scratch, &before));
    }
    let (wanted, found) = (twin.plan(&[]), phi.phi_plan(&[]).0);
    assert_eq!(done(&found), done(&wanted), "{then:?}: {:?}", actions(&found));
    phi.tf_phi(&["restore"]).expect(0);
    if then != Then::Again {
        assert_eq!(done(&phi.plan(&[])), done(&wanted), "{then:?}: plain Terraform");
    }
    phi.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    assert!(done(&phi.phi_plan(&[]).0).iter().all(|a| a == "no-op"), "{then:?}");
}

#[test]
fn what_a_failed_apply_left_beside_its_address_is_destroyed() {
    left_beside(Then::Again);
}

#[test]
fn what_a_failed_apply_left_beside_its_address_is_destroyed_without_the_form_factor() {
    left_beside(Then::Off);
}

#[test]
fn what_a_failed_apply_left_beside_its_address_comes_home() {
    left_beside(Then::BackAndOff);
}
