//! The files that differ between a revision and the work tree.
//!
//! In: a revision's tree, which files matter. Out: the paths of files that came, went, or hold something else. `git diff` would run the
//! filters that a repository's configuration names, and `git status` its file-system monitor. So only names are asked for (those in the
//! index, and those that nobody ignores), and contents are compared with the names that git has for them. A file is the same where the index has
//! the revision's contents for it, and the work tree has their bytes. What git would make of a file before storing it counts as a change, apart from
//! ends of lines that it wrote itself: better one root too many than one too few. Invariants: names are bytes; no file outside of the work tree is
//! read.

use super::names::Entry;
use super::revision::Commit;
use super::{odd, path_of_name};
use crate::host::{Confined, EntryKind, Host as _, Machine, threads};
use crate::issue::{Code, Issue};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The names in a work tree, beside those of a revision.
#[derive(Debug)]
pub struct Changes {
    pub(super) commit: Commit,
    /// Files that are in the index or not ignored, and that the revision doesn't have.
    new: BTreeSet<PathBuf>,
    /// The contents that the index has of files.
    stored: BTreeMap<PathBuf, Stored>,
    /// Submodules of which another commit is meant.
    moved: BTreeSet<PathBuf>,
    /// What the index names, submodules among it.
    indexed: BTreeSet<PathBuf>,
    /// The submodules that the index names, with their commits; without one where a merge left several.
    pub(super) named: BTreeMap<PathBuf, Option<String>>,
}

/// What became of a file that Git tracks on one side at least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// Git tracks it now.
    New,
    /// It holds something else.
    Edited,
    /// Git doesn't track it any more, or it isn't there.
    Gone,
}

/// The contents that the index has of a file.
#[derive(Debug)]
struct Stored {
    /// Their name; nothing where a merge left several.
    id: Option<String>,
    /// True if they aren't checked out.
    apart: bool,
}

/// An entry of the index.
struct Indexed {
    mode: String,
    path: PathBuf,
    stored: Stored,
}

impl Commit {
    /// The names in the work tree now.
    ///
    /// # Errors
    /// Returns an error if git can't tell them.
    pub fn changes(self) -> Result<Changes, Issue> {
        odd::judge_tree(self.top())?;
        let stores: BTreeSet<&Path> =
            self.0.entries.values().map(|e| &*e.store).chain([self.top()]).collect();
        let (mut new, mut stored, mut indexed) = (BTreeSet::new(), BTreeMap::new(), BTreeSet::new());
        let mut submodules = BTreeMap::new();
        let before = &self.0.submodules;
        let mut moved: BTreeSet<PathBuf> = before.keys().cloned().collect();
        let mut known: BTreeSet<PathBuf> = stores.iter().map(|store| store.to_path_buf()).collect();
        let mut open: Vec<PathBuf> = known.iter().cloned().collect();
        while let Some(store) = open.pop() {
            let Ok(below) = store.strip_prefix(self.top()) else { continue };
            for one in self.index(&store)? {
                let path = below.join(&one.path);
                indexed.insert(path.clone());
                if one.mode == "160000" {
                    // One that the revision hasn't is looked at as well.
                    let own = self.top().join(&path);
                    if !known.contains(&own) && self.has_repository(&own)? {
                        known.insert(own.clone());
                        open.push(own);
                    }
                    // At another commit, or new.
                    match before.get(&path) == one.stored.id.as_ref() {
                        true => drop(moved.remove(&path)),
                        false => drop(moved.insert(path.clone())),
                    }
                    submodules.insert(path, one.stored.id);
                    continue;
                }
                if !one.stored.apart && !self.0.entries.contains_key(&path) {
                    new.insert(path.clone());
                }
                stored.insert(path, one.stored);
            }
            let others =
                self.names(&store, &["ls-files", "-z", "--others", "--exclude-per-directory=.gitignore"])?;
            let others = others.split(|b| *b == 0).filter(|name| !name.is_empty());
            new.extend(others.map(|name| below.join(path_of_name(name))));
        }
        new.retain(|path| !self.0.entries.contains_key(path));
        Ok(Changes { commit: self, new, stored, moved, indexed, named: submodules })
    }

    /// Returns true if a submodule is checked out, and is one of this repository.
    fn has_repository(&self, dir: &Path) -> Result<bool, Issue> {
        Ok(Machine.kind(&dir.join(".git")).is_some() && self.0.git.is_part(self.top(), dir)?)
    }

    /// The entries of the index.
    fn index(&self, store: &Path) -> Result<Vec<Indexed>, Issue> {
        let listed = self.names(store, &["ls-files", "-z", "-t", "--stage"])?;
        let entry = |line: &[u8]| {
            let (head, path) = line.split_at(line.iter().position(|byte| *byte == b'\t')?);
            let head = String::from_utf8_lossy(head);
            let mut parts = head.split(' ');
            let (tag, mode, id, stage) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
            let stored = Stored { id: (stage == "0").then(|| id.to_owned()), apart: tag == "S" };
            Some(Indexed { mode: mode.into(), path: path_of_name(path.get(1..)?), stored })
        };
        Ok(listed.split(|b| *b == 0).filter_map(entry).collect())
    }

    fn names(&self, store: &Path, words: &[&str]) -> Result<Vec<u8>, Issue> {
        let summary = || format!("the files of {} can't be listed", store.display());
        self.0.git.ask(store, words, b"")?.map_err(|refusal| refusal.issue(summary(), store))
    }
}

impl Changes {
    /// The work tree.
    pub fn top(&self) -> &Path {
        self.commit.top()
    }

    /// The names of all files there are, in the revision or now.
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        self.commit.0.entries.keys().chain(&self.new).map(PathBuf::as_path)
    }

    /// The names of all files in the revision.
    pub fn names_before(&self) -> impl Iterator<Item = &Path> {
        self.commit.0.entries.keys().map(PathBuf::as_path)
    }

    /// The files that differ, of those that matter.
    ///
    /// # Errors
    /// Returns an error if the work tree can't be opened.
    pub fn of(&self, matters: &(dyn Fn(&Path) -> bool + Sync)) -> Result<BTreeSet<PathBuf>, Issue> {
        let tree = self.open_tree()?;
        let known: Vec<_> = self.commit.0.entries.iter().filter(|(path, _)| matters(path)).collect();
        let compared = threads::map(known, |(path, entry)| match self.compare(&tree, path, entry) {
            Held::Same => None,
            held => Some((path, &*entry.store, held == Held::Returns)),
        });
        let mut differing: BTreeSet<PathBuf> = BTreeSet::new();
        let mut by_store: BTreeMap<&Path, Vec<PathBuf>> = BTreeMap::new();
        for (path, store, has_returns) in compared.into_iter().flatten() {
            differing.insert(path.clone());
            let whole = self.top().join(path);
            let below = whole.strip_prefix(store).ok().filter(|_| has_returns);
            by_store.entry(store).or_default().extend(below.map(Path::to_owned));
        }
        // What Git wrote by itself is as it was.
        for (store, files) in by_store.into_iter().filter(|(_, files)| !files.is_empty()) {
            for file in self.commit.0.git.find_written_with_returns(store, &files)? {
                if let Ok(path) = store.join(file).strip_prefix(self.top()) {
                    differing.remove(path);
                }
            }
        }
        let new = self.new.iter().filter(|path| matters(path) && tree.kind(path).is_some());
        let moved = self.moved.iter().filter(|path| matters(path));
        Ok(differing.into_iter().chain(new.cloned()).chain(moved.cloned()).collect())
    }

    /// Returns true if the revision has a path.
    pub fn had_file(&self, path: &Path) -> bool {
        self.commit.0.entries.contains_key(path) || self.commit.0.submodules.contains_key(path)
    }

    /// Returns true if a path is a link or a submodule, in the revision or now: other files may stand below it.
    pub fn leads_on(&self, path: &Path) -> bool {
        let was_link = || self.commit.0.entries.get(path).is_some_and(|entry| entry.kind == EntryKind::Link);
        let is_link = || Machine.link(&self.top().join(path)).is_some();
        self.moved.contains(path) || was_link() || is_link()
    }

    /// Finds what the revision's links lead to within the work tree, as they stand now.
    pub fn find_linked(&self) -> Vec<PathBuf> {
        let links = self.commit.0.entries.iter().filter(|(_, entry)| entry.kind == EntryKind::Link);
        let real = links.filter_map(|(path, _)| Machine.canonical(&self.top().join(path)).ok());
        let top = Machine.canonical(self.top()).unwrap_or_else(|_| self.top().to_owned());
        let all: BTreeSet<PathBuf> =
            real.filter_map(|real| Some(real.strip_prefix(&top).ok()?.to_owned())).collect();
        all.into_iter().collect()
    }

    /// Returns true if a path lies in a submodule, in the revision or now.
    pub fn is_in_submodule(&self, path: &Path) -> bool {
        let is_one = |at: &Path| self.moved.contains(at) || self.commit.0.submodules.contains_key(at);
        path.ancestors().any(is_one)
    }

    /// The names of all that Git tracks, in the revision or now.
    pub fn names_tracked(&self) -> impl Iterator<Item = &Path> {
        self.commit.0.entries.keys().chain(&self.indexed).map(PathBuf::as_path)
    }

    /// The files that differ of those that Git tracks and that matter, where it stopped or began to track them included.
    ///
    /// # Errors
    /// Returns an error if the work tree can't be opened.
    pub fn of_tracked(
        &self,
        matters: &(dyn Fn(&Path) -> bool + Sync),
    ) -> Result<BTreeMap<PathBuf, Fate>, Issue> {
        let fate = |path: &Path| match (self.had_file(path), self.indexed.contains(path)) {
            (true, true) if Machine.link(&self.top().join(path)).is_some() => Some(Fate::Edited),
            (true, true) if Machine.kind(&self.top().join(path)).is_none() => Some(Fate::Gone),
            (true, true) => Some(Fate::Edited),
            (true, false) => Some(Fate::Gone),
            (false, true) => Some(Fate::New),
            (false, false) => None,
        };
        let dropped = self.commit.0.entries.keys().filter(|path| !self.indexed.contains(*path));
        let dropped = dropped.filter(|path| matters(path)).cloned();
        let all = self.of(matters)?.into_iter().chain(dropped);
        Ok(all.filter_map(|path| fate(&path).map(|fate| (path, fate))).collect())
    }

    /// The work tree, for reading.
    pub(super) fn open_tree(&self) -> Result<Confined, Issue> {
        Confined::open(self.top()).map_err(|e| {
            let shown = self.top().display().to_string();
            Issue::error(Code::Io, format!("can't open {shown}"), e.to_string()).in_path(shown)
        })
    }

    /// Compares what a path has with what the revision has, in the index and in the work tree.
    fn compare(&self, tree: &Confined, path: &Path, entry: &Entry) -> Held {
        let held = || find_held(tree, path, entry);
        match self.stored.get(path) {
            Some(stored) if stored.id.as_ref() != Some(&entry.id) => Held::Other,
            Some(stored) if stored.apart => Held::Same,
            Some(_) => held(),
            // Git wrote nothing there.
            None if held() == Held::Same => Held::Same,
            None => Held::Other,
        }
    }
}

/// What a path holds now, beside what git has under a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Same,
    /// The same with `\r\n` for each end of a line.
    Returns,
    Other,
}

/// Compares what a path holds now with what git has under a name.
fn find_held(tree: &Confined, path: &Path, entry: &Entry) -> Held {
    let id = &*entry.id;
    let bytes = match (entry.kind, tree.link(path)) {
        (EntryKind::Link, Some(to)) => to.into_os_string().into_encoded_bytes(),
        (EntryKind::Link, None) | (_, Some(_)) => return Held::Other,
        (_, None) => match tree.read(path) {
            Ok(bytes) => bytes,
            Err(_) => return Held::Other,
        },
    };
    if named(&bytes, id.len()) == id {
        return Held::Same;
    }
    let plain: Vec<u8> = without_returns(&bytes);
    let lines = plain.iter().filter(|byte| **byte == b'\n').count();
    let is_whole = lines > 0 && bytes.len() == plain.len() + lines;
    if is_whole && named(&plain, id.len()) == id { Held::Returns } else { Held::Other }
}

fn without_returns(bytes: &[u8]) -> Vec<u8> {
    let next = bytes.iter().skip(1).map(Some).chain([None]);
    bytes
        .iter()
        .zip(next)
        .filter(|(b, next)| **b != b'\r' || *next != Some(&b'\n'))
        .map(|(b, _)| *b)
        .collect()
}

/// The name that git has for contents: a hash of so many digits.
fn named(bytes: &[u8], digits: usize) -> String {
    let head = format!("blob {}\0", bytes.len());
    match digits {
        64 => hex(&Sha256::new().chain_update(&head).chain_update(bytes).finalize()),
        _ => hex(&Sha1::new().chain_update(&head).chain_update(bytes).finalize()),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        // Writing to a String can't fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with what `git hash-object` prints.
    #[test]
    fn names_are_those_of_git() {
        assert_eq!(named(b"", 40), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(named(b"hello\n", 40), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(named(b"", 64), "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
        assert_eq!(without_returns(b"a\r\nb\rc\r\n"), b"a\nb\rc\n");
    }
}
