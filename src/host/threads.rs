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
    let work = || taken(items, &next, &f);
    let done = match pool().filter(|_| items.len() > 1) {
        Some(pool) => pool.broadcast(|_| work()).into_iter().flatten().collect(),
        None => work(),
    };
    in_order(done)
}

/// Maps with at most so many at a time, on threads of their own, for what mostly waits; results in order. On these threads nothing
/// else is done in parallel: those of the pool could wait for each other.
pub fn map_waiting<T: Sync, R: Send>(items: &[T], at_once: usize, f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let at_once = at_once.min(items.len());
    if at_once < 2 {
        return items.iter().map(f).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        ALONE.set(true);
        taken(items, &next, &f)
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let spawn = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let threads: Vec<_> = (0..at_once).filter_map(|n| spawn(n).ok()).collect();
        let ended = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        ended.flat_map(|made| made.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    // Where no thread could be had.
    let rest = next.load(Ordering::Relaxed).min(items.len());
    done.extend(items.iter().enumerate().skip(rest).map(|(at, item)| (at, f(item))));
    in_order(done)
}

/// Works on items until all are taken, each by one of those who take.
fn taken<T, R>(items: &[T], next: &AtomicUsize, f: &impl Fn(&T) -> R) -> Vec<(usize, R)> {
    let one = || {
        let at = next.fetch_add(1, Ordering::Relaxed);
        items.get(at).map(|item| (at, f(item)))
    };
    std::iter::from_fn(one).collect()
}

fn in_order<R>(mut done: Vec<(usize, R)>) -> Vec<R> {
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

/// Returns the number of threads that work at a time.
pub fn count() -> usize {
    pool().map_or(1, ThreadPool::current_num_threads)
}

thread_local! {
    /// True if this thread lasts as long as the process and has such a stack.
    static LASTING: Cell<bool> = const { Cell::new(false) };
    /// True if this thread works by itself.
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Offers the calling thread as one of those that work: it has [`STACK`], and the process ends with it. Each thread has
/// memory of its own, which has to be cleared first; one that only waits for others would have that for nothing.
pub fn stay() {
    LASTING.set(true);
}

fn pool() -> Option<&'static ThreadPool> {
    if ALONE.get() {
        return None;
    }
    let build = || {
        let builder = ThreadPoolBuilder::new().stack_size(STACK);
        if LASTING.get() { builder.use_current_thread().build().ok() } else { builder.build().ok() }
    };
    POOL.get_or_init(build).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::time::Duration;

    #[test]
    fn so_many_at_a_time_and_results_in_order() {
        let items: Vec<usize> = (0..20).collect();
        for at_once in [1, 2, 3, 50] {
            let (running, most) = (AtomicUsize::new(0), Mutex::new(0));
            let made = map_waiting(&items, at_once, |n| {
                let now = running.fetch_add(1, Ordering::SeqCst) + 1;
                let mut most = most.lock().unwrap();
                *most = now.max(*most);
                drop(most);
                // The last ones are done first.
                std::thread::sleep(Duration::from_millis(20 - *n as u64));
                let doubled: usize = map(vec![*n, *n], |n| n).into_iter().sum();
                running.fetch_sub(1, Ordering::SeqCst);
                doubled
            });
            assert_eq!(made, items.iter().map(|n| n * 2).collect::<Vec<_>>());
            let most = *most.lock().unwrap();
            assert!(most <= at_once && (at_once == 1 || most > 1), "{most} of {at_once}");
        }
    }
}
