//! Module calls that are removed because a form factor or a service drops them by the source of their module.
//!
//! In: `drops` with `module:` in front, and the calls of one module. Out: those that go, or why one can't. Invariants: sources match
//! as those of calls that services replace; a module whose call goes needs not be installed. Absent on purpose: sources that an
//! expression chooses.

use super::candidates::is_called;
use super::going::{Dropped, Going};
use super::idle::{self, Scope};
use super::reference;
use super::replacing::{Candidate, Replacing};
use crate::addr::ModulePath;
use crate::config::phi::Service;
use crate::config::{Call, Config};
use crate::graph::Use;
use crate::issue::{Code, Issue};
use crate::specialise::unit::UnitName;
use std::sync::Arc;

/// Returns the modules of the calls that the form factor drops and no service may replace. Nothing is decided within them.
pub(super) fn by_factor(r: &Replacing<'_>, candidates: &[Candidate<'_>]) -> Vec<ModulePath> {
    let mut out = Vec::new();
    for (path, id) in r.config.paths.iter().filter(|(path, _)| !path.is_by_source()) {
        for call in r.config.module(*id).iter().flat_map(|m| m.calls.values()) {
            let unit = UnitName::Call(call.name.clone());
            let replaced = |c: &Candidate<'_>| c.replaced.scope == *path && c.replaced.unit == unit;
            if named(r, path, call).is_some() && !candidates.iter().any(replaced) {
                out.push(path.child(call.name.clone()));
            }
        }
    }
    out
}

/// Returns the modules that the dropped calls call.
pub(super) fn modules(going: &Going) -> Vec<ModulePath> {
    going.values().flatten().filter_map(Dropped::called).collect()
}

/// Returns the entry in `drops` of the form factor that names a call's module.
fn named<'a>(r: &Replacing<'a>, path: &ModulePath, call: &Call) -> Option<&'a Arc<str>> {
    r.factor.drops.iter().map(|(name, _)| name).find(|name| is_of(r.config, path, call, name))
}

/// Returns true if an entry in `drops` names a call's module.
fn is_of(config: &Config, path: &ModulePath, call: &Call, name: &str) -> bool {
    let source = name.strip_prefix(Service::MODULE);
    source.is_some_and(|wanted| is_called(config, path, call, wanted))
}

/// Returns a call that the form factor drops, or that a service drops which replaces something in the same module.
pub(super) fn asked(
    r: &Replacing<'_>,
    path: &ModulePath,
    here: &[Candidate<'_>],
    call: &Call,
) -> Option<Result<Dropped, Box<Issue>>> {
    let unit = UnitName::Call(call.name.clone());
    if here.iter().any(|c| c.replaced.unit == unit) {
        return None;
    }
    let (service, reason) = match named(r, path, call) {
        Some(_) if !idle::is_plain(call) => return Some(Err(Box::new(apart(path, call)))),
        Some(_) => (None, "The form factor drops it.".into()),
        None if !idle::is_plain(call) => return None,
        None => here.iter().find_map(|c| {
            let mut drops = c.service.drops.iter();
            let (_, why) = drops.find(|(name, _)| is_of(r.config, path, call, name))?;
            Some((Some(c.service.name.clone()), why.clone()))
        })?,
    };
    Some(Ok(Dropped { scope: path.clone(), unit, service, reason, merged: None }))
}

/// Returns what the form factor's `drops` calls a unit, and what a use of it refers to.
pub(super) fn shown(r: &Replacing<'_>, s: &Scope<'_>, own: &Dropped, used: &Use) -> (String, String) {
    let UnitName::Call(name) = &own.unit else {
        return (own.resource().map_or_else(String::new, |own| own.kind.to_string()), own.unit.to_string());
    };
    let listed = s.module.calls.get(name).and_then(|call| named(r, s.path, call));
    let output = match reference::attribute_of(s.module, used) {
        Some(name) => format!("{}.{name}", own.unit),
        None => r.config.sources.slice(used.place()).to_owned(),
    };
    (listed.map_or_else(|| "it".to_owned(), ToString::to_string), output)
}

/// Returns the issue for a call whose text can't be removed.
fn apart(path: &ModulePath, call: &Call) -> Issue {
    let address = path.address_of(format!("module.{}", call.name));
    let why = "It is declared in JSON or in an override file, and those are not rewritten.";
    Issue::error(Code::Service, format!("{address} can't go"), why)
        .at(call.decl.place())
        .about(address)
        .fix("Declare it in one block of a `.tf` file.", "")
}
