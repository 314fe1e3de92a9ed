//! Reading ahead: the folders that a configuration will need, each level of calls at once.
//!
//! Input: the root folder. Output: every folder that a chain of calls with literal sources leads to, its files parsed in
//! parallel. Invariant: nothing is decided here. Which folder is a module, what is missing and in which order all of it
//! is told is for the walk to say, which reads for itself whatever was not foreseen.

use super::folder::{self, Content, Outcome, Parsed, Read, Room};
use super::manifest::Manifest;
use crate::addr::ModulePath;
use crate::config::module_source::is_local;
use crate::config::{View, paths, stacks};
use crate::host::threads;
use crate::issue::Issue;
use crate::syntax::{Block, Body, ExprKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder's files, or why there are none.
pub(super) type Folder = Result<Vec<Parsed>, Box<Issue>>;

/// Reads `root` and all folders that are called from there. Of a folder that is called on many paths one path counts:
/// on others the list of installed modules might say something else, and that is then read on the way.
pub(super) fn read(
    view: View<'_>,
    manifest: &Manifest,
    root: &Path,
    tofu: bool,
) -> FxHashMap<PathBuf, Folder> {
    let mut done: FxHashMap<PathBuf, Folder> = FxHashMap::default();
    let mut known = FxHashSet::from_iter([root.to_path_buf()]);
    let room = Room::new();
    let mut wave = vec![(root.to_path_buf(), ModulePath::ROOT)];
    while !wave.is_empty() {
        let folders = folders(view, wave.iter().map(|(dir, _)| dir.clone()).collect(), &room, tofu);
        let mut next = Vec::new();
        for ((dir, path), folder) in wave.into_iter().zip(folders) {
            for body in folder.iter().flatten().filter_map(Parsed::body) {
                for (name, source) in calls(body) {
                    let path = path.child(name);
                    let called = match manifest.get(&path) {
                        _ if is_local(source) => paths::join(&dir, source.replace('\\', "/")),
                        Some(entry) => paths::join(root, &entry.dir),
                        None => continue,
                    };
                    if known.insert(called.clone()) {
                        next.push((called, path));
                    }
                }
            }
            done.insert(dir, folder);
        }
        wave = next;
    }
    done
}

/// Several folders: first listed, then all their files together, so that many small folders keep all threads busy. Files of
/// the same content are parsed once: what tells them apart is added where they become part of a configuration.
pub(super) fn folders(view: View<'_>, dirs: Vec<PathBuf>, room: &Room, tofu: bool) -> Vec<Folder> {
    let listed = threads::map(dirs, |dir| folder::find(view, &dir, tofu));
    let mut files = Vec::new();
    let mut sizes = Vec::with_capacity(listed.len());
    for found in listed {
        sizes.push(found.map(|found| {
            let size = found.len();
            files.extend(found);
            size
        }));
    }
    let files = threads::map(files, |found| Read::of(view, found, room));
    let distinct: FxHashSet<&Content> = files.iter().filter_map(Read::content).collect();
    let parse = |content: Content| {
        let outcome = content.parse();
        (content, outcome)
    };
    let bodies: FxHashMap<Content, Outcome> =
        threads::map(distinct.into_iter().cloned().collect(), parse).into_iter().collect();
    let mut parsed = files.into_iter().map(|read| {
        let body = read.content().and_then(|content| bodies.get(content));
        read.with(body)
    });
    sizes.into_iter().map(|size| size.map(|size| parsed.by_ref().take(size).collect())).collect()
}

/// The calls of a file whose source is written out.
fn calls(body: &Body) -> impl Iterator<Item = (&str, &str)> {
    body.blocks().filter(|b| &*b.kind.text == "module").filter_map(|block| {
        let ExprKind::String(source) = &block.body.attribute("source")?.expr.kind else { return None };
        Some((&*block.labels.first()?.text, &**source))
    })
}

/// What the calls in one folder lead to.
#[derive(Default)]
pub struct CalledFrom {
    /// The folders, by path from where the folder counts from, whether they are there or not.
    pub folders: Vec<PathBuf>,
    /// True if the source of a call is an expression, so that there may be more.
    pub has_chosen: bool,
    /// True if the folder has a backend or a provider configuration of its own.
    pub is_configured: bool,
}

/// Returns what the calls in one folder lead to. Calls of what has to be installed are passed over, and so are faults. Where OpenTofu
/// has files of its own, what either reads counts.
pub fn called_from(view: View<'_>, dir: &Path) -> CalledFrom {
    let both = view.files(dir).is_ok_and(|names| names.iter().any(|name| folder::is_tofus(name)));
    let readings: &[bool] = if both { &[false, true] } else { &[false] };
    let read = |tofu: &bool| folders(view, vec![dir.to_path_buf()], &Room::new(), *tofu).pop()?.ok();
    let files: Vec<Parsed> = readings.iter().filter_map(read).flatten().collect();
    let bodies = || files.iter().filter_map(Parsed::body);
    let sources = bodies().flat_map(calls).map(|(_, source)| source);
    let mut called: Vec<PathBuf> =
        sources.filter(|s| is_local(s)).map(|s| paths::join(dir, s.replace('\\', "/"))).collect();
    called.extend(stacks::called_from(view, dir).into_iter().map(|s| paths::join(dir, s)));
    CalledFrom {
        folders: called,
        has_chosen: bodies().any(has_chosen),
        is_configured: bodies().any(is_configured),
    }
}

/// Returns true if a file has a provider configuration, a backend, or what stands for one.
fn is_configured(body: &Body) -> bool {
    let is_backend = |block: &Arc<Block>| matches!(&*block.kind.text, "backend" | "cloud");
    body.blocks().any(|block| match &*block.kind.text {
        "provider" => true,
        "terraform" => block.body.blocks().any(is_backend),
        _ => false,
    })
}

/// Returns true if the source of a call is an expression.
fn has_chosen(body: &Body) -> bool {
    body.blocks().filter(|b| &*b.kind.text == "module").any(|block| {
        let source = block.body.attribute("source");
        source.is_some_and(|attr| !matches!(attr.expr.kind, ExprKind::String(_)))
    })
}
