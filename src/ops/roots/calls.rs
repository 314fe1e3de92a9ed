//! The calls between folders: which folder calls which, in which form whatsoever.
//!
//! In: folders with a configuration. Out: for each the folders that it calls: as it stands, in its original form, as a service's template, and by
//! sources whose values are known; and the folders of which anything may be called, since the values aren't known. Each folder is read once,
//! however many call it. Absent on purpose: what follows from calls, which [`super::find`] says.

use super::chosen::ChosenFolders;
use super::folders::{Reached, find_reached};
use super::tree::{Found, Purpose, Tree};
use crate::config::{Overlay, View, called_from, paths, phi};
use crate::host::{Host as _, threads};
use crate::specialise::record;
use crate::text::Sources;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The calls between folders. All paths are absolute and without links.
#[derive(Default)]
pub(super) struct Calls {
    /// The folders that each folder calls.
    pub of: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// The folders of which anything may be called, with those that may do so.
    unknown: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// The folders with a backend or a provider configuration of their own.
    pub configured: BTreeSet<PathBuf>,
}

impl Calls {
    /// Finds the calls from these folders, and from all that they lead to.
    pub fn from<T: Tree>(tree: &T, found: &[Found], purpose: Purpose) -> Calls {
        let mut all = Reached::default();
        for beside in threads::map(found.iter().collect(), |one: &Found| calls_beside(tree, one)) {
            all.extend(beside);
        }
        let starts = found.iter().map(|one| paths::clean(&one.dir)).chain(all.folders().cloned()).collect();
        all.extend(find_reached(tree.host(), &Overlay::new(), starts));
        let mut places = Places { tree, known: BTreeMap::new() };
        let mut calls = Calls::default();
        for (caller, called) in &all.calls {
            let called: Vec<PathBuf> = called.iter().map(|dir| places.of(dir)).collect();
            calls.of.entry(places.of(caller)).or_default().extend(called);
        }
        calls.configured = all.configured.iter().map(|dir| places.of(dir)).collect();
        let choosing = all.lead_to_chosen();
        let mut choosing: Vec<&Found> =
            found.iter().filter(|one| choosing.contains(&paths::clean(&one.dir))).collect();
        if purpose == Purpose::Read {
            // What is called is read with its callers.
            let called = calls.called(purpose);
            choosing.retain(|one| one.has_phi || !called.contains(&places.of(&one.dir)));
        }
        let chosen = |one: &Found| {
            tree.recorded(&one.dir).map(|session| (one.dir.clone(), ChosenFolders::of(session)))
        };
        for (dir, chosen) in threads::map(choosing, chosen).into_iter().flatten() {
            let own = places.of(&dir);
            let modules: Vec<PathBuf> =
                chosen.modules.iter().map(|to| places.of(&paths::join(&dir, to))).collect();
            calls.of.entry(own.clone()).or_default().extend(modules.into_iter().filter(|to| *to != own));
            for above in chosen.unknown {
                let above = places.of(&paths::join(&dir, above));
                calls.unknown.entry(above).or_default().insert(own.clone());
            }
        }
        calls
    }

    /// Returns the folders that any folder calls. For those who look only, what calls itself calls nothing.
    pub fn called(&self, purpose: Purpose) -> BTreeSet<PathBuf> {
        let circles = match purpose {
            Purpose::Read => self.in_circles(),
            Purpose::Write => BTreeSet::new(),
        };
        let counted = self.of.iter().filter(|(from, _)| !circles.contains(from.as_path()));
        counted.flat_map(|(_, all)| all).cloned().collect()
    }

    /// Returns true if another folder calls something within which this one lies, and nobody knows what.
    pub fn may_be_called(&self, dir: &Path) -> bool {
        let by_another =
            |above: &Path| self.unknown.get(above).is_some_and(|by| by.iter().any(|own| own != dir));
        dir.ancestors().any(by_another)
    }

    /// Returns the folders that call themselves, be it by way of others. Terraform can read none of these.
    pub fn in_circles(&self) -> BTreeSet<&Path> {
        let edges = || {
            self.of.iter().flat_map(|(from, all)| all.iter().map(move |to| (from.as_path(), to.as_path())))
        };
        let mut left: BTreeSet<&Path> = edges().flat_map(|(from, to)| [from, to]).collect();
        peel(&mut left, edges());
        peel(&mut left, edges().map(|(from, to)| (to, from)));
        left
    }
}

/// Takes away whatever leads to nothing that is left.
fn peel<'c>(left: &mut BTreeSet<&'c Path>, edges: impl Iterator<Item = (&'c Path, &'c Path)>) {
    let mut back: BTreeMap<&Path, Vec<&Path>> = BTreeMap::new();
    let mut ways: BTreeMap<&Path, usize> = BTreeMap::new();
    for (from, to) in edges.filter(|(from, to)| left.contains(from) && left.contains(to)) {
        back.entry(to).or_default().push(from);
        *ways.entry(from).or_default() += 1;
    }
    let mut ends: Vec<&Path> = left.iter().filter(|dir| !ways.contains_key(*dir)).copied().collect();
    while let Some(end) = ends.pop() {
        left.remove(end);
        for from in back.remove(end).into_iter().flatten() {
            let Some(count) = ways.get_mut(from) else { continue };
            *count -= 1;
            if *count == 0 {
                ends.push(from);
            }
        }
    }
}

/// The calls of a folder that don't stand in its files: those of its original form, and of its services.
fn calls_beside<T: Tree>(tree: &T, found: &Found) -> Reached {
    let (dir, mut out) = (&found.dir, Reached::default());
    let has = |file: &str| tree.host().kind(&dir.join(file)).is_some();
    if (found.has_phi || has(record::FILE))
        && let Some(session) = tree.recorded(dir)
    {
        // Other folders hold what they hold in either form.
        let edited: BTreeSet<&Path> = session.overlay.keys().filter_map(|path| path.parent()).collect();
        let view = View { host: &session.host, overlay: &session.overlay };
        for folder in edited {
            let mut called = called_from(view, folder);
            called.folders.iter_mut().for_each(|to| *to = paths::join(dir, &to));
            out.add(paths::join(dir, folder), called);
        }
    }
    if found.has_phi
        && let Some(host) = tree.open(dir)
    {
        let view = View { host: &host, overlay: &Overlay::new() };
        let (phi, _) = phi::read(view, Path::new(""), &mut Sources::default());
        let templates = phi.services.values().map(|service| paths::join(dir, &service.module.0));
        out.calls.entry(paths::clean(dir)).or_default().extend(templates);
    }
    out
}

/// Where folders lie, each asked for once.
struct Places<'t, T> {
    tree: &'t T,
    known: BTreeMap<PathBuf, PathBuf>,
}

impl<T: Tree> Places<'_, T> {
    fn of(&mut self, dir: &Path) -> PathBuf {
        if let Some(place) = self.known.get(dir) {
            return place.clone();
        }
        let place = self.tree.place(dir);
        self.known.insert(dir.to_owned(), place.clone());
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(all: &[(&str, &[&str])]) -> Calls {
        let of = all.iter().map(|(from, to)| (PathBuf::from(from), to.iter().map(PathBuf::from).collect()));
        Calls { of: of.collect(), ..Calls::default() }
    }

    #[test]
    fn circles_are_found_whatever_leads_to_them() {
        let all =
            calls(&[("root", &["a", "x"]), ("a", &["b"]), ("b", &["a", "y"]), ("s", &["s"]), ("y", &["z"])]);
        assert_eq!(all.in_circles(), ["a", "b", "s"].map(Path::new).into());
        assert!(calls(&[("root", &["a"]), ("a", &["b"])]).in_circles().is_empty());
    }

    #[test]
    fn what_only_the_folder_itself_may_choose_is_no_call() {
        let mut all = Calls::default();
        all.unknown.insert("/r".into(), BTreeSet::from(["/r/a".into()]));
        assert!(all.may_be_called(Path::new("/r/b")) && !all.may_be_called(Path::new("/r/a")));
        all.unknown.insert("/r".into(), BTreeSet::from(["/r/a".into(), "/r/b".into()]));
        assert!(all.may_be_called(Path::new("/r/a")) && !all.may_be_called(Path::new("/q")));
    }
}
