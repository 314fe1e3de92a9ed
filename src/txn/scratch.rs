//! A copy of a working directory in which Terraform may work while the user's tree stays as it is.
//!
//! In: a working directory. Invariants: nothing of the user's is written, not through a link either: folders are real,
//! files are links, and what Terraform or we write there (state, locks, sources) are copies. Beside the copy and above
//! it stand links to what stands beside the original, so that `../modules` leads where it led. Removed when dropped.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use super::{PHI_DIR, canonical_root, io_issue};
use crate::host::{EntryKind, WriteHost};
use crate::issue::{Code, Issue};

/// How many folders above the working directory keep their neighbours.
const LEVELS: usize = 4;

/// The copy.
#[derive(Debug)]
pub struct Scratch {
    temp: tempfile::TempDir,
    dir: PathBuf,
    data: PathBuf,
}

impl Scratch {
    /// Copies a working directory. `data` is Terraform's data folder, absolute or relative to it.
    ///
    /// # Errors
    /// [`Code::Io`] where something can't be read or written.
    pub fn new(host: &dyn WriteHost, root: &Path, data: &Path) -> Result<Scratch, Issue> {
        let root = canonical_root(host, root)?;
        let temp = tempfile::Builder::new()
            .prefix("tf-phi-")
            .tempdir()
            .map_err(|e| Issue::error(Code::Io, format!("can't create a temporary folder: {e}"), ""))?;
        // Its own path may hold links, and Terraform prints and compares real ones.
        let mut at = host.canonical(temp.path()).map_err(|e| io_issue("open", temp.path(), &e))?;
        let above: Vec<&Path> = root.ancestors().skip(1).take(LEVELS).collect();
        for parent in above.iter().rev() {
            let next = root.strip_prefix(parent).ok().and_then(|p| p.components().next());
            let Some(next) = next else { continue };
            neighbours(host, parent, &at, next.as_os_str());
            at.push(next);
            host.create_dir(&at).map_err(|e| io_issue("create", &at, &e))?;
        }
        let from = root.join(data);
        let up = data.components().any(|c| c == Component::ParentDir);
        let from = if up { host.canonical(&from).unwrap_or(from) } else { from };
        let own = if from.starts_with(&root) {
            at.join(from.strip_prefix(&root).unwrap_or(data))
        } else {
            at.join(".terraform")
        };
        let scratch = Scratch { temp, dir: at, data: own };
        scratch.folder(host, &root, &scratch.dir, &from)?;
        if host.kind(&from) == Some(EntryKind::Dir) {
            scratch.data_folder(host, &from)?;
        }
        Ok(scratch)
    }

    /// The copy of the working directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The copy of Terraform's data folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// A path for a file of ours, beside everything that was copied.
    pub fn aside(&self, name: &str) -> PathBuf {
        self.temp.path().join(format!(".phi-{name}"))
    }

    /// Writes a file of ours that nobody else may read.
    ///
    /// # Errors
    /// [`Code::Io`] where that can't be done.
    pub fn keep(&self, host: &dyn WriteHost, path: &Path, bytes: &[u8]) -> Result<(), Issue> {
        host.write_later(path, bytes, None).map_err(|e| io_issue("write", path, &e))
    }

    /// Puts files there, or takes them away; each text replaces what stands there.
    ///
    /// # Errors
    /// [`Code::Io`] where that can't be done.
    pub fn write(
        &self,
        host: &dyn WriteHost,
        files: &BTreeMap<PathBuf, Option<String>>,
    ) -> Result<(), Issue> {
        for (path, text) in files {
            super::paths::check_form(path)?;
            let target = self.dir.join(path);
            if host.entry(&target).map_err(|e| io_issue("look at", &target, &e))?.is_some() {
                host.remove_file(&target).map_err(|e| io_issue("write", &target, &e))?;
            }
            let Some(text) = text else { continue };
            let missing: Vec<&Path> =
                target.ancestors().skip(1).take_while(|d| host.kind(d).is_none()).collect();
            for dir in missing.into_iter().rev() {
                host.create_dir(dir).map_err(|e| io_issue("create", dir, &e))?;
            }
            host.write_later(&target, text.as_bytes(), None).map_err(|e| io_issue("write", &target, &e))?;
        }
        Ok(())
    }

    fn folder(&self, host: &dyn WriteHost, from: &Path, to: &Path, data: &Path) -> Result<(), Issue> {
        for (name, kind) in host.list(from).map_err(|e| io_issue("list", from, &e))? {
            let (source, target) = (from.join(&name), to.join(&name));
            if source == data || source.starts_with(self.temp.path()) {
                continue;
            }
            match kind {
                EntryKind::Dir if name == ".git" => link(&source, &target)?,
                EntryKind::Dir => {
                    host.create_dir(&target).map_err(|e| io_issue("create", &target, &e))?;
                    self.folder(host, &source, &target, data)?;
                }
                EntryKind::File if name == "lock" && from.ends_with(PHI_DIR) => {}
                EntryKind::File if is_terraforms(&name) => copy(host, &source, &target)?,
                EntryKind::File => link(&source, &target)?,
                EntryKind::Link => {
                    if let Ok(real) = host.canonical(&source) {
                        link(&real, &target)?;
                    }
                }
                EntryKind::Other => {}
            }
        }
        Ok(())
    }

    /// The data folder: what Terraform writes there is copied, the large rest is linked.
    fn data_folder(&self, host: &dyn WriteHost, from: &Path) -> Result<(), Issue> {
        let modules = self.data.join("modules");
        for dir in [&self.data, &modules] {
            host.create_dir(dir).map_err(|e| io_issue("create", dir, &e))?;
        }
        for (from, to) in [(from.to_path_buf(), &self.data), (from.join("modules"), &modules)] {
            for (name, kind) in host.list(&from).unwrap_or_default() {
                let (source, target) = (from.join(&name), to.join(&name));
                match kind {
                    EntryKind::File => copy(host, &source, &target)?,
                    EntryKind::Dir if name == "modules" && to == &self.data => {}
                    _ => link(&host.canonical(&source).unwrap_or(source), &target)?,
                }
            }
        }
        Ok(())
    }
}

/// State and dependency locks.
fn is_terraforms(name: &str) -> bool {
    name.contains(".tfstate") || name == ".terraform.lock.hcl"
}

fn neighbours(host: &dyn WriteHost, parent: &Path, at: &Path, except: &std::ffi::OsStr) {
    // What can't be listed or linked can't be read through `..` either, and Terraform will say so.
    for (name, _) in host.list(parent).unwrap_or_default() {
        if except != name.as_str() {
            let _ = symlink(parent.join(&name), at.join(&name));
        }
    }
}

fn link(source: &Path, target: &Path) -> Result<(), Issue> {
    symlink(source, target).map_err(|e| io_issue("link", target, &e))
}

fn copy(host: &dyn WriteHost, source: &Path, target: &Path) -> Result<(), Issue> {
    let bytes = host.read(source).map_err(|e| io_issue("read", source, &e))?;
    host.write_later(target, &bytes, None).map_err(|e| io_issue("write", target, &e))
}
