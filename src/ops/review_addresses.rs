//! `review`: addresses of a side's sources.
//!
//! In: a configuration. Out: what its root module leads on or gives up by blocks of its own, and what it declares. Absent on purpose: what
//! tf-phi writes.

use crate::addr::{FieldAddr, Target};
use crate::config::Config;
use crate::specialise::moves;
use std::collections::BTreeSet;

/// Returns true for an address, without keys, that is one of these or lies below one.
pub(super) fn is_below_any(address: &str, all: &BTreeSet<String>) -> bool {
    let ends = address.match_indices('.').map(|(at, _)| at).chain([address.len()]);
    ends.filter_map(|at| address.get(..at)).any(|front| all.contains(front))
}

/// The addresses that the root module's own blocks lead on or give up, without keys.
pub(super) fn find_own_moves(config: &Config) -> BTreeSet<String> {
    let root = config.root().into_iter();
    let all = root.flat_map(|module| module.moved.iter().chain(&module.removed));
    all.filter_map(|decl| decl.read_known_address("from")).map(|from| moves::without_keys(&from)).collect()
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
