//! The variable files below the root module: those that users of Terraform have for its environments.
//!
//! Passed over: folders that hold a configuration of their own (a module, another root, tests), hidden folders, links that lead
//! out of the tree, and what `.gitignore` excludes, since what is written has to be the same on every machine. What Git tracks all the same counts.

use crate::config::ignored::Ignored;
use crate::config::tracked::Tracked;
use crate::config::{View, paths};
use crate::host::EntryKind;
use std::path::{Path, PathBuf};

/// The number of folders that are searched.
const MAX_FOLDERS: usize = 2_000;

/// The files, by path; nothing where there are more folders than are looked into.
pub(super) fn files(view: View<'_>, root: &Path) -> Option<Vec<PathBuf>> {
    let real = view.host.canonical(paths::or_dot(root)).unwrap_or_else(|_| root.to_owned());
    let around = Ignored::around(view, &real);
    let tracked = Tracked::around(view, &real);
    let mut open = vec![(root.to_owned(), real, around, false)];
    let mut found = Vec::new();
    let mut seen = 0;
    while let Some((dir, real, ignored, within)) = open.pop() {
        seen += 1;
        if seen > MAX_FOLDERS {
            return None;
        }
        let files = view.entries(&dir).unwrap_or_default();
        if dir != root && files.keys().any(|name| is_configuration(name)) {
            continue;
        }
        let ignored = match files.get(".gitignore") {
            Some(true) => ignored.and(view, paths::or_dot(&dir), &real),
            _ => ignored,
        };
        for (name, regular) in files {
            let path = dir.join(&name);
            let wanted =
                !name.starts_with('.') && (name.ends_with(".tfvars") || name.ends_with(".tfvars.json"));
            let own = || regular || !view.host.is_outside(&path);
            let real = real.join(&name);
            if wanted && own() && (!(within || ignored.excludes(&real, false)) || tracked.holds(view, &real))
            {
                found.push(path);
            }
        }
        for (name, kind) in view.host.list(paths::or_dot(&dir)).unwrap_or_default() {
            let real = real.join(&name);
            if kind != EntryKind::Dir || name.starts_with('.') {
                continue;
            }
            // All in an excluded folder is excluded, whatever its name, but for what is tracked.
            let excluded = within || ignored.excludes(&real, true);
            if !excluded || tracked.holds_below(view, &real) {
                open.push((dir.join(name), real, ignored.clone(), excluded));
            }
        }
    }
    found.sort();
    Some(found)
}

/// Returns true if a file of this name makes a configuration of its folder.
fn is_configuration(name: &str) -> bool {
    [".tf", ".tf.json", ".tofu", ".tofu.json", ".tftest.hcl", ".tftest.json"]
        .iter()
        .any(|end| name.ends_with(end))
}
