//! Move chains: state comes along from every former address to the active one.
//!
//! One linear chain per unit: original address → every former address on record → each inactive branch → the active
//! branch. It works from every prior state; two moves into one address, or both directions between two, would be
//! errors (measured on Terraform 1.11 and 1.15). The addresses of a `moved` block are static, so the chain is
//! written per run; a stale one makes Terraform stop with "Moved object still exists".

pub mod bounds;
pub(super) mod direct;
mod home;
pub(super) mod named;
pub mod originals;
pub(super) mod released;
pub(super) mod relocate;
pub(super) mod removed_blocks;
pub(super) mod state_blocks;
pub(super) mod steps;

pub use home::{
    OneSource, Released, copies_of, gives_up_alone, home_text, is_merged_with_chain, is_of_moves,
    is_way_home, read_way_home,
};

use super::SplitUnit;
use super::record::UnitRecord;
use super::record::history::Keys;
use super::record::keys::place_given_up;
use super::units::{self, Active, Rename};
use crate::addr::{Key, ModuleInstance, ModulePath, Target};
use crate::syntax;
use crate::syntax::emit::Writer;
use rustc_hash::FxHashMap;

/// The file in the root module.
pub const FILE: &str = "phi.moved.tf";

/// Behind the brace of each block: where a chain is for another branch, Terraform stops and shows this one line of it.
const NOTE: &str = "If Terraform stops here, run tf-phi plan.";

/// Its first line.
const HEAD: &str = "# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.";

/// Its text where a run has found no instance that state could hold.
pub const NONE: &str = "# Written by tf-phi: nothing that is or was specialised has an instance under the last run's variables, so nothing moves.\n";

/// The addresses of a unit in the order of the chain, the active one last.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Chain {
    /// Addresses, each once.
    pub addresses: Vec<String>,
}

impl Chain {
    /// The chain through these addresses; an address that comes again counts where it comes last.
    pub fn new(addresses: impl IntoIterator<Item = String>) -> Chain {
        let all: Vec<String> = addresses.into_iter().collect();
        let mut last: FxHashMap<String, usize> = FxHashMap::default();
        last.extend(all.iter().cloned().enumerate().map(|(at, address)| (address, at)));
        let kept = all.into_iter().enumerate().filter(|(at, address)| last.get(address) == Some(at));
        Chain { addresses: kept.map(|(_, address)| address).collect() }
    }

    /// Returns the new address of an object at or below one of the former addresses; `None` for others.
    pub fn moved(&self, address: &str) -> Option<String> {
        let (last, former) = self.addresses.split_last()?;
        former.iter().find_map(|from| {
            let rest = address.strip_prefix(from.as_str())?;
            let whole =
                rest.is_empty() || rest.starts_with('.') || (rest.starts_with('[') && !last.ends_with(']'));
            whole.then(|| format!("{last}{rest}"))
        })
    }
}

/// Returns the address to which all chains together lead an object. An object in a unit moves with it, and then by a
/// chain of its own.
pub fn end(chains: &[Chain], address: &str) -> String {
    let mut end = address.to_owned();
    for _ in 0..=chains.len() {
        let Some(next) = chains.iter().find_map(|chain| chain.moved(&end)) else { break };
        end = next;
    }
    end
}

/// An instance of a unit, and the form of its addresses.
struct At<'a> {
    scope: String,
    module: String,
    key: Option<&'a Key>,
    /// True if the unit is repeated now.
    repeated: bool,
    /// True if the original gives the instance up.
    given_up: bool,
}

/// The key of a copy for an instance of the original; none where all instances of a repeated unit are meant.
///
/// Without a key of its own an instance has the gate's `[0]`. One that the original gives up, since it has a key where the unit has
/// none any more, stands beside that under a name: there the copy's block counts for it, with its `lifecycle` and its provider. So
/// does one without a key where the unit has some now.
pub(super) fn placed_key(repeated: bool, key: Option<&Key>, given_up: bool) -> Option<Key> {
    match (repeated, key) {
        (false, None) => Some(Key::Index(0)),
        (false, Some(_)) | (true, None) if given_up => Some(place_given_up(key)),
        (_, key) => key.cloned(),
    }
}

/// A key as an address has it.
fn shown_key(key: Option<Key>) -> String {
    key.map(|key| key.to_string()).unwrap_or_default()
}

impl At<'_> {
    fn own(&self, whole: &str) -> String {
        let own = whole.strip_prefix(&self.scope).unwrap_or(whole).trim_start_matches('.');
        if self.module.is_empty() { own.to_owned() } else { format!("{}.{own}", self.module) }
    }

    fn original(&self, unit: &UnitRecord) -> String {
        format!("{}{}", self.own(&unit.original), self.key.map(ToString::to_string).unwrap_or_default())
    }

    /// The addresses of before `count` came or went: the original's, and those of copies.
    fn rekeyed(&self, unit: &UnitRecord) -> Vec<String> {
        let key = if self.key.is_none() { "[0]" } else { "" };
        let copies = unit.rekeyed_addresses.iter().map(|a| format!("{}[0]", self.own(a)));
        std::iter::once(format!("{}{key}", self.own(&unit.original))).chain(copies).collect()
    }

    fn copy(&self, address: &str) -> String {
        format!("{}{}", self.own(address), shown_key(placed_key(self.repeated, self.key, self.given_up)))
    }

    /// Returns true if the original gives the instance up, and it has a key where the unit has none any more, or the other way round.
    fn is_of_other_form(&self) -> bool {
        self.given_up && self.repeated != self.key.is_some()
    }

    /// The addresses that copies of an instance had when its unit was repeated otherwise.
    fn former_form<'u>(&'u self, unit: &'u UnitRecord) -> impl Iterator<Item = String> + 'u {
        let key = self.key.cloned().unwrap_or(Key::Index(0));
        unit.rekeyed_addresses.iter().map(move |a| format!("{}{key}", self.own(a)))
    }
}

/// Every unit on record that keeps state, with each of its instances.
fn each<'a>(
    units: &'a [UnitRecord],
    splits: &'a [SplitUnit],
    active: &'a [Vec<Active>],
) -> impl Iterator<Item = (&'a UnitRecord, &'a SplitUnit, &'a [Active])> {
    let mut by_original: FxHashMap<&str, Vec<(usize, &SplitUnit)>> = FxHashMap::default();
    for (at, split) in splits.iter().enumerate().filter(|(_, s)| s.keeps_state()) {
        by_original.entry(&split.original).or_default().push((at, split));
    }
    units.iter().flat_map(move |unit| {
        let own = by_original.get(unit.original.as_str()).cloned().unwrap_or_default();
        let own = own.into_iter().filter(|(_, split)| split.repeated == unit.repeated);
        own.map(move |(at, split)| (unit, split, active.get(at).map_or(&[][..], |a| a)))
    })
}

/// The chains of all units on record, by the active copies of those that are split.
///
/// Per instance of the holding module and per key of the unit: original → former → inactive → active. A unit that is no
/// longer split goes back to its original address.
pub fn chains(
    units: &[UnitRecord],
    splits: &[SplitUnit],
    active: &[Vec<Active>],
    renames: &[Rename],
) -> Vec<Chain> {
    let mut out = Vec::new();
    let mut led = Vec::new();
    let copies = Calls::of(splits, active);
    for (unit, split, instances) in each(units, splits, active) {
        let scope = split.scope.plain().to_string();
        let renames: Vec<&Rename> = renames.iter().filter(|r| r.module.contains(&split.scope)).collect();
        for one in instances {
            let module = copies.renamed(&split.scope, &one.module);
            let (repeated, given_up) = (split.repeated, one.given_up);
            let at = At { scope: scope.clone(), module, key: one.key.as_ref(), repeated, given_up };
            if split.gates.is_empty() {
                led.push(begin_chain(gone(unit, &at), &renames));
                continue;
            }
            let taken = split.addresses.get(one.copy.unwrap_or(0));
            if at.is_of_other_form() {
                let way = at.former_form(unit).chain(taken.map(|a| at.copy(a)));
                out.push(Chain::new([at.original(unit)].into_iter().chain(way)));
                continue;
            }
            let inactive = unit.addresses.iter().filter(|a| Some(*a) != taken);
            let (first, inactive): (Vec<&String>, Vec<&String>) =
                inactive.partition(|a| split.relocating.contains(*a));
            let copies = unit.former_addresses.iter().chain(inactive).chain(taken);
            let rekeyed = one.rekeyed.then(|| at.rekeyed(unit)).into_iter().flatten();
            let mut begins: Vec<String> = rekeyed.chain([at.original(unit)]).collect();
            // Nothing comes through these: their own `moved` blocks could take it.
            let first = first.into_iter().map(|a| at.copy(a));
            let beginning = units::beginning(&renames, &at.original(unit));
            if begins.contains(&beginning) {
                begins = first.chain(begins).collect();
            } else {
                led.push(Chain::new(first.chain([beginning])));
            }
            out.push(Chain::new(begins.into_iter().chain(copies.map(|a| at.copy(a)))));
        }
        let named = |one: &Active| copies.renamed(&split.scope, &one.module);
        led.extend(
            handed(unit, split, instances, &named).into_iter().map(|chain| begin_chain(chain, &renames)),
        );
    }
    join_chains(led).into_iter().chain(out).collect()
}

/// Ends a chain to an address of the original where the user's own moves to that address begin.
fn begin_chain(mut chain: Chain, renames: &[&Rename]) -> Chain {
    if let Some(end) = chain.addresses.last_mut() {
        *end = units::beginning(renames, end);
    }
    chain
}

/// Makes one of the chains that have one end: nothing may be moved to from two places.
fn join_chains(chains: Vec<Chain>) -> Vec<Chain> {
    let mut by_end: Vec<(String, Vec<String>)> = Vec::new();
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    for chain in chains {
        let mut addresses = chain.addresses;
        let Some(end) = addresses.pop() else { continue };
        let place = *places.entry(end.clone()).or_insert(by_end.len());
        match by_end.get_mut(place) {
            Some((_, all)) => all.extend(addresses),
            None => by_end.push((end, addresses)),
        }
    }
    by_end.into_iter().map(|(end, all)| Chain::new(all.into_iter().chain([end]))).collect()
}

/// Adds a chain. Terraform takes one block for each address that something moves to: where a chain ends there already, its way begins
/// further back.
pub fn prepend_chain(chains: &mut Vec<Chain>, mut chain: Chain) {
    match chains.iter_mut().find(|known| known.addresses.last() == chain.addresses.last()) {
        Some(known) => {
            chain.addresses.pop();
            known.addresses.splice(0..0, chain.addresses);
        }
        None => chains.push(chain),
    }
}

/// Back to the original address. The copies of a unit that was repeated are led back whole: which keys it had, nothing
/// in the sources tells any more, and no copy is declared that could be in the way.
fn gone(unit: &UnitRecord, at: &At<'_>) -> Chain {
    let former = unit.former_addresses.iter().chain(&unit.addresses);
    if unit.repeated {
        return Chain::new(former.map(|a| at.own(a)).chain([at.own(&unit.original)]));
    }
    Chain::new(former.map(|a| at.copy(a)).chain([at.original(unit)]))
}

/// Handles what a `moved` block of the user takes from the unit's original address: it has to come there first.
fn handed(
    unit: &UnitRecord,
    split: &SplitUnit,
    instances: &[Active],
    module: &dyn Fn(&Active) -> String,
) -> Vec<Chain> {
    let mut out: Vec<Chain> = Vec::new();
    // A copy that another run has may have been handed over in this one.
    for (one, key) in instances.iter().flat_map(|one| split.handed.iter().map(move |key| (one, key))) {
        let at = At {
            scope: split.scope.plain().to_string(),
            module: module(one),
            key: key.as_ref(),
            repeated: key.is_some(),
            given_up: false,
        };
        let form = if key.is_some() { Keys::Own } else { Keys::Gate };
        let former = unit.former_addresses.iter().chain(&unit.addresses).filter(|_| unit.keys() == form);
        let rekeyed = unit.rekeyed_addresses.iter().filter(|_| unit.keys() != form);
        let copies: Vec<String> = former.chain(rekeyed).map(|a| at.copy(a)).collect();
        // Under a gate a single instance and `[0]` go by one address.
        let single = |key: &Option<Key>| key.as_ref().is_none_or(|k| *k == Key::Index(0));
        let same =
            |own: &Option<Key>| own == key || single(own) && single(key) && (own.is_none() || key.is_none());
        let is_declared = |i: &Active| i.there && i.module == one.module && same(&i.key);
        let chain = Chain::new(copies.into_iter().chain([at.original(unit)]));
        if !instances.iter().any(is_declared) && !out.contains(&chain) {
            out.push(chain);
        }
    }
    out
}

/// Chains as `moved` blocks; nothing where none of them moves anything.
pub fn blocks(chains: &[Chain]) -> Option<String> {
    let mut writer = Writer::new("", "\n");
    write_chains(chains, "", &mut writer).then(|| writer.finish())
}

/// The calls that are split, with their active copies.
pub(super) struct Calls<'a> {
    splits: &'a [SplitUnit],
    /// The first unit by calling module and call.
    units: FxHashMap<(&'a ModulePath, &'a Target), usize>,
    /// The first instance by unit, instance of the calling module, and key.
    active: FxHashMap<(usize, &'a ModuleInstance, Option<&'a Key>), &'a Active>,
}

impl<'a> Calls<'a> {
    /// Indexes these units.
    pub fn of(splits: &'a [SplitUnit], active: &'a [Vec<Active>]) -> Calls<'a> {
        let mut calls = Calls { splits, units: FxHashMap::default(), active: FxHashMap::default() };
        for (at, split) in splits.iter().enumerate().filter(|(_, s)| matches!(s.target, Target::Call(_))) {
            if *calls.units.entry((&split.scope, &split.target)).or_insert(at) != at {
                continue;
            }
            for one in active.get(at).into_iter().flatten() {
                calls.active.entry((at, &one.module, one.key.as_ref())).or_insert(one);
            }
        }
        calls
    }

    /// The address of a module instance in the tree as it will be: calls that are split go by their active copy's name.
    pub fn renamed(&self, scope: &ModulePath, module: &ModuleInstance) -> String {
        let mut parts = Vec::new();
        for (i, (name, key)) in module.0.iter().enumerate() {
            let here = ModulePath(scope.0.get(..i).unwrap_or_default().to_vec());
            let prefix = ModuleInstance(module.0.get(..i).unwrap_or_default().to_vec());
            let call = Target::Call(name.clone().into());
            let split = self.units.get(&(&here, &call));
            let copy = split.and_then(|at| {
                let one = self.active.get(&(*at, &prefix, key.as_ref()))?;
                let split = self.splits.get(*at)?;
                let key = placed_key(split.repeated, key.as_ref(), one.given_up);
                split.addresses.get(one.copy.unwrap_or(0)).map(|address| (address, key))
            });
            let (own, key) = match copy {
                Some((address, key)) => (address.rsplit('.').next().unwrap_or(address).to_owned(), key),
                None => (name.to_string(), key.clone()),
            };
            let key = shown_key(key);
            parts.push(format!("module.{own}{key}"));
        }
        parts.join(".")
    }
}

/// Returns true if a text holds a block that leads to where a run has its objects.
fn holds_blocks_of_chain(text: &str) -> bool {
    let noted = format!("moved {{ # {NOTE}");
    text.lines().any(|line| line == noted)
}

/// Returns true if a file of moves is one that a run wrote, whichever: chains, and nothing of the user's among them. Git may have merged it
/// with a way home.
pub fn is_written_chain(text: &str) -> bool {
    if text == NONE || home::is_merged_with_chain(text) {
        return true;
    }
    let noted = format!("moved {{ # {NOTE}");
    let own = |line: &str| {
        line.is_empty()
            || line == noted
            || line == "}"
            || line.starts_with("  from = ")
            || line.starts_with("  to   = ")
            // Of a merge both sides' head stands there.
            || line.starts_with(HEAD)
    };
    let mut lines = text.lines();
    lines.next().is_some_and(|line| line.starts_with(HEAD)) && lines.all(own)
}

/// The addresses that the blocks in a file of moves lead from, and those that they lead to; none of a file that can't be read.
pub(super) fn sides(text: &str) -> (Vec<String>, Vec<String>) {
    let parsed = syntax::parse(text).unwrap_or_default();
    let side = |name: &str| {
        let all = parsed.blocks_of("moved").filter_map(|block| block.body.attribute(name));
        all.filter_map(|a| text.get(a.expr.span.range()).map(str::to_owned)).collect()
    };
    (side("from"), side("to"))
}

/// The text of the file; nothing where there is nothing to move.
pub fn text(chains: &[Chain]) -> Option<String> {
    let mut writer = Writer::new("", "\n");
    writer.comment(HEAD.trim_start_matches("# "));
    write_chains(chains, NOTE, &mut writer).then(|| writer.finish())
}

fn write_chains(chains: &[Chain], note: &str, writer: &mut Writer) -> bool {
    let mut any = false;
    for chain in chains {
        for (from, to) in chain.addresses.iter().zip(chain.addresses.iter().skip(1)) {
            any = true;
            writer.blank();
            writer.noted_block("moved", &[], note, |w| {
                w.attribute("from", from).attribute("to", to);
            });
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_linear() {
        let chain = Chain::new(["x", "x_a[0]", "x_b[0]", "x_a[0]"].map(String::from));
        assert_eq!(chain.addresses, ["x", "x_b[0]", "x_a[0]"]);
        let text = text(std::slice::from_ref(&chain)).unwrap();
        let noted = format!("moved {{ # {NOTE}\n  from = x\n  to   = x_b[0]\n}}");
        assert!(text.contains(&noted), "{text}");
        assert!(is_written_chain(&text) && is_written_chain(NONE));
        let theirs = format!("{text}\nmoved {{\n  from = a\n  to   = b\n}}\n");
        assert!(!is_written_chain(&theirs) && !is_written_chain("") && !is_written_chain("moved {\n}\n"));
        assert_eq!(super::text(&[]), None);
        assert!(!blocks(&[chain]).unwrap().contains('#'), "what is printed to be pasted is the user's own");
    }
}
