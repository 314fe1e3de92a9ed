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

/// More memory than this at one time is a finding.
const MEMORY: usize = 500 << 20;
/// More seconds of computing than this for one input are a finding.
const SECONDS: i64 = 2;

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
    assert!(spent <= SECONDS * 1000, "{spent} ms for one input");
}

/// Milliseconds of processor time that this thread has used: another process's load doesn't count.
fn now() -> i64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}
