//! Environments: the variable files that `phi.hcl` names, or else those below the root, each a set of values that some run
//! gives.

use super::near::Near;
use super::patterns::{fixed, matching};
use super::{VarValues, below, file};
use crate::config::{Config, View, outside, paths};
use crate::issue::{Code, Issue, Severity};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A variable file and the values that it gives.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The file.
    pub path: PathBuf,
    /// Its values, declared or not.
    pub values: VarValues,
    /// True if `phi.hcl` names it.
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
            Some(found) => (found.into_iter().collect(), Vec::new()),
            None => (BTreeSet::new(), vec![too_many_folders()]),
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
        all.push(Environment { values: entries.into_iter().collect(), path, named: patterns.is_some() });
    }
    (all, issues)
}

/// The files that patterns name, by path, each once.
fn named(
    view: View<'_>,
    root: &Path,
    patterns: &[(String, crate::text::Place)],
) -> (BTreeSet<PathBuf>, Vec<Issue>) {
    let mut issues = Vec::new();
    let mut within = Vec::new();
    for (pattern, place) in patterns {
        let folder = fixed(root, pattern);
        match view.host.is_outside(paths::or_dot(&folder)) {
            true => issues.push(outside::folder(&folder).at(*place)),
            false => within.push((&**pattern, *place)),
        }
    }
    let near = Near::below(view, root);
    let texts: Vec<&str> = within.iter().map(|(pattern, _)| *pattern).collect();
    let found = matching(view, root, &texts);
    for ((pattern, place), count) in within.into_iter().zip(found.counts) {
        let (summary, why) = match count {
            Ok(0) => {
                let why = format!("No file matches \"{pattern}\".{}", near.question(pattern));
                ("No such environment", why)
            }
            Ok(_) => continue,
            Err(why) => ("Invalid pattern", why),
        };
        issues.push(Issue::error(Code::Config, summary, why).at(place));
    }
    (found.files, issues)
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
