//! Instances of units that this run doesn't have, but that state holds or a plan with other variables may have.
//!
//! If a run has no instance, because `count` is 0 or the key isn't in `for_each`, the instance's chain moves nothing in it. Left
//! out, it would be missing from the next plain `terraform plan` that has the instance, and that would destroy and create.
//! In: addresses in state, the file of moves as it stands. Invariant: an instance that had a chain keeps one. It leads to the
//! copy that this run's values name; where they don't, to the one it led to before, or to the first: a chain to a wrong copy
//! makes Terraform stop. What the original gives up, since its key is of no form that is declared any more, is led there as well: its
//! `lifecycle` and provider are those of this run. Absent: keys of which nothing tells; `bounds` makes Terraform stop for those.

use crate::addr::{Key, ModuleInstance, ModulePath, Target};
use crate::config::Config;
use crate::gate::{Prover, Whereabouts};
use crate::specialise::Rename;
use crate::specialise::SplitUnit;
use crate::specialise::moves::originals::{Index, Told, Within, without_keys};
use crate::specialise::moves::{self, Chain};
use crate::specialise::record::UnitRecord;
use crate::specialise::units::{self, Active};
use crate::trace::Repetition;
use std::collections::{BTreeMap, BTreeSet};

/// Evidence of instances that doesn't depend on this run's variables.
#[derive(Clone, Debug, Default)]
pub struct AbsentInstances {
    /// The units with every address that they ever had.
    named: Vec<SplitUnit>,
    /// Addresses of instances, in the original's words.
    seen: Within,
    /// Those of them that state holds.
    held: Within,
    /// The declarations that the user's `moved` blocks name: of these Terraform moves nothing by itself.
    moved: BTreeSet<String>,
    /// The copies to which the chains of units' instances led before.
    led: BTreeMap<(usize, ModuleInstance, Option<Key>), usize>,
}

impl AbsentInstances {
    /// Collects it from the units to be written and their records, the user's `moved` blocks, the addresses in the
    /// state, and the current file of moves.
    pub fn new(
        splits: &[SplitUnit],
        units: &[UnitRecord],
        renames: &[Rename],
        (held, chain): (&[String], Option<&str>),
    ) -> AbsentInstances {
        let mut named = splits.to_vec();
        let mut records: BTreeMap<&str, Vec<&UnitRecord>> = BTreeMap::new();
        for unit in units {
            records.entry(&unit.original).or_default().push(unit);
        }
        for split in &mut named {
            let records = records.get(split.original.as_str()).into_iter().flatten();
            for unit in records.filter(|unit| unit.repeated == split.repeated) {
                let own: BTreeSet<&String> = split.addresses.iter().collect();
                let known = unit.addresses.iter().chain(&unit.former_addresses);
                let more: Vec<String> = known.filter(|a| !own.contains(a)).cloned().collect();
                split.addresses.extend(more);
            }
        }
        named.extend(rekeyed_units(&named, units));
        let touched = renames.iter().flat_map(|r| [&r.from, &r.to]).map(|a| without_keys(a)).collect();
        let lead = |rename: &Rename| Chain::new([rename.from.clone(), rename.to.clone()]);
        let renames: Vec<Chain> = renames.iter().map(lead).collect();
        let (from, to) = moves::sides(chain.unwrap_or_default());
        let index = Index::of(&named);
        let now = |address: &String| now(&index, &renames, address);
        let moved = from.iter().zip(&to);
        let moved = moved
            .flat_map(|(from, to)| [from, to].map(|end| Told::moved(now(end), (from.as_str(), to.as_str()))));
        let own: BTreeSet<Told> = held.iter().map(|address| Told::held(now(address))).collect();
        let all: BTreeSet<Told> = own.iter().cloned().chain(moved).collect();
        let seen = Within::of(&named, &all);
        let held = Within::of(&named, &own);
        let from: BTreeSet<&String> = from.iter().collect();
        let copies = Index::of(splits);
        let mut led = BTreeMap::new();
        for (unit, one) in to.iter().filter(|a| !from.contains(a)).flat_map(|end| copies.copies(end)) {
            if let Some(copy) = one.copy {
                led.entry((unit, one.module, one.key)).or_insert(copy);
            }
        }
        AbsentInstances { named, seen, held, moved: touched, led }
    }

    /// The instances of a unit beside those of this run.
    pub(in crate::specialise) fn others(
        &self,
        (config, splits): (&Config, &[SplitUnit]),
        at: usize,
        run: &[Active],
        prover: &mut Prover<'_, '_>,
    ) -> Vec<Active> {
        let Some(unit) = splits.get(at).filter(|u| u.in_place) else { return Vec::new() };
        let mut found = self.seen(at, config);
        let target = (!unit.gates.is_empty()).then_some(&unit.target);
        found.extend(prover.possible(&unit.scope, target));
        for one in run {
            found.remove(&(one.module.clone(), one.key.clone()));
        }
        let mut out = Vec::new();
        for (module, key) in found {
            if handed(unit, key.as_ref()) {
                continue;
            }
            let decided = match prover.whereabouts(&unit.scope, &module) {
                Whereabouts::OtherSource => continue,
                Whereabouts::Unknown => None,
                Whereabouts::In(instance) => match units::copy_of(unit, prover, instance, &key) {
                    Err(_) if unit.repeated => units::copy_beside(unit, prover, instance),
                    decided => decided.ok().flatten(),
                },
            };
            let led = || self.led.get(&(at, module.clone(), key.clone())).copied();
            let copy = decided.or_else(led);
            let copy = copy.or((!unit.gates.is_empty()).then_some(0));
            let given_up = !unit.gates.is_empty() && !fits(config, unit, &module, key.as_ref());
            out.push(Active { module, key, copy, there: false, rekeyed: false, given_up });
        }
        out
    }

    /// The instances of a unit that state holds, or that chains tell of.
    fn seen(&self, at: usize, config: &Config) -> BTreeSet<(ModuleInstance, Option<Key>)> {
        let Some(unit) = self.named.get(at) else { return BTreeSet::new() };
        let declared = |(module, key): (ModuleInstance, Option<Key>)| {
            (module, if unit.gates.is_empty() { None } else { self.as_declared(config, unit, key) })
        };
        let found = self.seen.instances(unit).into_iter().map(declared);
        let mut found: BTreeSet<_> =
            found.filter(|(module, key)| fits(config, unit, module, key.as_ref())).collect();
        if !unit.gates.is_empty() {
            found.extend(self.held.instances(unit).into_iter().map(declared));
        }
        found
    }

    /// The instances of a unit that state holds as they were before `count` came or went.
    pub(in crate::specialise) fn rekeyed(
        &self,
        config: &Config,
        at: usize,
    ) -> BTreeSet<(ModuleInstance, Option<Key>)> {
        let Some(unit) = self.named.get(at).filter(|u| !u.gates.is_empty()) else { return BTreeSet::new() };
        let one = |(module, key): (ModuleInstance, Option<Key>)| {
            let declared = self.as_declared(config, unit, key.clone());
            (declared != key).then_some((module, declared))
        };
        self.seen.instances(unit).into_iter().filter_map(one).collect()
    }

    /// The key of an instance as it is declared now: Terraform itself moves a resource when its `count` comes or goes, and no
    /// call.
    fn as_declared(&self, config: &Config, unit: &SplitUnit, key: Option<Key>) -> Option<Key> {
        let moves_by_itself = !matches!(unit.target, Target::Call(_)) && !self.moved.contains(&unit.original);
        let repetition = repetition(config, &unit.scope, &unit.target);
        match key {
            Some(Key::Index(0)) if repetition.is_none() && moves_by_itself => None,
            None if repetition.count.is_some() && moves_by_itself => Some(Key::Index(0)),
            key => key,
        }
    }
}

/// The units as they were before a `count` or `for_each` came or went, with the copies of that time.
fn rekeyed_units(named: &[SplitUnit], units: &[UnitRecord]) -> Vec<SplitUnit> {
    let mut by_original: BTreeMap<&str, &SplitUnit> = BTreeMap::new();
    for split in named {
        by_original.entry(&split.original).or_insert(split);
    }
    let one = |unit: &UnitRecord| {
        let split = by_original.get(unit.original.as_str()).filter(|_| !unit.rekeyed_addresses.is_empty())?;
        let addresses = unit.rekeyed_addresses.clone();
        Some(SplitUnit { addresses, repeated: !unit.repeated, ..(*split).clone() })
    };
    units.iter().filter_map(one).collect()
}

/// The address in the original, once the user's moves are done: they may lead on from what they led to under a copy's name.
fn now(named: &Index, renames: &[Chain], address: &str) -> String {
    let once = |address: &str| named.original(&moves::end(renames, address));
    let first = once(address);
    once(&first)
}

/// Returns true if a `moved` block of the user's takes an instance away from the unit.
fn handed(unit: &SplitUnit, key: Option<&Key>) -> bool {
    let first = key.is_none_or(|k| *k == Key::Index(0));
    unit.handed.iter().any(|h| h.as_ref() == key || h.is_none() && first)
}

fn repetition(config: &Config, module: &ModulePath, target: &Target) -> Repetition {
    config.at(module).map(|m| Repetition::of(m, target)).unwrap_or_default()
}

/// Returns true if the configuration declares an instance of this form, whatever the variables.
fn fits(config: &Config, unit: &SplitUnit, module: &ModuleInstance, key: Option<&Key>) -> bool {
    let has = |module: &ModulePath, target: &Target, key: Option<&Key>| {
        let repetition = repetition(config, module, target);
        match key {
            None => repetition.is_none(),
            Some(Key::Index(_)) => repetition.for_each.is_none() && repetition.count.is_some(),
            Some(Key::Name(_)) => repetition.for_each.is_some(),
        }
    };
    let mut above = ModulePath::ROOT;
    for (name, (_, key)) in unit.scope.0.iter().zip(&module.0) {
        if !has(&above, &Target::Call(name.clone()), key.as_ref()) {
            return false;
        }
        above = above.child(name.clone());
    }
    unit.gates.is_empty() || has(&above, &unit.target, key)
}

#[cfg(test)]
mod tests {
    use crate::specialise::active::absent_instances::*;

    #[test]
    fn a_file_of_moves() {
        let text = "# x\nmoved {\n  from = t.a[\"k = v\"]\n  to   = t.b[0]\n}\n";
        assert_eq!(moves::sides(text), (vec!["t.a[\"k = v\"]".to_owned()], vec!["t.b[0]".to_owned()]));
    }
}
