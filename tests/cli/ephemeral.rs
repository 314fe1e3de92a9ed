//! Ephemeral runs: the sources are back when Terraform has ended, whatever ended it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::repository_of;
use crate::cli_common::signals::heard_by_children;
use crate::cli_common::{Done, Scratch};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const ROOT: &str = "variable \"env\" {\n  type = string\n}\n\nresource \"terraform_data\" \"app\" {\n  \
    input = var.env == \"prod\" ? \"a\" : \"b\"\n}\n";
const PHI: &str = "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n";
const HISTORY: [&str; 2] = [".phi/history.jsonl", ".phi/.gitattributes"];

fn scratch() -> Scratch {
    Scratch::new([("main.tf", ROOT), ("phi.hcl", PHI)])
}

/// The tree without what an ephemeral run may leave.
fn sources(scratch: &Scratch) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut all = scratch.snapshot();
    let phi = scratch.tree().join(".phi");
    let left: Vec<_> = all.keys().filter(|p| p.starts_with(&phi) && **p != phi).cloned().collect();
    assert!(left.iter().all(|p| HISTORY.iter().any(|own| p.ends_with(own))), "{left:?}");
    all.retain(|p, _| !p.starts_with(&phi));
    all
}

/// What leads home between runs, once something was applied.
fn leads_home(scratch: &Scratch) -> bool {
    let text = std::fs::read_to_string(scratch.tree().join("phi.moved.tf")).unwrap();
    ["app_a[0]", "app_b[0]"].iter().all(|copy| text.contains(&format!("from = terraform_data.{copy}")))
        && text.trim_end().ends_with("to   = terraform_data.app\n}")
}

#[test]
fn terraform_sees_the_specialised_tree_and_the_user_keeps_the_original() {
    for code in ["0", "1", "2"] {
        let scratch = scratch();
        let before = sources(&scratch);
        let mut command = scratch.command(&["plan", "--ephemeral", "-var=env=prod"]);
        command.env("FAKE_EXIT", code).env("FAKE_DURING", "cat main.tf phi.moved.tf > ../seen");
        let done = Done::new(command.output().unwrap());
        assert_eq!(done.code.unwrap().to_string(), code, "{}", done.err);
        let seen = std::fs::read_to_string(scratch.path("seen")).unwrap();
        assert!(seen.contains("\"app_a\"") && seen.contains("moved {"), "{seen}");
        assert_eq!(sources(&scratch), before);
        assert_eq!(scratch.calls(), ["plan -var=env=prod"]);
    }
}

#[test]
fn the_setting_does_the_same_for_apply() {
    let scratch = scratch();
    let phi = format!("settings {{\n  keep = false\n}}\n{PHI}");
    std::fs::write(scratch.tree().join("phi.hcl"), phi).unwrap();
    let before = sources(&scratch);
    let done = scratch.run(&["apply", "-auto-approve", "-var=env=prod"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(leads_home(&scratch));
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    std::fs::remove_file(scratch.tree().join("phi.moved.tf")).unwrap();
    assert_eq!(sources(&scratch), before);
    assert_eq!(scratch.calls(), ["apply -auto-approve -var=env=prod"]);
}

#[test]
fn former_addresses_outlive_the_sources() {
    let scratch = scratch();
    scratch.run(&["apply", "--ephemeral", "-var=env=prod"]);
    let kept = std::fs::read_to_string(scratch.tree().join(HISTORY[0])).unwrap();
    assert!(kept.contains("terraform_data.app_a"), "{kept}");
    let other = ROOT.replace("\"a\"", "\"c\"");
    std::fs::write(scratch.tree().join("main.tf"), other).unwrap();
    let mut command = scratch.command(&["apply", "--ephemeral", "-var=env=prod"]);
    command.env("FAKE_DURING", "cp phi.moved.tf ../seen").output().unwrap();
    let seen = std::fs::read_to_string(scratch.path("seen")).unwrap();
    assert!(seen.contains("from = terraform_data.app_a[0]"), "{seen}");
    // Without any pin, state comes back to the original address.
    std::fs::write(scratch.tree().join("phi.hcl"), "").unwrap();
    let mut command = scratch.command(&["apply", "--ephemeral", "-var=env=prod"]);
    command.env("FAKE_DURING", "cp phi.moved.tf ../seen").output().unwrap();
    let seen = std::fs::read_to_string(scratch.path("seen")).unwrap();
    assert!(seen.trim_end().ends_with("to   = terraform_data.app\n}"), "{seen}");
    // So it does between runs, whatever copy a state holds.
    assert!(leads_home(&scratch));
}

#[test]
fn a_kept_tree_comes_back_as_it_was_kept() {
    let scratch = scratch();
    scratch.run(&["plan", "-var=env=prod"]);
    let before = scratch.snapshot();
    let done = scratch.run(&["plan", "--ephemeral", "-var=env=dev"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert_eq!(scratch.snapshot(), before);
}

#[test]
fn what_was_typed_meanwhile_stays() {
    let scratch = scratch();
    let mut command = scratch.command(&["plan", "--ephemeral", "-var=env=prod"]);
    let done = Done::new(command.env("FAKE_DURING", "echo '# mine' >> main.tf").output().unwrap());
    assert_eq!(done.code, Some(0), "{}", done.err);
    let main = std::fs::read_to_string(scratch.tree().join("main.tf")).unwrap();
    assert_eq!(main, format!("{ROOT}# mine\n"));
    let mut command = scratch.command(&["plan", "--ephemeral", "-var=env=prod"]);
    let during = "echo 'locals {}' > main.tf";
    let done = Done::new(command.env("FAKE_DURING", during).output().unwrap());
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("main.tf can't be put back"), "{}", done.err);
    assert_eq!(std::fs::read_to_string(scratch.tree().join("main.tf")).unwrap(), "locals {}\n");
}

fn started(scratch: &Scratch, during: &str) -> Child {
    let mut command = scratch.command(&["plan", "--ephemeral", "-var=env=prod"]);
    command.env("FAKE_DURING", during).stdin(Stdio::null()).stdout(Stdio::null());
    heard_by_children();
    let child = command.spawn().unwrap();
    let start = Instant::now();
    while !scratch.path("ready").exists() {
        assert!(start.elapsed() < Duration::from_secs(30), "it did not start");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn asked_to_stop_it_puts_back_when_terraform_has_ended() {
    for (signal, name) in [(Signal::INT, "INT"), (Signal::TERM, "TERM"), (Signal::HUP, "HUP")] {
        let scratch = scratch();
        let before = sources(&scratch);
        let during =
            format!("trap 'cp main.tf ../then; exit 7' {name}; touch ../ready; while :; do sleep 0.02; done");
        let mut child = started(&scratch, &during);
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(7));
        assert!(std::fs::read_to_string(scratch.path("then")).unwrap().contains("app_a"));
        assert_eq!(sources(&scratch), before);
    }
}

#[test]
fn after_a_kill_the_next_command_puts_back() {
    let writing = [&["plan", "--ephemeral", "-var=env=dev"][..], &["restore"], &["check", "--fix"]];
    let reading =
        [&["trace"][..], &["diff", "-var=env=dev"], &["check"], &["graph"], &["explain", "module.database"]];
    for next in writing.iter().chain(&reading).copied() {
        let scratch = scratch();
        let before = sources(&scratch);
        let mut child = started(
            &scratch,
            "echo $$ > ../pid; touch ../ready; while [ -e ../ready ] && [ ! -e ../stop ]; do sleep 0.02; done",
        );
        child.kill().unwrap();
        child.wait().unwrap();
        std::fs::write(scratch.path("stop"), "").unwrap();
        assert!(scratch.tree().join("phi.moved.tf").exists());
        let left = scratch.snapshot();
        let done = scratch.run(next);
        if reading.contains(&next) {
            // What only reads says so and changes nothing.
            assert_eq!((done.code, scratch.snapshot()), (Some(1), left), "{next:?}: {}", done.err);
            assert!(done.err.contains("or was cut short"), "{next:?}: {}", done.err);
            continue;
        }
        assert_eq!(done.code, Some(0), "{next:?}: {}", done.err);
        if next[0] != "check" {
            assert_eq!(sources(&scratch), before, "{next:?}");
        }
    }
}

/// Sources that several configurations share by links: a file takes the link's place for the run, and what it leads to stays as it is.
#[test]
fn a_link_that_leads_out_gives_way_for_the_run() {
    let scratch = Scratch::new([("common/main.tf", ROOT), ("live/dev/phi.hcl", PHI)]);
    let link = scratch.tree().join("live/dev/main.tf");
    let to = PathBuf::from("../../common/main.tf");
    std::os::unix::fs::symlink(&to, &link).unwrap();
    repository_of(&scratch.tree());
    let run = |more: &[&str], during: &str| {
        let mut command = scratch.command(&["-chdir=live/dev"]);
        Done::new(command.args(more).env("FAKE_DURING", during).output().unwrap())
    };
    let is_as_before = || {
        assert_eq!(std::fs::read_link(&link).unwrap(), to);
        assert_eq!(std::fs::read_to_string(&link).unwrap(), ROOT);
    };
    let plan = ["plan", "-var=env=prod"];
    let refused = run(&plan, "");
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("leads outside the working directory"), "{}", refused.err);
    is_as_before();
    // Each advice is followed.
    assert!(refused.err.contains("(cd live/dev && tf-phi plan --ephemeral)\n"), "{}", refused.err);
    let during = "test ! -L live/dev/main.tf && cat live/dev/main.tf > ../seen";
    let seen = || std::fs::read_to_string(scratch.path("seen")).unwrap_or_default();
    let done = run(&[&plan[..], &["--ephemeral"]].concat(), during);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(seen().contains("\"app_a\""), "{}", seen());
    is_as_before();
    let setting = "settings {\n         keep = false\n       }";
    assert!(refused.err.contains(setting), "{}", refused.err);
    std::fs::write(scratch.tree().join("live/dev/phi.hcl"), format!("{setting}\n{PHI}")).unwrap();
    std::fs::remove_file(scratch.path("seen")).unwrap();
    let done = run(&["apply", "-auto-approve", "-var=env=dev"], during);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(seen().contains("\"app_b\""), "{}", seen());
    is_as_before();
    // A run that is killed leaves the file, and the next one puts the link back.
    let wait = "touch ../ready; while [ ! -e ../stop ]; do sleep 0.02; done";
    let mut command = scratch.command(&["-chdir=live/dev", "plan", "-var=env=prod"]);
    let mut child = command.env("FAKE_DURING", wait).spawn().unwrap();
    let began = Instant::now();
    while !scratch.path("ready").exists() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::write(scratch.path("stop"), "").unwrap();
    assert!(!link.is_symlink());
    let done = run(&["restore"], "");
    assert_eq!(done.code, Some(0), "{}", done.err);
    is_as_before();
}

/// A comment that is typed into what goes is named, whoever puts the sources back.
#[test]
fn comments_that_go_are_named() {
    let scratch = scratch();
    let during = "sed -i '/app_a/a # MINE' main.tf";
    let mut command = scratch.command(&["plan", "--ephemeral", "-var=env=prod"]);
    let done = Done::new(command.env("FAKE_DURING", during).output().unwrap());
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert_eq!(std::fs::read_to_string(scratch.tree().join("main.tf")).unwrap(), ROOT);
    assert!(done.err.contains("went with it") && done.err.contains(": # MINE"), "{}", done.err);
}

/// Where the seal isn't this folder's or this user's any more, the record puts the sources back to the byte.
#[test]
fn a_seal_of_another_folder_after_a_kill() {
    let scratch = scratch();
    let before = sources(&scratch);
    let mut child =
        started(&scratch, "touch ../ready; while [ -e ../ready ] && [ ! -e ../stop ]; do sleep 0.02; done");
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::write(scratch.path("stop"), "").unwrap();
    let marker = scratch.tree().join(".phi/ephemeral.json");
    let text = std::fs::read_to_string(&marker).unwrap();
    let (head, seal) = text.split_once("\"seal\": \"").unwrap();
    let other = if seal.starts_with('0') { '1' } else { '0' };
    std::fs::write(&marker, format!("{head}\"seal\": \"{other}{}", &seal[1..])).unwrap();
    let done = scratch.run(&["plan", "--ephemeral", "-var=env=prod"]);
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert!(done.err.contains("rm .phi/ephemeral.json && tf-phi restore"), "{}", done.err);
    std::fs::remove_file(&marker).unwrap();
    let done = scratch.run(&["restore"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let mut after = sources(&scratch);
    after.retain(|path, _| !path.ends_with("phi.moved.tf"));
    assert_eq!(after, before);
}

/// Where nothing can be written any more, it is said what stands in the sources, and what puts them back does.
#[test]
fn what_cannot_be_put_back_is_said() {
    let scratch = scratch();
    let before = sources(&scratch);
    let mut command = scratch.command(&["plan", "--ephemeral", "-var=env=prod"]);
    let done = Done::new(command.env("FAKE_DURING", "mkdir -p .phi/journal.draft/full").output().unwrap());
    assert_eq!(done.code, Some(1), "{}", done.err);
    for said in ["still stands in the sources", ".phi/ephemeral.json", "tf-phi restore"] {
        assert!(done.err.contains(said), "{said}: {}", done.err);
    }
    std::fs::remove_dir_all(scratch.tree().join(".phi/journal.draft")).unwrap();
    let done = scratch.run(&["restore"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let mut after = sources(&scratch);
    after.retain(|path, _| !path.ends_with("phi.moved.tf"));
    assert_eq!(after, before);
}
