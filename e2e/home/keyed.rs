//! A `source` that a variable chooses, where its modules count or name their resources differently, and objects went through both.

use super::chosen::{choose, started};
use super::{DEV, ENV, Mode, PROD, Twin, cases, moved, plain_is_right, right_or_answered};
use crate::kept::lost::forget;

const SIDES: &str = "var.env == \"prod\" ? \"./a\" : \"./b\"";
const PIN_ALL: &str = "specialize \"terraform_data\" {\n  fields = [\"input.v\"]\n}\n";
const EACH: &str = "  for_each = { a = 1, b = 2 }\n";

fn call(repeated: &str) -> String {
    let tag = if repeated.is_empty() { "\"m\"" } else { "each.key" };
    format!(
        "{ENV}variable \"protect\" {{\n  type    = bool\n  default = false\n}}\nmodule \"m\" {{\n  source  = {SIDES}\n{repeated}  env     = var.env\n  tag     = {tag}\n  \
         protect = var.protect\n}}\n"
    )
}

/// A resource of one of the modules, with what stands in its block first and last.
fn resource(name: &str, first: &str, v: &str, last: &str) -> String {
    let key = match () {
        () if first.contains("for_each") => "${each.key}",
        () if first.contains("count") => "${count.index}",
        () => "",
    };
    format!(
        "variable \"env\" {{}}\nvariable \"tag\" {{}}\nvariable \"protect\" {{}}\nresource \"terraform_data\" \"{name}\" {{\n{first}  input = {{ v = {v}, \
         tag = \"${{var.tag}} {key}\" }}\n{last}}}\n"
    )
}

fn start(main: &str, (a, b): (&str, &str), source: &str) -> Twin {
    started(main, &[("a/main.tf", a), ("b/main.tf", b), ("phi.hcl", PIN_ALL)], SIDES, source)
}

/// A module's source beside which the objects are, and the run that has it.
const RUNS: [(&str, &[&str]); 2] = [("a", PROD), ("b", DEV)];

/// In one of the sources the resource is single, in the other it has `count`; both are applied in turn, and then one is written out. Copies
/// and the object itself come to one address, which Terraform takes of one block.
fn counted_in_one_source((single, counted): (&str, &str), order: [usize; 3]) {
    let module = |first: &str, v: &str| resource("db", first, v, "");
    let (a, b) = (module("", single), module("  count = 1\n", counted));
    let main = call("");
    let twin = start(&main, (&a, &b), RUNS[order[0]].0);
    for at in order {
        let (source, args) = RUNS[at];
        choose(&twin, &main, SIDES, source);
        right_or_answered(&twin, args, &format!("{order:?}, {source}"));
    }
    for (source, args) in RUNS {
        choose(&twin, &main, SIDES, source);
        twin.phi.tf_phi(&["restore"]).expect(0);
        twin.phi.write("main.tf", &main.replace(SIDES, &format!("\"./{source}\"")));
        twin.phi.tf_phi(&["restore"]).expect(0);
        twin.phi.init();
        plain_is_right(&twin, args, &format!("{order:?}, {source} written out"));
        twin.phi.write("main.tf", &main);
    }
}

const SPLIT: &str = "var.protect ? 1 : 2";
const ONE: &str = "3";

cases! { counted_in_one_source:
    copies_of_both((SPLIT, SPLIT), [0, 1, 0]),
    copies_of_both_back((SPLIT, SPLIT), [1, 0, 1]),
    copies_of_the_counted((ONE, SPLIT), [1, 0, 1]),
    copies_of_the_counted_back((ONE, SPLIT), [0, 1, 0]),
    copies_of_the_single((SPLIT, ONE), [0, 1, 0]),
    copies_of_the_single_back((SPLIT, ONE), [1, 0, 1]),
}

/// Copies are given up in a repeated module whose other source has the same `moved` block, and no resource that it leads to.
fn given_up_beside_a_moved_block(repeated: &str) {
    let v = "each.key == \"a\" ? 1 : 2";
    let block = moved("terraform_data.old", "terraform_data.new");
    let (a, b) = (resource("other", EACH, v, ""), resource("new", EACH, v, ""));
    let main = call(repeated);
    let twin = start(&main, (&(a + &block), &(b + &block)), "b");
    twin.step(DEV, "copies");
    choose(&twin, &main, SIDES, "a");
    twin.step(PROD, "given up");
    twin.step(PROD, "once more");
    choose(&twin, &main, SIDES, "b");
    twin.step(DEV, "back");
}

cases! { given_up_beside_a_moved_block:
    in_a_single_module(""),
    in_each_module(EACH),
}

/// The single object of one source is given up where the other one's have keys: under this run's `lifecycle`, though no key says which copy it is.
fn given_up_without_a_key(loses: bool, protect: bool) {
    let protected = "  lifecycle {\n    prevent_destroy = var.protect\n  }\n";
    let a = resource("db", "", ONE, protected);
    let b = resource("db", EACH, "each.key == \"a\" ? 1 : 2", protected);
    let main = call(EACH);
    let files = [("main.tf", &*main), ("a/main.tf", &*a), ("b/main.tf", &*b), ("phi.hcl", PIN_ALL)];
    let twin = Twin::beside(Mode::InPlace, &files, &[]);
    // The twin has the value by hand.
    let run_by_hand = |source: &str, value: bool| {
        for (folder, text) in [("a", &a), ("b", &b)] {
            let path = format!("{folder}/main.tf");
            twin.plain.write(&path, &text.replace("= var.protect", &format!("= {value}")));
        }
        choose(&twin, &main, SIDES, source);
    };
    run_by_hand("a", false);
    twin.phi.tf_phi(&["init", "-input=false"]).expect(0);
    twin.step(PROD, "single");
    if loses {
        twin.restore();
        forget(&twin);
        let _ = std::fs::remove_file(twin.phi.dir().join("phi.moved.tf"));
    }
    run_by_hand("b", protect);
    let args = ["-var=env=dev", if protect { "-var=protect=true" } else { "-var=protect=false" }];
    if protect {
        super::both_protect(&twin, &args, "given up");
    } else {
        right_or_answered(&twin, &args, "given up");
    }
}

cases! { given_up_without_a_key:
    unprotected(false, false),
    unprotected_and_lost(true, false),
    protected(false, true),
}
