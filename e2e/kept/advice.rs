//! What tf-phi prints for people to paste: as printed, under plain Terraform, it destroys nothing.

use super::twin::{Mode, Twin, ended, ends_nothing, same};
use super::{
    CALL, CALL_KEYS, CALLED, CALLED_KEYS, DEV, KEYS, NESTED_CALLED, NESTED_KEYS, PIN, PROD, SINGLE, moved,
    while_pinned,
};
use crate::support::{Ran, Scratch};

/// The `moved` blocks in what was printed, as they were printed.
pub fn blocks(ran: &Ran) -> String {
    let mut found = String::new();
    let mut within = false;
    for line in ran.stderr.lines().chain(ran.stdout.lines()) {
        within |= line.trim_start().starts_with("moved {");
        if within {
            found.push_str(line);
            found.push('\n');
        }
        within &= line.trim() != "}";
    }
    found
}

/// The file that leads home.
const HOME: &str = "phi.moved.tf";

/// `restore`, and the blocks that it leaves.
#[track_caller]
fn printed(twin: &Twin) -> String {
    twin.phi.tf_phi(&["restore"]).expect(0);
    std::fs::read_to_string(twin.phi.dir().join(HOME)).unwrap_or_default()
}

/// The original with these blocks, planned by plain Terraform: what the twin plans. Applied, they may go.
#[track_caller]
fn pasted(twin: &Twin, blocks: &str, args: &[&str], what: &str) {
    assert!(!blocks.is_empty(), "{what}: restore leaves no blocks");
    twin.phi.write(HOME, blocks);
    let want = twin.plain.plan(args);
    let got = twin.phi.plan(args);
    same(&want, &got, &format!("{what}\n{blocks}"));
    twin.phi.apply(args);
    twin.plain.apply(args);
    std::fs::remove_file(twin.phi.dir().join(HOME)).unwrap();
    same(&twin.plain.plan(args), &twin.phi.plan(args), &format!("{what}, without the blocks"));
    hold_alike(twin, what);
}

/// Both states hold the same addresses.
#[track_caller]
pub fn hold_alike(twin: &Twin, what: &str) {
    let listed = |scratch: &Scratch| scratch.terraform(&["state", "list"]).expect(0).stdout;
    assert_eq!(listed(&twin.plain), listed(&twin.phi), "{what}");
}

#[track_caller]
fn as_printed(mode: Mode, files: &[(&str, &str)], runs: &[&[&str]]) {
    let twin = Twin::applied(mode, &[files, &[PIN]].concat(), DEV);
    for args in runs {
        twin.step(args, "on the way");
    }
    let blocks = printed(&twin);
    pasted(&twin, &blocks, DEV, "dev");
}

fn of_a_resource(mode: Mode) {
    as_printed(mode, &[SINGLE], &[]);
}

fn of_a_resource_after_a_flip(mode: Mode) {
    as_printed(mode, &[SINGLE], &[PROD]);
    as_printed(mode, &[SINGLE], &[PROD, DEV]);
}

fn of_a_call(mode: Mode) {
    as_printed(mode, &[CALL, CALLED], &[]);
    as_printed(mode, &[CALL, CALLED], &[PROD]);
}

fn of_keys_in_different_copies(mode: Mode) {
    as_printed(mode, &[KEYS], &[]);
}

fn of_keys_of_a_call_in_different_copies(mode: Mode) {
    as_printed(mode, &[CALL_KEYS, CALLED_KEYS], &[]);
}

fn of_keys_in_a_repeated_module(mode: Mode) {
    as_printed(mode, &[NESTED_KEYS, NESTED_CALLED], &[]);
}

fn of_three_values(mode: Mode) {
    let main = SINGLE.1.replace("\"14.9\"", "var.env == \"qa\" ? \"15.0\" : \"14.9\"");
    as_printed(mode, &[("main.tf", &main)], &[]);
    as_printed(mode, &[("main.tf", &main)], &[&["-var=env=qa"]]);
}

fn of_a_counted_resource(mode: Mode) {
    let main = SINGLE
        .1
        .replace("\"db\" {", "\"db\" {\n  count = 2")
        .replace("tag = \"db\"", "tag = \"db ${count.index}\"");
    as_printed(mode, &[("main.tf", &main)], &[PROD]);
}

/// Keys that were applied in the original first, so that state holds both kinds of addresses.
fn where_a_key_came_later(mode: Mode) {
    let twin = Twin::applied(mode, &[KEYS, PIN], &[]);
    twin.edit("main.tf", "[\"a\", \"b\"]", "[\"a\", \"b\", \"c\"]");
    twin.edit("main.tf", "b = \"2\"", "b = \"2\", c = \"2\"");
    twin.step(&[], "c comes");
    let blocks = printed(&twin);
    pasted(&twin, &blocks, &[], "three keys");
}

/// The flip's apply failed: state holds a copy that the value does not name.
fn where_an_apply_failed(mode: Mode) {
    let twin = Twin::applied(mode, &[SINGLE, PIN], DEV);
    twin.apply(&["-refresh-only", "-var=env=prod"], "refresh only");
    let blocks = printed(&twin);
    pasted(&twin, &blocks, DEV, "refreshed");
}

/// The second `restore` prints them again as long as state holds copies.
fn again_by_a_second_restore(mode: Mode) {
    for files in [&[SINGLE][..], &[KEYS], &[CALL, CALLED]] {
        let twin = Twin::applied(mode, &[files, &[PIN]].concat(), DEV);
        printed(&twin);
        let blocks = printed(&twin);
        pasted(&twin, &blocks, DEV, "the second time");
    }
}

/// They are printed without `phi.hcl` as well.
fn after_phi_hcl_is_gone(mode: Mode) {
    for files in [&[SINGLE][..], &[KEYS]] {
        let twin = Twin::applied(mode, &[files, &[PIN]].concat(), DEV);
        printed(&twin);
        twin.unpin();
        let blocks = printed(&twin);
        pasted(&twin, &blocks, DEV, "without phi.hcl");
    }
}

// Beside `moved` blocks of the user's own.

fn beside_a_rename(mode: Mode) {
    let twin = Twin::applied(mode, &[SINGLE, PIN], DEV);
    twin.edit("main.tf", "\"db\" {", "\"db_main\" {");
    twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
    twin.step(PROD, "renamed");
    let blocks = printed(&twin);
    pasted(&twin, &blocks, DEV, "renamed");
}

/// The state is the one of before the rename.
fn beside_a_rename_that_no_run_saw(mode: Mode) {
    for files in [&[SINGLE][..], &[KEYS]] {
        let twin = Twin::applied(mode, &[files, &[PIN]].concat(), DEV);
        let blocks = printed(&twin);
        twin.edit("main.tf", "\"db\" {", "\"db_main\" {");
        twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
        pasted(&twin, &blocks, DEV, "the blocks of before");
    }
}

/// State begins with the former name under plain Terraform; tf-phi comes with the rename.
fn beside_a_rename_into_the_split_resource(mode: Mode) {
    let old = SINGLE.1.replace("\"db\" {", "\"old\" {");
    let twin = Twin::with(mode, &[("main.tf", &old)]);
    twin.both(&["apply", "-auto-approve", "-input=false"]);
    twin.write("main.tf", &format!("{}{}", SINGLE.1, moved("terraform_data.old", "terraform_data.db")));
    twin.phi.write(PIN.0, PIN.1);
    twin.step(DEV, "renamed");
    let blocks = printed(&twin);
    pasted(&twin, &blocks, DEV, "renamed");
}

fn beside_a_move_into_a_key(mode: Mode) {
    let old = "variable \"env\" { default = \"dev\" }\n\nresource \"terraform_data\" \"one\" {\n  input = { v = \"1\", tag = \"db a\" }\n}\n";
    let twin = Twin::with(mode, &[("main.tf", old)]);
    twin.both(&["apply", "-auto-approve", "-input=false"]);
    twin.write("main.tf", &format!("{}{}", KEYS.1, moved("terraform_data.one", "terraform_data.db[\"a\"]")));
    twin.phi.write(PIN.0, PIN.1);
    twin.step(DEV, "a key");
    let blocks = printed(&twin);
    pasted(&twin, &blocks, DEV, "a key");
}

fn beside_a_rename_of_the_call(mode: Mode) {
    let twin = Twin::applied(mode, &[CALL, CALLED, PIN], DEV);
    twin.edit("main.tf", "module \"db\"", "module \"db_main\"");
    twin.append("main.tf", &moved("module.db", "module.db_main"));
    twin.init();
    twin.step(PROD, "renamed");
    let blocks = printed(&twin);
    twin.init();
    pasted(&twin, &blocks, DEV, "renamed");
}

fn beside_a_rename_within_the_call(mode: Mode) {
    let twin = Twin::applied(mode, &[CALL, CALLED, PIN], DEV);
    twin.edit("db/main.tf", "\"db\" {", "\"main\" {");
    twin.append("db/main.tf", &moved("terraform_data.db", "terraform_data.main"));
    let blocks = printed(&twin);
    if mode == Mode::Ephemeral {
        pasted(&twin, &blocks, DEV, "before a run");
    }
    let twin = Twin::applied(mode, &[CALL, CALLED, PIN], DEV);
    twin.edit("db/main.tf", "\"db\" {", "\"main\" {");
    twin.append("db/main.tf", &moved("terraform_data.db", "terraform_data.main"));
    twin.step(PROD, "renamed");
    let blocks = printed(&twin);
    pasted(&twin, &blocks, DEV, "after a run");
}

while_pinned!(
    of_a_resource,
    of_a_resource_after_a_flip,
    of_a_call,
    of_keys_in_different_copies,
    of_keys_of_a_call_in_different_copies,
    of_keys_in_a_repeated_module,
    of_three_values,
    of_a_counted_resource,
    where_a_key_came_later,
    where_an_apply_failed,
    again_by_a_second_restore,
    after_phi_hcl_is_gone,
    beside_a_rename,
    beside_a_rename_that_no_run_saw,
    beside_a_rename_into_the_split_resource,
    beside_a_move_into_a_key,
    beside_a_rename_of_the_call,
    beside_a_rename_within_the_call,
);

// Issues: two readings are possible, or the plan is the twin's. What the issue has to paste destroys nothing.

/// Blocks in an issue, each tried by itself in the original sources under plain Terraform and under tf-phi; and
/// `terraform apply`, where the issue names it.
#[track_caller]
fn right_or_harmless(twin: &Twin, args: &[&str], what: &str) {
    let before = twin.phi.everything();
    let ran = twin.run("plan", args);
    if ran.code == 0 {
        twin.compare(args, what);
        return;
    }
    assert_eq!(twin.phi.everything(), before, "{what}: refused, and yet something was written");
    let all = blocks(&ran);
    for block in all.split_inclusive("}\n") {
        let block = block.lines().map(|l| l.trim_start_matches(['│', ' '])).collect::<Vec<_>>().join("\n");
        let main = twin.phi.read("main.tf");
        twin.phi.write("main.tf", &format!("{main}\n{block}\n"));
        let file = twin.phi.aside("advised.out");
        let out = format!("-out={}", file.display());
        let plan = ["plan", "-input=false", "-no-color", &out];
        for (who, ran) in [
            ("tf-phi", twin.run("plan", &[&[out.as_str()][..], args].concat())),
            ("terraform", {
                twin.phi.tf_phi(&["restore"]).expect(0);
                twin.phi.terraform(&[&plan[..], args].concat())
            }),
        ] {
            let harmless = ran.code != 0 || ends_nothing(&twin.phi.show(&file));
            assert!(harmless, "{what}: {who} destroys after pasting\n{block}\n{}", ran.stdout);
        }
        twin.phi.write("main.tf", &main);
    }
    if ran.stderr.contains("terraform apply") {
        twin.phi.tf_phi(&["restore"]).expect(0);
        let (want, got) = (twin.plain.plan(args), twin.phi.plan(args));
        assert_eq!(ended(&want), ended(&got), "{what}: the command destroys\n{}", ran.stderr);
    }
}

fn own(name: &str) -> String {
    format!(
        "\nresource \"terraform_data\" \"{name}\" {{\n  count = 1\n  input = {{ v = \"mine\", tag = \"{name}\" }}\n}}\n"
    )
}

/// An object of somebody's own, named like a copy, beside what is to be split.
fn issued_for_what_is_named_like_a_copy(mode: Mode) {
    for name in ["db_backup", "db_v16_2", "db_v15_4"] {
        let twin = Twin::with(mode, &[("main.tf", &format!("{}{}", SINGLE.1, own(name)))]);
        twin.both(&["apply", "-auto-approve", "-input=false"]);
        twin.write("main.tf", SINGLE.1);
        twin.phi.write(PIN.0, PIN.1);
        for args in [DEV, PROD] {
            right_or_harmless(&twin, args, name);
        }
    }
}

/// The same where it is the only one.
fn issued_where_a_copy_is_to_stand(mode: Mode) {
    for name in ["db_backup", "db_v15_4", "db_v14_9"] {
        let twin = Twin::with(
            mode,
            &[("main.tf", &format!("variable \"env\" {{ default = \"dev\" }}\n{}", own(name)))],
        );
        twin.both(&["apply", "-auto-approve", "-input=false"]);
        twin.write("main.tf", SINGLE.1);
        twin.phi.write(PIN.0, PIN.1);
        for args in [DEV, PROD] {
            right_or_harmless(&twin, args, name);
        }
    }
}

/// After a rename whose record is lost.
fn issued_after_a_rename_and_a_lost_record(mode: Mode) {
    let twin = Twin::applied(mode, &[SINGLE, PIN], DEV);
    twin.edit("main.tf", "\"db\" {", "\"db_main\" {");
    twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
    twin.step(DEV, "renamed");
    twin.restore();
    super::lost::forget(&twin);
    for args in [DEV, PROD] {
        right_or_harmless(&twin, args, "lost");
    }
}

/// After a rename of which the record tells.
fn issued_after_a_rename(mode: Mode) {
    let twin = Twin::applied(mode, &[SINGLE, PIN], DEV);
    twin.edit("main.tf", "\"db\" {", "\"db_main\" {");
    twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
    twin.step(DEV, "renamed");
    for args in [DEV, PROD] {
        right_or_harmless(&twin, args, "renamed");
        twin.restore();
        right_or_harmless(&twin, args, "renamed and restored");
    }
}

/// State's value is not that of the copy's name.
fn issued_where_a_value_is_another(mode: Mode) {
    for lost in [false, true] {
        let twin = Twin::applied(mode, &[SINGLE, PIN], DEV);
        twin.apply(&["-refresh-only", "-var=env=prod"], "refresh only");
        twin.restore();
        if lost {
            super::lost::forget(&twin);
        }
        for args in [DEV, PROD] {
            right_or_harmless(&twin, args, "refreshed");
        }
    }
}

while_pinned!(
    issued_for_what_is_named_like_a_copy,
    issued_where_a_copy_is_to_stand,
    issued_after_a_rename_and_a_lost_record,
    issued_after_a_rename,
    issued_where_a_value_is_another,
);
