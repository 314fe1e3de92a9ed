//! `verify` and `check` never say that all is well where an object would be destroyed.

use super::twin::{Mode, Twin, ends_nothing};
use super::{
    CALL, CALL_KEYS, CALLED, CALLED_KEYS, DEV, KEYS, NESTED_CALLED, NESTED_KEYS, PIN, PROD, SINGLE, moved,
    while_pinned,
};

const TWO_FIELDS: (&str, &str) = (
    "main.tf",
    r#"variable "env" { default = "dev" }

resource "terraform_data" "db" {
  for_each         = { a = "15.4", b = "15.4" }
  input            = { v = var.env == "prod" ? "16.2" : "null", tag = "db ${each.key}" }
  triggers_replace = { r = lookup({ a = "16.2", b = "14.9" }, each.key, "17.2") }
}
"#,
);
const TWO_PINS: (&str, &str) =
    ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input.v\", \"triggers_replace.r\"]\n}\n");

/// `verify` says equal where the plan is the twin's, and only there.
#[track_caller]
fn verify_knows(twin: &Twin, args: &[&str], what: &str) {
    let said = twin.phi.tf_phi(&[&["verify", "-no-color"][..], args].concat());
    let want = twin.plain.plan(args);
    let file = twin.phi.aside("verified.out");
    let out = format!("-out={}", file.display());
    let ran = twin.run("plan", &[&[out.as_str()][..], args].concat());
    let equal = ran.code == 0 && super::twin::fates(&want) == super::twin::fates(&twin.phi.show(&file));
    assert!(
        (said.code == 0) == equal,
        "{what}: verify ends with {}, and the plans are {}\n{}\n{}",
        said.code,
        if equal { "the same" } else { "different" },
        said.stdout,
        said.stderr
    );
}

fn when_the_pin_goes(mode: Mode) {
    for files in
        [&[SINGLE][..], &[CALL, CALLED], &[KEYS], &[CALL_KEYS, CALLED_KEYS], &[NESTED_KEYS, NESTED_CALLED]]
    {
        let twin = Twin::applied(mode, &[files, &[PIN]].concat(), DEV);
        twin.unpin();
        verify_knows(&twin, DEV, files[0].1);
    }
}

fn when_the_pin_goes_after_restore(mode: Mode) {
    for files in [&[SINGLE][..], &[CALL, CALLED], &[KEYS]] {
        let twin = Twin::applied(mode, &[files, &[PIN]].concat(), DEV);
        twin.restore();
        twin.unpin();
        verify_knows(&twin, DEV, files[0].1);
    }
}

fn when_values_join(mode: Mode) {
    for (files, path) in [(&[KEYS][..], "main.tf"), (&[NESTED_KEYS, NESTED_CALLED], "app/main.tf")] {
        let twin = Twin::applied(mode, &[files, &[PIN]].concat(), DEV);
        twin.edit(path, "b = \"2\"", "b = \"1\"");
        verify_knows(&twin, DEV, files[0].1);
    }
}

fn when_a_key_goes(mode: Mode) {
    let twin = Twin::applied(mode, &[KEYS, PIN], DEV);
    twin.edit("main.tf", "toset([\"a\", \"b\"])", "toset([\"b\"])");
    verify_knows(&twin, DEV, "only b");
}

/// What is destroyed has the original's address, not a copy's that nothing declares any more.
fn when_it_goes_with_its_pin(mode: Mode) {
    for first in [DEV, PROD] {
        let twin = Twin::applied(mode, &[TWO_FIELDS, TWO_PINS], first);
        twin.write("main.tf", "variable \"env\" { default = \"dev\" }\n");
        verify_knows(&twin, PROD, "it goes");
        twin.restore();
        twin.phi.write("phi.hcl", "");
        verify_knows(&twin, DEV, "and its pin");
        twin.run("apply", &["-auto-approve", "-refresh-only", DEV[0]]).expect(0);
        verify_knows(&twin, PROD, "and its pin, under another value");
    }
}

/// A call within a copy, whose own resource had copies.
fn when_an_inner_call_goes(mode: Mode) {
    const DB: &str =
        "variable \"v\" {}\nresource \"terraform_data\" \"db\" {\n  input = { v = var.v, tag = \"db\" }\n}\n";
    let inner = "module \"inner\" {\n  source = \"../inner\"\n}\n";
    let main = "variable \"env\" { default = \"dev\" }\nmodule \"app\" {\n  source = \"./app\"\n  v = var.env == \"prod\" ? \"2\" : \
                \"1\"\n}\n";
    let keys = "resource \"terraform_data\" \"cache\" {\n  for_each = { a = \"1\", b = \"2\" }\n  input = { v = each.value, tag = \
                each.key }\n}\n";
    let pins = "specialize \"module.app\" {\n  fields = [\"v\"]\n}\nspecialize \"module.app.module.inner.terraform_data.cache\" {\n  \
                fields = [\"input.v\"]\n}\n";
    let files = [
        ("main.tf", main),
        ("app/main.tf", &format!("{DB}{inner}")),
        ("inner/main.tf", keys),
        ("phi.hcl", pins),
    ];
    let twin = Twin::applied(mode, &files, DEV);
    twin.write("app/main.tf", DB);
    twin.phi.write("phi.hcl", "specialize \"module.app\" {\n  fields = [\"v\"]\n}\n");
    for args in [PROD, DEV, PROD] {
        verify_knows(&twin, args, "the inner call goes");
    }
}

fn when_it_is_renamed(mode: Mode) {
    for files in [&[SINGLE][..], &[KEYS]] {
        let twin = Twin::applied(mode, &[files, &[PIN]].concat(), DEV);
        twin.edit("main.tf", "\"db\" {", "\"db_main\" {");
        twin.append("main.tf", &moved("terraform_data.db", "terraform_data.db_main"));
        for args in [DEV, PROD, DEV] {
            verify_knows(&twin, args, files[0].1);
        }
    }
}

fn when_an_object_is_given_up(mode: Mode) {
    let twin = Twin::applied(mode, &[CALL, CALLED, PIN], DEV);
    twin.write(
        "main.tf",
        "variable \"env\" { default = \"dev\" }\n\nremoved {\n  from = module.db\n\n  lifecycle {\n    destroy = false\n  }\n}\n",
    );
    twin.unpin();
    verify_knows(&twin, DEV, "removed");
}

while_pinned!(
    when_the_pin_goes,
    when_the_pin_goes_after_restore,
    when_values_join,
    when_a_key_goes,
    when_it_goes_with_its_pin,
    when_an_inner_call_goes,
    when_it_is_renamed,
    when_an_object_is_given_up,
);

// A file put by hand into the folder of a copy.

const EXTRA: (&str, &str) = (
    "db-v15-4/extra.tf",
    "resource \"terraform_data\" \"extra\" {\n  input = { v = \"mine\", tag = \"extra\" }\n}\n",
);

fn with_a_file_in_a_copy() -> Twin {
    let twin = Twin::applied(Mode::InPlace, &[CALL, CALLED, PIN], PROD);
    twin.phi.write(EXTRA.0, EXTRA.1);
    twin
}

#[test]
fn a_file_in_a_copy_is_not_up_to_date() {
    let twin = with_a_file_in_a_copy();
    let ran = twin.phi.tf_phi(&["check"]);
    assert_ne!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("0 of 1 directory up to date"), "{}", ran.stdout);
}

#[test]
fn a_file_in_a_copy_is_not_equal() {
    let twin = with_a_file_in_a_copy();
    let ran = twin.phi.tf_phi(&["verify", "-no-color", PROD[0]]);
    assert_ne!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

/// Whoever applies it, no flip loses its object: the run stops, and names the file or the object.
#[test]
fn what_a_file_in_a_copy_made_is_not_destroyed() {
    for by in ["tf-phi", "terraform"] {
        let twin = with_a_file_in_a_copy();
        let all = ["apply", "-auto-approve", "-input=false", "-no-color", PROD[0]];
        let ran = if by == "tf-phi" { twin.phi.tf_phi(&all) } else { twin.phi.terraform(&all) };
        if ran.code != 0 {
            assert_eq!(by, "tf-phi", "{}", ran.stderr);
            assert!(ran.stderr.contains("extra.tf"), "{}", ran.stderr);
            continue;
        }
        for args in [DEV, PROD] {
            let before = twin.phi.everything();
            let file = twin.phi.aside("flip.out");
            let out = format!("-out={}", file.display());
            let ran = twin.phi.tf_phi(&["plan", "-input=false", "-no-color", &out, args[0]]);
            if ran.code == 0 {
                assert!(ends_nothing(&twin.phi.show(&file)), "{by}: a flip loses it\n{}", ran.stdout);
            } else {
                assert!(ran.stderr.contains("extra"), "{}", ran.stderr);
                assert_eq!(twin.phi.everything(), before, "{by}: something was written");
            }
        }
    }
}

/// `restore` loses no file that tf-phi didn't write.
#[test]
fn restore_keeps_a_file_in_a_copy() {
    let twin = with_a_file_in_a_copy();
    twin.phi.tf_phi(&["restore"]);
    assert_eq!(twin.phi.read(EXTRA.0), EXTRA.1);
}

/// Under another value of the pin the folder is no longer written: the file stays, and its object with it.
#[test]
fn a_file_in_a_copy_that_goes() {
    let twin = with_a_file_in_a_copy();
    twin.phi.apply(PROD);
    twin.phi.tf_phi(&["restore"]);
    let text = twin.phi.read("main.tf");
    if !text.contains("module \"db\" {") {
        return;
    }
    twin.phi.write("main.tf", &text.replace("15.4", "16.1"));
    let file = twin.phi.aside("gone.out");
    let out = format!("-out={}", file.display());
    let ran = twin.phi.tf_phi(&["plan", "-input=false", "-no-color", &out, PROD[0]]);
    if ran.code == 0 {
        assert!(ends_nothing(&twin.phi.show(&file)), "its object is lost\n{}", ran.stdout);
    }
    assert_eq!(twin.phi.read(EXTRA.0), EXTRA.1);
}
