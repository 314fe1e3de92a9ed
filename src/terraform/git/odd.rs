//! What no repository has: pipes and devices, for which git would wait without an end.
//!
//! In: a folder. Out: an issue where the repository around it holds something else than files and folders, or where its configuration
//! names such a thing. Invariant: git isn't asked before. Absent: what lies behind a link out of the tree, which [`super::layout`] judges.

use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// So many files of configuration are read, each once. Git itself follows includes ten deep.
const MOST_CONFIGS: usize = 100;

/// The device that holds nothing, by which people turn off hooks and lists of ignored files.
const NULL: &str = "/dev/null";

/// Checks the repository around a folder.
///
/// # Errors
/// Names the first thing that is neither a file nor a folder.
pub(super) fn judge(dir: &Path) -> Result<(), Issue> {
    let Ok(real) = Machine.canonical(dir) else { return Ok(()) };
    let Some(dot) = real.ancestors().map(|at| at.join(".git")).find(|dot| Machine.kind(dot).is_some()) else {
        return Ok(());
    };
    let found = match Machine.kind(&dot) {
        Some(EntryKind::Dir) => odd_below(&dot).or_else(|| {
            let configs = ["config", "config.worktree"].map(|name| dot.join(name));
            let mut read = BTreeSet::new();
            configs.iter().find_map(|config| odd_in_config(config, &mut read))
        }),
        Some(EntryKind::Other) => Some(dot),
        _ => None,
    };
    found.map_or(Ok(()), |odd| {
        let why = format!("{} is neither a file nor a folder, and git would wait for it.", odd.display());
        Err(Issue::error(Code::Environment, "the repository can't be read", why)
            .in_path(odd.display().to_string()))
    })
}

/// The first entry below a folder that is neither file nor folder, links followed.
fn odd_below(dir: &Path) -> Option<PathBuf> {
    for (name, kind) in Machine.list(dir).unwrap_or_default() {
        let path = dir.join(name);
        let found = match kind {
            EntryKind::Dir => odd_below(&path),
            EntryKind::Other => Some(path),
            EntryKind::Link if Machine.kind(&path) == Some(EntryKind::Other) => Some(path),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The same of what the values in a file of configuration name, and the files that it includes. A value that is no path names nothing.
fn odd_in_config(config: &Path, read: &mut BTreeSet<PathBuf>) -> Option<PathBuf> {
    let real = Machine.canonical(config).ok()?;
    if read.len() >= MOST_CONFIGS || !read.insert(real) {
        return None;
    }
    let text = String::from_utf8_lossy(&Machine.read(config).ok()?).into_owned();
    let folder = config.parent().unwrap_or(Path::new("/"));
    let value = |line: &str| {
        let (key, value) = line.split_once('=')?;
        let key = key.rsplit(']').next().unwrap_or(key).trim().to_ascii_lowercase();
        let value = value.split(['#', ';']).next().unwrap_or_default().trim().replace('"', "");
        (!value.is_empty() && value != NULL).then(|| (key, folder.join(value)))
    };
    text.lines().filter_map(value).find_map(|(key, path)| match Machine.kind(&path) {
        Some(EntryKind::Other) => Some(path),
        Some(EntryKind::File) if key == "path" => odd_in_config(&path, read),
        _ => None,
    })
}
