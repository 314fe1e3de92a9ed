//! Signals while a child runs: tf-phi must not die before Terraform has, and Terraform must hear of each
//! request to stop exactly once, because it takes a second one for "stop at once, whatever is lost".
//!
//! The rule. Where standard input is a terminal whose foreground group is ours, a person sits there: the child
//! stays in our group, so that it may ask questions; Ctrl-C reaches it from the terminal by itself, and SIGINT
//! is not passed on. (A SIGINT sent to tf-phi alone is then without effect; SIGTERM is there for that.)
//! Everywhere else (CI, pipes, `timeout`, background jobs) the child gets a process group of its own, so that
//! no signal to our group reaches it directly, and each that reaches us is passed on. The same signal twice
//! within a quarter of a second is one: `timeout` and some supervisors send to the process and to its group.

use std::io::{self, IsTerminal as _};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// The signals that ask a process to end and can be caught. Signals that this process was told to ignore are left
/// out: `nohup` and background jobs of scripts do so, and our handler would undo it for Terraform, too.
pub(super) static SIGNALS: LazyLock<Vec<i32>> = LazyLock::new(|| {
    let ignored = ignored();
    [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|s| ignored & (1 << (s - 1)) == 0).collect()
});

/// The signals that are ignored, one bit each. Only Linux tells it without unsafe code.
#[allow(clippy::disallowed_methods)]
fn ignored() -> u64 {
    ignored_of(&std::fs::read_to_string("/proc/self/status").unwrap_or_default())
}

/// The ignored signals in what Linux says of a process; none where a system says nothing.
fn ignored_of(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok()).unwrap_or(0)
}

const ONE_REQUEST: Duration = Duration::from_millis(250);

static HOLDS: AtomicUsize = AtomicUsize::new(0);
static RECEIVED: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);
/// True while nobody holds signals back; they then do what they always do.
static IDLE: LazyLock<Result<Arc<AtomicBool>, String>> = LazyLock::new(|| {
    let idle = Arc::new(AtomicBool::new(true));
    for &signal in SIGNALS.iter() {
        let number = usize::try_from(signal).unwrap_or_default();
        signal_hook::flag::register_conditional_default(signal, Arc::clone(&idle))
            .and_then(|_| signal_hook::flag::register_usize(signal, Arc::clone(&RECEIVED), number))
            .map_err(|e| e.to_string())?;
    }
    Ok(idle)
});

/// While one exists, SIGINT, SIGTERM and SIGHUP do not end this process. May be nested; for work that has to be
/// finished after Terraform has ended, such as putting the sources back.
#[derive(Debug)]
pub struct Hold(());

impl Hold {
    /// Holds signals back from now on.
    ///
    /// # Errors
    /// Returns an error if no handler can be installed.
    pub fn new() -> io::Result<Hold> {
        let idle = IDLE.as_ref().map_err(|e| io::Error::other(e.clone()))?;
        if HOLDS.fetch_add(1, Ordering::SeqCst) == 0 {
            RECEIVED.store(0, Ordering::SeqCst);
        }
        idle.store(false, Ordering::SeqCst);
        Ok(Hold(()))
    }

    /// The last signal that arrived since the outermost hold began.
    pub fn received(&self) -> Option<i32> {
        i32::try_from(RECEIVED.load(Ordering::SeqCst)).ok().filter(|s| *s != 0)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if HOLDS.fetch_sub(1, Ordering::SeqCst) == 1
            && let Ok(idle) = IDLE.as_ref()
        {
            idle.store(true, Ordering::SeqCst);
        }
    }
}

/// Returns true if somebody asked us to stop, and signals are held back. What hasn't begun need not begin then.
pub fn is_asked_to_stop() -> bool {
    HOLDS.load(Ordering::SeqCst) > 0 && RECEIVED.load(Ordering::SeqCst) != 0
}

/// Does work that no request to stop may cut in two. What was asked meanwhile is done behind it, unless somebody around it holds
/// signals back, too.
///
/// # Errors
/// Returns an error if no handler can be installed; then nothing was done.
pub fn uninterrupted<T>(work: impl FnOnce() -> T) -> io::Result<T> {
    let hold = Hold::new()?;
    let done = work();
    let received = hold.received().filter(|_| HOLDS.load(Ordering::SeqCst) == 1);
    drop(hold);
    if let Some(signal) = received {
        // Ends the process, as the signal would have done.
        signal_hook::low_level::emulate_default_handler(signal)?;
    }
    Ok(done)
}

/// The process group of a child, which decides what is passed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Group {
    /// Our group; the terminal delivers Ctrl-C to both.
    Shared,
    /// A group of its own; it gets signals only from us.
    Own,
}

impl Group {
    pub(super) fn choose() -> Group {
        let stdin = io::stdin();
        let foreground = stdin.is_terminal()
            && rustix::termios::tcgetpgrp(&stdin).is_ok_and(|group| group == rustix::process::getpgrp());
        if foreground { Group::Shared } else { Group::Own }
    }
}

/// Decides for each signal that arrives whether it is passed on.
#[derive(Debug)]
pub(super) struct Relay {
    group: Group,
    last: Option<(i32, Instant)>,
}

impl Relay {
    pub(super) fn new(group: Group) -> Relay {
        Relay { group, last: None }
    }

    pub(super) fn passes(&mut self, signal: i32, now: Instant) -> bool {
        let repeated = self.last.is_some_and(|(s, at)| s == signal && now.duration_since(at) < ONE_REQUEST);
        if repeated {
            return false;
        }
        self.last = Some((signal, now));
        self.group == Group::Own || signal != SIGINT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// macOS has no such file: there every signal counts.
    #[test]
    fn ignored_signals_are_told_by_linux_alone() {
        assert_eq!(ignored_of("Name:\tx\nSigIgn:\t0000000000000001\n"), 1 << (SIGHUP - 1));
        assert_eq!((ignored_of(""), ignored_of("SigIgn:\tx\n")), (0, 0));
    }

    #[test]
    fn what_is_passed_on() {
        let start = Instant::now();
        let mut own = Relay::new(Group::Own);
        assert!(own.passes(SIGINT, start));
        assert!(!own.passes(SIGINT, start + Duration::from_millis(10)));
        assert!(own.passes(SIGINT, start + Duration::from_secs(2)), "a person asks a second time");
        assert!(own.passes(SIGTERM, start + Duration::from_secs(2)));
        let mut shared = Relay::new(Group::Shared);
        assert!(!shared.passes(SIGINT, start));
        assert!(shared.passes(SIGTERM, start));
        assert!(shared.passes(SIGHUP, start));
    }
}
