//! A copy of a working directory in which Terraform may work while the user's tree stays as it is.
//!
//! In: a working directory. Invariants: nothing of the user's is written, not through a link either: folders are real,
//! files are links, and what Terraform or we write there (state, locks, sources) are copies. Beside the copy and above
//! it stand links to what stands beside the original, so that `../modules` leads where it led. Nobody else may look into it. Removed
//! when dropped.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use super::{PHI_DIR, canonical_root, io_issue, private};
use crate::host::{Confined, EntryKind, Mode, WriteHost};
use crate::issue::{Code, Issue};

/// The prefix of the names of copies.
const PREFIX: &str = "tf-phi-";

/// The file in a copy that is locked as long as the copy is used.
const ALIVE: &str = ".phi-alive";

/// The age at which a copy has its lock for certain.
const SETTLED: Duration = Duration::from_secs(60);

/// The number of folders above the working directory that keep their neighbours.
const LEVELS: usize = 4;

/// The copy.
#[derive(Debug)]
pub struct Scratch {
    temp: tempfile::TempDir,
    dir: PathBuf,
    data: PathBuf,
    /// Its lock says that this program is at work here; the operating system takes it back whatever ends the program.
    _alive: File,
}

impl Scratch {
    /// Copies a working directory. `data` is Terraform's data folder, absolute or relative to it.
    ///
    /// # Errors
    /// [`Code::Io`] where something can't be read or written.
    pub fn new(host: &dyn WriteHost, root: &Path, data: &Path) -> Result<Scratch, Issue> {
        let root = canonical_root(host, root)?;
        let fail = |e: io::Error| Issue::error(Code::Io, format!("can't create a temporary folder: {e}"), "");
        sweep(host);
        let temp = private(PREFIX).map_err(fail)?;
        let alive =
            Confined::open(temp.path()).and_then(|own| own.own_file(Path::new(ALIVE))).map_err(fail)?;
        alive.lock().map_err(fail)?;
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
        let scratch = Scratch { temp, dir: at, data: own, _alive: alive };
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
        host.write_later(path, bytes, Mode::DEFAULT).map_err(|e| io_issue("write", path, &e))
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
            host.write_later(&target, text.as_bytes(), Mode::DEFAULT)
                .map_err(|e| io_issue("write", &target, &e))?;
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

/// Removes the copies of runs that were killed: they may hold state. Only those of this user, and none that a run still has.
fn sweep(host: &dyn WriteHost) {
    let temp = std::env::temp_dir();
    for (name, kind) in host.list(&temp).unwrap_or_default() {
        if kind == EntryKind::Dir && name.starts_with(PREFIX) {
            abandoned(&temp.join(name));
        }
    }
}

/// Removes a copy that no run has any more. Links in it are removed, not followed.
#[allow(clippy::disallowed_methods)]
fn abandoned(dir: &Path) {
    let own = std::fs::symlink_metadata(dir);
    let own = own.is_ok_and(|found| found.is_dir() && found.uid() == rustix::process::geteuid().as_raw());
    let began = std::fs::metadata(dir.join(ALIVE)).and_then(|file| file.modified());
    // One that has just begun may not have its lock yet.
    let settled = began.is_ok_and(|began| began.elapsed().is_ok_and(|ago| ago > SETTLED));
    if !own || !settled {
        return;
    }
    let file = Confined::open(dir).and_then(|own| own.own_file(Path::new(ALIVE)));
    if file.is_ok_and(|file| file.try_lock().is_ok()) {
        // What can't be removed now, the next run finds again.
        let _ = std::fs::remove_dir_all(dir);
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
    host.write_later(target, &bytes, Mode::DEFAULT).map_err(|e| io_issue("write", target, &e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn only_what_nobody_has_any_more_is_removed() {
        let temp = tempfile::tempdir().unwrap();
        let copy = |name: &str, old: bool| {
            let dir = temp.path().join(name);
            std::fs::create_dir(&dir).unwrap();
            symlink(temp.path(), dir.join("up")).unwrap();
            let alive = File::create(dir.join(ALIVE)).unwrap();
            let ago = if old { SETTLED * 2 } else { Duration::ZERO };
            alive.set_modified(SystemTime::now() - ago).unwrap();
            (dir, alive)
        };
        let (left, _) = copy("left", true);
        let (new, _) = copy("new", false);
        let (used, alive) = copy("used", true);
        alive.lock().unwrap();
        let other = temp.path().join("other");
        std::fs::create_dir(&other).unwrap();
        symlink(&used, temp.path().join("link")).unwrap();
        for dir in [&left, &new, &used, &other, &temp.path().join("link")] {
            abandoned(dir);
        }
        assert!(!left.exists() && new.exists() && used.exists() && other.exists());
        drop(alive);
        abandoned(&temp.path().join("link"));
        assert!(used.exists());
        abandoned(&used);
        assert!(!used.exists());
    }
}
