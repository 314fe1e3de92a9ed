//! Writing a change set, which no signal cuts short.

use crate::host::{Confined, Host as _};
use crate::issue::{Code, Issue};
use crate::ops::Stop;
use crate::ops::read::marker::MARKER;
use crate::ops::read::rooted_host::confined;
use crate::report;
use crate::specialise::record::{self, local};
use crate::terraform::signals::uninterrupted;
use crate::text::Sources;
use crate::txn::{Change, ChangeSet};
use std::path::Path;

/// Carries a change out, and gives what leads back.
///
/// # Errors
/// Returns an error if the tree can't be written; it is as it was then.
pub fn commit(set: &ChangeSet, console: report::Console) -> Result<ChangeSet, Box<Stop>> {
    let done = whole(|| {
        let host = confined(&set.root)?;
        crate::txn::commit(&host, &with_local_record(&host, set))
    })?;
    if let Some(issue) = done.unrecovered {
        let issue = Issue { severity: crate::issue::Severity::Warning, ..issue };
        report::issue::print(console, report::issue::Format::Text, &[issue], &Sources::default());
    }
    Ok(done.undo)
}

/// Adds the record that Git ignores to changes that stay; where nothing is on record any more it goes.
fn with_local_record(host: &Confined, set: &ChangeSet) -> ChangeSet {
    let mut all = set.clone();
    let Some(planned) = set.changes.get(Path::new(record::FILE)) else { return all };
    if set.changes.contains_key(Path::new(MARKER)) {
        return all;
    }
    let read = |path: &str| host.read(Path::new(path)).ok();
    let (ignore, ignored) = local::IGNORE;
    match &planned.change {
        Change::Write(bytes) => {
            all.write(local::FILE, bytes.clone(), read(local::FILE).as_deref());
            if read(ignore).is_none() {
                all.write(ignore, ignored, None);
            }
        }
        Change::Link { .. } | Change::Delete => {
            let own = [local::FILE, ignore].map(|path| (path, read(path)));
            let own = own.into_iter().filter_map(|(path, bytes)| Some((path, bytes?)));
            let own = own.filter(|(path, bytes)| *path != ignore || bytes == ignored.as_bytes());
            own.for_each(|(path, bytes)| all.delete(path, &bytes));
        }
    }
    all
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
