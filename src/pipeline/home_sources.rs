//! Whether the way home is right for every source that expressions choose.
//!
//! Terraform takes no expression for a `source`, so that one is written out before anybody plans the original without tf-phi. The blocks
//! that lead home may be right beside one source and wrong beside another: where a resource is repeated in one of them, or renamed by a
//! `moved` block. In: the chains, and what each address on them stands for. Out: the units whose objects would end elsewhere. Invariant:
//! Terraform's own moves are those of the model ([`crate::moves`]). Absent on purpose: finding other chains.

use super::home_unit::{Unit, UnitInstance};
use super::stand_ins::make_any_resource;
use crate::addr::{Held, Key, Mode, ModuleInstance, ModulePath, ObjectAddr, ResourceAddr, Target};
use crate::config::Config;
use crate::moves::{self, Declared, Statement};
use crate::simulate::{self, Census};
use crate::specialise::moves::OneSource;
use crate::trace::Repetition;
use std::collections::{BTreeMap, BTreeSet};

/// Objects times blocks that are looked at. Beyond, no way counts as right.
const MOST: usize = 1_000_000;

/// An object under the name of a copy.
pub(super) struct Probe {
    /// Its address there, in the original's modules.
    pub held: ObjectAddr,
    /// Its address in the original.
    pub original: ObjectAddr,
    /// The unit.
    pub unit: String,
    /// The innermost call on its way whose source is chosen.
    pub chosen: ModulePath,
}

/// Finds the units whose way home isn't right beside every source, each object alone in its state. `declare` counts what a configuration declares.
pub(super) fn find_one_sources<'a>(
    choices: &'a [Config],
    probes: &[Probe],
    home: &[Statement],
    declare: &dyn Fn(&'a Config) -> Census<'a>,
) -> Vec<OneSource> {
    let name = |probe: &Probe| OneSource { unit: probe.unit.clone(), call: probe.chosen.plain().to_string() };
    if probes.len().saturating_mul(home.len()) > MOST {
        return probes.iter().map(name).collect::<BTreeSet<_>>().into_iter().collect();
    }
    let mut found = BTreeSet::new();
    for config in choices {
        let (declared, own) = (declare(config), simulate::statements(config));
        let all: Vec<Statement> = own.iter().chain(home).cloned().collect();
        let is_declared = |at: &ObjectAddr| match at.resource == make_any_resource() {
            true => config.at(&at.module.path()).is_some(),
            false => declared.repetition(&at.module.path(), &at.resource).is_some(),
        };
        for probe in probes {
            let end = run_alone(&probe.held, &all, &declared);
            let wanted = run_alone(&probe.original, &own, &declared);
            if end != wanted && (is_declared(&end) || is_declared(&wanted)) {
                found.insert(name(probe));
            }
        }
    }
    found.into_iter().collect()
}

/// Where an object ends that is alone in its state.
fn run_alone(object: &ObjectAddr, statements: &[Statement], declared: &Census<'_>) -> ObjectAddr {
    let ends = moves::run(&Held::objects([object.clone()]), statements, declared).outcome.ends;
    ends.get(object).unwrap_or(object).clone()
}

/// The objects under the names of copies whose way depends on a source that an expression chooses.
/// Those of `within` stood in them when they were applied.
pub(super) fn find_probes(
    unit: &Unit<'_>,
    one: &UnitInstance,
    copies: &[String],
    within: &[ObjectAddr],
) -> Vec<Probe> {
    let innermost = |path: &ModulePath| {
        let (above, call) = path.by_sources().last()?;
        Some(above.child(call.clone()))
    };
    let original = unit.address_of(one);
    let all = |unit: &str, chosen: &ModulePath, read: &dyn Fn(&str) -> Option<ObjectAddr>| {
        let probe = |copy: &String| {
            let (unit, chosen) = (unit.to_owned(), chosen.clone());
            Some(Probe { held: read(copy)?, original: read(&original)?, unit, chosen })
        };
        copies.iter().filter_map(probe).collect::<Vec<_>>()
    };
    let mut out = Vec::new();
    if let Some(chosen) = unit.scopes.iter().filter_map(innermost).max_by_key(ModulePath::depth) {
        out.extend(all(&unit.record.original, &chosen, &|address| match &unit.target {
            Target::Resource(_) => address.parse().ok(),
            _ => Some(make_object(address.parse().ok()?, make_any_resource(), None)),
        }));
    }
    // Beside a move of its module, Terraform moves nothing by itself where a `count` comes or goes.
    let Target::Call(call) = &unit.target else { return out };
    let module = unit.scope.child(call.name.clone());
    for (path, resource) in find_forms(unit.config, &module, within) {
        let Some(chosen) = innermost(&path) else { continue };
        let inner = path.plain();
        let name = inner.address_of(&resource);
        let read = |address: &str, key| {
            let at: ModuleInstance = address.parse().ok()?;
            let below = inner.0.iter().skip(module.depth());
            let at = below.fold(at, |at, call| at.child(call.name.clone(), None));
            Some(make_object(at, resource.clone(), key))
        };
        for key in [None, Some(Key::Index(0))] {
            out.extend(all(&name, &chosen, &|address| read(address, key.clone())));
        }
    }
    out
}

/// Finds the resources at or below a module that are single in one source, or were when they were applied, and have `count` in another.
fn find_forms(
    config: &Config,
    module: &ModulePath,
    within: &[ObjectAddr],
) -> Vec<(ModulePath, ResourceAddr)> {
    let mut forms: BTreeMap<(ModulePath, ResourceAddr), (ModulePath, BTreeSet<bool>)> = BTreeMap::new();
    let below = config.paths.keys().filter(|path| path.is_by_source() && module.contains(&path.plain()));
    for path in below {
        for resource in
            config.at(path).iter().flat_map(|m| m.resources.keys()).filter(|r| r.mode == Mode::Managed)
        {
            let said = config.at(path).map(|m| Repetition::of(m, &Target::Resource(resource.clone())));
            let Some(said) = said.filter(|said| said.for_each.is_none()) else { continue };
            let own = (path.plain(), resource.clone());
            let (_, known) = forms.entry(own).or_insert_with(|| (path.clone(), BTreeSet::new()));
            known.insert(said.count.is_some());
        }
    }
    for object in within {
        if let Some((_, known)) = forms.get_mut(&(object.module.path(), object.resource.clone())) {
            known.insert(object.key.is_some());
        }
    }
    let both = forms.into_iter().filter(|(_, (_, forms))| forms.len() > 1);
    both.map(|((_, resource), (path, _))| (path, resource)).collect()
}

fn make_object(module: ModuleInstance, resource: ResourceAddr, key: Option<Key>) -> ObjectAddr {
    ObjectAddr { module, resource, key }
}
