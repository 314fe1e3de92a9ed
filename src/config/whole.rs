//! A whole configuration: the tree of modules and the root's test files, as the tool reads them that the tree is for.

use super::load::root as tree;
use super::{Config, Overlay, View, phi, stacks, test_files};
use crate::host::Host;
use crate::issue::Issue;
use std::path::Path;

/// Loads the configuration whose root module stands in `root`.
pub fn load(host: &dyn Host, root: &Path) -> (Config, Vec<Issue>) {
    load_with(host, &Overlay::new(), root)
}

/// Loads with some files replaced in memory.
pub fn load_with(host: &dyn Host, overlay: &Overlay, root: &Path) -> (Config, Vec<Issue>) {
    let view = View { host, overlay };
    let mut config = Config { tofu: phi::is_for_tofu(view, root), ..Config::default() };
    let mut issues = tree(view, &mut config, root);
    if config.is_stack() {
        issues.extend(stacks::inputs(&mut config));
        issues.extend(stacks::deployments(view, &mut config));
        return (config, issues);
    }
    issues.extend(test_files::read(view, &mut config, root));
    issues.extend(test_files::read(view, &mut config, &root.join(test_files::FOLDER)));
    (config, issues)
}
