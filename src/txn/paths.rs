//! Which file on the disk a relative path names, and which names are refused.
//!
//! Invariant: what [`resolve`] gives back lies below the canonical root, whatever links stand in the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization as _;

use super::{PHI_DIR, io_issue, journal};
use crate::host::{EntryKind, WriteHost};
use crate::issue::{Code, Issue};

/// Whether a link in the last place is itself meant (deletion) or what it points to (writing).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Follow,
    Keep,
}

/// The absolute path without links that `relative` names.
pub(super) fn resolve(
    host: &dyn WriteHost,
    root: &Path,
    relative: &Path,
    last: Last,
) -> Result<PathBuf, Issue> {
    check_form(relative)?;
    let mut at = root.to_path_buf();
    let mut names = relative.components().peekable();
    while let Some(name) = names.next() {
        let is_last = names.peek().is_none();
        at.push(name);
        match host.entry(&at).map_err(|e| io_issue("look at", &at, &e))? {
            None => {
                at.extend(names);
                return Ok(at);
            }
            Some(EntryKind::Link) if is_last && last == Last::Keep => {}
            Some(EntryKind::Link) => {
                at = follow(host, root, relative, &at)?;
                check_kind(relative, &at, host.kind(&at), is_last)?;
            }
            kind => check_kind(relative, &at, kind, is_last)?,
        }
    }
    Ok(at)
}

fn follow(host: &dyn WriteHost, root: &Path, relative: &Path, link: &Path) -> Result<PathBuf, Issue> {
    let real = host.canonical(link).map_err(|e| io_issue("follow the link", link, &e))?;
    if real.starts_with(root) {
        return Ok(real);
    }
    let why = format!(
        "{} is a symbolic link to {}, outside {}; what stands there may belong to other configurations.",
        link.display(),
        real.display(),
        root.display()
    );
    Err(refused(relative, "leads outside the working directory", why)
        .fix("Put a copy in place of the link, or run tf-phi in the folder that holds both.", ""))
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

/// A relative path of ordinary UTF-8 names that is a kind of file tf-phi writes: configuration, variables, tests, its own records,
/// and Terraform's list of modules. Records, markers and journals may come with a clone, so what they name is judged by this too.
///
/// # Errors
/// [`Code::Unsupported`], saying what is wrong with it.
pub fn check_path(relative: &Path) -> Result<(), Issue> {
    check_dir(relative)?;
    let name = relative.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    if relative.starts_with(PHI_DIR) || LISTS.contains(&name) || KINDS.iter().any(|end| name.ends_with(end)) {
        return Ok(());
    }
    Err(refused(relative, "is no file of a configuration", "Only such files are written."))
}

/// The same of a folder.
pub(super) fn check_dir(relative: &Path) -> Result<(), Issue> {
    let ordinary = relative.components().all(|c| matches!(c, Component::Normal(_)));
    if !ordinary || relative.as_os_str().is_empty() {
        return Err(refused(
            relative,
            "is not below the working directory",
            "Only what lies there is written.",
        ));
    }
    let Some(text) = relative.to_str() else {
        return Err(refused(relative, "is not UTF-8", "Terraform reads no such names either."));
    };
    if text.chars().any(char::is_control) {
        return Err(refused(relative, "holds a control character", "No configuration has such names."));
    }
    if let Some(name) = hidden(relative) {
        let why = format!("{name} belongs to another program, and tf-phi writes nothing into it.");
        return Err(refused(relative, "is in a folder of another program's", why));
    }
    Ok(())
}

/// The same of a path that a transaction is to write: it is none of the transaction's own files.
pub(super) fn check_form(relative: &Path) -> Result<(), Issue> {
    check_path(relative)?;
    let own = [journal::OPEN, journal::COMMITTED, journal::DRAFT, super::lock::FILE];
    if own.iter().any(|name| relative == Path::new(PHI_DIR).join(name)) {
        return Err(refused(
            relative,
            "is kept by the transaction itself",
            "No change may be planned there.",
        ));
    }
    Ok(())
}

/// How the names of files end that Terraform and OpenTofu read as configuration.
const KINDS: &[&str] = &[
    ".tf",
    ".tf.json",
    ".tofu",
    ".tofu.json",
    ".tfvars",
    ".tfvars.json",
    ".tftest.hcl",
    ".tftest.json",
    ".tofutest.hcl",
    ".tofutest.json",
];

/// A name on the way that begins with a dot, other than tf-phi's own folder at the root and Terraform's list of modules.
fn hidden(relative: &Path) -> Option<String> {
    let names: Vec<&str> = relative.iter().filter_map(|name| name.to_str()).collect();
    let list = matches!(names.as_slice(), [.., "modules", file] if LISTS.contains(file));
    let is_git = |name: &str| name.to_lowercase().starts_with(".git");
    if names.first() == Some(&PHI_DIR) {
        return None;
    }
    let other = |name: &&&str| name.starts_with('.') && (!list || is_git(name));
    names.iter().find(other).map(|name| (*name).to_owned())
}

/// Terraform's list of installed modules, and the one that is kept beside it.
const LISTS: &[&str] = &["modules.json", "tf-phi.json"];

fn refused(relative: &Path, what: &str, why: impl Into<String>) -> Issue {
    let shown = relative.display().to_string();
    Issue::error(Code::Unsupported, format!("{shown} {what}"), why).in_path(shown)
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
