//! What Git leaves out although it has to be committed: who writes is told, `check` isn't content, and the lines that are printed help.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;
use crate::cli_common::git::{git, repository_of};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use std::process::Command;

const MAIN: &str = "variable \"env\" {\n  type    = string\n  default = \"dev\"\n  validation {\n    condition     = contains([\"dev\", \"prod\"], var.env)\n    \
    error_message = \"dev or prod\"\n  }\n}\n\nmodule \"m\" {\n  source = \"./modules/m\"\n  size   = var.env == \"prod\" ? \"large\" : \"small\"\n}\n";
const PHI: &str = "specialize \"terraform_data.s\" {\n  fields = [\"input\"]\n}\n";

/// A module so long that its copies share a file.
fn module() -> String {
    let rest = (0..40).map(|n| format!("\nresource \"terraform_data\" \"x{n}\" {{\n  input = {n}\n}}\n"));
    let own = "variable \"size\" {\n  type = string\n}\n\nresource \"terraform_data\" \"s\" {\n  input = var.size\n}\n";
    own.to_owned() + &rest.collect::<String>()
}

/// A repository with the original committed, and a list of what Git ignores.
fn repository(ignored: &str) -> Scratch {
    let scratch = Scratch::new([("main.tf", MAIN), ("phi.hcl", PHI), ("modules/m/main.tf", &module())]);
    let tree = scratch.tree();
    repository_of(&tree);
    fs::write(tree.join(".gitignore"), ignored).unwrap();
    git(&tree, &["add", "--force", ".gitignore"]);
    git(&tree, &["commit", "-qm", "what is ignored"]);
    scratch
}

fn said(scratch: &Scratch, words: &[&str]) -> (Option<i32>, String) {
    let done = scratch.run(words);
    (done.code, done.out + &done.err)
}

/// The issues of `check`, each with the list that is named and the lines for it.
fn issues(scratch: &Scratch) -> Vec<(String, String)> {
    let done = scratch.run(&["check", "--format", "json"]);
    let all: Json = serde_json::from_str(&done.out).unwrap();
    let issues = all["directories"][0]["issues"].as_array().unwrap().clone();
    let of_git = issues.iter().filter(|issue| issue["code"] == "ignored");
    of_git.map(|issue| (text(&issue["file"]), text(&issue["fixes"][0]["paste"]))).collect()
}

fn text(value: &Json) -> String {
    value.as_str().unwrap().to_owned()
}

/// What Git ignores of all that it doesn't track, but for what stays on this machine.
fn ignored(tree: &Path) -> Vec<String> {
    let listed = git(tree, &["ls-files", "--others", "--ignored", "--exclude-standard"]);
    let own = [".phi/.gitignore", ".phi/local.json"];
    listed.lines().filter(|name| !own.contains(name)).map(str::to_owned).collect()
}

fn append(path: &Path, lines: &str) {
    let before = fs::read_to_string(path).unwrap_or_default();
    fs::write(path, format!("{before}{lines}\n")).unwrap();
}

#[test]
fn records_are_committed_in_spite_of_a_pattern() {
    let scratch = repository("*.json\n*.jsonl\n**/.phi/**\n.phi/*\n");
    let (code, all) = said(&scratch, &["check", "--fix"]);
    assert!(code == Some(0) && !all.contains("ignores"), "{all}");
    assert_eq!(ignored(&scratch.tree()), [] as [&str; 0]);
    assert_eq!(said(&scratch, &["check"]).0, Some(0));
    // A list of an earlier version becomes that of this one with the next record.
    let list = scratch.tree().join(".phi/.gitignore");
    fs::write(&list, "local.json\n.gitignore\n").unwrap();
    assert_eq!(said(&scratch, &["check"]).0, Some(1));
    append(&scratch.tree().join("modules/m/main.tf"), "\nresource \"terraform_data\" \"new\" {}");
    let (code, all) = said(&scratch, &["check", "--fix"]);
    assert!(code == Some(0) && !all.contains("ignores"), "{all}");
    assert!(fs::read_to_string(&list).unwrap().contains("!provenance.json"));
    assert_eq!(said(&scratch, &["restore"]).0, Some(0));
    assert!(!list.exists());
}

#[test]
fn a_list_of_what_is_not_ignored_takes_records_in() {
    let scratch = repository("*\n!*.tf\n!*/\n");
    let (code, all) = said(&scratch, &["check", "--fix"]);
    assert!(code == Some(0) && !all.contains("ignores"), "{all}");
    assert_eq!(ignored(&scratch.tree()), [] as [&str; 0]);
}

#[test]
fn the_lines_of_doctor_help_before_the_first_run() {
    for pattern in [
        ".*",
        ".phi",
        ".phi/",
        "**/.*",
        "*.json",
        "*.jsonl",
        "*.json*",
        "*_override.tf",
        "phi.*",
        "*",
        "*.tf",
        "override.tf\n*_override.tf\n.*\n*.moved.tf",
    ] {
        let scratch = repository(&format!("{pattern}\n"));
        let (code, all) = said(&scratch, &["doctor"]);
        if !all.contains("ignores nothing that has to be committed") {
            assert!(code == Some(1) && all.contains(" .gitignore:"), "{pattern}\n{all}");
            let (_, lines) = all.split_once("at the end of .gitignore").unwrap();
            let lines: Vec<&str> = lines
                .split_once(':')
                .unwrap()
                .1
                .split_whitespace()
                .take_while(|line| line.starts_with('!'))
                .collect();
            append(&scratch.tree().join(".gitignore"), &lines.join("\n"));
        }
        let (_, all) = said(&scratch, &["doctor"]);
        assert!(all.contains("ignores nothing that has to be committed"), "{pattern}\n{all}");
        let (code, all) = said(&scratch, &["check", "--fix"]);
        let left = issues(&scratch);
        left.iter().for_each(|(list, lines)| append(&scratch.tree().join(list), lines));
        assert_eq!((code, ignored(&scratch.tree())), (Some(0), Vec::new()), "{pattern}\n{all}");
    }
}

#[test]
fn the_lines_that_are_printed_help_with_every_pattern() {
    for pattern in [
        ".*",
        ".phi",
        ".phi/",
        "/.phi/",
        "**/.*",
        ".*/",
        "phi.*",
        "*-small",
        "modules/*-small",
        "modules/*-small/",
        "/modules/*-small/*.tf",
        "*.moved.tf",
        "*.tf",
        "*",
    ] {
        let scratch = repository(&format!("{pattern}\n"));
        let (code, all) = said(&scratch, &["check", "--fix"]);
        assert!(code == Some(0) && all.contains("Git ignores what has to be committed"), "{pattern}\n{all}");
        let (code, all) = said(&scratch, &["check"]);
        assert!(code == Some(1) && all.contains(".gitignore:1: `"), "{pattern}\n{all}");
        let found = issues(&scratch);
        assert_eq!(found.len(), 1, "{pattern}");
        append(&scratch.tree().join(&found[0].0), &found[0].1);
        assert_eq!(ignored(&scratch.tree()), [] as [&str; 0], "{pattern}\n{}", found[0].1);
        let (code, all) = said(&scratch, &["check"]);
        assert_eq!(code, Some(0), "{pattern}\n{all}");
    }
}

#[test]
fn a_list_above_gets_lines_for_the_root_below() {
    let files = [
        ("live/a b/main.tf", MAIN),
        ("live/a b/phi.hcl", PHI),
        ("live/a b/modules/m/main.tf", &module()),
        (".gitignore", ".*\n*-large/\n"),
    ];
    let scratch = Scratch::new(files);
    repository_of(&scratch.tree());
    git(&scratch.tree(), &["add", "--force", ".gitignore"]);
    let (code, all) = said(&scratch, &["-chdir=live/a b", "check", "--fix"]);
    assert!(code == Some(0) && all.contains("at the end of ../../.gitignore"), "{all}");
    let done = scratch.run(&["-chdir=live/a b", "check", "--format", "json"]);
    let found: Json = serde_json::from_str(&done.out).unwrap();
    append(
        &scratch.tree().join(".gitignore"),
        found["directories"][0]["issues"][0]["fixes"][0]["paste"].as_str().unwrap(),
    );
    let listed = git(&scratch.tree(), &["ls-files", "--others", "--ignored", "--exclude-standard"]);
    assert_eq!(listed.lines().count(), 2, "{listed}");
    assert_eq!(said(&scratch, &["-chdir=live/a b", "check"]).0, Some(0));
}

#[test]
fn what_one_machine_excludes_is_told_and_written_as_elsewhere() {
    let plain = repository("");
    assert_eq!(said(&plain, &["check", "--fix"]).0, Some(0));
    for by_config in [false, true] {
        let scratch = repository("");
        let tree = scratch.tree();
        let list = if by_config { "private" } else { ".git/info/exclude" };
        fs::write(tree.join(list), "*_override.tf\nprivate\n").unwrap();
        if by_config {
            git(&tree, &["config", "core.excludesFile", tree.join(list).to_str().unwrap()]);
        }
        let (code, all) = said(&scratch, &["check", "--fix"]);
        assert!(code == Some(0) && all.contains("A list of this machine alone"), "{all}");
        assert!(!all.contains("`*_override.tf`"), "a line of a private list is shown\n{all}");
        for path in ["main.tf", "modules/m-large/main.tf", "modules/m-large/phi_override.tf"] {
            let read = |scratch: &Scratch| fs::read_to_string(scratch.tree().join(path)).unwrap();
            assert_eq!(read(&scratch), read(&plain), "{path}");
        }
        assert_eq!(said(&scratch, &["check"]).0, Some(1));
        let (code, all) = said(&scratch, &["doctor"]);
        assert!(code == Some(1) && all.contains("!phi_override.tf"), "{all}");
        assert_eq!(issues(&scratch), [(".gitignore".to_owned(), "!phi_override.tf".to_owned())]);
        append(&tree.join(".gitignore"), "!phi_override.tf");
        assert_eq!(said(&scratch, &["check"]).0, Some(0));
        assert!(!ignored(&tree).iter().any(|name| name.ends_with("override.tf")));
    }
}

#[test]
fn what_git_tracks_is_not_ignored() {
    let scratch = repository(".*\n");
    said(&scratch, &["check", "--fix"]);
    assert_eq!(said(&scratch, &["check"]).0, Some(1));
    git(&scratch.tree(), &["add", "--force", ".phi"]);
    assert_eq!(said(&scratch, &["check"]).0, Some(0));
}

/// `.phi/` was never committed, and the clone can't tell what stands there.
#[test]
fn a_clone_without_a_record_finds_out() {
    let scratch = repository("");
    let tree = scratch.tree();
    append(&tree.join("main.tf"), "\nresource \"terraform_data\" \"late\" {}");
    git(&tree, &["commit", "-qam", "late"]);
    let before = git(&tree, &["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(said(&scratch, &["check", "--fix"]).0, Some(0));
    git(&tree, &["add", "-A", "--", ".", ":!.phi/provenance.json"]);
    git(&tree, &["commit", "-qm", "without the record"]);
    let clone = Scratch::new([]);
    git(&clone.tree(), &["clone", "-q", tree.to_str().unwrap(), "."]);
    let command = format!(
        "git restore --source={before} -- . ':!.gitignore' ':!.phi/history.jsonl' && tf-phi check --fix"
    );
    for words in [&["check"][..], &["check", "--fix"], &["restore"], &["plan"]] {
        let (code, all) = said(&clone, words);
        assert_eq!(code, Some(1), "{words:?}");
        for text in ["No commit", "git add --force .phi/provenance.json", &command] {
            assert!(all.contains(text), "{words:?} {text}\n{all}");
        }
        assert!(!all.contains("COMMIT"), "{all}");
    }
    git(
        &clone.tree(),
        &["restore", &format!("--source={before}"), "--", ".", ":!.gitignore", ":!.phi/history.jsonl"],
    );
    let (code, all) = said(&clone, &["check", "--fix"]);
    assert_eq!(code, Some(0), "{all}");
    for path in ["main.tf", "phi.moved.tf", ".phi/provenance.json", "modules/m-large/phi_override.tf"] {
        let read = |scratch: &Scratch| fs::read_to_string(scratch.tree().join(path)).unwrap();
        assert_eq!(read(&clone), read(&scratch), "{path}");
    }
    // What the record says is committed from where it was written.
    git(&tree, &["add", "--force", ".phi/provenance.json"]);
    git(&tree, &["commit", "-qm", "the record"]);
    let other = Scratch::new([]);
    git(&other.tree(), &["clone", "-q", tree.to_str().unwrap(), "."]);
    assert_eq!(said(&other, &["check"]).0, Some(0));
}

/// Copies of a module that lies above stand in `.phi/modules`, and were committed without the record.
#[test]
fn a_clone_of_a_root_below_finds_out() {
    let main = MAIN.replace("./modules/m", "../../modules/m");
    let files = [("live/app/main.tf", &*main), ("live/app/phi.hcl", PHI), ("modules/m/main.tf", &module())];
    let scratch = Scratch::new(files);
    let tree = scratch.tree();
    repository_of(&tree);
    let before = git(&tree, &["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(said(&scratch, &["-chdir=live/app", "check", "--fix"]).0, Some(0));
    git(&tree, &["add", "-A", "--", ".", ":!live/app/.phi/provenance.json"]);
    git(&tree, &["commit", "-qm", "without the record"]);
    let clone = Scratch::new([]);
    git(&clone.tree(), &["clone", "-q", tree.to_str().unwrap(), "."]);
    let (code, all) = said(&clone, &["-chdir=live/app", "check"]);
    assert!(code == Some(1) && all.contains(&format!("git restore --source={before} -- . ")), "{all}");
    let words = ["restore", &format!("--source={before}"), "--", ".", ":!.gitignore", ":!.phi/history.jsonl"];
    git(&clone.tree().join("live/app"), &words);
    let (code, all) = said(&clone, &["-chdir=live/app", "check", "--fix"]);
    assert_eq!(code, Some(0), "{all}");
    git(&clone.tree(), &["add", "-A", "--", ":!live/app/.phi/provenance.json"]);
    assert_eq!(git(&clone.tree(), &["diff", "--cached", "--name-only"]), "");
}

/// Git would wait for a list that is a pipe: it isn't asked, and nothing is claimed.
#[test]
fn git_is_not_asked_where_a_list_is_a_pipe() {
    let scratch = repository("");
    assert_eq!(said(&scratch, &["check", "--fix"]).0, Some(0));
    let list = scratch.tree().join("modules/m-large/.gitignore");
    assert!(Command::new("mkfifo").arg(&list).status().unwrap().success());
    let (_, all) = said(&scratch, &["doctor"]);
    assert!(all.contains("can't be asked") && !all.contains("ignores nothing"), "{all}");
    let (code, all) = said(&scratch, &["check"]);
    assert!(code == Some(0) && all.contains("Warning: whether Git ignores"), "{all}");
}
