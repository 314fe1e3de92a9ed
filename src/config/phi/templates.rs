//! The modules that services put in the place of resources, and whether what `phi.hcl` says of them is so.

use super::check::unknown;
use super::contained;
use super::{FormFactor, PhiConfig, Placed, Service};
use crate::config::{Config, Module, View, load_with, paths};
use crate::issue::{Code, Issue};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The module of a service.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its folder, relative to the working directory.
    pub dir: PathBuf,
    /// Its declarations. Their places are in no table of sources.
    pub module: Module,
    /// The module that the root module calls once, where the service has one.
    pub operator: Option<Operator>,
}

/// A module that a service needs once, such as an operator.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Its folder, relative to the working directory.
    pub dir: PathBuf,
    /// The module's declarations.
    pub module: Module,
}

impl Operator {
    /// The variable of the template that says it is there.
    pub const VARIABLE: &'static str = "operator";
    /// The output of the operator's module that goes there.
    pub const OUTPUT: &'static str = "ready";
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
                issues.extend(names(service, &template));
                all.insert(service.name.clone(), template);
            }
            Err(found) => issues.extend(found),
        }
    }
    if issues.is_empty() {
        issues.extend(phi.form_factors.values().flat_map(|factor| inputs(phi, factor, &all)));
    }
    (all, issues)
}

fn template(view: View<'_>, root: &Path, service: &Service) -> Result<Template, Vec<Issue>> {
    let (dir, module) = folder(view, root, service, &service.module, "module")?;
    let operator = service.operator.as_ref().map(|source| folder(view, root, service, source, "operator"));
    let operator = operator.transpose()?.map(|(dir, module)| Operator { dir, module });
    Ok(Template { dir, module, operator })
}

/// The module in a folder that a service names.
fn folder(
    view: View<'_>,
    root: &Path,
    service: &Service,
    (source, place): &Placed<String>,
    argument: &str,
) -> Result<(PathBuf, Module), Vec<Issue>> {
    if !(source.starts_with("./") || source.starts_with("../")) {
        let why = "The template of a service is a folder, so its path begins with \"./\" or \"../\".";
        let summary = format!("Wrong \"{argument}\" of a service");
        return Err(vec![Issue::error(Code::Config, summary, why).at(*place)]);
    }
    let dir = paths::join(root, source);
    if !view.is_dir(&dir) && !view.host.is_outside(&dir) {
        let why = format!("The folder {} of the service \"{}\" does not exist.", dir.display(), service.name);
        return Err(vec![Issue::error(Code::Config, "Missing template", why).at(*place)]);
    }
    let (config, issues) = load_with(view.host, view.overlay, &dir);
    let faults: Vec<Issue> = issues.into_iter().filter(|i| within(i, &config, &dir)).collect();
    match config.root() {
        Some(module) if faults.is_empty() => match contained::outside(service, &config, module) {
            found if found.is_empty() => Ok((dir, module.clone())),
            found => Err(found),
        },
        _ => Err(faults.into_iter().map(|issue| placed(issue, &config)).collect()),
    }
}

/// Inputs that no module of their service has a variable for.
fn inputs(phi: &PhiConfig, factor: &FormFactor, all: &Templates) -> Vec<Issue> {
    let mut issues = Vec::new();
    for (group, inputs) in &factor.inputs {
        let services = phi.services.values().filter(|s| s.group == *group);
        let templates = services.filter_map(|s| all.get(&s.name));
        let modules = templates.flat_map(|t| [Some(&t.module), t.operator.as_ref().map(|o| &o.module)]);
        let names: BTreeSet<&str> =
            modules.flatten().flat_map(|m| m.variables.keys()).map(|n| &**n).collect();
        for (name, (_, place)) in inputs.iter().filter(|(name, _)| !names.contains(&***name)) {
            let why = format!("No module of the service \"{group}\" has a variable \"{name}\".");
            issues.push(unknown("input", name, why, *place, names.iter().copied()));
        }
    }
    issues
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

fn names(service: &Service, template: &Template) -> Vec<Issue> {
    let module = &template.module;
    let mut issues = Vec::new();
    if let (Some(operator), Some((_, place))) = (&template.operator, &service.operator) {
        let (variable, output) = (Operator::VARIABLE, Operator::OUTPUT);
        if !module.variables.contains_key(variable) {
            let why = format!("The template of \"{}\" has no variable \"{variable}\".", service.name);
            issues.push(unknown("variable", variable, why, *place, [""; 0]));
        }
        if !operator.module.outputs.contains_key(output) {
            let why = format!("The operator of \"{}\" has no output \"{output}\".", service.name);
            issues.push(unknown("output", output, why, *place, operator.module.outputs.keys()));
        }
    }
    for (output, place) in service.outputs.values().filter(|(o, _)| !module.outputs.contains_key(o)) {
        let why = format!("The template of \"{}\" has no output \"{output}\".", service.name);
        issues.push(unknown("output", output, why, *place, module.outputs.keys()));
    }
    for merge in service.merges.values().filter(|m| !module.variables.contains_key(&m.into)) {
        let why = format!("The template of \"{}\" has no variable \"{}\".", service.name, merge.into);
        issues.push(unknown("variable", &merge.into, why, merge.place, module.variables.keys()));
    }
    for field in &service.fields {
        let Some(name) = field.field.0.first() else { continue };
        if !module.variables.contains_key(name) {
            let why = format!("The template of \"{}\" has no variable \"{name}\".", service.name);
            issues.push(unknown("field", name, why, field.place, module.variables.keys()));
        }
    }
    issues
}
