//! What comes and goes in an environment, a line each: instances, and declarations and modules that are wholly new or gone.
//!
//! In: an environment, the number of fields in each whole. Out: lines, what goes first. Invariant: every instance that comes or goes is named
//! in a line or counted in one.

use crate::matrix::review::Environment;
use crate::specialise::moves::originals::without_keys;
use std::collections::{BTreeMap, HashMap};

/// Something that comes or goes.
pub(super) struct Line {
    /// True if it comes.
    pub is_new: bool,
    /// What it is.
    pub name: String,
    /// What it holds; empty for an instance.
    pub holds: String,
}

/// What is wholly new or gone, by address.
pub(super) struct Within<'e>(HashMap<&'e str, usize>);

impl<'e> Within<'e> {
    /// Of an environment.
    pub fn of(env: &'e Environment) -> Within<'e> {
        Within(env.wholes.iter().enumerate().map(|(at, whole)| (whole.address.as_str(), at)).collect())
    }

    /// The one that a field or an instance belongs to.
    pub fn whole(&self, name: &str) -> Option<usize> {
        let of = |name: &str| {
            let ends = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
            ends.filter_map(|at| self.0.get(name.get(..at)?)).next().copied()
        };
        of(name).or_else(|| of(&without_keys(name)))
    }
}

/// So many keys are named in a line.
const MOST_KEYS: usize = 8;

/// A line for each instance.
pub(super) fn each(env: &Environment) -> Vec<Line> {
    let one = |(address, before, _): &(String, bool, bool)| Line {
        is_new: !before,
        name: address.clone(),
        holds: String::new(),
    };
    env.instances.iter().map(one).collect()
}

/// What one line tells of.
#[derive(Default)]
struct Told<'e> {
    addresses: Vec<&'e str>,
    instances: usize,
    fields: usize,
    is_whole: bool,
    is_module: bool,
}

/// A line for each whole, and for the instances of each other declaration; keys of one declaration run together.
pub(super) fn of(env: &Environment, within: &Within<'_>, fields: &BTreeMap<usize, usize>) -> Vec<Line> {
    // By whether it comes, the address without keys, and whether it is a whole: what goes is said first.
    let mut all: BTreeMap<(bool, String, bool), Told<'_>> = BTreeMap::new();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (address, before, _) in &env.instances {
        match within.whole(address) {
            Some(at) => *counts.entry(at).or_default() += 1,
            None => {
                let told = all.entry((!before, without_keys(address), false)).or_default();
                told.addresses.push(address);
                told.instances += 1;
            }
        }
    }
    for (at, whole) in env.wholes.iter().enumerate() {
        let told = all.entry((whole.is_new, without_keys(&whole.address), true)).or_default();
        told.addresses.push(&whole.address);
        told.instances += counts.get(&at).copied().unwrap_or_default();
        told.fields += fields.get(&at).copied().unwrap_or_default();
        told.is_whole = true;
        told.is_module |= whole.is_module;
    }
    let line = |((is_new, plain, _), told): ((bool, String, bool), Told<'_>)| Line {
        is_new,
        name: run_together(&plain, &told.addresses),
        holds: holds(&told),
    };
    all.into_iter().filter(|(_, told)| told.instances + told.fields > 0).map(line).collect()
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// What is in a whole.
fn holds(told: &Told<'_>) -> String {
    let mut all = Vec::new();
    if told.is_whole && (told.is_module || told.instances != 1) {
        all.push(counted(told.instances, "instance"));
    }
    if told.fields > 0 {
        all.push(counted(told.fields, if told.is_module { "field" } else { "argument" }));
    }
    all.join(", ")
}

/// The addresses of one declaration: the first as it is, of the others the keys alone where nothing else differs.
fn run_together(plain: &str, addresses: &[&str]) -> String {
    let Some((first, rest)) = addresses.split_first() else { return plain.to_owned() };
    // Where keys stand within the address, it is named as often.
    let own =
        |address: &&str| address.strip_prefix(plain).map(str::to_owned).unwrap_or((*address).to_owned());
    let more = rest.len().saturating_sub(MOST_KEYS - 1);
    let named = rest.iter().take(MOST_KEYS - 1).map(own);
    let mut all: Vec<String> = std::iter::once((*first).to_owned()).chain(named).collect();
    if more > 0 {
        all.push(format!("and {more} more"));
    }
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_one_declaration_run_together() {
        assert_eq!(run_together("t.n", &["t.n[\"a\"]", "t.n[\"b\"]"]), "t.n[\"a\"], [\"b\"]");
        assert_eq!(
            run_together("module.m.t.n", &["module.m[0].t.n", "module.m[1].t.n"]),
            "module.m[0].t.n, module.m[1].t.n"
        );
        let many: Vec<String> = (0..20).map(|at| format!("t.n[{at}]")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(run_together("t.n", &many).ends_with("[7], and 12 more"));
    }
}
