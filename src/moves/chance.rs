//! Which orders to try where Terraform's own is random.
//!
//! Two statements can change places without a difference unless some address is named by both. So where the order of no such
//! pair is open, one order is as good as all; else orders that differ in such pairs are tried. In: the pairs. Invariant: what
//! is left out of a pair finds nothing to move in any order. Absent on purpose: carrying statements out.

use super::Statement;
use super::tree::Tree;
use std::collections::BTreeSet;

/// Up to this many statements whose order is open all their orders are tried; of more some.
const ALL_ORDERS: usize = 5;

/// Up to this many pairs whose order is open each is tried both ways.
pub(super) const PAIRS: usize = 64;

/// The orders to try besides the given one.
pub(super) fn starts(open: &[(usize, usize)], given: &[usize]) -> Vec<Vec<usize>> {
    let named: BTreeSet<usize> = open.iter().flat_map(|(a, b)| [*a, *b]).collect();
    let named: Vec<usize> = named.into_iter().collect();
    let first = |few: &[usize]| few.iter().chain(given).copied().collect::<Vec<usize>>();
    if open.is_empty() {
        return Vec::new();
    }
    if named.len() <= ALL_ORDERS {
        return permutations(&named).iter().map(|few| first(few)).collect();
    }
    let mut all = vec![given.iter().rev().copied().collect()];
    for (a, b) in open.iter().take(PAIRS) {
        all.push(first(&[*a, *b]));
        all.push(first(&[*b, *a]));
    }
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..16 {
        let mut keyed: Vec<(u64, usize)> = Vec::new();
        for one in &named {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            keyed.push((seed, *one));
        }
        keyed.sort_unstable();
        all.push(first(&keyed.into_iter().map(|(_, one)| one).collect::<Vec<_>>()));
    }
    all
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    let Some((last, rest)) = items.split_last() else { return vec![Vec::new()] };
    let mut out = Vec::new();
    for shorter in permutations(rest) {
        for at in 0..=shorter.len() {
            let mut longer = shorter.clone();
            longer.insert(at, *last);
            out.push(longer);
        }
    }
    out
}

/// The statements that find something to move in some order, and perhaps others: objects arrive, and none leaves or is in
/// the way. `None` where this has no end.
pub(super) fn active(mut tree: Tree, statements: &[Statement], order: &[usize]) -> Option<BTreeSet<usize>> {
    let mut found = BTreeSet::new();
    for _ in 0..8 {
        let mut new = false;
        for at in order {
            let Some(statement) = statements.get(*at) else { continue };
            for (from, to) in tree.matches(statement) {
                found.insert(*at);
                new |= tree.copy(&from, &to);
            }
        }
        if !new {
            return Some(found);
        }
    }
    None
}
