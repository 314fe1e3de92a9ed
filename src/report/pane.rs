//! What one of several that work at a time prints, kept until its turn comes.
//!
//! In: what it prints, for either stream. Out: the same, in the same order. A pane lasts as long as the process, as what prints into it
//! is copied wherever something is printed; what it kept goes when it is shown.

use std::sync::{Mutex, PoisonError};

/// One of the two streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// What was printed, in its order.
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
