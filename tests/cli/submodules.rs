//! Root modules in submodules: the repository around says what they are compared with.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use std::fs;
use std::path::Path;

const OBJECT: &str = "resource \"terraform_data\" \"prod\" {\n  input = 1\n}\n";
const EVIL: &str = "resource \"terraform_data\" \"evil\" {\n  input = 1\n}\n";

/// A repository with a root module, whose branch of the origin is where it stands.
fn repository(files: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::new(files.iter().copied());
    repository_of(&scratch.tree());
    git(&scratch.tree(), &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    scratch
}

/// Adds a clone of a repository as a submodule, and commits it.
fn add_submodule(scratch: &Scratch, from: &Path, at: &str) {
    git(&scratch.tree(), &["submodule", "--quiet", "add", "--force", from.to_str().unwrap(), at]);
    git(&scratch.tree(), &["commit", "-qm", "submodule"]);
}

const ALL: &str = "change,finding,destroy";

/// Reviews of a root module, however it is named: among all, by its directory, by `-chdir`.
fn reviews(scratch: &Scratch, root: &str, base: &str) -> [Done; 3] {
    let words = ["review", "--base", base, "--fail-on", ALL];
    let chdir = format!("-chdir={root}");
    [
        scratch.run(&[&words[..], &["--recursive"]].concat()),
        scratch.run(&[&words[..], &[root]].concat()),
        scratch.run(&[&[&*chdir], &words[..]].concat()),
    ]
}

#[test]
fn a_folder_that_becomes_a_submodule_of_its_own_repository_is_a_finding() {
    let scratch =
        repository(&[("main.tf", "output \"top\" {\n  value = 1\n}\n"), ("live/app/main.tf", OBJECT)]);
    let tree = scratch.tree();
    let base = git(&tree, &["rev-parse", "HEAD"]).trim().to_owned();
    git(&tree, &["clone", "-q", ".", scratch.path("fork").to_str().unwrap()]);
    git(&tree, &["rm", "-rq", "live/app"]);
    add_submodule(&scratch, &scratch.path("fork"), "live/app");
    for done in reviews(&scratch, "live/app", &base) {
        assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
        let named =
            ["- terraform_data.prod", "live/app was a folder of this repository and is a submodule now"];
        named.iter().for_each(|part| assert!(done.out.contains(part), "{part}: {}", done.out));
    }
    let since = scratch.run(&["-chdir=live/app", "roots", "--changed-since", &base]);
    assert_eq!(since.out, ".\n", "{}", since.err);
}

#[test]
fn what_a_base_is_called_is_no_matter_of_a_submodule() {
    let evil = repository(&[("main.tf", EVIL)]);
    let scratch = repository(&[("live/app/main.tf", OBJECT), ("live/db/main.tf", "locals {}\n")]);
    git(&scratch.tree(), &["rm", "-rq", "live/app"]);
    add_submodule(&scratch, &evil.tree(), "live/app");
    for done in reviews(&scratch, "live/app", "origin/main") {
        assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
        assert!(done.out.contains("- terraform_data.prod"), "{}", done.out);
        assert!(done.out.contains("+ terraform_data.evil"), "{}", done.out);
    }
}

#[test]
fn a_submodule_that_a_change_brings_is_new() {
    let evil = repository(&[("main.tf", EVIL), (".terraform/environment", "prod")]);
    let scratch = repository(&[("live/db/main.tf", "locals {}\n")]);
    add_submodule(&scratch, &evil.tree(), "live/app");
    for done in reviews(&scratch, "live/app", "origin/main") {
        assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
        assert!(done.out.contains("+ terraform_data.evil"), "{}", done.out);
        assert!(done.out.contains(".terraform/environment, data of Terraform's, comes"), "{}", done.out);
        assert!(!done.out.contains("was a folder"), "{}", done.out);
    }
    let since = scratch.run(&["roots", "--recursive", "--changed-since", "origin/main"]);
    assert_eq!(since.out, "live/app\n", "{}", since.err);
}

#[test]
fn a_submodule_is_compared_with_the_commit_that_the_base_names() {
    let own = repository(&[("main.tf", OBJECT)]);
    let scratch = repository(&[("live/db/main.tf", "locals {}\n")]);
    add_submodule(&scratch, &own.tree(), "live/app");
    git(&scratch.tree(), &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    for done in reviews(&scratch, "live/app", "origin/main") {
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
        assert!(done.out.to_lowercase().contains("nothing differs"), "{}", done.out);
    }
    // What the submodule calls by that name is where it stands.
    let sub = scratch.tree().join("live/app");
    fs::write(sub.join("main.tf"), EVIL).unwrap();
    git(&sub, &["commit", "-qam", "evil"]);
    git(&sub, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    git(&scratch.tree(), &["commit", "-qam", "moved"]);
    for done in reviews(&scratch, "live/app", "origin/main") {
        assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
        assert!(done.out.contains("- terraform_data.prod"), "{}", done.out);
        assert!(!done.out.contains("was a folder"), "{}", done.out);
    }
    // Who works within it asks for what it calls so.
    let mut command = scratch.command(&["review", "--base=origin/main", "--fail-on", ALL]);
    let done = Done::new(command.current_dir(&sub).output().unwrap());
    assert_eq!((done.code, &*done.out), (Some(0), "default: nothing differs\n\n"), "{}", done.err);
}

#[test]
fn a_commit_that_the_submodule_lacks_is_an_error() {
    let own = repository(&[("main.tf", OBJECT)]);
    let scratch = repository(&[("live/db/main.tf", "locals {}\n")]);
    add_submodule(&scratch, &own.tree(), "live/app");
    git(&scratch.tree(), &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let before = git(&own.tree(), &["rev-parse", "HEAD"]).trim().to_owned();
    // Another history, as a shallow clone has it.
    git(&own.tree(), &["checkout", "-q", "--orphan", "other"]);
    fs::write(own.tree().join("main.tf"), EVIL).unwrap();
    git(&own.tree(), &["commit", "-qam", "other"]);
    git(&scratch.tree(), &["rm", "-q", "live/app"]);
    fs::remove_dir_all(scratch.tree().join(".git/modules/live/app")).unwrap();
    let words = ["submodule", "--quiet", "add", "--force", "--depth", "1", "-b", "other"];
    let from = format!("file://{}", own.tree().display());
    git(&scratch.tree(), &[&words[..], &[&*from, "live/app"]].concat());
    git(&scratch.tree(), &["commit", "-qam", "moved"]);
    for done in reviews(&scratch, "live/app", "origin/main") {
        assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
        let said = format!("{}{}", done.out, done.err);
        let named = ["the base of live/app can't be read", "fetch --depth=1 origin", &before];
        named.iter().for_each(|part| assert!(said.contains(part), "{part}: {said}"));
    }
}

#[test]
fn a_submodule_that_becomes_a_folder_is_a_finding() {
    let own = repository(&[("main.tf", OBJECT)]);
    let scratch = repository(&[("live/db/main.tf", "locals {}\n")]);
    add_submodule(&scratch, &own.tree(), "live/app");
    git(&scratch.tree(), &["rm", "-q", "live/app"]);
    fs::create_dir_all(scratch.tree().join("live/app")).unwrap();
    fs::write(scratch.tree().join("live/app/main.tf"), OBJECT).unwrap();
    git(&scratch.tree(), &["add", "-A"]);
    for done in reviews(&scratch, "live/app", "HEAD") {
        assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
        let finding = "live/app was a submodule and is a folder of this repository now";
        assert!(done.out.contains(finding), "{}", done.out);
    }
}

/// Git doesn't track it here, so no change can bring it.
#[test]
fn a_clone_that_git_does_not_track_is_compared_by_itself() {
    let own = repository(&[("main.tf", OBJECT)]);
    let scratch = repository(&[("live/db/main.tf", "locals {}\n"), (".gitignore", "clone\n")]);
    git(&scratch.tree(), &["clone", "-q", own.tree().to_str().unwrap(), "clone"]);
    fs::write(scratch.tree().join("clone/main.tf"), EVIL).unwrap();
    git(&scratch.tree().join("clone"), &["commit", "-qam", "evil"]);
    let done = scratch.run(&["review", "--base=HEAD~1", "clone"]);
    assert!(done.out.contains("- terraform_data.prod"), "{}{}", done.out, done.err);
}
