//! A way home that was left for good, in a tree that is specialised again.
//!
//! In: the root module's files. Out: an issue that says how to give it back. Absent: the way home beside the sources
//! ([`super::recorded`]), which tf-phi takes away by itself.

use crate::config::Config;
use crate::issue::{Code, Issue};
use crate::specialise::moves;
use crate::text::shell_path;
use std::path::Path;

/// Finds a file that `tf-phi leave` wrote and that stands there still.
pub(super) fn find_left_way_home(config: &Config) -> Option<Issue> {
    let of_root = |path: &Path| path.parent().is_none_or(|folder| folder.as_os_str().is_empty());
    let files = config.sources.iter().map(|(_, file)| file).filter(|file| of_root(&file.path));
    let left = files
        .filter(|file| file.path != Path::new(moves::FILE))
        .find(|file| moves::is_way_home(&file.text))?;
    let name = left.path.display().to_string();
    let why = "Its blocks lead objects to the original's addresses, and this run leads them to those of copies. Terraform would \
               refuse both together.";
    let issue = Issue::error(Code::Held, format!("{name} is the way home that `tf-phi leave` wrote"), why);
    let title =
        "Give it back to tf-phi, which knows then what states hold, and puts its own moves in its place:";
    Some(issue.in_path(&name).fix(title, format!("mv {} {}", shell_path(&name), moves::FILE)))
}
