//! `prevent_destroy` by a variable, changed in the run that gives an object up: the original's lifecycle in this run decides.

use super::{Kind, Mode, Twin, both_protect, cases, moved};

/// How the thing is repeated, before and after; what stands below it after.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// Two keys become one thing, the first by `moved`.
    KeysToOne,
    /// One of two keys goes.
    KeyGoes,
    /// Two become one by `moved` from the second.
    TwoToOne,
    /// Two become one without a word.
    TwoToOneUnsaid,
    /// `count` goes from two to one.
    Fewer,
    /// The thing gets another name without a word.
    Renamed,
}

impl Change {
    /// Repetition before; name, repetition, and blocks after.
    pub(super) fn texts(self, kind: Kind) -> (&'static str, &'static str, &'static str, String) {
        let address = kind.address("db");
        let from = |key: &str| moved(&format!("{address}{key}"), &address);
        let keys = "  for_each = toset([\"a\", \"b\"])\n";
        match self {
            Change::KeysToOne => (keys, "db", "", from("[\"a\"]")),
            Change::KeyGoes => (keys, "db", "  for_each = toset([\"a\"])\n", String::new()),
            Change::TwoToOne => ("  count = 2\n", "db", "", from("[1]")),
            Change::TwoToOneUnsaid => ("  count = 2\n", "db", "", String::new()),
            Change::Fewer => ("  count = 2\n", "db", "  count = 1\n", String::new()),
            Change::Renamed => ("", "other", "", String::new()),
        }
    }

    /// The tag of each instance, before and after.
    pub(super) fn tags(self) -> (&'static str, &'static str) {
        match self {
            Change::KeysToOne => ("each.key", "\"a\""),
            Change::KeyGoes => ("each.key", "each.key"),
            Change::TwoToOne => ("\"db ${count.index}\"", "\"db 1\""),
            Change::TwoToOneUnsaid => ("\"db ${count.index}\"", "\"db 0\""),
            Change::Fewer => ("\"db ${count.index}\"", "\"db ${count.index}\""),
            Change::Renamed => ("\"db\"", "\"db\""),
        }
    }
}

const PROTECT: &str = "variable \"protect\" {\n  type = bool\n}\n";

/// The sources: with `var.protect`, or with what the twin's Terraform takes.
fn sources(
    kind: Kind,
    name: &str,
    repeat: &str,
    tag: &str,
    protect: &str,
    below: &str,
) -> Vec<(&'static str, String)> {
    let resource = |name: &str, repeat: &str, tag: &str| {
        format!(
            "resource \"terraform_data\" \"{name}\" {{\n{repeat}  input = {{ tag = {tag} }}\n  lifecycle {{\n    prevent_destroy = {protect}\n  }}\n}}\n"
        )
    };
    match kind {
        Kind::Resource => vec![("main.tf", format!("{PROTECT}{}{below}", resource(name, repeat, tag)))],
        Kind::Call => vec![
            (
                "main.tf",
                format!(
                    "{PROTECT}module \"{name}\" {{\n  source = \"./m\"\n{repeat}  protect = var.protect\n  tag = {tag}\n}}\n{below}"
                ),
            ),
            ("m/main.tf", format!("{PROTECT}variable \"tag\" {{}}\n{}", resource("db", "", "var.tag"))),
        ],
    }
}

pub(super) fn borrowed<'t>(files: &'t [(&'static str, String)]) -> Vec<(&'static str, &'t str)> {
    files.iter().map(|(path, text)| (*path, text.as_str())).collect()
}

/// Applied with one value; then the change, and a run with the other value.
fn given_up(kind: Kind, change: Change, protected: bool) {
    let (repeat, name, after, below) = change.texts(kind);
    let (tag, tag_after) = change.tags();
    let argument = |protect: bool| format!("-var=protect={protect}");
    let (first, second) = (argument(!protected), argument(protected));
    let phi = sources(kind, "db", repeat, tag, "var.protect", "");
    let plain = sources(kind, "db", repeat, tag, &(!protected).to_string(), "");
    let twin = Twin::beside(Mode::InPlace, &borrowed(&phi), &borrowed(&plain));
    twin.plain.init();
    twin.phi.tf_phi(&["init", "-input=false"]).expect(0);
    twin.step(&[&first], "first");
    twin.restore();
    for (path, text) in sources(kind, name, after, tag_after, "var.protect", &below) {
        twin.phi.write(path, &text);
    }
    for (path, text) in sources(kind, name, after, tag_after, &protected.to_string(), &below) {
        twin.plain.write(path, &text);
    }
    twin.plain.init();
    twin.phi.tf_phi(&["init", "-input=false"]).expect(0);
    let all = ["plan", "-input=false", "-no-color", &second];
    if twin.plain.terraform(&all).code == 0 {
        twin.step(&[&second], "given up");
    } else {
        both_protect(&twin, &[&second], "given up");
    }
}

cases! { given_up:
    call_keys_to_one_unprotected(Kind::Call, Change::KeysToOne, false),
    call_keys_to_one_protected(Kind::Call, Change::KeysToOne, true),
    call_key_goes_unprotected(Kind::Call, Change::KeyGoes, false),
    call_key_goes_protected(Kind::Call, Change::KeyGoes, true),
    call_two_to_one_unprotected(Kind::Call, Change::TwoToOne, false),
    call_two_to_one_protected(Kind::Call, Change::TwoToOne, true),
    call_two_to_one_unsaid_unprotected(Kind::Call, Change::TwoToOneUnsaid, false),
    call_two_to_one_unsaid_protected(Kind::Call, Change::TwoToOneUnsaid, true),
    call_fewer_unprotected(Kind::Call, Change::Fewer, false),
    call_fewer_protected(Kind::Call, Change::Fewer, true),
    call_renamed_unprotected(Kind::Call, Change::Renamed, false),
    call_renamed_protected(Kind::Call, Change::Renamed, true),
    resource_keys_to_one_unprotected(Kind::Resource, Change::KeysToOne, false),
    resource_keys_to_one_protected(Kind::Resource, Change::KeysToOne, true),
    resource_key_goes_unprotected(Kind::Resource, Change::KeyGoes, false),
    resource_key_goes_protected(Kind::Resource, Change::KeyGoes, true),
    resource_two_to_one_unprotected(Kind::Resource, Change::TwoToOne, false),
    resource_two_to_one_protected(Kind::Resource, Change::TwoToOne, true),
    resource_two_to_one_unsaid_unprotected(Kind::Resource, Change::TwoToOneUnsaid, false),
    resource_two_to_one_unsaid_protected(Kind::Resource, Change::TwoToOneUnsaid, true),
    resource_fewer_unprotected(Kind::Resource, Change::Fewer, false),
    resource_fewer_protected(Kind::Resource, Change::Fewer, true),
    resource_renamed_unprotected(Kind::Resource, Change::Renamed, false),
    resource_renamed_protected(Kind::Resource, Change::Renamed, true),
}
