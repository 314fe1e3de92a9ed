//! Environments: the variable files that `phi.hcl` names, or else those below the root, each a set of values that some run
//! gives.

use super::near::Near;
use super::patterns::{fixed, matching};
use super::{VarValues, below, file};
use crate::config::load::folder::sentence;
use crate::config::phi::{PhiConfig, Placed};
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

/// The environments that files give.
#[derive(Debug, Default)]
pub struct ByFile {
    /// Those that could be read.
    pub read: Vec<Environment>,
    /// The files that nobody named and that Terraform would refuse.
    pub passed_over: Vec<PathBuf>,
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
) -> (ByFile, Vec<Issue>) {
    let mut all = ByFile::default();
    let Some(root) = config.root().filter(|m| !m.variables.is_empty()).map(|m| m.dir.clone()) else {
        return (all, Vec::new());
    };
    let (found, mut issues) = match patterns {
        Some(patterns) => named(view, &root, patterns),
        None => match below::files(view, &root) {
            Some(found) => (found.into_iter().collect(), Vec::new()),
            None => (BTreeSet::new(), vec![too_many_folders()]),
        },
    };
    for path in found {
        let (entries, faults) = file::read(view, &path, &mut config.sources);
        let passed_over = patterns.is_none() && faults.iter().any(Issue::is_error);
        issues.extend(
            faults.into_iter().map(|fault| if passed_over { not_counted(fault, &path) } else { fault }),
        );
        let values: VarValues = entries.into_iter().collect();
        if patterns.is_none() && is_for_others(config, &values) {
            continue;
        }
        match passed_over {
            true => all.passed_over.push(path),
            false => all.read.push(Environment { values, path, named: patterns.is_some() }),
        }
    }
    (all, issues)
}

/// Returns true if variable files are looked for at a path below the root module, or in it where it is a folder: `phi.hcl` names it, or nothing and it is not hidden.
pub fn is_searched(phi: &PhiConfig, path: &Path) -> bool {
    let root = Path::new("");
    let is_on_way = |(pattern, _): &Placed<String>| {
        let folder = fixed(root, pattern);
        folder.starts_with(path) || path.starts_with(&folder)
    };
    let named = || phi.environments.iter().flat_map(|decl| &decl.var_files);
    let is_hidden = path.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.'));
    let is_default = || phi.settings.environments.is_none() && phi.environments.is_empty() && !is_hidden;
    let patterns = phi.settings.environments.iter().flatten();
    is_default() || patterns.chain(&phi.settings.common).chain(named()).any(is_on_way)
}

/// The arguments of backends, which `-backend-config` reads from files of the same form.
const OF_BACKENDS: [&str; 24] = [
    "access_key",
    "acl",
    "bucket",
    "container_name",
    "dynamodb_table",
    "encrypt",
    "endpoint",
    "hostname",
    "key",
    "kms_key_id",
    "organization",
    "path",
    "prefix",
    "profile",
    "region",
    "resource_group_name",
    "role_arn",
    "skip_metadata_api_check",
    "storage_account_name",
    "subscription_id",
    "tenant_id",
    "use_lockfile",
    "workspace_key_prefix",
    "workspaces",
];

/// Returns true if a file that nobody named gives no variable of this root: it is meant for another one, or for a backend, which may
/// share names such as `region` with variables.
fn is_for_others(config: &Config, values: &VarValues) -> bool {
    let declared = |name: &str| config.root().is_some_and(|root| root.variables.contains_key(name));
    let of_backend = || values.keys().all(|name| OF_BACKENDS.contains(&&**name));
    let some_undeclared = values.keys().any(|name| !declared(name));
    some_undeclared && (values.keys().all(|name| !declared(name)) || of_backend())
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
    let why = format!("{} The values in {shown} don't count for any field.", sentence(&fault.why));
    Issue { severity: Severity::Warning, why, ..fault }.fix(
        "Correct the file, or say in `phi.hcl` which variable files are meant:",
        "settings {\n  environments = []\n}",
    )
}
