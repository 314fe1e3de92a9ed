//! What is being done, for a person who has waited for a second.

use super::Console;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// A line on standard error that appears after a second and vanishes when this is dropped. Only on a terminal.
#[derive(Debug)]
pub struct Progress {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Begins to wait.
    pub fn start(console: Console, what: &'static str) -> Progress {
        if !console.watched {
            return Progress { running: None };
        }
        let (stop, stopped) = channel::<()>();
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(move || {
            if stopped.recv_timeout(Duration::from_secs(1)) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            console.say(&format!("{} {what}…", console.err.strong("tf-phi:")));
            let _ = stopped.recv();
            console.say("\r\u{1b}[K");
        });
        Progress { running: thread.ok().map(|t| (stop, t)) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}
