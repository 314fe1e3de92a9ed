//! Writes a deployment as a root module: the Stack's files, and the deployment's inputs.

use super::claims::Claims;
use super::instances::{Asking, KeptBack, Spot};
use super::items::laid_out;
use super::told::Outside;
use super::unit::{Unit, Written};
use super::{names, told};
use crate::addr::ModulePath;
use crate::config::phi::OF_DEPLOYMENT;
use crate::config::{Config, Deployment};
use crate::host::Host;
use crate::issue::Issue;
use crate::matrix::Assigned;
use crate::pipeline::Session;
use crate::pipeline::fields::expression_site;
use crate::text::Place;
use crate::trace::{Assumptions, Tracer};
use crate::value::{Value, hcl};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of all deployments, below the Stack's.
pub const FOLDER: &str = ".phi/stacks";

/// The variable file with a deployment's inputs.
const VALUES: &str = "phi.auto.tfvars";

/// A deployment as a root module.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The files by their paths in the deployment's folder.
    pub files: BTreeMap<PathBuf, String>,
    /// The owners of objects in state.
    pub claims: Claims,
    /// The inputs that only HCP knows.
    pub outside: Vec<Outside>,
    /// The first line of files that are written for it.
    pub head: String,
}

/// Writes a deployment as a root module.
///
/// # Errors
/// Returns an error for each part that a root module can't express, and for each fault of the deployment.
pub fn lower<H: Host + Clone>(
    session: &mut Session<H>,
    deployment: &Deployment,
    assigned: &Assigned,
) -> Result<Lowered, Vec<Issue>> {
    if assigned.refused.iter().any(Issue::is_error) {
        return Err(assigned.refused.clone());
    }
    let Some(each_value) = expression_site(&mut session.config.sources, "each.value", "each.value") else {
        return Err(Vec::new());
    };
    let session = &*session;
    let config: &Config = &session.config;
    let Some(module) = config.root() else { return Err(Vec::new()) };
    // Null is no value to a Stack.
    let gives = |(name, (value, _)): &(&Arc<str>, &(Option<Value>, Place))| {
        module.variables.contains_key(*name) && !value.as_ref().is_some_and(Value::is_null)
    };
    let given: BTreeSet<Arc<str>> =
        deployment.inputs.iter().filter(gives).map(|(name, _)| name.clone()).collect();
    let written = OF_DEPLOYMENT.trim_start_matches("# ");
    let head = format!("{written}{} of the Stack, from", hcl::quote(&deployment.name));
    let mut tracer =
        Tracer::new(config, session.limits(), &assigned.universes, Assumptions::default(), session.outside());
    let standing = tracer.module_standings(&ModulePath::ROOT).ok().and_then(|all| all.into_iter().next());
    let Some(standing) = standing else { return Err(Vec::new()) };
    let mut out = Written::default();
    let outside = deployment.inputs.iter().filter(|(_, (value, _))| value.is_none());
    let from_run: Vec<Arc<str>> = outside.map(|(name, _)| name.clone()).collect();
    let secrets = session.secrets();
    let discreet = secrets.with_marks_and(config, &from_run);
    let kept_back = KeptBack {
        config,
        secrets,
        touched: session.touched(),
        values: discreet,
        known: FxHashMap::default(),
    };
    let mut asking = Asking { tracer: &mut tracer, each_value, kept_back };
    let mut unit = Unit {
        asking: &mut asking,
        config,
        module,
        spot: Spot { path: ModulePath::ROOT, standing },
        labels: Vec::new(),
        head: &head,
        given: &given,
        instances: BTreeMap::new(),
        stands: BTreeMap::new(),
        providers: BTreeMap::new(),
        needs: Vec::new(),
        passed: BTreeMap::new(),
        locals: Vec::new(),
        out: &mut out,
    };
    unit.write();
    if out.issues.iter().any(Issue::is_error) {
        return Err(out.issues);
    }
    let outside =
        deployment.inputs.iter().filter(|(name, (value, _))| value.is_none() && given.contains(*name));
    let outside: Vec<Outside> =
        outside.map(|(name, (_, place))| Outside { name: name.clone(), place: *place }).collect();
    let claims = Claims { components: out.components, gone: out.gone };
    let mut files = out.files;
    files.insert(VALUES.into(), values(deployment, &given, &head));
    let sources = &config.sources;
    let told = [
        ("phi_backend.tf", told::backend(sources, &session.phi, &deployment.name, &head)),
        ("phi.hcl", told::pins(sources, &session.phi, &claims, &outside, &head)),
    ];
    files.extend(told.into_iter().filter_map(|(path, text)| Some((PathBuf::from(path), text?))));
    Ok(Lowered { files, claims, outside, head })
}

/// Returns the deployment's inputs as a variable file.
fn values(deployment: &Deployment, given: &BTreeSet<Arc<str>>, head: &str) -> String {
    let mut out = format!("# {head} its inputs.\n\n");
    for (name, (value, _)) in deployment.inputs.iter().filter(|(name, _)| given.contains(*name)) {
        match value.as_ref().map(|v| v.clone().unmark_deep().0).and_then(|v| hcl::to_hcl(&v)) {
            Some(text) => out.push_str(&format!("{name} = {text}\n")),
            None => out.push_str(&format!("# {name} comes from the environment: TF_VAR_{name}.\n")),
        }
    }
    laid_out(&out)
}

/// Returns the path of a deployment's folder, relative to the Stack's.
pub fn folder(deployment: &str) -> PathBuf {
    Path::new(FOLDER).join(names::folder(deployment))
}
