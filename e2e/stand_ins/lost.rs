//! A lost history, and a rename in the same edit: what a service made is found again, or the run stops with what leads out.

use super::advice::{paste, pastes};
use super::{DB, Place, TEMPLATE, init, moved, phi, resource, tree, write};
use crate::support::{Scratch, actions};
use std::fs;

const MAIN: &str = "terraform_data.main";

fn applied(place: Place, pinned: bool, repeated: &str) -> Scratch {
    let scratch = Scratch::with(&[("phi.hcl", &phi(pinned)), ("services/x/main.tf", TEMPLATE)]);
    write(&scratch, &tree(place, &resource("db", repeated)));
    init(&scratch);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    fs::remove_dir_all(scratch.dir().join(".phi")).unwrap();
    write(&scratch, &tree(place, &(resource("main", repeated) + &moved(DB, MAIN))));
    scratch
}

#[track_caller]
fn kept(scratch: &Scratch, objects: usize) {
    let found = actions(&scratch.phi_plan(&[]).0);
    let moved = |a: &crate::support::Action| a.actions == "no-op" && a.from.is_some();
    assert!(found.len() == objects && found.values().all(moved), "{found:?}");
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    let found = actions(&scratch.phi_plan(&[]).0);
    assert!(found.len() == objects && found.values().all(|a| a.actions == "no-op"), "{found:?}");
}

const CASES: &[(Place, bool, &str, usize)] = &[
    (Place::Root, true, "", 1),
    (Place::Module, false, "", 1),
    (Place::Keys, true, super::BOTH, 4),
    (Place::Root, false, super::TWO, 2),
    (Place::Root, true, super::COUNT, 1),
];

/// The file that `restore` left tells what was lost.
#[test]
fn the_way_home_tells_of_services() {
    for (place, pinned, repeated, objects) in CASES {
        kept(&applied(*place, *pinned, repeated), *objects);
    }
}

/// Without that file the run stops, and what is printed to write the history down again leads out.
#[test]
fn names_and_templates_tell_of_services() {
    for (place, pinned, repeated, objects) in CASES {
        let scratch = applied(*place, *pinned, repeated);
        fs::remove_file(scratch.dir().join("phi.moved.tf")).unwrap();
        let before = scratch.everything();
        let refused = scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
        assert_eq!(scratch.everything(), before, "{place:?} {pinned} {repeated}");
        let ways = pastes(&refused);
        assert_eq!(ways[0], "tf-phi history --rebuild --form-factor on-prem", "{}", refused.stderr);
        paste(&scratch, &ways[0]);
        kept(&scratch, *objects);
    }
}

/// A module whose call is pinned, with a resource that a service replaces; applied, and everything that tells of it lost.
fn lost_around_a_copy(repeat: &str) -> (Scratch, String) {
    let call = format!(
        "variable \"env\" {{\n  default = \"prod\"\n}}\nmodule \"m\" {{\n  source = \"./m\"\n  {repeat}\n  v      = var.env == \
         \"prod\" ? \"15.4\" : \"14.9\"\n}}\n"
    );
    let phi = phi(false) + "specialize \"module.m\" {\n  fields = [\"v\"]\n}\n";
    let template = "variable \"input\" {}\nresource \"terraform_data\" \"pg\" {\n  input = var.input\n}\n";
    let scratch = Scratch::with(&[
        ("phi.hcl", &phi),
        ("main.tf", &call),
        ("m/main.tf", &within_a_copy("count = 1")),
        ("services/x/main.tf", template),
    ]);
    init(&scratch);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    fs::remove_dir_all(scratch.dir().join(".phi")).unwrap();
    fs::remove_file(scratch.dir().join("phi.moved.tf")).unwrap();
    (scratch, phi)
}

fn within_a_copy(repeat: &str) -> String {
    format!(
        "variable \"v\" {{}}\nresource \"terraform_data\" \"db\" {{\n  {repeat}\n  input = {{ v = var.v, kind = \"pg\", tag = \"db\" \
         }}\n}}\n"
    )
}

/// Where the form factor is off, the run stops with what is so, and doesn't call it somebody's own alone.
#[test]
fn a_copy_around_what_a_service_made() {
    for repeat in ["", "for_each = toset([\"a\"])"] {
        let (scratch, on) = lost_around_a_copy(repeat);
        scratch.write("m/main.tf", &within_a_copy(""));
        let lines: Vec<&str> = on.lines().filter(|line| !line.trim().starts_with("form_factor =")).collect();
        scratch.write("phi.hcl", &lines.join("\n"));
        let before = scratch.everything();
        let refused = scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
        assert_eq!(scratch.everything(), before);
        let ways = pastes(&refused);
        let back = "tf-phi plan --form-factor on-prem";
        assert!(ways.iter().any(|way| way.starts_with(back)), "{repeat}\n{}", refused.stderr);
    }
}

/// What the original gives up without destroying it is forgotten, although nothing tells that a service made it.
#[test]
fn given_up_within_a_copy() {
    for repeat in ["", "for_each = toset([\"a\"])"] {
        let (scratch, _) = lost_around_a_copy(repeat);
        let removed = "removed {\n  from = terraform_data.db\n  lifecycle {\n    destroy = false\n  }\n}\n";
        scratch.write("m/main.tf", &format!("variable \"v\" {{}}\n{removed}"));
        let found = actions(&scratch.phi_plan(&[]).0);
        let kinds: Vec<&str> = found.values().map(|a| a.actions.as_str()).collect();
        assert_eq!(kinds, ["forget"], "{repeat}: {found:?}");
    }
}
