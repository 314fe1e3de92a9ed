//! Leaving tf-phi, or going without it for a while, with several states: a plain plan of the original is in each of them what it
//! would have been.

use super::{DEV, ENV, Mode, PROD, Twin, cases, plain_is_right, text};
use crate::support::Ran;
use std::fs;

/// How one leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// `restore`; the blocks that it prints, if it prints any, and the file that it leaves.
    Restored,
    /// The same, and everything else of tf-phi is removed, as the how-to has it.
    Removed,
    /// `tf-phi leave`.
    Leave,
    /// No run but ephemeral ones was made.
    Ephemeral,
    /// `keep = false`.
    NotKept,
}

impl Way {
    fn mode(self) -> Mode {
        if self == Way::Ephemeral { Mode::Ephemeral } else { Mode::InPlace }
    }

    fn pin(self, fields: &str) -> String {
        let settings = if self == Way::NotKept { "settings {\n  keep = false\n}\n" } else { "" };
        format!("{settings}specialize \"terraform_data.db\" {{\n  fields = [{fields}]\n}}\n")
    }
}

/// The `moved` blocks in what was printed.
fn blocks(ran: &Ran) -> String {
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

#[track_caller]
fn leave(twin: &Twin, way: Way) {
    let remove = |path: &str| {
        let path = twin.phi.dir().join(path);
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    };
    match way {
        Way::Ephemeral | Way::NotKept => return,
        Way::Restored | Way::Removed => {
            let ran = twin.phi.tf_phi(&["restore"]).expect(0);
            let printed = blocks(&ran);
            if !printed.is_empty() && text(&twin.phi, "phi.moved.tf").is_empty() {
                twin.phi.write("moved.tf", &printed);
            }
        }
        Way::Leave => {
            twin.phi.tf_phi(&["leave"]).expect(0);
            for path in ["phi.hcl", ".phi", "phi.moved.tf"] {
                assert!(!twin.phi.dir().join(path).exists(), "{path} is left");
            }
        }
    }
    if way == Way::Removed {
        remove(".phi");
        remove("phi.hcl");
    }
    twin.phi.terraform(&["get"]).expect(0);
}

/// The trees: one resource, a call, and those whose keys sit in different copies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tree {
    Resource,
    Call,
    Keys,
    CallKeys,
    Count,
}

impl Tree {
    fn files(self) -> Vec<(&'static str, String)> {
        let version = "var.env == \"prod\" ? \"15.4\" : \"16.3\"";
        let by_key = "each.key == \"a\" ? \"16.3\" : var.env == \"prod\" ? \"15.4\" : \"14.9\"";
        let keys = "  for_each = toset([\"a\", \"b\"])\n";
        let resource = |repeat: &str, version: &str, tag: &str| {
            format!(
                "resource \"terraform_data\" \"db\" {{\n{repeat}  input = {{ v = {version}, tag = {tag} }}\n  lifecycle {{\n    prevent_destroy = true\n  }}\n}}\n"
            )
        };
        let call = |repeat: &str, version: &str, tag: &str| {
            format!("module \"db\" {{\n  source = \"./m\"\n{repeat}  v = {version}\n  tag = {tag}\n}}\n")
        };
        let module = || {
            let inside = resource("", "var.v", "var.tag");
            ("m/main.tf", format!("variable \"v\" {{}}\nvariable \"tag\" {{}}\n{inside}"))
        };
        let main = |text: String| ("main.tf", format!("{ENV}{text}"));
        match self {
            Tree::Resource => vec![main(resource("", version, "\"db\""))],
            Tree::Count => vec![main(resource("  count = 2\n", version, "\"db ${count.index}\""))],
            Tree::Keys => vec![main(resource(keys, by_key, "each.key"))],
            Tree::Call => vec![main(call("", version, "\"db\"")), module()],
            Tree::CallKeys => vec![main(call(keys, by_key, "each.key")), module()],
        }
    }

    fn twin(self, way: Way) -> Twin {
        let (files, pin) = (self.files(), way.pin("\"input.v\""));
        let mut all: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        all.push(("phi.hcl", &pin));
        Twin::with(way.mode(), &all)
    }
}

#[track_caller]
fn select(twin: &Twin, workspace: &str) {
    twin.both(&["workspace", "select", "-or-create", workspace]);
}

/// Dev and prod in two workspaces; left in one of them.
fn two_workspaces(tree: Tree, way: Way, from: &str) {
    let twin = tree.twin(way);
    for (name, args) in [("dev", DEV), ("prod", PROD)] {
        select(&twin, name);
        twin.apply(args, name);
    }
    if way == Way::Ephemeral || way == Way::NotKept {
        select(&twin, "dev");
        plain_is_right(&twin, DEV, "dev between runs");
    }
    select(&twin, from);
    leave(&twin, way);
    for (name, args) in [("dev", DEV), ("prod", PROD), ("dev", PROD), ("prod", DEV)] {
        select(&twin, name);
        plain_is_right(&twin, args, &format!("{name} with {args:?}, left in {from}"));
    }
    for (name, args) in [("prod", PROD), ("dev", DEV)] {
        select(&twin, name);
        twin.both(&[&["apply", "-auto-approve", "-input=false"][..], args].concat());
        plain_is_right(&twin, args, &format!("{name}, applied"));
    }
    let list = |s: &crate::support::Scratch| s.terraform(&["state", "list"]).expect(0).stdout;
    assert_eq!(list(&twin.plain), list(&twin.phi));
}

cases! { two_workspaces:
    resource_restored(Tree::Resource, Way::Restored, "dev"),
    resource_removed(Tree::Resource, Way::Removed, "dev"),
    resource_removed_in_prod(Tree::Resource, Way::Removed, "prod"),
    resource_removed_elsewhere(Tree::Resource, Way::Removed, "default"),
    resource_leave(Tree::Resource, Way::Leave, "dev"),
    resource_leave_elsewhere(Tree::Resource, Way::Leave, "default"),
    resource_ephemeral(Tree::Resource, Way::Ephemeral, "dev"),
    resource_not_kept(Tree::Resource, Way::NotKept, "dev"),
    call_restored(Tree::Call, Way::Restored, "dev"),
    call_removed(Tree::Call, Way::Removed, "prod"),
    call_leave(Tree::Call, Way::Leave, "dev"),
    call_ephemeral(Tree::Call, Way::Ephemeral, "dev"),
    call_not_kept(Tree::Call, Way::NotKept, "prod"),
    keys_restored(Tree::Keys, Way::Restored, "dev"),
    keys_removed(Tree::Keys, Way::Removed, "dev"),
    keys_leave(Tree::Keys, Way::Leave, "prod"),
    keys_ephemeral(Tree::Keys, Way::Ephemeral, "dev"),
    keys_not_kept(Tree::Keys, Way::NotKept, "dev"),
    call_keys_removed(Tree::CallKeys, Way::Removed, "dev"),
    call_keys_leave(Tree::CallKeys, Way::Leave, "dev"),
    call_keys_not_kept(Tree::CallKeys, Way::NotKept, "prod"),
    count_removed(Tree::Count, Way::Removed, "dev"),
    count_leave(Tree::Count, Way::Leave, "dev"),
    count_not_kept(Tree::Count, Way::NotKept, "dev"),
}

/// A state that `-state` names, and no other: `restore` can't see it.
fn state_by_argument(tree: Tree, way: Way, args: &[&str]) {
    let twin = tree.twin(way);
    for scratch in [&twin.phi, &twin.plain] {
        fs::create_dir(scratch.dir().join("st")).unwrap();
    }
    let with = |args: &[&'static str]| [&["-state=st/x.tfstate"][..], args].concat();
    let yes = ["apply", "-auto-approve", "-input=false"];
    twin.plain.terraform(&[&yes[..], &with(PROD)].concat()).expect(0);
    let ran = twin.run("apply", &[&["-auto-approve"][..], &with(PROD)].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    leave(&twin, way);
    let args: Vec<&'static str> = if args == PROD { PROD.to_vec() } else { DEV.to_vec() };
    plain_is_right(&twin, &with(&args), "the state that the argument names");
    // Every object comes home where tf-phi runs again.
    if way == Way::Restored {
        twin.compare(&with(&args), "under tf-phi again");
    }
}

cases! { state_by_argument:
    resource_restored(Tree::Resource, Way::Restored, PROD),
    resource_restored_dev(Tree::Resource, Way::Restored, DEV),
    resource_leave(Tree::Resource, Way::Leave, PROD),
    resource_not_kept(Tree::Resource, Way::NotKept, PROD),
    resource_ephemeral(Tree::Resource, Way::Ephemeral, PROD),
    call_restored(Tree::Call, Way::Restored, PROD),
    call_leave(Tree::Call, Way::Leave, DEV),
    keys_restored(Tree::Keys, Way::Restored, PROD),
    keys_leave(Tree::Keys, Way::Leave, PROD),
    call_keys_not_kept(Tree::CallKeys, Way::NotKept, DEV),
}

/// Left for good, and back again before the file of moves was removed; some state was applied in between, and some wasn't.
fn back_again(tree: Tree, applied: bool) {
    let twin = tree.twin(Way::Leave);
    for (name, args) in [("dev", DEV), ("prod", PROD)] {
        select(&twin, name);
        twin.apply(args, name);
    }
    leave(&twin, Way::Leave);
    if applied {
        twin.both(&[&["apply", "-auto-approve", "-input=false"][..], PROD].concat());
    }
    twin.phi.write("phi.hcl", &Way::Leave.pin("\"input.v\""));
    let ran = twin.run("plan", DEV);
    let answer = "mv moved.tf phi.moved.tf";
    assert!(ran.code == 1 && ran.stderr.contains(answer), "{}\n{}", ran.stdout, ran.stderr);
    fs::rename(twin.phi.dir().join("moved.tf"), twin.phi.dir().join("phi.moved.tf")).unwrap();
    for (name, args) in [("prod", DEV), ("dev", PROD), ("dev", DEV), ("prod", PROD)] {
        select(&twin, name);
        twin.step(args, &format!("{name} with {args:?}, back again"));
    }
}

cases! { back_again:
    resource(Tree::Resource, false),
    resource_applied(Tree::Resource, true),
    call(Tree::Call, false),
    keys_applied(Tree::Keys, true),
    call_keys(Tree::CallKeys, false),
}
