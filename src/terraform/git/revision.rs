//! A revision's tree as a host.
//!
//! Paths count from the working directory, as in the work tree. Files of the tree come from the object store, links within it are
//! followed, submodules are read at the commit that the tree names where they are checked out. What no revision holds (Terraform's
//! own data, where modules are installed) is the work tree's. Invariant: nothing outside the repository is read.

use super::Git;
use super::names::{Entry, Names, folders_of};
use crate::config::paths;
use crate::host::{Border, EntryKind, Host, LARGEST, Machine};
use crate::issue::Issue;
use crate::txn::Content;
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The number of links that are followed in a row.
const MOST_LINKS: usize = 40;
/// The number of bytes that git is asked for at once; a larger file comes alone.
const PORTION: u64 = 16 << 20;
/// The number of bytes that are read before anybody asks for them. More has no configuration that is read at all.
const MOST_AHEAD: u64 = 64 << 20;

/// A revision to compare with.
#[derive(Clone, Debug)]
pub struct Base {
    /// The revision by name.
    pub revision: String,
    /// True if it counts itself, and not the last commit that it has in common with the head.
    pub is_exact: bool,
}

impl Base {
    /// Returns the revision, however it is written: `main` and `main...HEAD` are the same.
    pub fn written(text: &str, is_exact: bool) -> Base {
        let revision = text.strip_suffix("...HEAD").or_else(|| text.strip_suffix("...")).unwrap_or(text);
        Base { revision: revision.to_owned(), is_exact }
    }

    /// This revision and no other one.
    pub fn exact(revision: &str) -> Base {
        Base { revision: revision.to_owned(), is_exact: true }
    }
}

/// The whole tree of a revision, for any number of directories in it.
#[derive(Clone, Debug)]
pub struct Commit(pub(super) Arc<Whole>);

/// What is read of it once.
#[derive(Debug)]
pub struct Whole {
    pub(super) git: Git,
    /// The repository's work tree.
    pub(super) top: PathBuf,
    /// True if the revision and the head have several last commits in common, so that it stands for itself.
    has_several_bases: bool,
    pub(super) entries: BTreeMap<PathBuf, Entry>,
    /// The submodules of the tree itself, with their commits.
    pub(super) submodules: BTreeMap<PathBuf, String>,
    /// Submodules at any depth whose trees weren't read, with their commits.
    pub(super) unread: BTreeMap<PathBuf, String>,
    /// What each folder holds, by name.
    folders: BTreeMap<PathBuf, Vec<(String, EntryKind)>>,
    read: Mutex<BTreeMap<String, Arc<Vec<u8>>>>,
}

/// A tree of a revision.
#[derive(Clone, Debug)]
pub struct Revision {
    whole: Arc<Whole>,
    /// The working directory below the work tree, in this revision.
    prefix: PathBuf,
    /// The current place of the working directory.
    dir: PathBuf,
    /// The border within which the work tree is read.
    border: Border,
}

impl std::ops::Deref for Revision {
    type Target = Whole;

    fn deref(&self) -> &Whole {
        &self.whole
    }
}

impl Commit {
    /// Reads the names in a revision's tree. `dir` is a folder of the work tree.
    ///
    /// # Errors
    /// A folder outside of a work tree, a revision that isn't there.
    pub fn open(git: Git, dir: &Path, base: &Base) -> Result<Commit, Issue> {
        Commit::around(git, dir, base).map(|(commit, _)| commit)
    }

    /// The same, with where the folder is below the work tree.
    fn around(git: Git, dir: &Path, base: &Base) -> Result<(Commit, PathBuf), Issue> {
        let (top, prefix) = git.around(dir)?;
        let named = git.commit(&top, &base.revision)?;
        let mut bases = if base.is_exact { Vec::new() } else { git.find_merge_bases(&top, &named)? };
        let has_several_bases = bases.len() > 1;
        // Where the history that leads there isn't here, the revision itself stands for it; and where several commits are the last ones, since what
        // equals one of them may still undo another one's change.
        let id = bases.pop().filter(|_| !has_several_bases).unwrap_or(named);
        let Names { entries, submodules, unread } = Names::of(&git, &top, &id)?;
        let folders = folders_of(&entries);
        let read = Mutex::new(BTreeMap::new());
        let whole = Whole { git, top, has_several_bases, entries, submodules, unread, folders, read };
        Ok((Commit(Arc::new(whole)), prefix))
    }

    /// The repository's work tree.
    pub fn top(&self) -> &Path {
        &self.0.top
    }

    /// Returns true if the revision and the head have several last commits in common, so that it stands for itself.
    pub fn has_several_bases(&self) -> bool {
        self.0.has_several_bases
    }

    /// A working directory in this revision; nothing where it lies outside of the work tree.
    ///
    /// # Errors
    /// As git gives them.
    pub fn at(&self, head: &Path) -> Result<Option<Revision>, Issue> {
        let Ok(real) = Machine.canonical(head) else { return Ok(None) };
        let Ok(prefix) = real.strip_prefix(self.top()) else { return Ok(None) };
        self.judge_submodule(prefix)?;
        self.below(head, prefix.to_path_buf()).map(Some)
    }

    /// The folder that a path led to in this revision, where a link leads elsewhere now: nothing where it leads nowhere, or as it does now.
    ///
    /// # Errors
    /// As git gives them.
    pub fn at_name(&self, head: &Path, name: &Path) -> Result<Option<Revision>, Issue> {
        let Some(named) = self.below_top(name).filter(|named| self.top().join(named) != head) else {
            return Ok(None);
        };
        let place = self.folder(head, Path::new("")).followed(&named, &mut { MOST_LINKS });
        let found = place.map(|place| self.folder(head, &place)).filter(Revision::has_directory);
        found.iter().try_for_each(Revision::read_ahead)?;
        Ok(found)
    }

    /// A path below the work tree as it is named, with the links that it has there.
    fn below_top(&self, name: &Path) -> Option<PathBuf> {
        let is_up = |part: &Component<'_>| *part == Component::ParentDir;
        if name.components().skip_while(is_up).any(|part| is_up(&part)) {
            return None;
        }
        let named = paths::join(&Machine.canonical(Path::new(".")).ok()?, name);
        let mut above: Vec<&Path> = named.ancestors().collect();
        above.reverse();
        above.into_iter().find_map(|above| {
            let real = Machine.canonical(above).ok()?;
            let below = real.strip_prefix(self.top()).ok()?;
            Some(paths::clean(&below.join(named.strip_prefix(above).ok()?)))
        })
    }

    /// Returns true if a folder, by its path without links, lies in this work tree and not in one inside of it.
    pub fn is_around(&self, real: &Path) -> bool {
        let nearest = real.ancestors().find(|dir| Machine.kind(&dir.join(".git")).is_some());
        nearest == Some(self.top())
    }

    /// The folder of this path below the work tree, as it is in this revision. `head` is the working directory that it is compared with.
    pub fn folder(&self, head: &Path, prefix: &Path) -> Revision {
        let dir = head.to_path_buf();
        let border = Border::around(dir.clone());
        Revision { whole: self.0.clone(), prefix: prefix.to_path_buf(), dir, border }
    }

    fn below(&self, head: &Path, prefix: PathBuf) -> Result<Revision, Issue> {
        let mut found = self.folder(head, &prefix);
        if !found.has_directory()
            && let Some(other) = found.renamed()
        {
            found.prefix = other;
        }
        found.read_ahead()?;
        Ok(found)
    }
}

impl Revision {
    /// Reads the names in a revision's tree. `head` is the working directory now; where the revision has none there, the folder
    /// that holds most of the same files stands for it, if that one is gone now.
    ///
    /// # Errors
    /// A directory outside of a work tree, a revision that isn't there.
    pub fn open(git: Git, head: &Path, base: &Base) -> Result<Revision, Issue> {
        let (commit, prefix) = Commit::around(git, head, base)?;
        commit.below(head, prefix)
    }

    /// Reads at once what loading will ask for below the working directory.
    ///
    /// # Errors
    /// As git gives them.
    pub fn read_ahead(&self) -> Result<(), Issue> {
        self.fetch(&|path| path.starts_with(&self.prefix) && is_read(path))
    }

    /// The working directory in this revision, below the repository.
    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// Returns true if the revision has the directory at all.
    pub fn has_directory(&self) -> bool {
        self.folders.contains_key(&self.prefix)
    }

    /// All files of the repository in this revision, and the links that lead to something in it, by path below the repository.
    ///
    /// # Errors
    /// As git gives them.
    pub fn files(&self) -> io::Result<Vec<(PathBuf, Content)>> {
        self.fetch(&|_| true).map_err(|issue| io::Error::other(issue.summary))?;
        let mut out = Vec::with_capacity(self.entries.len());
        for (path, entry) in &self.entries {
            let bytes = || self.blob(entry).map(|b| b.to_vec());
            let leads = |at: &PathBuf| self.entries.contains_key(at) || self.folders.contains_key(at);
            match entry.kind {
                EntryKind::File => {
                    out.push((path.clone(), Content::File { bytes: bytes()?, executable: entry.executable }));
                }
                EntryKind::Link if self.followed(path, &mut { MOST_LINKS }).is_some_and(|at| leads(&at)) => {
                    let target = String::from_utf8(bytes()?).map_err(io::Error::other)?;
                    // An absolute one would lead into the work tree.
                    if !Path::new(&target).is_absolute() {
                        out.push((path.clone(), Content::Link(PathBuf::from(target))));
                    }
                }
                _ => {}
            }
        }
        Ok(out)
    }
}

/// Returns true if a file is one that loading reads.
fn is_read(path: &Path) -> bool {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let kinds = [
        ".tf",
        ".tofu",
        ".tfvars",
        ".hcl",
        ".gitignore",
        ".jsonl",
        ".tfvars.json",
        ".tf.json",
        ".tofu.json",
        ".tftest.json",
    ];
    // Other JSON is data, which only some function may read.
    kinds.iter().any(|end| name.ends_with(end)) || path.components().any(|c| c.as_os_str() == ".phi")
}

fn absent() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "no such file or directory")
}

impl Whole {
    /// Reads at once the contents of what is wanted; what loading will ask for below the working directory, for one.
    fn fetch(&self, wanted: &dyn Fn(&Path) -> bool) -> Result<(), Issue> {
        let mut by_store: BTreeMap<&Path, Vec<&str>> = BTreeMap::new();
        let known = self.read.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for (path, entry) in &self.entries {
            if wanted(path) && !known.contains_key(&entry.id) {
                by_store.entry(&entry.store).or_default().push(&entry.id);
            }
        }
        drop(known);
        let mut left = MOST_AHEAD;
        for (store, ids) in by_store {
            for ids in self.portions(store, &ids, &mut left)? {
                let input = ids.join("\n") + "\n";
                let answer = self.git.ask(store, &["cat-file", "--batch"], input.as_bytes())?;
                let Ok(answer) = answer else { continue };
                let mut read = self.read.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                batch(&answer, &mut read);
            }
        }
        Ok(())
    }

    /// Contents that git is asked for at once, as long as they take no more than what is `left`. The rest is asked for one by one,
    /// where anybody reads it.
    fn portions<'i>(
        &self,
        store: &Path,
        ids: &[&'i str],
        left: &mut u64,
    ) -> Result<Vec<Vec<&'i str>>, Issue> {
        let input = ids.join("\n") + "\n";
        let answer = self.git.ask(store, &["cat-file", "--batch-check=%(objectsize)"], input.as_bytes())?;
        let answer = String::from_utf8_lossy(&answer.unwrap_or_default()).into_owned();
        let (mut out, mut size) = (vec![Vec::new()], 0);
        for (id, line) in ids.iter().zip(answer.lines()) {
            let Some(bytes) = line.parse::<u64>().ok().filter(|bytes| *bytes <= LARGEST.min(*left)) else {
                continue;
            };
            *left -= bytes;
            if size + bytes > PORTION {
                out.push(Vec::new());
                size = 0;
            }
            size += bytes;
            out.last_mut().into_iter().for_each(|portion| portion.push(*id));
        }
        out.retain(|portion| !portion.is_empty());
        Ok(out)
    }

    /// The entry at a path. A name that isn't UTF-8 is listed with another letter for what is none.
    fn entry(&self, place: &Path) -> Option<&Entry> {
        let shown = place.to_string_lossy();
        let is_it = |path: &Path| path.to_string_lossy() == shown;
        self.entries.get(place).or_else(|| {
            let mut all = self.entries.iter().filter(|_| shown.contains(char::REPLACEMENT_CHARACTER));
            all.find(|(path, _)| is_it(path)).map(|(_, entry)| entry)
        })
    }

    pub(super) fn blob(&self, entry: &Entry) -> io::Result<Arc<Vec<u8>>> {
        let read = || self.read.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(bytes) = read().get(&entry.id) {
            return Ok(bytes.clone());
        }
        let asked = self.git.ask(&entry.store, &["cat-file", "blob", &entry.id], b"");
        let bytes = asked.map_err(|i| io::Error::other(i.summary))?;
        let bytes = bytes.map_err(|_| io::Error::other("git can't read it"))?;
        if bytes.len() as u64 > LARGEST {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        let bytes = Arc::new(bytes);
        read().insert(entry.id.clone(), bytes.clone());
        Ok(bytes)
    }
}

impl Revision {
    /// Returns a path relative to the repository, with its links followed; `None` if it lies outside.
    fn place(&self, path: &Path) -> Option<PathBuf> {
        let whole = match path.is_absolute() {
            true => path.strip_prefix(&self.top).ok()?.to_path_buf(),
            false => self.prefix.join(path),
        };
        let mut links = MOST_LINKS;
        self.followed(&whole, &mut links)
    }

    fn followed(&self, path: &Path, links: &mut usize) -> Option<PathBuf> {
        let mut at = PathBuf::new();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    if !at.pop() {
                        return None;
                    }
                }
                Component::Normal(name) => {
                    at.push(name);
                    if let Some(link) = self.entries.get(&at).filter(|e| e.kind == EntryKind::Link) {
                        *links = links.checked_sub(1)?;
                        let target = self.blob(link).ok()?;
                        let target = PathBuf::from(String::from_utf8(target.to_vec()).ok()?);
                        let beside = at.parent().unwrap_or(Path::new(""));
                        let next = match target.is_absolute() {
                            true => target.strip_prefix(&self.top).ok()?.to_path_buf(),
                            false => beside.join(target),
                        };
                        at = self.followed(&next, links)?;
                    }
                }
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(at)
    }

    /// The path in the work tree, of what no revision holds.
    fn kept(&self, path: &Path) -> Option<PathBuf> {
        let data =
            Machine.env("TF_DATA_DIR").filter(|d| !d.is_empty()).unwrap_or_else(|| ".terraform".into());
        path.starts_with(&data).then(|| self.dir.join(path))
    }

    /// The folder that holds most of the files that the working directory has now, and is gone.
    fn renamed(&self) -> Option<PathBuf> {
        let now: Vec<Vec<u8>> = Machine
            .list(&self.dir)
            .ok()?
            .into_iter()
            .filter(|(name, kind)| *kind == EntryKind::File && name.ends_with(".tf"))
            .filter_map(|(name, _)| Machine.read(&self.dir.join(name)).ok())
            .collect();
        let mut best: Option<(usize, &PathBuf)> = None;
        for (folder, names) in &self.folders {
            let own = names.iter().filter(|(name, kind)| *kind == EntryKind::File && name.ends_with(".tf"));
            let own: Vec<&Entry> = own.filter_map(|(name, _)| self.entries.get(&folder.join(name))).collect();
            if own.is_empty() || Machine.kind(&self.top.join(folder)).is_some() {
                continue;
            }
            let same = own.iter().filter(|e| self.blob(e).is_ok_and(|b| now.contains(&b))).count();
            if same > 0 && best.is_none_or(|(most, _)| same > most) {
                best = Some((same, folder));
            }
        }
        best.map(|(_, folder)| folder.clone())
    }
}

/// The answers of `git cat-file --batch`: a line with id, kind and size, and so many bytes.
fn batch(mut answer: &[u8], out: &mut BTreeMap<String, Arc<Vec<u8>>>) {
    while let Some(end) = answer.iter().position(|b| *b == b'\n') {
        let (head, rest) = answer.split_at(end);
        let rest = rest.get(1..).unwrap_or_default();
        let head = String::from_utf8_lossy(head);
        let mut parts = head.split(' ');
        let (id, kind, size) = (parts.next(), parts.next(), parts.next());
        let size = size.and_then(|s| s.parse::<usize>().ok());
        let (Some(id), Some("blob"), Some(size)) = (id, kind, size) else {
            // "ID missing" has no bytes; of anything else nothing is known any more.
            if kind != Some("missing") {
                return;
            }
            answer = rest;
            continue;
        };
        let Some(bytes) = rest.get(..size) else { return };
        if size as u64 <= LARGEST {
            out.insert(id.to_owned(), Arc::new(bytes.to_vec()));
        }
        answer = rest.get(size + 1..).unwrap_or_default();
    }
}

impl Host for Revision {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if let Some(kept) = self.kept(path) {
            return Machine.read(&kept);
        }
        let place = self.place(path).ok_or_else(absent)?;
        let entry = self.entry(&place).ok_or_else(absent)?;
        Ok(self.blob(entry)?.to_vec())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        if let Some(kept) = self.kept(path) {
            return Machine.list(&kept);
        }
        let place = self.place(path).ok_or_else(absent)?;
        self.folders.get(&place).cloned().ok_or_else(absent)
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        if let Some(kept) = self.kept(path) {
            return Machine.kind(&kept);
        }
        let place = self.place(path)?;
        // The tree's top is the work tree's: rules that count from there count in the revision as well.
        if place == Path::new(".git") {
            return Some(EntryKind::Dir);
        }
        match self.entry(&place) {
            Some(entry) => Some(entry.kind),
            None => self.folders.contains_key(&place).then_some(EntryKind::Dir),
        }
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        if self.kept(path).is_some() {
            return None;
        }
        let place = self.place(path.parent()?)?.join(path.file_name()?);
        let entry = self.entry(&place).filter(|e| e.kind == EntryKind::Link)?;
        Some(PathBuf::from(String::from_utf8(self.blob(entry).ok()?.to_vec()).ok()?))
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        if let Some(kept) = self.kept(path) {
            return Machine.canonical(&kept);
        }
        let place = self.place(path).ok_or_else(absent)?;
        self.kind(path).map(|_| self.top.join(place)).ok_or_else(absent)
    }

    fn tracks_everything(&self) -> bool {
        true
    }

    fn is_outside(&self, path: &Path) -> bool {
        // A path that isn't below the directory is none of the revision's.
        let absolute = || path.is_absolute().then(|| path.to_path_buf());
        self.kept(path).or_else(absolute).is_some_and(|kept| self.border.excludes(&kept, &kept))
    }

    fn env(&self, name: &str) -> Option<String> {
        Machine.env(name)
    }

    fn env_all(&self) -> BTreeMap<String, String> {
        Machine.env_all()
    }
}
