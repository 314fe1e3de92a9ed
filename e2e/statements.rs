//! Blocks of the user's that name addresses (`moved`, `removed`, `import`, `check`) beside split units: what happens to
//! state is what the original's own plan does.

use crate::compare::{nothing_is_destroyed, same};
use crate::support::Scratch;
use crate::support::sample::sampled;

const DB: (&str, &str) = (
    "db/main.tf",
    "variable \"release\" {\n  type = string\n}\nresource \"terraform_data\" \"db\" {\n  input = var.release\n}\noutput \"release\" {\n  value = terraform_data.db.output\n}\n",
);
const PIN: (&str, &str) = ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n");
const ENVS: [&[&str]; 2] = [&["-var=env=prod"], &["-var=env=dev"]];
const CHOICE: &str = "var.env == \"prod\" ? \"15.4\" : \"14.9\"";

/// How the second text comes into the specialised tree.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Edit {
    /// After `tf-phi restore`, which takes the record away.
    Restored,
    /// After `tf-phi restore`, with the record's addresses kept as an ephemeral run keeps them.
    Ephemeral,
}

fn fresh(files: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::with(files);
    scratch.init();
    scratch
}

fn put(scratch: &Scratch, files: &[(&str, &str)]) {
    for (path, text) in files {
        scratch.write(path, text);
    }
    scratch.terraform(&["init", "-input=false", "-no-color"]).expect(0);
}

fn apply_both(original: &Scratch, specialised: &Scratch, args: &[&str], edit: Edit) {
    original.apply(args);
    apply(specialised, args, edit);
}

/// Applies the specialised form.
fn apply(specialised: &Scratch, args: &[&str], edit: Edit) {
    let ephemeral: &[&str] = if edit == Edit::Ephemeral { &["--ephemeral"] } else { &[] };
    let (_, file) = specialised.phi_plan(&[ephemeral, args].concat());
    specialised.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
    if edit == Edit::Restored {
        specialised.tf_phi(&["restore"]).expect(0);
    }
}

/// Applies the first tree under an assignment, in either form, and compares what the second one plans under each. One in three
/// pairs of an assignment and a form is tried, or with `TF_PHI_WHOLE` each.
fn carried(name: &str, before: &[(&str, &str)], after: &[(&str, &str)]) {
    let [prod, dev] = ENVS;
    let pairs =
        [(prod, Edit::Restored), (dev, Edit::Restored), (prod, Edit::Ephemeral), (dev, Edit::Ephemeral)];
    for (prior, edit) in sampled(pairs, 3, name) {
        let original = fresh(before);
        original.apply(prior);
        put(&original, after);
        let specialised = fresh(before);
        apply(&specialised, prior, edit);
        put(&specialised, after);
        for next in ENVS {
            let want = original.plan(next);
            let what = format!("{name}: {prior:?} → {next:?}, {edit:?}");
            nothing_is_destroyed(&want, &format!("{what}: the original itself"));
            let (plan, _) = specialised.phi_plan(next);
            nothing_is_destroyed(&plan, &what);
            same(&want, &plan, &specialised, &what);
        }
        specialised.tf_phi(&["verify", ENVS[1][0]]).expect(0);
        // What was written is taken back byte for byte.
        specialised.tf_phi(&["restore"]).expect(0);
        for (path, text) in after {
            assert_eq!(specialised.read(path), *text, "{name}");
        }
    }
}

fn call(name: &str, extra: &str) -> String {
    format!(
        "variable \"env\" {{ type = string }}\nmodule \"{name}\" {{\n  source  = \"./db\"\n{extra}  release = {CHOICE}\n}}\n"
    )
}

/// A plain module is renamed; the new name is split for the first time.
#[test]
fn a_moved_call_becomes_a_split_one() {
    let before = "variable \"env\" { type = string }\nmodule \"old\" {\n  source  = \"./db\"\n  release = \"15.4\"\n}\n";
    let after = format!("{}moved {{\n  from = module.old\n  to   = module.db\n}}\n", call("db", ""));
    carried("from a plain call", &[DB, ("main.tf", before), PIN], &[("main.tf", &after)]);
}

#[test]
fn a_split_call_is_renamed() {
    let after = format!("{}moved {{\n  from = module.old\n  to   = module.db\n}}\n", call("db", ""));
    carried("renamed", &[DB, ("main.tf", &call("old", "")), PIN], &[("main.tf", &after)]);
}

/// The block stands in JSON: it stays as it is, and the chain goes on from where it ends.
#[test]
fn a_split_unit_is_renamed_in_json() {
    let json =
        |from: &str, to: &str| format!("{{\"moved\": [{{\"from\": \"{from}\", \"to\": \"{to}\"}}]}}\n");
    let calls = json("module.old", "module.db");
    let after = [("main.tf", call("db", "")), ("moved.tf.json", calls)];
    let after = after.each_ref().map(|(path, text)| (*path, text.as_str()));
    carried("a call", &[DB, ("main.tf", &call("old", "")), PIN], &after);

    let resource = |name: &str, extra: &str| {
        format!(
            "variable \"env\" {{ type = string }}\nresource \"terraform_data\" \"{name}\" {{\n{extra}  input = {CHOICE}\n}}\n"
        )
    };
    let pin = ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n");
    let resources = json("terraform_data.old", "terraform_data.db");
    let after = [("main.tf", resource("db", "")), ("moved.tf.json", resources)];
    let after = after.each_ref().map(|(path, text)| (*path, text.as_str()));
    carried("a resource", &[("main.tf", &resource("old", "")), pin], &after);

    let each = "  for_each = toset([\"a\"])\n";
    let keyed = json("terraform_data.db", "terraform_data.db[\\\"a\\\"]");
    let after = [("main.tf", resource("db", each)), ("moved.tf.json", keyed)];
    let after = after.each_ref().map(|(path, text)| (*path, text.as_str()));
    carried("gets a for_each", &[("main.tf", &resource("db", "")), pin], &after);
}

#[test]
fn a_split_call_is_renamed_twice() {
    let after = format!(
        "{}moved {{\n  from = module.old\n  to   = module.mid\n}}\nmoved {{\n  from = module.mid\n  to   = module.db\n}}\n",
        call("db", "")
    );
    carried("renamed twice", &[DB, ("main.tf", &call("old", "")), PIN], &[("main.tf", &after)]);
}

#[test]
fn a_repeated_call_is_renamed() {
    let each = "  for_each = toset([\"a\", \"b\"])\n";
    let after = format!("{}moved {{\n  from = module.old\n  to   = module.db\n}}\n", call("db", each));
    carried("repeated", &[DB, ("main.tf", &call("old", each)), PIN], &[("main.tf", &after)]);
}

#[test]
fn a_call_gets_a_for_each() {
    let each = "  for_each = toset([\"a\", \"b\"])\n";
    let after = format!("{}moved {{\n  from = module.db\n  to   = module.db[\"a\"]\n}}\n", call("db", each));
    carried("for_each", &[DB, ("main.tf", &call("db", "")), PIN], &[("main.tf", &after)]);
    let count = "  count   = 2\n";
    let after = format!("{}moved {{\n  from = module.db\n  to   = module.db[0]\n}}\n", call("db", count));
    carried("count", &[DB, ("main.tf", &call("db", "")), PIN], &[("main.tf", &after)]);
}

#[test]
fn a_resource_within_a_split_call_is_renamed() {
    let old = "variable \"release\" {\n  type = string\n}\nresource \"terraform_data\" \"db\" {\n  input = var.release\n}\nresource \"terraform_data\" \"old\" {}\n";
    let new = old.replace("\"old\"", "\"new\"");
    let moved = "moved {\n  from = module.db.terraform_data.old\n  to   = module.db.terraform_data.new\n}\n";
    carried(
        "from the root",
        &[("db/main.tf", old), ("main.tf", &call("db", "")), PIN],
        &[("db/main.tf", &new), ("main.tf", &format!("{}\n# mine\n{moved}# after\n", call("db", "")))],
    );
    let inner = format!("{new}moved {{\n  from = terraform_data.old\n  to   = terraform_data.new\n}}\n");
    carried(
        "from within",
        &[("db/main.tf", old), ("main.tf", &call("db", "")), PIN],
        &[("db/main.tf", &inner)],
    );
    let outer = format!(
        "{}\nresource \"terraform_data\" \"out\" {{}}\nmoved {{\n  from = module.db.terraform_data.old\n  to   = terraform_data.out\n}}\n",
        call("db", "")
    );
    carried(
        "out of it",
        &[("db/main.tf", old), ("main.tf", &call("db", "")), PIN],
        &[("db/main.tf", &old.replace("resource \"terraform_data\" \"old\" {}\n", "")), ("main.tf", &outer)],
    );
    let before = format!("{}\nresource \"terraform_data\" \"out\" {{}}\n", call("db", ""));
    let into = format!(
        "{}moved {{\n  from = terraform_data.out\n  to   = module.db.terraform_data.old\n}}\n",
        call("db", "")
    );
    carried("into it", &[DB, ("main.tf", &before), PIN], &[("db/main.tf", old), ("main.tf", &into)]);
}

#[test]
fn a_split_resource_is_renamed() {
    let tree = |name: &str| {
        format!(
            "variable \"env\" {{ type = string }}\nresource \"terraform_data\" \"{name}\" {{\n  input = {CHOICE}\n}}\n"
        )
    };
    let pin = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let moved = "moved {\n  from = terraform_data.old\n  to   = terraform_data.db\n}\n";
    carried(
        "resource",
        &[("main.tf", &tree("old")), ("phi.hcl", pin)],
        &[("main.tf", &format!("{}{moved}", tree("db")))],
    );
}

#[test]
fn the_module_around_a_split_call_is_renamed() {
    let stack = format!(
        "variable \"env\" {{ type = string }}\nmodule \"db\" {{\n  source  = \"../db\"\n  release = {CHOICE}\n}}\n"
    );
    for (each, inner) in [("", ""), ("  for_each = toset([\"a\", \"b\"])\n", "[\"a\"]")] {
        let root = |name: &str| {
            format!(
                "variable \"env\" {{ type = string }}\nmodule \"{name}\" {{\n  source = \"./stack\"\n{each}  env = var.env\n}}\n"
            )
        };
        // The choice stands within the stack, so that is where the split is.
        let stack = stack.replace("var.env ==", "local.env ==")
            + "locals {\n  env = upper(var.env) == \"PROD\" ? \"prod\" : \"dev\"\n}\n";
        let after = format!("{}moved {{\n  from = module.old\n  to   = module.new\n}}\n", root("new"));
        carried(
            &format!("around {inner}"),
            &[DB, ("stack/main.tf", &stack), ("main.tf", &root("old")), PIN],
            &[("main.tf", &after)],
        );
    }
}

#[test]
fn what_is_removed_from_a_split_call() {
    let old = "variable \"release\" {\n  type = string\n}\nresource \"terraform_data\" \"db\" {\n  input = var.release\n}\nresource \"terraform_data\" \"old\" {}\n";
    let new = old.replace("resource \"terraform_data\" \"old\" {}\n", "");
    let removed =
        "removed {\n  from = module.db.terraform_data.old\n  lifecycle {\n    destroy = false\n  }\n}\n";
    for prior in ENVS {
        let before = [("db/main.tf", old), ("main.tf", &*call("db", "")), PIN];
        let (original, specialised) = (fresh(&before), fresh(&before));
        apply_both(&original, &specialised, prior, Edit::Ephemeral);
        let after = [("db/main.tf", &*new), ("main.tf", &*format!("{}{removed}", call("db", "")))];
        put(&original, &after);
        put(&specialised, &after);
        for next in ENVS {
            let (plan, _) = specialised.phi_plan(next);
            same(&original.plan(next), &plan, &specialised, &format!("{prior:?} → {next:?}"));
            assert!(plan.resource_changes.iter().any(|c| c.change.actions == ["forget"]));
        }
    }
}

#[test]
fn an_import_goes_to_the_active_copy() {
    let id = "  id = \"11111111-1111-1111-1111-111111111111\"\n}\n";
    let resource = format!(
        "variable \"env\" {{ type = string }}\nresource \"terraform_data\" \"db\" {{\n  input = {CHOICE}\n}}\n"
    );
    let each = "  for_each = toset([\"a\", \"b\"])\n";
    let chosen = call("db", each)
        .replace(CHOICE, "each.key == \"a\" ? \"15.4\" : var.env == \"prod\" ? \"15.4\" : \"14.9\"");
    for (name, files) in [
        ("call", [call("db", ""), format!("import {{\n  to = module.db.terraform_data.db\n{id}")]),
        ("resource", [resource, format!("import {{\n  to = terraform_data.db\n{id}")]),
        ("key", [call("db", each), format!("import {{\n  to = module.db[\"a\"].terraform_data.db\n{id}")]),
        (
            "key in the gate",
            [chosen.clone(), format!("import {{\n  to = module.db[\"b\"].terraform_data.db\n{id}")],
        ),
        (
            "for_each",
            [
                call("db", each),
                format!(
                    "import {{\n  for_each = toset([\"a\", \"b\"])\n  to = module.db[each.key].terraform_data.db\n{id}"
                ),
            ],
        ),
        (
            "for_each in the gate",
            [
                chosen,
                format!(
                    "import {{\n  for_each = {{ a = 1, b = 2 }}\n  to = module.db[each.key].terraform_data.db\n{id}"
                ),
            ],
        ),
    ] {
        let text = files.concat();
        let files = [DB, ("main.tf", &*text), PIN];
        let (original, specialised) = (fresh(&files), fresh(&files));
        for args in ENVS {
            let (plan, _) = specialised.phi_plan(args);
            same(&original.plan(args), &plan, &specialised, name);
            assert!(plan.resource_changes.iter().any(|c| c.change.importing.is_some()), "{name}");
            specialised.tf_phi(&["verify", args[0]]).expect(0);
            specialised.terraform(&["validate", "-no-color"]).expect(0);
        }
        apply_both(&original, &specialised, ENVS[0], Edit::Ephemeral);
        for args in ENVS {
            let (plan, _) = specialised.phi_plan(args);
            same(&original.plan(args), &plan, &specialised, &format!("{name}, imported before"));
            nothing_is_destroyed(&plan, name);
        }
        specialised.tf_phi(&["restore"]).expect(0);
        assert_eq!(specialised.read("main.tf"), text);
    }
}

/// A module whose own `moved` leads into or out of a call that is split in it.
#[test]
fn a_moved_block_in_the_module_that_splits() {
    let db = DB.1.to_owned() + "resource \"terraform_data\" \"old\" {}\n";
    let stack = format!(
        "variable \"env\" {{ type = string }}\nlocals {{\n  env = upper(var.env) == \"PROD\" ? \"prod\" : \"dev\"\n}}\nmodule \"db\" {{\n  source  = \"../db\"\n  release = {}\n}}\n",
        CHOICE.replace("var.env", "local.env")
    );
    let out = format!("{stack}resource \"terraform_data\" \"out\" {{}}\n");
    let moved =
        |from: &str, to: &str| format!("\n# mine\nmoved {{\n  from = {from}\n  to   = {to}\n}}\n# after\n");
    let (own, inner) = ("terraform_data.out", "module.db.terraform_data.old");
    let plain = "variable \"env\" { type = string }\nmodule \"stack\" {\n  source = \"./stack\"\n  env    = var.env\n}\n";
    let each = plain.replace("./stack\"\n", "./stack\"\n  for_each = toset([\"a\", \"b\"])\n");
    for (name, root) in [("plain", plain), ("each", &*each)] {
        carried(
            &format!("{name}, into it"),
            &[DB, ("stack/main.tf", &out), ("main.tf", root), PIN],
            &[("db/main.tf", &db), ("stack/main.tf", &format!("{stack}{}", moved(own, inner)))],
        );
        carried(
            &format!("{name}, out of it"),
            &[("db/main.tf", &db), ("stack/main.tf", &stack), ("main.tf", root), PIN],
            &[DB, ("stack/main.tf", &format!("{out}{}", moved(inner, own)))],
        );
    }
    // The module is split as well, by a choice of its own.
    let pin = format!("{}specialize \"terraform_data.size\" {{\n  fields = [\"input\"]\n}}\n", PIN.1);
    let sized =
        "variable \"size\" { type = string }\nresource \"terraform_data\" \"size\" { input = var.size }\n";
    let root = plain.replace("  env ", "  size   = var.env == \"prod\" ? \"big\" : \"small\"\n  env ");
    carried(
        "within a copy",
        &[DB, ("stack/main.tf", &format!("{sized}{out}")), ("main.tf", &root), ("phi.hcl", &pin)],
        &[("db/main.tf", &db), ("stack/main.tf", &format!("{sized}{stack}{}", moved(own, inner)))],
    );
}

/// Where no gate in the root can say to which copy an import goes, it is written per run.
#[test]
fn an_import_that_is_written_per_run() {
    let id = "  id = \"1111-${one([upper(\"a\")])}\" # which\n}\n";
    let stack = format!(
        "variable \"env\" {{ type = string }}\nlocals {{\n  env = upper(var.env) == \"PROD\" ? \"prod\" : \"dev\"\n}}\nmodule \"db\" {{\n  source  = \"../db\"\n  release = {}\n}}\n",
        CHOICE.replace("var.env", "local.env")
    );
    let sized =
        "variable \"size\" { type = string }\nresource \"terraform_data\" \"size\" { input = var.size }\n";
    let plain = "variable \"env\" { type = string }\nmodule \"stack\" {\n  source = \"./stack\"\n  env    = var.env\n}\n";
    let each = plain.replace("./stack\"\n", "./stack\"\n  for_each = toset([\"a\", \"b\"])\n");
    let both = plain.replace("  env ", "  size   = var.env == \"prod\" ? \"big\" : \"small\"\n  env ");
    let many =
        DB.1.replace("\"db\" {\n", "\"db\" {\n  for_each = toset([\"x\", \"y\"])\n")
            .replace(".output", "[\"x\"].output");
    let secret = call("db", "")
        .replace("type = string", "type = string\n  sensitive = true\n")
        .replace("{ type", "{\n  type");
    let pins = format!("{}specialize \"terraform_data.size\" {{\n  fields = [\"input\"]\n}}\n", PIN.1);
    for (name, db, stack, root, import) in [
        ("elsewhere", DB.1, stack.clone(), plain, "  to = module.stack.module.db.terraform_data.db\n"),
        (
            "with a key",
            DB.1,
            stack.clone(),
            &*each,
            "  to = module.stack[\"b\"].module.db.terraform_data.db\n",
        ),
        (
            "two units",
            DB.1,
            format!("{sized}{stack}"),
            &*both,
            "  to = module.stack.module.db.terraform_data.db\n",
        ),
        (
            "keys behind",
            &*many,
            stack.clone(),
            plain,
            "  for_each = toset([\"x\", \"y\"])\n  to = module.stack.module.db.terraform_data.db[each.key]\n",
        ),
        ("a secret", DB.1, String::new(), &*secret, "  to = module.db.terraform_data.db\n"),
    ] {
        let pin = if stack.starts_with(sized) { &*pins } else { PIN.1 };
        let text = format!("{root}import {{\n{import}{id}# end\n");
        let files = [("db/main.tf", db), ("stack/main.tf", &*stack), ("main.tf", &*text), ("phi.hcl", pin)];
        let (original, specialised) = (fresh(&files), fresh(&files));
        for args in ENVS {
            let (plan, _) = specialised.phi_plan(args);
            same(&original.plan(args), &plan, &specialised, name);
            assert!(plan.resource_changes.iter().any(|c| c.change.importing.is_some()), "{name}");
            specialised.tf_phi(&["verify", args[0]]).expect(0);
            specialised.terraform(&["validate", "-no-color"]).expect(0);
        }
        apply_both(&original, &specialised, ENVS[0], Edit::Ephemeral);
        for args in ENVS {
            let (plan, _) = specialised.phi_plan(args);
            same(&original.plan(args), &plan, &specialised, &format!("{name}, imported before"));
            nothing_is_destroyed(&plan, name);
        }
        specialised.tf_phi(&["restore"]).expect(0);
        assert_eq!(specialised.read("main.tf"), text);
    }
}
