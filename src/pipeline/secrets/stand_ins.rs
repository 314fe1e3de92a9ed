//! What stands in for something, under a form factor: a call of a template has none of the names and marks of what a service replaced by it.
//!
//! In: the configuration before, its secrets, and what was replaced. Out: what is secret in the configuration after, by the same names, and by those of
//! templates. A declaration that went is known by what its secrets came from. Absent on purpose: what templates themselves say.

use super::found::{Secrets, without_source};
use super::parts::secret_parts;
use super::route::{EACH, Route};
use crate::addr::{Mode, ModulePath, ResourceAddr, Target};
use crate::config::phi::{PhiConfig, Service};
use crate::config::{Config, is_secret_argument};
use crate::specialise::UnitName;
use crate::specialise::service::{Replaced, Rewrite};
use crate::syntax::Expr;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A configuration as it stood before services replaced what is in it.
#[derive(Clone, Copy)]
pub struct Before<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// What was replaced.
    pub rewrite: &'a Rewrite,
    /// The services.
    pub phi: &'a PhiConfig,
}

/// Something that is secret, and the parts of it.
type Known = (ModulePath, Target, Vec<Route>);

/// What is known from before.
#[derive(Default)]
pub(super) struct StandIns {
    /// What secret arguments come from.
    pub led_to: Vec<Known>,
    /// All that holds a secret.
    pub held: Vec<Known>,
    /// What calls stand for.
    calls: FxHashMap<(ModulePath, Arc<str>), StoodFor>,
    /// True if there was too much to tell it apart.
    pub all: bool,
}

/// What one call stands for.
#[derive(Default)]
struct StoodFor {
    /// The resource, if it is one.
    resource: Option<Target>,
    /// The variables of the module that say that they are secret, if it is a call.
    marked: FxHashSet<Arc<str>>,
    /// By argument: a resource that was merged into it.
    merged: BTreeMap<Arc<str>, Target>,
}

impl StandIns {
    /// Reads it from the configuration before and its secrets. `after`: the configuration with the templates.
    pub fn of(before: &Before<'_>, secrets: &Secrets, after: &Config) -> StandIns {
        let mut found = StandIns { all: secrets.all, ..StandIns::default() };
        for replaced in &before.rewrite.replaced {
            let Some(service) = before.phi.services.get(&replaced.service) else { continue };
            found.add(before.config, after, (replaced, service));
        }
        let moved = |known: &BTreeMap<(ModulePath, Target), Vec<Route>>| -> Vec<Known> {
            known.iter().flat_map(|((path, target), parts)| places_of(before, path, target, parts)).collect()
        };
        found.led_to.extend(moved(&secrets.led_to));
        found.held.extend(moved(&secrets.held));
        found
    }

    fn add(&mut self, config: &Config, after: &Config, (replaced, service): (&Replaced, &Service)) {
        let whole = || vec![Route::new()];
        let child = replaced.scope.child(replaced.call.clone());
        let kind_of = |kind: &Arc<str>| {
            let name = Arc::from("");
            Target::Resource(ResourceAddr { mode: Mode::Managed, kind: kind.clone(), name })
        };
        let merged = service.merges.iter().map(|(kind, merge)| (merge.into.clone(), kind_of(kind)));
        let mut own = StoodFor { merged: merged.collect(), ..StoodFor::default() };
        match unit_before(replaced) {
            UnitName::Resource(addr) => {
                own.resource = Some(Target::Resource(addr.clone()));
                let named = service.outputs.iter().map(|(name, (output, _))| (name, output));
                let own_names = after.at(&child).into_iter().flat_map(|module| module.outputs.keys());
                let all = named.chain(own_names.map(|name| (name, name)));
                let secret = all.filter(|(name, _)| is_secret_argument(&addr.kind, &[name]));
                let held = secret.map(|(_, output)| (child.clone(), Target::Output(output.clone()), whole()));
                self.held.extend(held);
            }
            UnitName::Call(name) => {
                let Some(module) = config.at(&replaced.scope.child(name.clone())) else { return };
                let marked = module.variables.values().filter(|v| v.sensitive || v.ephemeral);
                own.marked = marked.map(|variable| variable.name.clone()).collect();
                for output in module.outputs.values().filter(|o| o.sensitive || o.ephemeral) {
                    let target = Target::Output(output_of(service, &output.name));
                    self.held.push((child.clone(), target, whole()));
                }
            }
        }
        self.calls.insert((replaced.scope.clone(), replaced.call.clone()), own);
    }

    /// The parts of an argument of a call that were secret before.
    pub fn secret_parts(
        &self,
        module: &ModulePath,
        call: &Arc<str>,
        name: &Arc<str>,
        expr: &Expr,
    ) -> Vec<Route> {
        let mut found = Vec::new();
        let Some(own) = self.calls.get(&(module.clone(), call.clone())) else { return found };
        if own.marked.contains(name) {
            return vec![Route::new()];
        }
        if let Some(target) = &own.resource {
            if matches!(target, Target::Resource(addr) if is_secret_argument(&addr.kind, &[name])) {
                return vec![Route::new()];
            }
            secret_parts(target, &mut vec![name.clone()], expr, 0, &mut found);
        }
        if let Some(target) = own.merged.get(name) {
            secret_parts(target, &mut Vec::new(), expr, 0, &mut found);
        }
        found
    }
}

/// The resource or call as it stood before conditions split it.
fn unit_before(replaced: &Replaced) -> &UnitName {
    replaced.origin.as_ref().unwrap_or(&replaced.unit)
}

/// The template's output in the place of an attribute or an output.
fn output_of(service: &Service, name: &Arc<str>) -> Arc<str> {
    service.outputs.get(name).map_or_else(|| name.clone(), |(output, _)| output.clone())
}

/// What has the place of something now: it itself, or what stands in for it; several if conditions choose among services.
fn places_of(before: &Before<'_>, path: &ModulePath, target: &Target, parts: &[Route]) -> Vec<Known> {
    let mut found = vec![(path.clone(), target.clone(), parts.to_vec())];
    for replaced in &before.rewrite.replaced {
        let Some(service) = before.phi.services.get(&replaced.service) else { continue };
        let renamed = |part: &Route| -> Route {
            let mut is_named = false;
            let one = |step: &Arc<str>| match **step == *EACH || std::mem::replace(&mut is_named, true) {
                true => step.clone(),
                false => output_of(service, step),
            };
            part.iter().map(one).collect()
        };
        let call = Target::Call(replaced.call.clone().into());
        let is_it = match (unit_before(replaced), without_source(target)) {
            (UnitName::Resource(own), Target::Resource(addr)) => *own == addr && *path == replaced.scope,
            (UnitName::Call(own), Target::Call(name)) => *own == name.name && *path == replaced.scope,
            _ => false,
        };
        if is_it {
            found.push((path.clone(), call, parts.iter().map(renamed).collect()));
        }
        let UnitName::Call(name) = unit_before(replaced) else { continue };
        if *path == replaced.scope.child(name.clone()) {
            let child = replaced.scope.child(replaced.call.clone());
            match target {
                Target::Variable(_) => found.push((child, target.clone(), parts.to_vec())),
                Target::Output(name) => {
                    found.push((child, Target::Output(output_of(service, name)), parts.to_vec()));
                }
                _ => {}
            }
        }
    }
    found
}
