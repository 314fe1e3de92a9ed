//! What is written is laid out as `terraform fmt` lays it out: the golden trees, which the golden tests compare with what comes out.

use crate::support::{Scratch, terraform};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folders(dir: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

fn copy(from: &Path, to: &Path) {
    for path in folders(from) {
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(&path, to).unwrap();
        }
    }
}

/// The files below a folder that `terraform fmt` would change.
fn unformatted(dir: &Path) -> BTreeSet<String> {
    let mut command = Command::new(terraform());
    command.args(["fmt", "-check", "-recursive", "-list=true"]).current_dir(dir);
    let done = command.env("CHECKPOINT_DISABLE", "1").output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!([Some(0), Some(3)].contains(&done.status.code()), "{said}");
    String::from_utf8(done.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// A tree that was formatted still is, and in any other a file that was.
#[test]
fn golden_trees_stay_formatted() {
    let scratch = Scratch::with(&[]);
    let (before, after) = (scratch.aside("before"), scratch.aside("after"));
    let (mut cases, mut written) = (Vec::new(), 0);
    for case in folders("tests/golden").into_iter().flat_map(folders) {
        let out = case.join("out");
        if !out.is_dir() {
            continue;
        }
        let name = case.strip_prefix("tests/golden").unwrap().to_str().unwrap().replace('/', "+");
        copy(&case.join("in"), &before.join(&name));
        copy(&case.join("in"), &after.join(&name));
        copy(&out, &after.join(&name));
        cases.push(name);
    }
    let (before, after) = (unformatted(&before), unformatted(&after));
    let mut wrong = Vec::new();
    for case in &cases {
        let own = |all: &BTreeSet<String>| -> BTreeSet<String> {
            let begins = format!("{case}/");
            all.iter().filter(|path| path.starts_with(&begins)).cloned().collect()
        };
        let (before, after) = (own(&before), own(&after));
        let is_old = |path: &&String| {
            let (case, file) = path.split_once('/').unwrap();
            Path::new("tests/golden").join(case.replace('+', "/")).join("in").join(file).exists()
        };
        let formatted = before.is_empty();
        written += usize::from(formatted);
        wrong.extend(after.difference(&before).filter(|path| formatted || is_old(path)).cloned());
    }
    assert!(written > 100, "{written} of {}", cases.len());
    assert!(wrong.is_empty(), "terraform fmt would change {wrong:#?}");
}
