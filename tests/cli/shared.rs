//! Copies that share a file and have values of their own in override files: what Git ignores, what is typed, what is in the way.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use std::fs;
use std::path::PathBuf;

const ROOT: &str = "variable \"env\" {\n  type = string\n}\n\nmodule \"db\" {\n  source = \"./modules/db\"\n  name   = \"orders\"\n  \
    engine = var.env == \"prod\" ? \"15\" : var.env == \"stage\" ? \"16\" : \"17\"\n}\n";
const PHI: &str = "specialize \"terraform_data.this\" {\n  fields = [\"triggers_replace\"]\n}\n";
const IGNORED: &str = "override.tf\n*_override.tf\n*_override.tf.json\n";

/// A module of so many further resources.
fn module(resources: usize) -> String {
    let head = "variable \"name\" {\n  type = string\n}\n\nvariable \"engine\" {\n  type = string\n}\n\n\
                resource \"terraform_data\" \"this\" {\n  input            = var.name\n  triggers_replace = var.engine\n}\n";
    let one = |i: usize| format!("\nresource \"terraform_data\" \"r{i}\" {{\n  input = var.name\n}}\n");
    format!("{head}{}", (0..resources).map(one).collect::<String>())
}

fn scratch(resources: usize) -> Scratch {
    let main = module(resources);
    Scratch::new([("main.tf", ROOT), ("phi.hcl", PHI), ("modules/db/main.tf", main.as_str())])
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

fn is_shared(scratch: &Scratch) -> bool {
    let all: Vec<bool> = ["15", "16", "17"]
        .iter()
        .map(|v| at(scratch, &format!("modules/db-v{v}/phi_override.tf")).exists())
        .collect();
    let linked = at(scratch, "modules/db-v16/main.tf").is_symlink();
    assert!(all.iter().all(|one| *one == linked), "{all:?} {linked}");
    let main = text(scratch, "modules/db-v16/main.tf");
    assert_eq!(main.contains("triggers_replace = \"16\""), !linked, "{main}");
    linked
}

#[test]
fn a_file_that_git_ignores_is_not_needed() {
    let scratch = scratch(20);
    let dir = scratch.tree();
    repository_of(&dir);
    fs::write(at(&scratch, ".gitignore"), IGNORED).unwrap();
    let done = fix(&scratch);
    assert!(!is_shared(&scratch) && !done.err.contains("phi_override"), "{}", done.err);
    // An exception, at the top or nearer.
    fs::write(at(&scratch, ".gitignore"), format!("{IGNORED}!phi_override.tf\n")).unwrap();
    assert_eq!(scratch.run(&["check"]).code, Some(3));
    fix(&scratch);
    assert!(is_shared(&scratch));
    git(&dir, &["add", "-A"]);
    assert_eq!(
        git(&dir, &["ls-files", "modules/db-v16"]).trim_end(),
        "modules/db-v16/main.tf\nmodules/db-v16/phi_override.tf"
    );
    fs::write(at(&scratch, ".gitignore"), IGNORED).unwrap();
    fix(&scratch);
    assert!(!is_shared(&scratch));
    fs::write(at(&scratch, "modules/.gitignore"), "!*_override.tf\n").unwrap();
    fix(&scratch);
    assert!(is_shared(&scratch));
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    assert!(!at(&scratch, "modules/db-v16").exists());
}

#[test]
fn many_lines_that_are_repeated_for_git_alone_are_told_of() {
    let scratch = scratch(80);
    let told = "copies of modules repeat";
    let done = fix(&scratch);
    assert!(is_shared(&scratch) && !done.err.contains(told), "{}", done.err);
    fs::write(at(&scratch, ".gitignore"), IGNORED).unwrap();
    let done = fix(&scratch);
    assert!(!is_shared(&scratch));
    assert!(done.err.contains(told) && done.err.contains("`!phi_override.tf`"), "{}", done.err);
}

#[test]
fn a_comment_stays_and_another_value_is_an_edit() {
    for path in ["db-v15/phi_override.tf", "db-v15/main.tf", "db-v16/phi_override.tf", "db-v16/main.tf"] {
        let scratch = scratch(20);
        fix(&scratch);
        let path = format!("modules/{path}");
        let plain = text(&scratch, &path);
        fs::write(at(&scratch, &path), format!("# typed\n{plain}")).unwrap();
        let before = scratch.snapshot();
        assert_eq!(scratch.run(&["check"]).code, Some(0), "{path}");
        fix(&scratch);
        assert_eq!(scratch.snapshot(), before, "{path}");
        // Another text of the same file keeps it.
        let wider = module(20).replace("  type = string\n", "  type     = string\n  nullable = false\n");
        let wider = wider.replacen("= var.name", "= \"${var.name}-${var.engine}\"", 1);
        fs::write(at(&scratch, "modules/db/main.tf"), wider).unwrap();
        fix(&scratch);
        let now = text(&scratch, &path);
        assert!(
            now.contains("# typed") && (now.contains("nullable") || now.contains("input")),
            "{path}: {now}"
        );
        fs::write(
            at(&scratch, &path),
            now.replace("\"15\"", "\"14\"").replace("\"16\"", "\"14\"").replace("nullable", "sensitive"),
        )
        .unwrap();
        let done = scratch.run(&["check"]);
        assert_eq!(done.code, Some(1), "{path}: {}{}", done.out, done.err);
        assert!(done.err.contains("was edited"), "{path}: {}", done.err);
    }
}

#[test]
fn a_file_of_the_name_is_in_the_way() {
    let scratch = scratch(20);
    fs::create_dir_all(at(&scratch, "modules/db-v16")).unwrap();
    fs::write(at(&scratch, "modules/db-v16/phi_override.tf"), "locals {}\n").unwrap();
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(done.err.contains("a file is in the way"), "{}", done.err);
    // One of the module's own is another matter: it has to be merged, so the copies are whole.
    fs::remove_dir_all(at(&scratch, "modules/db-v16")).unwrap();
    for name in ["phi_override.tf", "a_override.tf", "override.tf"] {
        let own = at(&scratch, "modules/db").join(name);
        fs::write(&own, "resource \"terraform_data\" \"r1\" {\n  input = \"x\"\n}\n").unwrap();
        fix(&scratch);
        assert!(text(&scratch, "modules/db-v16/main.tf").contains("triggers_replace = \"16\""));
        let copied = at(&scratch, "modules/db-v16").join(name);
        assert!(fs::read_to_string(copied).unwrap().contains("\"x\""), "{name}");
        fs::remove_file(own).unwrap();
    }
    fix(&scratch);
    assert!(is_shared(&scratch));
}
