//! Many root modules planned by the real Terraform: one report, one status, and the same side by side.

use crate::support::{Ran, Scratch};

const ROOT: &str = "variable \"env\" { type = string }\n\nmodule \"db\" {\n  source  = \"../../modules/db\"\n  \
    release = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n";
const MODULE: &str = "variable \"release\" { type = string }\n\nresource \"terraform_data\" \"app\" {\n  input = var.release\n}\n";
const PHI: &str = "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n";
const QUIET: &str = "locals {\n  x = 1\n}\n";
/// tf-phi plans it; Terraform stops.
const FAILS: &str = "resource \"terraform_data\" \"x\" {\n  lifecycle {\n    precondition {\n      condition     = var.env != \"prod\"\n      \
    error_message = \"not here\"\n    }\n  }\n}\n";

/// Two roots that change something, one that doesn't.
fn scratch() -> Scratch {
    let scratch = Scratch::with(&[
        ("live/a/main.tf", ROOT),
        ("live/a/phi.hcl", PHI),
        ("live/b/main.tf", ROOT),
        ("live/b/phi.hcl", PHI),
        ("live/quiet/main.tf", QUIET),
        ("modules/db/main.tf", MODULE),
    ]);
    for root in ["a", "b"] {
        scratch.terraform(&[&format!("-chdir=live/{root}"), "init", "-input=false", "-no-color"]).expect(0);
    }
    scratch
}

fn planned(scratch: &Scratch, words: &[&str]) -> Ran {
    scratch.tf_phi(&[&["plan", "-input=false", "-no-color"][..], words].concat())
}

/// The part of a root.
fn part<'r>(ran: &'r Ran, root: &str) -> &'r str {
    let head = format!("── live/{root}\n");
    let (_, rest) =
        ran.stdout.split_once(&head).unwrap_or_else(|| panic!("{head}{}{}", ran.stdout, ran.stderr));
    rest.split("── ").next().unwrap()
}

#[test]
fn the_status_is_that_of_all() {
    let scratch = scratch();
    let both = ["live/a", "live/b", "-var=env=prod", "-detailed-exitcode"];
    let one_by_one = planned(&scratch, &both).expect(2);
    assert!(
        part(&one_by_one, "a").contains("Plan: 1 to add")
            && part(&one_by_one, "b").contains("Plan: 1 to add")
    );
    assert!(part(&one_by_one, "b").contains("module.db_v15_4[0].terraform_data.app will be created"));
    // Side by side each says the same, in the same order.
    let together = planned(&scratch, &[&both[..], &["--jobs=2"]].concat()).expect(2);
    assert_eq!(together.stdout, one_by_one.stdout, "{}", together.stderr);
    assert_eq!(planned(&scratch, &["live/quiet", "live/quiet/.", "-detailed-exitcode", "--jobs=2"]).code, 0);
    assert_eq!(
        planned(&scratch, &["live/a", "live/quiet", "--jobs=2", "-var=env=prod"]).code,
        1,
        "no such variable"
    );
    // Nothing changes where both are applied.
    for root in ["a", "b"] {
        let dir = format!("-chdir=live/{root}");
        scratch
            .tf_phi(&[&dir, "apply", "-input=false", "-no-color", "-auto-approve", "-var=env=prod"])
            .expect(0);
    }
    let still = planned(&scratch, &[&both[..], &["--jobs=2"]].concat()).expect(0);
    assert_eq!(still.stdout.matches("No changes.").count(), 2, "{}", still.stdout);
    assert!(still.stderr.contains("tf-phi: 2 of 2 directories planned."), "{}", still.stderr);
    // An object moves in one of them, and nothing is destroyed.
    let moved = planned(&scratch, &["live/a", "live/b", "-var=env=dev", "--jobs=2"]).expect(0);
    assert_eq!(moved.stdout.matches("0 to add, 1 to change, 0 to destroy").count(), 2, "{}", moved.stdout);
}

#[test]
fn one_that_fails_keeps_no_other_from_its_plan() {
    let scratch = scratch();
    scratch.write("live/a/fails.tf", FAILS);
    for mode in [&[][..], &["--jobs=3"]] {
        let words = [&["--recursive", "live", "-var=env=prod", "-detailed-exitcode"], mode].concat();
        // The third takes no such variable.
        let ran = planned(&scratch, &words).expect(1);
        assert!(part(&ran, "b").contains("Plan: 1 to add"), "{}", ran.stdout);
        assert!(
            ran.stderr.contains("Invalid function argument") || ran.stderr.contains("Error"),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("1 of 3 directories planned. Not planned: live/a (1), live/quiet (1)."),
            "{}",
            ran.stderr
        );
    }
}

/// What has no value is asked for by nobody.
#[test]
fn nobody_is_asked_side_by_side() {
    let scratch = scratch();
    let plain = "variable \"name\" { type = string }\noutput \"o\" {\n  value = var.name\n}\n";
    scratch.write("live/a/main.tf", plain);
    std::fs::remove_file(scratch.dir().join("live/a/phi.hcl")).unwrap();
    let ran = scratch.tf_phi(&["plan", "live/a", "live/quiet", "--jobs=2", "-no-color"]).expect(1);
    assert!(ran.stderr.contains("No value for required variable"), "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.stdout.contains("Enter a value"), "{}", ran.stdout);
    assert!(part(&ran, "quiet").contains("No changes."), "{}", ran.stdout);
}
