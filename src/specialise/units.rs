//! Units over time: what is split now, what was split once, and the addresses that state may hold for each.

use super::record::{Record, UnitRecord};
use crate::addr::{FieldAddr, Key, Mode, ModuleInstance, ModulePath, Target};
use crate::config::{Config, Decl, ModuleId};
use crate::gate::{Gate, Prover};
use crate::specialise::moves::{named, steps};
use crate::specialise::record::history::{AppliedInstance, Entry, History, Keys};
use crate::trace::InstanceId;
use std::collections::{BTreeMap, BTreeSet};

/// A unit that is split, or was once, as far as the move chains need it.
#[derive(Clone, Debug)]
pub struct SplitUnit {
    /// The module that holds it.
    pub scope: ModulePath,
    /// The address before.
    pub original: String,
    /// Addresses of the copies, without instance key.
    pub addresses: Vec<String>,
    /// Their gates.
    pub gates: Vec<Gate>,
    /// The unit as a target within its module.
    pub target: Target,
    /// True if it has a `count` or `for_each` of its own.
    pub repeated: bool,
    /// The keys of instances that a `moved` block of the user's takes from here.
    pub handed: Vec<Option<Key>>,
    /// True if the module that holds it is still called.
    pub in_place: bool,
    /// The copies that take their source from a choice and whose modules have `moved` blocks. An object that is led through one
    /// of these could be taken to where only that source has it.
    pub relocating: BTreeSet<String>,
    /// The number of instances as the root module can count it, if variables decide it.
    pub counted: Option<Counted>,
}

/// A repeated declaration, as the root module names it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Counted {
    /// The declaration in the original.
    pub target: Target,
    /// The original's address.
    pub original: String,
    /// The declarations that replace it.
    pub declared: Vec<String>,
    /// True if by `for_each`.
    pub by_name: bool,
    /// The largest number of instances.
    pub most: Option<i64>,
    /// The instances of this run, where they are known. A unit further inside need not be in each.
    pub here: BTreeSet<Key>,
}

/// The active copy of one instance of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Active {
    /// The instance of the module that holds the unit.
    pub module: ModuleInstance,
    /// The unit's key there, where it is repeated.
    pub key: Option<Key>,
    /// Index of the copy whose gate is true; none where no gate is.
    pub copy: Option<usize>,
    /// True if this run has the instance. A chain is written of others too: a later plan may have them.
    pub there: bool,
    /// True if the original gives it up: state holds it, and the configuration declares no instance of its form any more.
    pub given_up: bool,
    /// True if state holds it as it was before the unit's `count` came or went, which Terraform moves by itself.
    pub rekeyed: bool,
}

impl SplitUnit {
    /// Every unit by which a field could have been split: the calls that lead to it, and what holds it.
    pub fn possible(field: &FieldAddr) -> Vec<SplitUnit> {
        let path = &field.module.0;
        let above = path.iter().enumerate().map(|(depth, call)| {
            let scope = ModulePath(path.iter().take(depth).cloned().collect());
            SplitUnit::whole(scope, Target::Call(call.plain()))
        });
        above.chain([SplitUnit::whole(field.module.clone(), field.target.clone())]).collect()
    }

    /// A unit without copies.
    pub(super) fn whole(scope: ModulePath, target: Target) -> SplitUnit {
        let own = FieldAddr { module: scope.plain(), target: target.clone(), path: Default::default() };
        SplitUnit {
            scope,
            original: own.to_string(),
            addresses: Vec::new(),
            gates: Vec::new(),
            target,
            repeated: false,
            handed: Vec::new(),
            in_place: true,
            relocating: BTreeSet::new(),
            counted: None,
        }
    }

    /// The address of one of its instances in the original.
    pub fn address_of_instance(&self, module: &ModuleInstance, key: Option<&Key>) -> String {
        let scope = self.scope.plain().to_string();
        let own =
            self.original.strip_prefix(scope.as_str()).unwrap_or(&self.original).trim_start_matches('.');
        let key = key.map(ToString::to_string).unwrap_or_default();
        if module.0.is_empty() { format!("{own}{key}") } else { format!("{module}.{own}{key}") }
    }

    /// The instances that a run leaves in state under the names of copies.
    pub fn applied_instances<'a>(&'a self, active: &'a [Active]) -> impl Iterator<Item = AppliedInstance> {
        let keys = if self.repeated { Keys::Own } else { Keys::Gate };
        // What the original gives up may stay there, where an apply fails.
        let goes = |one: &Active| one.given_up && one.key.is_some() != self.repeated;
        active.iter().filter(move |one| (one.there || goes(one)) && self.keeps_state()).filter_map(
            move |one| {
                let address = self.addresses.get(one.copy?)?.clone();
                let applied = self.address_of_instance(&one.module, one.key.as_ref());
                let entry = Entry { address, original: self.original.clone(), keys };
                Some(AppliedInstance { entry, applied })
            },
        )
    }

    /// Every unit that is split along with this one, wherever it is split.
    pub fn followers(&self, config: &Config) -> Vec<SplitUnit> {
        let Target::Resource(leader) = &self.target else { return Vec::new() };
        let all = crate::specialise::unit::follow::followers(config, &self.scope, leader);
        let unit = |addr| FieldAddr {
            module: self.scope.clone(),
            target: Target::Resource(addr),
            path: Default::default(),
        };
        all.into_iter().filter_map(|addr| SplitUnit::possible(&unit(addr)).pop()).collect()
    }

    /// Every address that it is known by: the original's, then the copies'.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.original.as_str()).chain(self.addresses.iter().map(String::as_str))
    }

    /// Returns true if state moves from one address to another. What data sources give is read anew; Terraform takes
    /// no `moved` block for them.
    pub fn keeps_state(&self) -> bool {
        match &self.target {
            Target::Resource(addr) => addr.mode == Mode::Managed,
            _ => true,
        }
    }
}

/// Units on record that are no longer split: their state has to come back to the original address. So it has where a unit
/// is split in the module of one source of a call, and another source is taken.
pub(super) fn gone_units(config: &Config, records: &[UnitRecord], splits: &[SplitUnit]) -> Vec<SplitUnit> {
    let mut out = Vec::new();
    let mut split: BTreeSet<(&str, &ModulePath)> = BTreeSet::new();
    split.extend(splits.iter().map(|s| (s.original.as_str(), &s.scope)));
    let mut paths: BTreeMap<ModulePath, Vec<&ModulePath>> = BTreeMap::new();
    for path in config.paths.keys() {
        paths.entry(path.plain()).or_default().push(path);
    }
    for record in records {
        let Ok(address) = record.original.parse::<FieldAddr>() else { continue };
        let standing = paths.get(&address.module).into_iter().flatten();
        let mut scopes: Vec<(ModulePath, bool)> = standing.map(|path| ((*path).clone(), true)).collect();
        if scopes.is_empty() {
            scopes.push((address.module, false));
        }
        let gone = scopes.into_iter().filter(|(scope, _)| !split.contains(&(&*record.original, scope)));
        out.extend(gone.map(|(scope, in_place)| SplitUnit {
            original: record.original.clone(),
            repeated: record.repeated,
            in_place,
            ..SplitUnit::whole(scope, address.target.clone())
        }));
    }
    out
}

/// Addresses over time: what is on record and not in use any more stays a former address.
///
/// One address may stand in the modules of several sources of one call. Where it is repeated in one of them and not in another, it is
/// a unit of each form: their copies' keys mean different things.
pub(super) fn unit_records(config: &Config, splits: &[SplitUnit], older: Option<&Record>) -> Vec<UnitRecord> {
    let mut out = UnitRecords::default();
    for split in splits {
        let addresses = split.addresses.iter().cloned();
        match out.of_form(&split.original, split.repeated) {
            Some(unit) => unit.addresses.extend(addresses),
            None => out.push(UnitRecord {
                original: split.original.clone(),
                addresses: addresses.collect(),
                repeated: split.repeated,
                ..UnitRecord::default()
            }),
        }
    }
    for now in out.units.clone() {
        out.add_former(&now.original, |unit| unit.repeated != now.repeated, &now);
    }
    let renames = renames(config);
    for old in older.iter().flat_map(|r| &r.units) {
        if !out.add_former(&old.original, |_| true, old) {
            out.push(UnitRecord {
                addresses: Vec::new(),
                former_addresses: old.former_addresses.iter().chain(&old.addresses).cloned().collect(),
                ..old.clone()
            });
        }
        // State that was written under a module's former name arrives under the new one.
        for Rename { from, to, .. } in &renames {
            if let Some(moved) = renamed(old, &steps::without_keys(from), &steps::without_keys(to)) {
                out.add_former(&moved.original, |_| true, &moved);
            }
        }
    }
    out.units
}

/// Records by their originals.
#[derive(Default)]
struct UnitRecords {
    units: Vec<UnitRecord>,
    places: BTreeMap<String, Vec<usize>>,
}

impl UnitRecords {
    fn push(&mut self, unit: UnitRecord) {
        self.places.entry(unit.original.clone()).or_default().push(self.units.len());
        self.units.push(unit);
    }

    fn of_form(&mut self, original: &str, repeated: bool) -> Option<&mut UnitRecord> {
        let all = self.places.get(original)?.iter();
        let place = all.copied().find(|at| self.units.get(*at).is_some_and(|u| u.repeated == repeated))?;
        self.units.get_mut(place)
    }

    /// Adds the addresses of another record of a unit as former ones. Returns false if there is no record of that unit.
    fn add_former(
        &mut self,
        original: &str,
        is_meant: impl Fn(&UnitRecord) -> bool,
        old: &UnitRecord,
    ) -> bool {
        let places = self.places.get(original).map_or(&[][..], |places| places);
        for place in places {
            if let Some(unit) = self.units.get_mut(*place).filter(|unit| is_meant(unit)) {
                add_former(unit, old);
            }
        }
        !places.is_empty()
    }
}

/// Returns every unit that was ever split, under its own name and under those that the user's `moved` blocks give the modules
/// above it.
pub fn former_units(config: &Config, history: &History) -> Vec<UnitRecord> {
    let mut out = history.units();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (place, unit) in out.iter().enumerate() {
        places.entry(unit.original.clone()).or_insert(place);
    }
    let renames = renames(config);
    let keyless: Vec<(String, String)> =
        renames.iter().map(|r| (steps::without_keys(&r.from), steps::without_keys(&r.to))).collect();
    // A module may be moved into itself, which Terraform refuses: no unit is renamed more often than there are renames.
    let mut rounds: Vec<usize> = vec![0; out.len()];
    let mut at = 0;
    while let Some((unit, round)) = out.get(at).cloned().zip(rounds.get(at).copied()) {
        at += 1;
        for moved in keyless.iter().filter_map(|(from, to)| renamed(&unit, from, to)) {
            let place = *places.entry(moved.original.clone()).or_insert(out.len());
            match out.get_mut(place) {
                Some(known) => add_former(known, &moved),
                None if round < keyless.len() => {
                    out.push(moved);
                    rounds.push(round + 1);
                }
                None => {}
            }
        }
    }
    out
}

fn add_former(unit: &mut UnitRecord, old: &UnitRecord) {
    // Addresses of before come first in a chain.
    let former = old.former_addresses.iter().chain(&old.addresses).map(|a| (a.as_str(), old.keys()));
    let other = if old.repeated { Keys::Gate } else { Keys::Own };
    unit.add_former(former.chain(old.rekeyed_addresses.iter().map(|a| (a.as_str(), other))));
}

/// A `moved` block of the user's.
#[derive(Clone, Debug)]
pub struct Rename {
    /// The module that holds it, by its source where that is chosen.
    pub module: ModulePath,
    /// The former address, as seen from the root, without the keys of the modules above.
    pub from: String,
    /// The new address, likewise.
    pub to: String,
}

impl Rename {
    /// Returns an address as it was before this block moved it; `None` where it didn't. The modules above may go by the names of copies, with
    /// their keys.
    fn former_address(&self, address: &str) -> Option<String> {
        // Each module is two steps without keys here: the word, and its name.
        let above = 2 * self.module.depth();
        let own = |whole: &str| whole.splitn(above + 1, '.').last().unwrap_or_default().to_owned();
        let (from, to) = (own(&self.from), own(&self.to));
        // Taking addresses apart for each of many blocks would take long.
        if !address.contains(&to) {
            return None;
        }
        let steps = steps::parse(address);
        let (above, own) = steps.split_at_checked(above)?;
        let own = steps::shown(own);
        let whole = steps::without_last_key(&own);
        let key = own.get(whole.len()..).unwrap_or_default();
        let former = match () {
            () if to == own => from,
            () if to == whole && !from.ends_with(']') => format!("{from}{key}"),
            () => return None,
        };
        Some(if above.is_empty() { former } else { format!("{}.{former}", steps::shown(above)) })
    }
}

/// Returns the renames in the configuration's `moved` blocks.
pub fn renames(config: &Config) -> Vec<Rename> {
    let mut out = Vec::new();
    for (path, id) in &config.paths {
        for decl in config.module(*id).iter().flat_map(|m| &m.moved) {
            let pair = whole(path, decl, "from").zip(whole(path, decl, "to"));
            out.extend(pair.map(|(from, to)| Rename { module: path.clone(), from, to }));
        }
    }
    out
}

/// Returns the addresses in its `removed` blocks, in the same form.
pub fn removals(config: &Config) -> Vec<String> {
    let removed = |(path, id): (&ModulePath, &ModuleId)| -> Vec<String> {
        let decls = config.module(*id).into_iter().flat_map(|m| &m.removed);
        decls.filter_map(|decl| whole(path, decl, "from")).collect()
    };
    config.paths.iter().flat_map(removed).collect()
}

/// The address in an argument of a block of the module at a path, seen from the root.
fn whole(path: &ModulePath, decl: &Decl, argument: &str) -> Option<String> {
    let segments = named::segments(&decl.block.body.attribute(argument)?.expr)?;
    let key = |s: &named::Segment<'_>| s.constant_key().map(|k| k.to_string()).unwrap_or_default();
    let own = segments.iter().map(|s| format!("{}{}", s.named, key(s)));
    Some(path.plain().address_of(own.collect::<Vec<_>>().join(".")))
}

/// The first address that the user's own moves lead to this one from: the one nothing else moves to. `renames` are those of the
/// modules above.
pub fn beginning(renames: &[&Rename], address: &str) -> String {
    let mut address = address.to_owned();
    for _ in 0..=renames.len() {
        let Some(earlier) = renames.iter().find_map(|rename| rename.former_address(&address)) else { break };
        address = earlier;
    }
    address
}

fn renamed(old: &UnitRecord, from: &str, to: &str) -> Option<UnitRecord> {
    let one = |address: &String| {
        let rest = steps::without_keys(address);
        let rest = rest.strip_prefix(from)?.strip_prefix('.')?;
        Some(format!("{to}.{rest}"))
    };
    let all = |addresses: &[String]| addresses.iter().map(one).collect::<Option<Vec<_>>>();
    Some(UnitRecord {
        original: one(&old.original)?,
        addresses: all(&old.addresses)?,
        former_addresses: all(&old.former_addresses)?,
        repeated: old.repeated,
        rekeyed_addresses: all(&old.rekeyed_addresses)?,
    })
}

/// The copy for an instance that the original gives up, and that has no key by which gates can decide: that of an instance which is declared
/// beside it. Its `lifecycle` is this run's.
pub(super) fn copy_beside(
    unit: &SplitUnit,
    prover: &mut Prover<'_, '_>,
    instance: InstanceId,
) -> Option<usize> {
    let keys = prover.tracer().keys(instance, &unit.target).ok()?;
    keys.iter().find_map(|key| copy_of(unit, prover, instance, key).ok().flatten())
}

/// The copy of an instance whose gate is true, or a gate that has no value yet.
pub(super) fn copy_of<'u>(
    unit: &'u SplitUnit,
    prover: &mut Prover<'_, '_>,
    instance: InstanceId,
    key: &Option<Key>,
) -> Result<Option<usize>, &'u str> {
    let mut copy = None;
    for (i, gate) in unit.gates.iter().enumerate() {
        match prover.decided_gate(gate, (&unit.scope, &unit.target), instance, key) {
            Some(true) => copy = copy.or(Some(i)),
            Some(false) => {}
            None => return Err(&gate.text),
        }
    }
    Ok(copy)
}
