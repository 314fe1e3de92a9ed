//! Calls that Terraform refuses whatever it is given, by the way in which they come to their source. `e2e/calls.rs` asks Terraform the same.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

#[path = "../cli_common/calls.rs"]
mod trees;

use crate::cli_common::Scratch;
use std::fs;
use trees::{Case, Fault, Source, cases};

fn scratch_of(case: Case) -> Scratch {
    let files = case.files();
    let scratch = Scratch::new(files.iter().map(|(path, text)| (*path, text.as_str())));
    if case.fault == Fault::Empty {
        fs::create_dir_all(scratch.tree().join("modules/b")).unwrap();
    }
    scratch
}

const NO_COPIES: &str = "settings {\n  copies = false\n}\n";

/// A module that can't be read is an error of every command that reads or writes it, and nothing is written; what a call doesn't suit is a finding
/// of `validate`. How the call comes to its source makes no difference.
#[test]
fn what_terraform_refuses_is_told_of_every_source() {
    for case in cases() {
        let scratch = scratch_of(case);
        let validate = scratch.run(&["validate"]);
        let want = match case.fault {
            Fault::Nothing => 0,
            fault if fault.is_unreadable() => 1,
            _ => 3,
        };
        let said = format!("{}{}", validate.out, validate.err);
        assert_eq!(validate.code, Some(want), "validate: {case}\n{said}");
        assert!(said.contains(case.fault.summary()), "validate: {case}\n{said}");
        let before = scratch.snapshot();
        for args in [&["check"][..], &["check", "--fix"], &["plan", "-var-file=env/prod.tfvars"], &["init"]] {
            // Of what has nothing to be specialised Terraform says what there is to say.
            if case.source == Source::Literal && args[0] != "check" {
                continue;
            }
            let done = scratch.run(args);
            let said = format!("{}{}", done.out, done.err);
            if case.fault.is_unreadable() {
                assert_eq!(done.code, Some(1), "{args:?}: {case}\n{said}");
                assert!(said.contains(case.fault.summary()), "{args:?}: {case}\n{said}");
                assert_eq!(scratch.snapshot(), before, "{args:?}: {case}");
                assert!(!scratch.calls().iter().any(|call| call.starts_with("init")), "{args:?}: {case}");
            } else {
                let would_change = args == ["check"] && case.source != Source::Literal;
                assert_eq!(done.code, Some(if would_change { 3 } else { 0 }), "{args:?}: {case}\n{said}");
            }
        }
    }
}

/// The expression, the value, the line that gives it, and the folder that is meant.
#[test]
fn a_missing_folder_is_told_with_what_leads_to_it() {
    let case = Case { fault: Fault::Missing, source: Source::Local };
    let scratch = scratch_of(case);
    fs::create_dir(scratch.tree().join("modules/b2")).unwrap();
    let done = scratch.run(&["check"]);
    for part in [
        "--> main.tf:12:12",
        "The source of module.m may be \"./modules/b\", by the value of var.kind (env/dev.tfvars:1).",
        "Did you mean modules/b2?",
        "mv -- modules/b2 modules/b",
    ] {
        assert!(done.err.contains(part), "{part}: {}", done.err);
    }
    let doctor = scratch.run(&["doctor"]);
    assert!(
        doctor.code == Some(1) && doctor.out.contains("Unreadable module directory"),
        "{}\n{}",
        doctor.out,
        doctor.err
    );
    // The way out works as it is printed.
    fs::rename(scratch.tree().join("modules/b2"), scratch.tree().join("modules/b")).unwrap();
    fs::write(
        scratch.tree().join("modules/b/main.tf"),
        "variable \"size\" {}\noutput \"out\" {\n  value = 1\n}\n",
    )
    .unwrap();
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    // And the folder may go later, when copies stand in the tree.
    fs::remove_dir_all(scratch.tree().join("modules/b")).unwrap();
    let before = scratch.snapshot();
    for args in [&["check"][..], &["check", "--fix"], &["plan", "-var-file=env/prod.tfvars"], &["validate"]] {
        let done = scratch.run(args);
        assert!(done.code == Some(1) && done.err.contains("Code: missing"), "{args:?}: {}", done.err);
    }
    assert_eq!(scratch.snapshot(), before);
}

/// What no environment and no list leads to is nobody's.
#[test]
fn a_folder_that_nothing_leads_to_may_be_missing() {
    let case = Case { fault: Fault::Missing, source: Source::Conditional };
    let scratch = scratch_of(case);
    let main = fs::read_to_string(scratch.tree().join("main.tf")).unwrap();
    fs::write(scratch.tree().join("main.tf"), main.replace("[\"a\", \"b\"]", "[\"a\"]")).unwrap();
    fs::remove_file(scratch.tree().join("env/dev.tfvars")).unwrap();
    for args in [&["validate"][..], &["check", "--fix"], &["check"]] {
        let done = scratch.run(args);
        assert_eq!(done.code, Some(0), "{args:?}: {}{}", done.out, done.err);
    }
}

/// Without copies the source is one literal in each run: it stops where its own folder isn't there.
#[test]
fn without_copies_a_runs_own_source_counts() {
    let scratch = scratch_of(Case { fault: Fault::Missing, source: Source::Variable });
    fs::write(scratch.tree().join("phi.hcl"), NO_COPIES).unwrap();
    let found = scratch.run(&["validate"]);
    assert_eq!(found.code, Some(3), "{}{}", found.out, found.err);
    for part in ["Unreadable module directory", "main.tf:9:12", "var.kind == \"b\" (dev)"] {
        assert!(found.out.contains(part), "{part}: {}", found.out);
    }
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    let run = |file: &str| scratch.run(&["plan", &format!("-var-file=env/{file}.tfvars")]);
    assert_eq!(run("prod").code, Some(0), "{}", run("prod").err);
    let dev = run("dev");
    assert!(dev.code == Some(1) && dev.err.contains("Unreadable module directory"), "{}", dev.err);
}

/// A secret's value is told by no message, the folder that it leads to included.
#[test]
fn a_secret_that_leads_nowhere_is_not_told() {
    let main = "variable \"secret\" {\n  default   = \"hidden-word\"\n  sensitive = true\n}\nmodule \"m\" {\n  source = \
                \"./${nonsensitive(var.secret)}\"\n}\n";
    let scratch = Scratch::new([("main.tf", main)]);
    for args in [&["check"][..], &["validate"], &["plan"], &["doctor"]] {
        let done = scratch.run(args);
        assert!(done.code == Some(1), "{args:?}: {}{}", done.out, done.err);
        assert!(!format!("{}{}", done.out, done.err).contains("hidden-word"), "{args:?}: {}", done.err);
    }
}

/// What one of the sources holds isn't known where nothing is installed: that nothing stops isn't said of it.
#[test]
fn a_source_that_nobody_looks_into_is_counted() {
    let main = "variable \"near\" {\n  default = true\n}\nmodule \"m\" {\n  source = var.near ? \"./a\" : \
                \"git::https://git.example/m\"\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("a/main.tf", "")]);
    let done = scratch.run(&["validate"]);
    assert!(
        done.code == Some(0) && done.err.contains("module.m wasn't looked into"),
        "{}{}",
        done.out,
        done.err
    );
    assert_eq!(scratch.run(&["check"]).code, Some(3));
}

/// A module that is called twice holds the expression once.
#[test]
fn an_expression_of_a_module_that_is_called_twice_is_told_once() {
    let call = |name: &str| format!("module \"{name}\" {{\n  source = \"./mid\"\n  kind   = var.kind\n}}\n");
    let main = format!("variable \"kind\" {{}}\n{}{}", call("x"), call("y"));
    let mid = "variable \"kind\" {}\nmodule \"m\" {\n  source = \"../${var.kind}\"\n}\n";
    let scratch =
        Scratch::new([("main.tf", &*main), ("mid/main.tf", mid), ("b.tfvars", "kind = \"leaf\"\n")]);
    let done = scratch.run(&["check"]);
    assert_eq!((done.code, done.err.matches("Code: missing").count()), (Some(1), 1), "{}", done.err);
    assert!(done.err.contains("mid/main.tf:3:12"), "{}", done.err);
}
