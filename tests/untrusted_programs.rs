//! Commands that only read start no process, whatever the tree says.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

mod cli_common;

use cli_common::Scratch;
use std::os::unix::fs::PermissionsExt as _;

/// A meta-argument with an expression, and one that versions of Terraform read differently.
const TREE: &str = "\
variable \"env\" {\n  type = string\n  validation {\n    condition     = contains([\"a\", \"b\"], var.env)\n    error_message = \"a\"\n  }\n}\n\
module \"chosen\" {\n  source = \"./${var.env}\"\n}\n\
resource \"terraform_data\" \"kept\" {\n  input = strcontains(\"ab\", \"b\")\n  lifecycle {\n    prevent_destroy = var.env == \"a\"\n  }\n}\n";

const READING: &[&[&str]] = &[
    &["check"],
    &["check", "--diff"],
    &["check", "--fix"],
    &["check", "--recursive"],
    &["trace"],
    &["validate"],
    &["matrix"],
    &["trace", "--all"],
    &["trace", "terraform_data.kept.lifecycle.prevent_destroy"],
    &["trace", "--expr", "strcontains(\"a\", \"b\")"],
    &["diff"],
    &["graph"],
    &["explain", "terraform_data.kept"],
    &["plan", "--dry-run"],
    &["plan", "--dry-run", "--ephemeral"],
    &["apply", "--dry-run"],
];

fn tree(phi: &str) -> Scratch {
    let scratch = Scratch::new([("main.tf", TREE), ("a/main.tf", ""), ("b/main.tf", ""), ("phi.hcl", phi)]);
    let evil = scratch.path("tree/evil.sh");
    std::fs::write(&evil, "#!/bin/sh\ntouch \"$(dirname \"$0\")/../ran\"\necho 'Terraform v1.11.4'\n")
        .unwrap();
    std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
    scratch
}

#[test]
fn nothing_is_started_by_what_only_reads() {
    for phi in
        ["", "settings {\n  terraform = \"terraform\"\n}\n", "settings {\n  terraform = \"./evil.sh\"\n}\n"]
    {
        for args in READING {
            let scratch = tree(phi);
            let ran = scratch.run(args);
            assert_eq!(scratch.log(), "", "{args:?} with {phi:?}");
            assert!(!scratch.path("ran").exists(), "{args:?} ran the tree's program");
            if phi.contains("evil") {
                assert_eq!(ran.code, Some(1), "{args:?}\n{}", ran.err);
                assert!(ran.err.contains("export TF_PHI_TERRAFORM=./evil.sh"), "{args:?}\n{}", ran.err);
            }
        }
    }
}

#[test]
fn a_program_of_the_tree_is_never_run() {
    let commands: &[&[&str]] = &[
        &["plan", "-input=false"],
        &["plan", "--ephemeral"],
        &["apply", "-auto-approve"],
        &["verify"],
        &["test"],
        &["history"],
        &["restore"],
        &["plan", "-no-such-flag"],
    ];
    for setting in ["./evil.sh", "../tree/evil.sh", "a/../evil.sh", "evil.sh"] {
        for args in commands {
            let scratch = tree(&format!("settings {{\n  terraform = \"{setting}\"\n}}\n"));
            // A PATH with the folder itself in it, in every way that a shell takes.
            let path = format!(".::{}", std::env::var("PATH").unwrap());
            scratch.command(args).env("PATH", path).output().unwrap();
            assert!(!scratch.path("ran").exists(), "{args:?} ran {setting}");
        }
    }
}

/// A shell that is called like Terraform runs a file of the tree.
#[test]
fn no_other_program_is_run_for_terraform() {
    for setting in ["sh", "bash", "python3", "env", "-terraform"] {
        for args in [&["plan"][..], &["restore"], &["history"], &["test"], &["verify"], &["check"]] {
            let scratch = tree(&format!("settings {{\n  terraform = \"{setting}\"\n}}\n"));
            for name in ["version", "state", "plan"] {
                std::fs::write(scratch.tree().join(name), "touch ../ran\n").unwrap();
            }
            let done = scratch.run(args);
            assert!(!scratch.path("ran").exists(), "{args:?} ran {setting}");
            if args[0] == "plan" || args[0] == "check" {
                assert!(done.code == Some(1) && done.err.contains("names another program"), "{}", done.err);
            }
        }
    }
}

/// Whoever runs it may name any program.
#[test]
fn the_environment_goes_before_the_tree() {
    let scratch = tree("settings {\n  terraform = \"./evil.sh\"\n}\n");
    let evil = scratch.path("tree/evil.sh");
    scratch.command(&["plan"]).env("TF_PHI_TERRAFORM", &evil).output().unwrap();
    assert!(scratch.path("ran").exists());
}

/// Names of files are none of options, though pre-commit hands over whatever a commit holds.
#[test]
fn no_file_is_an_option() {
    let failing = "variable \"e\" {\n  default = \"x\"\n}\nlocals {\n  v = { ok = 1 }[var.e]\n}\noutput \"o\" {\n  value = local.v\n}\n";
    for name in
        ["--var=e=ok", "-var=e=ok", "--strict", "--env=ok", "-chdir=.", "--var-file=../outside/x.tf", "-x.tf"]
    {
        let scratch = Scratch::new([("main.tf", failing), ("other.tf", "")]);
        std::fs::create_dir(scratch.path("outside")).unwrap();
        std::fs::write(scratch.path("outside/x.tf"), "e = \"hunter2\"\n").unwrap();
        let path = scratch.tree().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "").unwrap();
        for command in ["validate", "check"] {
            let bare = scratch.run(&[command, "--recursive", "--files", name, "main.tf"]);
            let said = bare.code == Some(1) && bare.err.contains("is named like an option");
            assert!(said, "{command} {name}: {}", bare.err);
            let done = scratch.run(&[command, "--recursive", "--files", "--", name, "main.tf"]);
            let said = format!("{}{}", done.out, done.err);
            assert!(
                !said.contains("hunter2") && !said.contains("named like an option"),
                "{command} {name}: {said}"
            );
            let status = if command == "validate" { 3 } else { 0 };
            assert_eq!(done.code, Some(status), "{command} {name}: {said}");
        }
    }
}

/// So do the hooks, and what is said of them.
#[test]
fn hooks_end_options_before_files() {
    let mut told = 0;
    for file in [".pre-commit-hooks.yaml", "docs/ci.md"] {
        let text =
            std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for pair in lines.windows(2) {
            if let Some(entry) = pair[0].strip_prefix("entry: ") {
                assert!(entry.ends_with("--files") && pair[1] == "args: [--]", "{file}: {entry}");
                told += 1;
            }
            if let Some(args) = pair[0].strip_prefix("args: [") {
                assert!(args.ends_with("--]"), "{file}: {args}");
            }
        }
    }
    assert_eq!(told, 3);
}
