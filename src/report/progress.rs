//! The progress line, shown to a person who has waited for a second.

use super::Console;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// A command that takes less time shows no line.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two updates of the line.
const AGAIN: Duration = Duration::from_millis(200);

/// A line on standard error that appears after a second and vanishes when this is dropped. Only on a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    running: Option<(Sender<()>, JoinHandle<()>)>,
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
        self.bar.inc(1);
    }

    /// Prints something while the line is out of the way.
    pub fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    fn watched(console: Console, what: &'static str, total: Option<usize>) -> Progress {
        let bar = bar(console, what, total);
        if !console.watched {
            return Progress { bar, running: None };
        }
        let (stop, stopped) = channel::<()>();
        let shown = bar.clone();
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(move || {
            if stopped.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                while stopped.recv_timeout(AGAIN) == Err(RecvTimeoutError::Timeout) {
                    shown.tick();
                }
                shown.finish_and_clear();
            }
        });
        Progress { bar, running: thread.ok().map(|t| (stop, t)) }
    }
}

/// The line: what is being done, and of a count how far it is and how long it may take yet.
fn bar(console: Console, what: &'static str, total: Option<usize>) -> ProgressBar {
    let name = console.err.strong("tf-phi:");
    let (bar, line) = match total {
        None => (ProgressBar::no_length(), "{msg}…"),
        Some(total) => {
            let length = u64::try_from(total).unwrap_or(u64::MAX);
            (ProgressBar::new(length), "{msg}… {pos} of {len} {bar:20} {eta} left")
        }
    };
    bar.set_draw_target(ProgressDrawTarget::hidden());
    let style = ProgressStyle::with_template(&format!("{name} {line}"));
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style.progress_chars("█▌ ")).with_message(what)
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

    fn console(watched: bool, read: bool) -> Console {
        Console {
            out: Style::Plain,
            err: Style::Plain,
            watched,
            read,
            logged: false,
            hints: true,
            pane: None,
            kept_back: crate::report::kept_back::KeptBack::new(),
        }
    }

    #[test]
    fn only_who_watches_and_sees_nothing_else_is_told() {
        let shown = |progress: Progress| progress.running.is_some();
        assert!(shown(Progress::counted(console(true, false), "tracing", 3)));
        assert!(!shown(Progress::counted(console(true, true), "tracing", 3)), "results are progress enough");
        assert!(shown(Progress::start(console(true, true), "tracing")));
        assert!(!shown(Progress::start(console(false, false), "tracing")));
    }

    #[test]
    fn what_is_done_is_counted() {
        let progress = Progress::counted(console(false, false), "tracing", 3);
        progress.step();
        progress.step();
        assert_eq!((progress.bar.position(), progress.bar.length()), (2, Some(3)));
        assert!(progress.bar.is_hidden());
    }
}
