//! What golden cases, random trees and fuzzing do alike with a tree in memory: specialise it whatever its form, put it back.

#![allow(clippy::unwrap_used, dead_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tf_phi::config::Overlay;
use tf_phi::func::TerraformVersions;
use tf_phi::host::memory::MemoryHost;
use tf_phi::issue::{Code, Issue};
use tf_phi::pipeline::{Session, Traces};
use tf_phi::specialise::record::restore;
use tf_phi::specialise::{Record, Specialised};
use tf_phi::trace::accepts::Accepts;
use tf_phi::trace::{Driven, Universes};

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
    let (originals, issues) = restore::originals(record, &|p| tree.get(p).cloned(), &|_| None);
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

/// Reads a tree, whatever its form, as commands do: universes of its variables, driven fields.
pub fn read(
    tree: &Tree,
    version: Option<(u32, u32)>,
) -> Result<(Session<MemoryHost>, Universes, Vec<Driven>), Vec<Issue>> {
    let mut session = Session::read(host_of(tree), false, None).map_err(|issue| vec![issue])?;
    let universes = session.universes();
    // Universes are the same for every version; only what is traced asks for one.
    if let Some(version) = version {
        session.answer_as(TerraformVersions::exactly(version));
    }
    let driven = session.driven_where(&|_| Accepts::default());
    Ok((session, universes, driven))
}

/// Specialises a tree, whatever its form, as commands do; with the answers of this Terraform. What can't be is what is wrong.
pub fn specialised(
    tree: &Tree,
    version: Option<(u32, u32)>,
    name: &'static str,
) -> Result<(Session<MemoryHost>, Specialised), Vec<Issue>> {
    let (session, universes, driven) = read(tree, version)?;
    let mut traced = Traces::of(&session, &universes, &driven);
    // What a service does without is a warning, and tested where it is printed.
    let mut issues = session.issues.clone();
    issues.retain(|i| i.is_error() || i.code != Code::Service);
    issues.extend(traced.issues(&session, &driven));
    if !issues.is_empty() {
        return Err(issues);
    }
    let done = traced.specialise(&session, &driven, name)?;
    drop(traced);
    Ok((session, done))
}
