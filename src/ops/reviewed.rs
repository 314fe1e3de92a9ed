//! The specialised tree as it is without a run.
//!
//! In: a decision of no run. Out: its tree, with the moves that are there already as long as they serve.

use super::decide::{Decided, Tree, assembled, tree};
use super::session::Session;
use crate::specialise::{moves, record};
use std::path::Path;

/// The tree with the moves that a check may know of. Those that are there serve as long as the units are the same: they are
/// of the last run's variables, and a check has none.
pub(super) fn reviewed(session: &Session, decided: Decided) -> Tree {
    let path = Path::new(moves::FILE);
    let chain = session.chain();
    let chain = chain.as_deref();
    let ours = session.record.iter().find(|r| r.files.iter().any(|f| f.path == moves::FILE));
    let planned = &decided.specialised.record;
    let replaced = |r: &record::Record| r.services == planned.services && r.units == planned.units;
    if !planned.services.is_empty()
        && decided.specialised.splits.is_empty()
        && session
            .record
            .as_ref()
            .is_some_and(|r| replaced(r) && r.files.iter().all(|f| f.path != moves::FILE))
    {
        // A run has asked state for what services replace.
        return decided.tree;
    }
    if chain.is_none() || ours.is_none_or(|older| older.units != planned.units) {
        let run = (chain, decided.unset.as_ref());
        return tree(session, decided.specialised.finished_without_run(&session.config, &decided.known, run));
    }
    let mut record = decided.specialised.record;
    record.files.retain(|f| f.path != moves::FILE);
    record.files.extend(ours.iter().flat_map(|r| &r.files).find(|f| f.path == moves::FILE).cloned());
    let mut out = assembled(session, decided.specialised.files, record);
    out.remove(path);
    out
}
