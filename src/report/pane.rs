//! Keeps what a thread prints until its turn comes.
//!
//! In: output for either stream. Out: the same output, in the same order. A pane lives as long as the process, since copies of it
//! are held wherever something is printed; its content is freed when it is shown.

use std::sync::{Mutex, PoisonError};

/// One of the two streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// The output in order, each piece with its stream.
#[derive(Debug, Default)]
pub struct Pane(Mutex<Vec<(To, Vec<u8>)>>);

impl Pane {
    /// A new one.
    pub fn new() -> &'static Pane {
        Box::leak(Box::default())
    }

    /// Keeps something.
    pub(super) fn keep(&self, to: To, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.last_mut() {
            Some((last, text)) if *last == to => text.extend_from_slice(bytes),
            _ => kept.push((to, bytes.to_vec())),
        }
    }

    /// All that was kept, which is forgotten.
    pub(super) fn taken(&self) -> Vec<(To, Vec<u8>)> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
