//! Checks that a repository's objects are those of the tree.
//!
//! A clone brings no `.git`, but an archive may: one that leads to another repository of the same user, whose text would then be
//! shown. In: a work tree and the border around it. Invariant: what lies outside counts only where it says itself that it belongs
//! here, as the repository of a linked worktree and of a submodule does, or where the user names it.

use super::{Git, path_of};
use crate::host::{Border, EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::text::shell_word;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

impl Git {
    /// Refuses a work tree whose objects are another repository's.
    ///
    /// # Errors
    /// [`Code::Outside`], with the way out.
    pub(super) fn judge(&self, border: &Border, top: &Path) -> Result<(), Issue> {
        let Some(out) = self.way_out(border, top)? else { return Ok(()) };
        let shown = out.display().to_string();
        let why = format!(
            "Its `.git` leads to {shown}, which doesn't name this work tree as its own. A tree is not to show what another \
             repository holds."
        );
        let issue =
            Issue::error(Code::Outside, format!("the objects of {} lie elsewhere", top.display()), why);
        if out.starts_with(top) {
            return Err(issue.fix("Remove what leads out, or clone the repository anew.", ""));
        }
        let folder = shell_word(&shown);
        Err(issue.fix(
            "If you trust what stands there, say so in the environment:",
            format!("export {0}=\"${0}:\"{folder}", crate::host::TRUSTED),
        ))
    }

    /// Returns the place outside of a work tree to which its `.git` leads, if it isn't this work tree's own. Git
    /// itself is asked where it leads, because git reads these files in its own way.
    pub(super) fn way_out(&self, border: &Border, top: &Path) -> Result<Option<PathBuf>, Issue> {
        let dot = top.join(".git");
        if !border.holds(&dot) {
            return Ok(Some(dot));
        }
        let Some([dir, common, objects]) = self.find_folders(top)? else { return Ok(Some(dot)) };
        if !border.holds(&dir) {
            return Ok((!self.points_back(&dir, top)?).then_some(dir));
        }
        if let Some(out) = [&dir, &common].into_iter().find_map(|dir| folder_way_out(border, dir)) {
            return Ok(Some(out));
        }
        let Ok(counted) = self.ask(top, &["count-objects", "-v"], b"")? else { return Ok(Some(objects)) };
        // What they are borrowed from; a path in quotes is left to fail.
        let lines = counted.split(|b| *b == b'\n').filter_map(|line| line.strip_prefix(b"alternate: "));
        let borrowed = lines.map(|path| PathBuf::from(OsStr::from_bytes(path)));
        Ok([objects].into_iter().chain(borrowed).find_map(|store| store_way_out(border, &store)))
    }

    /// The folders of a repository: that of the work tree, the one that its work trees share, and that of the objects.
    fn find_folders(&self, top: &Path) -> Result<Option<[PathBuf; 3]>, Issue> {
        const WORDS: [&[&str]; 3] =
            [&["--absolute-git-dir"], &["--git-common-dir"], &["--git-path", "objects"]];
        let ask = |words: &[&str]| -> Result<Vec<u8>, Issue> {
            let words = [&["rev-parse", "--path-format=absolute"], words].concat();
            Ok(self.ask(top, &words, b"")?.unwrap_or_default())
        };
        let said = ask(&WORDS.concat())?;
        let lines: Vec<&[u8]> = said.strip_suffix(b"\n").unwrap_or_default().split(|b| *b == b'\n').collect();
        if let Ok(lines) = <[&[u8]; 3]>::try_from(lines) {
            return Ok(Some(lines.map(|line| path_of(line.to_vec()))));
        }
        // A folder with a newline in its name makes more lines: then one is asked for at a time.
        let mut out: [PathBuf; 3] = Default::default();
        for (folder, words) in out.iter_mut().zip(WORDS) {
            *folder = path_of(ask(words)?);
        }
        Ok(out.iter().all(|folder| !folder.as_os_str().is_empty()).then_some(out))
    }

    /// Returns true if a repository names a work tree as its own.
    fn points_back(&self, dir: &Path, top: &Path) -> Result<bool, Issue> {
        // A linked worktree's: the path of its `.git`.
        if let Some(file) = named_in(&dir.join("gitdir")) {
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
fn named_in(file: &Path) -> Option<PathBuf> {
    let bytes = Machine.read(file).ok()?;
    Some(PathBuf::from(OsStr::from_bytes(bytes.trim_ascii_end())))
}

/// A folder that lies outside or can't be listed, or a link in it that leads out.
fn folder_way_out(border: &Border, dir: &Path) -> Option<PathBuf> {
    if !border.holds(dir) {
        return Some(dir.to_owned());
    }
    let Ok(entries) = Machine.list(dir) else { return Some(dir.to_owned()) };
    let links = entries.into_iter().filter(|(_, kind)| *kind == EntryKind::Link);
    // Of a name that is no text nothing can be told.
    let out = |name: &str, path: &Path| name.contains('\u{fffd}') || !border.holds(path);
    links.map(|(name, _)| (dir.join(&name), name)).find(|(path, name)| out(name, path)).map(|(path, _)| path)
}

/// The same for a store of objects, with the folders in it, those behind links included. What the user trusts is taken as it is.
fn store_way_out(border: &Border, store: &Path) -> Option<PathBuf> {
    if Machine.canonical(store).is_ok_and(|real| border.trusts(&real)) {
        return None;
    }
    let out = folder_way_out(border, store);
    out.or_else(|| {
        let entries = Machine.list(store).unwrap_or_default().into_iter().map(|(name, _)| store.join(name));
        entries
            .filter(|path| Machine.kind(path) == Some(EntryKind::Dir))
            .find_map(|dir| folder_way_out(border, &dir))
    })
}
