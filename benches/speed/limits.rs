//! Hostile trees, growth with the size of a tree, and writing much at once.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::clock::{in_turns, line, median, timed};
use crate::support::Scratch;
use crate::{adversarial, scale, tree};

const ALL: [&str; 3] = ["trace", "--all", "--json"];

pub fn tf_phi(scratch: &Scratch, args: &[&str]) -> Command {
    let mut command = scratch.command(env!("CARGO_BIN_EXE_tf-phi").as_ref());
    command.args(args).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

pub fn with(files: &[(String, String)]) -> Scratch {
    let scratch = Scratch::with(&[]);
    files.iter().for_each(|(path, text)| scratch.write(path, text));
    scratch
}

/// Time, and the most memory that was seen while it ran, in MB.
pub fn watched(mut command: Command) -> (Duration, f64) {
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0.0_f64;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let kib: f64 = line.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0.0);
        peak = peak.max(kib / 1e3);
        std::thread::sleep(Duration::from_micros(300));
    }
    (start.elapsed(), peak)
}

pub fn hostile() {
    println!("hostile trees: tf-phi trace --all (aim: a second and 200 MB each)");
    for (name, files) in adversarial::cases() {
        let scratch = with(&files);
        let mut runs: Vec<(Duration, f64)> = (0..5).map(|_| watched(tf_phi(&scratch, &ALL))).collect();
        runs.sort_by_key(|r| r.0);
        let peak = runs.iter().map(|r| r.1).fold(0.0, f64::max);
        println!("  {name:<44} {:>9.1} ms {peak:>9.1} MB", runs[2].0.as_secs_f64() * 1e3);
    }
}

pub fn growth() {
    println!("growth: the generated tree, medians of 7");
    println!(
        "  {:>6} {:>9} {:>14} {:>16} {:>12}",
        "files", "MB", "hcl-edit, ms", "trace --all, ms", "ms a file"
    );
    for count in [125, 250, 500, 1000, 2000, 4000] {
        let files = tree::files(count);
        let scratch = with(&files);
        let texts: Vec<&String> = files.iter().filter(|(p, _)| p.ends_with(".tf")).map(|(_, t)| t).collect();
        let bytes: usize = texts.iter().map(|t| t.len()).sum();
        let times = in_turns(
            7,
            &mut [
                &mut || timed(|| texts.iter().for_each(|t| drop(hcl_edit::parser::parse_body(t).unwrap()))),
                &mut || timed(|| assert!(tf_phi(&scratch, &ALL).status().unwrap().success())),
            ],
        );
        let (parse, trace) = (median(&times[0]), median(&times[1]));
        let each = trace / count as f64;
        println!("  {count:>6} {:>9.2} {parse:>14.1} {trace:>16.1} {each:>12.3}", bytes as f64 / 1e6);
    }
}

/// Trees of the same thing many times over, before and after they are written.
pub fn scale() {
    println!("scale: one thing many times over; with twice as many, the time is to be about twice as long");
    for (name, sizes, files) in scale::KINDS {
        for count in sizes {
            let scratch = with(&files(count));
            let mut all = Vec::new();
            for args in [&["trace"][..], &["diff"], &["check", "--fix"], &["check"], &["restore"]] {
                let (time, peak) = watched(tf_phi(&scratch, args));
                all.push(format!("{} {:.0} ms {peak:.0} MB", args.join(" "), time.as_secs_f64() * 1e3));
            }
            println!("  {count:>6} {name:<32} {}", all.join(", "));
        }
    }
}

/// How often writing is measured.
const ROUNDS: usize = 5;

/// A hundred units of a tree of 2,000 files.
pub fn units() {
    println!(
        "100 units specialised in a tree of 2,000 files (a Terraform that does nothing; aim: at most a second)"
    );
    let mut files = tree::files(2000);
    files.retain(|(path, _)| path != "phi.hcl");
    let bounded = (0..).filter(|module| module % 3 != 2).take(100);
    let pin = |module: i32| {
        format!(
            "specialize \"module.m{module}.terraform_data.database\" {{\n  fields = [\"input.engine_version\"]\n}}\n"
        )
    };
    files.push(("phi.hcl".to_owned(), bounded.map(pin).collect()));
    let tree = || {
        let mut scratch = with(&files);
        let fake = scratch.fake("exit 0");
        scratch.env("TF_PHI_TERRAFORM", fake.to_str().unwrap());
        scratch
    };
    let run_in = |scratch: &Scratch, args: &[&str]| {
        assert!(tf_phi(scratch, args).status().unwrap().success(), "{args:?}")
    };
    let scratch = tree();
    let run = |args: &[&str]| run_in(&scratch, args);
    let plan = ["plan", "-var=env=prod"];
    // A file system may avoid what was freed in the last minutes: where that is looked for, it is most of what is measured.
    let mut fresh: Vec<Scratch> = (0..=ROUNDS).map(|_| tree()).collect();
    let mut used = Vec::new();
    let times = in_turns(
        ROUNDS,
        &mut [
            &mut || timed(|| run(&["diff", "-var=env=prod"])),
            &mut || {
                let scratch = fresh.pop().unwrap();
                let time = timed(|| run_in(&scratch, &plan));
                used.push(scratch);
                time
            },
            &mut || {
                run(&["restore"]);
                timed(|| run(&plan))
            },
            &mut || timed(|| run(&plan)),
        ],
    );
    line("tf-phi diff", &times[0]);
    line("tf-phi plan, everything to be written", &times[1]);
    line("tf-phi plan, everything to be written, right after restore", &times[2]);
    line("tf-phi plan again, nothing to be written", &times[3]);
    let before = scratch.everything();
    run(&plan);
    println!("  a run that changes nothing writes nothing: {}", scratch.everything() == before);
}
