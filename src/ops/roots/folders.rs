//! The folders that a root module reads: its own, those of the modules that it calls, and those of its services.

use crate::config::phi::PhiConfig;
use crate::config::{Overlay, View, called_from, paths, phi};
use crate::host::{Host as _, Machine, threads};
use crate::issue::Issue;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::specialise::record;
use crate::text::Sources;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders that a root module reads, whether it is specialised or not.
pub(super) struct Folders {
    /// Its own folder.
    pub host: RootedHost,
    /// Its `phi.hcl`.
    pub phi: PhiConfig,
    /// All folders, from its own; those that aren't there as well.
    pub all: BTreeSet<PathBuf>,
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
        all.extend(reached(&host, &none, here()));
        if Machine.kind(&host.root.join(record::FILE)).is_some()
            && let Ok(session) = Session::recorded(&host.root)
        {
            all.extend(reached(&host, &session.overlay, here()));
        }
        let (phi, _) =
            phi::read(View { host: &host, overlay: &none }, Path::new(""), &mut Sources::default());
        for service in phi.services.values() {
            let template = paths::clean(Path::new(&service.module.0));
            all.extend(reached(&host, &none, vec![template.clone()]));
            all.insert(template);
        }
        Ok(Folders { host, phi, all })
    }

    /// The same, absolute and without links.
    pub fn absolute(&self) -> BTreeSet<PathBuf> {
        let absolute = |dir: &PathBuf| {
            let path = paths::join(&self.host.root, dir);
            Machine.canonical(&path).unwrap_or(path)
        };
        self.all.iter().map(absolute).collect()
    }
}

/// The folders that calls lead to from these, directly or not; those that aren't there as well.
pub(super) fn reached(host: &RootedHost, overlay: &Overlay, from: Vec<PathBuf>) -> BTreeSet<PathBuf> {
    let view = View { host, overlay };
    let mut known: BTreeSet<PathBuf> = from.iter().cloned().collect();
    let mut reached = BTreeSet::new();
    let mut wave = from;
    while !wave.is_empty() {
        let next = threads::map(wave, |dir| called_from(view, &dir));
        wave = Vec::new();
        for dir in next.into_iter().flatten() {
            if known.insert(dir.clone()) {
                wave.push(dir.clone());
            }
            reached.insert(dir);
        }
    }
    reached
}
