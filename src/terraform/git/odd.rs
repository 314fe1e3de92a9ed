//! What no repository has: pipes, devices, and files without an end, for which git would wait, or which it would read into memory.
//!
//! In: a folder. Out: an issue where the repository around it holds something else than files and folders of a size that can be read, or where
//! its configuration names such a thing. Looked at is all that git itself follows: the folder that a `.git` names, the common one of linked work trees, the stores that
//! objects are borrowed from, links, and files of configuration that others include. Invariants: git isn't asked before; each chain is bounded, and what is beyond a bound is refused. Absent on
//! purpose: whose repository it is, which [`super::layout`] judges.

use super::settings;
use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::terraform::strange::is_strange;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// So many files of configuration are read, each once by its path. Git itself follows includes ten deep.
const MOST_CONFIGS: usize = 100;

/// So many stores and folders of repositories are followed. Git follows stores that borrow from others five deep.
const MOST_FOLDERS: usize = 64;

/// A repository has no more entries, objects in packs apart.
const MOST_ENTRIES: usize = 1 << 20;

/// Files that git reads whole have no more bytes.
const MOST_BYTES: u64 = 256 << 20;

/// The device that holds nothing, by which people turn off hooks and lists of ignored files.
const NULL: &str = "/dev/null";

/// Folders of a repository whose files git reads whole, besides those in the repository's own.
const READ_WHOLE: [&str; 4] = ["info", "refs", "reftable", "worktrees"];

/// How git reads the files in a folder.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reading {
    /// Whole, and those in [`READ_WHOLE`].
    Repository,
    /// Whole, and those below.
    Whole,
    /// No more of them than it needs.
    InParts,
}

/// What is wrong with an entry.
enum Odd {
    /// It is neither a file nor a folder, or a file of the system's.
    Strange(PathBuf),
    /// It is too large.
    Large(PathBuf),
    /// Too much is to be followed from here.
    Many(PathBuf),
}

impl Odd {
    /// The same, said of a link that leads there.
    fn at(self, link: PathBuf) -> Odd {
        match self {
            Odd::Strange(_) => Odd::Strange(link),
            Odd::Large(_) => Odd::Large(link),
            Odd::Many(_) => Odd::Many(link),
        }
    }
}

/// Checks the repository around a folder.
///
/// # Errors
/// Names the first thing that git can't read to an end.
pub(super) fn judge(dir: &Path) -> Result<(), Issue> {
    let Ok(real) = Machine.canonical(dir) else { return Ok(()) };
    let is_one = |dot: &PathBuf| Machine.kind(dot).is_some() || Machine.link(dot).is_some();
    let Some(dot) = real.ancestors().map(|at| at.join(".git")).find(is_one) else {
        return Ok(());
    };
    let mut search = Search::default();
    search.repository(&dot).map_or_else(|odd| Err(odd.issue()), Ok)
}

/// Checks what git reads of a work tree where it lists the files of which it knows nothing: lists of ignored files, and repositories within.
///
/// # Errors
/// As [`judge`].
pub(super) fn judge_tree(top: &Path) -> Result<(), Issue> {
    let mut search = Search::default();
    search.tree(top).map_or_else(|odd| Err(odd.issue()), Ok)
}

/// Checks the lists of ignored files in folders of a work tree.
///
/// # Errors
/// As [`judge`].
pub(super) fn judge_lists<'p>(folders: impl Iterator<Item = &'p Path>) -> Result<(), Issue> {
    for list in folders.map(|folder| folder.join(".gitignore")) {
        if is_strange(&list) {
            return Err(Odd::Strange(list).issue());
        }
        if Machine.kind(&list) == Some(EntryKind::File) && is_large(&list) {
            return Err(Odd::Large(list).issue());
        }
    }
    Ok(())
}

impl Odd {
    fn issue(self) -> Issue {
        let (path, why) = match self {
            Odd::Strange(path) => (path, "is neither a file nor a folder, and git would wait for it."),
            Odd::Large(path) => (path, "is too large to be read by git."),
            Odd::Many(path) => (path, "leads to more than can be looked at before git is asked."),
        };
        let shown = path.display().to_string();
        Issue::error(Code::Environment, "the repository can't be read", format!("{shown} {why}"))
            .in_path(shown)
    }
}

/// What was looked at.
#[derive(Default)]
struct Search {
    /// Folders, by where they really are, and how git reads the files in them.
    folders: BTreeSet<(PathBuf, Reading)>,
    /// Folders of repositories, and stores.
    followed: BTreeSet<PathBuf>,
    configs: BTreeSet<PathBuf>,
    entries: usize,
}

impl Search {
    /// The repository that a `.git` is, or names.
    fn repository(&mut self, dot: &Path) -> Result<(), Odd> {
        if is_strange(dot) {
            return Err(Odd::Strange(dot.to_owned()));
        }
        match Machine.kind(dot) {
            Some(EntryKind::Dir) => self.folder(dot),
            Some(EntryKind::File) => {
                let text = read(dot)?;
                let Some(named) = text.strip_prefix(b"gitdir:") else { return Ok(()) };
                // Git takes one blank off, and all ends of lines.
                let ways = [named.trim_ascii(), trim_lines(named.strip_prefix(b" ").unwrap_or(named))];
                ways.into_iter().try_for_each(|way| self.folder(&beside(dot, way)))
            }
            // A link that leads nowhere.
            None => Ok(()),
            _ => Err(Odd::Strange(dot.to_owned())),
        }
    }

    /// What stands in a work tree, no links followed.
    fn tree(&mut self, dir: &Path) -> Result<(), Odd> {
        for (name, kind) in Machine.list(dir).unwrap_or_default() {
            let path = dir.join(&name);
            match (&*name, kind) {
                (".git", _) => self.repository(&path)?,
                (".gitignore", EntryKind::Other) => return Err(Odd::Strange(path)),
                (".gitignore", EntryKind::File) if is_large(&path) => return Err(Odd::Large(path)),
                (_, EntryKind::Dir) => self.tree(&path)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The folder of a repository, or what several have in common.
    fn folder(&mut self, dir: &Path) -> Result<(), Odd> {
        if !self.is_new(dir)? {
            return Ok(());
        }
        self.below(dir, Reading::Repository)?;
        for name in ["config", "config.worktree"] {
            self.config(&dir.join(name))?;
        }
        self.store(&dir.join("objects"))?;
        let common = dir.join("commondir");
        if Machine.kind(&common).is_some() {
            let text = read(&common)?;
            for way in [text.trim_ascii(), trim_lines(&text)] {
                self.folder(&beside(&common, way))?;
            }
        }
        Ok(())
    }

    /// A store of objects, and those that it borrows from.
    fn store(&mut self, dir: &Path) -> Result<(), Odd> {
        if !self.is_new(dir)? {
            return Ok(());
        }
        self.below(dir, Reading::InParts)?;
        self.below(&dir.join("info"), Reading::Whole)?;
        let list = dir.join("info/alternates");
        if Machine.kind(&list).is_none() {
            return Ok(());
        }
        let text = read(&list)?;
        for line in text.split(|b| *b == b'\n').filter(|line| !line.is_empty() && !line.starts_with(b"#")) {
            // A path in quotes has escapes.
            if line.starts_with(b"\"") {
                return Err(Odd::Many(list));
            }
            let store = dir.join(OsStr::from_bytes(line));
            if is_strange(&store) {
                return Err(Odd::Strange(store));
            }
            self.store(&store)?;
        }
        Ok(())
    }

    /// Returns true for a folder that is there and wasn't followed yet.
    fn is_new(&mut self, dir: &Path) -> Result<bool, Odd> {
        if is_strange(dir) {
            return Err(Odd::Strange(dir.to_owned()));
        }
        let Ok(real) = Machine.canonical(dir) else { return Ok(false) };
        if self.followed.len() >= MOST_FOLDERS {
            return Err(Odd::Many(dir.to_owned()));
        }
        Ok(self.followed.insert(real))
    }

    /// Everything below a folder, links followed.
    fn below(&mut self, dir: &Path, reading: Reading) -> Result<(), Odd> {
        let Ok(real) = Machine.canonical(dir) else { return Ok(()) };
        if !self.folders.insert((real, reading)) {
            return Ok(());
        }
        for (name, kind) in Machine.list(dir).unwrap_or_default() {
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                return Err(Odd::Many(dir.to_owned()));
            }
            let path = dir.join(&name);
            // Where a name that is no text leads can't be told.
            if kind == EntryKind::Other
                || kind == EntryKind::Link && (name.contains('\u{fffd}') || is_strange(&path))
            {
                return Err(Odd::Strange(path));
            }
            let is_link = kind == EntryKind::Link;
            let kind = if is_link { Machine.kind(&path) } else { Some(kind) };
            match kind {
                Some(EntryKind::Dir) => {
                    let inner = match reading {
                        Reading::Repository if READ_WHOLE.contains(&&*name) => Reading::Whole,
                        Reading::Repository => Reading::InParts,
                        same => same,
                    };
                    // Of what stands behind a link nothing is named.
                    self.below(&path, inner).map_err(|odd| if is_link { odd.at(path) } else { odd })?;
                }
                Some(EntryKind::File) if reading != Reading::InParts && is_large(&path) => {
                    return Err(Odd::Large(path));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What the values in a file of configuration name, and the files that it includes. A value that is no path names nothing.
    fn config(&mut self, config: &Path) -> Result<(), Odd> {
        if Machine.kind(config).is_none() || !self.configs.insert(config.to_owned()) {
            return Ok(());
        }
        if self.configs.len() > MOST_CONFIGS {
            return Err(Odd::Many(config.to_owned()));
        }
        let text = read(config)?;
        for (key, value) in settings::values(&text) {
            if value.is_empty() || value == NULL.as_bytes() {
                continue;
            }
            let Some(path) = expanded(config, &value) else { return Err(Odd::Many(config.to_owned())) };
            if is_strange(&path) {
                return Err(Odd::Strange(path));
            }
            if key == "path" && Machine.kind(&path) == Some(EntryKind::File) {
                self.config(&path)?;
            }
        }
        Ok(())
    }
}

fn is_large(path: &Path) -> bool {
    Machine.size(path).is_none_or(|size| size > MOST_BYTES)
}

/// The bytes of a file, which has to be a regular one of a size that can be read.
fn read(path: &Path) -> Result<Vec<u8>, Odd> {
    Machine.read(path).map_err(|_| match is_strange(path) {
        true => Odd::Strange(path.to_owned()),
        false => Odd::Large(path.to_owned()),
    })
}

/// The path that a file names, which counts from where the file stands.
fn beside(file: &Path, named: &[u8]) -> PathBuf {
    // Git reads it as far as the first zero.
    let named = named.split(|b| *b == 0).next().unwrap_or_default();
    file.parent().unwrap_or(Path::new("/")).join(OsStr::from_bytes(named))
}

fn trim_lines(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|b| !matches!(b, b'\n' | b'\r')).map_or(0, |at| at + 1);
    text.get(..end).unwrap_or_default()
}

/// The path that a value is. Nothing for one that counts from a place that only git knows, and leads up from it.
fn expanded(config: &Path, value: &[u8]) -> Option<PathBuf> {
    let path = beside(config, value);
    let home = value
        .strip_prefix(b"~/")
        .and_then(|rest| Some(PathBuf::from(Machine.env("HOME")?).join(OsStr::from_bytes(rest))));
    let is_elsewhere = value.starts_with(b"~") || value.starts_with(b"%(prefix)");
    match home {
        Some(home) => Some(home),
        None if is_elsewhere && path.components().any(|part| part.as_os_str() == "..") => None,
        None => Some(path),
    }
}
