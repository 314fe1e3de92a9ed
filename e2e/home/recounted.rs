//! `count` comes or goes in a module of which copies were applied, and then tf-phi goes: Terraform moves such a resource by itself only where
//! its module stays.

use super::chosen::{choose, started};
use super::{DEV, ENV, Mode, PROD, Twin, cases, moved, plain_is_right};

/// The module's call, and whether another call stands between.
const ONE: &str = "";
const KEYS: &str = "  for_each = toset([\"a\", \"b\"])\n";

fn resource(repeat: &str) -> String {
    let moved = if repeat == EACH {
        moved("terraform_data.db[0]", "terraform_data.db[\"a\"]")
    } else {
        String::new()
    };
    format!(
        "variable \"v\" {{}}\nvariable \"tag\" {{}}\nresource \"terraform_data\" \"db\" {{\n{repeat}  input = {{ v = var.v, tag = var.tag }}\n}}\n{moved}"
    )
}

/// No call between; else what its `count` or `for_each` is.
const NONE: Option<&str> = None;
const SINGLE: Option<&str> = Some("");
const COUNTED: Option<&str> = Some("  count = 1\n");
const KEYED: Option<&str> = Some("  for_each = toset([\"x\", \"y\"])\n");
/// Which run it is decides whether the one between is there.
const BY_RUN: Option<&str> = Some("  count = var.v == \"14.9\" ? 1 : 0\n");

/// The files of a case, with the form before, and which of them holds it.
fn files_of(call: &str, nested: Option<&str>, before: &str) -> (Vec<(&'static str, String)>, &'static str) {
    let tag = if call.is_empty() { "\"db\"" } else { "each.key" };
    let main = format!(
        "{ENV}module \"m\" {{\n  source = \"./m\"\n{call}  v      = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n  tag    = {tag}\n}}\n"
    );
    let between = format!(
        "variable \"v\" {{}}\nvariable \"tag\" {{}}\nmodule \"n\" {{\n  source = \"../n\"\n{}  v      = var.v\n  tag    = var.tag\n}}\n",
        nested.unwrap_or_default()
    );
    let inner = if nested.is_some() { "n/main.tf" } else { "m/main.tf" };
    let pin = "specialize \"module.m\" {\n  fields = [\"v\"]\n}\n".to_owned();
    let mut files = vec![("main.tf", main), (inner, resource(before)), ("phi.hcl", pin)];
    if nested.is_some() {
        files.push(("m/main.tf", between));
    }
    (files, inner)
}

/// The same as texts that a tree is made of.
fn borrow<'f>(files: &'f [(&'static str, String)]) -> Vec<(&'f str, &'f str)> {
    files.iter().map(|(path, text)| (*path, text.as_str())).collect()
}

/// From one form to another, and out.
fn recounted(call: &str, nested: Option<&str>, (before, after): (&str, &str)) {
    let (files, inner) = files_of(call, nested, before);
    let after = resource(after);
    for planned in [false, true] {
        let twin = Twin::applied(Mode::InPlace, &borrow(&files), DEV);
        twin.write(inner, &after);
        if planned {
            twin.run("plan", PROD);
        }
        twin.phi.tf_phi(&["leave"]).expect(0);
        for scratch in [&twin.phi, &twin.plain] {
            scratch.terraform(&["get"]).expect(0);
        }
        plain_is_right(&twin, DEV, &format!("{before} {after} {planned}"));
    }
}

cases! { recounted:
    comes(ONE, NONE, ("", "  count = 1\n")),
    goes(ONE, NONE, ("  count = 1\n", "")),
    comes_below(ONE, SINGLE, ("", "  count = 1\n")),
    goes_below(ONE, SINGLE, ("  count = 1\n", "")),
    comes_in_each(KEYS, NONE, ("", "  count = 1\n")),
    goes_in_each(KEYS, SINGLE, ("  count = 1\n", "")),
    comes_below_counted(ONE, COUNTED, ("", "  count = 1\n")),
    goes_below_counted_in_each(KEYS, COUNTED, ("  count = 1\n", "")),
    comes_below_keyed(ONE, KEYED, ("", "  count = 1\n")),
    goes_below_keyed_in_each(KEYS, KEYED, ("  count = 1\n", "")),
    comes_below_one_of_this_run(ONE, BY_RUN, ("", "  count = 1\n")),
    stays(ONE, SINGLE, ("  count = 1\n", "  count = 1\n")),
}

/// What leads from a specialised tree to the original's.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Leave,
    FixAndLeave,
    Restore,
    /// The edit comes after it.
    RestoreAndLeave,
}

/// The same where others than tf-phi apply the specialised tree, so that no run of it saw the state.
fn recounted_bare(call: &str, nested: Option<&str>, (before, after): (&str, &str)) {
    let (files, inner) = files_of(call, nested, before);
    for way in [Way::Leave, Way::FixAndLeave, Way::Restore, Way::RestoreAndLeave] {
        let twin = Twin::with(Mode::InPlace, &borrow(&files));
        twin.run("plan", DEV).expect(0);
        let apply = [&["apply", "-auto-approve", "-input=false"][..], DEV].concat();
        for scratch in [&twin.phi, &twin.plain] {
            scratch.terraform(&["get"]).expect(0);
            scratch.terraform(&apply).expect(0);
        }
        if way == Way::RestoreAndLeave {
            twin.phi.tf_phi(&["restore"]).expect(0);
        }
        for scratch in [&twin.phi, &twin.plain] {
            assert_eq!(scratch.read(inner), resource(before), "the original stands beside its copies");
            scratch.write(inner, &resource(after));
        }
        if way == Way::FixAndLeave {
            twin.phi.tf_phi(&["check", "--fix"]).expect(0);
        }
        let command = if way == Way::Restore { "restore" } else { "leave" };
        twin.phi.tf_phi(&[command]).expect(0);
        for scratch in [&twin.phi, &twin.plain] {
            scratch.terraform(&["get"]).expect(0);
        }
        plain_is_right(&twin, DEV, &format!("{before} {after} {way:?}"));
    }
}

cases! { recounted_bare:
    comes(ONE, NONE, ("", "  count = 1\n")),
    goes(ONE, NONE, ("  count = 1\n", "")),
    comes_below(ONE, SINGLE, ("", "  count = 1\n")),
    goes_in_each(KEYS, SINGLE, ("  count = 1\n", "")),
    comes_below_counted(ONE, COUNTED, ("", "  count = 1\n")),
    goes_below_keyed_in_each(KEYS, KEYED, ("  count = 1\n", "")),
    comes_below_one_of_this_run(ONE, BY_RUN, ("", "  count = 1\n")),
    stays(ONE, SINGLE, ("  count = 1\n", "  count = 1\n")),
}

const SIDES: &str = "var.env == \"prod\" ? \"./a\" : \"./b\"";

/// The same where a variable chooses the module's source. Of `a` and `b`, the forms before and after; where they then differ, one chain
/// can't be right beside both, and that is said.
fn beside_sources(nested: bool, before: [&str; 2], after: [&str; 2], is_named: bool) {
    let main = format!("{ENV}module \"m\" {{\n  source = {SIDES}\n  v      = 1\n  tag    = \"db\"\n}}\n");
    let between = |side: &str| {
        format!(
            "variable \"v\" {{}}\nvariable \"tag\" {{}}\nmodule \"n\" {{\n  source = \"../n{side}\"\n  v      = var.v\n  tag    = var.tag\n}}\n"
        )
    };
    let inner = |side: &str| if nested { format!("n{side}/main.tf") } else { format!("{side}/main.tf") };
    let sides = ["a", "b"];
    let mut files: Vec<(String, String)> =
        sides.iter().zip(before).map(|(side, form)| (inner(side), resource(form))).collect();
    if nested {
        files.extend(sides.iter().map(|side| (format!("{side}/main.tf"), between(side))));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    for applied in sides {
        let args = if applied == "a" { PROD } else { DEV };
        let twin = started(&main, &files, SIDES, applied);
        twin.step(args, "first");
        for (side, form) in sides.iter().zip(after) {
            twin.write(&inner(side), &resource(form));
        }
        let said = twin.phi.tf_phi(&["leave", "--dry-run"]);
        assert_eq!(
            said.code == 1 && said.stderr.contains("depends on the source"),
            is_named,
            "{}",
            said.stderr
        );
        choose(&twin, &main, SIDES, applied);
        twin.phi.write("main.tf", &main.replace(SIDES, &format!("\"./{applied}\"")));
        twin.phi.tf_phi(&["leave"]).expect(0);
        twin.phi.terraform(&["get"]).expect(0);
        plain_is_right(&twin, args, &format!("{before:?} {after:?}, {applied}"));
    }
}

const COUNT: &str = "  count = 1\n";
/// Beside it stands a `moved` block.
const EACH: &str = "  for_each = { a = 1 }\n";

cases! { beside_sources:
    comes(false, ["", ""], [COUNT, COUNT], false),
    goes(false, [COUNT, COUNT], ["", ""], false),
    comes_below(true, ["", ""], [COUNT, COUNT], false),
    goes_below(true, [COUNT, COUNT], ["", ""], false),
    stays(true, [COUNT, COUNT], [COUNT, COUNT], false),
    goes_in_one(false, [COUNT, COUNT], ["", COUNT], true),
    comes_in_one(true, ["", ""], ["", COUNT], true),
    keyed_by_a_block(false, [COUNT, COUNT], [EACH, EACH], false),
    keyed_in_one_by_a_block(false, [COUNT, COUNT], [EACH, COUNT], false),
    differed_and_goes(false, [COUNT, ""], ["", ""], false),
}
