//! The folders that a root module reads: its own, those of the modules that it calls, and those of its services.

use super::chosen::ChosenFolders;
use crate::config::phi::PhiConfig;
use crate::config::{CalledFrom, Overlay, View, called_from, paths, phi};
use crate::host::{Host, Machine, threads};
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
        let mut found = find_reached(&host, &none, here());
        if Machine.kind(&host.root.join(record::FILE)).is_some()
            && let Ok(session) = Session::recorded(&host.root)
        {
            found.extend(find_reached(&host, &session.overlay, here()));
        }
        all.extend(found.folders().cloned());
        let mut chosen = ChosenFolders::default();
        if !found.choosing.is_empty()
            && let Ok(session) = Session::recorded(&host.root)
        {
            chosen = ChosenFolders::of(session);
            all.extend(chosen.modules);
        }
        let (phi, _) =
            phi::read(View { host: &host, overlay: &none }, Path::new(""), &mut Sources::default());
        for service in phi.services.values() {
            let template = paths::clean(Path::new(&service.module.0));
            all.extend(find_reached(&host, &none, vec![template.clone()]).folders().cloned());
            all.insert(template);
        }
        Ok(Folders { host, phi, all, above: chosen.above })
    }

    /// Returns the folders, absolute and without links.
    pub fn absolute(&self) -> BTreeSet<PathBuf> {
        self.all.iter().map(|dir| self.absolute_of(dir)).collect()
    }

    fn absolute_of(&self, dir: &Path) -> PathBuf {
        let path = paths::join(&self.host.root, dir);
        Machine.canonical(&path).unwrap_or(path)
    }
}

/// What calls lead to, directly or not.
#[derive(Default)]
pub(in crate::ops) struct Reached {
    /// The folders that each folder calls, those that aren't there as well.
    pub calls: BTreeMap<PathBuf, Vec<PathBuf>>,
    /// The folders with a call whose source is an expression.
    choosing: BTreeSet<PathBuf>,
    /// The folders with a backend or a provider configuration of their own.
    pub configured: BTreeSet<PathBuf>,
}

impl Reached {
    /// Returns the folders that are called.
    pub fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        self.calls.values().flatten()
    }

    /// Returns the folders that lead to a call whose source is an expression.
    pub fn lead_to_chosen(&self) -> BTreeSet<PathBuf> {
        let mut callers: BTreeMap<&Path, Vec<&PathBuf>> = BTreeMap::new();
        for (caller, called) in &self.calls {
            called.iter().for_each(|dir| callers.entry(dir).or_default().push(caller));
        }
        let mut open: Vec<&PathBuf> = self.choosing.iter().collect();
        let mut found = BTreeSet::new();
        while let Some(dir) = open.pop() {
            open.extend(callers.remove(dir.as_path()).into_iter().flatten());
            found.insert(dir.clone());
        }
        found
    }

    /// Adds what is called in one folder.
    pub fn add(&mut self, dir: PathBuf, called: CalledFrom) {
        if called.has_chosen {
            self.choosing.insert(dir.clone());
        }
        if called.is_configured {
            self.configured.insert(dir.clone());
        }
        self.calls.entry(dir).or_default().extend(called.folders);
    }

    /// Adds what other calls lead to.
    pub fn extend(&mut self, other: Reached) {
        self.choosing.extend(other.choosing);
        self.configured.extend(other.configured);
        for (dir, called) in other.calls {
            self.calls.entry(dir).or_default().extend(called);
        }
    }
}

/// Returns what calls lead to from these folders.
pub(in crate::ops) fn find_reached(host: &dyn Host, overlay: &Overlay, from: Vec<PathBuf>) -> Reached {
    let view = View { host, overlay };
    let mut known: BTreeSet<PathBuf> = from.into_iter().collect();
    let mut reached = Reached::default();
    let mut wave: Vec<PathBuf> = known.iter().cloned().collect();
    while !wave.is_empty() {
        let next = threads::map(wave, |dir| {
            let called = called_from(view, &dir);
            (dir, called)
        });
        wave = Vec::new();
        for (dir, called) in next {
            wave.extend(called.folders.iter().filter(|folder| known.insert((*folder).clone())).cloned());
            reached.add(dir, called);
        }
    }
    reached
}
