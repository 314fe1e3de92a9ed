//! `tf-phi doctor`, and commands over many root modules that put things back.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;
use crate::cli_common::git::git;
use crate::cli_common::signals::heard_by_children;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const MAIN: &str = "variable \"env\" {}\nresource \"terraform_data\" \"db\" {\n  lifecycle {\n    \
    prevent_destroy = var.env == \"prod\"\n  }\n}\n";

#[test]
fn says_what_there_is_and_changes_nothing() {
    let files = [("main.tf", MAIN), ("dev.tfvars", "env = \"dev\"\n"), ("prod.tfvars", "env = \"prod\"\n")];
    let scratch = Scratch::new(files);
    let before = scratch.snapshot();
    let done = scratch.run(&["doctor"]);
    for said in [
        "1 where Terraform takes no expression",
        "2 environments",
        "prod: prod.tfvars",
        "main.tf:4: terraform_data.db.lifecycle.prevent_destroy",
        "none, or an empty one",
        "wasn't asked: this lies in no work tree",
    ] {
        assert!(done.out.contains(said), "{said}\n{}\n{}", done.out, done.err);
    }
    assert_eq!(scratch.snapshot(), before);
    git(&scratch.tree(), &["init", "-q"]);
    let done = scratch.run(&["doctor"]);
    assert!(done.out.contains("ignores nothing that has to be committed"), "{}", done.out);
}

#[test]
fn says_what_is_in_the_way() {
    let scratch = Scratch::new([
        ("main.tf", MAIN),
        (".gitignore", ".*\n"),
        ("phi.hcl", "specialize \"terraform_data.nope\" {\n  fields = [\"input\"]\n}\n"),
    ]);
    git(&scratch.tree(), &["init", "-q"]);
    let done = scratch.run(&["doctor"]);
    assert_eq!(done.code, Some(1));
    for said in
        ["Unknown resource \"terraform_data.nope\"", "tf-phi check", ".phi/history.jsonl", "    !.phi/\n"]
    {
        assert!(done.out.contains(said), "{said}\n{}", done.out);
    }
    fs::write(scratch.tree().join(".gitignore"), ".*\n!.phi/\n").unwrap();
    let done = scratch.run(&["doctor"]);
    assert!(done.out.contains("ignores nothing"), "{}", done.out);
    // A state that can't be read is none of which nothing is known.
    fs::remove_file(scratch.tree().join("phi.hcl")).unwrap();
    fs::write(scratch.tree().join("terraform.tfstate"), "{").unwrap();
    fs::write(scratch.path("bin/terraform"), "#!/bin/sh\necho Broken >&2\nexit 1\n").unwrap();
    let done = scratch.run(&["doctor"]);
    assert!(done.code == Some(1) && !done.out.contains("none, or an empty one"), "{}", done.out);
}

/// What couldn't be read isn't said to be none.
#[test]
fn claims_nothing_of_what_a_conflict_hides() {
    let marked = format!("<<<<<<< ours\n{MAIN}=======\n{MAIN}>>>>>>> theirs\n");
    let scratch = Scratch::new([("main.tf", &*marked), ("env/dev.tfvars", ""), ("env/prod.tfvars", "")]);
    let done = scratch.run(&["doctor"]);
    assert!(done.out.contains("Environments  weren't read"), "{}", done.out);
    assert!(
        !done.out.contains("none is named") && !done.out.contains("no expression stands"),
        "{}",
        done.out
    );
}

/// Terraform shows the line that it stops at, whatever stands in it.
#[test]
fn shows_no_source_that_terraform_shows() {
    let main = "resource \"aws_db_instance\" \"x\" {\n  password = \"S3cretAA77\\q\"\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("terraform.tfstate", "{}")]);
    let said = "\nError: Invalid escape sequence\n\n  on main.tf line 2, in resource \"aws_db_instance\" \"x\":\n   2:   password = \"S3cretAA77\\\\q\"\n\nThe symbol \"S3cretAA77\" is none.\n";
    let script = format!(
        "#!/bin/sh\ncase \"$1\" in version) echo '{{\"terraform_version\":\"1.11.4\"}}';; *) cat >&2 <<'END'\n{said}END\nexit 1;; esac\n"
    );
    fs::write(scratch.path("bin/terraform"), script).unwrap();
    let done = scratch.run(&["doctor"]);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(
        done.out.contains("Invalid escape sequence") && done.out.contains("on main.tf line 2"),
        "{}",
        done.out
    );
    assert!(!(done.out + &done.err).contains("S3cret"), "a source was shown");
}

#[test]
fn restore_puts_every_root_back() {
    let files = [("live/a/main.tf", MAIN), ("live/b/main.tf", MAIN), ("live/c/main.tf", "")];
    let scratch = Scratch::new(files);
    let done = scratch.run(&["check", "--recursive", "--fix", "live"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    fs::write(scratch.tree().join("live/a/main.tf"), "resource \"x\" {").unwrap();
    let done = scratch.run(&["restore", "--recursive", "live"]);
    assert_eq!(done.code, Some(1), "one was edited\n{}", done.err);
    assert!(done.err.contains("live/b:") && !done.err.contains("live/c"), "{}", done.err);
    for (name, text) in files.into_iter().skip(1) {
        assert_eq!(fs::read_to_string(scratch.tree().join(name)).unwrap(), text);
    }
    let done = scratch.run(&["restore", "live/b", "live/c"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
}

#[test]
fn an_override_file_over_an_expression_is_named() {
    let over = "resource \"terraform_data\" \"db\" {\n  lifecycle {\n    prevent_destroy = false\n  }\n}\n";
    let scratch = Scratch::new([("main.tf", MAIN), ("x_override.tf", over)]);
    let done = scratch.run(&["plan"]);
    let said = "Terraform reads the prevent_destroy that an override file replaces";
    assert!(done.err.contains(said) && done.err.contains("main.tf:4"), "{}", done.err);
}

/// What Terraform would wait for, or read without an end, isn't put before it.
#[test]
fn asks_nothing_where_terraform_would_wait() {
    let main = MAIN.to_owned() + "terraform {\n  backend \"local\" {\n    path = \"x.tfstate\"\n  }\n}\n";
    for name in
        ["a.tf", ".terraform.lock.hcl", ".terraform/terraform.tfstate", "terraform.tfstate", "phi.moved.tf"]
    {
        for pipe in [true, false] {
            let scratch = Scratch::new([("main.tf", &*main), ("dev.tfvars", "env = \"dev\"\n")]);
            let path = scratch.tree().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match pipe {
                true => assert!(Command::new("mkfifo").arg(&path).status().unwrap().success()),
                false => symlink("/dev/zero", &path).unwrap(),
            }
            let done = scratch.run(&["doctor"]);
            assert_eq!(done.code, Some(1), "{name}\n{}\n{}", done.out, done.err);
            assert!(
                done.out.contains(&format!("{name} is neither a file nor a folder")),
                "{name}\n{}",
                done.out
            );
            assert!(scratch.calls().iter().all(|call| call == "version"), "{name}: {:?}", scratch.calls());
        }
    }
}

/// A Terraform that doesn't hear a signal isn't waited for without an end.
#[test]
fn a_signal_ends_what_only_answers() {
    let scratch = Scratch::new([("main.tf", MAIN)]);
    let mut command = scratch.command(&["doctor"]);
    command.env("FAKE_DURING", "trap '' TERM; touch ../ready; exec sleep 100");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    heard_by_children();
    let mut child = command.spawn().unwrap();
    let start = Instant::now();
    while !scratch.path("ready").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "it did not start");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(90), "it did not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Two modules for each of ten levels: the expression in the last one is one, on a thousand paths.
#[test]
fn an_expression_counts_once() {
    let inner = |next: usize| {
        let call =
            |name: &str| format!("module \"{name}\" {{\n  source = \"../m{next}\"\n  env    = var.env\n}}\n");
        format!("variable \"env\" {{}}\n{}{}", call("a"), call("b"))
    };
    let mut files: Vec<(String, String)> =
        (0..9).map(|at| (format!("m{at}/main.tf"), inner(at + 1))).collect();
    files.push(("m9/main.tf".to_owned(), MAIN.to_owned()));
    let root = inner(0).replace("../m0", "./m0");
    files.push(("main.tf".to_owned(), root));
    let scratch = Scratch::new(files.iter().map(|(path, text)| (&**path, &**text)));
    let done = scratch.run(&["doctor"]);
    assert!(done.out.contains("1 expression where"), "{}\n{}", done.out, done.err);
    assert!(
        done.out.contains("m9/main.tf:4: ") && done.out.contains("and 1023 more by other calls"),
        "{}",
        done.out
    );
    assert!(done.out.lines().count() < 40, "{}", done.out);
}
