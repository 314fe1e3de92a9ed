//! A revision's tree as a host.
//!
//! Paths count from the working directory, as in the work tree. Files of the tree come from the object store, links within it are
//! followed, submodules are read at the commit that the tree names where they are checked out. What no revision holds (Terraform's
//! own data, where modules are installed) is the work tree's. Invariant: nothing outside the repository is read.

use super::Git;
use crate::config::paths;
use crate::host::{Border, EntryKind, Host, LARGEST, Machine};
use crate::issue::Issue;
use crate::txn::Content;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry as Entries;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The number of links that are followed in a row.
const MOST_LINKS: usize = 40;
/// The number of bytes that git is asked for at once; a larger file comes alone.
const PORTION: u64 = 16 << 20;
/// The number of bytes that are read before anybody asks for them. More has no configuration that is read at all.
const MOST_AHEAD: u64 = 64 << 20;
/// The number of levels that submodules may nest.
const MOST_DEPTH: usize = 8;

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

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) kind: EntryKind,
    pub(super) id: String,
    executable: bool,
    /// The repository that holds it.
    pub(super) store: PathBuf,
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
        let id = match base.is_exact {
            true => named,
            // Where the history that leads there isn't here, the revision itself stands for it.
            false => git.merge_base(&top, &named)?.unwrap_or(named),
        };
        let mut out = Names::default();
        tree(&git, &top, &top, &id, Path::new(""), &mut out, MOST_DEPTH)?;
        let Names { entries, submodules, unread } = out;
        let folders = folders_of(&entries);
        let read = Mutex::new(BTreeMap::new());
        Ok((Commit(Arc::new(Whole { git, top, entries, submodules, unread, folders, read })), prefix))
    }

    /// The repository's work tree.
    pub fn top(&self) -> &Path {
        &self.0.top
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

/// What is read of a commit's tree.
#[derive(Default)]
struct Names {
    entries: BTreeMap<PathBuf, Entry>,
    submodules: BTreeMap<PathBuf, String>,
    unread: BTreeMap<PathBuf, String>,
}

/// The entries of a commit's tree, those of submodules that are checked out included, and the submodules of the tree at the top.
fn tree(
    git: &Git,
    top: &Path,
    store: &Path,
    commit: &str,
    at: &Path,
    out: &mut Names,
    depth: usize,
) -> Result<(), Issue> {
    let listed = git.ask(store, &["ls-tree", "-r", "-z", "--full-tree", commit], b"")?;
    let listed =
        listed.map_err(|refusal| refusal.issue("the revision's tree can't be read".to_owned(), store))?;
    for line in listed.split(|b| *b == 0) {
        let line = String::from_utf8_lossy(line);
        let Some((head, name)) = line.split_once('\t') else { continue };
        let mut parts = head.split(' ');
        let (Some(mode), Some(_), Some(id)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let path = at.join(name);
        if !path.components().all(|c| matches!(c, Component::Normal(_))) {
            continue;
        }
        if mode == "160000" {
            if store == top {
                out.submodules.insert(path.clone(), id.to_owned());
            }
            let below = store.join(name);
            let own = depth > 0 && Machine.kind(&below.join(".git")).is_some() && git.is_part(top, &below)?;
            // A commit that the submodule doesn't have leaves its folder empty.
            if !own || tree(git, top, &below, id, &path, out, depth - 1).is_err() {
                out.unread.insert(path, id.to_owned());
            }
            continue;
        }
        let kind = if mode == "120000" { EntryKind::Link } else { EntryKind::File };
        let executable = mode == "100755";
        out.entries.insert(path, Entry { kind, id: id.to_owned(), executable, store: store.to_path_buf() });
    }
    Ok(())
}

/// What each folder holds, in the order of names. Each entry is looked at once.
fn folders_of(entries: &BTreeMap<PathBuf, Entry>) -> BTreeMap<PathBuf, Vec<(String, EntryKind)>> {
    let mut found: FxHashMap<&Path, Vec<(String, EntryKind)>> = FxHashMap::default();
    for (path, entry) in entries {
        let (mut at, mut kind) = (path.as_path(), entry.kind);
        // A folder that is known already stands in the one above it.
        while let (Some(folder), Some(name)) = (at.parent(), at.file_name()) {
            let names = found.entry(folder);
            let is_known = matches!(names, Entries::Occupied(_));
            names.or_default().push((name.to_string_lossy().into_owned(), kind));
            if is_known {
                break;
            }
            (at, kind) = (folder, EntryKind::Dir);
        }
    }
    let sorted = |(folder, mut names): (&Path, Vec<(String, EntryKind)>)| {
        names.sort_by(|a, b| a.0.cmp(&b.0));
        (folder.to_path_buf(), names)
    };
    found.into_iter().map(sorted).collect()
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

    fn blob(&self, entry: &Entry) -> io::Result<Arc<Vec<u8>>> {
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
        let entry = self.entries.get(&place).ok_or_else(absent)?;
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
        match self.entries.get(&place) {
            Some(entry) => Some(entry.kind),
            None => self.folders.contains_key(&place).then_some(EntryKind::Dir),
        }
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        if self.kept(path).is_some() {
            return None;
        }
        let place = self.place(path.parent()?)?.join(path.file_name()?);
        let entry = self.entries.get(&place).filter(|e| e.kind == EntryKind::Link)?;
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
