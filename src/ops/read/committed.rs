//! The record of the commit that is checked out, for files that Git gave back from it.
//!
//! In: a working directory in which something isn't as its record tells, or in which everything was put back. Out: its session, with what the commit's record tells of files that
//! stand there as they were committed. Invariant: Git is asked only where something can't be told without it. Absent: which files
//! count ([`crate::specialise::record::committed`]).

use super::rooted_host::RootedHost;
use super::session::Session;
use crate::host::{Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::pipeline;
use crate::specialise::record::committed::Committed;
use crate::specialise::record::history;
use crate::terraform::git::{Base, Git, Revision};
use std::path::Path;

/// Reads what is on record; where something was edited, with what the commit tells of it.
///
/// # Errors
/// As [`Session::recorded`].
pub fn read_record(host: RootedHost) -> Result<Session, Issue> {
    let session = Session::on_record(host.clone())?;
    let is_edited = |issue: &Issue| issue.is_error() && issue.code == Code::Edited;
    let was_put_back = session.record.is_none() && host.kind(Path::new(history::FILE)).is_some();
    if !was_put_back && !session.issues.iter().any(is_edited) {
        return Ok(session);
    }
    let Some(commit) = open_commit(&host) else { return Ok(session) };
    let read = |path: &Path| String::from_utf8(commit.host.read(path).ok()?).ok();
    match commit.record.clone() {
        Some(record) => Session::on_records(host, Some(&Committed { record, read: &read })),
        None => Ok(session),
    }
}

fn open_commit(host: &RootedHost) -> Option<pipeline::Session<Revision>> {
    let revision = Revision::open(Git::find(&Machine).ok()?, &host.root, &Base::exact("HEAD")).ok()?;
    pipeline::Session::on_record(revision).ok()
}
