//! The checks of the fuzz targets, without a fuzzer: on their seeds, and on texts made of these by their own mutations.
//!
//! So every build builds them, on any machine; `scripts/fuzz` looks further. `TF_PHI_FUZZ_ROUNDS=20` makes twenty times as
//! many mutations, `TF_PHI_FUZZ_SEED=2` other ones.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    dead_code
)] // a test; what goes wrong shall end it

#[path = "../../fuzz/src/config.rs"]
mod config;
#[path = "../../fuzz/src/eval.rs"]
mod eval;
#[path = "../../fuzz/src/mutate.rs"]
mod mutate;
#[path = "../../fuzz/src/parse.rs"]
mod parse;
#[path = "../../fuzz/src/rng.rs"]
mod rng;

use mutate::Form;
use rng::Rng;
use std::fs;
use std::path::{Path, PathBuf};
use tf_phi::syntax::on_big_stack;

/// Texts that are put to a check in one round.
const MUTATIONS: usize = 2_000;
/// The same of trees, each of which is traced, written and restored.
const TREES: usize = 600;
/// What mutations may grow a text to, as for the fuzzer.
const LONGEST: usize = 1_500;

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// All files below a folder.
fn below(folder: &str, found: &mut Vec<PathBuf>) {
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
}

fn texts(folders: &[&str], end: &str) -> Vec<String> {
    let mut paths = Vec::new();
    folders.iter().for_each(|folder| below(folder, &mut paths));
    let named = |path: &PathBuf| path.to_str().unwrap().ends_with(end);
    paths.into_iter().filter(named).filter_map(|path| fs::read_to_string(path).ok()).collect()
}

fn expressions() -> Vec<String> {
    let own = texts(&["fuzz/seeds"], ".exprs");
    own.iter().flat_map(|text| text.split("\n---\n")).map(str::to_owned).collect()
}

/// The expressions of the differential run.
fn rows() -> Vec<String> {
    let all = texts(&["e2e/differential"], ".txt");
    let lines = all.iter().flat_map(|text| text.lines());
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// Puts the seeds to a check, and what comes of changing them a few times.
fn run(seeds: &[String], from: &[String], form: Form, check: fn(&[u8])) {
    on_big_stack(|| {
        seeds.iter().for_each(|seed| check(seed.as_bytes()));
        let mut rng = Rng::new(number("TF_PHI_FUZZ_SEED", 1) as u64);
        let texts = if form == Form::Tree { TREES } else { MUTATIONS };
        for _ in 0..texts * number("TF_PHI_FUZZ_ROUNDS", 1) {
            let mut text = rng.pick(from).unwrap().clone();
            for _ in 0..1 + rng.below(6) {
                let seed = rng.below(1 << 30) as u32;
                text = mutate::mutated(&text, seed, form).filter(|t| t.len() <= LONGEST).unwrap_or(text);
            }
            check(text.as_bytes());
        }
    });
}

#[test]
fn parse_and_edit() {
    let mut seeds = texts(&["fuzz/seeds", "examples", "tests/golden/rule"], ".tf");
    seeds.extend(expressions().iter().map(|e| format!("x = {}\n", e.trim_matches('\n'))));
    run(&seeds, &seeds, Form::File, parse::check);
}

#[test]
fn evaluation_and_tracing() {
    let seeds = expressions();
    let from: Vec<String> = rows().into_iter().chain(seeds.iter().cloned()).collect();
    run(&seeds, &from, Form::Expression, eval::check);
}

#[test]
fn trees_written_and_restored() {
    let seeds = texts(&["fuzz/seeds"], ".tree");
    run(&seeds, &seeds, Form::Tree, config::check);
}
