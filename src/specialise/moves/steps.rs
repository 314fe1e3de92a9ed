//! Addresses in Terraform's text, step by step.

use crate::addr::{self, InstanceStep as Step};
use std::sync::Arc;

/// Returns the steps of an address; the whole text as one where it is none.
pub(in crate::specialise) fn parse(address: &str) -> Vec<Step> {
    addr::steps(address).unwrap_or_else(|_| vec![(address.into(), None)])
}

pub(in crate::specialise) fn shown(steps: &[Step]) -> String {
    let key = |step: &Step| step.1.as_ref().map(ToString::to_string).unwrap_or_default();
    steps.iter().map(|step| format!("{}{}", step.0, key(step))).collect::<Vec<_>>().join(".")
}

/// An address without its keys.
pub fn without_keys(address: &str) -> String {
    joined(&parse(address))
}

/// The keys in an address, one behind the other.
pub fn keys(address: &str) -> String {
    parse(address).into_iter().filter_map(|(_, key)| key).map(|key| key.to_string()).collect()
}

/// The names in an address, without keys.
pub fn names(address: &str) -> Vec<Arc<str>> {
    parse(address).into_iter().map(|(name, _)| name).collect()
}

/// An address without the key at its end.
pub fn without_last_key(address: &str) -> &str {
    let key = parse(address).pop().and_then(|(_, key)| key).map(|key| key.to_string());
    address.strip_suffix(&key.unwrap_or_default()).unwrap_or(address)
}

/// Returns true if an address that Terraform is pointed to takes in another one: as Terraform has it, a key may be
/// left out at its end alone.
pub fn covers(named: &str, address: &str) -> bool {
    let (named, steps) = (parse(named), parse(address));
    let Some((last, before)) = named.split_last() else { return false };
    let own = steps.get(before.len());
    steps.starts_with(before)
        && own.is_some_and(|(name, key)| *name == last.0 && (last.1.is_none() || last.1 == *key))
}

/// The names of some steps as one text.
pub(in crate::specialise) fn joined(steps: &[Step]) -> String {
    steps.iter().map(|(name, _)| &**name).collect::<Vec<_>>().join(".")
}

/// Returns true if an address is in what another without keys names. A unit within the copy itself is no reason to
/// look on.
pub(in crate::specialise) fn begins(steps: &[Step], prefix: &[Step]) -> bool {
    steps.len() >= prefix.len() && steps.iter().zip(prefix).all(|(a, b)| a.0 == b.0)
}
