//! The machine as seen from the working directory.
//!
//! Terraform changes into `-chdir` first, so every relative path, `..` included, counts from the real folder behind it.
//! Here nothing changes folder: relative paths are put behind the canonical root instead.

use crate::config::{TRUSTED, paths};
use crate::host::{Confined, EntryKind, Host, Machine, WriteHost as _};
use crate::issue::{Code, Issue};
use crate::txn::PHI_DIR;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The machine's files with relative paths counted from a folder.
#[derive(Clone, Debug)]
pub(super) struct Rooted {
    /// The folder, without links.
    pub root: PathBuf,
    /// The work tree of version control that it lies in, where it does.
    project: Option<PathBuf>,
    /// Folders that the user trusts besides, without links.
    trusted: Vec<PathBuf>,
    /// The workspace that counts as selected, where an environment names one.
    pub workspace: Option<String>,
}

impl Rooted {
    /// A host for a working directory.
    ///
    /// # Errors
    /// [`Code::Missing`] where there is no such folder.
    pub fn new(dir: &Path) -> Result<Rooted, Issue> {
        let fault = |why: String| {
            let shown = dir.display().to_string();
            Issue::error(Code::Missing, format!("can't work in the directory {shown}"), why).in_path(shown)
        };
        let root = Machine.canonical(dir).map_err(|e| fault(format!("It can't be opened: {e}.")))?;
        match Machine.kind(&root) {
            Some(EntryKind::Dir) => Ok(Rooted::at(root)),
            _ => Err(fault("It is not a directory.".to_owned())),
        }
    }

    /// A host for a folder whose path holds no links.
    pub fn at(root: PathBuf) -> Rooted {
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
        Rooted { root, project, trusted, workspace: None }
    }
}

impl Rooted {
    /// Takes what lies in another folder for the user's own: where modules are installed that a copy elsewhere uses, too.
    pub fn trust(&mut self, folder: &Path) {
        self.trusted.extend(Machine.canonical(folder).ok());
    }

    /// A host for a copy of a tree that was judged already: its links lead back to what was copied.
    pub fn copy(root: PathBuf) -> Rooted {
        Rooted { root, project: None, trusted: vec![PathBuf::from("/")], workspace: None }
    }
}

impl Host for Rooted {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // What says what to do is the tree's own: no link leads out of it.
        if path == Path::new("phi.hcl") || path.starts_with(PHI_DIR) {
            return Confined::open(&self.root)?.read(path);
        }
        Machine.read(&self.root.join(path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        Machine.list(&self.root.join(path))
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        Machine.kind(&self.root.join(path))
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        Machine.canonical(&self.root.join(path))
    }

    fn own(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        let own = Confined::open(&self.root)?;
        own.entry(path)?.map(|_| own.read(path)).transpose()
    }

    fn is_outside(&self, path: &Path) -> bool {
        let Ok(real) = self.canonical(path) else { return false };
        if self.trusted.iter().any(|dir| real.starts_with(dir)) {
            return false;
        }
        match &self.project {
            Some(project) => !real.starts_with(project),
            // Without a border, what a call names is the user's; what a link leads to may be anybody's.
            None => !real.starts_with(&self.root) && real != paths::clean(&self.root.join(path)),
        }
    }

    fn env(&self, name: &str) -> Option<String> {
        let named = self.workspace.clone().filter(|_| name == "TF_WORKSPACE");
        named.or_else(|| Machine.env(name))
    }

    fn env_all(&self) -> BTreeMap<String, String> {
        Machine.env_all()
    }

    fn now(&self) -> u64 {
        Machine.now()
    }
}
