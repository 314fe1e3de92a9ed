//! The root modules that a change concerns: what differs from a revision, or files that are named.
//!
//! In: root modules, and a revision or files. Out: those of them that [depend](Needs) on a file which came, went, or holds something
//! else. A folder counts with all below it, up to folders that hold another configuration and held one before, unless a path is put together
//! that may lead there. A file of attributes counts for all that Git writes by it. Where it isn't clear, a root counts as changed.

use super::find::is_configuration;
use super::needs::Needs;
use crate::config::paths;
use crate::config::variables::VarArg;
use crate::host::{Host as _, Machine, threads};
use crate::issue::Issue;
use crate::ops::commits::deciding_top;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::{Start, Stop};
use crate::terraform::git::{Base, Changes, Commit, Git};
use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};

/// The roots that depend on what differs from a revision, in their order.
///
/// # Errors
/// A revision that can't be read.
pub(super) fn since(
    start: &Start,
    revision: &str,
    dirs: Vec<PathBuf>,
    vars: &[VarArg],
) -> Result<Vec<PathBuf>, Box<Stop>> {
    let mut trees: Vec<Tree> = Vec::new();
    // Its submodules are looked at as it names them.
    let here = RootedHost::new(&start.dir)?.root;
    if top_of(&here).is_some() {
        trees.push(Tree::open(&here, revision)?);
    }
    let mut wanted = Vec::new();
    for (dir, needs) in needs(start, dirs, vars)? {
        let at = match trees.iter().position(|tree| tree.holds(&needs.root)) {
            Some(at) => at,
            None => {
                trees.push(Tree::open(&needs.root, revision)?);
                trees.len() - 1
            }
        };
        wanted.push((dir, needs, at));
    }
    for (at, tree) in trees.iter_mut().enumerate() {
        let own = wanted.iter().filter(|(_, _, of)| *of == at).map(|(_, needs, _)| needs);
        tree.compare(&own.collect::<Vec<_>>())?;
    }
    let changed =
        wanted.into_iter().filter(|(_, needs, at)| trees.get(*at).is_some_and(|t| t.differs.concern(needs)));
    Ok(changed.map(|(dir, ..)| dir).collect())
}

/// The roots that depend on any of these files, in their order. What the last commit has and nobody has any more counts as well: who
/// names the files of a commit can't name those.
///
/// # Errors
/// A root that can't be opened.
pub(super) fn of_files(
    start: &Start,
    files: &[PathBuf],
    dirs: Vec<PathBuf>,
    vars: &[VarArg],
) -> Result<Vec<PathBuf>, Box<Stop>> {
    let here = RootedHost::new(&start.dir)?.root;
    // As they are named, and without links on the way to them.
    let both = |file: &PathBuf| {
        let path = paths::join(&here, file);
        let above = path.parent().and_then(|dir| Machine.canonical(dir).ok());
        let real = above.zip(path.file_name()).map(|(above, name)| above.join(name));
        [Some(path), real]
    };
    let mut paths: BTreeSet<PathBuf> = files.iter().flat_map(both).flatten().collect();
    let head = open_head(&here);
    paths.extend(head.iter().flat_map(find_gone));
    let before = head.as_ref().map(|changes| (changes.top(), find_configured(changes)));
    let is_another = |dir: &Path| match &before {
        Some((top, configured)) if dir.starts_with(top) => configured.contains(dir),
        _ => holds_configuration(dir),
    };
    let folders: BTreeSet<&Path> = paths.iter().flat_map(|path| path.ancestors().skip(1)).collect();
    let folders = folders.into_iter().filter(|dir| is_another(dir)).map(Path::to_owned).collect();
    let differs = Differences { paths, folders, ..Differences::default() };
    let wanted = needs(start, dirs, vars)?.into_iter().filter(|(_, needs)| differs.concern(needs));
    Ok(wanted.map(|(dir, _)| dir).collect())
}

/// What differs around a folder from the last commit; nothing where there is none.
fn open_head(here: &Path) -> Option<Changes> {
    top_of(here)?;
    Commit::open(Git::find(&Machine).ok()?, here, &Base::exact("HEAD")).ok()?.changes().ok()
}

/// The files that the last commit has and the work tree hasn't.
fn find_gone(changes: &Changes) -> BTreeSet<PathBuf> {
    let whole = |path: &Path| changes.top().join(path);
    let found = changes.of(&|path| Machine.kind(&whole(path)).is_none()).unwrap_or_default();
    found.iter().map(|path| whole(path)).collect()
}

/// Returns the paths that each root module depends on.
fn needs(start: &Start, dirs: Vec<PathBuf>, vars: &[VarArg]) -> Result<Vec<(PathBuf, Needs)>, Issue> {
    let all = threads::map(dirs, |dir| Needs::of(&start.dir.join(&dir), vars).map(|needs| (dir, needs)));
    all.into_iter().collect()
}

/// The paths that differ from the revision. All are absolute.
#[derive(Default)]
struct Differences {
    /// Files.
    paths: BTreeSet<PathBuf>,
    /// The folders that hold a configuration, now and before: where one came or went, what else stands there may be a root's above.
    folders: BTreeSet<PathBuf>,
    /// The folders in which Git writes files otherwise.
    recoded: BTreeSet<PathBuf>,
}

impl Differences {
    /// Returns true if a path differs that a root module depends on.
    fn concern(&self, needs: &Needs) -> bool {
        if needs.is_open {
            return true;
        }
        let is_recoded = |at: &PathBuf| leads_to(&needs.paths, at) || leads_to(&needs.above, at);
        self.recoded.iter().any(is_recoded)
            || self.paths.iter().any(|path| {
                // Which variable files count, folders above have a say in.
                let rules = path.ends_with(".gitignore")
                    && path.parent().is_some_and(|dir| needs.root.starts_with(dir));
                rules || self.lies_in(path, needs) || leads_to(&needs.paths, path)
            })
    }

    /// Returns true if a path lies in a folder that is needed, or below one, with no other configuration in between.
    fn lies_in(&self, path: &Path, needs: &Needs) -> bool {
        if needs.above.iter().any(|above| path.starts_with(above)) {
            return true;
        }
        for at in path.ancestors() {
            if needs.paths.contains(at) {
                return true;
            }
            if at != path && self.folders.contains(at) {
                return false;
            }
        }
        false
    }
}

/// A work tree, and what differs in it.
struct Tree {
    changes: Changes,
    differs: Differences,
}

impl Tree {
    fn open(root: &Path, revision: &str) -> Result<Tree, Issue> {
        let top = deciding_top(root)?;
        let top = top.as_deref().unwrap_or(root);
        let changes = Commit::open(Git::find(&Machine)?, top, &Base::exact(revision))?.changes()?;
        let folders = find_configured(&changes);
        Ok(Tree { changes, differs: Differences { folders, ..Differences::default() } })
    }

    /// Returns true if the root module belongs to this work tree, and not to a separate one inside of it.
    fn holds(&self, root: &Path) -> bool {
        let Ok(below) = root.strip_prefix(self.changes.top()) else { return false };
        top_of(root) == Some(self.changes.top())
            || self.changes.names().any(|name| name.starts_with(below))
            || self.changes.is_in_submodule(below)
    }

    /// Compares what some root depends on.
    fn compare(&mut self, needs: &[&Needs]) -> Result<(), Issue> {
        let all: BTreeSet<&Path> =
            needs.iter().flat_map(|n| n.paths.iter().chain(&n.above)).map(PathBuf::as_path).collect();
        let top = self.changes.top().to_path_buf();
        let matters = |path: &Path| {
            let path = top.join(path);
            path.ends_with(".gitignore")
                || path.ancestors().any(|at| all.contains(at))
                || leads_to(&all, &path)
        };
        let found = self.changes.of(&matters)?;
        self.differs.paths = found.into_iter().map(|path| top.join(path)).collect();
        let attributes = self.changes.find_attributes()?;
        self.differs.recoded =
            attributes.iter().filter_map(|file| top.join(file).parent().map(Path::to_owned)).collect();
        Ok(())
    }
}

/// The files of attributes that differ from a revision, by path below the work tree, by which Git writes files otherwise that a root module reads.
///
/// # Errors
/// As git gives them.
pub(in crate::ops) fn find_attributes(dir: &Path, changes: &Changes) -> Result<Vec<PathBuf>, Issue> {
    let mut found: Vec<PathBuf> = changes.find_attributes()?.into_iter().collect();
    if found.is_empty() {
        return Ok(found);
    }
    let needs = Needs::of(dir, &[])?;
    let mut differs = Differences { folders: find_configured(changes), ..Differences::default() };
    found.retain(|file| {
        let file = changes.top().join(file);
        differs.recoded = file.parent().into_iter().map(Path::to_owned).collect();
        differs.paths = BTreeSet::from([file]);
        differs.concern(&needs)
    });
    Ok(found)
}

/// The folders that hold a configuration, in the revision and now.
fn find_configured(changes: &Changes) -> BTreeSet<PathBuf> {
    let is_named = |path: &&Path| path.file_name().is_some_and(|n| is_configuration(&n.to_string_lossy()));
    let before: BTreeSet<&Path> = changes.names_before().filter(is_named).filter_map(Path::parent).collect();
    let whole = before.into_iter().map(|dir| changes.top().join(dir));
    whole.filter(|dir| holds_configuration(dir)).collect()
}

/// Returns true if a folder holds a configuration now.
fn holds_configuration(dir: &Path) -> bool {
    Machine.list(dir).unwrap_or_default().iter().any(|(name, _)| is_configuration(name))
}

/// The work tree that a folder lies in.
fn top_of(dir: &Path) -> Option<&Path> {
    dir.ancestors().find(|dir| Machine.kind(&dir.join(".git")).is_some())
}

/// Returns true if one of the paths lies below this one, which is then a link or a submodule on the way to it.
fn leads_to<P: Borrow<Path> + Ord>(all: &BTreeSet<P>, path: &Path) -> bool {
    let from = (Bound::Included(path), Bound::Unbounded);
    all.range::<Path, _>(from).next().is_some_and(|next| next.borrow().starts_with(path))
}
