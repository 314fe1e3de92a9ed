//! Captures the output of a process, up to a limit.
//!
//! In: the reading ends of its streams. Out: what came through them. Invariant: no more is kept than was asked for, and nobody
//! waits longer, whatever the program does, be it a stranger's or one that left children behind which hold its streams.

use std::io::{self, PipeReader, Read as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The limits of a process: what it may print, and how long it may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The number of bytes of each stream.
    pub bytes: u64,
    /// The time from its start to its end.
    pub time: Duration,
    /// The time that it has to end by itself once somebody asked us to stop.
    pub grace: Duration,
    /// What helps where one is passed; nothing where nothing does.
    pub fix: &'static str,
}

/// The way out where a program isn't what it should be.
const OTHER: &str = "Name another binary with --terraform.";

/// What only answers may be ended soon.
const SOON: Duration = Duration::from_secs(5);

impl Bounds {
    /// The limits for questions that Terraform answers at once, such as `version`.
    pub const QUESTION: Bounds =
        Bounds { bytes: 1 << 20, time: Duration::from_secs(60), grace: SOON, fix: OTHER };
    /// The limits for work that may ask providers and backends. They are above the largest state and the slowest plan
    /// of real life.
    pub const WORK: Bounds =
        Bounds { bytes: 1 << 30, time: Duration::from_hours(12), grace: Duration::from_secs(60), fix: OTHER };
    /// The limits for the question for a state, which changes nothing.
    pub const STATE: Bounds = Bounds { grace: SOON, ..Bounds::WORK };
    /// The limits for what git answers at once. A file of a repository that is a pipe would let it wait.
    pub const REPOSITORY: Bounds =
        Bounds { bytes: 1 << 20, time: Duration::from_secs(20), grace: SOON, fix: "" };
    /// The limits for reading a repository with git: the names of half a million files, or the texts that a
    /// configuration may have.
    pub const OBJECTS: Bounds =
        Bounds { bytes: 128 << 20, time: Duration::from_mins(10), grace: SOON, fix: "" };
}

/// The reason why a process was ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Excess {
    /// It printed too much.
    Bytes,
    /// It took too long.
    Time,
}

impl Bounds {
    /// Returns the limit that was exceeded, in words.
    pub fn said(&self, excess: Excess) -> String {
        match excess {
            Excess::Bytes => format!("It printed more than {} MiB and was ended.", self.bytes >> 20),
            Excess::Time => format!("It took longer than {} seconds and was ended.", self.time.as_secs()),
        }
    }
}

/// A stream on its way.
#[derive(Debug)]
pub(super) struct Stream(Receiver<io::Result<Vec<u8>>>);

impl Stream {
    /// Begins to read, on a thread that nobody has to wait for.
    pub fn read(from: PipeReader, bytes: u64) -> io::Result<Stream> {
        let (send, receive) = channel();
        std::thread::Builder::new().name("output".to_owned()).spawn(move || {
            let mut kept = Vec::new();
            let done = from.take(bytes.saturating_add(1)).read_to_end(&mut kept);
            // Nobody waits any more where it took too long.
            let _ = send.send(done.map(|_| kept));
        })?;
        Ok(Stream(receive))
    }

    /// All of it, once its writers have closed it.
    pub fn end(self, bounds: Bounds, until: Instant) -> io::Result<Result<Vec<u8>, Excess>> {
        match self.0.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Ok(bytes)) if bytes.len() as u64 > bounds.bytes => Ok(Err(Excess::Bytes)),
            Ok(done) => done.map(Ok),
            Err(RecvTimeoutError::Timeout) => Ok(Err(Excess::Time)),
            Err(RecvTimeoutError::Disconnected) => Err(io::Error::other("the thread that reads has ended")),
        }
    }
}
