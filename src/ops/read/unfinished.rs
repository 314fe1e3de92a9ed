//! Detects a run that is in progress, or was killed.

use crate::host::{Confined, WriteHost as _};
use crate::issue::{Code, Issue};
use crate::txn;
use std::path::Path;

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

/// The marker, relative to the working directory.
pub const MARKER: &str = ".phi/ephemeral.json";
