//! What is done to the original after `restore`, while state still holds the copies' addresses.

use super::twin::{Mode, Twin};
use super::{CALL, CALLED, DEV, PIN, PROD, SINGLE, every_mode, goes_on, moved, while_pinned};

fn single(mode: Mode, args: &[&str]) -> Twin {
    Twin::applied(mode, &[SINGLE, PIN], args)
}

fn call(mode: Mode, args: &[&str]) -> Twin {
    Twin::applied(mode, &[CALL, CALLED, PIN], args)
}

fn nothing_is_edited(mode: Mode) {
    for args in [DEV, PROD] {
        let twin = single(mode, args);
        twin.restore();
        twin.compare(DEV, "restored, dev");
        twin.restore();
        twin.compare(PROD, "restored, prod");
        goes_on(&twin);
    }
}

fn the_pin_goes(mode: Mode) {
    for args in [DEV, PROD] {
        let twin = single(mode, args);
        twin.unpin();
        twin.settles(DEV, "without the pin");
        goes_on(&twin);
    }
}

fn the_pin_goes_after_a_flip(mode: Mode) {
    let twin = single(mode, DEV);
    twin.step(PROD, "flip");
    twin.unpin();
    twin.settles(PROD, "without the pin");
}

fn the_pin_of_a_call_goes(mode: Mode) {
    for args in [DEV, PROD] {
        let twin = call(mode, args);
        twin.unpin();
        twin.settles(DEV, "without the pin");
        goes_on(&twin);
    }
}

/// Two pins; `phi.hcl` stays with the other one.
fn one_of_two_pinned_resources_is_pinned_no_more(mode: Mode) {
    let main = format!("{}{}", SINGLE.1, other_resource());
    let twin = Twin::applied(mode, &[("main.tf", &main), PIN], DEV);
    twin.restore();
    twin.phi.write("phi.hcl", "specialize \"terraform_data.other\" {\n  fields = [\"input.v\"]\n}\n");
    twin.settles(DEV, "one pin");
    goes_on(&twin);
}

fn other_resource() -> &'static str {
    "\nresource \"terraform_data\" \"other\" {\n  input = { v = var.env == \"prod\" ? \"big\" : \"small\", tag = \"other\" }\n}\n"
}

fn a_value_becomes_another(mode: Mode) {
    let twin = single(mode, DEV);
    twin.edit("main.tf", "14.9", "13.1");
    twin.settles(DEV, "another value");
    goes_on(&twin);
}

fn the_choice_becomes_a_literal(mode: Mode) {
    for value in ["14.9", "15.4", "16.1"] {
        let twin = single(mode, DEV);
        twin.edit("main.tf", "var.env == \"prod\" ? \"15.4\" : \"14.9\"", &format!("\"{value}\""));
        twin.settles(DEV, value);
    }
}

const PROTECTED: &str = r#"variable "env" { default = "dev" }

resource "terraform_data" "db" {
  input = { v = "1", tag = "db" }

  lifecycle {
    prevent_destroy = PROTECTED
  }
}
"#;

/// Without `phi.hcl`; the twin has what Terraform takes, a literal.
fn prevent_destroy_becomes_a_literal(mode: Mode) {
    for args in [DEV, PROD] {
        for literal in ["true", "false"] {
            let phi = PROTECTED.replace("PROTECTED", "var.env == \"prod\"");
            let plain = PROTECTED.replace("PROTECTED", "false");
            let twin = Twin::beside(mode, &[("main.tf", &phi)], &[("main.tf", &plain)]);
            twin.step(args, "by an expression");
            twin.step(PROD, "by an expression, prod");
            twin.write("main.tf", &PROTECTED.replace("PROTECTED", literal));
            twin.unpin();
            twin.settles(args, literal);
        }
    }
}

fn removed(from: &str, destroy: bool) -> String {
    format!("\nremoved {{\n  from = {from}\n\n  lifecycle {{\n    destroy = {destroy}\n  }}\n}}\n")
}

/// Beside it stands another resource that the pin names: a pin that names nothing is an error.
const BESIDE: &str = r#"resource "terraform_data" "beside" {
  input = { v = "1", tag = "beside" }
}
"#;

#[track_caller]
fn removed_from(mode: Mode, files: &[(&str, &str)], from: &str) {
    for destroy in [false, true] {
        let beside = ("beside.tf", BESIDE);
        let twin = Twin::applied(mode, &[files, &[beside, PIN]].concat(), DEV);
        twin.write(
            "main.tf",
            &format!("variable \"env\" {{ default = \"dev\" }}\n{}", removed(from, destroy)),
        );
        twin.settles(DEV, &format!("destroy = {destroy}"));
    }
}

fn removed_in_place_of_a_call(mode: Mode) {
    removed_from(mode, &[CALL, CALLED], "module.db");
}

fn removed_in_place_of_a_resource(mode: Mode) {
    removed_from(mode, &[SINGLE], "terraform_data.db");
}

fn removed_where_keys_sit_in_different_copies(mode: Mode) {
    removed_from(mode, &[super::KEYS], "terraform_data.db");
}

fn removed_within_a_call(mode: Mode) {
    for destroy in [false, true] {
        let twin = call(mode, DEV);
        twin.write(
            "db/main.tf",
            &format!("variable \"release\" {{}}\n{}", removed("terraform_data.db", destroy)),
        );
        // No pinned resource is left.
        twin.unpin();
        twin.settles(DEV, &format!("destroy = {destroy}"));
    }
}

/// It goes without a `removed` block: the twin destroys it.
fn the_resource_goes(mode: Mode) {
    let twin = single(mode, DEV);
    twin.write("main.tf", "variable \"env\" { default = \"dev\" }\n");
    twin.unpin();
    twin.settles(DEV, "gone");
}

fn a_count_and_a_rename(mode: Mode) {
    let twin = single(mode, DEV);
    twin.edit("main.tf", "\"db\" {", "\"db_main\" {\n  count = 1");
    twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main[0]"));
    twin.settles(DEV, "counted and renamed");
    goes_on(&twin);
}

/// Without the key Terraform destroys and creates: there is no implied move behind one that is written.
fn a_count_and_a_rename_without_the_key(mode: Mode) {
    let twin = single(mode, DEV);
    twin.edit("main.tf", "\"db\" {", "\"db_main\" {\n  count = 1");
    twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
    twin.settles(DEV, "counted and renamed");
    goes_on(&twin);
}

/// One after the other.
fn a_count_and_then_a_rename(mode: Mode) {
    let twin = single(mode, DEV);
    twin.edit("main.tf", "\"db\" {", "\"db\" {\n  count = 1");
    twin.step(DEV, "counted");
    twin.edit("main.tf", "\"db\" {", "\"db_main\" {");
    twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
    twin.settles(DEV, "renamed");
    goes_on(&twin);
}

fn a_count_comes(mode: Mode) {
    let twin = single(mode, DEV);
    twin.edit("main.tf", "\"db\" {", "\"db\" {\n  count = 1");
    twin.settles(DEV, "counted");
    goes_on(&twin);
}

fn a_count_goes_with_a_rename(mode: Mode) {
    for from in ["terraform_data.db[0]", "terraform_data.db"] {
        let main = SINGLE.1.replace("\"db\" {", "\"db\" {\n  count = 1");
        let twin = Twin::applied(mode, &[("main.tf", &main), PIN], DEV);
        twin.edit("main.tf", "\"db\" {\n  count = 1", "\"db_main\" {");
        twin.append("main.tf", &moved(from, "terraform_data.db_main"));
        twin.settles(DEV, &format!("neither count nor name, from {from}"));
        goes_on(&twin);
    }
}

fn a_count_of_a_call_and_a_rename(mode: Mode) {
    let twin = call(mode, DEV);
    twin.edit("main.tf", "module \"db\" {", "module \"db_main\" {\n  count   = 1");
    twin.append("main.tf", &moved("module.db", "module.db_main[0]"));
    twin.init();
    twin.settles(DEV, "counted and renamed");
    goes_on(&twin);
}

fn a_rename_within_a_split_module(mode: Mode) {
    let twin = call(mode, DEV);
    twin.edit("db/main.tf", "\"terraform_data\" \"db\"", "\"terraform_data\" \"main\"");
    twin.append("db/main.tf", &moved("terraform_data.db", "terraform_data.main"));
    twin.settles(DEV, "renamed within");
    goes_on(&twin);
}

/// The module's resource is split within it, and the call is not.
fn a_rename_of_what_is_split_within_a_module(mode: Mode) {
    let main = "variable \"env\" { default = \"dev\" }\n\nmodule \"app\" {\n  source = \"./app\"\n}\n";
    let app = "variable \"n\" { default = 1 }\n\nresource \"terraform_data\" \"db\" {\n  for_each = toset([\"a\", \"b\"])\n  input    = { v = each.key == \"a\" ? \"1\" : \"2\", tag = \"db ${each.key}\" }\n}\n";
    let twin = Twin::applied(mode, &[("main.tf", main), ("app/main.tf", app), PIN], DEV);
    twin.edit("app/main.tf", "\"db\" {", "\"main\" {");
    twin.append("app/main.tf", &moved("terraform_data.db", "terraform_data.main"));
    twin.settles(DEV, "renamed within");
}

fn into_a_module(mode: Mode) {
    let twin = single(mode, DEV);
    // Without it the call leads nowhere, and then neither does a way home.
    twin.write(CALLED.0, CALLED.1);
    twin.write("main.tf", CALL.1);
    twin.append("main.tf", &moved("terraform_data.db", "module.db.terraform_data.db"));
    twin.init();
    twin.settles(DEV, "in the module");
    goes_on(&twin);
}

fn out_of_a_module(mode: Mode) {
    let twin = call(mode, DEV);
    twin.write("main.tf", SINGLE.1);
    twin.append("main.tf", &moved("module.db.terraform_data.db", "terraform_data.db"));
    twin.settles(DEV, "out of the module");
    goes_on(&twin);
}

// State whose value is not that of the copy's name.

/// `apply -refresh-only` moves state to the copy of the other variable, and leaves the value.
fn refreshed(mode: Mode) -> Twin {
    let twin = single(mode, DEV);
    twin.apply(&["-refresh-only", "-var=env=prod"], "refresh only");
    twin
}

/// The flip changes nothing.
fn ignored(mode: Mode) -> Twin {
    let main = SINGLE
        .1
        .replace("tag = \"db\" }\n", "tag = \"db\" }\n\n  lifecycle {\n    ignore_changes = [input]\n  }\n");
    let twin = Twin::applied(mode, &[("main.tf", &main), PIN], DEV);
    twin.step(PROD, "ignored");
    twin
}

/// The flip's apply fails in a resource on which the split one depends: state moved, and the value did not change.
fn failed(mode: Mode) -> Twin {
    let main =
        SINGLE.1.replace("tag = \"db\" }\n", "tag = \"db\" }\n  depends_on = [terraform_data.first]\n");
    let first = "\nresource \"terraform_data\" \"first\" {\n  input            = { tag = \"first\" }\n  triggers_replace = var.env\n\n  provisioner \"local-exec\" {\n    command = var.env == \"prod\" ? \"exit 1\" : \"true\"\n  }\n}\n";
    let pin = PIN.1.replace("\"terraform_data\"", "\"terraform_data.db\"");
    let twin = Twin::applied(mode, &[("main.tf", &format!("{main}{first}")), ("phi.hcl", &pin)], DEV);
    twin.apply_fails(PROD, "it fails");
    twin.edit("main.tf", "exit 1", "true");
    twin
}

/// What the resource is was changed by somebody else.
fn drifted(mode: Mode) -> Twin {
    let twin = single(mode, DEV);
    twin.edit_state("14.9", "15.4");
    twin
}

fn planned(twin: Twin) {
    twin.restore();
    twin.compare(DEV, "dev");
    twin.restore();
    twin.compare(PROD, "prod");
    goes_on(&twin);
}

fn unpinned(twin: Twin) {
    twin.unpin();
    twin.compare(DEV, "without the pin, dev");
    twin.settles(PROD, "without the pin, prod");
    goes_on(&twin);
}

fn renamed(twin: Twin) {
    twin.edit("main.tf", "\"db\" {", "\"db_main\" {");
    twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
    if twin.phi.dir().join("phi.hcl").exists() {
        twin.phi.write("phi.hcl", &PIN.1.replace("\"terraform_data\"", "\"terraform_data.db_main\""));
    }
    twin.compare(DEV, "renamed, dev");
    twin.settles(PROD, "renamed, prod");
    goes_on(&twin);
}

/// A value that neither copy's name nor the configuration has.
fn drifted_to_another_value(mode: Mode) {
    let twin = single(mode, DEV);
    twin.edit_state("14.9", "99.9");
    twin.restore();
    twin.compare(PROD, "prod");
    twin.settles(DEV, "dev");
}

fn refreshed_then_planned(mode: Mode) {
    planned(refreshed(mode));
}

fn refreshed_then_unpinned(mode: Mode) {
    unpinned(refreshed(mode));
}

fn refreshed_then_renamed(mode: Mode) {
    renamed(refreshed(mode));
}

fn ignored_then_planned(mode: Mode) {
    planned(ignored(mode));
}

fn ignored_then_unpinned(mode: Mode) {
    unpinned(ignored(mode));
}

fn ignored_then_renamed(mode: Mode) {
    renamed(ignored(mode));
}

fn failed_then_planned(mode: Mode) {
    planned(failed(mode));
}

fn failed_then_unpinned(mode: Mode) {
    unpinned(failed(mode));
}

fn failed_then_renamed(mode: Mode) {
    renamed(failed(mode));
}

fn drifted_then_planned(mode: Mode) {
    planned(drifted(mode));
}

fn drifted_then_unpinned(mode: Mode) {
    unpinned(drifted(mode));
}

fn drifted_then_renamed(mode: Mode) {
    renamed(drifted(mode));
}

const TWO_FIELDS: &str = r#"variable "env" { default = "dev" }
variable "size" { default = "small" }

resource "terraform_data" "db" {
  input = {
    v   = var.env == "prod" ? "15.4" : "14.9"
    w   = var.size == "big" ? "large" : "little"
    tag = "db"
  }
}
"#;

fn two_pins_and_back_to_one(mode: Mode) {
    let two = PIN.1.replace("[\"input.v\"]", "[\"input.v\", \"input.w\"]");
    for args in [DEV, PROD] {
        let twin = Twin::applied(mode, &[("main.tf", TWO_FIELDS), PIN], args);
        twin.restore();
        twin.phi.write("phi.hcl", &two);
        twin.settles(args, "two pins");
        twin.step(&["-var=env=prod", "-var=size=big"], "two pins, flipped");
        twin.restore();
        twin.phi.write("phi.hcl", PIN.1);
        twin.settles(PROD, "one pin");
        goes_on(&twin);
        twin.unpin();
        twin.settles(DEV, "no pin");
    }
}

fn two_pins_and_back_to_the_other(mode: Mode) {
    let two = PIN.1.replace("[\"input.v\"]", "[\"input.v\", \"input.w\"]");
    let twin = Twin::applied(mode, &[("main.tf", TWO_FIELDS), ("phi.hcl", &two)], DEV);
    twin.restore();
    twin.phi.write("phi.hcl", &PIN.1.replace("input.v", "input.w"));
    twin.settles(DEV, "the other pin");
    goes_on(&twin);
}

fn null_and_the_text_null(mode: Mode) {
    let main = SINGLE.1.replace("\"15.4\" : \"14.9\"", "null : \"null\"");
    for args in [DEV, PROD] {
        let twin = Twin::applied(mode, &[("main.tf", &main), PIN], args);
        twin.restore();
        twin.compare(PROD, "restored, prod");
        twin.restore();
        twin.compare(DEV, "restored, dev");
        goes_on(&twin);
        twin.unpin();
        twin.settles(PROD, "without the pin");
    }
}

fn null_and_the_text_null_join(mode: Mode) {
    let main = SINGLE.1.replace("\"15.4\" : \"14.9\"", "null : \"null\"");
    for args in [DEV, PROD] {
        let twin = Twin::applied(mode, &[("main.tf", &main), PIN], args);
        twin.edit("main.tf", "? null :", "? \"null\" :");
        twin.settles(DEV, "one value");
    }
}

every_mode!(
    the_pin_goes,
    the_pin_goes_after_a_flip,
    the_pin_of_a_call_goes,
    a_value_becomes_another,
    the_choice_becomes_a_literal,
    removed_in_place_of_a_call,
    removed_in_place_of_a_resource,
    removed_within_a_call,
    removed_where_keys_sit_in_different_copies,
    the_resource_goes,
    a_count_and_a_rename,
    a_count_and_a_rename_without_the_key,
    a_count_and_then_a_rename,
    a_count_comes,
    a_count_goes_with_a_rename,
    a_count_of_a_call_and_a_rename,
    a_rename_within_a_split_module,
    a_rename_of_what_is_split_within_a_module,
    into_a_module,
    out_of_a_module,
    refreshed_then_unpinned,
    refreshed_then_renamed,
    ignored_then_unpinned,
    ignored_then_renamed,
    failed_then_unpinned,
    failed_then_renamed,
    drifted_then_unpinned,
    drifted_then_renamed,
    null_and_the_text_null_join,
);
while_pinned!(
    nothing_is_edited,
    one_of_two_pinned_resources_is_pinned_no_more,
    prevent_destroy_becomes_a_literal,
    refreshed_then_planned,
    ignored_then_planned,
    failed_then_planned,
    drifted_then_planned,
    drifted_to_another_value,
    two_pins_and_back_to_one,
    two_pins_and_back_to_the_other,
    null_and_the_text_null,
);
