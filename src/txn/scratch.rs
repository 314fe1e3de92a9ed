//! A copy of a working directory in which Terraform may work while the user's tree stays as it is.
//!
//! In: a working directory. Invariants: nothing of the user's is written, not through a link either: folders are real,
//! files are links, and what Terraform or we write there (state, locks, sources) are copies. Beside the copy and above
//! it stand links to what stands beside the original, so that `../modules` leads where it led. Nobody else may look into it. Removed
//! when dropped.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use super::paths::{Last, resolve};
use super::{PHI_DIR, canonical_root, confined, io_issue, private, seal};
use crate::host::{Confined, EntryKind, Host as _, Machine, Mode, WriteHost as _};
use crate::issue::{Code, Issue};

/// The prefix of the names of copies.
const PREFIX: &str = "tf-phi-";

/// The file in a copy that is locked as long as the copy is used.
const ALIVE: &str = ".phi-alive";

/// The age at which a copy has its lock for certain.
const SETTLED: Duration = Duration::from_secs(60);

/// The number of folders above the working directory that keep their neighbours.
const LEVELS: usize = 4;

/// A temporary folder in which `..` leads where it leads in the user's.
#[derive(Debug)]
pub(super) struct Mirror {
    pub temp: tempfile::TempDir,
    /// The folder that stands for the user's, empty at first.
    pub dir: PathBuf,
    /// What is written into: nothing leads out of that.
    pub own: Confined,
    /// Its lock says that this program is at work here; the operating system takes it back whatever ends the program.
    _alive: File,
}

impl Mirror {
    /// Makes one for a folder whose path holds no links; `levels` is the number of folders above it that keep their neighbours.
    pub fn new(root: &Path, levels: usize) -> Result<Mirror, Issue> {
        let fail = |e: io::Error| Issue::error(Code::Io, format!("can't create a temporary folder: {e}"), "");
        sweep();
        let temp = private(PREFIX).map_err(fail)?;
        let own = confined(temp.path())?;
        let alive = own.own_file(Path::new(ALIVE)).map_err(fail)?;
        alive.lock().map_err(fail)?;
        sign(temp.path(), &alive).map_err(fail)?;
        // Its own path may hold links, and Terraform prints and compares real ones.
        let mut at = canonical_root(&own, temp.path())?;
        let above: Vec<&Path> = root.ancestors().skip(1).take(levels).collect();
        for parent in above.iter().rev() {
            let next = root.strip_prefix(parent).ok().and_then(|p| p.components().next());
            let Some(next) = next else { continue };
            neighbours(parent, &at, next.as_os_str());
            at.push(next);
            own.create_dir(&at).map_err(|e| io_issue("create", &at, &e))?;
        }
        Ok(Mirror { temp, dir: at, own, _alive: alive })
    }
}

/// The copy.
#[derive(Debug)]
pub struct Scratch {
    mirror: Mirror,
    data: PathBuf,
    /// The user's folder, which says where links lead.
    root: PathBuf,
    theirs: Confined,
}

impl Scratch {
    /// Copies a working directory. `data` is Terraform's data folder, absolute or relative to it.
    ///
    /// # Errors
    /// [`Code::Io`] where something can't be read or written.
    pub fn new(root: &Path, data: &Path) -> Result<Scratch, Issue> {
        let root = canonical_root(&Machine, root)?;
        let mirror = Mirror::new(&root, LEVELS)?;
        let at = &mirror.dir;
        let from = root.join(data);
        let up = data.components().any(|c| c == Component::ParentDir);
        let from = if up { Machine.canonical(&from).unwrap_or(from) } else { from };
        let data = if from.starts_with(&root) {
            at.join(from.strip_prefix(&root).unwrap_or(data))
        } else {
            at.join(".terraform")
        };
        let theirs = confined(&root)?;
        let scratch = Scratch { mirror, data, root, theirs };
        scratch.folder(&scratch.root, &scratch.mirror.dir, &from)?;
        if Machine.kind(&from) == Some(EntryKind::Dir) {
            scratch.data_folder(&from)?;
        }
        Ok(scratch)
    }

    /// The copy of the working directory.
    pub fn dir(&self) -> &Path {
        &self.mirror.dir
    }

    /// The copy of Terraform's data folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// A path for a file of ours, beside everything that was copied.
    pub fn aside(&self, name: &str) -> PathBuf {
        self.mirror.temp.path().join(format!(".phi-{name}"))
    }

    /// Writes a file of ours that nobody else may read.
    ///
    /// # Errors
    /// [`Code::Io`] where that can't be done.
    pub fn keep(&self, path: &Path, bytes: &[u8]) -> Result<(), Issue> {
        self.mirror.own.write_later(path, bytes, Mode::DEFAULT).map_err(|e| io_issue("write", path, &e))
    }

    /// Puts files there, or takes them away; each text replaces what stands there.
    ///
    /// # Errors
    /// [`Code::Io`] where that can't be done; where a transaction would refuse to write there.
    pub fn write(&self, files: &BTreeMap<PathBuf, Option<String>>) -> Result<(), Issue> {
        for (path, text) in files {
            // A file that is a link gives way to its own text.
            let real = resolve(&self.theirs, &self.root, path, Last::Keep)?;
            let target = self.counterpart(&real).unwrap_or(real);
            if self.mirror.own.entry(&target).map_err(|e| io_issue("look at", &target, &e))?.is_some() {
                self.mirror.own.remove_file(&target).map_err(|e| io_issue("write", &target, &e))?;
            }
            let Some(text) = text else { continue };
            let missing: Vec<&Path> =
                target.ancestors().skip(1).take_while(|d| self.mirror.own.kind(d).is_none()).collect();
            for dir in missing.into_iter().rev() {
                self.mirror.own.create_dir(dir).map_err(|e| io_issue("create", dir, &e))?;
            }
            self.keep(&target, text.as_bytes())?;
        }
        Ok(())
    }

    /// What stands in the copy for something in the user's folder.
    fn counterpart(&self, real: &Path) -> Option<PathBuf> {
        Some(self.mirror.dir.join(real.strip_prefix(&self.root).ok()?))
    }

    fn folder(&self, from: &Path, to: &Path, data: &Path) -> Result<(), Issue> {
        for (name, kind) in Machine.list(from).map_err(|e| io_issue("list", from, &e))? {
            let (source, target) = (from.join(&name), to.join(&name));
            if source == data || source.starts_with(self.mirror.temp.path()) {
                continue;
            }
            match kind {
                EntryKind::Dir if name == ".git" => link(&source, &target)?,
                EntryKind::Dir => {
                    self.mirror.own.create_dir(&target).map_err(|e| io_issue("create", &target, &e))?;
                    self.folder(&source, &target, data)?;
                }
                EntryKind::File if name == "lock" && from.ends_with(PHI_DIR) => {}
                EntryKind::File if is_terraforms(&name) => self.copy(&source, &target)?,
                EntryKind::File => link(&source, &target)?,
                EntryKind::Link => {
                    let Ok(real) = Machine.canonical(&source) else { continue };
                    // What is written behind one of the tree's own is written in the copy.
                    link(&self.counterpart(&real).unwrap_or(real), &target)?;
                }
                EntryKind::Other => {}
            }
        }
        Ok(())
    }

    /// The data folder: what Terraform writes there is copied, the large rest is linked.
    fn data_folder(&self, from: &Path) -> Result<(), Issue> {
        let modules = self.data.join("modules");
        for dir in [&self.data, &modules] {
            self.mirror.own.create_dir(dir).map_err(|e| io_issue("create", dir, &e))?;
        }
        for (from, to) in [(from.to_path_buf(), &self.data), (from.join("modules"), &modules)] {
            for (name, kind) in Machine.list(&from).unwrap_or_default() {
                let (source, target) = (from.join(&name), to.join(&name));
                match kind {
                    EntryKind::File => self.copy(&source, &target)?,
                    EntryKind::Dir if name == "modules" && to == &self.data => {}
                    _ => link(&Machine.canonical(&source).unwrap_or(source), &target)?,
                }
            }
        }
        Ok(())
    }

    fn copy(&self, source: &Path, target: &Path) -> Result<(), Issue> {
        let bytes = Machine.read(source).map_err(|e| io_issue("read", source, &e))?;
        self.keep(target, &bytes)
    }
}

/// Removes the copies of runs that were killed: they may hold state. Only those of this user, and none that a run still has.
fn sweep() {
    let temp = std::env::temp_dir();
    for (name, kind) in Machine.list(&temp).unwrap_or_default() {
        if kind == EntryKind::Dir && name.starts_with(PREFIX) {
            abandoned(&temp.join(name));
        }
    }
}

/// Writes into the lock of a copy who made it: any tree may bring a file of that name.
fn sign(dir: &Path, mut alive: &File) -> io::Result<()> {
    let seal = seal::seal(&Machine.canonical(dir)?, ALIVE.as_bytes());
    // Without a place for a key nobody takes it away later.
    alive.write_all(seal.unwrap_or_default().as_bytes())
}

/// Returns true if this user's tf-phi made a copy.
fn is_signed(dir: &Path, alive: &File) -> bool {
    let mut text = String::new();
    let read = alive.take(1024).read_to_string(&mut text);
    read.is_ok() && Machine.canonical(dir).is_ok_and(|real| seal::is_sealed(&real, ALIVE.as_bytes(), &text))
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
    if file.is_ok_and(|file| file.try_lock().is_ok() && is_signed(dir, &file)) {
        // What can't be removed now, the next run finds again.
        let _ = std::fs::remove_dir_all(dir);
    }
}

/// State and dependency locks.
fn is_terraforms(name: &str) -> bool {
    name.contains(".tfstate") || name == ".terraform.lock.hcl"
}

fn neighbours(parent: &Path, at: &Path, except: &std::ffi::OsStr) {
    // What can't be listed or linked can't be read through `..` either, and Terraform will say so.
    for (name, _) in Machine.list(parent).unwrap_or_default() {
        if except != name.as_str() {
            let _ = symlink(parent.join(&name), at.join(&name));
        }
    }
}

pub(super) fn link(source: &Path, target: &Path) -> Result<(), Issue> {
    symlink(source, target).map_err(|e| io_issue("link", target, &e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn what_is_written_behind_a_link_stays_in_the_copy() {
        let (tree, beside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let real = tree.path().canonicalize().unwrap().join("real");
        std::fs::create_dir(&real).unwrap();
        symlink("real", tree.path().join("link")).unwrap();
        symlink(&real, tree.path().join("whole")).unwrap();
        symlink(beside.path(), tree.path().join("out")).unwrap();
        std::fs::write(tree.path().join("one.tf"), "1").unwrap();
        symlink("one.tf", tree.path().join("same.tf")).unwrap();
        let copy = Scratch::new(tree.path(), Path::new(".terraform")).unwrap();
        let write = |path: &str| copy.write(&BTreeMap::from([(path.into(), Some("x".to_owned()))]));
        for (path, name) in [("link/a/main.tf", "a"), ("whole/b/main.tf", "b")] {
            write(path).unwrap();
            assert!(copy.dir().join(path).exists() && copy.dir().join("real").join(name).exists(), "{path}");
        }
        write("same.tf").unwrap();
        assert_eq!(std::fs::read(copy.dir().join("same.tf")).unwrap(), b"x");
        assert_eq!(std::fs::read(copy.dir().join("one.tf")).unwrap(), b"1", "what a link led to stays");
        let refused = write("out/c/main.tf").unwrap_err();
        assert!(refused.summary.contains("leads outside the working directory"), "{refused:?}");
        for dir in [&real, beside.path()] {
            assert_eq!(std::fs::read_dir(dir).unwrap().count(), 0, "{}", dir.display());
        }
    }

    #[test]
    fn only_what_nobody_has_any_more_is_removed() {
        let temp = tempfile::tempdir().unwrap();
        let copy = |name: &str, old: bool| {
            let dir = temp.path().join(name);
            std::fs::create_dir(&dir).unwrap();
            symlink(temp.path(), dir.join("up")).unwrap();
            let alive = File::create(dir.join(ALIVE)).unwrap();
            match name {
                "brought" => (&alive).write_all(b"00").unwrap(),
                "moved" => sign(temp.path(), &alive).unwrap(),
                _ => sign(&dir, &alive).unwrap(),
            }
            let ago = if old { SETTLED * 2 } else { Duration::ZERO };
            alive.set_modified(SystemTime::now() - ago).unwrap();
            (dir, alive)
        };
        let (left, _) = copy("left", true);
        let (new, _) = copy("new", false);
        // A clone may hold a file of that name, even one that was taken from a copy.
        let (brought, moved) = (copy("brought", true).0, copy("moved", true).0);
        let (used, alive) = copy("used", true);
        alive.lock().unwrap();
        let other = temp.path().join("other");
        std::fs::create_dir(&other).unwrap();
        symlink(&used, temp.path().join("link")).unwrap();
        for dir in [&left, &new, &used, &other, &brought, &moved, &temp.path().join("link")] {
            abandoned(dir);
        }
        assert!(!left.exists() && new.exists() && used.exists() && other.exists());
        assert!(brought.exists() && moved.exists());
        drop(alive);
        abandoned(&temp.path().join("link"));
        assert!(used.exists());
        abandoned(&used);
        assert!(!used.exists());
    }
}
