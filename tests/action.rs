//! The GitHub action's script, under an imitation of a runner; and every workflow of the documents.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::process::Command;

/// Runs the script's own tests; the binary is the one under test.
#[test]
fn the_script() {
    let mut command = Command::new("python3");
    command.args(["-B", "-m", "unittest", "discover", "-s", "tests/action"]);
    let done = command.env("TF_PHI_UNDER_TEST", env!("CARGO_BIN_EXE_tf-phi")).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// By the schemas that GitHub and GitLab publish; where they can't be had it says SKIPPED.
#[test]
fn the_workflows_of_the_documents() {
    let done = Command::new("scripts/workflows").output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    println!("{said}");
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
}

/// Everything that a workflow says to the script goes through its environment: text in a command line would be run.
#[test]
fn no_expression_stands_in_a_command() {
    let text = std::fs::read_to_string("action.yml").unwrap();
    let runs: Vec<&str> = text.lines().filter(|l| l.trim_start().starts_with("run:")).collect();
    assert_eq!(runs.len(), 2);
    for run in runs {
        let command = run.trim_start().trim_start_matches("run:").trim();
        assert!(command.starts_with("python3 ") && !command.contains("${{"), "{run}");
    }
}
