//! Files of copies that are links: what is written, read again, put back, and what checkouts make of them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

const ROOT: &str = "variable \"env\" {\n  type = string\n}\n\nmodule \"db\" {\n  source = \"./modules/db\"\n  name   = \"orders\"\n  \
    engine = var.env == \"prod\" ? \"15\" : var.env == \"stage\" ? \"16\" : \"17\"\n}\n";
const MAIN: &str =
    "resource \"terraform_data\" \"this\" {\n  input = { version = var.engine, name = var.name }\n}\n";
const VARIABLES: &str =
    "variable \"name\" {\n  type = string\n}\n\nvariable \"engine\" {\n  type = string\n}\n";
const OUTPUTS: &str = "output \"name\" {\n  value = terraform_data.this.output.name\n}\n";
const EXTRA: &str = "resource \"terraform_data\" \"extra\" {\n  input = var.name\n}\n";
const PHI: &str = "specialize \"terraform_data.this\" {\n  fields = [\"input.version\"]\n}\n";

fn scratch() -> Scratch {
    Scratch::new([
        ("main.tf", ROOT),
        ("phi.hcl", PHI),
        ("modules/db/main.tf", MAIN),
        ("modules/db/variables.tf", VARIABLES),
        ("modules/db/outputs.tf", OUTPUTS),
        ("modules/db/extra.tf", EXTRA),
    ])
}

fn specialised() -> Scratch {
    let scratch = scratch();
    fix(&scratch);
    scratch
}

fn fix(scratch: &Scratch) -> Done {
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    done
}

fn at(scratch: &Scratch, path: &str) -> PathBuf {
    scratch.tree().join(path)
}

fn text(scratch: &Scratch, path: &str) -> String {
    fs::read_to_string(at(scratch, path)).unwrap()
}

/// What the links of the copies say, those that are there.
fn links(scratch: &Scratch) -> Vec<String> {
    let mut out = Vec::new();
    for path in scratch.snapshot().keys().filter(|p| p.is_symlink()) {
        let shown = path.strip_prefix(at(scratch, "modules")).unwrap();
        out.push(format!("{} -> {}", shown.display(), fs::read_link(path).unwrap().display()));
    }
    out
}

const WRITTEN: &[&str] = &[
    "db-v15/outputs.tf -> ../db/outputs.tf",
    "db-v16/extra.tf -> ../db-v15/extra.tf",
    "db-v16/outputs.tf -> ../db/outputs.tf",
    "db-v16/variables.tf -> ../db-v15/variables.tf",
    "db-v17/extra.tf -> ../db-v15/extra.tf",
    "db-v17/outputs.tf -> ../db/outputs.tf",
    "db-v17/variables.tf -> ../db-v15/variables.tf",
];

#[test]
fn each_text_stands_once_and_is_put_back() {
    let scratch = scratch();
    let before = scratch.snapshot();
    fix(&scratch);
    // What declares an object is no link to the original: an edit there must not take it away from a copy alone.
    assert_eq!(links(&scratch), WRITTEN);
    let once = scratch.snapshot();
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    fix(&scratch);
    assert_eq!(scratch.snapshot(), once);
    let done = scratch.run(&["restore"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let mut after = scratch.snapshot();
    after.retain(|path, _| !path.starts_with(at(&scratch, ".phi")));
    assert_eq!(after, before);
}

#[test]
fn an_edit_of_the_original_is_one_of_all_copies() {
    let scratch = specialised();
    let edited = OUTPUTS.replace("value", "description = \"who\"\n  value");
    fs::write(at(&scratch, "modules/db/outputs.tf"), &edited).unwrap();
    // What a link leads to is the user's, so nothing of ours was edited.
    let done = scratch.run(&["check"]);
    assert!(!done.err.contains("was edited") && done.code != Some(1), "{}", done.out);
    fix(&scratch);
    assert_eq!(links(&scratch), WRITTEN);
    assert_eq!(text(&scratch, "modules/db-v16/outputs.tf"), edited);
    // Through a link, too.
    fs::write(at(&scratch, "modules/db-v17/outputs.tf"), OUTPUTS).unwrap();
    assert_eq!(text(&scratch, "modules/db/outputs.tf"), OUTPUTS);
    fix(&scratch);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    assert_eq!(text(&scratch, "modules/db/outputs.tf"), OUTPUTS);
}

#[test]
fn a_file_that_differs_by_now_takes_the_place_of_the_link() {
    let scratch = specialised();
    let edited = format!("{OUTPUTS}\noutput \"version\" {{\n  value = var.engine\n}}\n");
    fs::write(at(&scratch, "modules/db/outputs.tf"), &edited).unwrap();
    fix(&scratch);
    assert_eq!(text(&scratch, "modules/db/outputs.tf"), edited);
    assert!(!at(&scratch, "modules/db-v15/outputs.tf").is_symlink());
    assert!(text(&scratch, "modules/db-v15/outputs.tf").contains("\"15\""));
    assert!(text(&scratch, "modules/db-v17/outputs.tf").contains("\"17\""));
    fs::write(at(&scratch, "modules/db/outputs.tf"), OUTPUTS).unwrap();
    fix(&scratch);
    assert_eq!(links(&scratch), WRITTEN);
    assert_eq!(text(&scratch, "modules/db/outputs.tf"), OUTPUTS);
}

#[test]
fn another_copy_holds_the_text_where_the_first_one_goes() {
    let scratch = specialised();
    let fewer = ROOT.replace("var.env == \"prod\" ? \"15\" : ", "");
    let other = self::scratch();
    fs::write(at(&other, "main.tf"), &fewer).unwrap();
    fix(&other);
    // In one step, as an edit of the specialised tree makes it: the values stand in a local of its own.
    let of = |root: &str| {
        root.replace("engine = var.env", "engine = local.engine\n}\n\nlocals {\n  engine = var.env")
    };
    let scratch_of = |root: &str| {
        assert_eq!(scratch.run(&["restore"]).code, Some(0));
        fs::write(at(&scratch, "main.tf"), of(root)).unwrap();
        fix(&scratch);
    };
    scratch_of(ROOT);
    assert_eq!(links(&scratch), WRITTEN);
    let values = "var.env == \"prod\" ? \"15\" : ";
    let now = text(&scratch, "main.tf");
    assert!(now.contains(values), "{now}");
    fs::write(at(&scratch, "main.tf"), now.replace(values, "")).unwrap();
    fix(&scratch);
    assert_eq!(links(&scratch), links(&other));
    assert!(!at(&scratch, "modules/db-v15").exists());
    assert_eq!(text(&scratch, "modules/db-v16/variables.tf"), text(&other, "modules/db-v16/variables.tf"));
    // And the other way about.
    let now = text(&scratch, "main.tf");
    fs::write(at(&scratch, "main.tf"), now.replace("engine = var.env", &format!("engine = {values}var.env")))
        .unwrap();
    fix(&scratch);
    assert_eq!(links(&scratch), WRITTEN);
}

#[test]
fn files_in_the_places_of_links_are_no_difference() {
    let scratch = specialised();
    for path in scratch.snapshot().into_keys().filter(|p| p.is_symlink()) {
        let whole = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        fs::write(&path, whole).unwrap();
    }
    let before = scratch.snapshot();
    let done = scratch.run(&["check", "--diff"]);
    assert_eq!((done.code, done.out.contains("diff --git")), (Some(0), false), "{}", done.out);
    fix(&scratch);
    assert_eq!(scratch.snapshot(), before);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    assert!(!at(&scratch, "modules/db-v15").exists());
}

#[test]
fn a_checkout_without_links_is_told_of_and_put_right() {
    let scratch = specialised();
    let dir = scratch.tree();
    repository_of(&dir);
    let links_before = links(&scratch);
    git(&dir, &["config", "core.symlinks", "false"]);
    fs::remove_dir_all(at(&scratch, "modules")).unwrap();
    git(&dir, &["checkout", "-q", "--", "modules"]);
    assert!(links(&scratch).is_empty());
    let done = scratch.run(&["check"]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    assert!(done.err.contains("symbolic links were checked out as files"), "{}", done.err);
    assert!(
        done.err.contains("This file and 6 more hold") && done.err.contains("tf-phi check --fix"),
        "{}",
        done.err
    );
    fix(&scratch);
    assert_eq!(links(&scratch), links_before);
    assert_eq!(git(&dir, &["status", "--porcelain"]), "");
    // The other way out.
    fs::remove_dir_all(at(&scratch, "modules")).unwrap();
    git(&dir, &["checkout", "-q", "--", "modules"]);
    fs::write(at(&scratch, "phi.hcl"), format!("settings {{\n  links = false\n}}\n{PHI}")).unwrap();
    fix(&scratch);
    assert!(links(&scratch).is_empty());
    let head = "# Generated by tf-phi from modules/db/outputs.tf. Don't edit.";
    assert_eq!(text(&scratch, "modules/db-v17/outputs.tf"), format!("{head}\n\n{OUTPUTS}"));
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    // And back again.
    fs::write(at(&scratch, "phi.hcl"), PHI).unwrap();
    fix(&scratch);
    assert_eq!(links(&scratch), links_before);
}

#[test]
fn a_record_without_links_is_read() {
    let scratch = specialised();
    let linked = scratch.snapshot();
    let phi = "settings {\n  links = false\n}\n";
    fs::write(at(&scratch, "phi.hcl"), format!("{phi}{PHI}")).unwrap();
    fix(&scratch);
    assert!(links(&scratch).is_empty() && !text(&scratch, ".phi/provenance.json").contains("\"link\""));
    fs::write(at(&scratch, "phi.hcl"), PHI).unwrap();
    assert_eq!(scratch.run(&["check"]).code, Some(3));
    fix(&scratch);
    assert_eq!(scratch.snapshot(), linked);
}

#[test]
fn a_comment_that_is_typed_into_a_copy_stays() {
    // Into the file that others link to, through a link, and into a file in the place of one.
    for (name, is_file) in
        [("db-v15/variables.tf", false), ("db-v16/variables.tf", false), ("db-v16/variables.tf", true)]
    {
        let scratch = specialised();
        let path = at(&scratch, "modules").join(name);
        let typed = format!("# typed\n{}", fs::read_to_string(&path).unwrap());
        if is_file {
            fs::remove_file(&path).unwrap();
        }
        fs::write(&path, &typed).unwrap();
        let before = scratch.snapshot();
        let done = scratch.run(&["check", "--diff"]);
        assert_eq!(done.code, Some(0), "{name} {is_file}: {}{}", done.out, done.err);
        fix(&scratch);
        assert_eq!(scratch.snapshot(), before, "{name} {is_file}");
        // A change of the same file carries it over.
        let wider = VARIABLES.replace("\"name\" {", "\"name\" {\n  nullable = false");
        fs::write(at(&scratch, "modules/db/variables.tf"), wider).unwrap();
        fix(&scratch);
        let now = fs::read_to_string(&path).unwrap();
        assert!(now.contains("# typed") && now.contains("nullable"), "{name} {is_file}: {now}");
        assert_eq!(path.is_symlink(), name.starts_with("db-v16") && !is_file);
        assert!(!text(&scratch, "modules/db/variables.tf").contains("# typed"));
        let before = scratch.snapshot();
        fix(&scratch);
        assert_eq!(scratch.snapshot(), before, "{name} {is_file}");
        assert_eq!(scratch.run(&["check"]).code, Some(0));
    }
}

#[test]
fn a_comment_that_is_typed_into_the_original_changes_nothing_else() {
    for name in ["outputs.tf", "variables.tf", "main.tf", "extra.tf"] {
        let scratch = specialised();
        let path = at(&scratch, "modules/db").join(name);
        let typed = format!("# typed\n\n{}", fs::read_to_string(&path).unwrap());
        fs::write(&path, typed).unwrap();
        let before = scratch.snapshot();
        assert_eq!(scratch.run(&["check"]).code, Some(0), "{name}");
        fix(&scratch);
        assert_eq!(scratch.snapshot(), before, "{name}");
        assert_eq!(scratch.run(&["restore"]).code, Some(0));
        assert!(fs::read_to_string(&path).unwrap().starts_with("# typed"));
    }
}

#[test]
fn nothing_is_written_through_a_strangers_link() {
    for to in ["../../main.tf", "../db/main.tf", "../db/variables.tf", "nowhere.tf", "../../../secret.tf"] {
        for name in ["outputs.tf", "main.tf", "variables.tf"] {
            let scratch = specialised();
            fs::write(scratch.path("secret.tf"), "# theirs\n").unwrap();
            let own = at(&scratch, "modules/db-v16").join(name);
            fs::remove_file(&own).unwrap();
            symlink(to, &own).unwrap();
            let others = |path: &PathBuf| !path.starts_with(at(&scratch, ".phi")) && *path != own;
            let mut before = scratch.snapshot();
            before.retain(|p, _| others(p));
            let done = scratch.run(&["check", "--fix"]);
            let mut after = scratch.snapshot();
            after.retain(|p, _| others(p));
            assert_eq!(after, before, "{to} at {name}: {}", done.out);
            assert_eq!(fs::read_to_string(scratch.path("secret.tf")).unwrap(), "# theirs\n");
            assert!(!at(&scratch, "modules/db-v16/nowhere.tf").exists());
        }
    }
}

#[test]
fn no_link_is_written_where_a_folder_is_one() {
    let scratch = scratch();
    // The module's own folder lies elsewhere: a link to it would lead through another one.
    fs::rename(at(&scratch, "modules"), at(&scratch, "lib")).unwrap();
    fs::create_dir(at(&scratch, "modules")).unwrap();
    symlink("../lib/db", at(&scratch, "modules/db")).unwrap();
    fix(&scratch);
    let written = links(&scratch);
    assert!(written.iter().all(|l| !l.ends_with("../db/outputs.tf")), "{written:?}");
    assert_eq!(text(&scratch, "modules/db-v16/outputs.tf"), OUTPUTS);
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    assert_eq!(text(&scratch, "lib/db/outputs.tf"), OUTPUTS);
}

#[test]
fn git_applies_what_is_shown() {
    let steps: [(&str, &str); 3] = [
        ("modules/db/versions.tf", "terraform {\n  required_version = \">= 1.0\"\n}\n"),
        ("modules/db/outputs.tf", "output \"name\" {\n  value = var.engine\n}\n"),
        ("modules/db/outputs.tf", OUTPUTS),
    ];
    let scratch = scratch();
    for (path, text) in steps {
        fs::write(at(&scratch, path), text).unwrap();
        let diff = scratch.run(&["check", "--diff", "-v"]).out;
        assert!(diff.contains("file mode 120000\n"), "{diff}");
        fs::write(scratch.path("patch"), diff).unwrap();
        let other = tempfile::tempdir().unwrap();
        assert!(
            Command::new("cp")
                .arg("-a")
                .arg(scratch.tree().join("."))
                .arg(other.path())
                .status()
                .unwrap()
                .success()
        );
        git(other.path(), &["apply", "--unsafe-paths", scratch.path("patch").to_str().unwrap()]);
        fix(&scratch);
        for (path, held) in scratch.snapshot() {
            let path = path.strip_prefix(scratch.tree()).unwrap();
            if path.starts_with(".phi") || held.is_none() {
                continue;
            }
            let applied = other.path().join(path);
            let linked = fs::read_link(&applied).ok();
            assert_eq!(linked, fs::read_link(scratch.tree().join(path)).ok(), "{}", path.display());
            assert_eq!(fs::read(&applied).unwrap(), fs::read(scratch.tree().join(path)).unwrap());
        }
    }
}

#[test]
fn an_ephemeral_run_puts_back_links_and_files() {
    // On the original, and on a tree that was specialised for other values.
    for kept in [false, true] {
        let scratch = scratch();
        if kept {
            fix(&scratch);
            fs::write(at(&scratch, "modules/db/outputs.tf"), "output \"name\" {\n  value = var.engine\n}\n")
                .unwrap();
        }
        let mut before = scratch.snapshot();
        before.retain(|path, _| !path.starts_with(at(&scratch, ".phi")));
        let mut command = scratch.command(&["plan", "--ephemeral", "-var=env=prod"]);
        command.env("FAKE_DURING", "ls -l modules/* > ../seen");
        let done = Done::new(command.output().unwrap());
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
        let seen = fs::read_to_string(scratch.path("seen")).unwrap();
        assert_eq!(seen.contains("outputs.tf -> ../db/outputs.tf"), !kept, "{seen}");
        let mut after = scratch.snapshot();
        after.retain(|path, _| !path.starts_with(at(&scratch, ".phi")));
        assert_eq!(after, before);
        assert!(!at(&scratch, ".phi/ephemeral.json").exists());
    }
    // What is typed into the original meanwhile stays.
    let scratch = scratch();
    let mut command = scratch.command(&["plan", "--ephemeral", "-var=env=prod"]);
    command.env("FAKE_DURING", "echo '# typed' >> modules/db-v16/outputs.tf");
    let done = Done::new(command.output().unwrap());
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(text(&scratch, "modules/db/outputs.tf").ends_with("# typed\n"));
    assert!(!at(&scratch, "modules/db-v16").exists());
}

#[test]
fn a_revision_with_links_is_read() {
    let scratch = specialised();
    let dir = scratch.tree();
    repository_of(&dir);
    let done = scratch.run(&["review", "--base", "HEAD"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(!done.out.contains("edited") && !done.err.contains("edited"), "{}{}", done.out, done.err);
    fs::write(
        at(&scratch, "modules/db/outputs.tf"),
        OUTPUTS.replace("value", "description = \"d\"\n  value"),
    )
    .unwrap();
    let done = scratch.run(&["review", "--base", "HEAD"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
}

/// As `/tmp` is one on a Mac.
#[test]
fn a_working_directory_behind_a_link_is_the_same_one() {
    let scratch = scratch();
    let link = scratch.path("link");
    symlink(scratch.tree(), &link).unwrap();
    let there = format!("-chdir={}", link.display());
    let done = scratch.run(&[&*there, "check", "--fix"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let written = scratch.snapshot();
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    assert_eq!(scratch.run(&[&*there, "check"]).code, Some(0));
    assert_eq!(scratch.snapshot(), written);
    let done = scratch.run(&[&*there, "restore"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert_eq!(fs::read_to_string(at(&scratch, "main.tf")).unwrap(), ROOT);
}
