//! The border of the tree that is worked on.
//!
//! Files behind the border may be anybody's, so no source is read there. The border is Git's work tree, or the working directory
//! where there is none; the user moves it by the environment, on which no tree has a say.

use super::{Host as _, Machine};
use std::path::{Component, Path, PathBuf};

/// The environment variable that names folders whose sources are read although they lie outside of the tree, separated by `:`.
pub const TRUSTED: &str = "TF_PHI_TRUSTED_DIRS";

/// The folders that sources are read from. All paths are absolute and without links.
#[derive(Clone, Debug)]
pub struct Border {
    /// The working directory.
    root: PathBuf,
    /// The work tree of version control that it lies in, where it does.
    project: Option<PathBuf>,
    /// Further folders that the user trusts.
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

    /// The tree: Git's work tree, or the working directory where there is none.
    pub fn tree(&self) -> &Path {
        self.project.as_deref().unwrap_or(&self.root)
    }

    /// Returns true if an absolute path leads out, no matter whether anything stands there: else the answer would
    /// tell. `named` is the same path, cleaned by its letters.
    pub fn excludes(&self, path: &Path, named: &Path) -> bool {
        let real = Machine.canonical(path).unwrap_or_else(|_| leads(path));
        if self.trusts(&real) {
            return false;
        }
        match &self.project {
            Some(project) => !real.starts_with(project),
            // Without a border, what a call names is the user's; what a link leads to may be anybody's.
            None => !real.starts_with(&self.root) && real != named,
        }
    }

    /// Returns true if a path that another program opens stays within: links of the system's that are others for each
    /// program lead out.
    pub fn holds(&self, path: &Path) -> bool {
        let Some(real) = followed(path, &|at| !at.starts_with("/proc")) else { return false };
        real.starts_with(self.tree()) || self.trusts(&real)
    }

    /// Returns true if the user names a folder in which a path without links lies.
    pub fn trusts(&self, real: &Path) -> bool {
        self.trusted.iter().any(|dir| real.starts_with(dir))
    }
}

/// The number of links that are followed in a row, as on Linux.
const MOST_LINKS: usize = 40;

/// Returns the destination of an absolute path that can't be opened, with its links resolved as far as they exist.
fn leads(path: &Path) -> PathBuf {
    followed(path, &|_| true).unwrap_or_else(|| PathBuf::from("/"))
}

/// Returns the destination of an absolute path, with its links followed; `None` if they pass a place that they may
/// not.
fn followed(path: &Path, may_pass: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let mut links = MOST_LINKS;
    let mut at = PathBuf::from("/");
    let mut left: Vec<PathBuf> = behind(path);
    while let Some(part) = left.pop() {
        match part.components().next() {
            Some(Component::ParentDir) => drop(at.pop()),
            Some(Component::RootDir) => at = PathBuf::from("/"),
            Some(Component::Normal(name)) => {
                at.push(name);
                if !may_pass(&at) {
                    return None;
                }
                let target = Machine.link(&at).filter(|_| links > 0);
                if let Some(target) = target {
                    links -= 1;
                    at.pop();
                    left.extend(behind(&target));
                }
            }
            _ => {}
        }
    }
    Some(at)
}

/// The parts of a path, the first one last.
fn behind(path: &Path) -> Vec<PathBuf> {
    path.components().rev().map(|part| PathBuf::from(part.as_os_str())).collect()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_isnt_there_leads_where_it_would() {
        let temp = tempfile::tempdir().unwrap();
        let top = Machine.canonical(temp.path()).unwrap();
        let (out, root) = (top.join("out"), top.join("project/root"));
        std::fs::create_dir_all(root.join("in")).unwrap();
        std::fs::create_dir_all(top.join("project/.git")).unwrap();
        std::fs::create_dir_all(&out).unwrap();
        std::fs::write(out.join("there"), "s").unwrap();
        symlink(&out, root.join("folder")).unwrap();
        symlink("../../out/there", root.join("file")).unwrap();
        symlink("../../out/gone", root.join("dangling")).unwrap();
        symlink("dangling", root.join("in_two")).unwrap();
        symlink("circle", root.join("circle")).unwrap();
        symlink("in/gone", root.join("within")).unwrap();
        let border = Border::around(root.clone());
        let excludes = |path: &str| border.excludes(&root.join(path), &root.join(path));
        for name in ["there", "gone"] {
            assert!(excludes(&format!("folder/{name}")) && excludes(&format!("../../out/{name}")), "{name}");
        }
        assert!(excludes("file") && excludes("dangling") && excludes("in_two"));
        assert!(!excludes("gone") && !excludes("within") && !excludes("../gone") && !excludes("circle"));
        assert!(excludes("in/../../../gone"));
    }
}
