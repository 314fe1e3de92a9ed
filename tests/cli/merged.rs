//! Two branches of a committed, specialised tree: Git merges and rebases them as it would the sources, and what it makes is the merged
//! sources, specialised. Where it can't, `check --fix` puts records right, or the message leads out.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

type Files = BTreeMap<String, String>;

/// A module, with enough in between for two edits.
fn module(name: &str) -> String {
    format!(
        "variable \"v\" {{}}\n\nvariable \"size\" {{\n  default = 1\n}}\n\n# Lines in between.\n\nresource \"terraform_data\" \"{name}\" {{\n  \
         input = var.v\n}}\n\n# More of them.\n\noutput \"id\" {{\n  value = terraform_data.{name}.id\n}}\n"
    )
}

fn call(name: &str, yes: &str, no: &str) -> String {
    format!(
        "module \"{name}\" {{\n  source = \"./modules/{name}\"\n  v      = var.env == \"prod\" ? \"{yes}\" : \"{no}\"\n}}\n\n# Between calls.\n\n\
         locals {{\n  of_{name} = 1\n}}\n\n"
    )
}

fn base() -> Files {
    let env = "variable \"env\" {\n  default = \"dev\"\n}\n\n";
    let main = [env, &call("a", "a2", "a1"), &call("b", "b2", "b1"), &call("k", "k2", "k1")].concat();
    let outputs = "output \"first\" {\n  value = module.a.id\n}\n\n# One.\n# Two.\n\noutput \"last\" {\n  value = module.b.id\n}\n";
    let mut files = Files::from([
        ("main.tf".to_owned(), main),
        ("outputs.tf".to_owned(), outputs.to_owned()),
        ("phi.hcl".to_owned(), "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n".to_owned()),
        (".gitignore".to_owned(), ".terraform/\n".to_owned()),
    ]);
    files.extend(["a", "b", "k"].map(|name| (format!("modules/{name}/main.tf"), module(name))));
    files
}

type Edit = fn(&mut Files);

fn replace(files: &mut Files, path: &str, from: &str, to: &str) {
    let text = files.get_mut(path).unwrap();
    assert!(text.contains(from), "{path}: {from}");
    *text = text.replacen(from, to, 1);
}

fn add(files: &mut Files, name: &str) {
    files.insert(format!("{name}.tf"), call(name, "2", "1"));
    files.insert(format!("modules/{name}/main.tf"), module(name));
}

/// What people do on a branch.
const EDITS: &[(&str, Edit)] = &[
    ("adds-c", |f| add(f, "c")),
    ("adds-d", |f| add(f, "d")),
    ("adds-z", |f| add(f, "z")),
    ("value-of-a", |f| replace(f, "main.tf", "\"a2\"", "\"a3\"")),
    ("value-of-b", |f| replace(f, "main.tf", "\"b1\"", "\"b0\"")),
    ("joins-k", |f| replace(f, "main.tf", "\"k2\"", "\"k1\"")),
    ("head-of-a", |f| replace(f, "modules/a/main.tf", "default = 1", "default = 2")),
    ("end-of-a", |f| {
        replace(f, "modules/a/main.tf", "output \"id\" {\n", "output \"id\" {\n  description = \"x\"\n")
    }),
    ("removes-b", |f| {
        replace(f, "main.tf", &call("b", "b2", "b1"), "");
        replace(f, "outputs.tf", "output \"last\" {\n  value = module.b.id\n}\n", "");
    }),
    ("first-output", |f| {
        replace(
            f,
            "outputs.tf",
            "output \"first\"",
            "output \"zeroth\" {\n  value = module.a.id\n}\n\noutput \"first\"",
        )
    }),
    ("last-output", |f| {
        f.get_mut("outputs.tf").unwrap().push_str("\noutput \"more\" {\n  value = module.a.id\n}\n")
    }),
    ("own-text", |f| replace(f, "main.tf", "of_k = 1", "of_k = 2")),
];

fn write(dir: &Path, from: &Files, to: &Files) {
    for path in from.keys().filter(|path| !to.contains_key(*path)) {
        fs::remove_file(dir.join(path)).unwrap();
    }
    for (path, text) in to.iter().filter(|(path, text)| from.get(*path) != Some(*text)) {
        fs::create_dir_all(dir.join(path).parent().unwrap()).unwrap();
        fs::write(dir.join(path), text).unwrap();
    }
}

/// Git's status, without its success being demanded.
fn tried(dir: &Path, words: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.current_dir(dir).args(["-c", "user.name=n", "-c", "user.email=e@example.org"]).args(words);
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_EDITOR", "true");
    command.output().unwrap().status.success()
}

fn conflicts(dir: &Path) -> Vec<String> {
    git(dir, &["diff", "--name-only", "--diff-filter=U"]).lines().map(str::to_owned).collect()
}

/// The sources, without what tf-phi keeps for itself.
fn sources(dir: &Path) -> Files {
    all_but_records(dir).into_iter().filter(|(path, _)| path != "phi.moved.tf").collect()
}

/// The sources and what leads objects, without records.
fn all_but_records(dir: &Path) -> Files {
    let listed = git(dir, &["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"]);
    let own = |path: &&str| !path.starts_with(".phi/");
    let read = |path: &str| Some((path.to_owned(), fs::read_to_string(dir.join(path)).ok()?));
    listed.lines().filter(own).filter_map(read).collect()
}

/// Each file that a command changed stands in what it said.
#[track_caller]
fn assert_named(before: &Files, dir: &Path, said: &str) {
    let after = all_but_records(dir);
    for path in before.keys().chain(after.keys()).collect::<BTreeSet<_>>() {
        let is_named = said.split([' ', ',', ';', '\n']).any(|word| word.trim_end_matches('.') == path);
        assert!(before.get(path) == after.get(path) || is_named, "{path} isn't named: {said}");
    }
}

/// A repository of the originals, and one of the same tree specialised, with a branch for each edit.
struct Both {
    plain: tempfile::TempDir,
    phi: Scratch,
}

impl Both {
    fn new() -> Both {
        let plain = tempfile::tempdir().unwrap();
        let base = base();
        write(plain.path(), &Files::new(), &base);
        repository_of(plain.path());
        let phi = Scratch::new(base.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        let both = Both { plain, phi };
        both.expect(&["check", "--fix"], 0);
        repository_of(&both.dir());
        for (name, edit) in EDITS {
            let mut edited = base.clone();
            edit(&mut edited);
            for dir in [both.plain.path(), &both.dir()] {
                git(dir, &["checkout", "-q", "-b", name, "main"]);
                let is_phi = dir != both.plain.path();
                is_phi.then(|| both.expect(&["restore"], 0));
                write(dir, &base, &edited);
                is_phi.then(|| both.expect(&["check", "--fix"], 0));
                git(dir, &["add", "-A"]);
                git(dir, &["commit", "-qm", name]);
            }
        }
        both
    }

    fn dir(&self) -> PathBuf {
        self.phi.tree()
    }

    #[track_caller]
    fn expect(&self, args: &[&str], code: i32) -> Done {
        let done = self.phi.run(args);
        assert_eq!(done.code, Some(code), "{args:?}: {}{}", done.out, done.err);
        done
    }

    /// Puts one branch onto another one. Returns false where Git left a conflict.
    fn put(&self, dir: &Path, how: &str, (one, other): (&str, &str)) -> bool {
        git(dir, &["checkout", "-q", "-f", "-B", "try", one]);
        git(dir, &["clean", "-qfd"]);
        match how {
            "merge" => tried(dir, &["merge", "-q", "--no-edit", other]),
            _ => tried(dir, &["rebase", "-q", other]),
        }
    }

    /// Checks, and types what the message says where it names a copy that Git changed.
    fn follow(&self) -> Done {
        for _ in 0..4 {
            let done = self.phi.run(&["check"]);
            let Some(path) =
                done.err.split("rm ").nth(1).and_then(|rest| rest.split_once(" && tf-phi check --fix"))
            else {
                return done;
            };
            fs::remove_file(self.dir().join(path.0)).unwrap();
            let fixed = self.phi.run(&["check", "--fix"]);
            assert!(fixed.code == Some(0) || fixed.err.contains("rm "), "{}", fixed.err);
        }
        self.phi.run(&["check"])
    }

    /// Writes what is to be written, and looks whether each file that this changed is named.
    #[track_caller]
    fn fix(&self) {
        let before = all_but_records(&self.dir());
        let done = self.expect(&["check", "--fix"], 0);
        assert_named(&before, &self.dir(), &done.out);
    }

    fn abort(&self, dir: &Path, how: &str) {
        git(dir, &[how, "--abort"]);
    }
}

/// What became of pairs.
#[derive(Default, Debug)]
struct Told {
    clean: usize,
    up_to_date: usize,
    records_mended: usize,
    originals_merged: usize,
    sources_conflict: usize,
}

fn pair(both: &Both, how: &str, names: (&str, &str), told: &mut Told) {
    let what = format!("{how} {names:?}");
    if !both.put(both.plain.path(), how, names) {
        told.sources_conflict += 1;
        both.abort(both.plain.path(), how);
        return;
    }
    let want = sources(both.plain.path());
    let dir = both.dir();
    let mut done = both.put(&dir, how, names);
    // A rebase goes on with what `check --fix` makes of each commit.
    let left = conflicts(&dir);
    let is_own = |path: &String| !["main.tf", "outputs.tf"].contains(&path.as_str());
    // Beside sources in conflict Git may leave its marks in the record, too, which is read all the same.
    let is_record = |path: &String| path.starts_with(".phi/");
    assert!(!left.iter().any(is_record) || !left.iter().all(is_own), "{what}: {left:?}");
    if !done && left.iter().all(is_own) {
        both.fix();
        git(&dir, &["add", "-A"]);
        done = tried(
            &dir,
            if how == "merge" { &["commit", "-q", "--no-edit"] } else { &["rebase", "--continue"] },
        );
        assert!(done, "{what}");
        told.records_mended += 1;
    } else if done {
        told.clean += 1;
    }
    let mut turns = 0;
    while !done {
        // What Git can't merge of the copies: the message leads out, by the originals of both sides.
        let said = both.expect(&["check"], 1);
        assert!(said.err.contains("tf-phi check --fix"), "{what}: {left:?} {}", said.err);
        both.fix();
        git(&dir, &["add", "-A"]);
        done = tried(
            &dir,
            if how == "merge" { &["commit", "-q", "--no-edit"] } else { &["rebase", "--continue"] },
        );
        turns += 1;
        assert!(turns < 4, "{what}");
        told.originals_merged += usize::from(turns == 1);
    }
    let checked = both.follow();
    assert!(matches!(checked.code, Some(0 | 3)), "{what}: {}{}", checked.out, checked.err);
    told.up_to_date += usize::from(checked.code == Some(0));
    // As it is, and written anew, it is the merged sources.
    git(&dir, &["add", "-A"]);
    git(&dir, &["commit", "-q", "--allow-empty", "-m", "as merged"]);
    both.expect(&["restore"], 0);
    assert_eq!(sources(&dir), want, "{what}");
    git(&dir, &["checkout", "-q", "-f", "HEAD"]);
    git(&dir, &["clean", "-qfd"]);
    both.expect(&["check", "--fix"], 0);
    let record = fs::read_to_string(dir.join(".phi/provenance.json")).unwrap();
    serde_json::from_str::<serde_json::Value>(&record).unwrap();
    both.expect(&["check"], 0);
    both.expect(&["restore"], 0);
    assert_eq!(sources(&dir), want, "{what}");
}

/// Every second pair by one of the ways, or with `TF_PHI_WHOLE` by all of them.
#[test]
fn branches_merge_as_their_sources_do() {
    let both = Both::new();
    let mut told = Told::default();
    let is_whole = std::env::var_os("TF_PHI_WHOLE").is_some();
    let mut at = 0;
    for (i, (one, _)) in EDITS.iter().enumerate() {
        for (other, _) in EDITS.iter().skip(i + 1) {
            for (turn, (how, names)) in
                [("merge", (one, other)), ("merge", (other, one)), ("rebase", (one, other))]
                    .into_iter()
                    .enumerate()
            {
                if is_whole || at % 6 == 2 * turn {
                    pair(&both, how, (names.0, names.1), &mut told);
                }
            }
            at += 1;
        }
    }
    eprintln!("{told:?}");
    assert!(told.clean > 10, "{told:?}");
}

/// A record with the lines of both sides serves. `check` says that it isn't in order, and `check --fix` what it writes, and why.
#[test]
fn a_record_of_both_sides_is_told() {
    let main = "variable \"env\" {\n  default = \"dev\"\n}\n\nmodule \"a\" {\n  source = \"./a\"\n  protect = var.env == \"prod\"\n}\n";
    let rest =
        |at: u8| format!("{}resource \"terraform_data\" \"x\" {{\n  input = {at}\n}}\n", "\n".repeat(8));
    let module = "variable \"protect\" {\n  type = bool\n}\n\nresource \"terraform_data\" \"db\" {\n  input = \"gp3\"\n  lifecycle {\n    prevent_destroy = var.protect\n  }\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("a/main.tf", &[module, &rest(1)].concat())]);
    let dir = scratch.tree();
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    repository_of(&dir);
    for (branch, text) in [
        ("ours", [&module.replace("gp3", "io2"), &*rest(1)].concat()),
        ("theirs", [module, &rest(2)].concat()),
    ] {
        git(&dir, &["checkout", "-q", "-b", branch, "main"]);
        fs::write(dir.join("a/main.tf"), text).unwrap();
        assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
        git(&dir, &["commit", "-qam", branch]);
    }
    git(&dir, &["merge", "-q", "--no-edit", "ours"]);
    let done = scratch.run(&["check"]);
    assert!(
        done.code == Some(0) && done.err.contains("lines of both sides of a merge, which serves"),
        "{}",
        done.err
    );
    let done = scratch.run(&["check", "--fix"]);
    assert!(done.code == Some(0) && done.err.contains("is written in order"), "{}", done.err);
    assert!(
        done.out.contains(".: wrote .phi/provenance.json\n") && !done.err.contains("no file changed"),
        "{}",
        done.err
    );
    let done = scratch.run(&["check"]);
    assert!(done.code == Some(0) && !done.err.contains("merge"), "{}", done.err);
}

/// Both sides changed one line of an original. What is marked is that line, and nothing of the copies.
#[test]
fn a_conflict_is_one_of_originals() {
    let main = ["variable \"env\" {\n  default = \"dev\"\n}\n\n", &call("a", "a2", "a1")].concat();
    let phi = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::new([("main.tf", &*main), ("modules/a/main.tf", &module("a")), ("phi.hcl", phi)]);
    let dir = scratch.tree();
    let fix = || {
        let done = scratch.run(&["check", "--fix"]);
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    };
    fix();
    repository_of(&dir);
    for (branch, value) in [("ours", "a3"), ("theirs", "a4")] {
        git(&dir, &["checkout", "-q", "-b", branch, "main"]);
        assert_eq!(scratch.run(&["restore"]).code, Some(0));
        fs::write(dir.join("main.tf"), main.replace("\"a2\"", &format!("\"{value}\""))).unwrap();
        fix();
        git(&dir, &["add", "-A"]);
        git(&dir, &["commit", "-qm", branch]);
    }
    git(&dir, &["checkout", "-q", "ours"]);
    assert!(!tried(&dir, &["merge", "-q", "--no-edit", "theirs"]));
    let before = all_but_records(&dir);
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert_named(&before, &dir, &done.err);
    assert!(done.err.contains("both sides of the merge changed the same lines"), "{}", done.err);
    let marked = fs::read_to_string(dir.join("main.tf")).unwrap();
    assert!(
        marked.contains("<<<<<<< ") && !marked.contains("# phi: ") && marked.contains("\"a4\" : \"a1\""),
        "{marked}"
    );
    // Whoever runs it again without a choice gets no other text.
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(1));
    assert_eq!(fs::read_to_string(dir.join("main.tf")).unwrap(), marked);
    let chosen = main.replace("\"a2\"", "\"a4\"");
    fs::write(dir.join("main.tf"), &chosen).unwrap();
    fix();
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    assert_eq!(fs::read_to_string(dir.join("main.tf")).unwrap(), chosen);
}

/// What somebody typed while resolving is nobody else's to replace.
#[test]
fn what_was_typed_in_a_merge_stays() {
    let main = ["variable \"env\" {\n  default = \"dev\"\n}\n\n", &call("a", "a2", "a1")].concat();
    let phi = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::new([("main.tf", &*main), ("modules/a/main.tf", &module("a")), ("phi.hcl", phi)]);
    let dir = scratch.tree();
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    repository_of(&dir);
    git(&dir, &["checkout", "-q", "-b", "other"]);
    git(&dir, &["commit", "-q", "--allow-empty", "-m", "other"]);
    git(&dir, &["checkout", "-q", "main"]);
    git(&dir, &["commit", "-q", "--allow-empty", "-m", "main"]);
    assert!(tried(&dir, &["merge", "-q", "--no-edit", "--no-commit", "other"]));
    let text = fs::read_to_string(dir.join("main.tf")).unwrap();
    let typed = text.replace("module \"a_a2\" {", "module \"a_a22\" {");
    assert_ne!(typed, text);
    fs::write(dir.join("main.tf"), &typed).unwrap();
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(!done.err.contains("tf-phi check --fix"), "it is no way out: {}", done.err);
    assert_eq!(fs::read_to_string(dir.join("main.tf")).unwrap(), typed);
}

/// A tree of one call, specialised and committed.
fn one_call() -> Scratch {
    let main =
        ["variable \"env\" {\n  default = \"dev\"\n}\n\n", &call("a", "a2", "a1"), &call("b", "b2", "b1")]
            .concat();
    let phi = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let files = [
        ("main.tf", &*main),
        ("modules/a/main.tf", &module("a")),
        ("modules/b/main.tf", &module("b")),
        ("phi.hcl", phi),
    ];
    let scratch = Scratch::new(files);
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    repository_of(&scratch.tree());
    scratch
}

/// A branch on which texts of originals are replaced.
fn branch(scratch: &Scratch, name: &str, from: &str, edits: &[(&str, &str)]) {
    let dir = scratch.tree();
    git(&dir, &["checkout", "-q", "-b", name, from]);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    let mut text = fs::read_to_string(dir.join("main.tf")).unwrap();
    for (old, new) in edits {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    fs::write(dir.join("main.tf"), text).unwrap();
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    git(&dir, &["add", "-A"]);
    git(&dir, &["commit", "-qm", name]);
}

/// Where the versions in the index aren't those of the commits that seem to be merged, nothing is written.
#[test]
fn what_other_commits_brought_in_is_left_alone() {
    type Way = fn(&Path);
    let ways: [(&str, Way); 5] = [
        ("a squash on a merge", |dir| {
            assert!(tried(dir, &["merge", "-q", "--no-edit", "--no-ff", "same"]));
            assert!(!tried(dir, &["merge", "-q", "--squash", "theirs"]));
        }),
        ("a squash beside a stash", |dir| {
            let text = fs::read_to_string(dir.join("modules/a/main.tf")).unwrap();
            fs::write(dir.join("modules/a/main.tf"), format!("{text}# stashed\n")).unwrap();
            git(dir, &["stash", "-q"]);
            assert!(!tried(dir, &["merge", "-q", "--squash", "theirs"]));
        }),
        ("a renamed file", |dir| {
            git(dir, &["checkout", "-q", "-b", "renamed", "theirs"]);
            git(dir, &["mv", "main.tf", "app.tf"]);
            git(dir, &["commit", "-qm", "renamed"]);
            git(dir, &["checkout", "-q", "ours"]);
            assert!(!tried(dir, &["merge", "-q", "--no-edit", "renamed"]));
        }),
        ("a rebase that left its name", |dir| {
            let other = git(dir, &["rev-parse", "same"]);
            assert!(!tried(dir, &["merge", "-q", "--squash", "theirs"]));
            git(dir, &["update-ref", "REBASE_HEAD", other.trim()]);
        }),
        ("a checkout that merged", |dir| {
            let text = fs::read_to_string(dir.join("main.tf")).unwrap();
            fs::write(dir.join("main.tf"), text.replace("a_a3", "typed")).unwrap();
            git(dir, &["checkout", "-q", "-m", "theirs"]);
        }),
    ];
    for (what, way) in ways {
        let scratch = one_call();
        let dir = scratch.tree();
        branch(&scratch, "same", "main", &[("of_b = 1", "of_b = 2")]);
        branch(&scratch, "theirs", "main", &[("\"a2\"", "\"a4\"")]);
        branch(&scratch, "ours", "main", &[("\"a2\"", "\"a3\"")]);
        way(&dir);
        let texts = |names: &[&str]| -> Vec<Option<String>> {
            names.iter().map(|name| fs::read_to_string(dir.join(name)).ok()).collect()
        };
        let before = texts(&["main.tf", "app.tf"]);
        let done = scratch.run(&["check", "--fix"]);
        assert_eq!(done.code, Some(1), "{what}: {}{}", done.out, done.err);
        assert_eq!(texts(&["main.tf", "app.tf"]), before, "{what}");
    }
}

/// One conflict of two is decided by hand, and another one isn't.
#[test]
fn half_a_resolution_stays() {
    let scratch = one_call();
    let dir = scratch.tree();
    branch(&scratch, "theirs", "main", &[("\"a2\"", "\"a4\""), ("\"b2\"", "\"b4\"")]);
    branch(&scratch, "ours", "main", &[("\"a2\"", "\"a3\""), ("\"b2\"", "\"b3\"")]);
    assert!(!tried(&dir, &["merge", "-q", "--no-edit", "theirs"]));
    let text = fs::read_to_string(dir.join("main.tf")).unwrap();
    // A comment that somebody types between the marks.
    let typed = text.replacen("=======\n", "# typed\n=======\n", 1);
    assert_ne!(typed, text);
    fs::write(dir.join("main.tf"), &typed).unwrap();
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(1));
    assert_eq!(fs::read_to_string(dir.join("main.tf")).unwrap(), typed);
    // And so in the marks that tf-phi leaves itself.
    fs::write(dir.join("main.tf"), &text).unwrap();
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(1));
    let marked = fs::read_to_string(dir.join("main.tf")).unwrap();
    assert!(marked.contains("<<<<<<< ") && !marked.contains("# phi: "), "{marked}");
    let typed = marked.replacen("=======\n", "# typed\n=======\n", 1);
    fs::write(dir.join("main.tf"), &typed).unwrap();
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(1));
    assert_eq!(fs::read_to_string(dir.join("main.tf")).unwrap(), typed);
}

/// Git leaves the name of the last commit of a rebase, and what is taken over next is another one.
#[test]
fn a_cherry_pick_behind_a_rebase() {
    let scratch = one_call();
    let dir = scratch.tree();
    branch(&scratch, "same", "main", &[("of_b = 1", "of_b = 2")]);
    branch(&scratch, "theirs", "main", &[("\"a2\"", "\"a4\"")]);
    branch(&scratch, "ours", "main", &[("of_a = 1", "of_a = 2")]);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    git(&dir, &["add", "-A"]);
    git(&dir, &["commit", "-qm", "put back"]);
    assert!(!tried(&dir, &["cherry-pick", "theirs"]));
    let other = git(&dir, &["rev-parse", "same"]);
    git(&dir, &["update-ref", "REBASE_HEAD", other.trim()]);
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    let main = fs::read_to_string(dir.join("main.tf")).unwrap();
    assert!(main.contains("\"a4\"") && main.contains("of_a = 2") && main.contains("of_b = 1"), "{main}");
}
