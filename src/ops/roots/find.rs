//! Finding root modules.
//!
//! In: folders. Out: those below them that hold a configuration which no other one calls, and those with a `phi.hcl`, in the order in
//! which folders are listed. Links to folders are not followed. Invariants: what is written into is called by nobody, in no form; what is
//! looked at is never less than that. A call hides a folder from those who look only where Terraform can follow it: a source that nobody knows hides
//! no folder which is made to be a root module, and folders that call each other in a circle hide nothing.

use super::calls::Calls;
use super::tree::{Found, Purpose, Tree};
use crate::config::{is_stacks, is_tofus};
use crate::host::EntryKind;
use crate::issue::{Code, Issue};
use std::path::{Path, PathBuf};

/// Finds the root modules below folders.
///
/// # Errors
/// Fails if a folder can't be listed.
pub(super) fn below<T: Tree>(tree: &T, dirs: &[PathBuf], purpose: Purpose) -> Result<Vec<PathBuf>, Issue> {
    let mut found = Vec::new();
    for dir in dirs {
        walk(tree, dir, &mut found)?;
    }
    let calls = Calls::from(tree, &found, purpose);
    let called = calls.called(purpose);
    let is_root = |one: &Found| {
        let place = tree.place(&one.dir);
        let is_made_one =
            || purpose == Purpose::Read && (one.has_values || calls.configured.contains(&place));
        one.has_phi || (!called.contains(&place) && (!calls.may_be_called(&place) || is_made_one()))
    };
    Ok(found.into_iter().filter(is_root).map(|one| one.dir).collect())
}

/// Returns true if a file of this name is part of a module or a Stack.
pub(in crate::ops) fn is_configuration(name: &str) -> bool {
    name.ends_with(".tf") || name.ends_with(".tf.json") || is_tofus(name) || is_stacks(name)
}

/// Returns true if a file of this name gives values to variables.
fn has_values(name: &str) -> bool {
    !name.starts_with('.') && (name.ends_with(".tfvars") || name.ends_with(".tfvars.json"))
}

/// Finds the folders from here on. Returns true if variable files lie here that belong to a folder above.
fn walk<T: Tree>(tree: &T, dir: &Path, found: &mut Vec<Found>) -> Result<bool, Issue> {
    let entries = tree.list(dir).map_err(|e| {
        let shown = dir.display().to_string();
        Issue::error(Code::Io, format!("can't list {shown}: {e}"), "").in_path(shown)
    })?;
    let files = || entries.iter().filter(|(_, kind)| *kind != EntryKind::Dir).map(|(name, _)| name.as_str());
    let has_phi = files().any(|name| name == "phi.hcl");
    let mut values = files().any(has_values);
    let at = (has_phi || files().any(is_configuration)).then_some(found.len());
    if at.is_some() {
        found.push(Found { dir: dir.to_path_buf(), has_phi, has_values: false });
    }
    for (name, _) in entries.iter().filter(|(n, kind)| *kind == EntryKind::Dir && !n.starts_with('.')) {
        values |= walk(tree, &dir.join(name), found)?;
    }
    match at.and_then(|at| found.get_mut(at)) {
        Some(own) => own.has_values = values,
        None => return Ok(values),
    }
    Ok(false)
}
