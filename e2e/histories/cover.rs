//! What histories have in them: constructs, where they stand, and the steps that were taken while they stood there.

use super::model::{Body, Form, Repeat, Root, Statement, Trouble};
use super::world::Place;
use std::collections::BTreeSet;

/// A construct, and where it stands.
pub type Construct = (&'static str, &'static str);

pub const POSITIONS: &[&str] = &["root", "module", "repeated module", "nested module", "chosen module"];

/// Where states are, which counts as a construct of the root.
pub fn of_place(place: Place) -> Construct {
    let what = match place {
        Place::Workspaces => "states in workspaces",
        Place::Argument => "states by argument",
        Place::Deployments => "deployments of a Stack",
    };
    (what, "root")
}

/// Each construct of a root at each of its positions.
pub fn constructs(root: &Root) -> BTreeSet<Construct> {
    let mut out = BTreeSet::new();
    for (module, body) in &root.modules {
        for position in positions(root, module) {
            for what in of_body(body) {
                out.insert((what, position));
            }
        }
    }
    for pin in &root.pins {
        let what = match (pin.form, pin.at_resource) {
            (_, true) => "pin at the resource",
            (Form::Type, _) => "pin of a type",
            (Form::Name, _) => "pin of a name",
            (Form::Address, _) => "pin of an address",
            (Form::Call, _) => "pin of a call's argument",
        };
        let place = root.resource(&pin.label).or_else(|| root.call(&pin.label));
        for position in place.map_or(vec!["root"], |(module, _)| positions(root, module)) {
            out.insert((what, position));
            if pin.fields.len() > 1 {
                out.insert(("pin of two fields", position));
            }
        }
    }
    for (what, is) in [
        ("edited in place", root.edit_in_place),
        ("keep = false", root.not_kept),
        ("form factor on", root.factor),
    ] {
        if is {
            out.insert((what, "root"));
        }
    }
    out
}

fn positions(root: &Root, module: &str) -> Vec<&'static str> {
    if module.is_empty() {
        return vec!["root"];
    }
    let mut out = BTreeSet::new();
    for (caller, body) in &root.modules {
        for call in body.calls.iter().filter(|c| c.modules().any(|m| m == module)) {
            if call.other.is_some() {
                out.insert("chosen module");
            }
            out.insert(match (caller.is_empty(), &call.repeat) {
                (false, _) => "nested module",
                (true, Repeat::One) => "module",
                (true, _) => "repeated module",
            });
        }
    }
    out.into_iter().collect()
}

fn of_repeat(repeat: &Repeat) -> &'static str {
    match repeat {
        Repeat::One => "single",
        Repeat::Count(..) => "count",
        Repeat::Each { sometimes: Some(_), .. } => "for_each, some keys sometimes",
        Repeat::Each { set: true, .. } => "for_each over a set",
        Repeat::Each { .. } => "for_each over a map",
    }
}

fn of_body(body: &Body) -> BTreeSet<&'static str> {
    let mut out = BTreeSet::new();
    for res in &body.resources {
        out.insert(of_repeat(&res.repeat));
        for (what, is) in [
            ("two fields", res.w.is_some()),
            ("triggers_replace", res.triggers.is_some() || res.tag_replaces),
            ("ignore_changes", res.ignore),
            ("prevent_destroy", res.protect.is_some()),
            ("prevent_destroy by key", res.protect.as_ref().is_some_and(|p| p.starts_with("each."))),
            ("create_before_destroy", res.create_first),
            ("fails in apply", res.trouble == Some(Trouble::Provisioner)),
            ("fails after apply", res.trouble == Some(Trouble::Postcondition)),
            ("served", res.served),
        ] {
            if is {
                out.insert(what);
            }
        }
    }
    for call in &body.calls {
        out.insert(match of_repeat(&call.repeat) {
            "single" => "call",
            "count" => "call with count",
            _ => "call with for_each",
        });
        if call.other.is_some() {
            out.insert("chosen source");
        }
    }
    for statement in &body.statements {
        out.insert(match statement {
            Statement::Moved(..) => "moved",
            Statement::Forgotten(_) => "removed",
        });
    }
    out
}
