//! A `source` that a variable chooses, beside a twin in which it is written out.

use super::{DEV, ENV, Mode, PIN, PROD, Twin, cases, moved, right_or_answered};
use crate::kept::lost::forget;
use crate::kept::twin::ended;
use std::collections::BTreeSet;

/// Writes the source into the twin's call.
pub fn choose(twin: &Twin, main: &str, chosen: &str, source: &str) {
    assert!(main.contains(chosen));
    twin.plain.write("main.tf", &main.replace(chosen, &format!("\"./{source}\"")));
    twin.plain.init();
}

pub fn started(main: &str, files: &[(&str, &str)], chosen: &str, source: &str) -> Twin {
    let all = [&[("main.tf", main)][..], files].concat();
    let twin = Twin::beside(Mode::InPlace, &all, &[]);
    for (path, text) in files.iter().filter(|(path, _)| *path != "phi.hcl") {
        twin.plain.write(path, text);
    }
    choose(&twin, main, chosen, source);
    twin.phi.tf_phi(&["init", "-input=false"]).expect(0);
    twin
}

const STAGED: &str = "var.env == \"prod\" ? \"./v1\" : \"./v2\"";

/// Version 2 of a module renames its resource with `moved`; some runs still have version 1.
fn renamed_in_version_2(runs: &[&str]) {
    let main = format!("{ENV}module \"db\" {{\n  source = {STAGED}\n}}\n");
    let resource =
        |name: &str| format!("resource \"terraform_data\" \"{name}\" {{\n  input = {{ tag = \"db\" }}\n}}\n");
    let second = format!("{}{}", resource("main"), moved("terraform_data.db", "terraform_data.main"));
    let first = resource("db");
    let files = [("v1/main.tf", first.as_str()), ("v2/main.tf", second.as_str())];
    let twin = started(&main, &files, STAGED, "v1");
    for (at, env) in runs.iter().enumerate() {
        choose(&twin, &main, STAGED, if *env == "prod" { "v1" } else { "v2" });
        twin.step(&[&format!("-var=env={env}")], &format!("run {at}, {env}"));
    }
}

cases! { renamed_in_version_2:
    first_only(&["prod", "prod"]),
    second_only(&["dev", "dev"]),
    forth(&["prod", "dev", "dev"]),
    forth_and_back(&["prod", "dev", "prod"]),
    back_and_forth(&["dev", "prod", "dev", "prod"]),
}

/// The same where `.phi` and the way home are lost between two runs.
fn renamed_in_version_2_and_lost(runs: &[&str]) {
    let main = format!("{ENV}module \"db\" {{\n  source = {STAGED}\n}}\n");
    let resource =
        |name: &str| format!("resource \"terraform_data\" \"{name}\" {{\n  input = {{ tag = \"db\" }}\n}}\n");
    let second = format!("{}{}", resource("main"), moved("terraform_data.db", "terraform_data.main"));
    let first = resource("db");
    let files = [("v1/main.tf", first.as_str()), ("v2/main.tf", second.as_str())];
    let twin = started(&main, &files, STAGED, "v1");
    for (at, env) in runs.iter().enumerate() {
        choose(&twin, &main, STAGED, if *env == "prod" { "v1" } else { "v2" });
        right_or_answered(&twin, &[&format!("-var=env={env}")], &format!("run {at}, {env}"));
        twin.restore();
        forget(&twin);
        let _ = std::fs::remove_file(twin.phi.dir().join("phi.moved.tf"));
    }
}

cases! { renamed_in_version_2_and_lost:
    first_again(&["prod", "prod"]),
    second_again(&["dev", "dev"]),
    forth_in_between(&["prod", "dev", "dev"]),
    forth_and_back_in_between(&["prod", "dev", "prod"]),
    back_and_forth_in_between(&["dev", "prod", "dev"]),
}

const SIDES: &str = "var.env == \"prod\" ? \"./a\" : \"./b\"";

/// What is different from case to case after a lost record.
#[derive(Clone, Copy, Debug)]
struct Lost {
    env: &'static str,
    tier: &'static str,
    /// The large size gets another value.
    valued: bool,
    at_resource: bool,
    /// The resource's name in module `a`.
    name: &'static str,
}

/// `.phi` is deleted where `source` is chosen and a pin splits inside.
fn lost(case: Lost) {
    let main = format!(
        "{ENV}variable \"tier\" {{\n  default = \"l\"\n}}\nmodule \"m\" {{\n  source = {SIDES}\n  size = var.tier == \"l\" ? \"large\" : \"small\"\n}}\n"
    );
    let module = |name: &str| {
        format!(
            "variable \"size\" {{}}\nresource \"terraform_data\" \"{name}\" {{\n  input = {{ size = var.size, tag = \"db\" }}\n}}\n"
        )
    };
    let (a, b) = (module(case.name), module("db"));
    let at = if case.at_resource { "  at = \"resource\"\n" } else { "" };
    let pin = format!("specialize \"terraform_data.db\" {{\n  fields = [\"input.size\"]\n{at}}}\n");
    let files = [("a/main.tf", a.as_str()), ("b/main.tf", b.as_str()), ("phi.hcl", pin.as_str())];
    let twin = started(&main, &files, SIDES, "b");
    twin.step(DEV, "first");
    twin.restore();
    forget(&twin);
    let main = if case.valued { main.replace("\"large\"", "\"huge\"") } else { main };
    twin.phi.write("main.tf", &main);
    choose(&twin, &main, SIDES, if case.env == "prod" { "a" } else { "b" });
    let args = [format!("-var=env={}", case.env), format!("-var=tier={}", case.tier)];
    let args = args.each_ref().map(String::as_str);
    right_or_answered(&twin, &args, &format!("{case:?}"));
    twin.step(&args, "again");
}

/// One line for each case: environment, tier, whether there is another value, where it is split, the name in `a`.
macro_rules! losses {
    ($($name:ident $env:literal $tier:literal $valued:literal $at_resource:literal $resource:literal;)+) => {
        cases! { lost: $(
            $name(Lost { env: $env, tier: $tier, valued: $valued, at_resource: $at_resource, name: $resource }),
        )+ }
    };
}

losses! {
    dev_large "dev" "l" false false "db";
    dev_small "dev" "s" false false "db";
    prod_large "prod" "l" false false "db";
    prod_small "prod" "s" false false "db";
    dev_large_valued "dev" "l" true false "db";
    dev_small_valued "dev" "s" true false "db";
    prod_large_valued "prod" "l" true false "db";
    prod_small_valued "prod" "s" true false "db";
    dev_large_inside "dev" "l" false true "db";
    dev_small_inside "dev" "s" false true "db";
    prod_large_inside "prod" "l" false true "db";
    prod_small_inside "prod" "s" false true "db";
    dev_large_valued_inside "dev" "l" true true "db";
    prod_large_valued_inside "prod" "l" true true "db";
    dev_large_named "dev" "l" false false "main";
    dev_small_named "dev" "s" false false "main";
    prod_large_named "prod" "l" false false "main";
    prod_small_named "prod" "s" false false "main";
    dev_large_valued_named "dev" "l" true false "main";
    prod_large_valued_named "prod" "l" true false "main";
    prod_large_inside_named "prod" "l" false true "main";
    prod_small_valued_inside_named "prod" "s" true true "main";
}

/// Arguments with the original's addresses, where `source` is chosen and a pin is split in the other alternative.
fn named_by_the_original(first: &[&str], args: &[&str]) {
    let listed = |name: &str, default: &str, words: &str| {
        format!(
            "variable \"{name}\" {{\n  type = string\n  default = \"{default}\"\n  validation {{\n    condition = contains([{words}], var.{name})\n    error_message = \"x\"\n  }}\n}}\n"
        )
    };
    let main = format!(
        "{}{}module \"m\" {{\n  source = {SIDES}\n  release = var.env == \"prod\" ? (var.tier == \"l\" ? \"14\" : \"17\") : \"16\"\n}}\n",
        listed("env", "dev", "\"dev\", \"prod\""),
        listed("tier", "l", "\"s\", \"l\"")
    );
    let module = "variable \"release\" {}\nresource \"terraform_data\" \"db\" {\n  input = { v = var.release, tag = \"db\" }\n}\n";
    let files = [("a/main.tf", module), ("b/main.tf", module), PIN];
    let source = |args: &[&str]| if args.contains(&PROD[0]) { "a" } else { "b" };
    let twin = started(&main, &files, SIDES, source(first));
    twin.step(first, "first");
    choose(&twin, &main, SIDES, source(args));
    twin.step(args, "narrowed");
}

const REPLACE: &str = "-replace=module.m.terraform_data.db";
const TARGET: &str = "-target=module.m.terraform_data.db";

cases! { named_by_the_original:
    replace(&[], &[REPLACE]),
    replace_of_another_tier(&[], &["-var=tier=s", REPLACE]),
    replace_after_a_flip(&[], &["-var=env=prod", REPLACE]),
    replace_in_the_split_alternative(&["-var=env=prod"], &["-var=env=prod", REPLACE]),
    replace_after_another_choice(&["-var=env=prod"], &["-var=env=prod", "-var=tier=s", REPLACE]),
    destroy(&[], &["-destroy", TARGET]),
    destroy_in_the_split_alternative(&["-var=env=prod"], &["-var=env=prod", "-destroy", TARGET]),
    target(&[], &["-var=tier=s", TARGET]),
}

/// One version repeats its resource and the other doesn't, without a `moved` block: Terraform moves it by itself.
fn repeated_in_one_version(counted: &str, single: &str, runs: &[&str]) {
    let main = format!("{ENV}module \"db\" {{\n  source = {STAGED}\n}}\n");
    let resource = |count: &str| {
        format!("resource \"terraform_data\" \"db\" {{\n{count}  input = {{ tag = \"db\" }}\n}}\n")
    };
    let (first, second) = (resource(counted), resource(single));
    let files = [("v1/main.tf", first.as_str()), ("v2/main.tf", second.as_str())];
    let twin = started(&main, &files, STAGED, "v1");
    for (at, env) in runs.iter().enumerate() {
        choose(&twin, &main, STAGED, if *env == "prod" { "v1" } else { "v2" });
        twin.step(&[&format!("-var=env={env}")], &format!("run {at}, {env}"));
    }
}

cases! { repeated_in_one_version:
    a_count_goes_and_comes("  count = 1\n", "", &["prod", "dev", "prod"]),
    a_count_comes_and_goes("", "  count = 1\n", &["prod", "dev", "prod"]),
}

/// State that plain Terraform made, before `source` became a choice in which another source has `moved` blocks for what it holds.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    /// The call's `count` or `for_each`.
    repeated: &'static str,
    /// The call had another name, and a `moved` block of the user's leads from there.
    renamed: bool,
    /// A pin within the source that moves nothing.
    pinned: bool,
    /// The module with the `moved` block is called by the source.
    nested: bool,
    /// A third source moves on from where the second leads.
    third: bool,
    /// The first run has the old name still, so that copies of it are known.
    late: bool,
}

fn moved_in_the_other_source(case: Held) {
    let source = if case.third {
        "var.env == \"prod\" ? \"./b\" : var.env == \"stage\" ? \"./c\" : \"./a\""
    } else {
        "var.env == \"prod\" ? \"./b\" : \"./a\""
    };
    let call = |name: &str, source: &str| {
        format!("{ENV}module \"{name}\" {{\n  source = {source}\n{}  env    = var.env\n}}\n", case.repeated)
    };
    let resource = |name: &str| {
        format!(
            "variable \"env\" {{}}\nresource \"terraform_data\" \"{name}\" {{\n  input = {{ v = var.env == \"prod\" ? 1 : 2, tag = \"db\" }}\n}}\n"
        )
    };
    let (x, y, z) = ("terraform_data.x", "terraform_data.y", "terraform_data.z");
    let first = resource("x");
    let second = format!("{}{}", resource("y"), moved(x, y));
    let third = format!("{}{}{}", resource("z"), moved(x, y), moved(y, z));
    let inner = |folder: &str| {
        format!("variable \"env\" {{}}\nmodule \"in\" {{\n  source = \"{folder}\"\n  env    = var.env\n}}\n")
    };
    let outer = [inner("./first"), inner("./second"), inner("./third")];
    let main = call("m", source);
    let main = if case.renamed { format!("{main}{}", moved("module.old", "module.m")) } else { main };
    let pin = "specialize \"terraform_data.x\" {\n  fields = [\"input.v\"]\n}\n";
    let mut files = Vec::new();
    for (at, (folder, text)) in [("a", &first), ("b", &second), ("c", &third)].into_iter().enumerate() {
        let own = if case.nested { &outer[at] } else { text };
        files.push((format!("{folder}/main.tf"), own.clone()));
        if case.nested {
            let name = ["first", "second", "third"][at];
            files.push((format!("{folder}/{name}/main.tf"), text.clone()));
        }
    }
    if case.pinned {
        files.push(("phi.hcl".to_owned(), pin.to_owned()));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let start = call(if case.renamed { "old" } else { "m" }, "\"./a\"");
    let runs: &[&str] = if case.third { &["dev", "stage", "dev"] } else { &["dev", "prod", "dev"] };
    for first in runs.iter().take(2) {
        let twin = Twin::beside(Mode::InPlace, &[&[("main.tf", start.as_str())][..], &files].concat(), &[]);
        for (path, text) in files.iter().filter(|(path, _)| *path != "phi.hcl") {
            twin.plain.write(path, text);
        }
        for side in [&twin.plain, &twin.phi] {
            side.write("main.tf", &start);
            side.init();
            side.terraform(&["apply", "-auto-approve", "-input=false", "-no-color"]).expect(0);
        }
        if case.late {
            let old = call("old", source);
            twin.phi.write("main.tf", &old);
            choose(&twin, &old, source, if *first == "dev" { "a" } else { "b" });
            twin.step(&[&format!("-var=env={first}")], &format!("{case:?}, {first} under the old name"));
            twin.restore();
        }
        twin.phi.write("main.tf", &main);
        for (at, env) in runs.iter().skip_while(|env| env != &first).enumerate() {
            let folder = match *env {
                "prod" => "b",
                "stage" => "c",
                _ => "a",
            };
            choose(&twin, &main, source, folder);
            twin.step(&[&format!("-var=env={env}")], &format!("{case:?}, run {at} from {first}, {env}"));
        }
    }
}

const EACH: &str = "  for_each = toset([\"k\", \"l\"])\n";

cases! { moved_in_the_other_source:
    single(Held::default()),
    pinned(Held { pinned: true, ..Held::default() }),
    renamed(Held { renamed: true, ..Held::default() }),
    counted(Held { repeated: "  count = 2\n", ..Held::default() }),
    keyed(Held { repeated: EACH, ..Held::default() }),
    keyed_and_renamed(Held { repeated: EACH, renamed: true, pinned: true, ..Held::default() }),
    renamed_later(Held { renamed: true, late: true, ..Held::default() }),
    keyed_and_renamed_later(Held { repeated: EACH, renamed: true, late: true, pinned: true, ..Held::default() }),
    nested(Held { nested: true, ..Held::default() }),
    one_of_three(Held { third: true, ..Held::default() }),
    one_of_three_renamed(Held { third: true, renamed: true, ..Held::default() }),
}

/// Pins of what one source or the other declares, where `terraform.tfvars` says which source is taken.
#[test]
fn pins_of_both_sources_with_values_from_a_file() {
    let main = format!("{ENV}module \"m\" {{\n  source = {SIDES}\n  env    = var.env\n}}\n");
    let module = |name: &str| {
        format!(
            "variable \"env\" {{}}\nresource \"terraform_data\" \"{name}\" {{\n  input = {{ v = var.env == \"prod\" ? 1 : 2, tag = \"db\" }}\n}}\n"
        )
    };
    let second = format!("{}{}", module("y"), moved("terraform_data.x", "terraform_data.y"));
    let pins = "specialize \"module.m.terraform_data.x\" {\n  fields = [\"input.v\"]\n}\nspecialize \"terraform_data.y\" {\n  fields = [\"input.v\"]\n}\n";
    let first = module("x");
    let files = [("a/main.tf", second.as_str()), ("b/main.tf", first.as_str()), ("phi.hcl", pins)];
    let twin = started(&main, &files, SIDES, "b");
    for (env, source) in [("dev", "b"), ("prod", "a"), ("prod", "a")] {
        for side in [&twin.phi, &twin.plain] {
            side.write("terraform.tfvars", &format!("env = \"{env}\"\n"));
        }
        choose(&twin, &main, SIDES, source);
        let ran = twin.run("plan", &[]).expect(0);
        let is_warned = ran.stderr.contains("matches nothing in the sources that are read");
        // Beside the default, the file's value makes both sources possible.
        assert_eq!(is_warned, env == "dev", "{env}: {}", ran.stderr);
        twin.step(&[], env);
    }
}

/// A pinned resource that one source repeats and the other doesn't: its copies are named once and for all.
fn pinned_and_repeated_in_one_source(repeat: &str, into: Option<&str>, at: &str, runs: &[&str]) {
    let main = format!("{ENV}module \"m\" {{\n  source = {SIDES}\n  env    = var.env\n}}\n");
    let module = |repeat: &str, tag: &str| {
        format!(
            "variable \"env\" {{}}\nresource \"terraform_data\" \"db\" {{\n{repeat}  input = {{ v = var.env == \"prod\" ? 1 : 2, tag = {tag} }}\n}}\n"
        )
    };
    let tag = if repeat.contains("count") { "\"db ${count.index}\"" } else { "each.key" };
    let (single, mut repeated) = (module("", "\"db\""), module(repeat, tag));
    if let Some(key) = into {
        repeated += &moved("terraform_data.db", &format!("terraform_data.db{key}"));
    }
    let pin = format!("specialize \"terraform_data.db\" {{\n  fields = [\"input.v\"]\n{at}}}\n");
    let files = [("a/main.tf", single.as_str()), ("b/main.tf", repeated.as_str()), ("phi.hcl", &pin)];
    let twin = started(&main, &files, SIDES, "b");
    let mut written = None;
    for (at, env) in runs.iter().enumerate() {
        choose(&twin, &main, SIDES, if *env == "prod" { "a" } else { "b" });
        twin.step(&[&format!("-var=env={env}")], &format!("run {at}, {env}"));
        twin.phi.tf_phi(&["check"]).expect(0);
        let names: BTreeSet<String> = names_in_history(&twin);
        assert_eq!(*written.get_or_insert_with(|| names.clone()), names, "run {at}, {env}: names change");
    }
}

/// The addresses of copies that the history knows.
fn names_in_history(twin: &Twin) -> BTreeSet<String> {
    let text = twin.phi.read(".phi/history.jsonl");
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.filter_map(|line| line["address"].as_str().map(str::to_owned)).collect()
}

cases! { pinned_and_repeated_in_one_source:
    by_count(REPEAT_TWICE, None, AT, &["dev", "prod", "dev", "prod"]),
    by_count_from_the_single_one(REPEAT_TWICE, None, AT, &["prod", "dev", "prod"]),
    by_keys(EACH, None, AT, &["dev", "prod", "dev"]),
    by_keys_from_the_single_one(EACH, None, AT, &["prod", "dev", "prod"]),
    into_a_key(EACH, Some("[\"k\"]"), AT, &["prod", "dev", "prod", "dev"]),
    into_an_index(REPEAT_TWICE, Some("[1]"), AT, &["prod", "dev", "prod", "dev"]),
    into_a_key_at_the_call(EACH, Some("[\"l\"]"), "", &["prod", "dev", "prod"]),
    into_an_index_at_the_call(REPEAT_TWICE, Some("[1]"), "", &["dev", "prod", "dev"]),
}

const AT: &str = "  at     = \"resource\"\n";

const REPEAT_TWICE: &str = "  count = 2\n";

/// A source that isn't chosen any more took the object to another key on its way out: a run that names it is told where it is.
#[test]
fn a_target_that_another_source_has_taken_elsewhere() {
    let main = format!("{ENV}module \"m\" {{\n  source = {SIDES}\n}}\n");
    let module = |name: &str, keys: &str| {
        format!(
            "resource \"terraform_data\" \"{name}\" {{\n  for_each = toset([{keys}])\n  input = {{ tag = each.key }}\n}}\n"
        )
    };
    let (old, new) = (module("new", "\"a\", \"b\""), module("new", "\"c\", \"b\""));
    let new = new + &moved("terraform_data.new[\"a\"]", "terraform_data.new[\"c\"]");
    let files = [("a/main.tf", old.as_str()), ("b/main.tf", &module("old", "\"a\"")), ("phi.hcl", "")];
    let twin = started(&main, &files, SIDES, "a");
    twin.step(PROD, "first");
    twin.write("a/main.tf", &new);
    choose(&twin, &main, SIDES, "b");
    twin.apply(&[DEV, &["-refresh-only"]].concat(), "refreshed");
    let target = "-target=module.m.terraform_data.new[\"a\"]";
    let refused = twin.run("plan", &[DEV, &[target]].concat());
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    let more = "-target=module.m.terraform_data.new[\"c\"]";
    assert!(refused.stderr.contains(&format!("'{more}'")), "{}", refused.stderr);
    let want = twin.plain.plan(&[DEV, &[target]].concat());
    let (got, _) = twin.phi.phi_plan(&[DEV, &[target, more]].concat());
    assert_eq!(ended(&want), ["a: delete"]);
    assert_eq!(ended(&got), ended(&want));
}
