//! What no program reads to an end: pipes, devices, and files of the system's.
//!
//! In: a path, or a working directory. Invariant: where a tree brings one in the place of what Terraform reads, tf-phi's own questions aren't
//! put, and nothing waits. Absent on purpose: what the user has Terraform do; that is as it is without tf-phi.

use super::init::{LOCK, data_dir};
use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use std::path::{Path, PathBuf};

/// Where the system shows itself as files, some of which have no end although they look like others. Devices don't look so.
const OF_SYSTEM: [&str; 2] = ["/proc", "/sys"];

/// The ends of names of files that Terraform reads in a working directory.
const SOURCES: [&str; 4] = [".tf", ".tf.json", ".tofu", ".tofu.json"];

/// The files in a data folder that it reads whatever it is asked.
const NOTED: [&str; 3] = ["terraform.tfstate", "environment", "modules/modules.json"];

/// The state, and the folder with those of other workspaces.
const STATE: [&str; 2] = ["terraform.tfstate", "terraform.tfstate.d"];

/// Returns true for what is there and is neither file nor folder, or is the system's own.
pub(super) fn is_strange(path: &Path) -> bool {
    match Machine.kind(path) {
        Some(EntryKind::Other | EntryKind::Link) => true,
        None => false,
        Some(EntryKind::File | EntryKind::Dir) => {
            Machine.canonical(path).is_ok_and(|real| OF_SYSTEM.iter().any(|system| real.starts_with(system)))
        }
    }
}

/// Checks that Terraform can read a working directory to an end.
///
/// # Errors
/// [`Code::Io`] names the first thing that it can't.
pub(super) fn judge(dir: &Path) -> Result<(), Issue> {
    match files(dir).into_iter().find(|path| is_strange(path)) {
        None => Ok(()),
        Some(path) => {
            let shown = path.strip_prefix(dir).unwrap_or(&path).display().to_string();
            let why = format!(
                "{shown} is neither a file nor a folder. Terraform would wait for it, or read it without an end."
            );
            let issue = Issue::error(Code::Io, "Terraform can't be asked in this directory", why);
            Err(issue.in_path(shown).fix("Take it away, or have it be a regular file.", ""))
        }
    }
}

/// The files that are read by every command that reads sources or state.
fn files(dir: &Path) -> Vec<PathBuf> {
    let listed = |dir: &Path| Machine.list(dir).unwrap_or_default().into_iter().map(|(name, _)| name);
    let is_source = |name: &String| SOURCES.iter().any(|end| name.ends_with(end));
    let mut all: Vec<PathBuf> = listed(dir).filter(is_source).map(|name| dir.join(name)).collect();
    let [state, others] = STATE.map(|name| dir.join(name));
    all.extend(listed(&others).map(|workspace| others.join(workspace).join(STATE[0])));
    let data = data_dir(&Machine, dir);
    all.extend(NOTED.map(|name| data.join(name)));
    all.extend([state, dir.join(LOCK)]);
    all
}
