//! What `review` says of files that lie in submodules which aren't checked out.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use std::fs;
use std::os::unix::fs::symlink;

const MAIN: &str =
    "variable \"v\" {\n  default = 0\n}\n\nresource \"terraform_data\" \"a\" {\n  input = var.v\n}\n";

/// A repository with a root module at its top, and another one for a submodule.
fn repositories(files: &[(&str, &str)], other: &[(&str, &str)]) -> (Scratch, Scratch) {
    let scratch = Scratch::new([("main.tf", MAIN)].iter().chain(files).copied());
    let sub = Scratch::new(other.iter().copied());
    repository_of(&sub.tree());
    repository_of(&scratch.tree());
    git(&scratch.tree(), &["branch", "base"]);
    (scratch, sub)
}

fn add_submodule(scratch: &Scratch, sub: &Scratch, at: &str) {
    let from = sub.tree();
    git(&scratch.tree(), &["submodule", "--quiet", "add", "--force", from.to_str().unwrap(), at]);
}

/// Commits all, and leaves the submodule as a clone without submodules has it.
fn commit_without(scratch: &Scratch, at: &str) {
    git(&scratch.tree(), &["add", "-A"]);
    git(&scratch.tree(), &["commit", "-qm", "head"]);
    git(&scratch.tree(), &["submodule", "--quiet", "deinit", "-f", at]);
}

/// Has the submodule's next commit in the work tree's index.
fn move_submodule(scratch: &Scratch, sub: &Scratch, file: (&str, &str)) {
    fs::write(sub.tree().join(file.0), file.1).unwrap();
    git(&sub.tree(), &["commit", "-qam", "next"]);
    git(&scratch.tree(), &["submodule", "--quiet", "update", "--init", "--remote"]);
}

fn review(scratch: &Scratch, fail_on: &str) -> Done {
    scratch.run(&["review", "--base", "base", "--fail-on", fail_on])
}

fn assert_is_found(scratch: &Scratch, parts: &[&str]) {
    for fail_on in ["finding", "change"] {
        let done = review(scratch, fail_on);
        assert_eq!(done.code, Some(3), "{fail_on}: {}{}", done.out, done.err);
        parts.iter().for_each(|part| assert!(done.out.contains(part), "{part}: {}", done.out));
    }
    let words =
        ["review", "--base", "base", "--recursive", "--changed-since", "base", "--fail-on", "finding"];
    let done = scratch.run(&words);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
}

fn assert_is_clear(scratch: &Scratch) {
    let done = review(scratch, "change,finding,destroy,replace");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(done.out.to_lowercase().contains("nothing differs"), "{}", done.out);
}

#[test]
fn values_behind_a_link_into_an_absent_submodule_are_not_compared() {
    for name in ["terraform.tfvars", "terraform.tfvars.json", "env/prod.tfvars"] {
        let (scratch, sub) = repositories(&[("env/x.txt", "")], &[("p", "v = 1\n")]);
        add_submodule(&scratch, &sub, "sub");
        let up = if name.contains('/') { "../sub/p" } else { "sub/p" };
        symlink(up, scratch.tree().join(name)).unwrap();
        commit_without(&scratch, "sub");
        let said = format!("{name} leads into the submodule sub, which is not checked out");
        assert_is_found(&scratch, &[&said, "Links into submodules are not read"]);
        // There is another commit of the submodule.
        git(&scratch.tree(), &["branch", "-f", "base"]);
        move_submodule(&scratch, &sub, ("p", "v = 2\n"));
        commit_without(&scratch, "sub");
        assert_is_found(&scratch, &[&said]);
        // Of values that nobody knows nothing is shown to be the same, either.
        git(&scratch.tree(), &["branch", "-f", "base"]);
        fs::write(scratch.tree().join("main.tf"), MAIN.replace("var.v", "var.v == 2")).unwrap();
        commit_without(&scratch, "sub");
        assert_is_found(&scratch, &[&said]);
        // The base alone.
        git(&scratch.tree(), &["branch", "-f", "base"]);
        fs::remove_file(scratch.tree().join(name)).unwrap();
        let text = if name.ends_with(".json") { "{\"v\": 0}" } else { "v = 0\n" };
        fs::write(scratch.tree().join(name), text).unwrap();
        commit_without(&scratch, "sub");
        assert_is_found(&scratch, &[&said, "in the base"]);
    }
}

#[test]
fn links_that_lead_into_an_absent_submodule_over_others_are_found() {
    let (scratch, sub) = repositories(&[("conf/x.txt", "")], &[("d/p", "v = 1\n")]);
    add_submodule(&scratch, &sub, "sub");
    symlink("../sub/d", scratch.tree().join("conf/d")).unwrap();
    symlink("./conf/../conf/d/p", scratch.tree().join("terraform.tfvars")).unwrap();
    commit_without(&scratch, "sub");
    assert_is_found(&scratch, &["terraform.tfvars leads into the submodule sub"]);
}

#[test]
fn a_base_whose_commit_the_submodule_lacks_is_a_finding() {
    let (scratch, sub) = repositories(&[], &[("p", "v = 0\n")]);
    add_submodule(&scratch, &sub, "sub");
    symlink("sub/p", scratch.tree().join("terraform.tfvars")).unwrap();
    git(&scratch.tree(), &["add", "-A"]);
    git(&scratch.tree(), &["commit", "-qm", "one"]);
    git(&scratch.tree(), &["branch", "-f", "base"]);
    // A clone of one commit, as with `--depth=1`, and the default's value.
    fs::write(sub.tree().join("p"), "v = 0 # two\n").unwrap();
    git(&sub.tree(), &["commit", "-qam", "two"]);
    git(&scratch.tree(), &["submodule", "--quiet", "deinit", "-f", "sub"]);
    fs::remove_dir_all(scratch.tree().join(".git/modules/sub")).unwrap();
    fs::remove_dir_all(scratch.tree().join("sub")).unwrap();
    let from = format!("file://{}", sub.tree().display());
    git(&scratch.tree(), &["clone", "-q", "--depth=1", &from, "sub"]);
    git(&scratch.tree(), &["submodule", "--quiet", "absorbgitdirs", "sub"]);
    fs::remove_file(scratch.tree().join("terraform.tfvars")).unwrap();
    fs::write(scratch.tree().join("terraform.tfvars"), "v = 0\n").unwrap();
    git(&scratch.tree(), &["add", "-A"]);
    git(&scratch.tree(), &["commit", "-qm", "two"]);
    let said = "terraform.tfvars leads into the submodule sub, which is not checked out at that commit";
    assert_is_found(&scratch, &[said, "in the base", "fetch --depth=1 origin"]);
}

#[test]
fn folders_of_environments_and_records_that_become_absent_submodules_are_findings() {
    for at in ["env", ".phi"] {
        let (scratch, sub) = repositories(&[], &[("p.tfvars", "v = 1\n")]);
        add_submodule(&scratch, &sub, at);
        commit_without(&scratch, at);
        let said = format!("{at} is a submodule that is not checked out");
        assert_is_found(&scratch, &[&said, "git submodule update --init --recursive"]);
        // Nothing moves.
        git(&scratch.tree(), &["branch", "-f", "base"]);
        fs::write(scratch.tree().join("README"), "").unwrap();
        commit_without(&scratch, at);
        assert_is_clear(&scratch);
        move_submodule(&scratch, &sub, ("p.tfvars", "v = 2\n"));
        commit_without(&scratch, at);
        assert_is_found(&scratch, &[&said]);
    }
}

#[test]
fn phi_hcl_in_an_absent_submodule_is_a_finding() {
    let (scratch, sub) = repositories(&[], &[("phi.hcl", "settings {\n  branches = 2\n}\n")]);
    add_submodule(&scratch, &sub, "sub");
    symlink("sub/phi.hcl", scratch.tree().join("phi.hcl")).unwrap();
    commit_without(&scratch, "sub");
    let done = review(&scratch, "finding");
    assert!(matches!(done.code, Some(1 | 3)), "{}{}", done.out, done.err);
    assert!(format!("{}{}", done.out, done.err).contains("phi.hcl"), "{}{}", done.out, done.err);
}

/// `phi.hcl` says where environments are, the root module has no variables, or another root module would read it.
#[test]
fn absent_submodules_that_nothing_reads_are_none() {
    let named = "settings {\n  environments = [\"env/*.tfvars\"]\n}\n";
    let cases: [(&[(&str, &str)], &str); 4] = [
        (&[("phi.hcl", named), ("env/p.tfvars", "v = 1\n")], "docs"),
        (&[("phi.hcl", "environment \"a\" {\n}\n")], "docs"),
        (&[("main.tf", "locals {}\n")], "env"),
        (&[("live/main.tf", "locals {}\n")], "live/env"),
    ];
    for (files, at) in cases {
        let (scratch, sub) = repositories(files, &[("p.tfvars", "v = 1\n")]);
        add_submodule(&scratch, &sub, at);
        // Nobody reads a file of such a name.
        symlink(format!("{at}/p.tfvars"), scratch.tree().join("link.txt")).unwrap();
        commit_without(&scratch, at);
        assert_is_clear(&scratch);
    }
}
