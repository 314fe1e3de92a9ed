//! A unit that is renamed with `moved`: that run and every later one works. Its copies are named like copies of the
//! former name, and nothing is made of that.

use super::twin::{Mode, Twin};
use super::{CALL, CALLED, DEV, PIN, PROD, SINGLE, every_mode, goes_on, moved, while_pinned};

fn single(mode: Mode, args: &[&str]) -> Twin {
    Twin::applied(mode, &[SINGLE, PIN], args)
}

fn rename(twin: &Twin, from: &str, to: &str) {
    twin.edit(
        "main.tf",
        &format!("\"terraform_data\" \"{from}\" {{"),
        &format!("\"terraform_data\" \"{to}\" {{"),
    );
    twin.append("main.tf", &moved(&format!("terraform_data.{from}"), &format!("terraform_data.{to}")));
}

fn a_resource(mode: Mode) {
    for args in [DEV, PROD] {
        let twin = single(mode, args);
        rename(&twin, "db", "db_main");
        twin.settles(DEV, "renamed");
        goes_on(&twin);
        twin.restore();
        twin.settles(DEV, "restored");
    }
}

/// A pin of that resource alone, renamed with it.
fn a_resource_and_its_pin(mode: Mode) {
    let pin = |name: &str| PIN.1.replace("\"terraform_data\"", &format!("\"terraform_data.{name}\""));
    let twin = Twin::applied(mode, &[SINGLE, ("phi.hcl", &pin("db"))], DEV);
    rename(&twin, "db", "db_main");
    if mode != Mode::Unpinned {
        twin.phi.write("phi.hcl", &pin("db_main"));
    }
    twin.settles(DEV, "renamed");
    goes_on(&twin);
}

/// What Terraform refuses of the original's moves stops the run, although the names of copies would hide it.
fn a_resource_that_is_declared_again(mode: Mode) {
    for name in ["db", "db_main"] {
        let twin = single(mode, DEV);
        rename(&twin, "db", "db_main");
        twin.settles(DEV, "renamed");
        twin.append("main.tf", &SINGLE.1.replace("variable \"env\" { default = \"dev\" }", ""));
        if name == "db" {
            twin.edit("main.tf", "\"terraform_data\" \"db_main\" {", "\"terraform_data\" \"other\" {");
        }
        let plain = twin.plain.terraform(&["plan", "-input=false", "-no-color"]).expect(1);
        assert!(plain.stderr.contains("Moved object still exists"), "{}", plain.stderr);
        let before = twin.phi.everything();
        let ran = twin.run("plan", DEV);
        assert_eq!(ran.code, 1, "{name}\n{}{}", ran.stdout, ran.stderr);
        for words in [
            "Moved object still exists",
            "--> main.tf:",
            "but is still declared",
            "Take out that `moved` block",
        ] {
            assert!(ran.stderr.contains(words), "{words} isn't in\n{}", ran.stderr);
        }
        assert_eq!(twin.phi.everything(), before, "something was written");
    }
}

fn a_resource_twice(mode: Mode) {
    let twin = single(mode, DEV);
    rename(&twin, "db", "db_main");
    twin.settles(DEV, "renamed");
    twin.step(PROD, "renamed, prod");
    rename(&twin, "db_main", "db_main_old");
    twin.settles(DEV, "renamed twice");
    goes_on(&twin);
}

/// Two names at once, before any run.
fn a_resource_twice_before_a_run(mode: Mode) {
    let twin = single(mode, DEV);
    rename(&twin, "db", "db_main");
    rename(&twin, "db_main", "db_v15");
    twin.settles(DEV, "renamed twice");
    goes_on(&twin);
}

fn a_resource_and_back(mode: Mode) {
    let twin = single(mode, DEV);
    rename(&twin, "db", "db_main");
    twin.settles(DEV, "renamed");
    twin.write("main.tf", &format!("{}{}", SINGLE.1, moved("terraform_data.db_main", "terraform_data.db")));
    twin.settles(PROD, "back");
    goes_on(&twin);
}

/// The `moved` block has done its work, and goes.
fn a_resource_and_the_block_goes(mode: Mode) {
    let twin = single(mode, DEV);
    rename(&twin, "db", "db_main");
    twin.settles(DEV, "renamed");
    twin.step(PROD, "renamed, prod");
    twin.edit("main.tf", &moved("terraform_data.db", "terraform_data.db_main"), "");
    twin.settles(DEV, "without the block");
    goes_on(&twin);
}

/// Another resource takes the name that became free.
fn another_takes_the_name(mode: Mode) {
    let twin = single(mode, DEV);
    rename(&twin, "db", "db_main");
    twin.settles(DEV, "renamed");
    twin.edit("main.tf", &moved("terraform_data.db", "terraform_data.db_main"), "");
    twin.append("main.tf", "\nresource \"terraform_data\" \"db\" {\n  input = { v = var.env == \"prod\" ? \"15.4\" : \"14.9\", tag = \"other\" }\n}\n");
    twin.settles(DEV, "another db");
    goes_on(&twin);
}

fn then_the_pin_goes(mode: Mode) {
    let twin = single(mode, DEV);
    rename(&twin, "db", "db_main");
    twin.settles(DEV, "renamed");
    twin.unpin();
    twin.settles(PROD, "without the pin");
    goes_on(&twin);
}

fn a_call(mode: Mode) {
    for args in [DEV, PROD] {
        let twin = Twin::applied(mode, &[CALL, CALLED, PIN], args);
        twin.edit("main.tf", "module \"db\"", "module \"db_main\"");
        twin.append("main.tf", &moved("module.db", "module.db_main"));
        twin.init();
        twin.settles(DEV, "renamed");
        goes_on(&twin);
    }
}

every_mode!(
    a_resource,
    a_resource_and_its_pin,
    a_resource_twice,
    a_resource_twice_before_a_run,
    a_resource_and_back,
    a_resource_and_the_block_goes,
    another_takes_the_name,
    then_the_pin_goes,
    a_call,
);

/// Nothing was ever applied, and a `moved` block tells of a key that there was.
fn from_a_key_before_the_first_apply(mode: Mode) {
    for (files, name) in [(&[SINGLE][..], "terraform_data.db"), (&[CALL, CALLED], "module.db")] {
        let main = format!("{}{}", files[0].1, moved(&format!("{name}[0]"), name));
        let twin = Twin::with(mode, &[&[("main.tf", main.as_str()), PIN], &files[1..]].concat());
        twin.step(DEV, "first");
        goes_on(&twin);
    }
}

while_pinned!(a_resource_that_is_declared_again, from_a_key_before_the_first_apply);

/// Two moves after one another: a key within a module that is renamed.
fn a_key_within_a_call(mode: Mode) {
    let called = "variable \"env\" {}\n\nresource \"terraform_data\" \"db\" {\n  for_each = toset([\"a\"])\n  input    = { \
                  v = var.env == \"prod\" ? \"15.4\" : \"14.9\", tag = \"db\" }\n}\n";
    let call = "variable \"env\" { default = \"dev\" }\n\nmodule \"db\" {\n  source = \"./db\"\n  env    = var.env\n}\n";
    let phi = "specialize \"terraform_data.db\" {\n  fields = [\"input.v\"]\n}\n";
    let twin = Twin::applied(mode, &[("main.tf", call), ("db/main.tf", called), ("phi.hcl", phi)], DEV);
    twin.edit("main.tf", "module \"db\"", "module \"db_main\"");
    twin.append("main.tf", &moved("module.db", "module.db_main"));
    twin.edit("db/main.tf", "[\"a\"]", "[\"b\"]");
    twin.append("db/main.tf", &moved("terraform_data.db[\"a\"]", "terraform_data.db[\"b\"]"));
    twin.init();
    twin.settles(DEV, "renamed, and the key");
    goes_on(&twin);
}

while_pinned!(a_key_within_a_call);
