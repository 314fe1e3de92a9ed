//! `review`: addresses of a side's sources, and names of copies that may lose objects.
//!
//! In: a configuration. Out: what its modules lead on or give up by blocks of their own, and what it declares. Absent on purpose: what
//! tf-phi writes.

use crate::addr::{FieldAddr, ModulePath, Target};
use crate::config::{Config, Decl};
use crate::matrix::review::Environment;
use crate::specialise::moves;
use std::collections::{BTreeMap, BTreeSet};

/// So many names of one copy are followed.
const MOST_NAMES: usize = 64;

/// Adds names of copies that may lose what a state holds there.
pub(super) fn add_unled<'n>(env: &mut Environment, names: impl Iterator<Item = &'n String>) {
    for name in names {
        // It may stand there without its keys.
        if env.unled.contains(name) || env.unled.contains(&moves::without_keys(name)) {
            continue;
        }
        env.may_go.push(name.clone());
        env.unled.push(name.clone());
    }
}

/// Returns true for an address, without keys, that is one of these or lies below one.
pub(super) fn is_below_any(address: &str, all: &BTreeSet<String>) -> bool {
    list_fronts(address).any(|front| all.contains(front))
}

/// The addresses that the modules' own blocks lead on or give up, without keys.
pub(super) fn find_own_moves(config: &Config) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for (path, id) in &config.paths {
        let all =
            config.module(*id).into_iter().flat_map(|module| module.moved.iter().chain(&module.removed));
        out.extend(all.filter_map(|decl| read_plain_address(path, decl, "from")));
    }
    out
}

/// An address in a block of a module, as seen from the root, without keys.
fn read_plain_address(path: &ModulePath, decl: &Decl, argument: &str) -> Option<String> {
    let own = decl.read_known_address(argument)?;
    Some(moves::without_keys(&path.plain().address_of(own)))
}

/// Where a configuration's own `moved` blocks lead, without keys.
pub(super) struct Renames(BTreeMap<String, BTreeSet<String>>);

impl Renames {
    /// Reads those of every module.
    pub fn of(config: &Config) -> Renames {
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (path, id) in &config.paths {
            for decl in config.module(*id).into_iter().flat_map(|module| &module.moved) {
                let ends = read_plain_address(path, decl, "from").zip(read_plain_address(path, decl, "to"));
                if let Some((from, to)) = ends.filter(|(from, to)| from != to) {
                    all.entry(from).or_default().insert(to);
                }
            }
        }
        Renames(all)
    }

    /// Finds the names that a copy and its original have in the end, each both: a block moves what lies below it along. None where nothing moves
    /// the original.
    pub fn find_ends(&self, address: &str, original: &str) -> Vec<(String, String)> {
        let mut all = vec![(address.to_owned(), original.to_owned())];
        let mut ends = Vec::new();
        let mut at = 0;
        while let Some((copy, own)) = all.get(at).cloned() {
            let next = self.find_next(&copy, &own);
            if next.is_empty() && at > 0 {
                ends.push((copy, own));
            }
            let next = next.into_iter().filter(|both| !all.contains(both)).collect::<Vec<_>>();
            all.extend(next.into_iter().take(MOST_NAMES.saturating_sub(all.len())));
            at += 1;
        }
        ends
    }

    fn find_next(&self, copy: &str, original: &str) -> Vec<(String, String)> {
        let mut out = Vec::new();
        for front in list_fronts(original) {
            let Some(rest) = original.strip_prefix(front) else { continue };
            for to in self.0.get(front).into_iter().flatten() {
                let below =
                    copy.strip_prefix(front).filter(|below| below.is_empty() || below.starts_with('.'));
                let copy = below.map_or_else(|| copy.to_owned(), |below| format!("{to}{below}"));
                out.push((copy, format!("{to}{rest}")));
            }
        }
        out
    }
}

/// The address, and those of everything around it.
fn list_fronts(address: &str) -> impl Iterator<Item = &str> {
    let ends = address.match_indices('.').map(|(at, _)| at).chain([address.len()]);
    ends.filter_map(|at| address.get(..at))
}

/// The addresses of all resources and calls, without keys.
pub(super) fn find_declared(config: &Config) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for (path, id) in &config.paths {
        let Some(module) = config.module(*id) else { continue };
        let address =
            |target| FieldAddr { module: path.plain(), target, path: Default::default() }.to_string();
        out.extend(module.resources.values().map(|own| address(Target::Resource(own.addr.clone()))));
        out.extend(module.calls.values().map(|own| address(Target::Call(own.name.clone().into()))));
    }
    out
}
