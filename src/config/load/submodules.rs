//! Folders of modules that git would fetch: parts of a submodule that isn't there yet.
//!
//! In: the folder that a call names. Out: the submodule that it lies in, by what `.gitmodules` says above it. Invariant: nothing outside of the tree is read, and git isn't
//! started. Absent on purpose: whether the submodule has such a folder.

use crate::config::writable::MOST_FOLDERS;
use crate::config::{View, paths};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};

/// The submodule that a folder lies in, as `.gitmodules` of any folder above names it.
pub(super) fn find_submodule(view: View<'_>, dir: &Path, known: &mut Submodules) -> Option<PathBuf> {
    if dir.components().count() > MOST_FOLDERS {
        return None;
    }
    dir.ancestors().skip(1).find_map(|above| {
        let all = known.entry(above.to_path_buf()).or_insert_with(|| list_submodules(view, above));
        dir.ancestors().find(|path| all.contains(*path)).map(Path::to_path_buf)
    })
}

/// The folders of submodules that `.gitmodules` of a folder names, by that.
pub(super) type Submodules = FxHashMap<PathBuf, FxHashSet<PathBuf>>;

fn list_submodules(view: View<'_>, above: &Path) -> FxHashSet<PathBuf> {
    let settings = paths::join(above, ".gitmodules");
    if view.host.is_outside(&settings) {
        return FxHashSet::default();
    }
    let text = view.read(&settings).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let named =
        text.lines().filter_map(|line| line.trim().strip_prefix("path")?.trim_start().strip_prefix('='));
    named.map(|path| paths::join(above, path.trim().trim_matches('"'))).collect()
}
