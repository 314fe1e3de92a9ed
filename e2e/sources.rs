//! Calls whose source is chosen, with driven fields behind them: values and state, against the original with the source
//! of the assignment written out, since Terraform takes no expression there.

use std::fs;

use crate::compare::{nothing_is_destroyed, same};
use crate::support::Scratch;
use crate::support::sample::sampled;

const STATE: &str = "terraform.tfstate";

/// Source and `-var` arguments of each assignment.
type Assignments<'a> = &'a [(&'a str, &'a [&'a str])];

/// The original as Terraform takes it under an assignment.
fn settle(original: &Scratch, chosen: &str, source: &str) {
    let text = original.read("main.tf");
    let line = text.lines().find(|l| l.trim_start().starts_with("source = ")).unwrap();
    original.write("main.tf", &text.replace(line, &format!("  source = \"{source}\"")));
    assert!(chosen.is_empty() || text.contains(chosen));
    original.init();
}

fn every_pair(folder: &str, assignments: Assignments<'_>) {
    for (from, prior) in sampled(assignments, 3, folder) {
        let original = Scratch::copy_of(folder);
        settle(&original, "source = \"./${var.kind}\"", from);
        let specialised = Scratch::copy_of(folder);
        // Terraform can't initialise what it doesn't take, so the first run ends with a call for `init`.
        specialised.tf_phi(&[&["plan", "-input=false", "-no-color"][..], prior].concat());
        specialised.init();
        original.apply(prior);
        fs::copy(original.dir().join(STATE), specialised.dir().join(STATE)).unwrap();
        for started in ["original", "specialised"] {
            if started == "specialised" {
                // The move alone: no value changes.
                let (_, file) = specialised.phi_plan(prior);
                specialised
                    .terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()])
                    .expect(0);
            }
            for (source, args) in assignments {
                let what = format!("{started} applied with {prior:?} → {args:?}");
                settle(&original, "", source);
                let want = original.plan(args);
                let (plan, _) = specialised.phi_plan(args);
                same(&want, &plan, &specialised, &what);
                if source == from {
                    nothing_is_destroyed(&plan, &what);
                }
            }
        }
    }
}

#[test]
fn fields_behind_a_chosen_source() {
    every_pair(
        "tests/golden/units/inside-chosen-source/in",
        &[
            ("./mysql", &["-var=kind=mysql", "-var=large=true"]),
            ("./mysql", &["-var=kind=mysql", "-var=large=false"]),
            ("./postgres", &["-var=kind=postgres", "-var=large=true"]),
            ("./postgres", &["-var=kind=postgres", "-var=large=false"]),
            ("./sqlite", &["-var=kind=sqlite", "-var=large=true"]),
        ],
    );
}

/// Terraform takes no `count` on a call of a module that configures providers, and there is nothing else to put a gate on.
#[test]
fn a_chosen_source_that_configures_providers() {
    let main = |source: &str| {
        format!("variable \"env\" {{ type = string }}\nmodule \"db\" {{\n  source = {source}\n}}\n")
    };
    let scratch = Scratch::with(&[
        ("main.tf", &main("\"./b\"").replace("  source", "  count = 1\n  source")),
        ("a/main.tf", "resource \"terraform_data\" \"db\" { input = \"a\" }\n"),
        ("b/main.tf", "module \"below\" { source = \"../c\" }\n"),
        ("c/main.tf", "provider \"terraform\" {\n  nothing = 1\n}\n"),
    ]);
    let ran = scratch.terraform(&["init", "-input=false", "-no-color"]).expect(1);
    assert!(ran.stderr.contains("Module is incompatible with count"), "{}", ran.stderr);
    scratch.write("main.tf", &main("var.env == \"prod\" ? \"./a\" : \"./b\""));
    let before = scratch.sources();
    let ran = scratch.tf_phi(&["plan", "-var=env=prod", "-no-color"]).expect(1);
    assert!(ran.stderr.contains("module.db.source can't be specialised"), "{}", ran.stderr);
    assert!(ran.stderr.contains("providers = {"), "{}", ran.stderr);
    assert_eq!(scratch.sources(), before);
}
