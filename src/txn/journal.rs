//! The journal: what has to be known to finish or undo a transaction that was cut short.
//!
//! Invariant: `.phi/journal` is complete whenever it is there (drafted beside, synced, renamed). Its name is
//! its state: `journal` means "roll back", `journal.committed` means "tidy up". Since a journal may come with a
//! repository that somebody else made, whatever it names is checked again before it is used.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::paths::{COMMITTED, DRAFT, OPEN};
use super::{PHI_DIR, has_phi, io_issue, paths, seal};
use crate::host::{Mode, WriteHost};
use crate::issue::{Code, Issue};

const FORMAT: u32 = 2;

/// Returns true if a transaction was cut short here. Nothing is done about it.
pub fn is_open(host: &dyn WriteHost, root: &Path) -> bool {
    [OPEN, COMMITTED].iter().any(|name| !matches!(host.entry(&root.join(PHI_DIR).join(name)), Ok(None)))
}

/// A path of a transaction. Paths are relative to the root, with `/`.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The file, without links above it.
    pub path: String,
    /// SHA-256 of the old content, and the name beside `path` that holds it; `None`: there was no file.
    pub old: Option<Side>,
    /// SHA-256 of the new content, and the name beside `path` under which it is staged; `None`: a deletion.
    pub new: Option<Side>,
}

/// A content and the file that holds it until the transaction ends.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Side {
    pub hash: String,
    pub beside: String,
}

/// A whole transaction.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Journal {
    format: u32,
    /// Folders that it creates, outermost first.
    pub created_dirs: Vec<String>,
    /// Folders that go where they are empty in the end, outermost first.
    pub own_dirs: Vec<String>,
    pub entries: Vec<Entry>,
    /// The seal of the rest, which says who wrote it. Empty if there was no place for a secret; such a journal is
    /// never acted upon.
    #[serde(default)]
    seal: String,
}

/// The state of a transaction, which the name of its journal tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Open,
    Committed,
}

impl Journal {
    pub(super) fn new(created_dirs: Vec<String>, own_dirs: Vec<String>, entries: Vec<Entry>) -> Journal {
        Journal { format: FORMAT, created_dirs, own_dirs, entries, seal: String::new() }
    }

    /// Puts the journal on the disk, before anything else of the transaction.
    pub(super) fn begin(&self, host: &dyn WriteHost, root: &Path) -> Result<(), Issue> {
        let dir = root.join(PHI_DIR);
        if !has_phi(host, root)? {
            host.create_dir(&dir).map_err(|e| io_issue("create", &dir, &e))?;
        }
        let seal = seal::seal(root, &self.unsealed()).unwrap_or_default();
        let sealed = Journal { seal, ..self.clone() };
        let bytes = serde_json::to_vec_pretty(&sealed).map_err(|e| io_issue("write", &dir, &e.into()))?;
        let (draft, open) = (dir.join(DRAFT), dir.join(OPEN));
        host.write_new(&draft, &bytes, Mode::DEFAULT).map_err(|e| io_issue("write", &draft, &e))?;
        host.rename(&draft, &open).map_err(|e| io_issue("write", &open, &e))?;
        // Both, always: who created `.phi` may have been cut short before its entry was on the disk.
        host.sync_all(&[&dir, root]).map_err(|(path, e)| io_issue("sync", path, &e))
    }

    /// The journal on the disk, if there is one, with everything that it names checked.
    pub(super) fn load(host: &dyn WriteHost, root: &Path) -> Result<Option<(State, Journal)>, Issue> {
        for (name, state) in [(COMMITTED, State::Committed), (OPEN, State::Open)] {
            let path = root.join(PHI_DIR).join(name);
            if host.entry(&path).map_err(|e| io_issue("look at", &path, &e))?.is_none() {
                continue;
            }
            let bytes = host.read(&path).map_err(|e| io_issue("read", &path, &e))?;
            let journal: Journal =
                serde_json::from_slice(&bytes).map_err(|e| foreign(&path, &e.to_string()))?;
            journal.check(&path)?;
            if !seal::is_sealed(root, &journal.unsealed(), &journal.seal) {
                return Err(foreign(&path, "it doesn't come from a run in this folder by this user"));
            }
            return Ok(Some((state, journal)));
        }
        Ok(None)
    }

    /// Returns the bytes that are sealed.
    fn unsealed(&self) -> Vec<u8> {
        let bare = Journal { seal: String::new(), ..self.clone() };
        serde_json::to_vec(&bare).unwrap_or_default()
    }

    fn check(&self, at: &Path) -> Result<(), Issue> {
        if self.format != FORMAT {
            return Err(foreign(at, &format!("it has format {}", self.format)));
        }
        let named = |path: &String| foreign(at, &format!("it names {path:?}"));
        for path in self.entries.iter().map(|e| &e.path) {
            paths::check_form(Path::new(path)).map_err(|_| named(path))?;
        }
        for path in self.created_dirs.iter().chain(&self.own_dirs) {
            crate::config::writable::check_dir(Path::new(path)).map_err(|_| named(path))?;
        }
        for side in self.entries.iter().flat_map(|e| e.old.iter().chain(&e.new)) {
            if !is_beside(&side.beside) {
                return Err(foreign(at, &format!("it names {:?}", side.beside)));
            }
        }
        Ok(())
    }
}

/// The name of a staged (`new`) or kept (`old`) content; Terraform reads no file that begins with a dot or
/// ends with `~`.
pub(super) fn beside(number: usize, what: &str) -> String {
    format!(".phi-{number}.{what}~")
}

fn is_beside(name: &str) -> bool {
    let number =
        name.strip_prefix(".phi-").and_then(|n| n.strip_suffix(".new~").or_else(|| n.strip_suffix(".old~")));
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

fn foreign(at: &Path, what: &str) -> Issue {
    Issue::error(
        Code::Io,
        format!("{} can't be used: {what}", at.display()),
        "It says how to finish a run of tf-phi that was cut short, but no such run wrote it like this.",
    )
    .in_path(at.display().to_string())
    .fix("Look at the tree (`git status`), put it right, and remove the file.", "")
}

/// The path on the disk of a relative path of the journal, re-checked against links.
pub(super) fn locate(host: &dyn WriteHost, root: &Path, path: &str) -> Result<PathBuf, Issue> {
    paths::resolve(host, root, Path::new(path), paths::Last::Keep)
}
