//! Helm releases of one name in one namespace, of which Helm takes the first alone.
//!
//! In: the configuration with everything replaced, and a tracer that knows this run's values. Out: an issue for each name that two
//! releases have. Invariant: an issue is given only where both releases are there in this run and both names are known before a plan.
//! Absent on purpose: releases of several clusters, which several configurations of the provider may reach.

use super::session::Session;
use crate::addr::{ModulePath, Target};
use crate::config::{Config, Module};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::specialise::service::{Replaced, Rewrite};
use crate::text::Place;
use crate::trace::site::locate;
use crate::trace::{Known, Standing, Tracer};
use crate::value::Data;
use std::collections::BTreeMap;

/// The resource type of a release.
const RELEASE: &str = "helm_release";

/// The argument of a release, and the input of a template, that names its namespace.
const NAMESPACE: &str = "namespace";

/// The name and the namespace of a release. Without a namespace it has the provider's.
type Name = (String, Option<String>);

/// A release that this run has.
struct Release<'a> {
    /// The address of its instance.
    address: String,
    /// The place of what it stands for in the original, or of its own block.
    place: Place,
    /// The resource or call that a service replaced by a module with this release.
    replaced: Option<&'a Replaced>,
    /// True if the template of its service has an input for the namespace.
    takes_namespace: bool,
}

/// Returns an issue for each name that two Helm releases have in one namespace.
pub(super) fn clashes<H: Host + Clone>(session: &Session<H>, tracer: &mut Tracer<'_>) -> Vec<Issue> {
    let config = &session.config;
    let Some(rewrite) = &session.rewrite else { return Vec::new() };
    let helm = |m: &Module| m.providers.iter().filter(|p| *p.name == *"helm").count();
    if config.paths.values().filter_map(|id| config.module(*id)).map(helm).sum::<usize>() > 1 {
        return Vec::new();
    }
    let mut found: BTreeMap<Name, Vec<Release<'_>>> = BTreeMap::new();
    for (path, id) in &config.paths {
        let Some(module) = config.module(*id) else { continue };
        let releases: Vec<_> = module.managed().filter(|r| *r.addr.kind == *RELEASE).collect();
        if releases.is_empty() {
            continue;
        }
        let Ok(around) = tracer.module_standings(path) else { continue };
        for resource in releases {
            let target = Target::Resource(resource.addr.clone());
            let Ok(all) = tracer.standings(&around, &target) else { continue };
            for standing in &all {
                let mut said = |argument| text(tracer, (module, path, &target), standing, argument);
                // Both have to be known, and neither sensitive.
                let Some(name) = said("name").flatten() else { continue };
                let Some(namespace) = said(NAMESPACE) else { continue };
                let key = standing.key.as_ref().map_or_else(String::new, ToString::to_string);
                let own = format!("{}{key}", resource.addr);
                let address = if path.is_root() { own } else { format!("{}.{own}", standing.module) };
                found.entry((name, namespace)).or_default().push(release(
                    config,
                    rewrite,
                    path,
                    address,
                    resource.decl.place(),
                ));
            }
        }
    }
    let two = |(name, mut all): (Name, Vec<Release<'_>>)| {
        all.sort_by_key(|r| (r.place.file, r.place.span.start));
        match all.as_slice() {
            [first, second, ..] => Some(clash(session, &name, first, second)),
            _ => None,
        }
    };
    found.into_iter().filter_map(two).collect()
}

/// Returns the value of an argument; an inner `None` if it is null or not set, an outer one if it isn't known.
fn text(
    tracer: &mut Tracer<'_>,
    (module, path, target): (&Module, &ModulePath, &Target),
    standing: &Standing,
    argument: &str,
) -> Option<Option<String>> {
    let field = crate::addr::FieldAddr {
        module: path.clone(),
        target: target.clone(),
        path: crate::addr::FieldPath(vec![argument.into()]),
    };
    let Ok(site) = locate(module, target, &field.path.0) else { return Some(None) };
    match tracer.known(&field, &site, standing).as_slice() {
        [(_, Known::Value(value))] if !value.marks_deep().is_secret() => match &value.data {
            Data::String(text) => Some(Some(text.to_string())),
            Data::Null => Some(None),
            _ => None,
        },
        _ => None,
    }
}

fn release<'a>(
    config: &Config,
    rewrite: &'a Rewrite,
    path: &ModulePath,
    address: String,
    own: Place,
) -> Release<'a> {
    let replaced = rewrite.replaced.iter().find(|r| r.scope.child(r.call.clone()).contains(path));
    let call = replaced.and_then(|r| config.at(&r.scope)?.calls.get(&r.call));
    let template = replaced.and_then(|r| config.at(&r.scope.child(r.call.clone())));
    Release {
        address,
        place: call.map_or(own, |call| call.decl.place()),
        replaced,
        takes_namespace: template.is_some_and(|m| m.variables.contains_key(NAMESPACE)),
    }
}

fn clash<H>(
    session: &Session<H>,
    (name, namespace): &Name,
    first: &Release<'_>,
    second: &Release<'_>,
) -> Issue {
    let place = match namespace {
        Some(namespace) => format!("the namespace \"{namespace}\""),
        None => "the provider's namespace".to_owned(),
    };
    let sources = &session.config.sources;
    let said = |release: &Release<'_>| match release.replaced {
        Some(replaced) => format!(
            "{} ({}) becomes {}",
            replaced.original(),
            sources.span_text(release.place),
            release.address
        ),
        None => format!("{} stands at {}", release.address, sources.span_text(release.place)),
    };
    let why = format!(
        "{}, and {}. Helm refuses the second release of a name in a namespace, and the apply would stop there.",
        said(first),
        said(second)
    );
    let about = second.replaced.map_or_else(|| second.address.clone(), Replaced::original);
    let issue = Issue::error(Code::Service, format!("two Helm releases \"{name}\" in {place}"), why)
        .at(second.place)
        .about(about);
    let group = |r: &Release<'_>| session.phi.services.get(&r.replaced?.service).map(|s| s.group.clone());
    let issue = match (group(first), group(second)) {
        (one, Some(other)) if second.takes_namespace && one.as_ref() != Some(&other) => issue.fix(
            "Give one of the two services a namespace of its own in the form factor in `phi.hcl`:",
            format!("inputs \"{other}\" {{\n  {NAMESPACE} = \"{other}\"\n}}"),
        ),
        _ => return issue.fix("Give one of the two another name.", ""),
    };
    issue.fix("Or give one of the two another name.", "")
}
