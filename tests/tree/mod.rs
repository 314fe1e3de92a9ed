//! What golden cases, random trees and fuzzing do alike with a tree in memory: read it as it was before it was
//! specialised, find what is driven, put it back.

#![allow(clippy::unwrap_used, dead_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tf_phi::config::phi::PhiConfig;
use tf_phi::config::{self, Config, Overlay, View};
use tf_phi::func::Surroundings;
use tf_phi::host::memory::MemoryHost;
use tf_phi::issue::Issue;
use tf_phi::specialise::{Record, restore};
use tf_phi::trace::accepts::Accepts;
use tf_phi::trace::{self, Driven, Limits, Universes};

/// Texts by path.
pub type Tree = BTreeMap<PathBuf, String>;

/// The host that has the files of a tree.
pub fn host_of(tree: &Tree) -> MemoryHost {
    MemoryHost::new(tree.iter().map(|(path, text)| (path.to_str().unwrap(), text.as_str())))
}

/// The record in a tree.
pub fn record_of(tree: &Tree) -> Option<Record> {
    tree.get(Path::new(".phi/provenance.json")).map(|text| Record::parse(text).unwrap())
}

/// The files that a record tells of, as they were; what stands in the way of it.
pub fn originals(tree: &Tree, record: Option<&Record>) -> Result<Overlay, Vec<Issue>> {
    let Some(record) = record else { return Ok(Overlay::new()) };
    let (originals, issues) = restore::originals(record, &|p| tree.get(p).cloned());
    if issues.is_empty() { Ok(originals.into_iter().collect()) } else { Err(issues) }
}

/// A specialised tree as it was before.
pub fn restored(tree: &Tree) -> Result<Tree, Vec<Issue>> {
    let mut out = tree.clone();
    for (path, text) in originals(tree, record_of(tree).as_ref())? {
        match text {
            Some(text) => out.insert(path, text),
            None => out.remove(&path),
        };
    }
    out.remove(Path::new(".phi/provenance.json"));
    Ok(out)
}

/// A configuration and what is said of it.
pub struct Loaded {
    pub config: Config,
    pub phi: PhiConfig,
    pub issues: Vec<Issue>,
}

/// Reads a tree's files and `phi.hcl`.
pub fn load(view: View<'_>) -> Loaded {
    let (mut config, mut issues) = config::load_with(view.host, view.overlay, Path::new(""));
    let (phi, found) = config::phi::read(view, Path::new(""), &mut config.sources);
    issues.extend(found);
    Loaded { config, phi, issues }
}

/// What is asked of a configuration.
pub struct Asked {
    pub limits: Limits,
    pub universes: Universes,
    pub driven: Vec<Driven>,
}

impl Loaded {
    /// Reads environments, takes in the modules behind chosen sources, and finds what is driven.
    pub fn asked(&mut self, view: View<'_>, outside: &dyn Surroundings) -> Asked {
        let Loaded { config, phi, issues } = self;
        let limits = Limits::of(&phi.settings);
        let (environments, found) =
            config::variables::environments(view, config, phi.settings.environments.as_deref());
        issues.extend(found);
        let of = |c: &Config| trace::universes(c, phi, &environments, limits, outside).0;
        trace::attach_chosen(view, config, limits, &of, outside);
        let (universes, found) = trace::universes(config, phi, &environments, limits, outside);
        issues.extend(found);
        let (driven, found) = trace::drivers(config, phi, &Accepts::default);
        issues.extend(found);
        Asked { limits, universes, driven }
    }
}
