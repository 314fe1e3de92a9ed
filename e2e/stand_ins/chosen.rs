//! A condition chooses between two services: what stands in goes where the original's objects go, all the same.

use super::{FIELD, PHI, Place, TEMPLATE, alike_with, edits, tree};

/// `phi.hcl` with a service for the old and one for the new, with copies per value or without.
pub fn phi(pinned: bool) -> String {
    let service = |name: &str, value: &str| {
        let field = if pinned { FIELD } else { "}\n" };
        format!(
            "service \"{name}\" {{\n  replaces = \"terraform_data\"\n  when     = {{ triggers_replace = \"{value}\" }}\n  module   = \"./services/{name}\"\n{field}"
        )
    };
    let head = &PHI[..PHI.find("service \"x\"").unwrap()];
    head.replace("[\"x\"]", "[\"x\", \"y\"]") + &service("x", "new") + &service("y", "old")
}

/// The template of either.
pub fn template() -> String {
    format!("{TEMPLATE}variable \"triggers_replace\" {{\n  type = string\n}}\n")
}

/// A resource of which `var.old` decides the service.
pub fn resource(name: &str, repeated: &str) -> String {
    format!(
        "resource \"terraform_data\" \"{name}\" {{\n{repeated}  input            = \"15.4\"\n  triggers_replace = var.old ? \"old\" : \"new\"\n}}\n"
    )
}

/// A resource's text where a condition chooses its service.
fn chosen(text: &str) -> String {
    let choice = "  triggers_replace = var.env == \"prod\" ? \"new\" : \"old\"\n}\n";
    text.replace("\"14.9\"\n}\n", &format!("\"14.9\"\n{choice}"))
}

fn edited(place: Place, pinned: bool, name: &str) {
    let all = edits();
    let (_, before, after) = all.iter().find(|(own, ..)| *own == name).unwrap();
    let (phi, template) = (phi(pinned), template());
    let beside = [("phi.hcl", &*phi), ("services/x/main.tf", &*template), ("services/y/main.tf", &*template)];
    let what = format!("{name} {place:?} {pinned}, chosen");
    alike_with(&what, &beside, &tree(place, &chosen(before)), &tree(place, &chosen(after)));
}

#[test]
fn count_that_comes_or_goes_under_a_chosen_service() {
    edited(Place::Root, false, "count");
    edited(Place::Module, true, "uncount");
}

#[test]
fn a_rename_under_a_chosen_service() {
    edited(Place::Root, false, "rename");
    edited(Place::Module, true, "rename");
}

#[test]
fn a_sample_of_all_edits_under_a_chosen_service() {
    let mut all = Vec::new();
    for place in [Place::Root, Place::Module, Place::Keys] {
        for pinned in [false, true] {
            all.extend(edits().into_iter().map(|(name, ..)| (place, pinned, name)));
        }
    }
    for (place, pinned, name) in crate::support::sample::sampled(all, 41, "stand-ins") {
        edited(place, pinned, name);
    }
}
