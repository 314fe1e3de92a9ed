//! Records that are lost, other checkouts, workspaces that stay behind, and plain Terraform over a specialised tree.

use std::fs;

use super::twin::{Mode, Twin};
use super::{
    CALL, CALL_KEYS, CALLED, CALLED_KEYS, DEV, KEYS, NESTED_CALLED, NESTED_KEYS, PIN, PROD, SINGLE,
    every_mode, goes_on, moved, while_pinned,
};
use crate::support::Ran;

/// Whatever tf-phi remembers goes.
pub fn forget(twin: &Twin) {
    let path = twin.phi.dir().join(".phi");
    if path.exists() {
        fs::remove_dir_all(path).unwrap();
    }
}

fn with_the_pin_still_there(mode: Mode) {
    for files in [&[SINGLE][..], &[CALL, CALLED], &[KEYS], &[CALL_KEYS, CALLED_KEYS]] {
        for args in [DEV, PROD] {
            let twin = Twin::applied(mode, &[files, &[PIN]].concat(), args);
            twin.restore();
            forget(&twin);
            twin.step(DEV, "without a record");
            goes_on(&twin);
        }
    }
}

fn with_the_pin_still_there_and_another_value(mode: Mode) {
    let twin = Twin::applied(mode, &[SINGLE, PIN], DEV);
    twin.edit("main.tf", "15.4", "16.1");
    forget(&twin);
    twin.step(DEV, "without a record");
    goes_on(&twin);
}

/// State holds what is named like a copy, and nothing else tells of it: a plan that is the twin's, or an issue with both
/// addresses, and nothing written.
#[track_caller]
fn right_or_asked(twin: &Twin, args: &[&str], held: &str, original: &str) {
    let before = twin.phi.everything();
    let ran = twin.run("plan", args);
    if ran.code == 0 {
        twin.compare(args, "without a record");
        return;
    }
    assert_eq!(ran.code, 1);
    assert_eq!(twin.phi.everything(), before, "refused, and yet something was written");
    assert!(ran.stderr.contains(held), "{held} is not named\n{}", ran.stderr);
    let whole = |(at, found): (usize, &str)| {
        let next = ran.stderr[at + found.len()..].chars().next();
        !next.is_some_and(|c| c.is_alphanumeric() || c == '_')
    };
    assert!(ran.stderr.match_indices(original).any(whole), "{original} is not named\n{}", ran.stderr);
}

fn with_the_pin_gone_too(mode: Mode) {
    for (files, held, original) in [
        (&[SINGLE][..], "terraform_data.db_v14_9[0]", "terraform_data.db"),
        (&[CALL, CALLED], "module.db_v14_9[0]", "module.db"),
        (&[KEYS], "terraform_data.db_v1[\"a\"]", "terraform_data.db"),
    ] {
        let twin = Twin::applied(mode, &[files, &[PIN]].concat(), DEV);
        twin.restore();
        forget(&twin);
        twin.unpin();
        for args in [DEV, PROD] {
            right_or_asked(&twin, args, held, original);
        }
    }
}

fn with_the_pin_gone_too_and_another_value(mode: Mode) {
    let twin = Twin::applied(mode, &[SINGLE, PIN], DEV);
    twin.edit("main.tf", "14.9", "13.1");
    forget(&twin);
    twin.unpin();
    right_or_asked(&twin, DEV, "terraform_data.db_v14_9[0]", "terraform_data.db");
}

fn git(twin: &Twin, args: &[&str]) -> Ran {
    let mut command = twin.phi.command(std::path::Path::new("git"));
    command.args(["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=trunk"]).args(args);
    Ran::of(&command.output().unwrap()).expect(0)
}

/// State that a checkout shares with others.
const SHARED: &str = "\nterraform {\n  backend \"local\" {\n    path = \"../shared.tfstate\"\n  }\n}\n";

/// What is committed in a new checkout, in the old one's place.
fn cloned(twin: &Twin) {
    twin.phi.write(".gitignore", ".terraform\n.terraform.lock.hcl\n*.tfstate*\n");
    git(twin, &["init", "-q"]);
    git(twin, &["add", "-A"]);
    git(twin, &["commit", "-q", "-m", "all of it"]);
    let clone = twin.phi.aside("clone");
    git(twin, &["clone", "-q", ".", clone.to_str().unwrap()]);
    fs::remove_dir_all(twin.phi.dir()).unwrap();
    fs::rename(clone, twin.phi.dir()).unwrap();
    twin.phi.init();
}

const ALL: [&[(&str, &str)]; 3] = [&[SINGLE], &[CALL, CALLED], &[KEYS]];

fn shared(mode: Mode, files: &[(&str, &str)]) -> Twin {
    let files = [files, &[PIN, ("backend.tf", SHARED)]].concat();
    Twin::applied(mode, &files, DEV)
}

fn in_a_fresh_clone(mode: Mode) {
    for files in ALL {
        let twin = shared(mode, files);
        cloned(&twin);
        twin.compare(DEV, "cloned, dev");
        goes_on(&twin);
    }
}

/// The clone is of the originals.
fn in_a_fresh_clone_of_what_was_restored(mode: Mode) {
    for files in ALL {
        let twin = shared(mode, files);
        twin.restore();
        cloned(&twin);
        twin.compare(DEV, "cloned, dev");
        goes_on(&twin);
    }
}

fn in_a_fresh_clone_the_pin_goes(mode: Mode) {
    for files in ALL {
        let twin = shared(mode, files);
        cloned(&twin);
        twin.unpin();
        twin.step(DEV, "cloned, without the pin");
    }
}

/// Somebody else renames it in the clone.
fn in_a_fresh_clone_a_rename(mode: Mode) {
    let twin = shared(mode, &[SINGLE]);
    cloned(&twin);
    twin.edit("main.tf", "\"db\" {", "\"db_main\" {");
    twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
    twin.step(DEV, "cloned and renamed");
    goes_on(&twin);
}

/// Two workspaces, both applied.
fn workspaces(mode: Mode, files: &[(&str, &str)]) -> Twin {
    let twin = Twin::applied(mode, &[files, &[PIN]].concat(), DEV);
    twin.both(&["workspace", "new", "behind"]);
    twin.step(PROD, "in the second workspace");
    twin.both(&["workspace", "select", "default"]);
    twin
}

fn a_workspace_stays_behind_while_the_pin_goes(mode: Mode) {
    for files in ALL {
        let twin = workspaces(mode, files);
        twin.unpin();
        twin.settles(DEV, "the first workspace");
        twin.both(&["workspace", "select", "behind"]);
        twin.settles(PROD, "the second workspace");
        twin.both(&["workspace", "select", "default"]);
        twin.settles(DEV, "the first workspace, again");
    }
}

fn a_workspace_stays_behind_while_values_change(mode: Mode) {
    let twin = workspaces(mode, &[SINGLE]);
    for (from, to) in [("15.4", "16.1"), ("16.1", "17.2")] {
        twin.edit("main.tf", from, to);
        twin.settles(PROD, to);
    }
    twin.unpin();
    twin.settles(DEV, "without the pin");
    twin.both(&["workspace", "select", "behind"]);
    twin.settles(PROD, "the second workspace");
}

fn a_workspace_stays_behind_while_it_is_renamed(mode: Mode) {
    let twin = workspaces(mode, &[SINGLE]);
    twin.edit("main.tf", "\"db\" {", "\"db_main\" {");
    twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
    twin.settles(DEV, "renamed");
    twin.step(PROD, "renamed and flipped");
    twin.both(&["workspace", "select", "behind"]);
    twin.settles(PROD, "the second workspace");
    goes_on(&twin);
}

fn a_workspace_stays_behind_while_keys_change(mode: Mode) {
    let twin = workspaces(mode, &[KEYS]);
    twin.edit("main.tf", "b = \"2\"", "b = \"1\"");
    twin.settles(DEV, "one value");
    twin.both(&["workspace", "select", "behind"]);
    twin.settles(DEV, "the second workspace");
}

every_mode!(
    in_a_fresh_clone_the_pin_goes,
    in_a_fresh_clone_a_rename,
    a_workspace_stays_behind_while_the_pin_goes,
    a_workspace_stays_behind_while_values_change,
    a_workspace_stays_behind_while_it_is_renamed,
    a_workspace_stays_behind_while_keys_change,
);
while_pinned!(
    with_the_pin_still_there,
    with_the_pin_still_there_and_another_value,
    with_the_pin_gone_too,
    with_the_pin_gone_too_and_another_value,
    in_a_fresh_clone,
    in_a_fresh_clone_of_what_was_restored,
);

// Plain Terraform over what was written for other variables: it stops, or does what the original does.

const CHOSEN_KEYS: (&str, &str) = (
    "main.tf",
    r#"variable "env" { default = "dev" }

resource "terraform_data" "db" {
  for_each = toset(["a", "b"])
  input    = { v = var.env == "prod" ? "9" : { a = "1", b = "2" }[each.key], tag = "db ${each.key}" }
}
"#,
);

#[test]
fn a_plain_plan_with_other_variables() {
    for files in [
        &[SINGLE][..],
        &[CALL, CALLED],
        &[KEYS],
        &[CALL_KEYS, CALLED_KEYS],
        &[NESTED_KEYS, NESTED_CALLED],
        &[CHOSEN_KEYS],
    ] {
        let twin = Twin::with(Mode::InPlace, &[files, &[PIN]].concat());
        for run in [DEV, PROD, DEV] {
            twin.step(run, "applied");
            assert!(!twin.plain_stops(run, files[0].1), "{}: stopped with the run's own", files[0].1);
            for other in [PROD, DEV] {
                twin.plain_stops(other, &format!("{}: after {run:?} with {other:?}", files[0].1));
            }
        }
    }
}

/// The run was for other variables than the last apply.
#[test]
fn a_plain_plan_after_a_plan_with_other_variables() {
    for files in [&[SINGLE][..], &[CALL, CALLED], &[KEYS], &[CHOSEN_KEYS]] {
        let twin = Twin::applied(Mode::InPlace, &[files, &[PIN]].concat(), DEV);
        for run in [PROD, DEV] {
            twin.compare(run, "planned");
            for other in [PROD, DEV] {
                twin.plain_stops(other, &format!("{}: after {run:?} with {other:?}", files[0].1));
            }
        }
    }
}

#[test]
fn a_plain_plan_after_a_rename() {
    for files in [&[SINGLE][..], &[KEYS], &[CHOSEN_KEYS]] {
        let twin = Twin::applied(Mode::InPlace, &[files, &[PIN]].concat(), DEV);
        twin.edit("main.tf", "\"db\" {", "\"db_main\" {");
        twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
        twin.compare(DEV, "planned");
        for other in [PROD, DEV] {
            twin.plain_stops(other, &format!("{}: renamed, with {other:?}", files[0].1));
        }
    }
}

/// The tree that `tf-phi plan` leaves without a pin brings state home under plain Terraform too.
#[test]
fn a_plain_plan_after_the_pin_went() {
    for files in [&[SINGLE][..], &[CALL, CALLED], &[KEYS], &[CHOSEN_KEYS]] {
        let twin = Twin::applied(Mode::InPlace, &[files, &[PIN]].concat(), DEV);
        twin.unpin();
        twin.compare(DEV, "planned");
        for other in [PROD, DEV] {
            twin.plain_stops(other, &format!("{}: without the pin, with {other:?}", files[0].1));
        }
    }
}

fn after_a_rename_with_moved(mode: Mode) {
    for (files, name, kind) in [
        (&[SINGLE][..], "terraform_data\" \"db\"", "terraform_data"),
        (&[CALL, CALLED], "module \"db\"", "module"),
    ] {
        let twin = Twin::applied(mode, &[files, &[PIN]].concat(), DEV);
        twin.edit("main.tf", name, &name.replace("db", "store"));
        twin.append("main.tf", &moved(&format!("{kind}.db"), &format!("{kind}.store")));
        forget(&twin);
        twin.init();
        twin.step(DEV, "renamed, without a record");
        goes_on(&twin);
    }
}

while_pinned!(after_a_rename_with_moved);

/// Given up by a `removed` block that names the original, and nothing tells whose the copies are.
fn given_up(mode: Mode) {
    let files = [CALL, CALLED, PIN];
    let twin = Twin::applied(mode, &files, DEV);
    let text = "variable \"env\" { default = \"dev\" }\n\nremoved {\n  from = module.db\n\n  lifecycle {\n    \
                destroy = false\n  }\n}\n";
    twin.write("main.tf", text);
    twin.unpin();
    forget(&twin);
    right_or_asked(&twin, DEV, "module.db_v14_9[0].terraform_data.db", "module.db.terraform_data.db");
    let copy = "--copy=module.db_v14_9[0].terraform_data.db=module.db.terraform_data.db";
    twin.phi.tf_phi(&["history", copy]).expect(0);
    twin.step(DEV, "as the issue says");
}

/// The module around a copy moves, and so does the copy's original.
fn within_a_module_that_is_renamed(mode: Mode) {
    let called = (
        "db/main.tf",
        "variable \"release\" {}\n\nvariable \"env\" {}\n\nresource \"terraform_data\" \"db\" {\n  input = { \
        v = var.env == \"prod\" ? \"15.4\" : \"14.9\", tag = \"db\" }\n}\n",
    );
    let call = "variable \"env\" { default = \"dev\" }\n\nmodule \"db\" {\n  source  = \"./db\"\n  release = \"1\"\n  env     = var.env\n}\n";
    let phi = ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input.v\"]\n}\n");
    let twin = Twin::applied(mode, &[("main.tf", call), called, phi], DEV);
    twin.edit("main.tf", "module \"db\" {", "module \"db\" {\n  count = 2");
    twin.append("main.tf", &moved("module.db", "module.db[0]"));
    twin.edit("db/main.tf", "{\n  input = {", "{\n  for_each = toset([\"a\"])\n  input = {");
    twin.append("db/main.tf", &moved("terraform_data.db", "terraform_data.db[\"a\"]"));
    twin.edit("db/main.tf", "tag = \"db\"", "tag = \"db\", n = 1");
    forget(&twin);
    twin.init();
    twin.step(DEV, "moved, without a record");
    goes_on(&twin);
}

while_pinned!(given_up, within_a_module_that_is_renamed);

/// Two values in one name, and nothing is pinned any more.
fn two_fields_and_the_pins_gone(mode: Mode) {
    let main = SINGLE.1.replace("tag =", "w = var.env == \"prod\" ? \"17.2\" : \"16.2\", tag =");
    let phi = "specialize \"terraform_data\" {\n  fields = [\"input.v\", \"input.w\"]\n}\n";
    let twin = Twin::applied(mode, &[("main.tf", main.as_str()), ("phi.hcl", phi)], DEV);
    twin.restore();
    forget(&twin);
    twin.unpin();
    for args in [DEV, PROD] {
        right_or_asked(&twin, args, "terraform_data.db_v14_9_v16_2[0]", "terraform_data.db");
    }
}

/// A set of values has a hash for a name, and state shows none.
fn a_list_and_the_pin_gone(mode: Mode) {
    let main = SINGLE.1.replace("\"15.4\" : \"14.9\"", "[\"a\"] : [\"b\", \"c\"]");
    let twin = Twin::applied(mode, &[("main.tf", main.as_str()), PIN], DEV);
    let held = twin.phi.terraform(&["state", "list"]).expect(0).stdout;
    twin.restore();
    forget(&twin);
    twin.unpin();
    right_or_asked(&twin, PROD, held.trim(), "terraform_data.db");
}

while_pinned!(two_fields_and_the_pins_gone, a_list_and_the_pin_gone);
