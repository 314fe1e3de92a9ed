//! Random histories: sources, state and what people do to them between runs, once with tf-phi and once with Terraform
//! alone. Each object has to end where it ends without tf-phi.
//!
//! `scripts/histories --cases N --seed S [--from CASE] [--jobs J] [--shrink SECONDS] [--show] [--refusals]
//! [--without STEP]`

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

mod advice;
mod aside;
mod both;
mod compare;
mod cover;
mod edits;
#[path = "gen.rs"]
mod generate;
mod home;
mod lead;
mod model;
mod others;
mod plan;
mod render;
mod report;
#[path = "../soundness/rng.rs"]
mod rng;
mod run;
mod shrink;
mod stack;
mod steps;
#[path = "../support.rs"]
#[allow(dead_code)]
mod support;
mod world;

use report::Counts;
use rng::Rng;
use run::Runner;
use shrink::{End, History};
use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use steps::Step;

const HELP: &str = "\
scripts/histories: random histories of runs and edits, with tf-phi and with Terraform alone. No object may end elsewhere.

  --cases N          how many histories (60)
  --seed S           another seed, other histories (1)
  --from CASE        the first of them: a history is the same one, whichever runs first (0)
  --jobs J           how many run at a time (2)
  --shrink SECONDS   how long a failure is made smaller (20)
  --show             prints every history, and every construct with the steps that never met it
  --refusals         prints a small history for each reason for a refusal, too
  --without STEP     leaves out steps with this in their names; may be given several times
  -h, --help         prints this

Steps and constructs are named as in the tables that are printed in the end. A failure is printed as a small history, with
\"case N of seed S\": `--seed S --from N --cases 1` runs it again.
";

struct Options {
    cases: u64,
    from: u64,
    seed: u64,
    jobs: usize,
    shrink: u64,
    show: bool,
    /// Prints a small history for each reason for a refusal, too.
    refusals: bool,
    /// Steps with this in their names are left out.
    without: Vec<String>,
}

fn options() -> Options {
    let mut out = Options {
        cases: 60,
        from: 0,
        seed: 1,
        jobs: 2,
        shrink: 20,
        show: false,
        refusals: false,
        without: Vec::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if matches!(arg.as_str(), "--help" | "-h") {
            print!("{HELP}");
            std::process::exit(0);
        }
        if arg == "--without" {
            out.without.extend(args.next());
            continue;
        }
        let mut number = || {
            args.next().and_then(|n| n.parse().ok()).unwrap_or_else(|| {
                eprint!("{arg} takes a number\n\n{HELP}");
                std::process::exit(2);
            })
        };
        match arg.as_str() {
            "--cases" => out.cases = number(),
            "--from" => out.from = number(),
            "--seed" => out.seed = number(),
            "--jobs" => out.jobs = number() as usize,
            "--shrink" => out.shrink = number(),
            "--show" => out.show = true,
            "--refusals" => out.refusals = true,
            other => {
                eprint!("there is no option {other}\n\n{HELP}");
                std::process::exit(2);
            }
        }
    }
    out
}

fn main() {
    let options = options();
    let total = Mutex::new(Counts::default());
    let histories = lead::histories(options.seed, options.from, options.from + options.cases);
    let next = AtomicU64::new(0);
    let printed = Mutex::new(BTreeSet::new());
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::SeqCst);
                    let Some(history) = histories.get(index as usize) else { return };
                    let at = options.from + index;
                    let run = || case(&options, at, history, &printed);
                    // An answer that can't be read is a failure of one history.
                    let counts = std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
                        let mut counts = Counts { histories: 1, ..Counts::default() };
                        counts.fail("harness", &[], at);
                        counts
                    });
                    let mut total = total.lock().unwrap();
                    total.add(&counts);
                    if total.histories.is_multiple_of(20) {
                        let failed: u64 = total.failures.values().map(|f| f.len() as u64).sum();
                        eprintln!("{} of {} histories, {failed} failed", total.histories, options.cases);
                    }
                }
            });
        }
    });
    let total = total.into_inner().unwrap();
    total.print(options.show);
    if !total.failures.is_empty() {
        std::process::exit(1);
    }
}

/// Runs one history as it is planned.
fn case(options: &Options, at: u64, planned: &History, printed: &Mutex<BTreeSet<String>>) -> Counts {
    let mut rng = Rng::new(options.seed.wrapping_mul(1_000_003).wrapping_add(at));
    let mut history = History { steps: Vec::new(), ..planned.clone() };
    let mut runner = Runner::new(&history.root, history.by_arguments, history.place);
    let mut failure = None;
    let left_out = |name: &String| options.without.iter().any(|w| name.contains(w.as_str()));
    'all: for step in planned.steps.iter().filter(|s| !s.names().iter().any(left_out)) {
        for step in step.settle(&mut rng, &runner.objects(), runner.stands(), runner.is_bare()) {
            // What was to come before it didn't come to what it needs.
            if matches!(step, Step::Plain(_)) && !runner.stands()
                || matches!(step, Step::Bare(..)) && !runner.is_bare()
            {
                continue;
            }
            history.steps.push(step.clone());
            let refused = runner.counts.refused.len();
            if let Err(failed) = runner.step(&step) {
                failure = Some(failed);
                break 'all;
            }
            if options.refusals && runner.counts.refused.len() > refused {
                refusals(options, &history, at, &runner.counts, printed);
            }
        }
    }
    let mut counts = runner.counts;
    counts.histories = 1;
    if options.show {
        println!("==== case {at}\n{}", runner.log);
    }
    if let Some(failure) = failure {
        let small = shrink::shrink(&history, &End::Failed(failure.kind), Duration::from_secs(options.shrink));
        counts.fail(failure.kind, &small.names(), at);
        let (again, _, log) = small.run();
        let (kind, detail) = again.map_or((failure.kind, failure.detail), |f| (f.kind, f.detail));
        println!("==== case {at} of seed {}: {kind}\n{log}  {detail}\n", options.seed);
    }
    counts
}

/// Prints a small history for each reason for which none was printed yet. The last step was refused.
fn refusals(
    options: &Options,
    history: &History,
    at: u64,
    counts: &Counts,
    printed: &Mutex<BTreeSet<String>>,
) {
    for reason in counts.refused.keys() {
        if !printed.lock().unwrap().insert(reason.clone()) {
            continue;
        }
        let small = shrink::shrink(history, &End::Refused(reason), Duration::from_secs(options.shrink));
        let (_, counts, log) = small.run();
        let said = counts.refused.get(reason).map(|r| r.1.clone()).unwrap_or_default();
        println!("==== case {at} of seed {} is refused: {reason}\n{log}{said}\n", options.seed);
    }
}
