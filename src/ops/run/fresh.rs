//! New folders below the working directory.

use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use std::path::{Component, Path};

/// Checks that a folder is free, and that no symbolic link is on the way to it.
///
/// # Errors
/// Returns an error if it isn't; `below` says where it may be.
pub fn free(root: &Path, dir: &Path, below: &str) -> Result<(), Issue> {
    let shown = dir.display().to_string();
    let wrong = |why: &str| Err(Issue::error(Code::Config, format!("can't write to {shown}"), why));
    let plain = dir.components().all(|c| matches!(c, Component::Normal(_)));
    if !plain || dir.as_os_str().is_empty() {
        return wrong(below);
    }
    for above in dir.ancestors().filter(|a| !a.as_os_str().is_empty()) {
        let path = root.join(above);
        if Machine.link(&path).is_some() {
            return wrong(&format!(
                "{} is a symbolic link, and nothing is written through one.",
                above.display()
            ));
        }
        match Machine.kind(&path) {
            Some(EntryKind::Dir) if above != dir => {}
            Some(_) if above == dir => return wrong("It is there already, and nothing is written over."),
            Some(_) => return wrong(&format!("What stands at {} is no folder.", above.display())),
            None => {}
        }
    }
    Ok(())
}
