//! Which file on the disk a relative path names, and which names are refused.
//!
//! Invariant: what [`resolve`] gives back lies below the canonical root, whatever links stand in the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization as _;

use super::{PHI_DIR, check_path, io_issue};
use crate::config::paths::{clean, relative_path};
use crate::config::writable::{is_own, refused};
use crate::host::{EntryKind, WriteHost};
use crate::issue::Issue;
use crate::text::shell_path;

/// The setting with which nothing stays specialised between runs.
const KEPT: &str = "settings {\n  keep = false\n}";

pub(super) const OPEN: &str = "journal";
pub(super) const COMMITTED: &str = "journal.committed";
pub(super) const DRAFT: &str = "journal.draft";

/// The meaning of a link in the last part of a path: the link itself (deletion), or its destination (writing).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Follow,
    Keep,
}

/// The absolute path without links that `relative` names. Where links lead is judged like what is named itself.
pub(super) fn resolve(
    host: &dyn WriteHost,
    root: &Path,
    relative: &Path,
    last: Last,
) -> Result<PathBuf, Issue> {
    check_form(relative)?;
    let real = without_links(host, root, relative, last)?;
    let below = real.strip_prefix(root).unwrap_or(&real);
    if below != relative {
        check_form(below).map_err(|issue| {
            let why = format!("A link leads there from {}. {}", relative.display(), issue.why);
            Issue { why, ..issue }.fix("Put a copy in place of the link.", "")
        })?;
    }
    Ok(real)
}

fn without_links(host: &dyn WriteHost, root: &Path, relative: &Path, last: Last) -> Result<PathBuf, Issue> {
    let mut at = root.to_path_buf();
    let own = is_own(relative);
    let mut names = relative.components().peekable();
    while let Some(name) = names.next() {
        let is_last = names.peek().is_none();
        at.push(name);
        match host.entry(&at).map_err(|e| io_issue("look at", &at, &e))? {
            None => {
                at.extend(names);
                return Ok(at);
            }
            Some(EntryKind::Link) if is_last && (own || last == Last::Keep) => {}
            Some(EntryKind::Link) if own => return Err(through(root, relative, &at)),
            Some(EntryKind::Link) => {
                at = follow(host, root, (relative, is_last), &at)?;
                check_kind(relative, &at, host.kind(&at), is_last)?;
            }
            kind => check_kind(relative, &at, kind, is_last)?,
        }
    }
    Ok(at)
}

/// What is tf-phi's own stands in folders: a link on the way would have it written elsewhere.
fn through(root: &Path, relative: &Path, link: &Path) -> Issue {
    let shown = link.strip_prefix(root).unwrap_or(link).display().to_string();
    refused(relative, "would be written through a link", format!("{shown} is a symbolic link."))
        .fix("Remove it:", format!("rm {}", shell_path(&shown)))
}

fn follow(
    host: &dyn WriteHost,
    root: &Path,
    (relative, is_file): (&Path, bool),
    link: &Path,
) -> Result<PathBuf, Issue> {
    let real = host.canonical(link).map_err(|e| io_issue("follow the link", link, &e))?;
    if real.starts_with(root) {
        return Ok(real);
    }
    let why = format!(
        "{} is a symbolic link that leads outside {}; what stands there may belong to other configurations.",
        link.display(),
        root.display()
    );
    let issue = refused(relative, "leads outside the working directory", why);
    Err(match is_file {
        true => issue
            .fix("Have runs put a file in its place, and the link back. In phi.hcl:", KEPT)
            .fix("For one run, `--ephemeral` does so:", "tf-phi plan --ephemeral")
            .fix("Or put a copy in place of the link.", ""),
        false => issue.fix(
            format!(
                "Name the folder itself in `source`, and not through the link: it is {}.",
                relative_path(root, &real).display()
            ),
            "",
        ),
    })
}

/// Returns true if a link at `relative`, which is `target` on the disk, leads to the file below the root that its
/// text names: no link stands on the way to either of the two, and where another stands in the place of that file,
/// the transaction replaces it.
pub(super) fn leads_below(
    host: &dyn WriteHost,
    root: &Path,
    (relative, target): (&Path, &Path),
    to: &Path,
    replaced: &dyn Fn(&Path) -> bool,
) -> bool {
    let folder = relative.parent().unwrap_or(Path::new(""));
    let named = clean(&folder.join(to));
    let is_there =
        || without_links(host, root, &named, Last::Keep).is_ok_and(|real| real == root.join(&named));
    let is_link = || matches!(host.entry(&root.join(&named)), Ok(Some(EntryKind::Link)));
    target == root.join(relative)
        && check_form(&named).is_ok()
        && is_there()
        && (replaced(&named) || !is_link())
}

fn check_kind(relative: &Path, at: &Path, kind: Option<EntryKind>, is_last: bool) -> Result<(), Issue> {
    match (kind, is_last) {
        (Some(EntryKind::Dir), false) | (Some(EntryKind::File), true) => Ok(()),
        (Some(EntryKind::Dir), true) => {
            Err(refused(relative, "is a folder", "A file has to be written or removed at that name."))
        }
        (_, false) => {
            Err(refused(relative, "can't be reached", format!("{} is not a folder.", at.display())))
        }
        (_, true) => Err(refused(relative, "is not a regular file", "Only regular files are replaced.")),
    }
}

/// The same of a path that a transaction is to write: it is none of the transaction's own files.
pub(super) fn check_form(relative: &Path) -> Result<(), Issue> {
    check_path(relative)?;
    let own = [OPEN, COMMITTED, DRAFT, super::lock::FILE];
    if own.iter().any(|name| relative == Path::new(PHI_DIR).join(name)) {
        return Err(refused(
            relative,
            "is kept by the transaction itself",
            "No change may be planned there.",
        ));
    }
    Ok(())
}

/// Folders between the root and a file that are not there yet, outermost first.
pub(super) fn missing_dirs(host: &dyn WriteHost, root: &Path, file: &Path) -> io::Result<Vec<PathBuf>> {
    let mut missing = Vec::new();
    for dir in file.ancestors().skip(1).take_while(|d| *d != root && d.starts_with(root)) {
        if host.entry(dir)?.is_some() {
            break;
        }
        missing.push(dir.to_path_buf());
    }
    missing.reverse();
    Ok(missing)
}

/// Refuses names that a file system which ignores case would take for one.
///
/// `kept` are the absolute paths of the set that exist afterwards, `gone` those that do not.
pub(super) fn check_clashes(
    host: &dyn WriteHost,
    root: &Path,
    kept: &[&Path],
    gone: &[&Path],
) -> Result<(), Issue> {
    let mut spelled: BTreeMap<String, PathBuf> = BTreeMap::new();
    // Many files share their folders: each is looked at once.
    let (mut seen, mut listed) = (BTreeSet::new(), BTreeSet::new());
    let gone: BTreeSet<&Path> = gone.iter().copied().collect();
    let mut meet = |path: PathBuf| match spelled.insert(fold(&path), path.clone()) {
        Some(other) if other != path => Err(clash(root, &path, &other)),
        _ => Ok(()),
    };
    for path in kept {
        for part in path.ancestors().take_while(|p| *p != root && p.starts_with(root)) {
            if !seen.insert(part) {
                break;
            }
            meet(part.to_path_buf())?;
            let Some(parent) = part.parent() else { continue };
            let is_new = host.entry(part).map_err(|e| io_issue("look at", part, &e))?.is_none();
            if !is_new || listed.contains(parent) || host.kind(parent) != Some(EntryKind::Dir) {
                continue;
            }
            listed.insert(parent);
            for (name, _) in host.list(parent).map_err(|e| io_issue("list", parent, &e))? {
                let sibling = parent.join(name);
                if !gone.contains(sibling.as_path()) {
                    meet(sibling)?;
                }
            }
        }
    }
    Ok(())
}

fn clash(root: &Path, one: &Path, other: &Path) -> Issue {
    let show = |p: &Path| p.strip_prefix(root).unwrap_or(p).display().to_string();
    refused(
        Path::new(&show(one)),
        &format!("differs from {} only in case", show(other)),
        "On a file system that ignores case the two would be one file.",
    )
    .fix(format!("Give {} another name.", show(other)), "")
}

fn fold(path: &Path) -> String {
    let path = path.to_string_lossy();
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    path.nfc().flat_map(char::to_lowercase).collect()
}
