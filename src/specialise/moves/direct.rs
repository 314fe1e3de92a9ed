//! Moves object by object, where one for a whole unit would not do.
//!
//! Terraform refuses to move a whole resource or module whose target exists, even if only one of its instances is there. So
//! where the objects of a unit sit in different places, each is led by itself. In: objects and where the original has them. Out:
//! chains from each object through all copies to the active one, so that a chain for other variables makes Terraform stop as a
//! unit's does; and which of the units' own chains can't stand beside them, since Terraform takes a move of a whole and
//! one of a part for a cycle. Absent on purpose: finding out which objects need it.

use crate::addr::{ModuleInstance, ObjectAddr};
use crate::specialise::SplitUnit;
use crate::specialise::active::Active;
use crate::specialise::moves::Chain;
use crate::specialise::moves::originals;
use crate::specialise::moves::steps::without_last_key;
use std::collections::BTreeSet;

/// Copies beyond these aren't passed through: a plan with other variables is stopped by the guards then.
const MOST_COPIES: usize = 64;

/// An object that is led by itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Led {
    /// Its address in state.
    pub from: String,
    /// The address in the original after its own moves.
    pub to: String,
    /// The address from which the user's own moves lead there; `to` where there are none.
    pub begins: String,
    /// The address to which these moves lead: `to`, within the copies of the calls above it that are active.
    pub arrives: String,
}

/// The chains of these objects; one of a single address says where the user's own moves lead one.
pub fn chains(led: &[Led], splits: &[SplitUnit], active: &[Vec<Active>]) -> Vec<Chain> {
    let mut out: Vec<Chain> = Vec::new();
    for one in led {
        let active = originals::expanded(splits, &one.to, Some(active));
        let mut through = vec![one.arrives.clone()];
        // What this run has no instance of goes where the original has it go.
        if let Some(end) = active.and_then(|all| all.into_iter().next()) {
            let own = without_last_key(&one.from);
            if one.begins == one.to && own != one.from && [&one.to, &end].iter().all(|to| is_whole(to)) {
                // One instance becomes a single resource. A step between two addresses without keys would be one of all instances.
                out.push(Chain::new([one.from.clone(), end]));
                continue;
            }
            let mut copies = originals::expanded(splits, &one.to, None).unwrap_or_default();
            // What the original gives up stands beside the copies' own instances, and no other run leads it anywhere else.
            if copies.len() <= MOST_COPIES && copies.contains(&end) {
                // The resource that it comes from, under another key: Terraform would take that for a cycle. It begins there anyway.
                copies.retain(|copy| *copy == one.from || *copy == end || without_last_key(copy) != own);
                // A source with `moved` blocks of its own could take what comes through.
                copies.retain(|copy| *copy == one.from || *copy == end || !lies_in_relocating(splits, copy));
                // Nothing else may lead to where the user's moves lead to.
                let beside = |copy: &str| copy != one.arrives && holder(copy) == holder(&one.arrives);
                copies.retain(|copy| one.arrives == one.to || beside(copy));
                through.extend(copies);
            }
            through.push(end);
        }
        if one.begins == one.to {
            through.insert(0, one.from.clone());
        } else if through.last() != Some(&one.from) {
            out.push(Chain::new([one.from.clone(), one.begins.clone()]));
        }
        out.push(Chain::new(through));
    }
    out
}

/// Returns true if an address lies in the copy of a call whose source has `moved` blocks of its own.
fn lies_in_relocating(splits: &[SplitUnit], address: &str) -> bool {
    let Some(module) = holder(address) else { return false };
    let last = |copy: &String| originals::names(copy).pop();
    let relocating: BTreeSet<_> = splits.iter().flat_map(|s| &s.relocating).filter_map(last).collect();
    module.0.iter().any(|(name, _)| relocating.contains(name))
}

/// Returns the module of an address.
fn holder(address: &str) -> Option<ModuleInstance> {
    address.parse::<ObjectAddr>().ok().map(|object| object.module)
}

/// Returns true if an address has no key at its end, so that beside another such it stands for all instances.
fn is_whole(address: &str) -> bool {
    without_last_key(address) == address
}

/// All of `objects` that have to be led by themselves if the `first` are: those that the chains of units which can't stand
/// beside theirs would lead.
pub fn together(
    objects: &[Led],
    first: BTreeSet<usize>,
    units: &[Chain],
    (splits, active): (&[SplitUnit], &[Vec<Active>]),
) -> BTreeSet<usize> {
    let mut all = first;
    let reaches = |a: &str, o: &Led| originals::covers(a, &o.from) || originals::covers(a, &o.to);
    loop {
        let led: Vec<Led> = all.iter().filter_map(|i| objects.get(*i)).cloned().collect();
        let own = chains(&led, splits, active);
        let dropped: Vec<&Chain> = units.iter().filter(|unit| !stands_beside(unit, &own)).collect();
        let size = all.len();
        let moved = |o: &Led| dropped.iter().any(|c| c.addresses.iter().any(|a| reaches(a, o)));
        all.extend(objects.iter().enumerate().filter(|(_, o)| moved(o)).map(|(i, _)| i));
        if all.len() == size {
            return all;
        }
    }
}

/// Returns true if a unit's chain touches nothing that these chains touch.
pub fn stands_beside(unit: &Chain, chains: &[Chain]) -> bool {
    let touches =
        |a: &str, b: &str| begins(a) == begins(b) && (originals::covers(a, b) || originals::covers(b, a));
    !unit.addresses.iter().any(|a| chains.iter().any(|c| c.addresses.iter().any(|b| touches(a, b))))
}

/// The first name of an address: what doesn't share it has nothing in common.
fn begins(address: &str) -> &str {
    let second = address.match_indices('.').nth(1).map_or(address.len(), |(at, _)| at);
    let end = address.find('[').unwrap_or(address.len()).min(second);
    address.get(..end).unwrap_or(address)
}
