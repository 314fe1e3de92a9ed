//! Submodules that aren't checked out, and the links that lead into them.
//!
//! In: a revision and the work tree beside it. Out: each path at which something would stand with a checkout, with what it leads to on either side.
//! Invariant: no folder is opened, and nothing outside of the work tree is looked at. Absent on purpose: who would read it.

use super::Changes;
use crate::host::{EntryKind, Host as _, Machine};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Links are followed so many times over.
const MOST_LINKS: usize = 40;

/// A path at which nothing stands, since a submodule isn't checked out.
#[derive(Clone, Debug)]
pub struct Absent {
    /// The path, from the root module.
    pub path: PathBuf,
    /// What it leads to in the revision; nothing where it leads into no such submodule.
    pub before: Option<Lead>,
    /// The same now.
    pub now: Option<Lead>,
}

/// Where a path leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lead {
    /// The submodule, from the top of the work tree.
    pub submodule: PathBuf,
    /// Its commit; nothing where a merge left several.
    pub commit: Option<String>,
    /// The path in the submodule; an empty one is the submodule itself.
    pub within: PathBuf,
    /// True if a link leads there.
    is_by_link: bool,
}

impl Absent {
    /// Returns true if it leads to the same thing on both sides.
    pub fn is_same(&self) -> bool {
        self.before == self.now && self.now.as_ref().is_some_and(|lead| lead.commit.is_some())
    }

    /// Returns true for a submodule itself, and false for a link that leads into one.
    pub fn is_submodule(&self) -> bool {
        self.before.iter().chain(&self.now).all(|lead| !lead.is_by_link)
    }
}

/// One of the two sides.
struct Side<'s> {
    top: &'s Path,
    /// The submodules that aren't checked out, with their commits.
    submodules: BTreeMap<&'s Path, Option<&'s String>>,
    /// Where a link leads; nothing of what is none.
    target: &'s dyn Fn(&Path) -> Option<PathBuf>,
}

impl Changes {
    /// The submodules below a root module that aren't checked out on one side at least, and the links there that lead into such ones.
    /// `roots`: the root module in the revision and now, from the top of the work tree.
    pub fn find_absent(&self, roots: [&Path; 2]) -> Vec<Absent> {
        let (before, now) = (&self.commit.0.unread, self.find_empty());
        if before.is_empty() && now.is_empty() {
            return Vec::new();
        }
        let linked_before = |path: &Path| self.commit.find_target(path);
        let linked_now = |path: &Path| Machine.link(&self.top().join(path));
        let before = Side {
            top: self.top(),
            submodules: before.iter().map(|(path, id)| (&**path, Some(id))).collect(),
            target: &linked_before,
        };
        let now = Side { top: self.top(), submodules: now, target: &linked_now };
        let [root_before, root_now] = roots;
        let before = before.find_leads(self.names_before(), root_before);
        let now = now.find_leads(self.names().chain(self.names_tracked()), root_now);
        let mut all: BTreeMap<PathBuf, (Option<Lead>, Option<Lead>)> = BTreeMap::new();
        before.into_iter().for_each(|(path, lead)| all.entry(path).or_default().0 = Some(lead));
        now.into_iter().for_each(|(path, lead)| all.entry(path).or_default().1 = Some(lead));
        all.into_iter().map(|(path, (before, now))| Absent { path, before, now }).collect()
    }

    /// The submodules that the index names and whose folders hold nothing.
    fn find_empty(&self) -> BTreeMap<&Path, Option<&String>> {
        let is_empty = |path: &Path| match Machine.list(&self.top().join(path)) {
            Ok(all) => all.is_empty(),
            Err(_) => true,
        };
        let all = self.named.iter().filter(|(path, _)| is_empty(path));
        all.map(|(path, id)| (&**path, id.as_ref())).collect()
    }
}

impl super::Commit {
    fn find_target(&self, path: &Path) -> Option<PathBuf> {
        let link = self.0.entries.get(path).filter(|entry| entry.kind == EntryKind::Link)?;
        let target = self.0.blob(link).ok()?;
        Some(super::path_of_name(&target))
    }
}

impl Side<'_> {
    /// What leads into such submodules, of names below a root module, by the path from there.
    fn find_leads<'n>(&self, names: impl Iterator<Item = &'n Path>, root: &Path) -> BTreeMap<PathBuf, Lead> {
        let one = |path: &Path| {
            let below = path.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty())?;
            Some((below.to_path_buf(), self.find_lead(path)?))
        };
        self.submodules.keys().copied().filter_map(one).chain(names.filter_map(one)).collect()
    }

    /// Where a path leads, where that is a submodule without a checkout.
    fn find_lead(&self, path: &Path) -> Option<Lead> {
        let is_by_link = !self.submodules.contains_key(path);
        if is_by_link && (self.target)(path).is_none() {
            return None;
        }
        let lead = self.follow(path, &mut { MOST_LINKS }).err()?;
        Some(Lead { is_by_link, ..lead })
    }

    /// The path that a path leads to, or the submodule on its way; links that lead nowhere else are as good as none.
    fn follow(&self, path: &Path, links: &mut usize) -> Result<PathBuf, Lead> {
        let mut at = PathBuf::new();
        let mut parts = path.components();
        while let Some(part) = parts.next() {
            match part {
                Component::Normal(name) => at.push(name),
                Component::ParentDir => {
                    at.pop();
                    continue;
                }
                _ => continue,
            }
            if let Some(commit) = self.submodules.get(&*at) {
                let within = parts.as_path().to_path_buf();
                return Err(Lead { submodule: at, commit: commit.cloned(), within, is_by_link: false });
            }
            let Some(target) = (self.target)(&at) else { continue };
            let Some(left) = links.checked_sub(1) else { return Ok(at) };
            *links = left;
            at.pop();
            let next = match target.is_absolute() {
                true => match target.strip_prefix(self.top) {
                    Ok(below) => below.to_path_buf(),
                    Err(_) => return Ok(target),
                },
                false => at.join(target),
            };
            at = match self.follow(&next, links) {
                Ok(at) => at,
                Err(lead) => return Err(Lead { within: lead.within.join(parts.as_path()), ..lead }),
            };
        }
        Ok(at)
    }
}
