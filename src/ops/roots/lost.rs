//! The root modules of a revision that are none any more.
//!
//! In: the root modules now, and a revision. Out: what was a root module there and isn't one now: since something calls it, since its folder became a
//! link, or since it is gone. Whoever compares looks at these all the same, or says that they can't be looked at: otherwise a change could
//! hide a root module from its own review. Invariant: nothing is looked at that lies outside of the work tree, or that Git doesn't track.

use super::find::{self, is_configuration};
use super::tree::{Past, Purpose};
use crate::config::{Overlay, Tracked, View, paths};
use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::Issue;
use crate::ops::Start;
use crate::ops::read::rooted_host::RootedHost;
use crate::terraform::git::Commit;
use crate::text::one_line;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A root module of a revision that is none any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::ops) struct Lost {
    /// Its directory, as it is named now.
    pub dir: PathBuf,
    /// Its path below the top of the work tree, in the revision.
    was: PathBuf,
    /// The reason why it can't be looked at, where it can't.
    pub gone: Option<String>,
}

impl Lost {
    /// Returns what is the case, in a few words.
    pub fn summary(&self) -> String {
        let dir = self.dir.display().to_string();
        format!("{} was a root module at the base and is none any more", one_line(&dir))
    }
}

/// Finds what was a root module below these directories and is none any more. `now`: all root modules there are. `commit` gives the revision around a folder;
/// nothing where it can't be read, which is told of each root module there.
///
/// # Errors
/// Fails if a folder of the revision can't be listed, and as `commit` does.
pub(super) fn lost(
    start: &Start,
    named: &[PathBuf],
    now: &[PathBuf],
    commit: &dyn Fn(&Path) -> Result<Option<Commit>, Issue>,
) -> Result<Vec<Lost>, Issue> {
    let real = |dir: &Path| Machine.canonical(&start.dir.join(dir));
    let roots: BTreeSet<PathBuf> = now.iter().filter_map(|dir| real(dir).ok()).collect();
    let mut trees: Vec<(Commit, Vec<(&PathBuf, PathBuf)>)> = Vec::new();
    for dir in named {
        let Ok(place) = real(dir) else { continue };
        let Some(commit) = commit(&place)? else { continue };
        let Ok(below) = place.strip_prefix(commit.top()).map(Path::to_owned) else { continue };
        match trees.iter_mut().find(|(known, _)| known.top() == commit.top()) {
            Some((_, dirs)) => dirs.push((dir, below)),
            None => trees.push((commit, vec![(dir, below)])),
        }
    }
    let mut all = Vec::new();
    for (commit, dirs) in trees {
        let tree = Past::of(&commit);
        let has = |below: &PathBuf| commit.folder(commit.top(), below).has_directory();
        let starts: Vec<PathBuf> = dirs.iter().map(|(_, below)| below.clone()).filter(has).collect();
        starts.iter().try_for_each(|below| commit.folder(commit.top(), below).read_ahead())?;
        for was in find::below(&tree, &starts, Purpose::Read)? {
            if roots.contains(&commit.top().join(&was)) {
                continue;
            }
            let at = dirs.iter().find_map(|(dir, below)| Some((*dir, was.strip_prefix(below).ok()?)));
            let Some(dir) = at.map(|(dir, rest)| paths::clean(&dir.join(rest))) else { continue };
            let dir = paths::or_dot(&dir).to_owned();
            let gone = why_gone(&start.dir.join(&dir), &dir, commit.top());
            all.push(Lost { dir, was, gone });
        }
        forget_renamed(start, &commit, now, &mut all);
    }
    let mut known = BTreeSet::new();
    all.retain(|one| known.insert(one.dir.clone()));
    Ok(all)
}

/// The reason why what stands at a path now can't be looked at; nothing where it can.
fn why_gone(path: &Path, shown: &Path, top: &Path) -> Option<String> {
    let shown = shown.display();
    let Ok(real) = Machine.canonical(path) else {
        return Some(format!("There is no folder {shown} any more."));
    };
    if Machine.kind(&real) != Some(EntryKind::Dir) {
        return Some(format!("{shown} is no folder any more."));
    }
    let is_hidden = || real.strip_prefix(top).is_ok_and(|below| below.starts_with(".git"));
    if !real.starts_with(top) || is_hidden() {
        return Some(format!("{shown} leads out of the work tree now."));
    }
    let host = RootedHost::at(real.clone());
    let view = View { host: &host, overlay: &Overlay::new() };
    let tracked = Tracked::around(view, &real);
    let files = Machine.list(&real).unwrap_or_default();
    let mut sources = files.iter().filter(|(name, _)| is_configuration(name));
    let is_link = path.parent().and_then(|above| Machine.canonical(above).ok()).zip(path.file_name());
    let is_link = is_link.is_none_or(|(above, name)| above.join(name) != real);
    if is_link && sources.any(|(name, _)| tracked.is_untracked(view, &real.join(name))) {
        return Some(format!("{shown} leads to files now that Git doesn't track."));
    }
    None
}

/// Forgets those that are compared as what another root module was before it had its name.
fn forget_renamed(start: &Start, commit: &Commit, now: &[PathBuf], all: &mut Vec<Lost>) {
    if all.iter().all(|one| one.gone.is_none()) {
        return;
    }
    let new = now.iter().filter_map(|dir| Machine.canonical(&start.dir.join(dir)).ok());
    let new = new.filter_map(|root| {
        let below = root.strip_prefix(commit.top()).ok()?;
        (!commit.folder(&root, below).has_directory()).then_some(root.clone())
    });
    // What is a submodule now is told besides.
    let before = new.filter(|root| commit.is_around(root)).filter_map(|root| commit.at(&root).ok().flatten());
    let renamed: BTreeSet<PathBuf> = before.map(|revision| revision.prefix().to_owned()).collect();
    all.retain(|one| one.gone.is_none() || !renamed.contains(&one.was));
}
