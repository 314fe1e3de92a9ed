//! From an address in a plan of the specialised tree back to the original's, and which copies are active there.
//!
//! In: split units, addresses with instance keys as Terraform prints them. Invariant: the `[0]` of a gate goes, a key of
//! the original's own stays. Absent on purpose: reading plans.

pub use crate::specialise::moves::steps::{covers, keys, names, without_keys};

use crate::addr::{InstanceStep as Step, Key, ModuleInstance};
use crate::specialise::SplitUnit;
use crate::specialise::moves::placed_key;
use crate::specialise::moves::steps::{begins, joined, parse, shown};
use crate::specialise::record::keys::{Keys, read_given_up};
use crate::specialise::units::Active;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Copies by their names: what one address asks of all units costs a look-up for each module on its way.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// The units and their copies, by the depth of the unit's module and the number of names in an address.
    depths: BTreeMap<usize, BTreeMap<usize, FxHashMap<String, Copies>>>,
    /// The last name of each unit's original address, and whether it is repeated.
    units: Vec<(Arc<str>, bool)>,
}

/// Units of one copy's name: index of the unit, and index of the copy, in order.
type Copies = Vec<(usize, usize)>;

impl Index {
    /// Indexes these units.
    pub fn of(splits: &[SplitUnit]) -> Index {
        let mut index = Index::default();
        for (unit, split) in splits.iter().enumerate() {
            let name = names(&split.original).pop().unwrap_or_default();
            index.units.push((name, split.repeated));
            let depth = index.depths.entry(split.scope.depth()).or_default();
            for (copy, address) in split.addresses.iter().enumerate() {
                let steps = parse(address);
                let own = depth.entry(steps.len()).or_default().entry(joined(&steps)).or_default();
                // Of several copies of one name the first counts.
                if own.last().is_none_or(|(last, _)| *last != unit) {
                    own.push((unit, copy));
                }
            }
        }
        index
    }

    /// The original's address of an address in the specialised tree.
    pub fn original(&self, address: &str) -> String {
        shown(&self.mapped(address).0)
    }

    /// The split units whose copies an address goes through, outermost first: index of the unit, and the copy.
    pub fn copies(&self, address: &str) -> Vec<(usize, Active)> {
        self.mapped(address).1
    }

    fn mapped(&self, address: &str) -> (Vec<Step>, Vec<(usize, Active)>) {
        let mut steps = parse(address);
        let mut through = Vec::new();
        // What lies within a copy is named by the original's path, so outer units come first.
        for (depth, lengths) in &self.depths {
            let mut from = 0;
            while let Some((unit, copy, length)) = first(lengths, &steps, from) {
                from = unit + 1;
                let module = module_of(&steps, *depth);
                let Some((name, repeated)) = self.units.get(unit) else { continue };
                let Some(step) = steps.get_mut(length.saturating_sub(1)) else { continue };
                step.0.clone_from(name);
                let keys = if *repeated { Keys::Own } else { Keys::Gate };
                if let Some(given_up) = read_given_up(keys, step.1.as_ref()) {
                    step.1 = given_up;
                } else if !repeated && step.1 == Some(Key::Index(0)) {
                    // A gate's key is `[0]`; any other was the original's own when state was written.
                    step.1 = None;
                }
                let key = step.1.clone();
                through.push((
                    unit,
                    Active { module, key, copy: Some(copy), there: true, rekeyed: false, given_up: false },
                ));
            }
        }
        (steps, through)
    }
}

/// The first unit from an index on that has a copy which these steps begin with, the copy, and how many names that has.
fn first(
    lengths: &BTreeMap<usize, FxHashMap<String, Copies>>,
    steps: &[Step],
    from: usize,
) -> Option<(usize, usize, usize)> {
    let one = |(length, copies): (&usize, &FxHashMap<String, Copies>)| {
        let own = copies.get(&joined(steps.get(..*length)?))?;
        let (unit, copy) = own.get(own.partition_point(|(unit, _)| *unit < from))?;
        Some((*unit, *copy, *length))
    };
    lengths.iter().filter_map(one).min()
}

/// The original's address of an address in the specialised tree.
pub fn original(splits: &[SplitUnit], address: &str) -> String {
    Index::of(splits).original(address)
}

/// The split units whose copies an address goes through, outermost first: index of the unit, and the copy.
pub fn copies(splits: &[SplitUnit], address: &str) -> Vec<(usize, Active)> {
    Index::of(splits).copies(address)
}

/// The active copies as the addresses of a plan show them: those that have instances. Of a unit of which none has,
/// nothing is known, and nothing in state has to come along.
pub fn seen<'a>(splits: &[SplitUnit], addresses: impl IntoIterator<Item = &'a str>) -> Vec<Vec<Active>> {
    let mut out: Vec<Vec<Active>> = vec![Vec::new(); splits.len()];
    let index = Index::of(splits);
    for address in addresses {
        for (unit, active) in index.copies(address) {
            if let Some(known) = out.get_mut(unit).filter(|known| !known.contains(&active)) {
                known.push(active);
            }
        }
    }
    out
}

/// An address of the original's that something tells of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Told {
    /// The address.
    pub address: String,
    /// Of each step whether it has no key because all instances are meant.
    pub whole: Vec<bool>,
}

impl Told {
    /// One address in state.
    pub fn held(address: String) -> Told {
        Told { address, whole: Vec::new() }
    }

    /// An address in a `moved` block, whose ends are these. A step without a key at both is that of a whole resource or call; where
    /// one of the two has a key, the other names an instance.
    pub fn moved(address: String, (from, to): (&str, &str)) -> Told {
        let (from, to) = (parse(from), parse(to));
        let alike = from.len() == to.len() && parse(&address).len() == from.len();
        let whole = from.iter().zip(&to).map(|(a, b)| alike && a.1.is_none() && b.1.is_none());
        Told { address, whole: whole.collect() }
    }
}

/// Addresses of the original's by what they lie in.
#[derive(Clone, Debug, Default)]
pub struct Within {
    /// The addresses with these names in front, by how many names these are.
    by_names: BTreeMap<usize, FxHashMap<String, Vec<Told>>>,
}

impl Within {
    /// Indexes these addresses for these units.
    pub fn of(splits: &[SplitUnit], addresses: &BTreeSet<Told>) -> Within {
        let mut by_names: BTreeMap<usize, FxHashMap<String, Vec<Told>>> = BTreeMap::new();
        for split in splits {
            by_names.entry(parse(&split.original).len()).or_default();
        }
        for told in addresses {
            let steps = parse(&told.address);
            for (length, own) in &mut by_names {
                let Some(names) = steps.get(..*length) else { break };
                own.entry(joined(names)).or_default().push(told.clone());
            }
        }
        Within { by_names }
    }

    /// The instances of a unit that the addresses name or lie in. What has a gate is no instance where all are meant.
    pub fn instances(&self, unit: &SplitUnit) -> Vec<(ModuleInstance, Option<Key>)> {
        let own = parse(&unit.original);
        let within = self.by_names.get(&own.len()).and_then(|own_length| own_length.get(&joined(&own)));
        let last = own.len().saturating_sub(1);
        let is_one = |told: &&Told| unit.gates.is_empty() || told.whole.get(last) != Some(&true);
        within
            .into_iter()
            .flatten()
            .filter(is_one)
            .filter_map(|told| instance_of(unit, &told.address))
            .collect()
    }
}

/// The instance of a unit that holds an address of the original's: the module's, and the unit's own key.
pub fn instance_of(unit: &SplitUnit, original: &str) -> Option<(ModuleInstance, Option<Key>)> {
    let (steps, own) = (parse(original), parse(&unit.original));
    let last = steps.get(own.len().checked_sub(1)?)?;
    begins(&steps, &own).then(|| (module_of(&steps, unit.scope.depth()), last.1.clone()))
}

fn module_of(steps: &[Step], depth: usize) -> ModuleInstance {
    ModuleInstance(steps.chunks(2).take(depth).filter_map(|pair| pair.get(1).cloned()).collect())
}

/// The addresses that stand for one that a user names, in either form, in the specialised tree: with every copy of each
/// split unit on its way, or with the active ones alone. `None`: no copy of a unit is active there.
pub fn expanded(splits: &[SplitUnit], address: &str, active: Option<&[Vec<Active>]>) -> Option<Vec<String>> {
    let original = parse(&original(splits, address));
    let mut order: Vec<usize> =
        (0..splits.len()).filter(|i| splits.get(*i).is_some_and(|s| !s.gates.is_empty())).collect();
    order.sort_by_key(|i| splits.get(*i).map_or(0, |s| s.scope.depth()));
    let mut all = vec![original.clone()];
    for index in order.iter().copied() {
        let Some(split) = splits.get(index) else { continue };
        let unit = parse(&split.original);
        // One original may stand in the modules of several sources of a call.
        let alike = |i: &&usize| splits.get(**i).is_some_and(|s| s.original == split.original);
        let same: Vec<usize> = order.iter().filter(alike).copied().collect();
        if !begins(&original, &unit) || same.first() != Some(&index) {
            continue;
        }
        let last = unit.len().saturating_sub(1);
        // Where an expression chooses the source, one module may split what stands as it is in another.
        let sourced =
            |i: &usize| splits.get(*i).is_some_and(|s| s.scope.0.iter().any(|call| call.source.is_some()));
        let unsplit = same.iter().any(sourced);
        let mut given_up = false;
        // One source may repeat what another doesn't.
        let copies: Vec<(String, bool)> = match active {
            None => {
                let splits = same.iter().filter_map(|i| splits.get(*i));
                splits.flat_map(|s| s.addresses.iter().map(|a| (a.clone(), s.repeated))).collect()
            }
            Some(active) => {
                let module = module_of(&original, split.scope.depth());
                let key = original.get(last).and_then(|(_, key)| key.clone());
                let found = same.iter().find_map(|i| {
                    let one = active.get(*i)?.iter().find(|a| a.module == module && a.key == key)?;
                    let split = splits.get(*i)?;
                    Some(((split.addresses.get(one.copy?)?.clone(), split.repeated), one.given_up))
                });
                match found {
                    None if unsplit => continue,
                    found => {
                        let (copy, is_given_up) = found?;
                        given_up = is_given_up;
                        vec![copy]
                    }
                }
            }
        };
        let name = |(copy, repeated): &(String, bool)| Some((names(copy).pop()?, *repeated));
        let names: Vec<(Arc<str>, bool)> = copies.iter().filter_map(name).collect();
        let with = |steps: &Vec<Step>, (name, repeated): &(Arc<str>, bool)| {
            let mut steps = steps.clone();
            if let Some(step) = steps.get_mut(last) {
                step.0.clone_from(name);
                step.1 = placed_key(*repeated, step.1.as_ref(), given_up);
            }
            steps
        };
        let plain = if unsplit && active.is_none() { all.clone() } else { Vec::new() };
        all = all.iter().flat_map(|steps| names.iter().map(|n| with(steps, n)).collect::<Vec<_>>()).collect();
        all.extend(plain);
    }
    Some(all.iter().map(|steps| shown(steps)).collect())
}

#[cfg(test)]
mod tests {
    use crate::addr::{ModulePath, Target};
    use crate::cond::Condition;
    use crate::gate::Gate;
    use crate::specialise::moves::originals::*;

    fn split(scope: &[&str], original: &str, addresses: &[&str], repeated: bool) -> SplitUnit {
        SplitUnit {
            scope: ModulePath(scope.iter().map(|s| (*s).into()).collect()),
            original: original.to_owned(),
            addresses: addresses.iter().map(ToString::to_string).collect(),
            gates: Vec::new(),
            target: Target::Call("x".into()),
            repeated,
            handed: Vec::new(),
            in_place: true,
            relocating: std::collections::BTreeSet::new(),
            counted: None,
        }
    }

    #[test]
    fn keys_of_gates_go_and_others_stay() {
        let splits = [
            split(&["db"], "module.db.t.cache", &["module.db.t.cache_a", "module.db.t.cache_b"], false),
            split(&[], "module.db", &["module.db_x", "module.db_y"], false),
            split(&[], "module.many", &["module.many_x"], true),
        ];
        let back = |a: &str| original(&splits, a);
        assert_eq!(back("module.db_x[0].t.cache_b[0]"), "module.db.t.cache");
        assert_eq!(back("module.db_x[0].t.other[\"a.b[\\\"]\"]"), "module.db.t.other[\"a.b[\\\"]\"]");
        assert_eq!(back("module.many_x[1].t.a"), "module.many[1].t.a");
        assert_eq!(back("module.db_xy[0].t.a"), "module.db_xy[0].t.a");
        let seen = seen(&splits, ["module.db_y[0].t.cache_b[0]", "module.many_x[\"k\"].t.a", "t.b"]);
        assert_eq!(
            seen[1],
            [Active {
                module: ModuleInstance::default(),
                key: None,
                copy: Some(1),
                there: true,
                rekeyed: false,
                given_up: false
            }]
        );
        assert_eq!(seen[0][0].module.to_string(), "module.db");
        assert_eq!(seen[2][0].key, Some(Key::Name("k".into())));
        assert_eq!(without_keys("module.a[0].t.b[\"x.y\"]"), "module.a.t.b");
        assert_eq!(without_keys(r#"module.a["x.y]\""].t.n[0]"#), "module.a.t.n");
        assert!(covers("module.a", "module.a[0].t.b") && covers("module.a[0].t.b", "module.a[0].t.b[\"k\"]"));
        assert!(
            !covers("module.a.t.b", "module.a[0].t.b")
                && !covers("t.b[1]", "t.b[0]")
                && !covers("t.bc", "t.b")
        );
        let mut splits = splits;
        let gate =
            Gate { text: "x".to_owned(), negated: false, condition: std::sync::Arc::new(Condition::Always) };
        splits.iter_mut().for_each(|s| s.gates = vec![gate.clone()]);
        let all = |a: &str| expanded(&splits, a, None).unwrap();
        assert_eq!(all("module.db.t.other"), ["module.db_x[0].t.other", "module.db_y[0].t.other"]);
        assert_eq!(all("module.db_x[0].t.cache_b[0]").len(), 4);
        assert_eq!(all("module.many[\"k\"]"), ["module.many_x[\"k\"]"]);
        assert_eq!(
            all("module.db[\"k\"].t.other"),
            ["module.db_x[\"k\"].t.other", "module.db_y[\"k\"].t.other"]
        );
        assert_eq!(all("t.free[1]"), ["t.free[1]"]);
    }
}
