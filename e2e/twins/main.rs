//! Random histories of runs without copies: each beside a twin, the same tree with the values written by hand, which plain Terraform plans
//! over the same state. The values are those that `terraform console` gives.
//!
//! `scripts/twins --cases N --seed S [--from CASE] [--show]`

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

#[path = "../soundness/rng.rs"]
#[allow(dead_code)]
mod rng;
mod run;
#[path = "../support.rs"]
#[allow(dead_code)]
mod support;
mod tree;

use rng::Rng;
use std::panic::AssertUnwindSafe;

const HELP: &str = "\
scripts/twins: random histories of runs without copies, each beside the tree with the values written by hand.

  --cases N   how many histories (30)
  --seed S    another seed, other histories (1)
  --from CASE the first of them (0)
  --show      print each step
";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--help") {
        print!("{HELP}");
        return;
    }
    let number = |name: &str, default: u64| {
        let at = words.iter().position(|word| word == name);
        at.map_or(default, |at| words[at + 1].parse().expect("a number"))
    };
    let (cases, seed, from) = (number("--cases", 30), number("--seed", 1), number("--from", 0));
    let show = words.iter().any(|word| word == "--show");
    let mut counts = run::Counts::default();
    let mut failed = 0;
    for case in from..from + cases {
        let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(case));
        let work = AssertUnwindSafe(|| run::history(&mut rng, show, &mut counts));
        if std::panic::catch_unwind(work).is_err() {
            eprintln!(
                "history {case} of seed {seed}: scripts/twins --seed {seed} --from {case} --cases 1 --show"
            );
            failed += 1;
        }
    }
    println!("{cases} histories, {failed} of them failed. {counts}");
    assert_eq!(failed, 0, "a run without copies differs from its twin");
}
