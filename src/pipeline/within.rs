//! Resources and module calls within templates that another service of the form factor replaces.
//!
//! In: the configuration with everything replaced, templates included. Out: an issue for each. Invariant: none of them stays in silence.
//! Services replace what the stack declares; a template is what stands there instead. A template may hold resources of the type that
//! its own service replaces, as where it makes the same thing with other arguments.

use crate::addr::ModulePath;
use crate::config::phi::{FormFactor, PhiConfig, Service};
use crate::config::{Config, Resource};
use crate::eval::literal::literal;
use crate::issue::{Code, Issue};
use crate::specialise::service::{Rewrite, candidates};
use crate::text::Place;
use crate::value::convert;
use std::collections::BTreeSet;

/// Returns what a service for another type than the template's own would replace.
pub(super) fn replaceable(
    config: &Config,
    phi: &PhiConfig,
    factor: &FormFactor,
    rewrite: &Rewrite,
) -> Vec<Issue> {
    let templates: Vec<(ModulePath, &str)> =
        rewrite.replaced.iter().map(|r| (r.scope.child(r.call.clone()), &*r.service)).collect();
    let mut issues = Vec::new();
    let mut seen: BTreeSet<Place> = BTreeSet::new();
    for candidate in candidates(config, phi, factor) {
        let scope = &candidate.replaced.scope;
        let own = templates.iter().find(|(template, _)| template.contains(scope));
        let Some((_, own)) = own else { continue };
        let (service, place) = (candidate.service, candidate.decl.place());
        let replaces = |name: &str| phi.services.get(name).map(|own| &own.replaces.0);
        let passed = replaces(own) == Some(&service.replaces.0)
            || candidate.resource.is_some_and(|r| is_ruled_out(service, r));
        if passed || !seen.insert(place) {
            continue;
        }
        let address = candidate.replaced.declared();
        let summary =
            format!("the service \"{}\" replaces {address}, which a template declares", service.name);
        let why = format!(
            "Services replace what the stack declares. The template of the service \"{own}\" is used as it is, so that under the form factor \"{}\" this would stay.",
            factor.name
        );
        let call =
            format!("Call the module of the service \"{}\" in the template in its place.", service.name);
        let leave =
            format!("Or leave the service \"{}\" out of the form factor \"{}\".", service.name, factor.name);
        let issue = Issue::error(Code::Service, summary, why).at(place).about(address);
        issues.push(issue.fix(call, "").fix(leave, ""));
    }
    issues
}

/// Returns true if a literal argument is another one than the service wants.
fn is_ruled_out(service: &Service, resource: &Resource) -> bool {
    service.when.iter().any(|(field, wanted)| {
        let own = resource.body.attributes.iter().find(|attr| *attr.name.text == **field);
        let value = own.and_then(|attr| literal(&attr.expr).ok());
        value.is_some_and(|value| convert::convert(&value, &wanted.0.ty).is_ok_and(|value| value != wanted.0))
    })
}
