//! Sources of one call that differ in what Terraform moves: what leads home beside one of them needn't be right beside another.

use super::chosen::{choose, started};
use super::{DEV, ENV, PROD, Twin, cases, moved, plain_is_right};

const SIDES: &str = "var.env == \"prod\" ? \"./a\" : \"./b\"";
const PIN_ALL: &str = "specialize \"terraform_data\" {\n  fields = [\"input.v\"]\n}\n";
const SPLIT: &str = "var.env == \"prod\" ? 1 : 2";
const TIER: &str = "variable \"tier\" {\n  default = \"s\"\n}\n";

fn call() -> String {
    format!("{ENV}{TIER}module \"m\" {{\n  source = {SIDES}\n  tier   = var.tier\n}}\n")
}

/// A module with one pinned resource.
fn module(name: &str, repeated: &str, beside: &str) -> String {
    let tag = if repeated.contains("count") { "\"db ${count.index}\"" } else { "\"db\"" };
    format!(
        "variable \"tier\" {{}}\nresource \"terraform_data\" \"{name}\" {{\n{repeated}  input = {{ v = var.tier == \"l\" ? 1 : 2, tag = {tag} }}\n}}\n{beside}"
    )
}

/// The source is written out in both.
fn write_out(twin: &Twin, folder: &str) {
    choose(twin, &call(), SIDES, folder);
    twin.phi.write("main.tf", &call().replace(SIDES, &format!("\"./{folder}\"")));
    twin.phi.init();
}

/// Applied beside one source, then home. What isn't right beside both is named, and `leave` refuses it; once the source is written out, all
/// is right.
fn home_beside_one_source(a: &str, b: &str, applied: &[&str], is_named: bool) {
    let files = [("a/main.tf", a), ("b/main.tf", b), ("phi.hcl", PIN_ALL)];
    let sides = [(DEV, "b"), (PROD, "a")];
    let start = || {
        let twin = started(&call(), &files, SIDES, if applied == PROD { "a" } else { "b" });
        twin.step(applied, "first");
        let said = twin.phi.tf_phi(&["restore"]).expect(0).stderr;
        (twin, said)
    };
    let (twin, said) = start();
    let words = "the way home of module.m.terraform_data";
    assert_eq!(said.contains(words), is_named, "{said}");
    assert_eq!(twin.phi.read("phi.moved.tf").contains("But not beside every source of module.m"), is_named);
    let left = twin.phi.tf_phi(&["leave", "--dry-run"]);
    assert_eq!(left.code == 1 && left.stderr.contains("Code: held"), is_named, "{}", left.stderr);
    let mut all_right = true;
    for (args, folder) in sides {
        write_out(&twin, folder);
        let plan = || plain_is_right(&twin, args, &format!("{folder} after {applied:?}"));
        all_right &= std::panic::catch_unwind(std::panic::AssertUnwindSafe(plan)).is_ok();
    }
    // What is named may be of another state.
    assert!(all_right || is_named, "{said}");
    for (args, folder) in sides {
        let (twin, _) = start();
        write_out(&twin, folder);
        let said = twin.phi.tf_phi(&["restore"]).expect(0).stderr;
        assert!(!said.contains(words), "{said}");
        plain_is_right(&twin, args, &format!("{folder} written out after {applied:?}"));
        twin.phi.tf_phi(&["leave"]).expect(0);
        plain_is_right(&twin, args, &format!("left, {folder} after {applied:?}"));
    }
}

/// One source repeats the resource, the other doesn't.
fn repeated(count: &str, applied: &[&str], is_named: bool) {
    let (a, b) = (module("db", "", ""), module("db", count, ""));
    home_beside_one_source(&a, &b, applied, is_named);
}

cases! { repeated:
    twice("  count = 2\n", DEV, true),
    twice_from_the_single_one("  count = 2\n", PROD, true),
    once("  count = 1\n", DEV, true),
    once_from_the_single_one("  count = 1\n", PROD, true),
    nowhere("", DEV, false),
}

/// One source renames the resource.
fn renamed(count: &str, applied: &[&str], is_named: bool) {
    let old = module("old", count, "");
    let new = module("new", count, &moved("terraform_data.old", "terraform_data.new"));
    home_beside_one_source(&new, &old, applied, is_named);
}

cases! { renamed:
    from_the_old_name("", DEV, true),
    from_the_new_name("", PROD, true),
    from_the_old_name_with_keys("  count = 2\n", DEV, false),
    from_the_new_name_with_keys("  count = 2\n", PROD, false),
}

/// A source with a `moved` block is chosen no more, and the call has other keys: what Terraform replaces is replaced.
#[test]
fn a_renamed_copy_beside_the_other_source() {
    let main = |repeated: &str, v: &str, tag: &str, beside: &str| {
        format!(
            "{ENV}module \"m\" {{\n  source = {SIDES}\n  {repeated}\n  env = var.env\n  v = {v}\n  tag = {tag}\n}}\n{beside}"
        )
    };
    let inner = |name: &str, v: &str, beside: &str| {
        format!(
            "variable \"env\" {{}}\nvariable \"v\" {{}}\nvariable \"tag\" {{}}\nresource \"terraform_data\" \"{name}\" {{\n  input = {{ v = {v}, tag = var.tag }}\n}}\n{beside}"
        )
    };
    let new = inner("new", "var.v", &moved("terraform_data.old", "terraform_data.new"));
    let old = inner("old", SPLIT, "");
    let before =
        main("for_each = toset([\"a\", \"b\"])", "each.key == \"b\" ? \"16\" : \"15\"", "each.key", "");
    let after = main("count = 1", "\"15\"", "\"t${count.index}\"", &moved("module.m[\"a\"]", "module.m[0]"));
    let twin = started(
        &before,
        &[("a/main.tf", new.as_str()), ("b/main.tf", &old), ("phi.hcl", PIN_ALL)],
        SIDES,
        "a",
    );
    twin.step(PROD, "first");
    twin.restore();
    twin.phi.write("main.tf", &after);
    choose(&twin, &after, SIDES, "b");
    twin.step(DEV, "beside the other source");
}

/// What is led key by key doesn't come through the copy of a source with a `moved` block of its own, which could take it.
#[test]
fn keys_in_different_copies_beside_a_source_that_moves() {
    let main = format!("{ENV}module \"m\" {{\n  source = {SIDES}\n}}\n");
    let module = |repeat: &str, v: &str, tag: &str| {
        format!("resource \"terraform_data\" \"db\" {{\n{repeat}  input = {{ v = {v}, tag = {tag} }}\n}}\n")
    };
    let keys = "  for_each = { a = 1, b = 2 }\n";
    let (a, b) = (module(keys, "\"x\"", "each.key"), module(keys, "each.value", "each.key"));
    let files = [("a/main.tf", a.as_str()), ("b/main.tf", &b), ("phi.hcl", PIN_ALL)];
    let twin = started(&main, &files, SIDES, "b");
    twin.step(DEV, "first");
    twin.restore();
    twin.phi.write("phi.hcl", "settings {\n  keep = false\n}\n");
    let single = module("", "1", "\"a\"") + &moved("terraform_data.db[\"a\"]", "terraform_data.db");
    [&twin.phi, &twin.plain].iter().for_each(|side| side.write("b/main.tf", &single));
    choose(&twin, &main, SIDES, "a");
    twin.step(PROD, "beside the other source");
}
