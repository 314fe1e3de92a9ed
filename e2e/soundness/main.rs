//! Random trees: what tf-phi says of a field, against what a real Terraform plans for it.
//!
//! `scripts/soundness --cases N --seed S [--from CASE] [--jobs J] [--assignments A] [--shrink SECONDS] [--keep DIR]`;
//! `scripts/matrix` compares the cells of matrices in place of specialised trees.

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

mod cells;
mod check;
mod extras;
mod exprs;
#[path = "gen.rs"]
mod generate;
mod model;
mod oracle;
mod pipeline;
mod rng;
#[path = "../short_lived.rs"]
mod short_lived;
mod shrink;
#[path = "../../tests/tree/mod.rs"]
mod tree;
mod vars;

use check::Seen;
use model::Tree;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

struct Options {
    cases: u64,
    /// The first case.
    from: u64,
    seed: u64,
    jobs: usize,
    assignments: usize,
    shrink: u64,
    keep: Option<PathBuf>,
    show: bool,
    dry: bool,
    /// Cells of matrices in place of specialised trees.
    cells: bool,
}

fn options() -> Options {
    let mut out = Options {
        cases: 10,
        from: 0,
        seed: 1,
        jobs: 2,
        assignments: 12,
        shrink: 20,
        keep: None,
        show: false,
        dry: false,
        cells: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number =
            || args.next().and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{arg} takes a number"));
        match arg.as_str() {
            "--cases" => out.cases = number(),
            "--from" => out.from = number(),
            "--seed" => out.seed = number(),
            "--jobs" => out.jobs = number() as usize,
            "--assignments" => out.assignments = number() as usize,
            "--shrink" => out.shrink = number(),
            "--keep" => out.keep = args.next().map(PathBuf::from),
            "--dry" => out.dry = true,
            "--cells" => out.cells = true,
            "--show" => out.show = true,
            other => panic!("no option {other}"),
        }
    }
    out
}

/// Trees that one start of Terraform answers for.
const BATCH: u64 = 5;

/// One tree of so many is also looked at as a root module.
const ROOTS: u64 = 4;

#[derive(Default)]
struct Total {
    trees: u64,
    usable: u64,
    specialised: u64,
    fields: usize,
    bounded: usize,
    idle: usize,
    accepted: usize,
    rejected: usize,
    flips: usize,
    undriven: usize,
    laxer: Vec<(u64, String)>,
    types: Vec<(u64, String)>,
    refusals: BTreeMap<String, (usize, String)>,
    reasons: BTreeMap<String, usize>,
    unusable: Vec<u64>,
    failures: BTreeMap<&'static str, usize>,
}

impl Total {
    fn add(&mut self, seed: u64, seen: &Seen) {
        self.trees += 1;
        for reason in &seen.reasons {
            let lines = reason.lines().filter(|l| !l.is_empty() && !l.contains("  on "));
            *self.reasons.entry(lines.take(3).collect::<Vec<_>>().join(" | ")).or_default() += 1;
        }
        if seen.accepted == 0 && seen.failure.is_none() {
            self.unusable.push(seed);
            return;
        }
        self.usable += 1;
        self.specialised += u64::from(seen.specialised);
        self.fields += seen.fields;
        self.bounded += seen.bounded;
        self.idle += seen.idle;
        self.accepted += seen.accepted;
        self.rejected += seen.rejected;
        self.flips += seen.flips;
        self.undriven += seen.undriven;
        self.laxer.extend(seen.laxer.iter().map(|l| (seed, l.clone())));
        self.types.extend(seen.types.iter().map(|l| (seed, l.clone())));
        for r in &seen.refusals {
            let entry = self.refusals.entry(r.kind()).or_default();
            entry.0 += 1;
            if entry.1.is_empty() {
                entry.1 = format!("case {seed}: {}: {}", r.field, r.why);
            }
        }
        if let Some(f) = &seen.failure {
            *self.failures.entry(f.kind).or_default() += 1;
        }
    }

    fn print(&self, why: bool) {
        if why {
            for (reason, n) in &self.reasons {
                println!("  {n:5} {reason}");
            }
            println!("unusable: {:?}", self.unusable);
        }
        println!(
            "{} trees, {} with an accepted assignment, {} specialised",
            self.trees, self.usable, self.specialised
        );
        println!("{} assignments accepted by Terraform, {} rejected", self.accepted, self.rejected);
        println!("{} plans with a state that the original left", self.flips);
        println!("{} edits of an argument that nothing drives", self.undriven);
        let refused: usize = self.refusals.values().map(|r| r.0).sum();
        let share = refused as f64 * 100.0 / self.fields.max(1) as f64;
        println!("{} driven fields, {} bounded, {refused} refused ({share:.1} %)", self.fields, self.bounded);
        println!("{} pins passed over: nothing is ever there", self.idle);
        let mut by_kind: Vec<_> = self.refusals.iter().collect();
        by_kind.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
        for (kind, (n, example)) in by_kind {
            println!("  {n:5} {kind}\n        {example}");
        }
        println!("{} rejected originals whose specialised form is accepted", self.laxer.len());
        if let Some((seed, text)) = self.laxer.first() {
            println!("  seed {seed}: {text}");
        }
        println!("{} plans whose outputs differ in type alone", self.types.len());
        if let Some((seed, text)) = self.types.first() {
            println!("  seed {seed}: {text}");
        }
        for (kind, n) in &self.failures {
            println!("FAILED {n} {kind}");
        }
    }
}

fn keep(dir: &Path, tree: &Tree) {
    for (path, text) in tree.files() {
        let path = dir.join("in").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Without Terraform: each distinct reason for a refusal with the smallest tree that gives it.
fn dry(options: &Options) {
    let mut reasons: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut fields = 0;
    for at in options.from..options.from + options.cases {
        let tree = generate::tree(options.seed.wrapping_mul(1_000_003).wrapping_add(at));
        let Ok(outcome) = pipeline::run(&tree.files(), &[]) else { continue };
        fields += outcome.fields;
        for refusal in outcome.refusals {
            let cases = reasons.entry(refusal.kind()).or_default();
            cases.push(at);
            if cases.len() == 1 {
                let small = shrink::refused(&tree, &refusal.kind());
                println!("==== case {at} {}", refusal.kind());
                for (path, text) in small.files() {
                    println!("--- {}\n{text}", path.display());
                }
            }
        }
    }
    println!("{fields} fields");
    for (kind, cases) in reasons {
        println!("{:6} {kind}\n       {cases:?}", cases.len());
    }
}

fn main() {
    let options = options();
    std::panic::set_hook(Box::new(|info| eprintln!("{info}")));
    if options.dry {
        dry(&options);
        return;
    }
    let next = AtomicU64::new(options.from);
    if options.cells {
        return cells(&options, &next);
    }
    let total = Mutex::new(Total::default());
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| work(&options, &next, &total));
        }
    });
    let total = total.into_inner().unwrap();
    total.print(options.show);
    if !total.failures.is_empty() {
        std::process::exit(1);
    }
}

/// Compares cells of matrices, until there are no more cases.
fn cells(options: &Options, next: &AtomicU64) {
    let total = Mutex::new(cells::Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                let end = options.from + options.cases;
                loop {
                    let first = next.fetch_add(BATCH, Ordering::SeqCst);
                    if first >= end {
                        return;
                    }
                    let seed = |at: u64| options.seed.wrapping_mul(1_000_003).wrapping_add(at);
                    let trees: Vec<(Tree, u64)> = (first..end.min(first + BATCH))
                        .map(|at| (generate::tree(seed(at)), seed(at)))
                        .collect();
                    let tally = cells::check(&trees, options.assignments);
                    total.lock().unwrap().add(tally);
                }
            });
        }
    });
    let total = total.into_inner().unwrap();
    total.print();
    if !total.wrong.is_empty() {
        std::process::exit(1);
    }
}

/// Takes cases until there are no more.
fn work(options: &Options, next: &AtomicU64, total: &Mutex<Total>) {
    let end = options.from + options.cases;
    loop {
        let first = next.fetch_add(BATCH, Ordering::SeqCst);
        if first >= end {
            return;
        }
        let cases: Vec<u64> = (first..end.min(first + BATCH)).collect();
        let seed = |at: u64| options.seed.wrapping_mul(1_000_003).wrapping_add(at);
        let trees: Vec<(Tree, u64)> = cases.iter().map(|at| (generate::tree(seed(*at)), seed(*at))).collect();
        if options.show && options.cases == 1 {
            for (path, text) in trees[0].0.files() {
                println!("--- {}\n{text}", path.display());
            }
        }
        let all = check::check_all(&trees, options.assignments, &|seed| seed % ROOTS == 0);
        for ((at, seen), (tree, seed)) in cases.iter().zip(&all).zip(&trees) {
            if let Some(failure) = &seen.failure {
                report(options, *at, tree, *seed, failure);
            }
            let mut total = total.lock().unwrap();
            total.add(*at, seen);
            if total.trees.is_multiple_of(100) {
                let failed: usize = total.failures.values().sum();
                eprintln!("{} of {} trees, {failed} failed", total.trees, options.cases);
            }
        }
    }
}

/// Prints what is wrong with the smallest tree that shows it.
fn report(options: &Options, at: u64, tree: &Tree, seed: u64, failure: &check::Failure) {
    let time = Duration::from_secs(options.shrink);
    let (small, failure) = shrink::shrink(tree, failure, options.assignments, seed, time);
    let mut report = format!("==== case {at} {}\n{}\n", failure.kind, failure.detail);
    for (path, text) in small.files() {
        report += &format!("--- {}\n{text}\n", path.display());
    }
    println!("{report}");
    if let Some(dir) = &options.keep {
        keep(&dir.join(format!("{}-{at}", failure.kind)), &small);
    }
}
