//! A module with a `moved` block of its own, called several times over: its copies exclude each other key by key, and Terraform takes
//! moves that go both ways between two of them, beside the block in each, for a cycle.

use super::{DEV, ENV, Mode, PROD, Twin, cases, moved};

/// What is different from case to case.
#[derive(Clone, Copy, Debug)]
struct Within {
    /// The call's `count` or `for_each`.
    repeated: &'static str,
    /// The argument that is pinned.
    value: &'static str,
    /// The resource's repetition, and the key that the block leads to.
    inner: (&'static str, &'static str),
    /// A call around it.
    nested: bool,
}

/// Applied before anything is pinned, then pinned, then under other variables, then home again.
fn moved_within(case: Within) {
    let (repeat, key) = case.inner;
    let tag = match case.repeated {
        "" => "\"x\"",
        r if r.contains("count") => "\"x ${count.index}\"",
        _ => "each.key",
    };
    let own = match repeat {
        "" => "var.tag",
        r if r.contains("count") => "\"${var.tag} ${count.index}\"",
        _ => "\"${var.tag} ${each.key}\"",
    };
    let module = |name: &str| {
        format!(
            "variable \"v\" {{}}\nvariable \"tag\" {{}}\nresource \"terraform_data\" \"{name}\" {{\n{repeat}  input = {{ v = var.v, tag = {own} }}\n}}\n"
        )
    };
    let second =
        format!("{}{}", module("new"), moved("terraform_data.old", &format!("terraform_data.new{key}")));
    let call = |folder: &str| {
        format!(
            "module \"m\" {{\n  source = \"{folder}\"\n{}  v      = {}\n  tag    = {tag}\n}}\n",
            case.repeated, case.value
        )
    };
    let around = format!("variable \"env\" {{}}\n{}", call("../inner"));
    let main = match case.nested {
        true => format!("{ENV}module \"o\" {{\n  source = \"./outer\"\n  env    = var.env\n}}\n"),
        false => format!("{ENV}{}", call("./inner")),
    };
    let files = [("main.tf", main.as_str()), ("inner/main.tf", &second), ("outer/main.tf", &around)];
    let twin = Twin::applied(Mode::InPlace, &files, DEV);
    twin.phi.write("phi.hcl", "specialize \"terraform_data.new\" {\n  fields = [\"input.v\"]\n}\n");
    for (at, args) in [DEV, PROD, DEV].into_iter().enumerate() {
        let ran = twin.run("plan", args);
        if ran.code != 0 && ran.stderr.contains("These moves form a cycle") {
            // What is printed: the block has been applied, and goes.
            assert!(ran.stderr.contains("Take out your own `moved` blocks"), "{}", ran.stderr);
            twin.write("inner/main.tf", &module("new"));
        }
        twin.step(args, &format!("{case:?}, run {at}"));
    }
    twin.restore();
    twin.step(PROD, &format!("{case:?}, after restore"));
}

const KEYS: &str = "  for_each = toset([\"a\", \"b\"])\n";
const BY_KEY: &str = "each.key == \"a\" ? 1 : 2";
const BY_BOTH: &str = "each.key == \"a\" ? (var.env == \"prod\" ? 1 : 2) : (var.env == \"prod\" ? 2 : 1)";
const SINGLE: (&str, &str) = ("", "");

cases! { moved_within:
    by_key(Within { repeated: KEYS, value: BY_KEY, inner: SINGLE, nested: false }),
    by_key_and_variable(Within { repeated: KEYS, value: BY_BOTH, inner: SINGLE, nested: false }),
    by_index(Within { repeated: "  count = 2\n", value: "var.env == \"prod\" ? 1 : 2", inner: SINGLE, nested: false }),
    by_variable(Within { repeated: "", value: "var.env == \"prod\" ? 1 : 2", inner: SINGLE, nested: false }),
    nested_by_key(Within { repeated: KEYS, value: BY_KEY, inner: SINGLE, nested: true }),
    nested_by_key_and_variable(Within { repeated: KEYS, value: BY_BOTH, inner: SINGLE, nested: true }),
    counted_within(Within { repeated: KEYS, value: BY_KEY, inner: ("  count = 1\n", "[0]"), nested: false }),
    keyed_within(Within { repeated: KEYS, value: BY_BOTH, inner: ("  for_each = toset([\"k\"])\n", "[\"k\"]"), nested: true }),
}
