//! Writing that no signal cuts short.

use crate::issue::{Code, Issue};
use crate::terraform::signals::uninterrupted;

/// Writes in one go: a signal that asks us to stop is heard behind it.
///
/// # Errors
/// Those of the work.
pub(super) fn whole<T>(work: impl FnOnce() -> Result<T, Issue>) -> Result<T, Issue> {
    uninterrupted(work).unwrap_or_else(|e| {
        Err(Issue::error(
            Code::Environment,
            format!("signals can't be held back: {e}"),
            "Nothing was written.",
        ))
    })
}
