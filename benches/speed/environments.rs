//! Every environment at once: the commands of the review point on generated trees.

use std::fs;
use std::process::Command;

use crate::limits::{tf_phi, watched, with};
use crate::support::Scratch;
use crate::tree;

const ROUNDS: usize = 5;
const REGIONS: [&str; 4] = ["eu-central-1", "eu-west-1", "us-east-1", "ap-south-1"];

/// A tree of so many files, with variable files of so many environments.
fn environments(files: usize, count: usize) -> Scratch {
    let mut all = tree::files(files);
    for at in 0..count {
        let env = ["prod", "stage", "dev"][at % 3];
        let text = format!("env    = \"{env}\"\nregion = \"{}\"\n", REGIONS[at % REGIONS.len()]);
        all.push((format!("env/e{at}.tfvars"), text));
    }
    with(&all)
}

fn git(scratch: &Scratch, words: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=bench", "-c", "user.email=bench@example.com"]).args(words);
    assert!(git.current_dir(scratch.dir()).status().unwrap().success(), "git {words:?}");
}

/// How many rows and cells a matrix of all fields has.
fn size(scratch: &Scratch) -> usize {
    let mut command = tf_phi(scratch, &["matrix", "--all", "--format", "json"]);
    let done = command.stdout(std::process::Stdio::piped()).output().unwrap();
    let matrix: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    matrix["rows"].as_array().unwrap().len()
}

pub fn at_once() {
    println!("every environment at once, medians of {ROUNDS}");
    for (files, count, aim) in
        [(57, 10, "matrix under 300 ms"), (2650, 5, "matrix --all under 3 s and 300 MB")]
    {
        let scratch = environments(files, count);
        git(&scratch, &["init", "-q"]);
        git(&scratch, &["add", "-A"]);
        git(&scratch, &["commit", "-qm", "base"]);
        let changed = scratch.dir().join("variables.tf");
        let text = fs::read_to_string(&changed).unwrap();
        fs::write(&changed, text.replacen("14.9", "14.10", 1)).unwrap();
        println!(" {} arguments, {count} environments (aim: {aim})", size(&scratch));
        for args in [
            &["matrix"][..],
            &["matrix", "--all", "--format", "json"],
            &["validate"],
            &["review", "--base", "HEAD"],
        ] {
            let mut runs: Vec<_> = (0..ROUNDS).map(|_| watched(tf_phi(&scratch, args))).collect();
            runs.sort_by_key(|r| r.0);
            let peak = runs.iter().map(|r| r.1).fold(0.0, f64::max);
            let ms = runs[ROUNDS / 2].0.as_secs_f64() * 1e3;
            println!("  {:<44} {ms:>9.1} ms {peak:>9.1} MB", args.join(" "));
        }
    }
}
