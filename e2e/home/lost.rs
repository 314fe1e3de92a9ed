//! `.phi` and the way home are lost, and state shows no value of some field that a copy is named by: `prevent_destroy`, a `source`.

use super::chosen::started;
use super::{DEV, ENV, Mode, PROD, Twin, cases, commands, right_or_answered};
use crate::kept::lost::forget;

const PROTECT: &str = "variable \"protect\" {\n  type = bool\n}\n";

/// Nothing tells of the copies.
fn lose(twin: &Twin) {
    twin.restore();
    forget(twin);
    let _ = std::fs::remove_file(twin.phi.dir().join("phi.moved.tf"));
}

/// A resource whose copies are named by a pin and by `prevent_destroy`.
fn resource(name: &str, repeat: &str, tag: &str) -> String {
    format!(
        "resource \"terraform_data\" \"{name}\" {{\n  {repeat}\n  input = {{\n    v   = var.env == \"prod\" ? \"15.4\" : \
         \"14.9\"\n    tag = \"{tag}\"\n  }}\n  lifecycle {{\n    prevent_destroy = var.protect\n  }}\n}}\n"
    )
}

const DB: (&str, &str) = ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input.v\"]\n}\n");

const COUNT: &str = "count = 2";
const KEYS: &str = "for_each = toset([\"a\", \"b\"])";

fn tag(repeat: &str) -> &str {
    match repeat {
        COUNT => "db-${count.index}",
        KEYS => "db-${each.key}",
        _ => "db",
    }
}

/// Both, initialised. In the twin Terraform's own literals stand for `PROTECTED`.
fn begun(files: &[(&str, &str)], protected: &str) -> Twin {
    let plain: Vec<(&str, String)> = files
        .iter()
        .filter(|(path, _)| *path != "phi.hcl")
        .map(|(path, text)| {
            (*path, text.replace(&format!("prevent_destroy = {protected}"), "prevent_destroy = false"))
        })
        .collect();
    let plain: Vec<(&str, &str)> = plain.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let twin = Twin::beside(Mode::InPlace, files, &plain);
    twin.plain.init();
    twin.phi.tf_phi(&["init", "-input=false"]).expect(0);
    twin
}

/// The present decision writes these very names, and state has the copies' values: nobody is asked.
fn protected(repeat: &str, in_module: bool) {
    let main = format!("{ENV}{PROTECT}{}", resource("db", repeat, tag(repeat)));
    let call = format!(
        "{ENV}{PROTECT}module \"m\" {{\n  source  = \"./m\"\n  env     = var.env\n  protect = var.protect\n}}\n"
    );
    let twin = match in_module {
        true => begun(&[("main.tf", &call), ("m/main.tf", &main), DB], "var.protect"),
        false => begun(&[("main.tf", &main), DB], "var.protect"),
    };
    for args in [PROD, PROD, DEV, PROD] {
        twin.step(&unprotected(args), repeat);
        stays(&twin, &unprotected(args), repeat);
    }
}

fn unprotected<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [args, &["-var=protect=false"]].concat()
}

/// Once more after the loss: every object is at the name that a copy has, and none moves.
#[track_caller]
fn stays(twin: &Twin, args: &[&str], what: &str) {
    lose(twin);
    let (plan, _) = twin.phi.phi_plan(args);
    for change in &plan.resource_changes {
        assert_eq!(change.previous_address, None, "{what}: {} moves", change.address);
        assert_eq!(change.change.actions, ["no-op"], "{what}: {}", change.address);
    }
    lose(twin);
}

cases! { protected:
    single("", false),
    counted(COUNT, false),
    keyed(KEYS, false),
    single_within("", true),
    counted_within(COUNT, true),
    keyed_within(KEYS, true),
}

/// Each key has a copy of its own, and nothing of what names it is in state.
fn protected_by_key(key: &str) {
    let main = format!(
        "{ENV}resource \"terraform_data\" \"db\" {{\n  {KEYS}\n  input = {{ tag = each.key, env = var.env }}\n  lifecycle {{\n    \
         prevent_destroy = each.key == \"{key}\"\n  }}\n}}\n"
    );
    let twin = begun(&[("main.tf", &main)], &format!("each.key == \"{key}\""));
    for args in [PROD, DEV, DEV] {
        twin.step(args, key);
        stays(&twin, args, key);
    }
}

cases! { protected_by_key:
    first("a"),
    second("b"),
}

/// A module that is declared no longer, and a `moved` block that leads out of it. What is in state is named like a copy of what the block names.
fn moved_out_of_a_module_that_goes(repeat: &str) {
    let call = "module \"m\" {\n  source = \"./m\"\n  env    = var.env\n}\n";
    let resource = format!(
        "resource \"terraform_data\" \"db\" {{\n  {repeat}\n  input = {{\n    v   = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n    tag = \
         \"{}\"\n  }}\n}}\n",
        tag(repeat)
    );
    let (main, module) = (format!("{ENV}{call}"), format!("{ENV}{resource}"));
    let twin = begun(&[("main.tf", &main), ("m/main.tf", &module), DB], "var.protect");
    twin.step(PROD, repeat);
    lose(&twin);
    let moved = "moved {\n  from = module.m.terraform_data.db\n  to   = terraform_data.db\n}\n";
    twin.edit("main.tf", call, &format!("{resource}{moved}"));
    right_or_answered(&twin, PROD, repeat);
}

cases! { moved_out_of_a_module_that_goes:
    single_moved_out(""),
    counted_moved_out(COUNT),
    keyed_moved_out(KEYS),
}

const SIDES: &str = "var.env == \"prod\" ? \"./a\" : \"./b\"";

/// Which source was chosen is not in state either. What is beside it tells, or the printed answers lead out.
fn within_a_chosen_source(repeat: &str, repeat_inside: &str, inside: &str) {
    let main = format!("{ENV}module \"m\" {{\n  source = {SIDES}\n  {repeat}\n  env = var.env\n}}\n");
    let own = if repeat.is_empty() { "m" } else { "db" };
    let module = format!(
        "{ENV}resource \"terraform_data\" \"db\" {{\n  {repeat_inside}\n  input = {{\n    v   = {inside}\n    tag = \"{}\"\n  \
         }}\n}}\n",
        tag(repeat_inside).replace("db", own)
    );
    let files = [("a/main.tf", module.as_str()), ("b/main.tf", module.as_str()), DB];
    let twin = started(&main, &files, SIDES, "b");
    for args in [DEV, DEV] {
        right_or_answered(&twin, args, repeat_inside);
        lose(&twin);
    }
}

const CHOICE: &str = "var.env == \"prod\" ? \"15.4\" : \"14.9\"";

cases! { within_a_chosen_source:
    pinned("", "", CHOICE),
    pinned_and_counted("", COUNT, CHOICE),
    pinned_and_keyed("", KEYS, CHOICE),
    counted("", COUNT, "1"),
    keyed("", KEYS, "1"),
    counted_call("count = 1", "", CHOICE),
    counted_twice("count = 1", COUNT, "1"),
}

/// The values are others by now. What the printed answers say is so: with `count`, a copy's keys are the original's own.
fn answered(repeat: &str) {
    let main = format!("{ENV}{PROTECT}{}", resource("db", repeat, tag(repeat)));
    let twin = begun(&[("main.tf", &main), DB], "var.protect");
    let args = unprotected(PROD);
    twin.step(&args, repeat);
    lose(&twin);
    twin.edit("main.tf", "15.4", "16.1");
    let ran = twin.run("plan", &args).stderr;
    if repeat == COUNT {
        assert!(!ran.contains("=terraform_data.db\n") && ran.contains("=terraform_data.db[0]"), "{ran}");
    }
    right_or_answered(&twin, &args, repeat);
    twin.settles(&unprotected(DEV), repeat);
}

cases! { answered:
    single(""),
    counted(COUNT),
    counted_once("count = 1"),
    keyed(KEYS),
}

/// A resource in a copy of a module is taken out while nothing tells of the copy: it goes, as without tf-phi, and nobody is asked.
fn dropped_within_a_copy(repeat: &str) {
    let main = format!(
        "{ENV}{PROTECT}module \"m\" {{\n  source  = \"./m\"\n  {repeat}\n  v       = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n  \
         protect = var.protect\n}}\n"
    );
    let kept = "variable \"v\" {}\nvariable \"protect\" {}\nresource \"terraform_data\" \"kept\" {\n  input = { v = var.v, tag = \"kept\" }\n}\n";
    let gone = resource("gone", "", "gone").replace("var.env == \"prod\" ? \"15.4\" : \"14.9\"", "var.v");
    let both = format!("{kept}{gone}");
    let pins = "specialize \"module.m\" {\n  fields = [\"v\"]\n}\nspecialize \"terraform_data\" {\n  fields = [\"input.v\"]\n}\n";
    let twin = begun(&[("main.tf", &main), ("m/main.tf", &both), ("phi.hcl", pins)], "var.protect");
    let args = unprotected(PROD);
    twin.step(&args, repeat);
    lose(&twin);
    twin.write("m/main.tf", kept);
    twin.settles(&args, repeat);
}

cases! { dropped_within_a_copy:
    single(""),
    counted("count = 1"),
}

/// The call is repeated by now, and its values are others: what stood there before it was is among the answers.
#[test]
fn repeated_since() {
    let call = |repeat: &str| {
        format!(
            "{ENV}module \"m\" {{\n  source = \"./m\"\n  {repeat}\n  v      = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}}\n"
        )
    };
    let inner =
        "variable \"v\" {}\nresource \"terraform_data\" \"db\" {\n  input = { v = var.v, tag = \"db\" }\n}\n";
    let pin = ("phi.hcl", "specialize \"module.m\" {\n  fields = [\"v\"]\n}\n");
    let twin = begun(&[("main.tf", &call("")), ("m/main.tf", inner), pin], "");
    twin.step(PROD, "first");
    lose(&twin);
    twin.write("main.tf", &call("for_each = toset([\"a\"])"));
    let ran = twin.run("plan", PROD);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let answers = commands(&ran, "tf-phi history --copy");
    let is_true =
        |answer: &&Vec<String>| answer.iter().any(|word| word.ends_with("=module.m.terraform_data.db"));
    let answer: Vec<&str> = answers.iter().find(is_true).unwrap().iter().map(String::as_str).collect();
    twin.phi.tf_phi(&answer).expect(0);
    twin.settles(PROD, "answered");
}
