//! What services may have made, where the history is lost.
//!
//! In: the services of `phi.hcl`, and what they may replace in the original. Out: the calls that they make of it, and those that they
//! made before a `moved` block of the user's gave it another name; the lines of the history that an object in state tells. Invariant: a
//! name counts only for what the service's template declares. Absent on purpose: whether a service's conditions hold.

use super::carry::{GivenUp, name_unit};
use super::session::{Possible, Session};
use crate::addr::{CallName, FieldAddr, Key, ModulePath, ObjectAddr, Target};
use crate::config::Config;
use crate::config::phi::{Template, Templates};
use crate::simulate;
use crate::specialise::record::history::{History, Made};
use crate::specialise::service::candidates;
use crate::trace::Repetition;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The calls that services of all form factors may make, or may have made.
pub(super) fn collect_possible<H>(session: &Session<H>, templates: &Templates) -> Vec<Possible> {
    let mut out = Vec::new();
    for factor in session.phi.form_factors.values() {
        for candidate in candidates(&session.config, &session.phi, factor) {
            let replaced = candidate.replaced;
            let Some(template) = templates.get(&replaced.service) else { continue };
            let declares = names_declared(template);
            let made = Made {
                address: replaced.address(),
                made_for: replaced.original(),
                service: replaced.service.to_string(),
                form_factor: factor.name.to_string(),
            };
            let repeated = is_repeated(&session.config, &made.made_for);
            out.push(Possible { made, declares, repeated });
        }
    }
    collect_given_up(session, templates, &mut out);
    let renames: Vec<(String, String)> = simulate::statements(&session.config)
        .iter()
        .map(|s| (name_unit(&s.scope, &s.from), name_unit(&s.scope, &s.to)))
        .filter(|(from, to)| from != to)
        .collect();
    let mut at = 0;
    // Names that lead in a circle come up once each.
    while let Some(known) = out.get(at).cloned() {
        at += 1;
        for (from, to) in &renames {
            let before = take_back(&known.made, from, to).map(|made| Possible { made, ..known.clone() });
            out.extend(before.filter(|new| out.iter().all(|p| p.made != new.made)));
        }
    }
    out
}

/// The same for resources that `removed` blocks give up, and that nothing declares any more.
fn collect_given_up<H>(session: &Session<H>, templates: &Templates, out: &mut Vec<Possible>) {
    for made_for in simulate::forgotten(&session.config) {
        let Ok(FieldAddr { module, target: Target::Resource(resource), .. }) = made_for.parse() else {
            continue;
        };
        for factor in session.phi.form_factors.values() {
            let services = factor.services.iter().filter_map(|(name, _)| session.phi.services.get(name));
            for service in services.filter(|service| *service.replaces.0 == *resource.kind) {
                let Some(template) = templates.get(&service.name) else { continue };
                let made = Made {
                    address: module.child(resource.name.clone()).to_string(),
                    made_for: made_for.clone(),
                    service: service.name.to_string(),
                    form_factor: factor.name.to_string(),
                };
                // Nothing tells of its keys: what state has is right.
                out.push(Possible { made, declares: names_declared(template), repeated: true });
            }
        }
    }
}

/// What would have been made before a rename.
fn take_back(made: &Made, from: &str, to: &str) -> Option<Made> {
    if made.made_for == to {
        let (scope, _) = split_last(&made.address)?;
        let own = |unit: &str| unit.rsplit('.').next().unwrap_or(unit).to_owned();
        let call = made.address.get(scope.len()..)?.trim_start_matches('.').strip_prefix("module.")?;
        let front = call.strip_suffix(own(to).as_str())?;
        let unit: FieldAddr = from.parse().ok()?;
        let address = unit.module.child(format!("{front}{}", own(from))).to_string();
        return Some(Made { address, made_for: from.to_owned(), ..made.clone() });
    }
    let within = |text: &str| {
        text.strip_prefix(to).filter(|rest| rest.starts_with('.')).map(|rest| format!("{from}{rest}"))
    };
    Some(Made { address: within(&made.address)?, made_for: within(&made.made_for)?, ..made.clone() })
}

/// The address of a module without its last call, and that call.
fn split_last(address: &str) -> Option<(&str, &str)> {
    let at = address.rfind("module.")?;
    Some((address.get(..at)?.trim_end_matches('.'), address.get(at..)?))
}

fn is_repeated(config: &Config, address: &str) -> bool {
    let Ok(FieldAddr { module, target, .. }) = address.parse() else { return false };
    config.at(&module).is_some_and(|m| !Repetition::of(m, &target).is_none())
}

/// Returns true if an object that nothing tells of may be of a service's call, or of a copy of one: by the names of the calls that lead
/// to it, and because the service's template declares it.
pub(super) fn is_named_alike(possible: &Possible, object: &ObjectAddr) -> bool {
    let Ok(path) = possible.made.address.parse::<ModulePath>() else { return false };
    let steps = &object.module.0;
    let below = match steps.get(path.depth()) {
        Some((name, _)) => format!("module.{name}"),
        None => object.resource.to_string(),
    };
    let alike = |((name, key), call): (&(Arc<str>, Option<Key>), &CallName)| {
        name.strip_prefix(&*call.name)
            .is_some_and(|rest| rest.is_empty() || (rest.starts_with('_') && key.is_some()))
    };
    steps.len() >= path.depth() && steps.iter().zip(&path.0).all(alike) && possible.declares.contains(&below)
}

/// The address that an object has if nothing on the way to what a service made was split.
pub(super) fn join_copies(config: &Config, possible: &Possible, object: &ObjectAddr) -> Option<ObjectAddr> {
    let path: ModulePath = possible.made.address.parse().ok()?;
    let mut out = object.clone();
    let mut above = ModulePath::ROOT;
    for ((name, key), call) in out.module.0.iter_mut().zip(&path.0) {
        let own = above.child(call.name.clone());
        let repeated = match own.depth() == path.depth() {
            true => possible.repeated,
            false => is_repeated(config, &own.to_string()),
        };
        if !repeated {
            *key = None;
        }
        name.clone_from(&call.name);
        above = own;
    }
    Some(out)
}

impl<H> Session<H> {
    /// Returns true if it is known which service may have made an object that nothing declares. Without form factors none did.
    pub fn is_maker_known(&self, object: &ObjectAddr) -> bool {
        self.phi.form_factors.is_empty() || self.possible.iter().any(|p| is_named_alike(p, object))
    }

    /// Adds to the history what objects in state tell of services, where nothing else tells of them and one reading alone is possible.
    pub fn conclude_made<'o>(&mut self, objects: impl Iterator<Item = &'o ObjectAddr>) {
        self.conclude(objects, &|_| true);
    }

    /// The same for what the original gives up by `removed` blocks. Without the history it would be destroyed. Returns the calls.
    pub fn conclude_given_up<'o>(&mut self, objects: impl Iterator<Item = &'o ObjectAddr>) -> Vec<Made> {
        if self.possible.is_empty() {
            return Vec::new();
        }
        let given_up = GivenUp::of(self.origin.as_ref().unwrap_or(&self.config));
        self.conclude(objects, &|made| given_up.has(&made.made_for))
    }

    fn conclude<'o>(
        &mut self,
        objects: impl Iterator<Item = &'o ObjectAddr>,
        is_meant: &dyn Fn(&Made) -> bool,
    ) -> Vec<Made> {
        let config = self.origin.as_ref().unwrap_or(&self.config);
        let on = self.rewrite.as_ref().map(|r| r.factor.to_string());
        let (mut told, mut calls) = (History::default(), BTreeSet::new());
        for object in objects.filter(|o| self.history.made_around(&o.module).is_empty()) {
            let alike: Vec<&Possible> = self.possible.iter().filter(|p| is_named_alike(p, object)).collect();
            let places: BTreeSet<(&str, &str)> =
                alike.iter().map(|p| (p.made.address.as_str(), p.made.made_for.as_str())).collect();
            let is_on = |p: &&&Possible| on.as_ref() == Some(&p.made.form_factor);
            let one = alike.iter().find(is_on).or(alike.first());
            let one = one.filter(|one| places.len() == 1 && is_meant(&one.made));
            let Some((one, original)) = one.and_then(|one| Some((one, join_copies(config, one, object)?)))
            else {
                continue;
            };
            told.note_module(&object.module, &original.module);
            told.add_made(one.made.clone());
            calls.insert(one.made.clone());
        }
        self.history.extend(told);
        calls.into_iter().collect()
    }
}

/// The resources and calls of a template.
fn names_declared(template: &Template) -> BTreeSet<String> {
    let calls = template.module.calls.keys().map(|name| format!("module.{name}"));
    template.module.resources.keys().map(ToString::to_string).chain(calls).collect()
}
