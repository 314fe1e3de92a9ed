//! What is being done, for a person who has waited for a second.

use super::Console;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often a count is printed anew.
const AGAIN: Duration = Duration::from_millis(200);

/// A line on standard error that appears after a second and vanishes when this is dropped. Only on a terminal.
#[derive(Debug)]
pub struct Progress {
    running: Option<(Sender<()>, JoinHandle<()>)>,
    done: Arc<AtomicUsize>,
}

impl Progress {
    /// Begins to wait.
    pub fn start(console: Console, what: &'static str) -> Progress {
        Progress::watched(console, what, None)
    }

    /// The same with a count of how many of `total` are done. Where results go to a terminal as they come, those are
    /// progress enough.
    pub fn counted(console: Console, what: &'static str, total: usize) -> Progress {
        Progress::watched(Console { watched: console.watched && !console.read, ..console }, what, Some(total))
    }

    /// The same where nothing is printed before the end.
    pub fn counted_to_the_end(console: Console, what: &'static str, total: usize) -> Progress {
        Progress::watched(console, what, Some(total))
    }

    /// One more is done.
    pub fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn watched(console: Console, what: &'static str, total: Option<usize>) -> Progress {
        let done = Arc::new(AtomicUsize::new(0));
        if !console.watched {
            return Progress { running: None, done };
        }
        let (stop, stopped) = channel::<()>();
        let count = done.clone();
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(move || {
            if stopped.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                show(console, what, total, &count, &stopped);
            }
        });
        Progress { running: thread.ok().map(|t| (stop, t)), done }
    }
}

/// Prints the line until it is no longer wanted.
fn show(console: Console, what: &str, total: Option<usize>, done: &AtomicUsize, stopped: &Receiver<()>) {
    loop {
        let said = line(what, total, done.load(Ordering::Relaxed));
        console.replace_line(&format!("{} {said}", console.err.strong("tf-phi:")));
        if stopped.recv_timeout(AGAIN) != Err(RecvTimeoutError::Timeout) {
            break;
        }
    }
    console.replace_line("");
}

fn line(what: &str, total: Option<usize>, done: usize) -> String {
    total.map_or_else(|| format!("{what}…"), |total| format!("{what}… {done} of {total}"))
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Style;

    #[test]
    fn only_who_watches_and_sees_nothing_else_is_told() {
        let console = |watched, read| Console {
            out: Style::Plain,
            err: Style::Plain,
            watched,
            read,
            logged: false,
            hints: true,
        };
        let shown = |progress: Progress| progress.running.is_some();
        assert!(shown(Progress::counted(console(true, false), "tracing", 3)));
        assert!(!shown(Progress::counted(console(true, true), "tracing", 3)), "results are progress enough");
        assert!(shown(Progress::start(console(true, true), "tracing")));
        assert!(!shown(Progress::start(console(false, false), "tracing")));
    }

    #[test]
    fn what_is_done_is_counted() {
        let console = Console {
            out: Style::Plain,
            err: Style::Plain,
            watched: false,
            read: false,
            logged: false,
            hints: true,
        };
        let progress = Progress::counted(console, "tracing", 3);
        progress.step();
        progress.step();
        assert_eq!(line("tracing", Some(3), progress.done.load(Ordering::Relaxed)), "tracing… 2 of 3");
        assert_eq!(line("tracing", None, 0), "tracing…");
    }
}
