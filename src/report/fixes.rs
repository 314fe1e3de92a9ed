//! Where the ways out of a finding are meant.
//!
//! In: an issue, and the sources of its working directory. Out: the folder, where commands are typed in another one. Absent on purpose: the
//! commands, which are the issue's.

use crate::config::paths;
use crate::issue::Issue;
use crate::text::{Sources, one_line};

/// Returns the folder that the ways out of an issue are meant in, where the user's current directory is another one.
pub(super) fn folder_of_fixes(issue: &Issue, sources: &Sources) -> Option<String> {
    let folder = sources.folder_of_commands().filter(|_| !issue.fixes.is_empty())?;
    Some(one_line(&paths::shown(folder)).into_owned())
}
