//! What is printed for people holds no words of ours: over golden trees and examples.
//!
//! The comment that begins with `# phi:` in written files, JSON and records are contracts with words of their own. A sample of the
//! trees is put to two commands each, in turn; `TF_PHI_WHOLE=1` puts every tree to all of them.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

mod sample;

use sample::{sampled, whole};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names of types, variants and hops.
const OURS: [&str; 23] = [
    "Existing(",
    "Not(",
    "And(",
    "Or(",
    "Eq(",
    "GetAttr",
    "Prim (",
    "Prim \"",
    "ModCall",
    "NameRef",
    "ExprArg",
    "GenIter",
    "BinaryOp",
    "UnaryOp",
    "ConditionalExpr",
    "Universe var",
    "Param var",
    "Default var",
    "Some(",
    "None)",
    "FormulaId",
    "TermId",
    "internal error",
];

/// What a tree is put to; the first always.
const COMMANDS: [&[&str]; 11] = [
    &["plan", "--dry-run"],
    &["trace"],
    &["trace", "--all"],
    &["diff"],
    &["matrix"],
    &["validate"],
    &["check"],
    &["graph", "--format", "dot"],
    &["graph", "--format", "mermaid"],
    &["graph", "--format", "svg"],
    &["graph", "--format", "html"],
];

/// In so many turns a tree would have been put to all commands.
const TURNS: usize = 10;

/// One tree of so many is in the sample.
const SAMPLE: usize = 5;

/// All of them, or the sample.
fn some<T>(all: Vec<T>) -> Vec<T> {
    sampled(all, SAMPLE, "")
}

fn folders(dir: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|c| c.unwrap().path()).collect();
    all.retain(|path| path.is_dir());
    all.sort();
    all
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).into_iter().flatten() {
        let from = entry.unwrap().path();
        let to = to.join(from.file_name().unwrap());
        if from.is_dir() {
            copied(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
    }
}

/// What a command prints, without lines that are a contract.
fn said(dir: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tf-phi"));
    command.args(args).current_dir(dir).env_clear().env("TF_PHI_TERRAFORM", "/nonexistent/terraform");
    let done = command.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    text.lines().filter(|line| !line.contains("# phi:")).map(|line| format!("{line}\n")).collect()
}

/// The lines with words of ours.
fn wrong(said: &str, dir: &Path, args: &[&str]) -> Vec<String> {
    let bad = said.lines().filter(|line| OURS.iter().any(|word| line.contains(word)));
    bad.map(|line| format!("{} {args:?}: {line}", dir.display())).collect()
}

#[test]
fn reports_hold_no_words_of_ours() {
    let whole = whole();
    let golden = folders(Path::new("tests/golden")).into_iter().flat_map(|area| folders(&area));
    let trees: Vec<PathBuf> =
        golden.map(|case| case.join("in")).chain(folders(Path::new("examples"))).collect();
    assert!(trees.len() > 100, "{}", trees.len());
    let mut found = Vec::new();
    for (at, tree) in some(trees).iter().enumerate() {
        let here = |turn: usize| whole || turn == 0 || turn % TURNS == at % TURNS;
        let commands = COMMANDS.iter().enumerate().filter(|(turn, _)| here(*turn));
        found.extend(commands.flat_map(|(_, args)| wrong(&said(tree, args), tree, args)));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn explanations_hold_no_words_of_ours() {
    let scratch = tempfile::tempdir().unwrap();
    let (mut found, mut asked) = (Vec::new(), 0);
    let cases = folders(Path::new("tests/golden")).into_iter().flat_map(|area| folders(&area));
    let written = cases.filter(|case| case.join("out/.phi/provenance.json").is_file()).collect::<Vec<_>>();
    assert!(written.len() > 50, "{}", written.len());
    for case in some(written) {
        let record = fs::read_to_string(case.join("out/.phi/provenance.json")).unwrap();
        let record: serde_json::Value = serde_json::from_str(&record).unwrap();
        let tree = scratch.path().join(asked.to_string());
        let of = |one: &serde_json::Value| one["address"].as_str().map(str::to_owned);
        let Some(address) = record["specializations"].as_array().into_iter().flatten().find_map(of) else {
            continue;
        };
        copied(&case.join("in"), &tree);
        copied(&case.join("out"), &tree);
        asked += 1;
        let text = said(&tree, &["explain", &address]);
        assert!(text.contains("decided by"), "{}: {text}", case.display());
        found.extend(wrong(&text, &case, &["explain", &address]));
    }
    assert!(asked > 10, "{asked}");
    assert!(found.is_empty(), "{}", found.join("\n"));
}
