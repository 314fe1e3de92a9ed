//! The folders that a root module reads: its own, those of the modules that it calls, and those of its services.

use super::chosen::ChosenFolders;
use crate::config::phi::PhiConfig;
use crate::config::{Overlay, View, called_from, paths, phi};
use crate::host::{Host as _, Machine, threads};
use crate::issue::Issue;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::specialise::record;
use crate::text::Sources;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folders that a root module reads, whether it is specialised or not.
pub(super) struct Folders {
    /// Its own folder.
    pub host: RootedHost,
    /// Its `phi.hcl`.
    pub phi: PhiConfig,
    /// All folders, from its own; those that aren't there as well.
    pub all: BTreeSet<PathBuf>,
    /// Folders of which anything may be chosen by a call whose source is an expression.
    pub above: BTreeSet<PathBuf>,
    /// Those of them of which it isn't known what is chosen.
    pub unknown: BTreeSet<PathBuf>,
}

impl Folders {
    /// Finds the folders of the root module in `dir`.
    ///
    /// # Errors
    /// Fails if there is no such folder.
    pub fn of(dir: &Path) -> Result<Folders, Issue> {
        let host = RootedHost::new(dir)?;
        let here = || vec![PathBuf::new()];
        let none = Overlay::new();
        let mut all = BTreeSet::from([PathBuf::new()]);
        let mut found = reached(&host, &none, here());
        if Machine.kind(&host.root.join(record::FILE)).is_some()
            && let Ok(session) = Session::recorded(&host.root)
        {
            let original = reached(&host, &session.overlay, here());
            found.folders.extend(original.folders);
            found.lead_to_chosen.extend(original.lead_to_chosen);
        }
        all.extend(found.folders);
        let mut chosen = ChosenFolders::default();
        if !found.lead_to_chosen.is_empty()
            && let Ok(session) = Session::recorded(&host.root)
        {
            chosen = ChosenFolders::of(session);
            all.extend(chosen.modules);
        }
        let (phi, _) =
            phi::read(View { host: &host, overlay: &none }, Path::new(""), &mut Sources::default());
        for service in phi.services.values() {
            let template = paths::clean(Path::new(&service.module.0));
            all.extend(reached(&host, &none, vec![template.clone()]).folders);
            all.insert(template);
        }
        Ok(Folders { host, phi, all, above: chosen.above, unknown: chosen.unknown })
    }

    /// Returns the folders, absolute and without links.
    pub fn absolute(&self) -> BTreeSet<PathBuf> {
        self.all.iter().map(|dir| self.absolute_of(dir)).collect()
    }

    /// Returns the folders within which anything may be chosen, absolute and without links.
    pub fn absolute_unknown(&self) -> BTreeSet<PathBuf> {
        self.unknown.iter().map(|dir| self.absolute_of(dir)).collect()
    }

    fn absolute_of(&self, dir: &Path) -> PathBuf {
        let path = paths::join(&self.host.root, dir);
        Machine.canonical(&path).unwrap_or(path)
    }
}

/// What calls lead to, directly or not.
#[derive(Default)]
pub(super) struct Reached {
    /// The folders, those that aren't there as well.
    pub folders: BTreeSet<PathBuf>,
    /// The folders that lead to a call whose source is an expression.
    pub lead_to_chosen: BTreeSet<PathBuf>,
}

/// Returns what calls lead to from these folders.
pub(super) fn reached(host: &RootedHost, overlay: &Overlay, from: Vec<PathBuf>) -> Reached {
    let view = View { host, overlay };
    let mut known: BTreeSet<PathBuf> = from.iter().cloned().collect();
    let mut callers: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    let mut reached = Reached::default();
    let mut choosing = Vec::new();
    let mut wave = from;
    while !wave.is_empty() {
        let next = threads::map(wave, |dir| {
            let called = called_from(view, &dir);
            (dir, called)
        });
        wave = Vec::new();
        for (dir, called) in next {
            for folder in called.folders {
                if known.insert(folder.clone()) {
                    wave.push(folder.clone());
                }
                callers.entry(folder.clone()).or_default().push(dir.clone());
                reached.folders.insert(folder);
            }
            if called.has_chosen {
                choosing.push(dir);
            }
        }
    }
    while let Some(dir) = choosing.pop() {
        choosing.extend(callers.remove(&dir).into_iter().flatten());
        reached.lead_to_chosen.insert(dir);
    }
    reached
}
