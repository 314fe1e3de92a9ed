//! Recovery: what an interrupted transaction left becomes exactly the old tree or exactly the new one.
//!
//! Input: the journal on the disk. Invariant: every step may be repeated, so recovery may itself be cut short;
//! the journal goes last. A file that is neither the old nor the new content was edited since: then nothing at
//! all is done. Deliberately absent: guessing; without a journal there is nothing to recover.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::held::Held;
use super::journal::{self, Entry, Journal, Side, State};
use super::paths;
use super::{PHI_DIR, canonical_root, has_phi, io_issue};
use crate::host::WriteHost;
use crate::issue::{Code, Issue};

/// The result of a recovery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recovered {
    /// No transaction was unfinished.
    Nothing,
    /// A transaction was interrupted, and the old tree is restored.
    RolledBack,
    /// A transaction was committed already, and its hidden files are removed.
    Finished,
}

/// The content of an entry's target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Nothing of the transaction.
    Old,
    /// Its new content; what was there before is kept.
    New,
    /// Its new content, which has just changed places with what was there.
    Swapped,
    /// Something that came after it.
    Other,
}

/// Whose transaction is rolled back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// This run's: what came after its writing was saved by somebody who had seen what stood there before.
    Now,
    /// A transaction that was interrupted later.
    Later,
}

/// Settles a transaction that an earlier run left unfinished, if there is one.
///
/// # Errors
/// [`Code::Edited`] where a file was edited after the interruption (nothing is done then), [`Code::Io`] where
/// the tree can't be read or written; trying again is safe.
pub fn recover(host: &dyn WriteHost, root: &Path) -> Result<Recovered, Issue> {
    settle(host, root, When::Later)
}

/// Takes back what this run has just begun to write. A file that somebody saved meanwhile stays as it was saved.
///
/// # Errors
/// [`Code::Io`] where the tree can't be read or written.
pub(super) fn undo(host: &dyn WriteHost, root: &Path) -> Result<Recovered, Issue> {
    settle(host, root, When::Now)
}

fn settle(host: &dyn WriteHost, root: &Path, when: When) -> Result<Recovered, Issue> {
    let root = canonical_root(host, root)?;
    let phi = root.join(PHI_DIR);
    if !has_phi(host, &root)? {
        return Ok(Recovered::Nothing);
    }
    let outcome = match Journal::load(host, &root)? {
        None => Recovered::Nothing,
        Some((State::Open, journal)) => {
            roll_back(host, &root, &journal, when)?;
            Recovered::RolledBack
        }
        Some((State::Committed, journal)) => {
            tidy(host, &root, &journal, &journal.own_dirs)?;
            Recovered::Finished
        }
    };
    for name in [paths::DRAFT, paths::OPEN, paths::COMMITTED] {
        remove(host, &phi.join(name))?;
    }
    remove_empty(host, &phi)?;
    Ok(outcome)
}

fn roll_back(host: &dyn WriteHost, root: &Path, journal: &Journal, when: When) -> Result<(), Issue> {
    let mut targets = Vec::new();
    for entry in &journal.entries {
        let target = journal::locate(host, root, &entry.path)?;
        let stand = stand(host, entry, &target)?;
        if stand == Stand::Other && when == When::Later {
            return Err(edited(entry, &target));
        }
        targets.push((entry, target, stand));
    }
    let mut touched: BTreeSet<&Path> = BTreeSet::new();
    for (entry, target, stand) in &targets {
        let kept = match stand {
            Stand::Old | Stand::Other => continue,
            Stand::New => entry.old.as_ref(),
            Stand::Swapped => entry.new.as_ref(),
        };
        let kept = kept.map(|side| target.with_file_name(&side.beside));
        take_back(host, entry, target, kept.as_deref())?;
        touched.extend(target.parent());
    }
    for dir in touched {
        host.sync_dir(dir).map_err(|e| io_issue("sync", dir, &e))?;
    }
    tidy(host, root, journal, &journal.created_dirs)
}

/// Puts back what is kept, or nothing, in place of what the transaction wrote; what somebody saved over that this very moment
/// stays.
fn take_back(host: &dyn WriteHost, entry: &Entry, target: &Path, kept: Option<&Path>) -> Result<(), Issue> {
    let fail = |e: io::Error| io_issue("put back", target, &e);
    let Some(new) = &entry.new else {
        // It was removed. Where something stands there again, somebody has saved it.
        let moved = kept.map_or(Ok(()), |kept| host.rename_new(kept, target));
        return match moved {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(e) if e.kind() == io::ErrorKind::Unsupported => {
                kept.map_or(Ok(()), |kept| host.rename(kept, target)).map_err(fail)
            }
            done => done.map_err(fail),
        };
    };
    let ours = |path: &Path| Ok::<_, Issue>(content_hash(host, path)?.as_ref() == Some(&new.hash));
    let Some(kept) = kept else {
        let aside = target.with_file_name(&new.beside);
        host.rename(target, &aside).map_err(fail)?;
        if !ours(&aside)? {
            host.rename_new(&aside, target).map_err(fail)?;
        }
        return Ok(());
    };
    match host.exchange(kept, target) {
        Ok(()) if ours(kept)? => Ok(()),
        Ok(()) => host.exchange(kept, target).map_err(fail),
        Err(e) if e.kind() == io::ErrorKind::Unsupported => host.rename(kept, target).map_err(fail),
        Err(e) => Err(fail(e)),
    }
}

/// Returns the state of a target. It belongs to the transaction only when the staged file is no longer beside it (or,
/// for a deletion, when the kept one is). Before that its content doesn't matter.
fn stand(host: &dyn WriteHost, entry: &Entry, target: &Path) -> Result<Stand, Issue> {
    let beside = |side: &Option<Side>| match side {
        Some(side) => content_hash(host, &target.with_file_name(&side.beside)),
        None => Ok(None),
    };
    let hash_of = |side: &Option<Side>| side.as_ref().map(|s| s.hash.clone());
    let (old, new) = (hash_of(&entry.old), hash_of(&entry.new));
    let staged = beside(&entry.new)?;
    let now = || content_hash(host, target);
    if staged.is_some() {
        // Beside the target stands what is new, and maybe not all of it yet, unless the target holds just that.
        return Ok(match now()? {
            now if entry.old.is_some() && staged != new && now == new => Stand::Swapped,
            now if staged == old && now != old => Stand::Other,
            _ => Stand::Old,
        });
    }
    if entry.old.is_some() && beside(&entry.old)?.is_none() {
        return Ok(Stand::Old);
    }
    let now = now()?;
    Ok(match () {
        () if now == old => Stand::Old,
        () if now == new => Stand::New,
        () => Stand::Other,
    })
}

fn content_hash(host: &dyn WriteHost, path: &Path) -> Result<Option<String>, Issue> {
    let held = Held::at(host, path).map_err(|e| io_issue("read", path, &e))?;
    Ok(held.map(|held| held.hash()))
}

/// Removes what the transaction put beside its targets, and of `dirs` (outermost first) what is empty.
fn tidy(host: &dyn WriteHost, root: &Path, journal: &Journal, dirs: &[String]) -> Result<(), Issue> {
    for entry in &journal.entries {
        let target = journal::locate(host, root, &entry.path)?;
        for side in entry.old.iter().chain(&entry.new) {
            remove(host, &target.with_file_name(&side.beside))?;
        }
    }
    for dir in dirs.iter().rev() {
        let dir: PathBuf = root.join(dir);
        if host.canonical(&dir).is_ok_and(|real| real == dir) {
            remove_empty(host, &dir)?;
        }
    }
    Ok(())
}

fn remove(host: &dyn WriteHost, path: &Path) -> Result<(), Issue> {
    if host.entry(path).map_err(|e| io_issue("look at", path, &e))?.is_none() {
        return Ok(());
    }
    host.remove_file(path).map_err(|e| io_issue("remove", path, &e))
}

fn remove_empty(host: &dyn WriteHost, dir: &Path) -> Result<(), Issue> {
    let empty = match host.list(dir) {
        Ok(entries) => entries.is_empty(),
        Err(e) if e.kind() == io::ErrorKind::NotFound => false,
        Err(e) => return Err(io_issue("list", dir, &e)),
    };
    if !empty {
        return Ok(());
    }
    match host.remove_dir(dir) {
        Err(e) if !matches!(e.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotFound) => {
            Err(io_issue("remove", dir, &e))
        }
        _ => Ok(()),
    }
}

fn edited(entry: &Entry, target: &Path) -> Issue {
    let mut issue = Issue::error(
        Code::Edited,
        format!("{} was edited after a run of tf-phi had been interrupted", entry.path),
        "It holds neither what stood there before that run nor what the run wrote, so nothing was put back.",
    )
    .in_path(target.display().to_string());
    if let Some(old) = &entry.old {
        let kept = target.with_file_name(&old.beside);
        issue = issue.fix(format!("What it held before may stand in {}; compare.", kept.display()), "");
    }
    issue.fix("To keep the tree as it is, remove the journal:", format!("rm {PHI_DIR}/{}", paths::OPEN))
}
