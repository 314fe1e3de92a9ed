//! Applies that fail halfway. They leave husks in state: resources without instances, which `terraform state list` doesn't
//! show, and which are in the way of moves all the same.

use super::twin::{Mode, Twin};
use super::{CALL, CALLED, DEV, KEYS, PIN, PROD, SINGLE, every_mode, goes_on};

/// Fails where it is told to.
const FIRST: &str = r#"
variable "fail" { default = 0 }

resource "terraform_data" "first" {
  input            = { tag = "first" }
  triggers_replace = var.fail

  provisioner "local-exec" {
    command = "exit ${var.fail}"
  }
}
"#;

const COUNTED: (&str, &str) = (
    "main.tf",
    r#"variable "env" { default = "dev" }

resource "terraform_data" "db" {
  count = 2
  input = { v = var.env == "prod" ? "15.4" : "14.9", tag = "db ${count.index}" }
}
"#,
);

#[track_caller]
fn failed(mode: Mode, files: &[(&str, &str)], args: &[&str]) -> Twin {
    let main = format!("{}{FIRST}", files[0].1);
    let twin = Twin::with(mode, &[&[("main.tf", main.as_str()), PIN], &files[1..]].concat());
    twin.apply_fails(&[args, &["-var=fail=1"]].concat(), "an apply that fails");
    twin
}

fn there(twin: &Twin) -> bool {
    let state = twin.phi.terraform(&["state", "pull"]).expect(0).stdout;
    let state: serde_json::Value = serde_json::from_str(&state).unwrap();
    let empty = |r: &serde_json::Value| r["instances"].as_array().unwrap().is_empty();
    state["resources"].as_array().unwrap().iter().any(empty)
}

fn after_an_apply_that_failed(mode: Mode) {
    let mut husks = false;
    for files in [&[SINGLE][..], &[COUNTED], &[KEYS], &[CALL, CALLED]] {
        for (first, then) in [(DEV, DEV), (DEV, PROD), (PROD, DEV)] {
            let twin = failed(mode, files, first);
            husks |= there(&twin);
            twin.restore();
            twin.step(then, "after an apply that failed");
            goes_on(&twin);
        }
    }
    assert!(husks, "no apply left a husk");
}

fn after_a_flip_that_failed(mode: Mode) {
    for files in [&[SINGLE][..], &[COUNTED], &[CALL, CALLED]] {
        let twin = failed(mode, files, DEV);
        twin.apply_fails(&[PROD, &["-var=fail=2"]].concat(), "a flip that fails");
        twin.restore();
        twin.step(DEV, "back");
        goes_on(&twin);
    }
}

/// Where the user's own `moved` blocks lead, a husk stands.
fn in_the_way_of_a_rename(mode: Mode) {
    for files in [&[SINGLE][..], &[COUNTED]] {
        let twin = failed(mode, files, DEV);
        twin.edit("main.tf", "\"db\" {", "\"store\" {");
        twin.append("main.tf", &super::moved("terraform_data.db", "terraform_data.store"));
        twin.apply_fails(&[DEV, &["-var=fail=2"]].concat(), "renamed, and failed again");
        twin.step(PROD, "renamed");
        goes_on(&twin);
    }
}

every_mode!(after_an_apply_that_failed, after_a_flip_that_failed, in_the_way_of_a_rename);
