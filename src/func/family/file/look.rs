//! The kinds of things at a path that Terraform's errors tell apart.
//!
//! [`Surroundings`] says only that nothing can be seen at a path; whether that is because nothing is there decides
//! between an answer and an error, so the folders above are asked too.

use crate::func::{FuncError, Surroundings, Work};
use crate::host::EntryKind;

/// The result of looking at a path. Links are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// A regular file.
    File,
    /// A folder.
    Dir,
    /// There is nothing, or a link that leads to nothing.
    Nothing,
    /// The path can't exist: one of its folders is a file, or the text is no path.
    Impossible,
}

/// Longer names can't be looked up on common file systems.
const MAX_NAME: usize = 255;
const MAX_PATH: usize = 4000;

/// The cost of looking at a path, and of each folder on the way to it, in expressions.
const LOOK: u64 = 16;

/// Counts looking at a path. Where nothing is there, the folders above are looked at as well.
pub(super) fn count_look(work: &Work, path: &str) -> Result<(), FuncError> {
    let parts = 1 + path.bytes().filter(|b| *b == b'/').count() as u64;
    work.call(LOOK.saturating_mul(parts)).map_err(|e| FuncError::from(&e))
}

/// Looks at a cleaned path.
///
/// # Errors
/// Declined where the surroundings can't tell.
pub(super) fn at(outside: &dyn Surroundings, path: &str) -> Result<Found, FuncError> {
    if path.contains('\0') {
        return Ok(Found::Impossible);
    }
    if path.len() > MAX_PATH || path.split('/').any(|name| name.len() > MAX_NAME) {
        return Err(FuncError::declined("the path is too long to look at"));
    }
    match outside.kind(path).map_err(FuncError::unseen)? {
        Some(EntryKind::File) => Ok(Found::File),
        Some(EntryKind::Dir) => Ok(Found::Dir),
        Some(EntryKind::Link | EntryKind::Other) => {
            Err(FuncError::declined(format!("{path:?} is neither a file nor a folder")))
        }
        None => missing(outside, path),
    }
}

/// The files that Terraform and this program write into the working directory.
const OWN: [&str; 9] = [
    ".terraform",
    ".phi",
    "terraform.tfstate.d",
    ".terraform.lock.hcl",
    ".terraform.tfstate.lock.info",
    "terraform.tfstate",
    "terraform.tfstate.backup",
    "phi.moved.tf",
    "phi.guard.tf",
];

/// Returns true if a part of a pattern, applied in the working directory, would match a file that is written during a
/// run.
///
/// # Errors
/// As [`glob::matches`](crate::func::go_compat::glob::matches).
pub(super) fn meets_own(pattern: &str) -> Result<bool, FuncError> {
    for name in OWN {
        if pattern == "**" || crate::func::go_compat::glob::matches(pattern, name)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns true if a file may be another one by the time that Terraform looks: configuration, which this program
/// rewrites, and what Terraform keeps for itself.
pub(super) fn may_change(path: &str) -> bool {
    // Some file systems find them whatever their capitals.
    let path = path.to_lowercase();
    path.ends_with(".tf") || path.ends_with(".tf.json") || path.split('/').any(|part| OWN.contains(&part))
}

/// The folder a cleaned path stands in, and its name there; `None` for a root and for what leads upwards.
pub(super) fn split(path: &str) -> Option<(&str, &str)> {
    let (parent, name) = match path.rsplit_once('/') {
        Some(("", name)) => ("/", name),
        Some(parts) => parts,
        None => (".", path),
    };
    (!matches!(name, "" | "." | "..")).then_some((parent, name))
}

fn missing(outside: &dyn Surroundings, path: &str) -> Result<Found, FuncError> {
    let Some((parent, name)) = split(path) else {
        return Err(FuncError::unseen(format!("{path:?} can't be looked at")));
    };
    match at(outside, parent)? {
        Found::Nothing => Ok(Found::Nothing),
        Found::File | Found::Impossible => Ok(Found::Impossible),
        Found::Dir => {
            let names = outside.list(parent).map_err(FuncError::unseen)?;
            if names.iter().any(|n| n == name) {
                // A link that leads nowhere, or what may not be read.
                return Err(FuncError::unseen(format!("{path:?} can't be looked at")));
            }
            Ok(Found::Nothing)
        }
    }
}
