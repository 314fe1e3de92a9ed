//! The modules that services put in the place of resources, and whether what `phi.hcl` says of them is so.

use super::check::unknown;
use super::{PhiConfig, Service};
use crate::config::{Config, Module, View, load_with, paths};
use crate::issue::{Code, Issue};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The module of a service.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its folder, relative to the working directory.
    pub dir: PathBuf,
    /// Its declarations. Their places are in no table of sources.
    pub module: Module,
}

/// Templates by the names of their services.
pub type Templates = BTreeMap<Arc<str>, Template>;

/// Reads the template of each service, and compares its variables and outputs with those that the service names.
pub fn templates(view: View<'_>, root: &Path, phi: &PhiConfig) -> (Templates, Vec<Issue>) {
    let mut all = Templates::new();
    let mut issues = Vec::new();
    for service in phi.services.values() {
        match template(view, root, service) {
            Ok(template) => {
                issues.extend(names(service, &template.module));
                all.insert(service.name.clone(), template);
            }
            Err(found) => issues.extend(found),
        }
    }
    (all, issues)
}

fn template(view: View<'_>, root: &Path, service: &Service) -> Result<Template, Vec<Issue>> {
    let (source, place) = &service.module;
    if !(source.starts_with("./") || source.starts_with("../")) {
        let why = "The template of a service is a folder, so its path begins with \"./\" or \"../\".";
        return Err(vec![Issue::error(Code::Config, "Wrong \"module\" of a service", why).at(*place)]);
    }
    let dir = paths::join(root, source);
    if !view.is_dir(&dir) {
        let why = format!("The folder {} of the service \"{}\" does not exist.", dir.display(), service.name);
        return Err(vec![Issue::error(Code::Config, "Missing template", why).at(*place)]);
    }
    let (config, issues) = load_with(view.host, view.overlay, &dir);
    let faults: Vec<Issue> = issues.into_iter().filter(|i| within(i, &config, &dir)).collect();
    match config.root() {
        Some(module) if faults.is_empty() => Ok(Template { dir, module: module.clone() }),
        _ => Err(faults.into_iter().map(|issue| placed(issue, &config)).collect()),
    }
}

/// Returns true if a finding is about the template's own files: modules that it calls are loaded where they are used.
fn within(issue: &Issue, config: &Config, dir: &Path) -> bool {
    let file = issue.place.and_then(|p| config.sources.get(p.file));
    issue.is_error()
        && issue.code != Code::NotInstalled
        && file.is_none_or(|f| f.path.parent().is_some_and(|folder| folder == dir))
}

/// A finding whose place is said in words, since its file is in a table of its own.
fn placed(issue: Issue, config: &Config) -> Issue {
    let path = issue.place.map(|p| config.sources.span_text(p));
    Issue { place: None, path: path.or(issue.path.clone()), ..issue }
}

fn names(service: &Service, module: &Module) -> Vec<Issue> {
    let mut issues = Vec::new();
    for (output, place) in service.outputs.values().filter(|(o, _)| !module.outputs.contains_key(o)) {
        let why = format!("The template of \"{}\" has no output \"{output}\".", service.name);
        issues.push(unknown("output", output, why, *place, module.outputs.keys().map(|n| &**n)));
    }
    for field in &service.fields {
        let Some(name) = field.field.0.first() else { continue };
        if !module.variables.contains_key(name) {
            let why = format!("The template of \"{}\" has no variable \"{name}\".", service.name);
            issues.push(unknown("field", name, why, field.place, module.variables.keys().map(|n| &**n)));
        }
    }
    issues
}
