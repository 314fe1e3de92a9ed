//! Which files of residuals are links: a reviewer reads a text once.
//!
//! In: the texts of residuals, and the file that each was made from. A file is a symbolic link where its text stands in that file, or
//! in another residual of the same module, the first one by name. Invariants: a link leads to a file of the working directory that
//! is none itself, and follows from the configuration alone. A link to the original shows an edit of that before tf-phi has run
//! again, while the other files of the copy don't know of it yet; so only what declares no object is one: a resource that moves
//! from one file to another must not be gone in between. Absent on purpose: whether a file system has links; the transaction stage
//! asks it.

use super::paths;
use crate::config::{Config, FileEntry, writable};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Returns the destination of each link, by path.
pub fn of(
    config: &Config,
    origins: &BTreeMap<PathBuf, PathBuf>,
    files: &BTreeMap<PathBuf, String>,
) -> BTreeMap<PathBuf, String> {
    let before = originals(config);
    let mut whole: BTreeMap<(&Path, &str), &Path> = BTreeMap::new();
    let mut links = BTreeMap::new();
    for (copy, origin) in origins {
        let Some(text) = files.get(copy).map(String::as_str) else { continue };
        let known = before.get(origin.as_path());
        let after = known.map(|before| files.get(origin).map_or(*before, String::as_str));
        let to = match after == Some(text) {
            true => origin.as_path(),
            false => whole.entry((origin, text)).or_insert(copy),
        };
        if to != copy {
            links.insert(copy.clone(), paths::source(copy.parent().unwrap_or(Path::new("")), to));
        }
    }
    links
}

/// The texts of the modules' files that a link may lead to, by path.
pub(super) fn originals(config: &Config) -> BTreeMap<&Path, &str> {
    let files = config.modules.iter().flat_map(|m| &m.files).filter(|f| declares_no_object(f));
    let sources = files.filter_map(|f| config.sources.get(f.source)).filter(|source| is_own(&source.path));
    sources.map(|source| (source.path.as_path(), &*source.text)).collect()
}

/// Returns true if a file is the working directory's own: what is installed is gone in the next checkout.
fn is_own(path: &Path) -> bool {
    writable::check_path(path).is_ok() && !path.starts_with(writable::PHI_DIR)
}

/// Returns true if a file of a module may be one that copies share with it.
pub(super) fn declares_no_object(file: &FileEntry) -> bool {
    let known = ["variable", "output", "terraform"];
    !file.json && file.body.blocks().all(|block| known.contains(&&*block.kind.text))
}
