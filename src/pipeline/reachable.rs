//! Providers that can't be reached from the place of a form factor.
//!
//! In: the configuration with everything replaced and dropped, templates included. Out: an issue for each resource type of a provider
//! that the form factor's place doesn't reach. Invariant: under a form factor that says where it is, nothing of such a provider is
//! left without an answer. Absent on purpose: what is replaced.

use crate::addr::{Mode, ModulePath};
use crate::config::module_source::is_local;
use crate::config::phi::{FormFactor, PhiConfig, Posture, Service};
use crate::config::{Config, Resource};
use crate::issue::{Code, Issue};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Providers that need nothing from outside, wherever it is.
const EVERYWHERE: [&str; 9] =
    ["archive", "cloudinit", "external", "local", "null", "random", "terraform", "time", "tls"];

/// So many places are named in one sentence.
const MOST: usize = 5;

/// Resources of one type, by mode and type: address and declaration of each.
type ByType<'a> = BTreeMap<(Mode, Arc<str>), Vec<Found<'a>>>;

/// A resource that isn't reached.
struct Found<'a> {
    /// Its address.
    address: String,
    resource: &'a Resource,
    /// The source of the module from elsewhere that it comes with, as a call writes it.
    package: Option<&'a str>,
}

/// Returns what can't be reached; empty if the form factor doesn't say where it is.
pub(super) fn unreachable(config: &Config, factor: &FormFactor) -> Vec<Issue> {
    let Some(reached) = reached(factor) else { return Vec::new() };
    let mut found = ByType::new();
    let mut sources = BTreeMap::new();
    for (path, id) in &config.paths {
        let Some(module) = config.module(*id) else { continue };
        let package = package(config, path);
        let checked = module.checks.iter().filter_map(|c| c.data.as_deref());
        for resource in module.resources.values().chain(checked) {
            let source = module.provider_source(&resource.provider_name());
            if reached.iter().any(|known| is_same(known, &source)) {
                continue;
            }
            let address = path.address_of(&resource.addr);
            let kind = (resource.addr.mode, resource.addr.kind.clone());
            sources.insert(kind.clone(), source);
            found.entry(kind).or_default().push(Found { address, resource, package });
        }
    }
    let mut issues = Vec::new();
    for (kind, all) in &found {
        let source = sources.get(kind).map_or("", String::as_str);
        issues.extend(one(factor, &kind.1, source, all));
    }
    issues
}

/// Returns the source of the outermost module around a path that is no folder of the user's, without a revision.
fn package<'a>(config: &'a Config, path: &ModulePath) -> Option<&'a str> {
    let mut above = ModulePath::ROOT;
    for name in &path.0 {
        let source = config.at(&above)?.call(name)?.source_text()?;
        if !is_local(source) {
            return source.split('?').next();
        }
        above = above.child(name.clone());
    }
    None
}

/// The providers that are reached: those that are listed, or those of the environment with those that need nothing.
fn reached(factor: &FormFactor) -> Option<Vec<String>> {
    if let Some(listed) = &factor.providers {
        let builtin = std::iter::once("terraform".to_owned());
        return Some(listed.iter().map(|(name, _)| name.clone()).chain(builtin).collect());
    }
    let own = factor.environment?.providers.iter().copied();
    Some(own.chain(EVERYWHERE).map(str::to_owned).collect())
}

/// Returns true if a listed name is that of a source: `helm` is `hashicorp/helm`.
fn is_same(listed: &str, source: &str) -> bool {
    let source = source.strip_prefix("registry.terraform.io/").unwrap_or(source);
    match source.strip_prefix("hashicorp/") {
        Some(name) => listed == name || listed == source,
        None => listed == source,
    }
}

fn one(factor: &FormFactor, kind: &str, source: &str, all: &[Found<'_>]) -> Option<Issue> {
    let first = all.first()?;
    let mut names: Vec<&str> = all.iter().take(MOST).map(|found| found.address.as_str()).collect();
    let more = all.len().saturating_sub(MOST);
    let rest = format!("{more} more");
    if more > 0 {
        names.push(&rest);
    }
    let place = match (&factor.providers, factor.environment) {
        (None, Some(environment)) => format!("environment \"{}\"", environment.name),
        _ => "list of `providers`".to_owned(),
    };
    let why = format!(
        "It is one of the provider {source}, which the form factor's {place} doesn't reach. There: {}.",
        names.join(", ")
    );
    let summary = format!("nothing stands in for {kind} under the form factor \"{}\"", factor.name);
    let listed: Vec<String> = factor.drops.iter().map(|(k, _)| format!("\"{k}\"")).collect();
    let drops = |more: &str| [&listed[..], &[format!("\"{more}\"")]].concat().join(", ");
    let mut issue = Issue::error(Code::Service, summary, why)
        .at(first.resource.decl.place())
        .about(first.address.clone());
    let packages: BTreeSet<&str> = all.iter().filter_map(|found| found.package).collect();
    for package in packages {
        let called = format!("{}{package}", Service::MODULE);
        issue = issue
            .fix(
                format!("What comes with {package} goes with its call. Replace that by a service of your own:"),
                format!("replaces = \"{called}\""),
            )
            .fix(
                format!(
                    "Or, if nothing is needed in the place of the call, drop it in the form factor \"{}\" in `phi.hcl`:",
                    factor.name
                ),
                format!("drops = [{}]", drops(&called)),
            );
    }
    if all.iter().any(|found| found.package.is_none()) {
        let label = kind.split_once('_').map_or(kind, |(_, name)| name);
        issue = issue
            .fix("See whether one of tf-phi's own services replaces it:", "tf-phi services")
            .fix(
                format!(
                    "Or write one, and name it in the `services` of the form factor \"{}\":",
                    factor.name
                ),
                format!(
                    "service \"{label}\" {{\n  replaces = \"{kind}\"\n  module   = \"./services/{label}\"\n}}"
                ),
            )
            .fix(
                format!(
                    "If nothing is needed in its place, drop it in the form factor \"{}\" in `phi.hcl`:",
                    factor.name
                ),
                format!("drops = [{}]", drops(kind)),
            );
    }
    Some(issue.fix(
        "If the provider is reached there after all, list those that are:",
        format!("providers = [\"{source}\"]"),
    ))
}

/// Services whose pods ask for more than the form factor's posture gives.
pub(super) fn too_wide(phi: &PhiConfig, factor: &FormFactor) -> Vec<Issue> {
    let Some((asked, _)) = factor.posture else { return Vec::new() };
    let named =
        |posture: Posture| Posture::NAMES.iter().find(|(_, p)| *p == posture).map_or("", |(name, _)| name);
    let services = factor.services.iter().filter_map(|(name, place)| Some((phi.services.get(name)?, place)));
    let wide = services.filter(|(service, _)| service.posture.is_none_or(|own| own < asked));
    wide.map(|(service, place)| {
        let own = match service.posture {
            Some(own) => format!("says \"{}\"", named(own)),
            None => "doesn't say what its pods are content with".to_owned(),
        };
        let why = format!(
            "The form factor's posture is \"{}\", one of the Pod Security Standards of Kubernetes, and the service {own}.",
            named(asked)
        );
        let summary = format!("the service \"{}\" may ask for more than the form factor \"{}\" gives", service.name, factor.name);
        Issue::error(Code::Service, summary, why).at(*place).fix(
            format!("If its pods are content with it, say so in the service \"{}\":", service.name),
            format!("posture = \"{}\"", named(asked)),
        )
    })
    .collect()
}
