//! What `diff`, `plan --dry-run`, `check --diff` and `restore --dry-run` print is a patch that Git takes, records included with `-v`.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::Scratch;
use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = "variable \"env\" {\n  type = string\n}\n\nmodule \"db\" {\n  source = \"./modules/d b\"\n  \
    v      = var.env == \"prod\" ? \"a\" : \"b\"\n}";
const MODULE: &str =
    "variable \"v\" {}\r\n\r\nresource \"terraform_data\" \"app\" {\r\n  input = var.v\r\n}\r\n";
const PHI: &str = "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n";

fn git(dir: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    let none = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"];
    command.args(["-c", "core.autocrlf=false"]).args(args).current_dir(dir);
    command.envs(none.map(|name| (name, "/dev/null")));
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "git {args:?}: {said}");
}

/// A repository with two roots: names with spaces and letters beyond ASCII, no line end at a file's end, CRLF.
fn repository() -> Scratch {
    let roots = ["env/one", "env/two é"];
    let files = [("main.tf", ROOT), ("modules/d b/main file.tf", MODULE), ("phi.hcl", PHI)];
    let all = roots.iter().flat_map(|root| files.map(|(path, text)| (format!("{root}/{path}"), text)));
    let all: Vec<(String, &str)> = all.collect();
    let scratch = Scratch::new(all.iter().map(|(path, text)| (path.as_str(), *text)));
    git(&scratch.tree(), &["init", "-q", "."]);
    scratch
}

/// Runs a command in a folder and gives its output to `git apply` there.
fn applied(scratch: &Scratch, dir: &str, args: &[&str]) {
    let here = scratch.tree().join(dir);
    let done = scratch.command(args).current_dir(&here).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!([Some(0), Some(3)].contains(&done.status.code()), "{args:?}: {said}");
    let patch = scratch.path("patch");
    // What `check` says besides comes last, and Git passes over it.
    fs::write(&patch, &done.stdout).unwrap();
    let patch = patch.to_str().unwrap();
    git(&here, &["apply", "--check", patch]);
    git(&here, &["apply", patch]);
}

fn status(scratch: &Scratch, dir: &str) -> (Option<i32>, String) {
    let done = scratch.run(&["check", dir]);
    (done.code, format!("{}{}", done.out, done.err))
}

#[test]
fn git_takes_what_is_shown() {
    let var = "-var=env=prod";
    let two = "-chdir=env/two é";
    let absolute = |scratch: &Scratch| format!("-chdir={}", scratch.tree().join("env/one").display());
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("env/one", &["diff", var, "-v"], &["env/one"]),
        ("env/two é", &["plan", "--dry-run", var, "-v"], &["env/two é"]),
        ("env/one", &["check", "--diff", "-v"], &["env/one"]),
        ("", &["check", "--diff", "-v", "env/one", "./env/two é"], &["env/one", "env/two é"]),
        ("env", &["check", "--diff", "-v", "one"], &["env/one"]),
        ("", &["-chdir=env", "check", "--diff", "-v", "one", "two é"], &["env/one", "env/two é"]),
        ("", &[two, "diff", var, "-v"], &["env/two é"]),
        ("", &[two, "plan", "--dry-run", var, "-v"], &["env/two é"]),
        ("", &[two, "check", "--diff", "-v"], &["env/two é"]),
        ("", &["ABSOLUTE", "diff", var, "-v"], &["env/one"]),
    ];
    for (dir, args, roots) in cases {
        let scratch = repository();
        let there = absolute(&scratch);
        let args: Vec<&str> =
            args.iter().map(|a| if *a == "ABSOLUTE" { there.as_str() } else { a }).collect();
        applied(&scratch, dir, &args);
        for root in *roots {
            let (code, said) = status(&scratch, root);
            assert_eq!(code, Some(0), "{dir} {args:?}: {root}: {said}");
        }
    }
}

#[test]
fn git_takes_what_restore_shows() {
    let scratch = repository();
    let before = fs::read(scratch.tree().join("env/one/main.tf")).unwrap();
    assert_eq!(scratch.run(&["check", "--fix", "env/one"]).code, Some(0));
    applied(&scratch, "", &["-chdir=env/one", "restore", "--dry-run", "-v"]);
    assert_eq!(fs::read(scratch.tree().join("env/one/main.tf")).unwrap(), before);
    assert!(!scratch.tree().join("env/one/modules/d b-a/main file.tf").exists());
    assert_eq!(status(&scratch, "env/one").0, Some(3));
}

/// Without the records nothing can be put back: the patch says that it leaves them out, and `check` what to do then.
#[test]
fn a_patch_without_records_says_so() {
    let scratch = repository();
    let here = scratch.tree().join("env/one");
    let run = |args: &[&str]| scratch.command(args).current_dir(&here).output().unwrap();
    let said = |args: &[&str]| String::from_utf8(run(args).stderr).unwrap();
    let var = "-var=env=prod";
    let left_out = "this leaves out the 3 records in .phi/";
    for args in [&["diff", var][..], &["plan", "--dry-run", var]] {
        assert!(said(args).contains(left_out), "{args:?}: {}", said(args));
        assert_eq!(said(&[args, &["-v"]].concat()), "", "{args:?}");
        assert_eq!(said(&[args, &["-q"]].concat()), "", "{args:?}");
    }
    applied(&scratch, "env/one", &["diff", var]);
    let (code, text) = status(&scratch, "env/one");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("a patch was applied that leaves the records out"), "{text}");
    assert!(text.contains("tf-phi diff -v"), "{text}");
    git(&here, &["apply", "-R", scratch.path("patch").to_str().unwrap()]);
    applied(&scratch, "env/one", &["diff", var, "-v"]);
    assert_eq!(status(&scratch, "env/one").0, Some(0));
    assert!(!said(&["diff", var]).contains(left_out));
}

/// The last declaration of a file goes from a copy, and so does the blank line before it.
#[test]
fn no_file_ends_in_a_blank_line() {
    let module = "resource \"terraform_data\" \"app\" {\n  input = var.v\n}\n\nvariable \"w\" {}\n\nvariable \"v\" {}\n";
    let files = [("main.tf", ROOT), ("modules/d b/main.tf", module), ("phi.hcl", PHI)];
    let scratch = Scratch::new(files);
    git(&scratch.tree(), &["init", "-q", "."]);
    let done = scratch.run(&["diff", "-v", "-var=env=prod"]);
    let patch = scratch.path("patch");
    fs::write(&patch, &done.out).unwrap();
    git(&scratch.tree(), &["apply", "--whitespace=error-all", patch.to_str().unwrap()]);
    assert_eq!(status(&scratch, ".").0, Some(0));
    let copy = fs::read_to_string(scratch.tree().join("modules/d b-a/main.tf")).unwrap();
    assert!(copy.ends_with("variable \"w\" {}\n"), "{copy:?}");
}
