//! Resources and module calls that are removed with a replaced resource or call: satellites, which are useless without it.
//!
//! In: what is replaced. Out: the resources of the types in `drops` and the calls of the modules in it, in the modules where
//! something of that service is replaced.
//! Invariant: nothing goes that something which stays refers to. Absent: why a type is one of these, which services say.

use super::block;
use super::dropped_calls;
use super::going::{Dropped, Going};
use super::idle::{self, Idle, Scope};
use super::merged;
use super::reference::is_within;
use super::replacing::{Candidate, Replacing};
use crate::addr::{Mode, ModulePath};
use crate::config::{Module, Resource};
use crate::graph::{self, Use};
use crate::issue::{Code, Issue};
use crate::specialise::unit::UnitName;
use crate::text::Place;
use std::collections::BTreeMap;

/// Returns the resources and calls to remove, by module, and the declarations that nothing uses any more. Modules for which `goes`
/// returns true are left out: they are removed with their replaced call.
///
/// # Errors
/// Returns an error for each resource or call that the form factor drops although a declaration that stays refers to it.
pub(super) fn dropped(
    r: &Replacing<'_>,
    choices: &BTreeMap<ModulePath, Vec<Candidate<'_>>>,
    goes: &dyn Fn(&ModulePath) -> bool,
) -> Result<(Going, Idle), Vec<Issue>> {
    let (mut all, mut issues) = (Going::new(), Vec::new());
    let mut modules: Vec<(&ModulePath, &Module, Vec<Use>)> = Vec::new();
    for (path, id) in r.config.paths.iter().filter(|(path, _)| !path.is_by_source() && !goes(path)) {
        let Some(module) = r.config.module(*id) else { continue };
        let here = choices.get(path).map_or(&[][..], Vec::as_slice);
        for resource in module.resources.values() {
            match asked(r, path, here, resource) {
                Some(Ok(dropped)) => all.entry(path.clone()).or_default().push(dropped),
                Some(Err(issue)) => issues.push(*issue),
                None => {}
            }
        }
        for call in module.calls.values() {
            match dropped_calls::asked(r, path, here, call) {
                Some(Ok(dropped)) => all.entry(path.clone()).or_default().push(dropped),
                Some(Err(issue)) => issues.push(*issue),
                None => {}
            }
        }
        modules.push((path, module, graph::uses(module)));
    }
    // What stays because of one may keep another.
    loop {
        let scopes: Vec<Scope<'_>> = modules
            .iter()
            .map(|(path, module, uses)| scope(r, (path, module, uses), choices, &all))
            .collect();
        let idle = idle::idle(r, &scopes);
        let mut kept: Vec<(ModulePath, UnitName)> = Vec::new();
        for s in &scopes {
            let gone = [&s.gone[..], &idle.places(s.path, s.module)].concat();
            for own in all.get(s.path).into_iter().flatten().filter(|_| !idle.is_within(s.path)) {
                let Some(used) = needed(s, &gone, own) else { continue };
                issues.extend(own.service.is_none().then(|| in_use(r, s, own, &used)));
                kept.push((s.path.clone(), own.unit.clone()));
            }
        }
        if kept.is_empty() || !issues.is_empty() {
            // What stands in a module that goes as a whole goes with it, whatever it is.
            let whole = dropped_calls::modules(&all);
            all.retain(|path, found| !found.is_empty() && !whole.iter().any(|call| call.contains(path)));
            return if issues.is_empty() { Ok((all, idle)) } else { Err(issues) };
        }
        for (path, unit) in kept {
            if let Some(found) = all.get_mut(&path) {
                found.retain(|d| d.unit != unit);
            }
        }
    }
}

/// Returns a module with the text and resources that are removed in it.
fn scope<'a>(
    r: &Replacing<'_>,
    (path, module, uses): (&'a ModulePath, &'a Module, &'a [Use]),
    choices: &BTreeMap<ModulePath, Vec<Candidate<'_>>>,
    dropped: &'a Going,
) -> Scope<'a> {
    let here = choices.get(path).map_or(&[][..], Vec::as_slice);
    let own = dropped.get(path).map_or(&[][..], Vec::as_slice);
    let changed = choices.keys().chain(dropped.iter().filter(|(_, d)| !d.is_empty()).map(|(p, _)| p));
    Scope {
        path,
        module,
        uses,
        gone: places(r, module, here, own),
        dropped: own.iter().filter_map(Dropped::resource).collect(),
        calls: own.iter().filter(|d| d.is_call()).map(|d| d.unit.name()).collect(),
        changes: { changed }.any(|scope| path.contains(scope)),
        replaced: !here.is_empty(),
    }
}

/// Returns a resource that the form factor drops, or that a service drops or merges which replaces something in the same module.
fn asked(
    r: &Replacing<'_>,
    path: &ModulePath,
    here: &[Candidate<'_>],
    resource: &Resource,
) -> Option<Result<Dropped, Box<Issue>>> {
    let addr = &resource.addr;
    let unit = UnitName::Resource(addr.clone());
    if resource.decl.json || here.iter().any(|c| c.replaced.unit == unit) {
        return None;
    }
    let by_factor = r.factor.drops.iter().any(|(kind, _)| *kind == addr.kind);
    let managed = addr.mode == Mode::Managed;
    let services = here.iter().map(|c| c.service);
    let kind = if managed { addr.kind.to_string() } else { format!("data.{}", addr.kind) };
    let by_service =
        services.filter_map(|s| Some((s.name.clone(), s.drops.get(kind.as_str())?.clone()))).next();
    let here = if managed && !by_factor { here } else { &[] };
    let (service, reason, merged) = match merged::of(r, here, resource) {
        Some(Ok((merged, service))) => {
            let owners: Vec<String> = merged.owners.iter().map(ToString::to_string).collect();
            let reason = format!("It is {} of {} now.", merged.into, owners.join(" and ")).into();
            (Some(service), reason, Some(merged))
        }
        Some(Err(issue)) => return Some(Err(issue)),
        None if by_factor => (None, "The form factor drops it.".into(), None),
        None => by_service.map(|(service, reason)| (Some(service), reason, None))?,
    };
    Some(Ok(Dropped { scope: path.clone(), unit, service, reason, merged }))
}

fn in_use(r: &Replacing<'_>, s: &Scope<'_>, dropped: &Dropped, used: &Use) -> Issue {
    let (listed, named) = dropped_calls::shown(r, s, dropped, used);
    let why = format!(
        "`drops` of the form factor \"{}\" names {listed}, and what stands here stays and refers to {named}.",
        r.factor.name
    );
    Issue::error(Code::Service, format!("{} can't go", dropped.original()), why)
        .at(used.place())
        .about(dropped.original())
        .fix("Drop or replace what refers to it as well, or do without the reference.", "")
}

/// Returns the places of a module whose text is removed. References within them don't count as uses.
pub(super) fn places(
    r: &Replacing<'_>,
    module: &Module,
    here: &[Candidate<'_>],
    dropped: &[Dropped],
) -> Vec<Place> {
    let mut all = lost(r, here);
    for own in dropped {
        let Some(resource) = own.resource().and_then(|own| module.resources.get(own)) else { continue };
        match &own.merged {
            Some(merged) => all.extend(merged::gone(r, here, resource, merged)),
            None => all.push(resource.decl.block.place()),
        }
    }
    all
}

/// Returns the places of arguments that are lost when a resource or call becomes a call of its template.
fn lost(r: &Replacing<'_>, here: &[Candidate<'_>]) -> Vec<Place> {
    let of = |candidate: &Candidate<'_>| {
        let template = r.templates.get(&candidate.service.name)?;
        let file = candidate.decl.block.file;
        let spans = block::lost(&template.module, candidate.decl).into_iter();
        Some(spans.map(move |span| Place { file, span }))
    };
    here.iter().filter_map(of).flatten().collect()
}

/// Returns the first use of what is to go outside of the removed places, if there is one. Resources in JSON files aren't asked for.
fn needed(s: &Scope<'_>, gone: &[Place], own: &Dropped) -> Option<Use> {
    let written = if own.is_call() { graph::uses_in_json(s.module) } else { Vec::new() };
    let all = s.uses.iter().chain(&written).filter(|used| own.unit.holds(&used.referent));
    let used = { all }.find(|used| {
        let import = used.context.blocks.last().is_some_and(|b| **b == *"import");
        !is_within(used, gone) && (import || !used.is_address())
    });
    used.cloned()
}
