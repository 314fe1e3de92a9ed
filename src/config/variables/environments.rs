//! Environments: the variable files that `phi.hcl` names, or else those below the root, each a set of values that some run
//! gives.

use super::{VarOrigin, VarValue, VarValues, below, file};
use crate::config::nearest::nearest;
use crate::config::{Config, View, outside, paths};
use crate::host::EntryKind;
use crate::issue::{Code, Issue, Severity};
use globset::{ErrorKind, GlobBuilder, GlobSetBuilder};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders are searched no deeper than this below the fixed part of a pattern.
const MAX_DEPTH: usize = 16;
/// No more files than this are taken.
const MAX_FILES: usize = 1_000;

/// One variable file and what it gives.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The file.
    pub path: PathBuf,
    /// Its values, declared or not.
    pub values: VarValues,
    /// Whether `phi.hcl` names it.
    pub named: bool,
}

/// The environments that paths or patterns (relative to the root module) name, by path, each once; without these, the variable
/// files below the root.
///
/// A pattern that names nothing is an issue: what it was meant to cover would be missing from a universe. So is a file that
/// can't be read; one that nobody named is passed over with a warning.
pub fn environments(
    view: View<'_>,
    config: &mut Config,
    patterns: Option<&[(String, crate::text::Place)]>,
) -> (Vec<Environment>, Vec<Issue>) {
    let Some(root) = config.root().filter(|m| !m.variables.is_empty()).map(|m| m.dir.clone()) else {
        return (Vec::new(), Vec::new());
    };
    let (found, mut issues) = match patterns {
        Some(patterns) => named(view, &root, patterns),
        None => match below::files(view, &root) {
            Some(found) => (found, Vec::new()),
            None => (Vec::new(), vec![too_many_folders()]),
        },
    };
    let mut all = Vec::new();
    for path in found {
        let (entries, faults) = file::read(view, &path, &mut config.sources);
        let passed_over = patterns.is_none() && faults.iter().any(Issue::is_error);
        issues.extend(
            faults.into_iter().map(|fault| if passed_over { not_counted(fault, &path) } else { fault }),
        );
        if passed_over {
            continue;
        }
        let values = entries.into_iter().map(|e| {
            let origin = VarOrigin::File(path.clone());
            (e.name, VarValue { given: e.given, origin, place: Some(e.place) })
        });
        all.push(Environment { values: values.collect(), path: path.clone(), named: patterns.is_some() });
    }
    (all, issues)
}

/// The files that patterns name, by path, each once.
fn named(
    view: View<'_>,
    root: &Path,
    patterns: &[(String, crate::text::Place)],
) -> (Vec<PathBuf>, Vec<Issue>) {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut issues = Vec::new();
    for (pattern, place) in patterns {
        let within = fixed(&paths::join(root, pattern));
        if view.host.is_outside(paths::or_dot(&within)) {
            issues.push(outside::folder(&within).at(*place));
            continue;
        }
        match matching(view, root, pattern) {
            Ok(files) if files.is_empty() => {
                let mut why = format!("No file matches \"{pattern}\".");
                if let Some(near) = like(view, root, pattern) {
                    why.push_str(&format!(" Did you mean \"{near}\"?"));
                }
                issues.push(Issue::error(Code::Config, "No such environment", why).at(*place));
            }
            Ok(files) => found.extend(files),
            Err(why) => issues.push(Issue::error(Code::Config, "Invalid pattern", why).at(*place)),
        }
    }
    found.sort();
    found.dedup();
    (found, issues)
}

fn too_many_folders() -> Issue {
    let why = "There are too many folders below the root module to look for variable files in all of them.";
    Issue::warning(Code::Config, "No variable file counts", why)
        .fix("Say in `phi.hcl` which are meant:", "settings {\n  environments = [\"*.tfvars\"]\n}")
}

/// A fault in a file that nobody named, as a warning.
fn not_counted(fault: Issue, path: &Path) -> Issue {
    let shown = paths::shown(path);
    let why = format!("{} So the values in {shown} don't count for any field.", fault.why);
    Issue { severity: Severity::Warning, why, ..fault }.fix(
        "Correct the file, or say in `phi.hcl` which variable files are meant:",
        "settings {\n  environments = []\n}",
    )
}

/// The variable file that a path or pattern was meant for, or the pattern for all of its folder.
pub(super) fn like(view: View<'_>, root: &Path, pattern: &str) -> Option<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for kind in ["*.tfvars", "*.tfvars.json"] {
        for file in matching(view, root, &format!("**/{kind}")).unwrap_or_default() {
            let file = file.strip_prefix(root).unwrap_or(&file);
            names.insert(paths::shown(file));
            names.extend(file.parent().map(|folder| paths::shown(&folder.join(kind))));
        }
    }
    nearest(pattern, names.iter().map(String::as_str)).map(str::to_owned)
}

/// What stands for other letters in a pattern.
const SPECIAL: [char; 4] = ['*', '?', '[', '{'];

/// The folder that a pattern is within, or the file that it names.
fn fixed(pattern: &Path) -> PathBuf {
    pattern.components().take_while(|c| !c.as_os_str().to_string_lossy().contains(SPECIAL)).collect()
}

/// The files below `root` that a pattern matches.
fn matching(view: View<'_>, root: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    if !pattern.contains(SPECIAL) {
        let path = paths::join(root, pattern);
        return Ok(if view.is_file(&path) { vec![path] } else { Vec::new() });
    }
    let whole = paths::join(root, pattern);
    let glob = GlobBuilder::new(&whole.to_string_lossy())
        .literal_separator(true)
        .build()
        .and_then(|glob| GlobSetBuilder::new().add(glob).build())
        .map_err(|e| match e.kind() {
            // The expression that a pattern becomes is long, and none of the user's.
            ErrorKind::Regex(_) => format!("\"{pattern}\" is too complicated for a pattern."),
            kind => format!("\"{pattern}\" is not a pattern: {kind}."),
        })?;
    let mut found = Vec::new();
    let mut open = vec![(fixed(&whole), 0)];
    while let Some((dir, depth)) = open.pop() {
        for name in view.files(&dir).unwrap_or_default() {
            let path = dir.join(name);
            if glob.is_match(&path) {
                found.push(path);
            }
        }
        if found.len() > MAX_FILES {
            return Err(format!("\"{pattern}\" matches more than {MAX_FILES} files."));
        }
        if depth >= MAX_DEPTH {
            continue;
        }
        for (name, kind) in view.host.list(paths::or_dot(&dir)).unwrap_or_default() {
            if kind == EntryKind::Dir && name != ".terraform" && name != ".git" {
                open.push((dir.join(name), depth + 1));
            }
        }
    }
    Ok(found)
}
