//! What Git gives back between two runs: originals in place of what was written, other line endings, files in place of links.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use std::fs;
use std::path::Path;

const MAIN: &str = "variable \"protect\" {\n  type    = bool\n  default = false\n}\n\n\
    resource \"terraform_data\" \"db\" {\n  lifecycle {\n    prevent_destroy = var.protect\n  }\n}\n\n\
    output \"note\" {\n  value = <<-EOT\n    kept: ${terraform_data.db.id}\n    \"as it is\"\n  EOT\n}\n";
const OTHER: &str = "module \"a\" {\n  source  = \"./m\"\n  protect = var.protect\n}\n";
/// A root module in a folder of its own.
const OUTER: &str = "variable \"protect\" {\n  type = bool\n}\nmodule \"a\" {\n  source  = \"../m\"\n  protect = var.protect\n}\n";
const INNER: &str = "variable \"protect\" {\n  type = bool\n}\nresource \"terraform_data\" \"inner\" {\n  lifecycle {\n    \
    prevent_destroy = var.protect\n  }\n}\noutput \"text\" {\n  value = <<EOT\nprotected: ${var.protect}\nEOT\n}\n";

fn scratch() -> Scratch {
    Scratch::new([("main.tf", MAIN), ("other.tf", OTHER), ("m/main.tf", INNER)])
}

/// A repository with the original committed, specialised since.
fn specialised() -> Scratch {
    let scratch = scratch();
    git(&scratch.tree(), &["init", "-q"]);
    commit(&scratch.tree());
    fix(&scratch);
    scratch
}

fn commit(tree: &Path) {
    git(tree, &["add", "-A"]);
    git(tree, &["commit", "-qm", "x"]);
}

fn fix(scratch: &Scratch) {
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
}

/// The texts in the tree but for Git's own files and the history, which only grows.
fn files(scratch: &Scratch) -> Vec<(String, String)> {
    let tree = scratch.tree();
    let mut out = Vec::new();
    for (path, bytes) in scratch.snapshot() {
        let Some(bytes) = bytes else { continue };
        let name = path.strip_prefix(&tree).unwrap().display().to_string();
        if !name.starts_with(".git/") && name != ".phi/history.jsonl" {
            out.push((name, String::from_utf8(bytes).unwrap()));
        }
    }
    out
}

#[test]
fn an_original_that_git_gives_back_is_no_edit() {
    let ways: [&[&[&str]]; 5] = [
        &[&["checkout", "-q", "."]],
        &[&["restore", "main.tf"]],
        &[&["restore", "other.tf"]],
        &[&["stash", "-q"]],
        &[
            &["add", "-A"],
            &["commit", "-qm", "y"],
            &["checkout", "-q", "HEAD~1", "--", "main.tf", "other.tf"],
        ],
    ];
    for way in ways {
        let scratch = specialised();
        let written = files(&scratch);
        way.iter().for_each(|words| {
            git(&scratch.tree(), words);
        });
        assert_ne!(files(&scratch), written, "{way:?}");
        let done = scratch.run(&["check"]);
        assert_eq!(done.code, Some(3), "{way:?} {}{}", done.out, done.err);
        assert!(scratch.run(&["diff"]).out.starts_with("--- "), "{way:?}");
        fix(&scratch);
        assert_eq!(files(&scratch), written, "{way:?}");
        // Or the other way.
        way.last().iter().for_each(|words| {
            git(&scratch.tree(), words);
        });
        let done = scratch.run(&["restore"]);
        assert_eq!(done.code, Some(0), "{way:?} {}{}", done.out, done.err);
        for (path, text) in [("main.tf", MAIN), ("other.tf", OTHER), ("m/main.tf", INNER)] {
            assert_eq!(fs::read_to_string(scratch.tree().join(path)).unwrap(), text, "{way:?} {path}");
        }
    }
}

#[test]
fn an_original_that_changed_meanwhile_is_taken_as_it_is() {
    let scratch = specialised();
    git(&scratch.tree(), &["stash", "-q"]);
    // What a pull brings.
    let newer = format!("# A new head.\n{MAIN}\nlocals {{\n  more = 1\n}}\n");
    fs::write(scratch.tree().join("main.tf"), &newer).unwrap();
    assert_eq!(scratch.run(&["check"]).code, Some(3));
    fix(&scratch);
    let done = scratch.run(&["restore"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert_eq!(fs::read_to_string(scratch.tree().join("main.tf")).unwrap(), newer);
}

/// An edit of what was written is still one: the expression would be lost.
#[test]
fn what_a_user_edits_is_still_an_edit() {
    let scratch = specialised();
    let path = scratch.tree().join("main.tf");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("prevent_destroy = true"), "{text}");
    fs::write(&path, text.replace("prevent_destroy = true", "prevent_destroy = false")).unwrap();
    let done = scratch.run(&["check"]);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(done.err.contains("Code: edited"), "{}", done.err);
}

/// Another machine checks the same commit out with other line endings.
#[test]
fn line_endings_that_git_converts_are_no_edit() {
    for (written, read) in [("false", "true"), ("true", "false"), ("true", "true")] {
        let scratch = scratch();
        let tree = scratch.tree();
        git(&tree, &["init", "-q"]);
        git(&tree, &["config", "core.autocrlf", written]);
        commit(&tree);
        if written == "true" {
            for file in ["main.tf", "other.tf", "m/main.tf"] {
                fs::remove_file(tree.join(file)).unwrap();
            }
            git(&tree, &["checkout", "-q", "."]);
            assert!(fs::read_to_string(tree.join("main.tf")).unwrap().contains("\r\n"));
        }
        fix(&scratch);
        assert_eq!(scratch.run(&["check"]).code, Some(0));
        commit(&tree);
        let clone = Scratch::new([]);
        let (from, to) = (tree.display().to_string(), clone.tree());
        git(&to, &["-c", &format!("core.autocrlf={read}"), "clone", "-q", &from, "."]);
        git(&to, &["config", "core.autocrlf", read]);
        let done = clone.run(&["check"]);
        assert_eq!(done.code, Some(0), "{written} {read}: {}{}", done.out, done.err);
        // What is written there is the same to Git.
        fix(&clone);
        assert_eq!(git(&to, &["status", "--porcelain"]), "", "{written} {read}");
        let done = clone.run(&["restore"]);
        assert_eq!(done.code, Some(0), "{written} {read}: {}{}", done.out, done.err);
        for (path, text) in [("main.tf", MAIN), ("other.tf", OTHER), ("m/main.tf", INNER)] {
            let want = if read == "true" { text.replace('\n', "\r\n") } else { text.to_owned() };
            assert_eq!(fs::read_to_string(to.join(path)).unwrap(), want, "{written} {read} {path}");
        }
    }
}

/// A root beside the module that it calls: copies stand in its own folder.
fn beside() -> Scratch {
    let root = "variable \"protect\" {\n  type    = bool\n  default = false\n}\nmodule \"a\" {\n  source  = \"../../modules/m\"\n  \
                protect = var.protect\n}\n";
    Scratch::new([("live/app/main.tf", root), ("modules/m/main.tf", INNER)])
}

#[test]
fn every_file_of_a_copy_is_counted_and_named() {
    let scratch = beside();
    let done = scratch.run(&["-chdir=live/app", "check", "--fix", "-v"]);
    let said = format!("{}{}", done.out, done.err);
    assert_eq!(done.code, Some(0), "{said}");
    assert!(said.contains("3 files written  (git status lists them"), "{said}");
    assert!(said.contains("wrote .phi/modules/m-split/main.tf"), "{said}");
    assert!(said.contains(".: wrote .phi/modules/m-split/main.tf, main.tf, phi.moved.tf"), "{said}");
}

#[test]
fn a_copy_without_its_record_is_an_error_everywhere() {
    let scratch = beside();
    assert_eq!(scratch.run(&["-chdir=live/app", "check", "--fix"]).code, Some(0));
    fs::remove_dir_all(scratch.tree().join("live/app/.phi")).unwrap();
    for words in [&["check"][..], &["restore"], &["diff"], &["plan"], &["matrix"], &["validate"], &["trace"]]
    {
        let done = scratch.run(&[&["-chdir=live/app"], words].concat());
        assert_eq!(done.code, Some(1), "{words:?} {}{}", done.out, done.err);
        assert!(
            done.err.contains("a copy is called that isn't on record"),
            "{words:?} {}{}",
            done.out,
            done.err
        );
        assert!(done.err.contains("main.tf:6:13"), "{words:?} {}", done.err);
    }
    assert_eq!(scratch.calls().len(), 0, "Terraform isn't started");
    // Beside its module a copy says itself what it is.
    let scratch = self::scratch();
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    fs::remove_dir_all(scratch.tree().join(".phi")).unwrap();
    for words in [&["check"][..], &["restore"], &["plan"]] {
        let done = scratch.run(words);
        assert_eq!(done.code, Some(1), "{words:?} {}{}", done.out, done.err);
        assert!(done.err.contains("something specialised is not on record"), "{words:?} {}", done.err);
    }
}

#[test]
fn a_module_that_is_not_there_is_not_up_to_date() {
    let scratch = Scratch::new([("main.tf", "module \"a\" {\n  source = \"./gone\"\n}\n")]);
    let done = scratch.run(&["check"]);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(done.err.contains("Unreadable module directory"), "{}", done.err);
}

/// Git takes the record back, and not the file that it doesn't track: its original would be lost.
/// What is to be pasted works in the folder in which the command was typed.
#[test]
fn fixes_are_for_where_the_command_was_typed() {
    let scratch = Scratch::new([("live/main.tf", OUTER), ("m/main.tf", INNER)]);
    let tree = scratch.tree();
    git(&tree, &["init", "-q"]);
    assert_eq!(scratch.run(&["-chdir=live", "check", "--fix"]).code, Some(0));
    commit(&tree);
    let written = files(&scratch);
    let copy = written.iter().find(|(_, text)| text.contains("prevent_destroy = true")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_tf-phi")).parent().unwrap();
    for args in [&["check", "live"][..], &["check", "--recursive"], &["-chdir=live", "check"]] {
        fs::write(tree.join(&copy.0), copy.1.replace("prevent_destroy = true", "prevent_destroy = false"))
            .unwrap();
        let done = scratch.run(args);
        assert!(done.code == Some(1) && done.err.contains("Fix (in live)"), "{args:?} {}", done.err);
        let line = done.err.lines().map(str::trim).find(|line| line.starts_with("(cd live && rm ")).unwrap();
        let mut shell = std::process::Command::new("sh");
        let path = format!("{}:/usr/bin:/bin", program.display());
        let ran = shell.args(["-c", line]).current_dir(&tree).env("PATH", path).output().unwrap();
        assert!(ran.status.success(), "{line}: {ran:?}");
        assert_eq!(files(&scratch), written, "{line}");
    }
}

/// The originals of copied modules aren't in this checkout: a sparse one, or one in which somebody deleted them.
#[test]
fn a_module_that_this_checkout_lacks_is_taken_in() {
    for is_sparse in [true, false] {
        let scratch = Scratch::new([
            (
                "live/main.tf",
                "variable \"protect\" {\n  type = bool\n}\nmodule \"a\" {\n  source  = \"../m\"\n  protect = var.protect\n}\n",
            ),
            ("m/main.tf", INNER),
        ]);
        let tree = scratch.tree();
        git(&tree, &["init", "-q"]);
        let check = |args: &[&str]| scratch.run(&[&["-chdir=live", "check"], args].concat());
        let done = check(&["--fix"]);
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
        commit(&tree);
        match is_sparse {
            true => git(&tree, &["sparse-checkout", "set", "live"]),
            false => {
                fs::remove_dir_all(tree.join("m")).unwrap();
                String::new()
            }
        };
        assert!(!tree.join("m").exists());
        let done = check(&[]);
        assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
        let advice = "(cd live && git restore --ignore-skip-worktree-bits -- ../m)";
        assert!(done.err.contains(advice) && !done.err.contains("tf-phi restore"), "{}", done.err);
        git(&tree.join("live"), &["restore", "--ignore-skip-worktree-bits", "--", "../m"]);
        let done = check(&[]);
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    }
}

#[test]
fn a_file_that_git_does_not_track_keeps_its_original() {
    let ways: [&[&str]; 4] =
        [&["checkout", "-q", "."], &["stash", "-q"], &["reset", "-q", "--hard"], &["clean", "-qfd", ".phi"]];
    let new =
        "resource \"terraform_data\" \"new\" {\n  lifecycle {\n    prevent_destroy = var.protect\n  }\n}\n";
    for way in ways {
        let scratch = specialised();
        commit(&scratch.tree());
        fs::write(scratch.tree().join("new.tf"), new).unwrap();
        fix(&scratch);
        assert_ne!(fs::read_to_string(scratch.tree().join("new.tf")).unwrap(), new);
        git(&scratch.tree(), way);
        let done = scratch.run(&["restore"]);
        assert_eq!(done.code, Some(0), "{way:?} {}{}", done.out, done.err);
        assert_eq!(fs::read_to_string(scratch.tree().join("new.tf")).unwrap(), new, "{way:?}");
    }
}

/// A block as it was before an edit that Git takes back with what was written of it.
#[test]
fn an_original_from_before_an_edit_is_one() {
    let scratch = scratch();
    let tree = scratch.tree();
    git(&tree, &["init", "-q"]);
    commit(&tree);
    let edited = MAIN.replace("  lifecycle {", "  input = 2\n  lifecycle {");
    fs::write(tree.join("main.tf"), &edited).unwrap();
    fix(&scratch);
    git(&tree, &["checkout", "-q", "."]);
    let done = scratch.run(&["restore"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert_eq!(fs::read_to_string(tree.join("main.tf")).unwrap(), MAIN);
}

/// What is added to a submodule isn't committed here.
#[test]
fn copies_of_a_submodule_stand_in_this_repository() {
    let library = Scratch::new([("a/main.tf", INNER)]);
    repository_of(&library.tree());
    let scratch = Scratch::new([(
        "main.tf",
        "module \"a\" {\n  source  = \"./modules/a\"\n  protect = var.protect\n}\nvariable \"protect\" {\n  type = bool\n}\n",
    )]);
    let tree = scratch.tree();
    git(&tree, &["init", "-q"]);
    git(&tree, &["submodule", "add", "-q", library.tree().to_str().unwrap(), "modules"]);
    commit(&tree);
    fix(&scratch);
    let copies: Vec<String> =
        git(&tree, &["ls-files", "--others", "--exclude-standard"]).lines().map(str::to_owned).collect();
    assert!(copies.iter().any(|path| path.starts_with(".phi/modules/")), "{copies:?}");
    assert_eq!(git(&tree.join("modules"), &["status", "--porcelain"]), "");
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
}

/// Where the tracked record lacks what this machine's tells, the tree isn't up to date: a clone would be blocked.
#[test]
fn a_record_that_git_took_back_is_to_be_written() {
    let scratch = specialised();
    commit(&scratch.tree());
    let new =
        "resource \"terraform_data\" \"new\" {\n  lifecycle {\n    prevent_destroy = var.protect\n  }\n}\n";
    fs::write(scratch.tree().join("new.tf"), new).unwrap();
    fix(&scratch);
    git(&scratch.tree(), &["checkout", "-q", "HEAD", "--", ".phi/provenance.json"]);
    assert_eq!(scratch.run(&["check"]).code, Some(3));
    fix(&scratch);
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    fs::remove_file(scratch.tree().join(".phi/local.json")).unwrap();
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    assert_eq!(fs::read_to_string(scratch.tree().join("new.tf")).unwrap(), new);
}

/// A call of a copied module names the copy's folder and nothing else by which it could be told.
#[test]
fn a_call_of_a_copy_is_told_where_the_record_is_gone() {
    let scratch = specialised();
    let tree = scratch.tree();
    commit(&tree);
    fs::remove_file(tree.join(".phi/provenance.json")).unwrap();
    assert_eq!(scratch.run(&["check"]).code, Some(3));
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    for (file, text) in [("main.tf", MAIN), ("other.tf", OTHER), ("m/main.tf", INNER)] {
        assert_eq!(fs::read_to_string(tree.join(file)).unwrap(), text, "{file}");
    }
}

/// Who commits a tree without `.phi` has the last record that there was in the history; what was edited since stays.
#[test]
fn a_record_whose_removal_was_committed_still_tells() {
    for is_copy_gone in [false, true] {
        let scratch = specialised();
        let tree = scratch.tree();
        commit(&tree);
        fs::remove_dir_all(tree.join(".phi")).unwrap();
        if is_copy_gone {
            fs::remove_dir_all(tree.join("m-split")).unwrap();
        }
        commit(&tree);
        let edit =
            |text: &str| text.replace("protected: ", "is protected: ").replace("as it is", "as it was");
        for file in ["main.tf", "m/main.tf"] {
            let text = fs::read_to_string(tree.join(file)).unwrap();
            fs::write(tree.join(file), edit(&text)).unwrap();
        }
        commit(&tree);
        assert_eq!(scratch.run(&["check"]).code, Some(3));
        let done = scratch.run(&["doctor"]);
        assert!(done.out.contains("doesn't tell all of it"), "{}", done.out);
        let done = scratch.run(&["restore", "--recursive"]);
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
        for (file, text) in [("main.tf", MAIN), ("other.tf", OTHER), ("m/main.tf", INNER)] {
            assert_eq!(fs::read_to_string(tree.join(file)).unwrap(), edit(text), "{file}");
        }
        assert!(!tree.join("m-split").exists());
        fix(&scratch);
        assert_eq!(scratch.run(&["check"]).code, Some(0));
    }
}

/// A history that was lost is the head's again, with what a state told; and where tf-phi was left, nobody misses it.
#[test]
fn a_history_that_the_head_has_is_taken_back() {
    let applied = "{\"address\":\"terraform_data.db_prevent_destroy_true\",\"original\":\"terraform_data.db\",\"keys\":\"gate\",\
                   \"applied\":\"terraform_data.db\"}\n";
    let ways: [&[&str]; 4] = [&["plan"], &["check", "--fix"], &["restore"], &["history", "--rebuild"]];
    for way in ways {
        let scratch = specialised();
        let history = scratch.tree().join(".phi/history.jsonl");
        let mut lines: Vec<String> =
            fs::read_to_string(&history).unwrap().split_inclusive('\n').map(str::to_owned).collect();
        lines.push(applied.to_owned());
        lines.sort();
        fs::write(&history, lines.concat()).unwrap();
        commit(&scratch.tree());
        fs::remove_dir_all(scratch.tree().join(".phi")).unwrap();
        let done = scratch.run(way);
        assert_eq!(done.code, Some(0), "{way:?}: {}{}", done.out, done.err);
        let now = fs::read_to_string(&history).unwrap();
        assert!(lines.iter().all(|line| now.contains(line)), "{way:?}: {now}");
        let is_said = done.err.contains("tf-phi: wrote .phi/history.jsonl.\n");
        assert_eq!(is_said, way[0] == "history", "{way:?}: {}", done.err);
        assert_eq!(scratch.run(&["leave"]).code, Some(0));
        // Nobody misses it there.
        scratch.run(&["leave"]);
        let is_there = |file: &str| scratch.tree().join(file).exists();
        assert!(!is_there(".phi/history.jsonl") && !is_there("moved_2.tf"), "{way:?}");
    }
}

/// Without a commit the names and values of the state tell it.
#[test]
fn a_history_is_rebuilt_beside_copies() {
    let scratch = scratch();
    fix(&scratch);
    let history = scratch.tree().join(".phi/history.jsonl");
    let before = fs::read_to_string(&history).unwrap();
    fs::remove_file(&history).unwrap();
    let state = "echo '{\"version\":4,\"serial\":1,\"lineage\":\"l\",\"resources\":[{\"mode\":\"managed\",\"type\":\"terraform_data\",\
                 \"name\":\"db_prevent_destroy_true\",\"provider\":\"provider[\\\"terraform.io/builtin/terraform\\\"]\",\
                 \"instances\":[{\"index_key\":0,\"attributes\":{}}]}]}'";
    fs::write(
        scratch.tree().join("terraform.tfstate"),
        state.trim_start_matches("echo '").trim_end_matches('\''),
    )
    .unwrap();
    let rebuild =
        || Done::new(scratch.command(&["history", "--rebuild"]).env("FAKE_DURING", state).output().unwrap());
    let done = rebuild();
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(
        done.out.contains("terraform_data.db_prevent_destroy_true[0]  is terraform_data.db"),
        "{}",
        done.out
    );
    let now = fs::read_to_string(&history).unwrap();
    assert!(before.lines().all(|line| now.contains(line)), "{now}");
    assert!(now.contains("\"applied\":\"terraform_data.db\""), "{now}");
    assert!(done.err.contains("wrote .phi/history.jsonl"), "{}", done.err);
    assert!(!rebuild().err.contains("wrote"), "nothing is new");
}

/// Who replaces a word in originals and copies alike edits nothing: the copy is what would be written.
#[test]
fn a_word_that_is_replaced_everywhere_is_no_edit() {
    let scratch = specialised();
    let tree = scratch.tree();
    commit(&tree);
    for file in ["m/main.tf", "m-split/main.tf"] {
        let text = fs::read_to_string(tree.join(file)).unwrap();
        fs::write(tree.join(file), text.replace("protected: ", "is protected: ")).unwrap();
    }
    let inner = fs::read_to_string(tree.join("m/main.tf")).unwrap();
    assert_eq!(scratch.run(&["check"]).code, Some(3), "the record is another one");
    let copied = fs::read_to_string(tree.join("m-split/main.tf")).unwrap();
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    assert_eq!(fs::read_to_string(tree.join("m/main.tf")).unwrap(), inner);
    assert!(!tree.join("m-split").exists());
    fix(&scratch);
    assert_eq!(fs::read_to_string(tree.join("m-split/main.tf")).unwrap(), copied);
    // In one of both it is an edit.
    fs::write(tree.join("m-split/main.tf"), copied.replace("is protected: ", "was protected: ")).unwrap();
    for command in ["check", "restore"] {
        let done = scratch.run(&[command]);
        assert_eq!(done.code, Some(1), "{command}");
        assert!(done.err.contains("Make the edit in m/main.tf"), "{}", done.err);
    }
}

/// An edit of what was written is told with its line, and advice to merge only where there is something to merge.
/// A folder's name is replaced in all files, the first lines of copies among them: nobody typed these.
#[test]
fn the_first_line_of_a_copy_is_no_comment_of_a_users() {
    for command in ["restore", "leave"] {
        let scratch = specialised();
        let written = files(&scratch);
        let (copy, text) = written.iter().find(|(_, text)| text.contains("tf-phi from m/main.tf")).unwrap();
        let replaced = text.replace("tf-phi from m/main.tf", "tf-phi from n/main.tf");
        fs::write(scratch.tree().join(copy), &replaced).unwrap();
        let done = scratch.run(&[command]);
        assert!(done.code == Some(0) && !done.err.contains("went with it"), "{}", done.err);
    }
}

#[test]
fn an_edit_is_told_with_its_line() {
    let scratch = specialised();
    let tree = scratch.tree();
    let text = fs::read_to_string(tree.join("main.tf")).unwrap();
    let edited = text.replacen("prevent_destroy = true", "prevent_destroy = false", 1);
    assert_ne!(text, edited);
    fs::write(tree.join("main.tf"), &edited).unwrap();
    let done = scratch.run(&["check"]);
    let line = 1 + edited.lines().zip(text.lines()).position(|(one, other)| one != other).unwrap();
    assert!(done.err.contains(&format!("main.tf:{line}")), "{line} {}", done.err);
    assert!(!done.err.contains("both sides"), "{}", done.err);
    // A call that was copied as it stands names the copy.
    fs::write(tree.join("main.tf"), &text).unwrap();
    let call = fs::read_to_string(tree.join("other.tf")).unwrap();
    fs::write(tree.join("other.tf"), format!("{call}{}", call.replace("\"a\"", "\"b\""))).unwrap();
    let done = scratch.run(&["check"]);
    assert!(done.err.contains("write \"./m\" instead"), "{}", done.err);
}

/// The advice for a file in a copy's folder takes nothing away from the module's own.
#[test]
fn a_file_beside_a_copy_overwrites_none_of_the_module() {
    let scratch = specialised();
    let tree = scratch.tree();
    fs::write(tree.join("m-split/more.tf"), "locals {}\n").unwrap();
    let done = scratch.run(&["check"]);
    assert!(done.err.contains("mv -n m-split/more.tf m/"), "{}", done.err);
    fs::write(tree.join("m/more.tf"), "locals {}\n").unwrap();
    let done = scratch.run(&["check"]);
    assert!(!done.err.contains("mv "), "{}", done.err);
    assert!(done.err.contains("diff m/more.tf m-split/more.tf"), "{}", done.err);
    assert!(done.err.contains("rm m-split/more.tf && tf-phi check --fix"), "{}", done.err);
}

/// Who keeps copies as text of their own removes the records and what says that tf-phi wrote them. What this machine knows is no objection.
#[test]
fn copies_that_were_taken_over_are_sources() {
    let scratch = specialised();
    let tree = scratch.tree();
    commit(&tree);
    git(&tree, &["rm", "-rq", ".phi", "phi.moved.tf"]);
    for file in ["main.tf", "m-split/main.tf"] {
        let text = fs::read_to_string(tree.join(file)).unwrap();
        let own: Vec<&str> = text.lines().filter(|line| !line.starts_with("# ")).collect();
        fs::write(tree.join(file), own.join("\n")).unwrap();
    }
    commit(&tree);
    let done = scratch.run(&["check"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let done = scratch.run(&["restore"]);
    assert!(done.err.contains("nothing is specialised here"), "{}", done.err);
}

/// A cherry-pick that ignores ends of lines brings lines with others, and both sides' records.
#[test]
fn two_kinds_of_line_ends_are_told() {
    let resource = |name: &str, value: &str| {
        format!(
            "resource \"terraform_data\" \"{name}\" {{\n  input = var.env == \"prod\" ? \"{value}\" : \"1\"\n}}\n"
        )
    };
    let text = |a: &str, b: &str| {
        let between = "\n# Between.\nlocals {\n  l = 1\n}\n\n";
        format!("variable \"env\" {{}}\n{}{between}{}", resource("a", a), resource("b", b))
    };
    let scratch = Scratch::new([("main.tf", &*text("2", "2")), ("phi.hcl", PIN)]);
    let tree = scratch.tree();
    let edit = |a: &str, b: &str| {
        assert_eq!(scratch.run(&["restore"]).code, Some(0));
        fs::write(tree.join("main.tf"), text(a, b)).unwrap();
        fix(&scratch);
        commit(&tree);
    };
    git(&tree, &["init", "-q", "-b", "main"]);
    fix(&scratch);
    commit(&tree);
    git(&tree, &["checkout", "-q", "-b", "young"]);
    edit("2", "3");
    git(&tree, &["checkout", "-q", "main"]);
    edit("4", "2");
    let written = fs::read_to_string(tree.join("main.tf")).unwrap();
    fs::write(tree.join("main.tf"), written.replace('\n', "\r\n")).unwrap();
    commit(&tree);
    fs::remove_file(tree.join(".phi/local.json")).unwrap();
    git(&tree, &["cherry-pick", "-X", "ignore-cr-at-eol", "young"]);
    let done = scratch.run(&["check", "--fix"]);
    assert!(done.code == Some(1) && done.err.contains("two kinds of line ends"), "{}{}", done.out, done.err);
    let advice = done.err.lines().map(str::trim).find(|line| line.starts_with("perl ")).unwrap();
    let ran = std::process::Command::new("sh").args(["-c", advice]).current_dir(&tree).status().unwrap();
    assert!(ran.success());
    fix(&scratch);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    assert_eq!(fs::read_to_string(tree.join("main.tf")).unwrap(), text("4", "3"));
}

/// Files of an older commit, beside a copy that Git tracks since: it stays where it was, and nobody took it over.
#[test]
fn a_tracked_copy_that_an_older_commit_lacks_goes() {
    let scratch = Scratch::new([("main.tf", CALL), ("m/main.tf", CALLED), ("phi.hcl", PIN)]);
    let tree = scratch.tree();
    git(&tree, &["init", "-q"]);
    fix(&scratch);
    commit(&tree);
    let before = files(&scratch);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    fs::write(tree.join("main.tf"), CALL.replace("\"2\"", "\"3\"")).unwrap();
    fix(&scratch);
    commit(&tree);
    git(&tree, &["checkout", "-q", "HEAD~1", "--", "."]);
    assert!(files(&scratch).len() > before.len());
    fix(&scratch);
    let stays = |all: Vec<(String, String)>| {
        all.into_iter().filter(|(name, _)| !name.starts_with(".phi/")).collect::<Vec<_>>()
    };
    assert_eq!(stays(files(&scratch)), stays(before));
}

/// A module's folder under another name: the way leads over the originals.
#[test]
fn a_folder_that_was_renamed_is_named_in_the_original() {
    let scratch = specialised();
    let tree = scratch.tree();
    commit(&tree);
    git(&tree, &["mv", "m", "n"]);
    let done = scratch.run(&["check"]);
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("name the folder that is there"), "{}", done.err);
    scratch.run(&["restore"]);
    let original = fs::read_to_string(tree.join("other.tf")).unwrap();
    assert_eq!(original, OTHER);
    fs::write(tree.join("other.tf"), original.replace("./m", "./n")).unwrap();
    fix(&scratch);
    assert_eq!(scratch.run(&["check"]).code, Some(0));
}

/// Without any record, a call that names a folder that isn't there may name a copy: then the originals aren't in place.
#[test]
fn what_no_record_explains_is_not_called_in_place() {
    let scratch = scratch();
    fix(&scratch);
    let tree = scratch.tree();
    for file in [".phi/provenance.json", ".phi/local.json", "m-split/main.tf"] {
        fs::remove_file(tree.join(file)).unwrap();
    }
    fs::write(tree.join("main.tf"), MAIN).unwrap();
    fs::remove_dir(tree.join("m-split")).unwrap();
    for args in [&["restore"][..], &["restore", "--dry-run"], &["check"]] {
        let done = scratch.run(args);
        assert_eq!(done.code, Some(1), "{args:?} {}{}", done.out, done.err);
        assert!(
            done.err.contains("The folder m-split that \"module.a\" names does not exist"),
            "{}",
            done.err
        );
    }
}

/// One file as it was committed, specialised, with the record of what was written since: the commit's record tells its original.
#[test]
fn a_file_from_the_commit_is_told_by_the_commit() {
    let edited = MAIN.replace("  lifecycle {", "  input = 2\n  lifecycle {");
    let ways: [&[&str]; 3] = [
        &["checkout", "-q", "main.tf"],
        &["restore", "main.tf"],
        &["checkout", "-q", "HEAD", "--", "main.tf"],
    ];
    for way in ways {
        let scratch = specialised();
        let tree = scratch.tree();
        commit(&tree);
        assert_eq!(scratch.run(&["restore"]).code, Some(0));
        fs::write(tree.join("main.tf"), &edited).unwrap();
        fix(&scratch);
        git(&tree, way);
        let done = scratch.run(&["restore"]);
        assert_eq!(done.code, Some(0), "{way:?} {}{}", done.out, done.err);
        assert_eq!(fs::read_to_string(tree.join("main.tf")).unwrap(), MAIN, "{way:?}");
        assert_eq!(fs::read_to_string(tree.join("m/main.tf")).unwrap(), INNER, "{way:?}");
    }
}

/// A copy as it was committed, beside the sources of another one.
#[test]
fn a_copy_from_the_commit_is_written_anew() {
    let scratch = specialised();
    let tree = scratch.tree();
    commit(&tree);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    fs::write(tree.join("m/main.tf"), INNER.replace("protected: ", "is protected: ")).unwrap();
    fix(&scratch);
    let written = files(&scratch);
    let copies = git(&tree, &["ls-files", "m-*/main.tf"]);
    let copy = copies.lines().next().unwrap();
    git(&tree, &["checkout", "-q", copy]);
    fix(&scratch);
    assert_eq!(files(&scratch), written);
}

/// One file as it was committed, specialised, in a tree that was put back since.
#[test]
fn a_file_from_the_commit_in_a_tree_that_was_put_back() {
    for file in ["main.tf", "other.tf"] {
        let scratch = specialised();
        let tree = scratch.tree();
        commit(&tree);
        assert_eq!(scratch.run(&["restore"]).code, Some(0));
        let original = fs::read_to_string(tree.join(file)).unwrap();
        git(&tree, &["checkout", "-q", file]);
        assert_ne!(fs::read_to_string(tree.join(file)).unwrap(), original);
        let done = scratch.run(&["restore"]);
        assert_eq!(done.code, Some(0), "{file} {}{}", done.out, done.err);
        assert_eq!(fs::read_to_string(tree.join(file)).unwrap(), original, "{file}");
        // Also where somebody has committed that.
        git(&tree, &["checkout", "-q", file]);
        commit(&tree);
        let done = scratch.run(&["check"]);
        assert_eq!(done.code, Some(3), "{file} {}{}", done.out, done.err);
        fix(&scratch);
        assert_eq!(scratch.run(&["check"]).code, Some(0));
        assert_eq!(scratch.run(&["restore"]).code, Some(0));
        assert_eq!(fs::read_to_string(tree.join(file)).unwrap(), original, "{file}");
    }
}

/// One that was edited since, in a tree that was put back.
#[test]
fn a_file_from_the_commit_that_was_edited_since() {
    let scratch = specialised();
    let tree = scratch.tree();
    commit(&tree);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    git(&tree, &["checkout", "-q", "main.tf"]);
    let added = "# typed\nlocals {\n  more = 1\n}\n";
    fs::write(tree.join("main.tf"), fs::read_to_string(tree.join("main.tf")).unwrap() + added).unwrap();
    let done = scratch.run(&["restore"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert_eq!(fs::read_to_string(tree.join("main.tf")).unwrap(), format!("{MAIN}{added}"));
}

/// `git clean` takes a record that is new, and leaves the moves, which Git tracks since they led home.
#[test]
fn a_new_record_that_was_cleaned_away_beside_tracked_moves() {
    let scratch = scratch();
    let tree = scratch.tree();
    git(&tree, &["init", "-q"]);
    fs::write(tree.join(".gitignore"), "*.tfstate\n").unwrap();
    let state = r#"{"version": 4, "serial": 1, "lineage": "l", "outputs": {}, "resources": []}"#;
    fs::write(tree.join("terraform.tfstate"), state).unwrap();
    fix(&scratch);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    let home = fs::read_to_string(tree.join("phi.moved.tf")).unwrap();
    assert!(home.contains("the way home"), "{home}");
    commit(&tree);
    fix(&scratch);
    let written = files(&scratch);
    git(&tree, &["clean", "-qfd"]);
    assert_ne!(files(&scratch), written);
    let done = scratch.run(&["check"]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    fix(&scratch);
    assert_eq!(files(&scratch), written);
    git(&tree, &["clean", "-qfd"]);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    assert_eq!(fs::read_to_string(tree.join("main.tf")).unwrap(), MAIN);
    assert_eq!(fs::read_to_string(tree.join("phi.moved.tf")).unwrap(), home);
}

/// A copy that Git doesn't track yet, beside the record of before.
#[test]
fn a_copy_that_git_does_not_track_goes() {
    let ways: [&[&str]; 3] = [&["restore", "."], &["stash", "-q"], &["checkout", "-q", "-f", "HEAD"]];
    for way in ways {
        let scratch = Scratch::new([("main.tf", CALL), ("m/main.tf", CALLED), ("phi.hcl", PIN)]);
        let tree = scratch.tree();
        git(&tree, &["init", "-q"]);
        fix(&scratch);
        commit(&tree);
        let before = files(&scratch);
        assert_eq!(scratch.run(&["restore"]).code, Some(0));
        fs::write(tree.join("main.tf"), CALL.replace("\"2\"", "\"3\"")).unwrap();
        fix(&scratch);
        git(&tree, way);
        let untracked = || git(&tree, &["ls-files", "--others", "m*"]);
        assert_ne!(untracked(), "", "{way:?}");
        fix(&scratch);
        assert_eq!(untracked(), "", "{way:?}");
        let stays = |all: Vec<(String, String)>| {
            all.into_iter().filter(|(name, _)| !name.starts_with(".phi/")).collect::<Vec<_>>()
        };
        assert_eq!(stays(files(&scratch)), stays(before), "{way:?}");
        assert_eq!(scratch.run(&["restore"]).code, Some(0));
        assert_eq!(fs::read_to_string(tree.join("main.tf")).unwrap(), CALL, "{way:?}");
    }
}

const CALL: &str = "variable \"env\" {\n  default = \"dev\"\n}\nmodule \"m\" {\n  source = \"./m\"\n  v      = var.env == \"prod\" ? \"2\" : \"1\"\n}\n";
const CALLED: &str = "variable \"v\" {}\nresource \"terraform_data\" \"a\" {\n  input = var.v\n}\n";
const PIN: &str = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
