//! Resources and module calls that a service may replace if its conditions hold. Resources are matched by type, calls by source.
//!
//! Invariant: the call of a template has a name that nothing else has. That of a replaced call is no longer form of any call's name
//! either, so that what state holds of the one is never taken for a copy of the other.

use super::replacing::{Candidate, Replaced};
use crate::addr::{ModulePath, ResourceAddr};
use crate::config::phi::{FormFactor, PhiConfig, Service};
use crate::config::{Call, Config, Module, module_source, paths};
use crate::specialise::naming;
use crate::specialise::unit::UnitName;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns every resource and call that a service of the form factor names, without regard to the service's conditions.
pub fn candidates<'a>(config: &'a Config, phi: &'a PhiConfig, factor: &FormFactor) -> Vec<Candidate<'a>> {
    let mut services: Vec<&Service> =
        factor.services.iter().filter_map(|(name, _)| phi.services.get(name)).collect();
    services.sort_by(|a, b| a.name.cmp(&b.name));
    services.dedup_by(|a, b| a.name == b.name);
    let mut out = Vec::new();
    for (path, id) in &config.paths {
        let Some(module) = config.module(*id) else { continue };
        let hit = |addr: &ResourceAddr| services.iter().any(|s| *s.replaces.0 == *addr.kind);
        let here: Vec<&ResourceAddr> = module.managed().map(|r| &r.addr).filter(|a| hit(a)).collect();
        let mut taken: BTreeSet<Arc<str>> = module.calls.keys().cloned().collect();
        let mut add = |unit: UnitName, call: &Arc<str>, service: &'a Service| {
            let Some(decl) = unit.decl(module) else { return };
            let resource = unit.resource(module);
            let (scope, call, name) = (path.clone(), call.clone(), service.name.clone());
            let replaced = Replaced { scope, unit, origin: None, when: None, call, service: name };
            out.push(Candidate { replaced, decl, resource, service });
        };
        for addr in &here {
            let name = call_name(module, addr, &here);
            for service in services.iter().filter(|s| *s.replaces.0 == *addr.kind) {
                add(UnitName::Resource((*addr).clone()), &name, service);
            }
            taken.insert(name);
        }
        for call in module.calls.values() {
            let called = services
                .iter()
                .filter(|s| s.replaced_module().is_some_and(|m| is_called(config, path, call, m)));
            let name = stand_in(&call.name, factor, &taken);
            called.for_each(|service| add(UnitName::Call(call.name.clone()), &name, service));
        }
    }
    out
}

/// Returns true if a call is one of the wanted module.
pub(super) fn is_called(config: &Config, path: &ModulePath, call: &Call, wanted: &str) -> bool {
    let Some(source) = call.source_text() else { return false };
    if !module_source::is_local(wanted) {
        return module_source::is_of(source, wanted);
    }
    let root = config.root().map(|m| m.dir.clone()).unwrap_or_default();
    let target = config.at(&path.child(call.name.clone()));
    target.is_some_and(|m| m.dir == paths::join(&root, wanted)) && module_source::is_local(source)
}

/// The resource's own name, unless something else has it.
fn call_name(module: &Module, addr: &ResourceAddr, here: &[&ResourceAddr]) -> Arc<str> {
    let shared = here.iter().filter(|a| a.name == addr.name).count() > 1;
    if !shared && !module.calls.contains_key(&addr.name) {
        return addr.name.clone();
    }
    let long = format!("{}_{}", addr.kind, addr.name);
    if !module.calls.contains_key(long.as_str()) {
        return long.into();
    }
    format!("{long}_{}", naming::hex6(&long)).into()
}

/// The name of the call that stands for a call: under the same name, what state holds of the one module would be the other's.
fn stand_in(name: &str, factor: &FormFactor, taken: &BTreeSet<Arc<str>>) -> Arc<str> {
    let front = [naming::text_slug(&factor.name), "phi".to_owned(), format!("x{}", naming::hex6(name))];
    let names = front.map(|front| Arc::from(format!("{front}_{name}")));
    let is_copy = |of: &str, own: &str| own.strip_prefix(of).is_some_and(|rest| rest.starts_with('_'));
    let is_free = |own: &Arc<str>| {
        !taken.contains(own) && !taken.iter().any(|other| is_copy(other, own) || is_copy(own, other))
    };
    let [first, ..] = &names;
    names.iter().find(|own| is_free(own)).unwrap_or(first).clone()
}
