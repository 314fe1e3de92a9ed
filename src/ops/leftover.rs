//! Copies that state still holds, where no record tells of them.
//!
//! A record is lost by `restore`, by deleting `.phi`, by a merge, or by planning from another checkout. What was applied
//! from the specialised form then stands in state under addresses that nothing in the sources names, and Terraform would
//! destroy it. So state is asked in every run. The names are a contract (`<unit>_<slug>`), so state itself can be asked.

use super::decide::{Decided, decide};
use super::likeness::{self, Likeness};
use super::session::Session;
use super::state::State;
use super::{Start, Stop};
use crate::addr::{FieldAddr, Target};
use crate::issue::Issue;
use crate::specialise::record::UnitRecord;
use crate::specialise::{Elsewhere, SplitUnit, originals, removals, renames};
use crate::terraform::Terraform;
use crate::terraform::args::RunArgs;
use crate::trace::Driven;
use std::collections::BTreeSet;

/// Decides anew with what state holds, where no record tells of it. Gives the addresses in state.
///
/// # Errors
/// Those of the decision; what is named like a copy and can't be told from one; where Terraform can't be started.
pub(super) fn take_in(
    start: &Start,
    session: &mut Session,
    decided: &mut Decided,
    driven: &[Driven],
    read: &RunArgs,
    terraform: &Terraform,
) -> Result<Vec<String>, Box<Stop>> {
    let mut units = decided.specialised.splits.clone();
    for unit in driven.iter().flat_map(|d| SplitUnit::possible(&d.field)) {
        if !units.iter().any(|u| u.original == unit.original) {
            units.push(unit);
        }
    }
    if units.is_empty() {
        return Ok(Vec::new());
    }
    let mut led: Vec<(String, String)> = Vec::new();
    for leader in units.clone() {
        for unit in leader.followers(&session.config) {
            led.push((unit.original.clone(), leader.original.clone()));
            if !units.iter().any(|u| u.original == unit.original) {
                units.push(unit);
            }
        }
    }
    let state = State::of(session, &decided.tree, driven, read, terraform);
    let listed = state.list()?;
    let found = in_state(session, &units, &listed);
    if !found.is_empty() {
        let likeness = Likeness::read(&state)?;
        let doubts: Vec<Issue> = found.iter().filter_map(|f| f.doubt(&likeness, driven, &led)).collect();
        if !doubts.is_empty() {
            session.extend(doubts);
            return Err(Box::new(Stop {
                issues: session.issues.clone(),
                sources: session.config.sources.clone(),
            }));
        }
    }
    let held = self::units(&found);
    session.held.clone_from(&listed);
    let specialised = &decided.specialised;
    let known = (specialised.splits.as_slice(), specialised.record.units.as_slice());
    let elsewhere = Elsewhere::new(known.0, known.1, &specialised.renames, (&listed, None));
    if held.is_empty() && elsewhere.is_led(&session.config, &decided.copies) {
        return Ok(listed);
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
    Ok(listed)
}

/// What state holds under a name of a copy, and no record tells of.
struct Found {
    /// The unit's address.
    unit: String,
    /// The same, or what it was called before a `moved` block of the user's.
    original: String,
    /// The address that is named like a copy, without keys.
    copy: String,
    /// The same with its keys.
    instance: String,
    /// The copy's own key, where there is one.
    key: Option<String>,
    /// Whether a copy is to stand there in this run, so that nothing has to be led away.
    in_place: bool,
}

impl Found {
    /// What is not known to be a copy. `led`: units that have no fields of their own, each with one that it is split along with.
    fn doubt(&self, likeness: &Likeness, driven: &[Driven], led: &[(String, String)]) -> Option<Issue> {
        if self.key.is_some() && likeness.is_copy(driven, &self.unit, &self.original, &self.copy) {
            return None;
        }
        // Both copies have one slug, which is that of the other's values.
        let slug = self.copy.strip_prefix(&self.original).filter(|_| self.key.is_some());
        let leaders = led.iter().filter(|(own, _)| *own == self.unit).map(|(_, leader)| leader);
        let beside =
            |leader: &String, slug| likeness.is_copy(driven, leader, leader, &format!("{leader}{slug}"));
        if slug.is_some_and(|slug| leaders.into_iter().any(|leader| beside(leader, slug))) {
            return None;
        }
        // Two objects that come to one address are found by `likeness::collisions`, so that nothing is lost by this.
        if self.in_place && self.key.is_some() && !likeness::can_tell(driven, &self.unit) {
            return None;
        }
        Some(match self.in_place {
            true => likeness::in_the_way(&self.instance, &self.unit),
            false => likeness::unlike(&self.instance, &self.original),
        })
    }
}

/// The former copies, unit by unit.
fn units(found: &[Found]) -> Vec<UnitRecord> {
    let mut out: Vec<UnitRecord> = Vec::new();
    for one in found.iter().filter(|f| !f.in_place) {
        let at = out.iter().position(|u| u.original == one.original).unwrap_or(out.len());
        if at == out.len() {
            out.push(UnitRecord {
                original: one.original.clone(),
                addresses: Vec::new(),
                former_addresses: Vec::new(),
                repeated: false,
            });
        }
        let Some(unit) = out.get_mut(at) else { continue };
        unit.repeated |= one.key.as_ref().is_some_and(|key| key != "[0]");
        if !unit.former_addresses.contains(&one.copy) {
            unit.former_addresses.push(one.copy.clone());
        }
    }
    out.iter_mut().for_each(|u| u.former_addresses.sort());
    out
}

/// What stands in state under names of copies, without a record.
fn in_state(session: &Session, splits: &[SplitUnit], listed: &[String]) -> Vec<Found> {
    let mut out: Vec<Found> = Vec::new();
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
            let found = copies(session, (&unit.original, &name), &own, &held);
            if let Some(known) = known.get_mut(index) {
                known.addresses.extend(found.iter().map(|f| f.copy.clone()));
            }
            out.extend(found);
        }
        out.extend(in_place(session, unit, &held));
    }
    out
}

/// What stands where the unit's copies are to stand, and no record tells of.
fn in_place(session: &Session, unit: &SplitUnit, held: &[String]) -> Vec<Found> {
    let recorded: BTreeSet<&String> = recorded(session, &unit.original).collect();
    let mut out: Vec<Found> = Vec::new();
    for copy in unit.addresses.iter().filter(|a| unit.keeps_state() && !recorded.contains(a)) {
        for address in held.iter().filter(|a| originals::covers(copy, &originals::without_keys(a))) {
            let key = originals::key_within(copy, address);
            // Terraform gives a resource without a key the key that its new declaration has; a module it does not.
            let stays = key.is_none() && matches!(unit.target, Target::Call(_));
            let instance = originals::through(copy, address);
            if !stays && !out.iter().any(|f| f.instance == instance) {
                let (unit, original) = (unit.original.clone(), unit.original.clone());
                out.push(Found { unit, original, copy: copy.clone(), instance, key, in_place: true });
            }
        }
    }
    out
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
/// other place, and a copy has a key; what else is named like one is somebody's own.
fn copies(
    session: &Session,
    (unit, original): (&str, &str),
    known: &BTreeSet<&str>,
    held: &[String],
) -> Vec<Found> {
    let mut taken = BTreeSet::new();
    let mut found: Vec<(Vec<String>, Found)> = Vec::new();
    for address in held {
        let plain = originals::without_keys(address);
        let within =
            |name: &&&str| plain.strip_prefix(**name).is_some_and(|r| r.is_empty() || r.starts_with('.'));
        if let Some(name) = known.iter().find(within) {
            taken.insert(originals::instance(name, address));
        } else if let Some(copy) = copy_of(original, &plain).filter(|c| !declared(session, c)) {
            let Some(key) = originals::key_within(&copy, address) else { continue };
            let instance = originals::through(&copy, address);
            if found.iter().any(|(_, f)| f.instance == instance) {
                continue;
            }
            let (unit, original) = (unit.to_owned(), original.to_owned());
            let place = originals::instance(&copy, address);
            found.push((place, Found { unit, original, copy, instance, key: Some(key), in_place: false }));
        }
    }
    found.into_iter().filter(|(instance, _)| !taken.contains(instance)).map(|(_, found)| found).collect()
}

/// The address of the unit's copy that holds an address, where one does.
fn copy_of(original: &str, address: &str) -> Option<String> {
    let rest = address.strip_prefix(original)?;
    let slug = rest.strip_prefix('_')?.split('.').next()?;
    Some(format!("{original}_{slug}"))
}

/// Whether the configuration declares what an address names, or says what becomes of it: then it is somebody's own, and
/// only named alike.
pub(super) fn declared(session: &Session, address: &str) -> bool {
    let Ok(field) = address.parse::<FieldAddr>() else { return true };
    let is = |from: &String| originals::without_keys(from) == address;
    if renames(&session.config).iter().any(|(from, _)| is(from)) || removals(&session.config).iter().any(is) {
        return true;
    }
    session.config.at(&field.module).is_some_and(|module| match &field.target {
        Target::Call(name) => module.calls.contains_key(name),
        Target::Resource(addr) => module.resources.contains_key(addr),
        Target::Output(_) | Target::Local(_) | Target::Variable(_) | Target::Provider(_) => true,
    })
}
