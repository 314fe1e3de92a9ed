//! What the fuzz targets have in common: limits on what one input may cost, mutations that know the language, and
//! the checks themselves, one module per target.
//!
//! Invariant: a check answers or panics; it reads and writes nothing. Absent on purpose: findings of the past, which
//! are tests of the crate.

pub mod config;
pub mod eval;
pub mod mutate;
pub mod parse;
pub mod rng;

use std::alloc::System;
use std::sync::OnceLock;

/// More memory than this at one time is a finding.
const MEMORY: usize = 500 << 20;
/// More milliseconds of computing than this for one input are a finding; `TF_PHI_FUZZ_MS` gives another number.
const MILLISECONDS: i64 = 2_000;

#[global_allocator]
static MEMORY_OF: cap::Cap<System> = cap::Cap::new(System, usize::MAX);

/// Runs a check under the limits.
pub fn bounded(check: impl FnOnce()) {
    // What went before (the corpus is in memory) doesn't count.
    let _ = MEMORY_OF.set_limit(MEMORY_OF.allocated() + MEMORY);
    let start = now();
    check();
    let spent = now() - start;
    let _ = MEMORY_OF.set_limit(usize::MAX);
    let most = *MOST.get_or_init(|| {
        std::env::var("TF_PHI_FUZZ_MS").ok().and_then(|n| n.parse().ok()).unwrap_or(MILLISECONDS)
    });
    assert!(spent <= most, "{spent} ms for one input");
}

static MOST: OnceLock<i64> = OnceLock::new();

/// Milliseconds of processor time that this thread has used: another process's load doesn't count.
fn now() -> i64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}
