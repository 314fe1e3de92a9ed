//! Writing a change set.

use super::Stop;
use super::rooted_host::confined;
use super::whole::whole;
use crate::issue::Issue;
use crate::report;
use crate::text::Sources;
use crate::txn::ChangeSet;

/// Carries a change out, and gives what leads back.
///
/// # Errors
/// Returns an error if the tree can't be written; it is as it was then.
pub(super) fn commit(set: &ChangeSet, console: report::Console) -> Result<ChangeSet, Box<Stop>> {
    let done = whole(|| crate::txn::commit(&confined(&set.root)?, set))?;
    if let Some(issue) = done.unrecovered {
        let issue = Issue { severity: crate::issue::Severity::Warning, ..issue };
        report::issue::print(console, report::issue::Format::Text, &[issue], &Sources::default());
    }
    Ok(done.undo)
}
