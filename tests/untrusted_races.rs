//! Another process changes a tree while it is read; and a run that is killed, which leaves no git behind.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

mod cli_common;
mod sample;

use cli_common::Scratch;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use sample::whole;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const MAIN: &str = r#"variable "v" {
  default = "inside"
}
locals {
  all = jsondecode(file("data.json"))
}
module "near" {
  source = "./near"
}
module "beside" {
  source = "../beside"
}
output "v" {
  value = var.v
}
output "data" {
  value = local.all
}
output "names" {
  value = fileset("folder", "**")
}
output "beside" {
  value = fileset("../beside-folder", "**")
}
output "kind" {
  value = fileexists("folder/hidden-there") ? "hunter2-kind" : "no"
}
output "kind_beside" {
  value = fileexists("../beside-folder/hidden-there") ? "hunter2-kind" : "no"
}
"#;
const MODULE: &str = "output \"x\" {\n  value = \"inside\"\n}\n";
const SECRET: &str =
    "output \"x\" {\n  value = \"hunter2\"\n}\nvariable \"hunter2_variable\" {\n  default = 1\n}\n";

/// What is swapped, and for a link to what.
const SWAPPED: [(&str, &str); 10] = [
    ("app/main.tf", "outside/main.tf"),
    ("app/near", "outside"),
    ("app/near/main.tf", "outside/main.tf"),
    ("beside", "outside"),
    ("beside/main.tf", "outside/main.tf"),
    ("app/folder", "outside"),
    ("beside-folder", "outside"),
    ("app/data.json", "outside/data.json"),
    ("app/x.auto.tfvars", "outside/x.auto.tfvars"),
    ("app/phi.hcl", "outside/phi.hcl"),
];

fn tree() -> Scratch {
    let scratch = Scratch::new([
        ("app/main.tf", MAIN),
        ("app/near/main.tf", MODULE),
        ("beside/main.tf", MODULE),
        ("app/folder/inside.txt", "x"),
        ("beside-folder/inside.txt", "x"),
        ("app/data.json", "[\"inside\"]"),
        ("app/x.auto.tfvars", "v = \"given\"\n"),
        ("app/phi.hcl", "environment \"e\" {\n  variables = { v = \"listed\" }\n}\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
    ]);
    let outside = scratch.path("outside");
    fs::create_dir(&outside).unwrap();
    for (name, text) in [
        ("main.tf", SECRET),
        ("hunter2-name.tf", SECRET),
        ("hidden-there", "hunter2"),
        ("data.json", "[\"hunter2\"]"),
        ("x.auto.tfvars", "v = \"hunter2\"\n"),
        ("phi.hcl", "environment \"hunter2\" {\n  variables = { v = \"hunter2\" }\n}\n"),
    ] {
        fs::write(outside.join(name), text).unwrap();
    }
    scratch
}

/// Exchanges two names as long as it is wanted. Gives the number of times.
fn swap(one: &Path, other: &Path, goes_on: &AtomicBool, times: &AtomicUsize) {
    while goes_on.load(Ordering::Relaxed) {
        renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
        times.fetch_add(1, Ordering::Relaxed);
    }
    // As it was.
    if times.load(Ordering::Relaxed) % 2 == 1 {
        renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
    }
}

#[test]
fn nothing_outside_is_printed_while_names_are_swapped() {
    let commands: [&[&str]; 3] =
        [&["trace", "--all", "--format", "json"], &["matrix", "--all", "--format", "json"], &["validate"]];
    let each = if whole() { 60 } else { 6 };
    let (mut runs, mut inside) = (0, 0);
    for (name, to) in SWAPPED {
        let scratch = tree();
        let aside = scratch.path("aside");
        symlink(scratch.path(to), &aside).unwrap();
        let (goes_on, times) = (AtomicBool::new(true), AtomicUsize::new(0));
        let target = scratch.tree().join(name);
        std::thread::scope(|scope| {
            scope.spawn(|| swap(&target, &aside, &goes_on, &times));
            let found: Vec<String> = (0..each)
                .filter_map(|number| {
                    let mut command = scratch.command(commands[number % commands.len()]);
                    let done = command.current_dir(scratch.tree().join("app")).output();
                    let done = done.unwrap_or_else(|_| scratch.command(&["--version"]).output().unwrap());
                    let said = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
                    runs += 1;
                    inside += usize::from(said.contains("\"inside\""));
                    // The names of links and of what they lead to are the tree's own.
                    let said = said.replace(&*scratch.path("outside").to_string_lossy(), "");
                    said.contains("hunter2").then_some(said)
                })
                .collect();
            goes_on.store(false, Ordering::Relaxed);
            assert!(found.is_empty(), "{name}: {}", found[0]);
        });
        assert!(times.load(Ordering::Relaxed) > each, "{name} was hardly swapped");
    }
    assert!(runs == each * SWAPPED.len() && inside > 0, "{inside} of {runs} runs read anything");
}

/// The word by which a child asks is nobody else's: it starts nothing for whom it isn't meant.
#[test]
fn nothing_is_started_by_the_word_of_children() {
    let scratch = tree();
    let done = scratch.run(&["__ends-with-its-parent", "1", "/bin/echo", "hunter2"]);
    assert_eq!((done.code, done.out.as_str()), (Some(126), ""), "{}", done.err);
    let done = scratch.run(&["__ends-with-its-parent"]);
    assert_ne!(done.code, Some(0));
}

/// Linux ends a child with its parent, and `/proc` tells.
#[cfg(target_os = "linux")]
mod killed {
    use super::*;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    fn wait_for(what: &str, done: impl Fn() -> bool) {
        let start = Instant::now();
        while !done() {
            assert!(start.elapsed() < Duration::from_secs(60), "no {what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Returns true if a process is there and does anything.
    fn is_alive(pid: &str) -> bool {
        let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = state.rsplit(')').next().unwrap_or_default().trim_start().to_owned();
        !state.is_empty() && !state.starts_with(['Z', 'X'])
    }

    /// A git that waits for something that never comes is gone with the run that started it, however that ended.
    #[test]
    fn a_killed_run_leaves_no_git_behind() {
        let main = "resource \"terraform_data\" \"a\" {\n  input = 1\n}\n";
        let scratch = Scratch::new([("main.tf", main)]);
        cli_common::git::repository_of(&scratch.tree());
        let note = scratch.path("git-pid");
        let git = scratch.path("bin/git");
        fs::write(
            &git,
            format!("#!/bin/sh\necho $$ > {0}.new && mv {0}.new {0}\nexec sleep 600\n", note.display()),
        )
        .unwrap();
        fs::set_permissions(&git, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        for args in [&["review", "--base=HEAD"][..], &["check", "--recursive", "--changed-since=HEAD"]] {
            let _ = fs::remove_file(&note);
            let mut command = scratch.command(args);
            let mut run =
                command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            wait_for("git", || note.exists());
            let pid = fs::read_to_string(&note).unwrap().trim().to_owned();
            assert!(is_alive(&pid));
            // As SIGKILL does.
            run.kill().unwrap();
            run.wait().unwrap();
            wait_for("end of git", || !is_alive(&pid));
        }
    }
}
