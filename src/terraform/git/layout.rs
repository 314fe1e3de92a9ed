//! Whether a repository's objects are those of the tree.
//!
//! A clone brings no `.git`, but an archive may: one that leads to another repository of the same user, whose text would then be
//! shown. In: a work tree and the border around it. Invariant: what lies outside counts only where it says itself that it belongs
//! here, as the repository of a linked worktree and of a submodule does, or where the user names it.

use super::{Git, path_of};
use crate::host::{Border, EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::text::shell_word;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// So many stores of objects may borrow from one another.
const MOST_STORES: usize = 16;

impl Git {
    /// Refuses a work tree whose objects are another repository's.
    ///
    /// # Errors
    /// [`Code::Outside`], with the way out.
    pub(super) fn judge(&self, border: &Border, top: &Path) -> Result<(), Issue> {
        let Err(out) = self.enclosed(border, top)? else { return Ok(()) };
        let shown = out.display().to_string();
        let why = format!(
            "Its `.git` leads to {shown}, which doesn't name this work tree as its own. A tree is not to show what another \
             repository holds."
        );
        let folder = shell_word(&shown);
        Err(Issue::error(Code::Outside, format!("the objects of {} lie elsewhere", top.display()), why).fix(
            "If you trust what stands there, say so in the environment:",
            format!("export {0}=\"${0}:\"{folder}", crate::host::TRUSTED),
        ))
    }

    /// Whether what a work tree's `.git` leads to belongs to it; else the path that doesn't.
    pub(super) fn enclosed(&self, border: &Border, top: &Path) -> Result<Result<(), PathBuf>, Issue> {
        let dot = top.join(".git");
        if border.excludes(&dot, &dot) {
            return Ok(Err(dot));
        }
        let dir = match Machine.kind(&dot) {
            Some(EntryKind::File) => named_in(&dot, "gitdir: ").map(|path| top.join(path)),
            _ => Some(dot.clone()),
        };
        let Some(dir) = dir else { return Ok(Err(dot)) };
        if border.excludes(&dir, &dir) {
            return Ok(if self.points_back(&dir, top)? { Ok(()) } else { Err(dir) });
        }
        let common = named_in(&dir.join("commondir"), "").map_or(dir.clone(), |path| dir.join(path));
        Ok(match [&dir, &common].into_iter().find_map(|dir| way_out(border, dir)) {
            Some(out) => Err(out),
            None => stores(border, common.join("objects")),
        })
    }

    /// Whether a repository names a work tree as its own.
    fn points_back(&self, dir: &Path, top: &Path) -> Result<bool, Issue> {
        // A linked worktree's: the path of its `.git`.
        if let Some(file) = named_in(&dir.join("gitdir"), "") {
            let file = dir.join(file);
            let folder = file.parent().and_then(|folder| Machine.canonical(folder).ok());
            return Ok(folder.as_deref() == Some(top) && file.file_name() == Some(OsStr::new(".git")));
        }
        // A submodule's.
        let config = dir.join("config").display().to_string();
        let words = ["config", "--file", &config, "--no-includes", "--get", "core.worktree"];
        let named = self.ask(top, &words, b"")?.map(path_of);
        Ok(named.is_ok_and(|named| Machine.canonical(&dir.join(named)).is_ok_and(|real| real == top)))
    }
}

/// The path on the one line of a file.
fn named_in(file: &Path, before: &str) -> Option<PathBuf> {
    let bytes = Machine.read(file).ok()?;
    let bytes = bytes.strip_prefix(before.as_bytes())?.trim_ascii_end();
    Some(PathBuf::from(OsStr::from_bytes(bytes)))
}

/// A folder that lies outside, or a link in it that leads there.
fn way_out(border: &Border, dir: &Path) -> Option<PathBuf> {
    if border.excludes(dir, dir) {
        return Some(dir.to_owned());
    }
    let entries = Machine.list(dir).unwrap_or_default();
    let links = entries.into_iter().filter(|(_, kind)| *kind == EntryKind::Link);
    // Of a name that is no text nothing can be told.
    let out = |name: &str, path: &Path| name.contains('\u{fffd}') || border.excludes(path, path);
    links.map(|(name, _)| (dir.join(&name), name)).find(|(path, name)| out(name, path)).map(|(path, _)| path)
}

/// Whether a store of objects, and those that it borrows from, hold their files themselves; else what leads out.
fn stores(border: &Border, first: PathBuf) -> Result<(), PathBuf> {
    let mut seen = BTreeSet::new();
    let mut open = vec![first];
    while let Some(store) = open.pop() {
        if !seen.insert(Machine.canonical(&store).unwrap_or_else(|_| store.clone())) {
            continue;
        }
        let folders = Machine.list(&store).unwrap_or_default().into_iter();
        let folders = folders.filter(|(_, kind)| *kind == EntryKind::Dir).map(|(name, _)| store.join(name));
        let out = [store.clone()].into_iter().chain(folders).find_map(|dir| way_out(border, &dir));
        if let Some(out) = out.or_else(|| (seen.len() > MOST_STORES).then(|| store.clone())) {
            return Err(out);
        }
        let list = store.join("info/alternates");
        if Machine.kind(&list).is_none() {
            continue;
        }
        let Ok(lines) = Machine.read(&list) else { return Err(list) };
        for line in lines.split(|b| *b == b'\n').filter(|line| !line.is_empty() && !line.starts_with(b"#")) {
            // What stands in quotes is a path with letters that have to be decoded; nobody writes them by hand.
            if line.starts_with(b"\"") {
                return Err(list);
            }
            open.push(store.join(OsStr::from_bytes(line)));
        }
    }
    Ok(())
}
