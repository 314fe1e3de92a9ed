//! Keys of one resource, or of one call, that sit in different copies. What moves them moves each by itself: Terraform
//! refuses to move a whole resource to where another one's instance is.

use super::twin::{Mode, Twin};
use super::{
    CALL_KEYS, CALLED_KEYS, DEV, KEYS, NESTED_CALLED, NESTED_KEYS, PIN, PROD, every_mode, moved, while_pinned,
};

fn keys(mode: Mode) -> Twin {
    Twin::applied(mode, &[KEYS, PIN], &[])
}

fn call(mode: Mode) -> Twin {
    Twin::applied(mode, &[CALL_KEYS, CALLED_KEYS, PIN], &[])
}

fn nested(mode: Mode) -> Twin {
    Twin::applied(mode, &[NESTED_KEYS, NESTED_CALLED, PIN], &[])
}

fn the_pin_goes(mode: Mode) {
    let twin = keys(mode);
    twin.unpin();
    twin.settles(&[], "without the pin");
}

fn the_pin_goes_and_comes_again(mode: Mode) {
    let twin = keys(mode);
    twin.unpin();
    twin.settles(&[], "without the pin");
    twin.restore();
    twin.phi.write(PIN.0, PIN.1);
    twin.pinned();
    twin.settles(&[], "with the pin");
}

fn the_values_join(mode: Mode) {
    let twin = keys(mode);
    twin.edit("main.tf", "b = \"2\"", "b = \"1\"");
    twin.settles(&[], "one value");
    twin.edit("main.tf", "b = \"1\"", "b = \"2\"");
    twin.settles(&[], "two values again");
}

fn the_values_are_exchanged(mode: Mode) {
    let twin = keys(mode);
    twin.edit("main.tf", "a = \"1\", b = \"2\"", "a = \"2\", b = \"1\"");
    twin.settles(&[], "exchanged");
}

fn a_key_goes(mode: Mode) {
    for key in ["a", "b"] {
        let twin = keys(mode);
        twin.edit("main.tf", "toset([\"a\", \"b\"])", &format!("toset([\"{key}\"])"));
        twin.settles(&[], &format!("only {key}"));
    }
}

fn a_key_goes_and_comes_again(mode: Mode) {
    let twin = keys(mode);
    twin.edit("main.tf", "toset([\"a\", \"b\"])", "toset([\"a\"])");
    twin.settles(&[], "only a");
    twin.edit("main.tf", "toset([\"a\"])", "toset([\"a\", \"b\"])");
    twin.settles(&[], "both again");
}

fn a_key_comes(mode: Mode) {
    for value in ["1", "3"] {
        let twin = keys(mode);
        twin.edit("main.tf", "[\"a\", \"b\"]", "[\"a\", \"b\", \"c\"]");
        twin.edit("main.tf", "b = \"2\"", &format!("b = \"2\", c = \"{value}\""));
        twin.settles(&[], &format!("c with {value}"));
    }
}

/// A target may name a key that state still has and the configuration has no more.
fn a_target_names_a_key_that_went(mode: Mode) {
    let twin = keys(mode);
    twin.edit("main.tf", "  for_each = toset([\"a\", \"b\"])\n", "");
    twin.edit("main.tf", "[each.key]", "[var.env == \"prod\" ? \"a\" : \"b\"]");
    twin.edit("main.tf", "${each.key}", "alone");
    let (a, b) = ("-target=terraform_data.db[\"a\"]", "-target=terraform_data.db[\"b\"]");
    twin.step(&[a], "one is aimed at");
    twin.step(&[b, PROD[0]], "the other is aimed at");
    twin.settles(&[], "nothing is aimed at");
}

/// A module has an instance, and what is split in it has none there.
fn an_instance_with_nothing_in_it(mode: Mode) {
    let main = "variable \"env\" { default = \"dev\" }\nmodule \"app\" {\n  source = \"./app\"\n  count = var.env == \"dev\" ? 2 : \
                1\n  env = var.env\n  tag = \"app-${count.index}\"\n}\n";
    let app = "variable \"env\" {}\nvariable \"tag\" {}\nresource \"terraform_data\" \"db\" {\n  for_each = toset(var.env == \
               \"prod\" ? [] : [\"a\"])\n  input = { v = var.env == \"dev\" ? \"1\" : \"2\", tag = \"${var.tag}-${each.key}\" }\n}\n";
    let pin = "specialize \"terraform_data\" {\n  fields = [\"input.v\"]\n}\n";
    let twin = Twin::applied(mode, &[("main.tf", main), ("app/main.tf", app), ("phi.hcl", pin)], PROD);
    for args in [DEV, PROD, DEV] {
        twin.settles(args, args[0]);
    }
}

/// A target may name an instance in a module that is called no more.
fn a_target_names_a_call_that_went(mode: Mode) {
    let twin = nested(mode);
    twin.unpin();
    // What nothing declares doesn't come home before it is destroyed.
    twin.pinned();
    twin.write("main.tf", "variable \"env\" { default = \"dev\" }\n");
    twin.step(&["-target=module.app[\"x\"].terraform_data.db[\"b\"]"], "one is aimed at");
    twin.step(&["-target=module.app[\"y\"]"], "a module is aimed at");
    twin.settles(&[], "nothing is aimed at");
}

fn a_key_is_renamed(mode: Mode) {
    let twin = keys(mode);
    twin.edit("main.tf", "[\"a\", \"b\"]", "[\"a\", \"c\"]");
    twin.edit("main.tf", "b = \"2\"", "c = \"2\"");
    twin.append("main.tf", &moved("terraform_data.db[\"b\"]", "terraform_data.db[\"c\"]"));
    twin.settles(&[], "b is c");
}

const BY_COUNT: &str = r#"variable "env" { default = "dev" }

resource "terraform_data" "db" {
  count = 2
  input = { v = VALUE, tag = "db ${["a", "b"][count.index]}" }
}
"#;

fn in_a_module_edited_in_place_a_key_is_renamed(mode: Mode) {
    let call = "variable \"env\" { default = \"dev\" }\nmodule \"m\" {\n  source = \"./m\"\n  count  = 1\n  env    = var.env\n}\n";
    let pin = format!("settings {{\n  edit = [\"m\"]\n}}\n{}", PIN.1);
    let twin = Twin::applied(mode, &[("main.tf", call), ("m/main.tf", KEYS.1), ("phi.hcl", &pin)], &[]);
    twin.edit("m/main.tf", "[\"a\", \"b\"]", "[\"a\", \"c\"]");
    twin.edit("m/main.tf", "b = \"2\"", "c = \"2\"");
    twin.append("m/main.tf", &moved("terraform_data.db[\"b\"]", "terraform_data.db[\"c\"]"));
    twin.settles(&[], "b is c");
}

fn for_each_becomes_count(mode: Mode) {
    let value = "var.env == \"prod\" ? \"1\" : \"2\"";
    for value in if mode == Mode::Unpinned { vec![value, "[\"1\", \"2\"][count.index]"] } else { vec![value] }
    {
        let twin = keys(mode);
        twin.write("main.tf", &BY_COUNT.replace("VALUE", value));
        for (key, at) in [("a", 0), ("b", 1)] {
            twin.append(
                "main.tf",
                &moved(&format!("terraform_data.db[\"{key}\"]"), &format!("terraform_data.db[{at}]")),
            );
        }
        twin.settles(&[], "counted");
        twin.step(PROD, "counted, prod");
    }
}

fn count_becomes_for_each(mode: Mode) {
    let count = BY_COUNT.replace("VALUE", "var.env == \"prod\" ? \"1\" : \"2\"");
    let twin = Twin::applied(mode, &[("main.tf", &count), PIN], &[]);
    twin.write("main.tf", KEYS.1);
    for (key, at) in [("a", 0), ("b", 1)] {
        twin.append(
            "main.tf",
            &moved(&format!("terraform_data.db[{at}]"), &format!("terraform_data.db[\"{key}\"]")),
        );
    }
    twin.settles(&[], "by key");
}

fn a_rename(mode: Mode) {
    let twin = keys(mode);
    twin.edit("main.tf", "\"db\"", "\"db_main\"");
    twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
    twin.settles(&[], "renamed");
    twin.edit("main.tf", "b = \"2\"", "b = \"1\"");
    twin.settles(&[], "renamed, one value");
}

fn single(name: &str, key: &str, value: &str) -> String {
    format!(
        "\nresource \"terraform_data\" \"{name}\" {{\n  input = {{ v = {value}, tag = \"db {key}\" }}\n}}\n"
    )
}

fn keys_become_single_resources(mode: Mode) {
    let twin = keys(mode);
    let mut main = String::from("variable \"env\" { default = \"dev\" }\n");
    for (key, value) in [("a", "\"1\""), ("b", "\"2\"")] {
        let (from, to) = (format!("terraform_data.db[\"{key}\"]"), format!("terraform_data.db_{key}"));
        main.push_str(&single(&format!("db_{key}"), key, value));
        main.push_str(&moved(&from, &to));
    }
    twin.write("main.tf", &main);
    twin.settles(&[], "single ones");
}

fn keys_become_single_resources_that_are_split(mode: Mode) {
    let twin = keys(mode);
    let mut main = String::from("variable \"env\" { default = \"dev\" }\n");
    for (key, value) in
        [("a", "var.env == \"prod\" ? \"9\" : \"1\""), ("b", "var.env == \"prod\" ? \"9\" : \"2\"")]
    {
        let (from, to) = (format!("terraform_data.db[\"{key}\"]"), format!("terraform_data.db_{key}"));
        main.push_str(&single(&format!("db_{key}"), key, value));
        main.push_str(&moved(&from, &to));
    }
    twin.write("main.tf", &main);
    twin.settles(DEV, "single ones");
    twin.settles(PROD, "single ones, prod");
}

fn one_key_becomes_a_single_resource(mode: Mode) {
    for (key, stays) in [("a", "b"), ("b", "a")] {
        let twin = keys(mode);
        twin.edit("main.tf", "[\"a\", \"b\"]", &format!("[\"{stays}\"]"));
        twin.append("main.tf", &single("alone", key, "\"7\""));
        twin.append("main.tf", &moved(&format!("terraform_data.db[\"{key}\"]"), "terraform_data.alone"));
        twin.settles(&[], &format!("{key} alone"));
    }
}

fn single_resources_become_keys(mode: Mode) {
    let value = "var.env == \"prod\" ? \"9\" : \"1\"";
    let main = format!(
        "variable \"env\" {{ default = \"dev\" }}\n{}{}",
        single("db_a", "a", value),
        single("db_b", "b", value)
    );
    let twin = Twin::applied(mode, &[("main.tf", &main), PIN], &[]);
    twin.write("main.tf", KEYS.1);
    for key in ["a", "b"] {
        let (from, to) = (format!("terraform_data.db_{key}"), format!("terraform_data.db[\"{key}\"]"));
        twin.append("main.tf", &moved(&from, &to));
    }
    twin.settles(&[], "keys of one");
}

/// The keys part under one value of a variable, and meet under the other.
fn a_flip_parts_and_joins_them(mode: Mode) {
    let main = KEYS.1.replace(
        "{ a = \"1\", b = \"2\" }[each.key]",
        "var.env == \"prod\" ? \"9\" : { a = \"1\", b = \"2\" }[each.key]",
    );
    let twin = Twin::applied(mode, &[("main.tf", &main), PIN], DEV);
    twin.settles(PROD, "joined");
    twin.settles(DEV, "parted");
    twin.unpin();
    twin.settles(PROD, "without the pin");
}

fn in_a_repeated_module_the_pin_goes(mode: Mode) {
    let twin = nested(mode);
    twin.unpin();
    twin.settles(&[], "without the pin");
}

fn in_a_repeated_module_the_values_join(mode: Mode) {
    let twin = nested(mode);
    twin.edit("app/main.tf", "b = \"2\"", "b = \"1\"");
    twin.settles(&[], "one value");
}

fn in_a_repeated_module_a_key_goes(mode: Mode) {
    let twin = nested(mode);
    twin.edit("app/main.tf", "toset([\"a\", \"b\"])", "toset([\"b\"])");
    twin.settles(&[], "only b");
    twin.edit("main.tf", "toset([\"x\", \"y\"])", "toset([\"y\"])");
    twin.settles(&[], "only y");
}

fn in_a_repeated_module_a_rename(mode: Mode) {
    let twin = nested(mode);
    twin.edit("app/main.tf", "\"db\"", "\"db_main\"");
    twin.append("app/main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
    twin.settles(&[], "renamed within");
    twin.edit("main.tf", "module \"app\"", "module \"shop\"");
    twin.append("main.tf", &moved("module.app", "module.shop"));
    twin.init();
    twin.settles(&[], "the call renamed");
}

fn in_a_repeated_module_for_each_becomes_count(mode: Mode) {
    let twin = nested(mode);
    twin.edit("main.tf", "for_each = toset([\"x\", \"y\"])", "count = 2");
    twin.edit("main.tf", "each.key", "[\"x\", \"y\"][count.index]");
    for (key, at) in [("x", 0), ("y", 1)] {
        twin.append("main.tf", &moved(&format!("module.app[\"{key}\"]"), &format!("module.app[{at}]")));
    }
    twin.settles(&[], "the call counted");
}

/// The choice hangs on the module's key, and so the keys of the call sit in different copies.
fn of_a_call_the_pin_goes(mode: Mode) {
    let twin = call(mode);
    twin.unpin();
    twin.settles(&[], "without the pin");
}

fn of_a_call_the_values_join(mode: Mode) {
    let twin = call(mode);
    twin.edit("main.tf", "b = \"2\"", "b = \"1\"");
    twin.settles(&[], "one value");
}

fn of_a_call_a_key_goes(mode: Mode) {
    for key in ["a", "b"] {
        let twin = call(mode);
        twin.edit("main.tf", "toset([\"a\", \"b\"])", &format!("toset([\"{key}\"])"));
        twin.settles(&[], &format!("only {key}"));
    }
}

fn of_a_call_a_key_comes(mode: Mode) {
    let twin = call(mode);
    twin.edit("main.tf", "[\"a\", \"b\"]", "[\"a\", \"b\", \"c\"]");
    twin.edit("main.tf", "b = \"2\"", "b = \"2\", c = \"3\"");
    twin.settles(&[], "c comes");
}

fn of_a_call_for_each_becomes_count(mode: Mode) {
    let twin = call(mode);
    twin.edit("main.tf", "for_each = toset([\"a\", \"b\"])", "count    = 2");
    twin.edit("main.tf", "{ a = \"1\", b = \"2\" }[each.key]", "var.env == \"prod\" ? \"1\" : \"2\"");
    twin.edit("main.tf", "each.key", "[\"a\", \"b\"][count.index]");
    for (key, at) in [("a", 0), ("b", 1)] {
        twin.append("main.tf", &moved(&format!("module.db[\"{key}\"]"), &format!("module.db[{at}]")));
    }
    twin.settles(&[], "counted");
    twin.step(PROD, "counted, prod");
}

fn of_a_call_a_rename(mode: Mode) {
    let twin = call(mode);
    twin.edit("main.tf", "module \"db\"", "module \"db_main\"");
    twin.append("main.tf", &moved("module.db", "module.db_main"));
    twin.init();
    twin.settles(&[], "renamed");
}

fn of_a_call_keys_become_single_calls(mode: Mode) {
    let twin = call(mode);
    let mut main = String::from("variable \"env\" { default = \"dev\" }\n");
    for (key, value) in [("a", "1"), ("b", "2")] {
        main.push_str(&format!(
            "\nmodule \"db_{key}\" {{\n  source  = \"./db\"\n  release = \"{value}\"\n  key     = \"{key}\"\n}}\n"
        ));
        main.push_str(&moved(&format!("module.db[\"{key}\"]"), &format!("module.db_{key}")));
    }
    twin.write("main.tf", &main);
    twin.init();
    twin.settles(&[], "single calls");
}

/// Without `phi.hcl`; the twin has what Terraform takes, a literal.
const PROTECTED: &str = r#"resource "terraform_data" "db" {
  for_each = { a = true, b = false }
  input    = { v = "1", tag = "db ${each.key}" }

  lifecycle {
    prevent_destroy = PROTECTED
  }
}
"#;

fn protected(mode: Mode) -> Twin {
    let (phi, plain) =
        (PROTECTED.replace("PROTECTED", "each.value"), PROTECTED.replace("PROTECTED", "false"));
    let twin = Twin::beside(mode, &[("main.tf", &phi)], &[("main.tf", &plain)]);
    twin.step(&[], "one is protected");
    twin
}

fn a_second_key_is_protected(mode: Mode) {
    let twin = protected(mode);
    twin.edit("main.tf", "b = false", "b = true");
    twin.settles(&[], "both are protected");
    twin.edit("main.tf", "a = true", "a = false");
    twin.settles(&[], "the other is protected");
}

fn no_key_is_protected(mode: Mode) {
    let twin = protected(mode);
    twin.edit("main.tf", "a = true", "a = false");
    twin.settles(&[], "none is protected");
}

every_mode!(
    the_pin_goes,
    the_values_join,
    the_values_are_exchanged,
    a_key_goes,
    a_key_goes_and_comes_again,
    a_key_comes,
    a_key_is_renamed,
    in_a_module_edited_in_place_a_key_is_renamed,
    for_each_becomes_count,
    count_becomes_for_each,
    a_rename,
    keys_become_single_resources,
    keys_become_single_resources_that_are_split,
    one_key_becomes_a_single_resource,
    single_resources_become_keys,
    a_flip_parts_and_joins_them,
    in_a_repeated_module_the_pin_goes,
    in_a_repeated_module_the_values_join,
    in_a_repeated_module_a_key_goes,
    in_a_repeated_module_a_rename,
    in_a_repeated_module_for_each_becomes_count,
    of_a_call_the_pin_goes,
    of_a_call_the_values_join,
    of_a_call_a_key_goes,
    of_a_call_a_key_comes,
    of_a_call_for_each_becomes_count,
    of_a_call_a_rename,
    of_a_call_keys_become_single_calls,
);
while_pinned!(
    a_target_names_a_key_that_went,
    a_target_names_a_call_that_went,
    an_instance_with_nothing_in_it,
    the_pin_goes_and_comes_again,
    a_second_key_is_protected,
    no_key_is_protected
);
