//! Trees that hold one thing many times over are read, written, read again and put back. How long that takes is measured by
//! `scripts/bench scale`; no test has a time limit.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    dead_code
)]

#[path = "../benches/speed/scale.rs"]
mod trees;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

fn write(files: &trees::Files) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn run(dir: &Path, args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_tf-phi")).current_dir(dir).args(args).output().unwrap();
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// The texts of the files that are there in the original.
fn texts(dir: &Path, files: &trees::Files) -> BTreeMap<String, String> {
    files.iter().map(|(path, _)| (path.clone(), fs::read_to_string(dir.join(path)).unwrap())).collect()
}

#[test]
fn many_units_are_written_once_and_put_back() {
    for (files, copies) in [(trees::split_resources(600), 1200), (trees::calls(60), 960)] {
        let dir = write(&files);
        let before = texts(dir.path(), &files);
        run(dir.path(), &["check", "--fix"]);
        let written = texts(dir.path(), &files);
        assert_eq!(written["main.tf"].matches(" — gate: ").count(), copies);
        run(dir.path(), &["check"]);
        assert_eq!(texts(dir.path(), &files), written);
        // A line in front makes the record's offsets wrong: each piece has to be found again.
        let main = dir.path().join("main.tf");
        fs::write(&main, format!("# mine\n{}", written["main.tf"])).unwrap();
        run(dir.path(), &["restore"]);
        assert_eq!(fs::read_to_string(&main).unwrap(), format!("# mine\n{}", before["main.tf"]));
    }
}

/// Each of many values gets a branch, with a gate that is proved over all of them.
#[test]
fn a_thousand_branches_are_written() {
    let files = trees::branches(1000);
    let dir = write(&files);
    run(dir.path(), &["check", "--fix"]);
    let written = texts(dir.path(), &files);
    for at in [0, 1, 500, 999] {
        let gate = format!(" — gate: Eq(var.x, \"v{at}\") ");
        assert_eq!(written["main.tf"].lines().filter(|line| line.contains(&gate)).count(), 1, "{at}");
    }
    run(dir.path(), &["check"]);
}

#[test]
fn many_values_are_listed_once() {
    let two = "2 values, chosen by var.x == \"v5\"";
    for (files, answer) in [(trees::universe(20_000), "too many values"), (trees::validated(5000), two)] {
        let dir = write(&files);
        let shown = run(dir.path(), &["trace"]);
        assert!(shown.contains(answer), "{shown}");
    }
}
