//! Environments by name: what a run of each gives to the root variables.
//!
//! They come from the `environment` blocks of `phi.hcl`, and from variable files: those that `settings.environments` matches, or,
//! where there is neither a block nor the setting, those below the root. Without any there is one, `default`. Invariant: no two
//! have one name. Absent on purpose: which of the values reach a field.

use super::near::Near;
use super::patterns::{fixed, matching};
use super::{Environment, Given, Run, VarArg, VarValue, VarValues, deployments, environments, file};
use crate::config::nearest::question;
use crate::config::phi::{EnvironmentDecl, PhiConfig, Placed};
use crate::config::{Config, Deployment, View, outside, paths};
use crate::issue::{Code, Issue};
use crate::value::{Value, hcl};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file in which environments are declared.
const PHI: &str = "phi.hcl";

/// The name of the only environment where none is named.
const DEFAULT: &str = "default";

/// A named assignment of the root variables.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name.
    pub name: Arc<str>,
    /// The workspace, where one is named.
    pub workspace: Option<String>,
    /// The workspace that its own block names: in a base another one may stand above.
    pub declared_workspace: Option<String>,
    /// Variable files, from weak to strong, relative to the host.
    pub files: Vec<PathBuf>,
    /// Values that go before those of the files.
    pub variables: BTreeMap<Arc<str>, Placed<Value>>,
    /// Variable files that Terraform reads by itself in each environment, from weak to strong.
    automatic: Arc<[PathBuf]>,
    /// The values that a deployment gives.
    deployed: VarValues,
    /// True if a block of `phi.hcl` declares it. Without a workspace there it is the default one's.
    pub is_declared: bool,
    /// True if nobody named it: it is what a run has that is given nothing.
    pub is_default: bool,
    /// The arguments that the process's environment adds to a run of the one that nobody named.
    pub args: Vec<VarArg>,
    /// What keeps these from being read.
    pub args_fault: Option<Box<Issue>>,
}

impl Named {
    /// The environment of a configuration that names none.
    pub fn unnamed() -> Named {
        Named {
            name: DEFAULT.into(),
            workspace: None,
            declared_workspace: None,
            files: Vec::new(),
            variables: BTreeMap::new(),
            automatic: Arc::new([]),
            deployed: VarValues::new(),
            is_declared: false,
            is_default: true,
            args: Vec::new(),
            args_fault: None,
        }
    }

    /// The environments of a base: those of the head, each as the base has it under that name or of the very same files, or else where any
    /// of its files is there already; and those that are gone.
    pub fn of_head(head: &[Named], base: &[Named], is_there: &dyn Fn(&Path) -> bool) -> Vec<Named> {
        let automatic = base.first().map(|named| named.automatic.clone()).unwrap_or_default();
        let names: BTreeSet<&str> = head.iter().map(|env| &*env.name).collect();
        let own: BTreeMap<&str, &Named> = base.iter().map(|env| (&*env.name, env)).collect();
        // Each stands for one of the head at most.
        let mut renamed: BTreeMap<&[PathBuf], &Named> = BTreeMap::new();
        for env in base.iter().filter(|env| !names.contains(&*env.name) && !env.files.is_empty()) {
            renamed.entry(&env.files).or_insert(env);
        }
        let mut found = BTreeSet::new();
        let mut all = Vec::new();
        for env in head {
            match own.get(&*env.name).copied().or_else(|| renamed.remove(env.files.as_slice())) {
                Some(before) => {
                    found.insert(&*before.name);
                    all.push(env.as_before(before));
                }
                None if env.files.is_empty() || env.files.iter().any(|file| is_there(file)) => {
                    let files = env.files.iter().filter(|file| is_there(file)).cloned().collect();
                    all.push(Named { files, automatic: automatic.clone(), ..env.clone() });
                }
                None => {}
            }
        }
        all.extend(base.iter().filter(|env| !found.contains(&*env.name)).cloned());
        all
    }

    /// The same environment in a base. What was given there is part of the base: another value is a change. How it is run is the head's to say,
    /// unless a block there says it, too.
    fn as_before(&self, before: &Named) -> Named {
        let (workspace, is_declared) = match before.is_declared {
            true => (before.workspace.clone(), true),
            false => (self.workspace.clone(), self.is_declared),
        };
        Named {
            name: self.name.clone(),
            workspace,
            is_declared,
            is_default: self.is_default,
            ..before.clone()
        }
    }

    /// Every variable file that a run reads, those that Terraform reads by itself among them.
    pub fn read_files(&self) -> impl Iterator<Item = &PathBuf> {
        let of_args = self.args.iter().filter_map(|arg| match arg {
            VarArg::File(path) => Some(path),
            VarArg::Var(_) => None,
        });
        self.files.iter().chain(self.automatic.iter()).chain(of_args)
    }

    /// The values that a deployment gives, as far as they are known; null is none.
    pub fn deployed(&self) -> impl Iterator<Item = (&Arc<str>, &Value)> {
        self.deployed.iter().filter_map(|(name, value)| match &value.given {
            Given::Value(value) if !value.is_null() => Some((name, value)),
            _ => None,
        })
    }
}

impl Named {
    /// The values that its block lists.
    fn listed(&self) -> VarValues {
        let one = |(name, (value, place)): (&Arc<str>, &Placed<Value>)| {
            (name.clone(), VarValue::in_file(Given::Value(value.clone()), Path::new(PHI), *place))
        };
        self.variables.iter().map(one).collect()
    }
}

/// The environments of a configuration.
#[derive(Debug, Default)]
pub struct Environments {
    /// The sets of values that some run gives, file by file.
    pub files: Vec<Environment>,
    /// The same by the names of environments; never empty.
    pub named: Vec<Named>,
    /// Environments of files that nobody named and that Terraform would refuse. They give no value to any field.
    pub refused: Vec<Named>,
}

/// Reads the environments of a configuration.
pub fn all(view: View<'_>, config: &mut Config, phi: &PhiConfig) -> (Environments, Vec<Issue>) {
    if config.is_stack() {
        return (deployed(config), phi.environments.first().map(of_stack).into_iter().collect());
    }
    let root = config.root().map(|m| m.dir.clone()).unwrap_or_default();
    let patterns = phi.settings.environments.as_deref();
    // Whoever writes blocks says which files are meant.
    let patterns = patterns.or_else(|| (!phi.environments.is_empty()).then_some(&[]));
    let (by_file, mut issues) = environments(view, config, patterns);
    let mut files = by_file.read;
    // The folder is listed once, however many environments there are.
    let automatic: Arc<[PathBuf]> = super::automatic_files(view, &root).into();
    let near = Near::below(view, &root);
    issues.extend(
        automatic.iter().filter(|path| view.host.hides_values(path)).map(|path| file::warn_untracked(path)),
    );
    let common = common(view, &root, phi, &near, &mut issues);
    let declared: Vec<Named> =
        phi.environments.iter().map(|decl| declared(view, &root, decl, &near, &mut issues)).collect();
    let used: BTreeSet<&Path> = declared.iter().flat_map(|n| &n.files).map(PathBuf::as_path).collect();
    let free: Vec<&Path> = files
        .iter()
        .map(|e| &*e.path)
        .filter(|path| !used.contains(path) && automatic.iter().chain(&common).all(|own| own != path))
        .collect();
    let mut named = declared.clone();
    for (name, path) in names(&root, &free).into_iter().zip(&free) {
        if let Some(other) = named.iter().find(|n| *n.name == *name) {
            issues.push(twice(&name, path, other, phi));
            continue;
        }
        let name = name.into();
        named.push(Named { name, files: vec![path.to_path_buf()], ..Named::unnamed() });
        if let Some(last) = named.last_mut() {
            last.is_default = false;
        }
    }
    let own = |path: &&PathBuf| automatic.iter().chain(&common).all(|own| own != *path);
    let passed_over: Vec<&Path> = by_file.passed_over.iter().filter(own).map(PathBuf::as_path).collect();
    let mut refused = refused(&root, &free, &passed_over, &named);
    let commons = common.iter().filter_map(|path| given(view, config, path, &mut issues)).collect::<Vec<_>>();
    files.extend(commons);
    for env in &declared {
        files.extend(env.files.iter().filter_map(|path| given(view, config, path, &mut issues)));
        files.extend(listed(env));
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path && a.values.keys().eq(b.values.keys()) && !is_phi(&a.path));
    if named.is_empty() {
        named.push(Named::unnamed());
    }
    named.iter_mut().chain(&mut refused).for_each(|env| env.automatic = automatic.clone());
    for env in named.iter_mut().chain(&mut refused).filter(|env| !env.is_default) {
        env.files.splice(0..0, common.iter().cloned());
    }
    issues.extend(likely_common(config, &root, &files, &named));
    (Environments { files, named, refused }, issues)
}

/// The environments of files that Terraform would refuse, by the names that they have once they are mended; by their paths where these are
/// taken. `free`: the files that give the others their names.
fn refused(root: &Path, free: &[&Path], passed_over: &[&Path], named: &[Named]) -> Vec<Named> {
    let all: Vec<&Path> = free.iter().chain(passed_over).copied().collect();
    let names = names(root, &all).into_iter().skip(free.len());
    let one = |(name, path): (String, &&Path)| {
        let is_taken = named.iter().any(|other| *other.name == *name && !other.is_default);
        let name = if is_taken { paths::shown(path.strip_prefix(root).unwrap_or(path)) } else { name };
        Named { name: name.into(), files: vec![path.to_path_buf()], is_default: false, ..Named::unnamed() }
    };
    names.zip(passed_over).map(one).collect()
}

/// The warning for an `environment` block in a Stack's `phi.hcl`.
fn of_stack(decl: &EnvironmentDecl) -> Issue {
    let why = "The environments of a Stack are its deployments.";
    Issue::warning(Code::Config, "An environment block in a Stack", why).at(decl.place)
}

/// The deployments of a Stack.
fn deployed(config: &Config) -> Environments {
    let one = |deployment: &Deployment| Named {
        name: deployment.name.clone(),
        deployed: deployments::values(config, deployment),
        is_default: false,
        ..Named::unnamed()
    };
    let mut named: Vec<Named> = config.deployments.iter().map(one).collect();
    if named.is_empty() {
        named.push(Named::unnamed());
    }
    Environments { files: deployments::environments(config), named, refused: Vec::new() }
}

fn is_phi(path: &Path) -> bool {
    path.file_name().is_some_and(|n| n == PHI)
}

/// The environments that are asked for by name, in the order of the configuration; all of them where none is.
///
/// # Errors
/// A name that no environment has.
pub fn chosen<'n>(named: &'n [Named], asked: &[String]) -> Result<Vec<&'n Named>, Box<Issue>> {
    let names = || named.iter().map(|n| &*n.name);
    if let Some(unknown) = asked.iter().find(|a| names().all(|n| n != a.as_str())) {
        let why = match names().collect::<Vec<_>>().as_slice() {
            [DEFAULT] => "No environment is named: there is the one called \"default\".".to_owned(),
            all => format!("There is {}.", all.join(", ")),
        };
        let why = why + &question(unknown, names());
        let issue = Issue::error(Code::Config, format!("No environment is named \"{unknown}\""), why);
        let paste = format!(
            "environment {} {{\n  var_files = [{}]\n}}",
            hcl::quote(unknown),
            hcl::quote(&format!("env/{unknown}.tfvars"))
        );
        return Err(Box::new(issue.fix("Declare it in `phi.hcl`:", paste)));
    }
    Ok(named.iter().filter(|n| asked.is_empty() || asked.iter().any(|a| **a == *n.name)).collect())
}

/// Returns the values that a run of an environment gives to the root variables: those of files that Terraform reads
/// by itself, and over them its own. The process's environment variables, and arguments that they hold, count for the environment that nobody named.
pub fn values(view: View<'_>, config: &mut Config, env: &Named) -> (VarValues, Vec<Issue>) {
    let Some(mut run) = Run::over(view, config) else { return (VarValues::new(), Vec::new()) };
    if env.is_default {
        run.environment();
    }
    env.automatic.iter().for_each(|path| run.file(path));
    env.files.iter().for_each(|path| run.file(path));
    if env.is_default {
        env.args.iter().for_each(|arg| run.argument(arg));
        run.issues.extend(env.args_fault.as_deref().cloned());
    }
    run.values.extend(env.deployed.clone());
    run.values.extend(env.listed());
    // Of variables that a file gives and nothing declares Terraform only warns.
    run.issues.retain(Issue::is_error);
    (run.values, run.issues)
}

/// The files that `settings.common` names.
fn common(
    view: View<'_>,
    root: &Path,
    phi: &PhiConfig,
    near: &Near<'_>,
    issues: &mut Vec<Issue>,
) -> Vec<PathBuf> {
    let (mut patterns, mut out) = (Vec::new(), Vec::new());
    for (pattern, place) in &phi.settings.common {
        let folder = fixed(root, pattern);
        match view.host.is_outside(paths::or_dot(&folder)) {
            true => issues.push(outside::folder(&folder).at(*place)),
            false => patterns.push((pattern.as_str(), *place)),
        }
    }
    // Their order is that of the list: the later goes before.
    for (pattern, place) in patterns {
        let found = matching(view, root, &[pattern]);
        let count = found.counts.into_iter().next().unwrap_or(Ok(0));
        let (summary, why) = match count {
            Ok(0) => {
                let why = format!("No file matches \"{pattern}\".{}", near.question(pattern));
                ("No such variable file", why)
            }
            Ok(_) => {
                out.extend(found.files.into_iter().filter(|file| !out.contains(file)).collect::<Vec<_>>());
                continue;
            }
            Err(why) => ("Invalid pattern", why),
        };
        issues.push(Issue::error(Code::Config, summary, why).at(place));
    }
    out
}

/// A warning about a file of values that all environments are to have: it gives required variables that no other one gives, and
/// leaves out some that all others give.
fn likely_common(config: &Config, root: &Path, files: &[Environment], named: &[Named]) -> Option<Issue> {
    let required: BTreeSet<&Arc<str>> = config
        .root()?
        .variables
        .values()
        .filter(|variable| variable.default.is_none())
        .map(|variable| &variable.name)
        .collect();
    let alone = |env: &Named| match (env.files.as_slice(), env.variables.is_empty()) {
        ([only], true) => files.iter().find(|file| file.path == *only),
        _ => None,
    };
    let own: Vec<&Environment> = named.iter().filter_map(alone).collect();
    if own.len() < 3 || own.len() != named.len() {
        return None;
    }
    let gives = |file: &Environment, name: &Arc<str>| file.values.contains_key(name);
    let is_common = |file: &&Environment| {
        let others = || own.iter().filter(|other| other.path != file.path);
        let only_here = |name: &&&Arc<str>| gives(file, name) && !others().any(|other| gives(other, name));
        let only_there = |name: &&&Arc<str>| !gives(file, name) && others().all(|other| gives(other, name));
        required.iter().any(|name| only_here(&name)) && required.iter().any(|name| only_there(&name))
    };
    let found = own.iter().copied().find(is_common)?;
    let shown = paths::shown(found.path.strip_prefix(root).unwrap_or(&found.path));
    let why = format!(
        "{shown} gives required variables that no other file gives, and leaves out some that all others give. As it is, it counts as \
         an environment, and its values in no other."
    );
    let issue = Issue::warning(Code::Config, format!("{shown} is likely a file of common values"), why);
    let paste = format!("settings {{\n  common = [{}]\n}}", hcl::quote(&shown));
    Some(issue.in_path(shown).fix("Lay it below every environment's own files, in `phi.hcl`:", paste))
}

/// An `environment` block.
fn declared(
    view: View<'_>,
    root: &Path,
    decl: &EnvironmentDecl,
    near: &Near<'_>,
    issues: &mut Vec<Issue>,
) -> Named {
    let mut files = Vec::new();
    for (text, place) in &decl.var_files {
        let path = paths::join(root, text);
        // Nothing tells whether a file stands outside.
        if view.host.is_outside(&path) {
            issues.push(outside::file(&path).at(*place));
            continue;
        }
        if view.is_file(&path) {
            files.push(path);
            continue;
        }
        let name = &decl.name;
        let question = near.question(text);
        let why = format!("The environment \"{name}\" names \"{text}\", and no file stands there.{question}");
        issues.push(Issue::error(Code::Config, "No such variable file", why).at(*place));
    }
    Named {
        name: decl.name.clone(),
        workspace: decl.workspace.as_ref().map(|(w, _)| w.clone()),
        declared_workspace: decl.workspace.as_ref().map(|(w, _)| w.clone()),
        files,
        variables: decl.variables.clone(),
        is_declared: true,
        is_default: false,
        ..Named::unnamed()
    }
}

/// The values of one file.
fn given(view: View<'_>, config: &mut Config, path: &Path, issues: &mut Vec<Issue>) -> Option<Environment> {
    config.root().filter(|m| !m.variables.is_empty())?;
    let (entries, faults) = file::read(view, path, &mut config.sources);
    issues.extend(faults);
    Some(Environment { values: entries.into_iter().collect(), path: path.to_path_buf(), named: true })
}

/// The values that a block lists.
fn listed(env: &Named) -> Option<Environment> {
    let values = env.listed();
    (!values.is_empty()).then_some(Environment { path: PathBuf::from(PHI), values, named: true })
}

/// The names of files: the part of each path in which they differ, less the ending.
fn names(root: &Path, files: &[&Path]) -> Vec<String> {
    let parts = |path: &&Path| -> Vec<String> {
        let shown = paths::shown(path.strip_prefix(root).unwrap_or(path));
        let stem = shown.strip_suffix(".json").unwrap_or(&shown);
        let stem = stem.strip_suffix(".tfvars").unwrap_or(stem);
        stem.split('/').map(str::to_owned).collect()
    };
    let all: Vec<Vec<String>> = files.iter().map(parts).collect();
    let all = without_terraform(all);
    if let [only] = all.as_slice() {
        let named = only.iter().rev().find(|p| *p != "terraform").or(only.last());
        return named.cloned().into_iter().collect();
    }
    let paths = differing(&all);
    // Where they differ in a file's name alone, in parts of it: `config.dev`.
    let single: Option<Vec<Vec<String>>> = paths
        .iter()
        .map(|p| match p.as_slice() {
            [only] => Some(only.split('.').map(str::to_owned).collect()),
            _ => None,
        })
        .collect();
    match single {
        Some(parts) => differing(&parts).iter().map(|p| p.join(".")).collect(),
        None => paths.iter().map(|p| p.join("/")).collect(),
    }
}

/// The same without a file's name that Terraform itself gives, which says nothing: `dev/terraform` is `dev`.
fn without_terraform(all: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let short = |parts: &Vec<String>| match parts.as_slice() {
        [rest @ .., last] if last == "terraform" && !rest.is_empty() => rest.to_vec(),
        _ => parts.clone(),
    };
    let shorter: Vec<Vec<String>> = all.iter().map(short).collect();
    let distinct = shorter.iter().collect::<BTreeSet<_>>().len() == shorter.len();
    if distinct { shorter } else { all }
}

/// Lists without what all of them begin and end with; of each something is left.
fn differing(all: &[Vec<String>]) -> Vec<Vec<String>> {
    let Some(first) = all.first() else { return Vec::new() };
    let shortest = all.iter().map(Vec::len).min().unwrap_or(0);
    let same = |at: &dyn Fn(&Vec<String>) -> Option<String>| all.iter().all(|one| at(one) == at(first));
    let front = (0..shortest.saturating_sub(1)).take_while(|i| same(&|one| one.get(*i).cloned())).count();
    let most = shortest - front - usize::from(shortest > front);
    let back = (0..most).take_while(|i| same(&|one| one.iter().rev().nth(*i).cloned())).count();
    let inner = |one: &Vec<String>| one.get(front..one.len() - back).unwrap_or_default().to_vec();
    all.iter().map(inner).collect()
}

fn twice(name: &str, path: &Path, other: &Named, phi: &PhiConfig) -> Issue {
    let is = match other.files.as_slice() {
        _ if phi.environments.iter().any(|e| *e.name == *name) => {
            "an `environment` block of `phi.hcl`".to_owned()
        }
        [file, ..] => paths::shown(file),
        [] => "another".to_owned(),
    };
    let why = format!("{} and {is} both give it. A name stands for one environment.", paths::shown(path));
    let issue = Issue::error(Code::Config, format!("Two environments are named \"{name}\""), why);
    let paste = format!(
        "environment {} {{\n  var_files = [{}]\n}}",
        hcl::quote(name),
        hcl::quote(&paths::shown(path))
    );
    issue
        .in_path(paths::shown(path))
        .fix("Rename one of the files, or say in `phi.hcl` which is meant:", paste)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(files: &[&str]) -> Vec<String> {
        let files: Vec<&Path> = files.iter().map(Path::new).collect();
        names(Path::new(""), &files)
    }

    #[test]
    fn names_are_the_part_in_which_paths_differ() {
        assert_eq!(named(&["env/dev.tfvars", "env/prod.tfvars"]), ["dev", "prod"]);
        assert_eq!(named(&["env/pre.tfvars", "env/preprod.tfvars"]), ["pre", "preprod"]);
        assert_eq!(named(&["envs/dev/terraform.tfvars", "envs/prod/terraform.tfvars"]), ["dev", "prod"]);
        assert_eq!(
            named(&["eu/dev.tfvars", "us/dev.tfvars", "us/prod.tfvars"]),
            ["eu/dev", "us/dev", "us/prod"]
        );
        assert_eq!(named(&["config.dev.tfvars", "config.prod.tfvars.json"]), ["dev", "prod"]);
        assert_eq!(named(&["env/prod.tfvars"]), ["prod"]);
        assert_eq!(named(&["envs/prod/terraform.tfvars"]), ["prod"]);
        assert_eq!(
            named(&["environments/dev/terraform.tfvars", "environments/prod/prod.tfvars"]),
            ["dev", "prod/prod"]
        );
        assert_eq!(named(&["environments/dev/terraform.tfvars", "qa.tfvars"]), ["environments/dev", "qa"]);
        assert_eq!(named(&["env/dev/terraform.tfvars", "env/dev.tfvars"]), ["dev/terraform", "dev"]);
        assert_eq!(named(&["dev.tfvars", "env/dev.tfvars"]), ["dev", "env/dev"]);
    }

    #[test]
    fn a_name_that_nobody_gave_is_refused_with_the_nearest() {
        let all = [Named { name: "prod".into(), ..Named::unnamed() }];
        let issue = chosen(&all, &["prodd".to_owned()]).unwrap_err();
        assert!(issue.why.contains("Did you mean \"prod\"?"), "{}", issue.why);
    }
}
