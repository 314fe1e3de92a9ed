//! `tf-phi restore`: the original sources back.

use super::decide::change_set;
use super::session::Session;
use super::{DONE, Outcome, Start, Stop, write};
use crate::specialise::{moves, record};
use std::path::PathBuf;

/// Runs the command; `dry_run` only shows the diff.
///
/// # Errors
/// Files that were edited so that the original text can't be found; a tree that can't be written.
pub fn run(start: &Start, dry_run: bool) -> Outcome {
    let root = super::rooted::Rooted::new(&start.dir)?.root;
    let lock = write::enter(&root)?;
    let session = Session::recorded(&start.dir)?;
    if session.record.is_none() {
        start.console.note("nothing to restore: nothing is specialised here.");
        return Ok(DONE);
    }
    if session.is_blocked() {
        return Err(session.stop());
    }
    let mut tree = session.overlay.clone();
    tree.insert(PathBuf::from(record::FILE), None);
    if dry_run {
        super::diff::show(start, &session, &tree);
        return Ok(DONE);
    }
    let _held = lock.map_err(Box::<Stop>::from)?;
    let set = change_set(&session, &tree);
    let files = set.changes.len().saturating_sub(1);
    write::commit(&set, start.console)?;
    super::modules::settle_originals(&root, Some(start.console));
    start.console.note(&format!("restored {files} {}.", if files == 1 { "file" } else { "files" }));
    if let Some(moves) = session.record.as_ref().and_then(|r| moves::back(&r.units)) {
        start.console.note(
            "state that was applied from the specialised form holds its addresses. If you plan without tf-phi from now \
             on, add these blocks first, or Terraform destroys and creates anew:",
        );
        start.console.paste(&moves);
    }
    Ok(DONE)
}
