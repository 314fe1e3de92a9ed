//! Threads to parse and trace on.
//!
//! Both recurse: with the nesting of a text, and with references that lead from one to the next. The stack that a
//! thread happens to have is not ours to choose, so these bring one that holds whatever the limits admit; only touched
//! pages of it cost memory.

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::sync::OnceLock;

/// The stack of a thread that evaluates.
pub const STACK: usize = 256 << 20;

static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();

/// Maps in parallel, results in order; one after the other where no threads can be had.
pub fn map<T: Send, R: Send>(items: Vec<T>, f: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    if items.len() < 2 {
        return items.into_iter().map(f).collect();
    }
    let pool = POOL.get_or_init(|| rayon::ThreadPoolBuilder::new().stack_size(STACK).build().ok());
    match pool {
        Some(pool) => pool.install(|| items.into_par_iter().map(&f).collect()),
        None => items.into_iter().map(f).collect(),
    }
}
