//! Whether what Terraform has installed is its own: not where Git tracks it.
//!
//! In: a working directory. Terraform installs nothing that its list of modules names, whoever wrote the list: a tree that brings one would say by itself what
//! its modules are. Absent on purpose: what a list says.

use crate::host::Host as _;
use crate::issue::{Code, Issue};
use crate::ops::read::rooted_host::RootedHost;
use crate::terraform::init;
use crate::text::git_path;
use std::path::Path;

/// Checks that Git tracks nothing where Terraform installs modules.
///
/// # Errors
/// [`Code::Environment`], with the way out.
pub fn check_untracked(host: &RootedHost) -> Result<(), Issue> {
    let folder = init::data_dir(host, Path::new("")).join("modules");
    let Ok(real) = host.canonical(&folder) else { return Ok(()) };
    if !host.is_tracked_below(&real) {
        return Ok(());
    }
    let shown = folder.display().to_string();
    let why = format!(
        "Git tracks files in {shown}, so the tree itself says what its modules are: Terraform takes what stands there for installed."
    );
    let issue = Issue::error(Code::Environment, "Installed modules are a part of the tree", why);
    let take_out = format!("git rm -r --cached -- {}", git_path(&shown));
    Err(issue.in_path(shown).fix("Take them out of Git, and name the folder in .gitignore:", take_out))
}
