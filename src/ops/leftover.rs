//! Copies that state still holds, where no record tells of them.
//!
//! A record is lost by `restore`, by deleting `.phi`, by a merge, or by planning from another checkout. What was applied
//! from the specialised form then stands in state under addresses that nothing in the sources names, and Terraform would
//! destroy it. So state is asked in every run. The names are a contract (`<unit>_<slug>`), so state itself can be asked.

use super::decide::{Decided, decide};
use super::session::Session;
use super::{Start, Stop};
use crate::addr::{FieldAddr, Target};
use crate::host::Host;
use crate::issue::Issue;
use crate::specialise::record::UnitRecord;
use crate::specialise::{SplitUnit, originals, renames};
use crate::terraform::args::RunArgs;
use crate::terraform::{Terraform, init};
use crate::trace::Driven;
use std::collections::BTreeSet;
use std::path::Path;

/// Decides anew with what state holds, where no record tells of it.
///
/// # Errors
/// Those of [`in_state`] and of the decision.
pub(super) fn take_in(
    start: &Start,
    session: &mut Session,
    decided: &mut Decided,
    driven: &[Driven],
    read: &RunArgs,
    terraform: &Terraform,
) -> Result<(), Box<Stop>> {
    let mut units = decided.specialised.splits.clone();
    for unit in driven.iter().flat_map(|d| SplitUnit::possible(&d.field)) {
        if !units.iter().any(|u| u.original == unit.original) {
            units.push(unit);
        }
    }
    let held = in_state(session, &units, read, terraform)?;
    if held.is_empty() {
        return Ok(());
    }
    for unit in &held {
        let names = unit.former_addresses.join(", ");
        start
            .console
            .note(&format!("state holds {names}, which counts as a former copy of {}.", unit.original));
    }
    session.kept.extend(held);
    *decided = decide(session, driven, &super::plan::vars(read)).map_err(|issues| {
        session.extend(issues);
        Box::new(Stop { issues: session.issues.clone(), sources: session.config.sources.clone() })
    })?;
    Ok(())
}

/// The units of which state holds copies that aren't among those to be written.
///
/// # Errors
/// Where Terraform can't be started.
fn in_state(
    session: &Session,
    splits: &[SplitUnit],
    read: &RunArgs,
    terraform: &Terraform,
) -> Result<Vec<UnitRecord>, Issue> {
    if splits.is_empty() {
        return Ok(Vec::new());
    }
    let listed = listed(session, read, terraform)?;
    let mut out: Vec<UnitRecord> = Vec::new();
    // What lies within a copy is found by the original's path, so outer units come first.
    let mut known: Vec<SplitUnit> = splits.to_vec();
    let mut order: Vec<usize> = (0..splits.len()).collect();
    order.sort_by_key(|i| splits.get(*i).map_or(0, |s| s.scope.depth()));
    for index in order {
        let Some(unit) = splits.get(index) else { continue };
        let above: Vec<SplitUnit> =
            known.iter().filter(|k| k.scope.depth() < unit.scope.depth()).cloned().collect();
        let held: Vec<String> = listed.iter().map(|line| originals::original(&above, line)).collect();
        for name in names(session, &unit.original) {
            let own = recorded(session, &name).chain(unit.addresses.iter().filter(|_| name == unit.original));
            let own: BTreeSet<&str> = own.map(String::as_str).chain([name.as_str()]).collect();
            let found = copies(session, &name, &own, &held);
            if let Some(known) = known.get_mut(index) {
                known.addresses.extend(found.iter().flat_map(|f| f.former_addresses.clone()));
            }
            out.extend(found);
        }
    }
    Ok(out)
}

/// The addresses in state; none where there can be no state.
///
/// # Errors
/// Where Terraform can't be started.
pub(super) fn listed(session: &Session, read: &RunArgs, terraform: &Terraform) -> Result<Vec<String>, Issue> {
    // A tree of built-in providers alone needs no `init` to have a state.
    let local = ["terraform.tfstate", "terraform.tfstate.d"].map(Path::new);
    let has_state = |host: &dyn Host| local.iter().any(|path| host.kind(path).is_some());
    let may_be = init::is_initialised(&session.host, Path::new("")) || has_state(&session.host);
    if !(may_be || read.state.is_some()) {
        return Ok(Vec::new());
    }
    terraform.state_list(&session.host, &session.host.root, read.state.as_deref())
}

/// The addresses of a unit's copies that a record tells of.
fn recorded<'s>(session: &'s Session, original: &str) -> impl Iterator<Item = &'s String> {
    let units = session.record.iter().flat_map(|r| &r.units).chain(&session.kept);
    let same: Vec<&UnitRecord> = units.filter(|u| u.original == original).collect();
    same.into_iter().flat_map(|u| u.addresses.iter().chain(&u.former_addresses))
}

/// A unit's address, and those that `moved` blocks of the user's lead to it from.
pub(super) fn names(session: &Session, original: &str) -> Vec<String> {
    let renames = renames(&session.config);
    let mut names = vec![original.to_owned()];
    let mut at = 0;
    while let Some(name) = names.get(at).cloned() {
        for (from, to) in &renames {
            let (from, to) = (originals::without_keys(from), originals::without_keys(to));
            let rest = name.strip_prefix(to.as_str());
            let earlier =
                rest.filter(|r| r.is_empty() || r.starts_with('.')).map(|rest| format!("{from}{rest}"));
            names.extend(earlier.filter(|e| !names.contains(e)));
        }
        at += 1;
    }
    names
}

/// The copies of one unit in state of which nothing tells. An instance that stands where it is known to stand has no
/// other place, so what else is named like a copy is somebody's own.
fn copies(session: &Session, original: &str, known: &BTreeSet<&str>, held: &[String]) -> Option<UnitRecord> {
    let mut taken = BTreeSet::new();
    let mut found = Vec::new();
    for address in held {
        let plain = originals::without_keys(address);
        let within =
            |name: &&&str| plain.strip_prefix(**name).is_some_and(|r| r.is_empty() || r.starts_with('.'));
        if let Some(name) = known.iter().find(within) {
            taken.insert(originals::instance(name, address));
        } else if let Some(copy) = copy_of(original, &plain).filter(|c| !declared(session, c)) {
            found.push((originals::instance(&copy, address), copy, address));
        }
    }
    found.retain(|(instance, ..)| !taken.contains(instance));
    let repeated = |(_, copy, address): &(_, String, &String)| {
        originals::key_within(copy, address).is_some_and(|key| key != "[0]")
    };
    let repeated = found.iter().any(repeated);
    let former: BTreeSet<String> = found.into_iter().map(|(_, copy, _)| copy).collect();
    (!former.is_empty()).then(|| UnitRecord {
        original: original.to_owned(),
        addresses: Vec::new(),
        former_addresses: former.into_iter().collect(),
        repeated,
    })
}

/// The address of the unit's copy that holds an address, where one does.
fn copy_of(original: &str, address: &str) -> Option<String> {
    let rest = address.strip_prefix(original)?;
    let slug = rest.strip_prefix('_')?.split('.').next()?;
    Some(format!("{original}_{slug}"))
}

/// Whether the configuration declares what an address names: then it is somebody's own, and only named alike.
pub(super) fn declared(session: &Session, address: &str) -> bool {
    let Ok(field) = address.parse::<FieldAddr>() else { return true };
    session.config.at(&field.module).is_some_and(|module| match &field.target {
        Target::Call(name) => module.calls.contains_key(name),
        Target::Resource(addr) => module.resources.contains_key(addr),
        Target::Output(_) | Target::Local(_) | Target::Variable(_) | Target::Provider(_) => true,
    })
}
