//! Gates that the type makes complete: what can't change a driven field is never held to its values.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::Scratch;

const MAP: &str = "variable \"dbs\" {\n  type    = map(object({ keep = bool, region = string, size = optional(number, 10) }))\n  \
                   default = { a = { keep = true, region = \"us\" } }\n}\n";
const DEV: &str =
    "dbs = { a = { keep = true, region = \"us\", size = 20 }, b = { keep = false, region = \"eu\" } }\n";
const PROD: &str =
    "dbs = { a = { keep = true, region = \"us\", size = 30 }, c = { keep = false, region = \"eu\" } }\n";

fn resource(for_each: &str, protect: &str) -> String {
    format!(
        "resource \"terraform_data\" \"d\" {{\n  for_each = {for_each}\n  input    = 1\n  lifecycle {{\n    prevent_destroy = {protect}\n  \
         }}\n}}\n"
    )
}

/// What would be written.
fn written(main: &str, more: &[(&str, &str)]) -> String {
    let files = [("main.tf", main), ("env/dev.tfvars", DEV), ("env/prod.tfvars", PROD)];
    let done = Scratch::new(files.into_iter().chain(more.iter().copied())).run(&["diff"]);
    assert!(done.out.contains("prevent_destroy = true"), "{main}\n{}{}", done.out, done.err);
    done.out
}

#[test]
fn no_map_is_pinned_by_what_its_elements_decide() {
    for (for_each, protect, gate) in [
        ("var.dbs", "each.value.keep", "if each_value.keep }"),
        ("var.dbs", "!each.value.keep", "if each_value.keep"),
        ("var.dbs", "each.value.region == \"us\"", "if each_value.region == \"us\" }"),
        ("var.dbs", "each.value.region == \"us\" ? true : false", "if each_value.region == \"us\" }"),
        ("var.dbs", "each.value.keep ? each.value.size > 5 : false", "each_value.size > 5"),
        ("var.dbs", "each.key == \"a\"", "if each_key == \"a\" }"),
        ("toset(keys(var.dbs))", "each.key == \"a\"", "if each_key == \"a\""),
        ("toset(keys(var.dbs))", "each.value == \"a\"", "each_key == \"a\""),
    ] {
        let out = written(&format!("{MAP}{}", resource(for_each, protect)), &[]);
        assert!(!out.contains("validation"), "{protect}: {out}");
        assert!(out.contains(gate), "{protect}: {out}");
    }
}

#[test]
fn no_map_is_pinned_by_a_module_behind_it() {
    let call = "module \"m\" {\n  source   = \"./m\"\n  for_each = var.dbs\n  keep     = each.value.keep\n  region   = each.value.region\n}\n";
    for protect in ["var.keep", "var.region == \"us\"", "local.keep"] {
        let module = format!(
            "variable \"keep\" {{\n  type = bool\n}}\nvariable \"region\" {{\n  type = string\n}}\nlocals {{\n  keep = var.keep\n}}\n\
             resource \"terraform_data\" \"d\" {{\n  input = 1\n  lifecycle {{\n    prevent_destroy = {protect}\n  }}\n}}\n"
        );
        let out = written(&format!("{MAP}{call}"), &[("m/main.tf", &module)]);
        assert!(!out.contains("validation"), "{protect}: {out}");
    }
}

/// The attributes of an object, and the elements of a map by a key, are complete by type as well.
#[test]
fn an_attribute_that_is_a_bool_needs_no_list() {
    for (ty, protect) in [
        ("object({ keep = bool, size = optional(number) })", "var.v.keep"),
        ("map(object({ keep = bool }))", "var.v[\"x\"].keep"),
        ("map(bool)", "var.v[\"x\"]"),
        ("list(bool)", "var.v[0]"),
    ] {
        let main = format!("variable \"v\" {{\n  type = {ty}\n}}\n{}", resource("toset([\"k\"])", protect));
        let done = Scratch::new([("main.tf", main.as_str())]).run(&["diff"]);
        assert!(done.out.contains("prevent_destroy = false"), "{ty}: {}{}", done.out, done.err);
        assert!(!done.out.contains("validation"), "{ty}: {}", done.out);
    }
}

/// A value that a copy holds is listed as before: the map is then what it was.
#[test]
fn what_a_copy_holds_is_still_pinned() {
    let main = format!(
        "{MAP}resource \"terraform_data\" \"d\" {{\n  for_each = var.dbs\n  input    = each.value.size\n}}\n"
    );
    let pin = "specialize \"terraform_data.d\" {\n  fields = [\"input\"]\n}\n";
    let files =
        [("main.tf", main.as_str()), ("phi.hcl", pin), ("env/dev.tfvars", DEV), ("env/prod.tfvars", PROD)];
    let done = Scratch::new(files).run(&["diff"]);
    assert!(done.out.contains("validation"), "{}{}", done.out, done.err);
}

/// Where the type is not enough, the values decide as before: before 1.12, null makes an error of this.
#[test]
fn what_the_type_leaves_open_is_listed() {
    let main = format!("{MAP}{}", resource("var.dbs", "each.value.keep && each.value.size > 5"));
    assert!(written(&main, &[]).contains("validation"));
}

/// The keys of a map with a default list what chooses among them, as those of a local do.
#[test]
fn the_keys_of_a_default_list_what_chooses_among_them() {
    for (ty, nullable) in [("map(string)", ""), ("map(string)", "  nullable = false\n"), ("any", "")] {
        let main = format!(
            "variable \"env\" {{\n  type = string\n}}\nvariable \"versions\" {{\n  type    = {ty}\n  default = {{ dev = \"16.3\", prod = \
             \"15.4\" }}\n{nullable}}}\nresource \"terraform_data\" \"d\" {{\n  input = var.versions[var.env]\n}}\n"
        );
        let pin = "specialize \"terraform_data.d\" {\n  fields = [\"input\"]\n}\n";
        let done = Scratch::new([("main.tf", main.as_str()), ("phi.hcl", pin)]).run(&["diff"]);
        assert!(done.out.contains("count = var.env == \"dev\" ? 1 : 0"), "{ty}: {}{}", done.out, done.err);
        assert!(done.out.contains("contains([\"dev\", \"prod\"], var.env)"), "{ty}: {}", done.out);
    }
}
