//! Circles of imports: sets of modules each of which reaches every other one.

use std::collections::{BTreeMap, BTreeSet};

use crate::modules::Path;

/// The circles of a graph of modules, largest first.
pub fn circles<'a>(edges: &BTreeMap<&'a Path, BTreeSet<&'a Path>>) -> Vec<Vec<&'a Path>> {
    let reached: BTreeMap<&Path, BTreeSet<&Path>> =
        edges.keys().map(|from| (*from, reach(edges, from))).collect();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (from, there) in &reached {
        if !there.contains(from) || seen.contains(from) {
            continue;
        }
        let circle: Vec<&Path> = there.iter().filter(|to| reached[*to].contains(from)).copied().collect();
        seen.extend(circle.iter().copied());
        found.push(circle);
    }
    found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    found
}

fn reach<'a>(edges: &BTreeMap<&'a Path, BTreeSet<&'a Path>>, from: &Path) -> BTreeSet<&'a Path> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for to in edges.get(at).into_iter().flatten() {
            if found.insert(*to) {
                open.push(to);
            }
        }
    }
    found
}
