//! Threads to parse on.
//!
//! Parsing recurses with the nesting of the text, and the stack that the main thread happens to have is not ours to
//! choose; 16 MiB hold any nesting that the parser's own limit admits.

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::sync::OnceLock;

const STACK: usize = 16 << 20;

static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();

/// Maps in parallel, results in order; one after the other where no threads can be had.
pub(in crate::config) fn map<T: Send, R: Send>(items: Vec<T>, f: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    let pool = POOL.get_or_init(|| rayon::ThreadPoolBuilder::new().stack_size(STACK).build().ok());
    match pool {
        Some(pool) => pool.install(|| items.into_par_iter().map(&f).collect()),
        None => items.into_iter().map(f).collect(),
    }
}
