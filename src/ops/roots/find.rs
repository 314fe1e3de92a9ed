//! Finding root modules.
//!
//! In: folders. Out: those below them that hold a configuration which no other one calls, and those with a `phi.hcl`, in the order in
//! which folders are listed. Each folder is read once, however many call it. Links to folders are not followed.

use super::folders::{Folders, reached};
use crate::config::{Overlay, is_stacks, is_tofus, paths};
use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::ops::read::rooted_host::RootedHost;
use crate::specialise::record;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The root modules below folders, which count from `base`.
///
/// # Errors
/// A folder that can't be listed.
pub(super) fn below(base: &Path, dirs: &[PathBuf]) -> Result<Vec<PathBuf>, Issue> {
    let mut found = Vec::new();
    for dir in dirs {
        walk(base, dir, &mut found)?;
    }
    let called = called(base, &found)?;
    let has_own = |d: &Path| Machine.kind(&base.join(d).join("phi.hcl")).is_some();
    let is_root = |d: &PathBuf| {
        has_own(d) || Machine.canonical(&base.join(d)).is_ok_and(|real| !called.contains(&real))
    };
    Ok(found.into_iter().filter(is_root).collect())
}

/// The folders that some configuration may call, whether in its original form or as it stands, or has as a service's template; without
/// links.
fn called(base: &Path, found: &[PathBuf]) -> Result<BTreeSet<PathBuf>, Issue> {
    let host = RootedHost::new(base)?;
    let here = found.iter().map(|dir| paths::clean(dir)).collect();
    let reached = reached(&host, &Overlay::new(), here);
    let mut called: BTreeSet<PathBuf> =
        reached.folders.iter().filter_map(|dir| host.canonical(dir).ok()).collect();
    let has = |dir: &Path, file: &str| Machine.kind(&base.join(dir).join(file)).is_some();
    let knows_more = |dir: &PathBuf| {
        has(dir, record::FILE) || has(dir, "phi.hcl") || reached.lead_to_chosen.contains(&paths::clean(dir))
    };
    let every = || found.iter().filter_map(|dir| Machine.canonical(&base.join(dir)).ok());
    for dir in found.iter().filter(|dir| knows_more(dir)) {
        let folders = Folders::of(&base.join(dir))?;
        let own = &folders.host.root;
        called.extend(folders.absolute().into_iter().filter(|dir| dir != own));
        let unknown = folders.absolute_unknown();
        let is_within = |dir: &PathBuf| dir != own && unknown.iter().any(|above| dir.starts_with(above));
        called.extend(every().filter(is_within));
    }
    Ok(called)
}

/// Returns true if a file of this name is part of a module or a Stack.
pub(super) fn is_configuration(name: &str) -> bool {
    name.ends_with(".tf") || name.ends_with(".tf.json") || is_tofus(name) || is_stacks(name)
}

fn walk(base: &Path, dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), Issue> {
    let entries = Machine.list(&base.join(dir)).map_err(|e| {
        let shown = dir.display().to_string();
        Issue::error(Code::Io, format!("can't list {shown}: {e}"), "").in_path(shown)
    })?;
    let is_ours = |n: &str| is_configuration(n) || n == "phi.hcl";
    if entries.iter().any(|(n, kind)| *kind != EntryKind::Dir && is_ours(n)) {
        found.push(dir.to_path_buf());
    }
    for (name, _) in entries.iter().filter(|(n, kind)| *kind == EntryKind::Dir && !n.starts_with('.')) {
        walk(base, &dir.join(name), found)?;
    }
    Ok(())
}
