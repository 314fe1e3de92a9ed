//! From a folder to a [`Config`]: the root module, and every module that it calls.
//!
//! Invariant: each folder is read once, and all that calls lead to in parallel. A fault in one file is an issue and the
//! rest is loaded all the same, so that one run names all faults. Absent on purpose: downloading. What isn't installed
//! is an issue that says what to type.

mod ahead;
pub(in crate::config) mod folder;
mod leaves;
mod manifest;
mod version;
mod walk;

pub use ahead::called_from;
pub(super) use folder::Fault;
pub use manifest::ASIDE;
pub use version::is_within;
pub use walk::attach;

use super::{Config, Overlay, View, test_files};
use crate::host::Host;
use crate::issue::Issue;
use std::path::Path;

/// Loads the configuration whose root module stands in `root`.
pub fn load(host: &dyn Host, root: &Path) -> (Config, Vec<Issue>) {
    load_with(host, &Overlay::new(), root)
}

/// Loads with some files replaced in memory.
pub fn load_with(host: &dyn Host, overlay: &Overlay, root: &Path) -> (Config, Vec<Issue>) {
    let mut config = Config::default();
    let view = View { host, overlay };
    let mut issues = walk::root(view, &mut config, root);
    issues.extend(test_files::read(view, &mut config, root));
    issues.extend(test_files::read(view, &mut config, &root.join(test_files::FOLDER)));
    (config, issues)
}

#[cfg(test)]
mod tests;
