//! A history in which one name stands for two originals: it is told, with what leads out. What two branches write is no more than their lines.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::Scratch;
use crate::cli_common::git::git;
use std::fs;
use std::process::Command;

const HISTORY: &str = ".phi/history.jsonl";
const MAIN: &str = "variable \"env\" {\n  default = \"dev\"\n}\nresource \"terraform_data\" \"a\" {\n  input = \"x\"\n  lifecycle {\n    \
                    create_before_destroy = var.env == \"prod\"\n  }\n}\nresource \"terraform_data\" \"z\" {\n  input = \"z\"\n  lifecycle {\n    \
                    create_before_destroy = var.env == \"prod\"\n  }\n}\n";
const NAME: &str = "terraform_data.a_create_before_destroy_false";

fn line(original: &str, keys: &str) -> String {
    format!("{{\"address\":\"{NAME}\",\"original\":\"{original}\",\"keys\":\"{keys}\"}}\n")
}

fn specialised() -> Scratch {
    let scratch = Scratch::new([("main.tf", MAIN)]);
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    scratch
}

fn add(scratch: &Scratch, line: &str) {
    let path = scratch.tree().join(HISTORY);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, format!("{text}{line}")).unwrap();
}

/// The commands that a message gives to be pasted.
fn find_pastes(said: &str) -> Vec<String> {
    let is_paste = |line: &&str| line.starts_with("perl ") || line.starts_with("printf ");
    said.lines().map(str::trim).filter(is_paste).map(str::to_owned).collect()
}

fn paste(scratch: &Scratch, command: &str) {
    // The rest is the program's own.
    let (own, rest) = command.split_once(" && ").unwrap();
    assert_eq!(rest, "tf-phi check --fix");
    let done = Command::new("sh").arg("-c").arg(own).current_dir(scratch.tree()).output().unwrap();
    assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(0), "{command}: {}{}", done.out, done.err);
}

#[test]
fn a_name_with_two_originals_is_told_and_settled_as_printed() {
    for kept in 0..2 {
        let scratch = specialised();
        add(&scratch, &line("terraform_data.z", "gate"));
        for words in [&["check"][..], &["validate"], &["plan"], &["check", "--fix"]] {
            let done = scratch.run(words);
            let said = format!("{}{}", done.out, done.err);
            assert_eq!(done.code, Some(1), "{words:?} {said}");
            for part in ["is a copy of two originals", ".phi/history.jsonl:5", "terraform_data.z"] {
                assert!(said.contains(part), "{words:?} {part}: {said}");
            }
        }
        let done = scratch.run(&["check"]);
        let pastes = find_pastes(&format!("{}{}", done.out, done.err));
        assert_eq!(pastes.len(), 2, "{pastes:?}");
        paste(&scratch, pastes.get(kept).unwrap());
        let text = fs::read_to_string(scratch.tree().join(HISTORY)).unwrap();
        assert_eq!(text.contains(&line("terraform_data.a", "gate")), kept == 0, "{text}");
        assert_eq!(text.contains(&line("terraform_data.z", "gate")), kept == 1, "{text}");
        assert_eq!(scratch.run(&["check"]).code, Some(0));
    }
}

/// Twice the same line, in another order, with both kinds of keys: `count` came on one branch, and a state may hold either form.
#[test]
fn what_two_branches_merge_to_is_no_contradiction() {
    for more in [
        line("terraform_data.a", "gate"),
        line("terraform_data.a", "own"),
        line(NAME, "own"),
        line("terraform_data.a", "gate").replace("\"gate\"", "\"gate\",\"applied\":\"terraform_data.a\""),
    ] {
        let scratch = specialised();
        add(&scratch, &more);
        let done = scratch.run(&["check"]);
        assert!(
            !done.err.contains("two originals") && done.code != Some(1),
            "{more} {}{}",
            done.out,
            done.err
        );
    }
}

/// Two branches that give one name to copies of different resources.
#[test]
fn branches_that_take_one_name_are_told_and_settled_as_printed() {
    let file = |name: &str, yes: &str, no: &str| {
        format!(
            "resource \"terraform_data\" \"{name}\" {{\n  input = var.env == \"prod\" ? \"{yes}\" : \"{no}\"\n}}\n"
        )
    };
    for kept in 0..2 {
        let scratch = Scratch::new([
            ("main.tf", "variable \"env\" {\n  default = \"dev\"\n}\n"),
            ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n"),
        ]);
        let tree = scratch.tree();
        git(&tree, &["init", "-q", "-b", "main"]);
        let commit = |branch: &str, name: &str, text: &str| {
            git(&tree, &["checkout", "-q", "-b", branch, "main"]);
            fs::write(tree.join(name), text).unwrap();
            assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
            git(&tree, &["add", "-A"]);
            git(&tree, &["commit", "-qm", branch]);
        };
        git(&tree, &["add", "-A"]);
        git(&tree, &["commit", "-qm", "main"]);
        // The second branch starts where the first one did.
        fs::create_dir_all(tree.join(".phi")).unwrap();
        fs::write(tree.join(".phi/.gitattributes"), "history.jsonl merge=union\nprovenance.json merge=union linguist-generated\nmodules/** linguist-generated\n").unwrap();
        git(&tree, &["add", "-A"]);
        git(&tree, &["commit", "-qm", "attributes"]);
        commit("one", "a.tf", &file("a", "b_c", "d"));
        commit("two", "ab.tf", &file("a_b", "c", "e"));
        let merge = Command::new("git").args(["merge", "-q", "one"]).current_dir(&tree).output().unwrap();
        assert!(!merge.status.success());
        let done = scratch.run(&["check"]);
        let said = format!("{}{}", done.out, done.err);
        assert!(done.code == Some(1) && said.contains("is a copy of two originals"), "{said}");
        paste(&scratch, find_pastes(&said).get(kept).unwrap());
        assert_eq!(scratch.run(&["check"]).code, Some(0));
        let moves = fs::read_to_string(tree.join("phi.moved.tf")).unwrap();
        let froms =
            moves.lines().filter(|line| line.contains("from") && line.ends_with("terraform_data.a_b_c[0]"));
        assert!(froms.count() <= 1, "{moves}");
    }
}

/// What the history says counts, where the record says something else: so it is settled.
#[test]
fn the_record_gives_no_second_meaning() {
    let scratch = specialised();
    let path = scratch.tree().join(HISTORY);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace(&line("terraform_data.a", "gate"), &line("terraform_data.z", "gate")))
        .unwrap();
    assert_eq!(scratch.run(&["check"]).code, Some(3));
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.contains(&line("terraform_data.z", "gate")) && !text.contains(&line("terraform_data.a", "gate")),
        "{text}"
    );
    assert_eq!(scratch.run(&["check"]).code, Some(0));
}

/// Nor does a word of the user's.
#[test]
fn a_second_original_is_not_taken() {
    let scratch = specialised();
    let before = fs::read_to_string(scratch.tree().join(HISTORY)).unwrap();
    let done = scratch.run(&["history", "--copy", &format!("{NAME}[0]=terraform_data.z")]);
    assert!(done.err.contains("is a copy of terraform_data.a already"), "{}{}", done.out, done.err);
    assert_eq!(fs::read_to_string(scratch.tree().join(HISTORY)).unwrap(), before);
}
