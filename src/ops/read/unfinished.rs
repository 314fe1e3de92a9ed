//! Detects a run that is in progress, or was killed.

use crate::host::{Confined, WriteHost as _};
use crate::issue::{Code, Issue};
use crate::ops::read::as_before::AsBefore;
pub use crate::ops::read::marker::MARKER;
use crate::txn::{self, Lock};
use std::path::Path;
use std::time::{Duration, Instant};

/// Returns an issue if another run is in progress, or was killed: nobody may read a tree in between. It changes nothing.
pub fn unfinished(root: &Path) -> Option<Issue> {
    let own = Confined::open(root).ok()?;
    let marker = own.entry(Path::new(MARKER)).ok().flatten();
    if marker.is_none() && !txn::is_open(&own, root) {
        return None;
    }
    let why = "What stands here is neither the tree that was there before nor the one that was to be. Commands that only read \
               change nothing, so they don't finish it.";
    let issue = Issue::error(Code::Edited, "a run of tf-phi is at work here, or was cut short", why);
    let file = if marker.is_some() { MARKER } else { ".phi/journal" };
    Some(issue.in_path(file).fix("Put the sources back, once no other run is at work:", "tf-phi restore"))
}

/// The time within which a run has put its files in place, or back.
const MOMENT: Duration = Duration::from_secs(5);

/// Returns what a reader is to see in a folder where a run is at work that puts back what it writes; nothing where none is.
///
/// # Errors
/// [`unfinished`], where a run was killed, or is at work for which what stood there before can't be told.
pub fn look_through(root: &Path) -> Result<Option<AsBefore>, Issue> {
    let start = Instant::now();
    while let Some(issue) = unfinished(root) {
        if !Lock::is_held(root) {
            // It may have ended just now.
            return unfinished(root).map_or(Ok(None), Err);
        }
        if let Some(before) = AsBefore::read(root) {
            return Ok(Some(before));
        }
        if start.elapsed() > MOMENT {
            return Err(issue);
        }
        std::thread::sleep(MOMENT / 100);
    }
    Ok(None)
}
