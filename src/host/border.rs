//! Where the tree ends that is worked on.
//!
//! What lies behind the border may be anybody's, so no source is read there. The border is Git's work tree, or the working directory
//! where there is none; the user moves it by the environment, on which no tree has a say.

use super::{Host as _, Machine};
use std::path::{Path, PathBuf};

/// The environment variable that names folders whose sources are read although they lie outside of the tree, separated by `:`.
pub const TRUSTED: &str = "TF_PHI_TRUSTED_DIRS";

/// The folders that sources are read from. All paths are absolute and without links.
#[derive(Clone, Debug)]
pub struct Border {
    /// The working directory.
    root: PathBuf,
    /// The work tree of version control that it lies in, where it does.
    project: Option<PathBuf>,
    /// What the user trusts besides.
    trusted: Vec<PathBuf>,
}

impl Border {
    /// The border around a working directory whose path holds no links.
    pub fn around(root: PathBuf) -> Border {
        let project = root.ancestors().find(|dir| Machine.kind(&dir.join(".git")).is_some());
        let project = project.map(Path::to_owned);
        let tree = project.as_deref().unwrap_or(&root);
        let named = Machine.env(TRUSTED).unwrap_or_default();
        let named = named.split(':').map(PathBuf::from);
        // Terraform installs modules where the user says.
        let named = named.chain(Machine.env("TF_DATA_DIR").map(PathBuf::from));
        // Where a path through the tree leads is the tree's to choose.
        let real = |dir: &Path| Machine.canonical(dir).ok();
        let through = |dir: &Path| dir.ancestors().filter_map(real).any(|d| d.starts_with(tree));
        let named = named.filter(|dir| dir.is_absolute() && !through(dir));
        let trusted = named.filter_map(|dir| real(&dir)).collect();
        Border { root, project, trusted }
    }

    /// No border: around a copy of a tree that was judged already, whose links lead back to what was copied.
    pub fn none(root: PathBuf) -> Border {
        Border { root, project: None, trusted: vec![PathBuf::from("/")] }
    }

    /// Takes what lies in another folder for the user's own.
    pub fn trust(&mut self, folder: &Path) {
        self.trusted.extend(Machine.canonical(folder).ok());
    }

    /// Whether an absolute path leads out; what isn't there leads nowhere. `named` is the same path, cleaned by its letters.
    pub fn excludes(&self, path: &Path, named: &Path) -> bool {
        let Ok(real) = Machine.canonical(path) else { return false };
        if self.trusted.iter().any(|dir| real.starts_with(dir)) {
            return false;
        }
        match &self.project {
            Some(project) => !real.starts_with(project),
            // Without a border, what a call names is the user's; what a link leads to may be anybody's.
            None => !real.starts_with(&self.root) && real != named,
        }
    }
}
