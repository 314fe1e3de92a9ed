//! Files that Terraform writes for itself, and that a change brings along: lists of modules, notes of backends, states.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use std::fs;
use std::path::Path;

const CALL: &str = "module \"m\" {\n  source = \"./m\"\n}\n";
const GOOD: &str = "output \"o\" {\n  value = \"good\"\n}\n";
const EVIL: &str = "output \"o\" {\n  value = \"evil\"\n}\n";
const LIST: &str = ".terraform/modules/modules.json";

fn write(scratch: &Scratch, path: &str, text: &str) {
    let path = scratch.tree().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A list of installed modules, each with key, source and folder.
fn list(modules: &[(&str, &str, &str)]) -> String {
    let entry = |(key, source, dir): &(&str, &str, &str)| {
        format!(r#"{{"Key":"{key}","Source":"{source}","Dir":"{dir}"}}"#)
    };
    let all: Vec<String> = modules.iter().map(entry).collect();
    format!(r#"{{"Modules":[{{"Key":"","Source":"","Dir":"."}},{}]}}"#, all.join(","))
}

/// A tree that calls `./m`, with a folder beside it, committed.
fn calling() -> Scratch {
    let scratch = Scratch::new([("main.tf", CALL), ("m/main.tf", GOOD), ("evil/main.tf", EVIL)]);
    repository_of(&scratch.tree());
    scratch
}

fn commit(dir: &Path) {
    git(dir, &["add", "-A", "-f"]);
    git(dir, &["commit", "-qm", "head"]);
}

fn reviewed(scratch: &Scratch, more: &[&str]) -> Done {
    scratch.run(&[&["review", "--base=HEAD~1"], more].concat())
}

/// The review names a file as a finding and as a row, and stops at either.
fn tells(scratch: &Scratch, file: &str, paste: &str) {
    for what in ["finding", "change"] {
        let done = reviewed(scratch, &["--fail-on", what]);
        assert_eq!(done.code, Some(3), "{what}: {}{}", done.out, done.err);
        assert!(!done.out.contains("nothing differs"), "{}", done.out);
        assert!(done.out.matches(file).count() > 1 && done.out.contains(paste), "{}{}", done.out, done.err);
    }
    let done = reviewed(scratch, &["--json"]);
    assert!(done.out.contains("\"code\": \"environment\"") && done.out.contains(file), "{}", done.out);
    let since = scratch.run(&["roots", "--changed-since=HEAD~1"]);
    assert_eq!(since.out, ".\n", "{}", since.err);
}

#[test]
fn a_list_that_leads_a_local_call_elsewhere_is_an_error() {
    let scratch = calling();
    write(&scratch, LIST, &list(&[("m", "./m", "evil")]));
    let done = scratch.run(&["check"]);
    assert!(done.code == Some(1) && done.err.contains("folder evil"), "{}{}", done.out, done.err);
    // Terraform itself takes no expression here.
    let driven = "variable \"keep\" {\n  type = bool\n}\nresource \"terraform_data\" \"x\" {\n  lifecycle {\n    prevent_destroy = var.keep\n  }\n}\n";
    write(&scratch, "main.tf", &format!("{CALL}{driven}"));
    for command in ["validate", "check", "matrix", "plan"] {
        let done = scratch.run(&[command]);
        let all = format!("{}{}", done.out, done.err);
        assert_eq!(done.code, Some(1), "{command}: {all}");
        let named =
            [LIST, "folder evil", "main.tf:2", "rm -- .terraform/modules/modules.json && terraform init"];
        named.iter().for_each(|part| assert!(all.contains(part), "{command}: {part}: {all}"));
    }
    commit(&scratch.tree());
    let done = reviewed(&scratch, &[]);
    assert!(done.code == Some(1) && done.err.contains("folder evil"), "{}{}", done.out, done.err);
    let done = scratch.run(&["init", "--modules"]);
    let is_asked = scratch.calls().iter().any(|call| call.starts_with("get") || call.starts_with("plan"));
    assert!(done.code == Some(1) && !is_asked, "{:?} {}{}", scratch.calls(), done.out, done.err);
}

#[test]
fn a_list_that_says_where_calls_are_is_followed() {
    let child = "module \"c\" {\n  source = \"../m\"\n}\n";
    let main = "module \"p\" {\n  source = \"./p\"\n}\nmodule \"m\" {\n  source = \"./x/../m/\"\n}\n";
    let lists = [
        list(&[("p", "./p", "p"), ("p.c", "../m", "m"), ("m", "./m", "./m")]),
        // Below a call that is another one now, Terraform installs anew.
        list(&[("p", "./other", "other"), ("p.c", "../m", "other/m"), ("m", "./n", "n")]),
        list(&[("p.c", "../m", "other/m")]),
        // A link to the folder is the folder.
        list(&[("m", "./m", "linked")]),
    ];
    for list in lists {
        let scratch =
            Scratch::new([("main.tf", main), ("m/main.tf", GOOD), ("p/main.tf", child), (LIST, &*list)]);
        std::os::unix::fs::symlink("m", scratch.tree().join("linked")).unwrap();
        let done = scratch.run(&["validate"]);
        assert_eq!(done.code, Some(0), "{list}: {}{}", done.out, done.err);
    }
    let list = list(&[("p", "./p", "p"), ("p.c", "../m", "evil")]);
    let files = [
        ("main.tf", main),
        ("m/main.tf", GOOD),
        ("p/main.tf", child),
        ("evil/main.tf", EVIL),
        (LIST, &*list),
    ];
    let done = Scratch::new(files).run(&["validate"]);
    assert!(
        done.code == Some(1) && done.err.contains("\"module.p.module.c\" calls"),
        "{}{}",
        done.out,
        done.err
    );
}

#[test]
fn a_list_that_git_tracks_is_a_finding() {
    let scratch = calling();
    write(&scratch, LIST, &list(&[("m", "./m", "m")]));
    commit(&scratch.tree());
    tells(&scratch, LIST, "git rm --cached -- .terraform/modules/modules.json");
    // Gone again, it is one as well.
    git(&scratch.tree(), &["rm", "-q", "--cached", LIST]);
    git(&scratch.tree(), &["commit", "-qm", "gone"]);
    let done = reviewed(&scratch, &["--fail-on", "finding"]);
    assert!(done.code == Some(3) && done.out.contains("Git doesn't track it any more"), "{}", done.out);
    // What Git doesn't track is the user's own.
    let done = scratch.run(&["review", "--base=HEAD", "--fail-on", "change,finding"]);
    assert_eq!((done.code, &*done.out), (Some(0), "default: nothing differs\n\n"), "{}", done.err);
}

#[test]
fn what_git_tracks_is_a_finding_in_a_new_root_module_too() {
    let scratch = calling();
    write(&scratch, "live/main.tf", "locals {}\n");
    write(&scratch, "live/.terraform/environment", "prod");
    commit(&scratch.tree());
    let done = scratch.run(&["review", "--recursive", "--base=HEAD~1", "--fail-on", "finding"]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    assert!(done.out.contains("(cd live && git rm --cached -- .terraform/environment)"), "{}", done.out);
    assert!(done.out.contains("Nothing differs in 2 of 3 directories"), "{}", done.out);
}

#[test]
fn init_takes_no_list_that_git_tracks_for_installed() {
    let scratch = Scratch::new([("main.tf", "module \"m\" {\n  source = \"acme/m/aws\"\n}\n")]);
    repository_of(&scratch.tree());
    let entry = ("m", "registry.terraform.io/acme/m/aws", ".terraform/modules/m");
    write(&scratch, LIST, &list(&[entry]));
    write(&scratch, ".terraform/modules/m/main.tf", EVIL);
    commit(&scratch.tree());
    let done = scratch.run(&["init", "--modules"]);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(done.err.contains("git rm -r --cached -- .terraform/modules"), "{}", done.err);
    assert!(scratch.calls().is_empty(), "{:?}", scratch.calls());
    tells(&scratch, ".terraform/modules/m/main.tf", "git rm --cached -- .terraform/modules/m/main.tf");
    git(&scratch.tree(), &["rm", "-rq", "--cached", ".terraform"]);
    let done = scratch.run(&["init", "--modules"]);
    assert_eq!((done.code, scratch.calls()), (Some(0), vec!["get -no-color".to_owned()]), "{}", done.err);
}

/// The tree keeps its state in Git, which is nobody's business until a change edits it.
#[test]
fn a_state_that_a_change_edits_is_a_finding() {
    let backend =
        |path: &str| format!("terraform {{\n  backend \"local\" {{\n    path = \"{path}\"\n  }}\n}}\n");
    let files = [
        ("terraform.tfstate", "locals {}\n".to_owned()),
        ("x.tfstate.backup", "locals {}\n".to_owned()),
        ("terraform.tfstate.d/prod/terraform.tfstate", "locals {}\n".to_owned()),
        ("states/data.json", backend("states/data.json")),
    ];
    for (file, main) in files {
        let scratch = Scratch::new([("main.tf", &*main), (file, "{}")]);
        repository_of(&scratch.tree());
        let done = scratch.run(&["review", "--base=HEAD", "--fail-on", "change,finding"]);
        assert_eq!((done.code, &*done.out), (Some(0), "default: nothing differs\n\n"), "{}", done.err);
        write(&scratch, file, "{\"version\": 4}");
        commit(&scratch.tree());
        tells(&scratch, file, &format!("git rm --cached -- {file}"));
    }
}

/// A state elsewhere is that of the root module whose backend names it, or may be told of it.
#[test]
fn a_state_elsewhere_is_of_whoever_names_it() {
    let files = [
        ("live/a/main.tf", "terraform {\n  backend \"local\" {\n    path = \"../../states/a\"\n  }\n}\n"),
        ("live/b/main.tf", "terraform {\n  backend \"local\" {}\n}\n"),
        ("live/c/main.tf", "terraform {\n  backend \"s3\" {}\n}\n"),
        ("states/a", "{}"),
        ("states/b.tfstate", "{}"),
    ];
    let scratch = Scratch::new(files);
    repository_of(&scratch.tree());
    write(&scratch, "states/a", "{ }");
    write(&scratch, "states/b.tfstate", "{ }");
    commit(&scratch.tree());
    let told = |root: &str| scratch.run(&["review", "--base=HEAD~1", &format!("live/{root}")]).out;
    assert!(told("a").contains("(cd live/a && git rm --cached -- ../../states/a)"), "{}", told("a"));
    assert!(told("b").contains("(cd live/b && git rm --cached -- ../../states/b.tfstate)"), "{}", told("b"));
    assert_eq!(told("c"), "default: nothing differs\n\n");
}

#[test]
fn the_data_folder_is_where_the_run_says() {
    let scratch = calling();
    write(&scratch, "data/terraform.tfstate", "{}");
    write(&scratch, "linked/environment", "prod");
    std::os::unix::fs::symlink("linked", scratch.tree().join(".terraform")).unwrap();
    commit(&scratch.tree());
    write(&scratch, "data/environment", "prod");
    write(&scratch, "linked/environment", "dev");
    commit(&scratch.tree());
    let mut command = scratch.command(&["review", "--base=HEAD~1", "--fail-on", "finding"]);
    let done = Done::new(command.env("TF_DATA_DIR", "data").output().unwrap());
    assert!(done.code == Some(3) && done.out.contains("-- data/environment"), "{}{}", done.out, done.err);
    // Without it, a link that Git tracks leads there.
    let done = reviewed(&scratch, &["--fail-on", "finding"]);
    assert!(done.code == Some(3) && done.out.contains("-- linked/environment"), "{}{}", done.out, done.err);
}
