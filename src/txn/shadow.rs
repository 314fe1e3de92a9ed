//! A folder that stands for a working directory where other sources are to be read than the ones that stand there.
//!
//! In: a working directory, and the texts of the sources. Everything else is there by links: state, Terraform's data folder, plans. So
//! what Terraform writes into a file that exists, and the lock that it takes on it, are those of the real one. What it creates is
//! handed back. Invariants: none of the user's sources is read or written; nothing is written through a link of ours that leads
//! nowhere; two of them, and a run in the real folder, don't know of each other. Absent on purpose: which texts these are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::scratch::{Mirror, link};
use super::{canonical_root, confined, io_issue};
use crate::host::{self, Confined, EntryKind, Host as _, Machine, Mode, WriteHost as _};
use crate::issue::{Code, Issue};

/// The end of the names of files in which Terraform says who has locked a state. It removes them itself, and would remove a link alone.
const LOCK_INFO: &str = ".lock.info";

/// The folder.
#[derive(Debug)]
pub struct Shadow {
    mirror: Mirror,
    root: PathBuf,
    sources: BTreeMap<String, String>,
}

impl Shadow {
    /// Makes one with these sources; `is_hidden` says what else isn't to be there, by its name.
    ///
    /// # Errors
    /// [`Code::Io`] where something can't be read or written.
    pub fn new(
        root: &Path,
        sources: BTreeMap<String, String>,
        is_hidden: &dyn Fn(&str) -> bool,
    ) -> Result<Shadow, Issue> {
        let root = canonical_root(&Machine, root)?;
        // A backend may name its state from as far up as it likes.
        let mirror = Mirror::new(&root, usize::MAX)?;
        for (name, _) in Machine.list(&root).map_err(|e| io_issue("list", &root, &e))? {
            let (source, target) = (root.join(&name), mirror.dir.join(&name));
            let stays_out = is_hidden(&name) || sources.contains_key(&name) || name.ends_with(LOCK_INFO);
            if !stays_out && !source.starts_with(mirror.temp.path()) {
                link(&source, &target)?;
            }
        }
        for (name, text) in &sources {
            let path = mirror.dir.join(name);
            let written = mirror.own.write_later(&path, text.as_bytes(), Mode::DEFAULT);
            written.map_err(|e| io_issue("write", &path, &e))?;
        }
        Ok(Shadow { mirror, root, sources })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.mirror.dir
    }

    /// Puts what was created there, or beside it, where it would have been created in the real folder.
    ///
    /// # Errors
    /// [`Code::Io`] where something can't be written; what is left of it is named.
    pub fn hand_back(self) -> Result<(), Issue> {
        let top = canonical_root(&Machine, self.mirror.temp.path())?;
        let mut within: Option<&Path> = None;
        for (own, real) in self.mirror.dir.ancestors().zip(self.root.ancestors()) {
            if !own.starts_with(&top) {
                break;
            }
            let is_ours = |name: &str| match within {
                None => self.sources.contains_key(name),
                Some(below) => {
                    below.file_name().is_some_and(|below| below == name) || name.starts_with(".phi-")
                }
            };
            // A folder above may be nobody's to open, and then nothing was created there either.
            let new = created(own, &is_ours)?;
            if !new.is_empty() {
                let theirs = confined(real)?;
                new.iter().try_for_each(|name| hand(&theirs, &own.join(name), Path::new(name)))?;
            }
            within = Some(own);
        }
        Ok(())
    }
}

/// The names of what isn't a link of ours.
fn created(dir: &Path, is_ours: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Issue> {
    let all = Machine.list(dir).map_err(|e| io_issue("list", dir, &e))?.into_iter();
    let new = all.filter(|(name, kind)| {
        matches!(kind, EntryKind::File | EntryKind::Dir) && !is_ours(name) && !name.ends_with(LOCK_INFO)
    });
    Ok(new.map(|(name, _)| name).collect())
}

/// Copies a file, or what a folder holds, to a path below the user's folder.
fn hand(theirs: &Confined, from: &Path, to: &Path) -> Result<(), Issue> {
    let fail = |verb: &str, e: &std::io::Error| {
        let issue = io_issue(verb, to, e);
        Issue::error(Code::Io, issue.summary, format!("It stands in {}.", from.display()))
    };
    if Machine.kind(from) == Some(EntryKind::Dir) {
        if theirs.entry(to).map_err(|e| fail("look at", &e))?.is_none() {
            theirs.create_dir(to).map_err(|e| fail("create", &e))?;
        }
        let names = created(from, &|_| false)?;
        return names.iter().try_for_each(|name| hand(theirs, &from.join(name), &to.join(name)));
    }
    let bytes = Machine.read(from).map_err(|e| fail("read", &e))?;
    let mode = host::mode(from).map_or(Mode::DEFAULT, Mode::Exactly);
    let aside = to.with_file_name(format!(".phi-{}.new~", std::process::id()));
    let put = theirs.write_new(&aside, &bytes, mode).and_then(|()| theirs.rename(&aside, to));
    put.map_err(|e| {
        let _ = theirs.remove_file(&aside);
        fail("write", &e)
    })
}
