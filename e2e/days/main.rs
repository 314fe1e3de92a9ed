//! Random days: what people do to a repository between runs, by Git, formatters, hooks and other commands, once with tf-phi and once with
//! Terraform alone on the original. Each command does what it does there, or stops with advice that leads out.
//!
//! `scripts/days --days N --seed S [--from DAY] [--jobs J] [--show] [--keep]`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    missing_docs
)]

mod day;
mod repository;
#[path = "../soundness/rng.rs"]
#[allow(dead_code)]
mod rng;
mod steps;
#[path = "../support.rs"]
#[allow(dead_code)]
mod support;
mod trees;
mod twin;

use day::Day;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const HELP: &str = "\
scripts/days: random days of Git, formatters, hooks and Terraform's commands, with tf-phi and with Terraform alone.

  --days N    how many days (20)
  --seed S    another seed, other days (1)
  --from DAY  the first of them: a day is the same one, whichever runs first (0)
  --jobs J    how many run at a time (2)
  --show      prints every day
  --keep      leaves the folders of days that fail

A day that fails is printed with \"day N of seed S\": `--seed S --from N --days 1` runs it again. In the end a table says how often each
command ran in each mode and tree.
";

struct Options {
    days: u64,
    from: u64,
    seed: u64,
    jobs: u64,
    show: bool,
    keep: bool,
}

fn options() -> Options {
    let mut out = Options { days: 20, from: 0, seed: 1, jobs: 2, show: false, keep: false };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if matches!(arg.as_str(), "--help" | "-h") {
            print!("{HELP}");
            std::process::exit(0);
        }
        let mut number = || {
            args.next().and_then(|n| n.parse().ok()).unwrap_or_else(|| {
                eprint!("{arg} takes a number\n\n{HELP}");
                std::process::exit(2);
            })
        };
        match arg.as_str() {
            "--days" => out.days = number(),
            "--from" => out.from = number(),
            "--seed" => out.seed = number(),
            "--jobs" => out.jobs = number(),
            "--show" => out.show = true,
            "--keep" => out.keep = true,
            other => {
                eprint!("there is no option {other}\n\n{HELP}");
                std::process::exit(2);
            }
        }
    }
    out
}

/// How often a command ran, by the command and by the mode and the tree.
pub type Covered = BTreeMap<(String, String), [u64; 3]>;

fn main() {
    let options = options();
    let next = AtomicU64::new(options.from);
    let told: Mutex<(Covered, Vec<String>)> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    if at >= options.from + options.days {
                        return;
                    }
                    let mut day = Day::new(options.seed, at);
                    let ran = std::panic::catch_unwind(AssertUnwindSafe(|| day.run()));
                    let failure = match ran {
                        Ok(Ok(())) => None,
                        Ok(Err(why)) => Some(why),
                        Err(_) => Some("the harness failed".to_owned()),
                    };
                    let mut told = told.lock().unwrap();
                    for (key, counts) in &day.covered {
                        let sum = told.0.entry(key.clone()).or_default();
                        (0..3).for_each(|i| sum[i] += counts[i]);
                    }
                    let head = format!("==== day {at} of seed {}: {}", options.seed, day.title());
                    if options.show || failure.is_some() {
                        println!("{head}\n{}", day.log);
                    }
                    if let Some(why) = failure {
                        println!("  {why}\n");
                        told.1.push(format!("{at}: {}", why.lines().next().unwrap_or_default()));
                        if options.keep {
                            println!("  {}\n", day.scratch.aside("").display());
                            std::mem::forget(day);
                        }
                    }
                }
            });
        }
    });
    let (covered, failed) = told.into_inner().unwrap();
    print(&covered);
    println!("{} days, {} failed", options.days, failed.len());
    failed.iter().for_each(|line| println!("  {line}"));
    if !failed.is_empty() {
        std::process::exit(1);
    }
}

/// A line for each command, with how often it ran, stopped with advice that led out, and was left out.
fn print(covered: &Covered) {
    let columns: Vec<&String> = {
        let mut all: Vec<&String> = covered.keys().map(|(_, column)| column).collect();
        all.sort();
        all.dedup();
        all
    };
    let rows: std::collections::BTreeSet<&String> = covered.keys().map(|(row, _)| row).collect();
    println!(
        "{:24}{}",
        "ran/led out/left out",
        columns.iter().map(|c| format!("{c:>18}")).collect::<String>()
    );
    for row in rows {
        let cell = |column: &&String| {
            let [ran, led, left] =
                covered.get(&(row.clone(), (*column).clone())).copied().unwrap_or_default();
            format!("{:>18}", format!("{ran}/{led}/{left}"))
        };
        println!("{row:24}{}", columns.iter().map(cell).collect::<String>());
    }
}
