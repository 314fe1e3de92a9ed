//! Folders of modules that git would fetch: parts of a submodule that isn't there yet.
//!
//! In: the folder that a call names. Out: the submodule that it lies in, by what `.gitmodules` says above it. Invariant: nothing outside of the tree is read, and git isn't
//! started. Absent on purpose: whether the submodule has such a folder.

use crate::config::{View, paths};
use std::path::{Path, PathBuf};

/// The submodule that a folder lies in, as `.gitmodules` of any folder above names it.
pub(super) fn find_submodule(view: View<'_>, dir: &Path) -> Option<PathBuf> {
    dir.ancestors().skip(1).find_map(|above| {
        let settings = paths::join(above, ".gitmodules");
        if view.host.is_outside(&settings) {
            return None;
        }
        let text = String::from_utf8(view.read(&settings).ok()?).ok()?;
        let named =
            text.lines().filter_map(|line| line.trim().strip_prefix("path")?.trim_start().strip_prefix('='));
        named.map(|path| paths::join(above, path.trim().trim_matches('"'))).find(|path| dir.starts_with(path))
    })
}
