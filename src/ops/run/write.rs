//! Writing a change set, which no signal cuts short.

use crate::issue::{Code, Issue};
use crate::ops::Stop;
use crate::ops::read::rooted_host::confined;
use crate::report;
use crate::terraform::signals::uninterrupted;
use crate::text::Sources;
use crate::txn::ChangeSet;

/// Carries a change out, and gives what leads back.
///
/// # Errors
/// Returns an error if the tree can't be written; it is as it was then.
pub fn commit(set: &ChangeSet, console: report::Console) -> Result<ChangeSet, Box<Stop>> {
    let done = whole(|| crate::txn::commit(&confined(&set.root)?, set))?;
    if let Some(issue) = done.unrecovered {
        let issue = Issue { severity: crate::issue::Severity::Warning, ..issue };
        report::issue::print(console, report::issue::Format::Text, &[issue], &Sources::default());
    }
    Ok(done.undo)
}

/// Writes in one go: a signal that asks us to stop is heard behind it.
///
/// # Errors
/// Those of the work.
pub fn whole<T>(work: impl FnOnce() -> Result<T, Issue>) -> Result<T, Issue> {
    uninterrupted(work).unwrap_or_else(|e| {
        Err(Issue::error(
            Code::Environment,
            format!("signals can't be held back: {e}"),
            "Nothing was written.",
        ))
    })
}
