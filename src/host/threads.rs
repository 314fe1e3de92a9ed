//! Threads to parse and trace on.
//!
//! Both recurse: with the nesting of a text, and with references that lead from one to the next. The stack that a
//! thread happens to have is not ours to choose, so these bring one that holds whatever the limits admit; only touched
//! pages of it cost memory.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The stack of a thread that evaluates.
pub const STACK: usize = 256 << 20;

static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();

/// Maps in parallel, results in order; one after the other where no threads can be had.
pub fn map<T: Send, R: Send>(items: Vec<T>, f: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    if items.len() < 2 {
        return items.into_iter().map(f).collect();
    }
    match pool() {
        Some(pool) => pool.install(|| items.into_par_iter().map(&f).collect()),
        None => items.into_iter().map(f).collect(),
    }
}

/// The same for few long items, which are begun in their order: what is made of the first ones can be used while the
/// others are worked on.
pub fn map_in_turn<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let taken = std::iter::from_fn(|| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, f(item)))
        });
        taken.collect::<Vec<(usize, R)>>()
    };
    let mut done: Vec<(usize, R)> = match pool().filter(|_| items.len() > 1) {
        Some(pool) => pool.broadcast(|_| work()).into_iter().flatten().collect(),
        None => work(),
    };
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, made)| made).collect()
}

/// Runs work that is mostly done by such threads on one of them. Each thread has memory of its own: what one that only waits
/// needs in between is taken anew, and clearing it takes its time.
pub fn inside<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// How many of them work at a time.
pub fn count() -> usize {
    pool().map_or(1, ThreadPool::current_num_threads)
}

thread_local! {
    /// Whether this thread lasts as long as the process, and has such a stack.
    static LASTING: Cell<bool> = const { Cell::new(false) };
}

/// Offers the calling thread as one of those that work: it has [`STACK`], and the process ends with it. Each thread has
/// memory of its own, which has to be cleared first; one that only waits for others would have that for nothing.
pub fn stay() {
    LASTING.set(true);
}

fn pool() -> Option<&'static ThreadPool> {
    let build = || {
        let builder = ThreadPoolBuilder::new().stack_size(STACK);
        if LASTING.get() { builder.use_current_thread().build().ok() } else { builder.build().ok() }
    };
    POOL.get_or_init(build).as_ref()
}
