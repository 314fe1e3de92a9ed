//! A whole configuration: the tree of modules and the root's test files, as the tool reads them that the tree is for.

use super::load::root as tree;
use super::{Config, Overlay, View, phi, stacks, test_files};
use crate::host::Host;
use crate::issue::Issue;
use rustc_hash::FxHashMap;
use std::path::{Component, Path, PathBuf};

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
        config.unread = stacks::find_unread(view, &config);
        issues.extend(config.unread.iter().cloned());
        issues.extend(stacks::find_former(view, &config));
        return (config, issues);
    }
    note_other_repositories(host, &mut config);
    issues.extend(test_files::read(view, &mut config, root));
    issues.extend(test_files::read(view, &mut config, &root.join(test_files::FOLDER)));
    (config, issues)
}

/// Notes which modules lie in a repository of their own below the working directory.
fn note_other_repositories(host: &dyn Host, config: &mut Config) {
    let mut known: FxHashMap<PathBuf, bool> = FxHashMap::default();
    for module in &mut config.modules {
        let is_below = module.dir.components().all(|part| matches!(part, Component::Normal(_)));
        let mut above = module.dir.ancestors().filter(|above| is_below && !above.as_os_str().is_empty());
        module.is_in_other_repository = above.any(|above| match known.get(above) {
            Some(is_top) => *is_top,
            None => {
                let is_top = host.kind(&above.join(".git")).is_some();
                known.insert(above.to_path_buf(), is_top);
                is_top
            }
        });
    }
}
