//! Finds the failures that one configuration has and another hasn't.
//!
//! In: the failures of a base and of a head. Out: the failures that are new in the head, each with its environments and a witness.
//! Failures are matched by the field and by Terraform's message; lines move and messages are reworded, so the rest are matched in
//! order. Invariant: a new failure occurs in the head for its witness, and did not occur so in the base in its environments. Absent
//! on purpose: inputs outside of the environments, for a failure that the base has in one of them too.

use super::{Failure, Found, Witness};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Failures of one field with one message.
#[derive(Default)]
struct Known<'a> {
    environments: BTreeSet<&'a Arc<str>>,
    /// For which inputs, where no environment is one.
    gates: BTreeSet<&'a str>,
}

/// The kind of a failure: the declaration, Terraform's heading, and true if Terraform stops.
type Kind<'a> = (&'a str, &'a str, bool);

/// By kind, and by message in order.
type Groups<'a> = BTreeMap<Kind<'a>, Vec<(&'a str, Known<'a>)>>;

/// Returns the failures of the head alone. `asked` looks for failures of the base under inputs of the head. Each
/// input is an environment that is named by its number.
pub fn news(base: &Found, head: Found, asked: impl FnOnce(&[&Witness]) -> Found) -> Found {
    let (old, new) = (groups(base), groups(&head));
    let mut kept: Vec<Failure> = Vec::new();
    let mut doubtful: Vec<Failure> = Vec::new();
    for failure in &head.failures {
        let Some(known) = known(&old, &new, failure) else {
            kept.push(failure.clone());
            continue;
        };
        if failure.environments.is_empty() {
            if !known.gates.contains(failure.gate.as_str()) {
                doubtful.push(failure.clone());
            }
            continue;
        }
        let mut environments = failure.environments.clone();
        environments.retain(|name| !known.environments.contains(name));
        let Some(first) = environments.first() else { continue };
        let own = failure.witness.environment.as_ref().is_some_and(|name| environments.contains(name));
        let witness = if own { Some(&failure.witness) } else { head.inputs.get(first) };
        let witness = witness.unwrap_or(&failure.witness).clone();
        kept.push(Failure { environments, witness, ..failure.clone() });
    }
    if !doubtful.is_empty() {
        let before = asked(&doubtful.iter().map(|f| &f.witness).collect::<Vec<_>>());
        kept.extend(doubtful.into_iter().enumerate().filter_map(|(number, failure)| {
            let name = number.to_string();
            let fails = |f: &Failure| {
                (&f.field, f.summary()) == (&failure.field, failure.summary())
                    && f.environments.iter().any(|e| **e == *name)
            };
            (!before.failures.iter().any(fails)).then_some(failure)
        }));
    }
    let order: BTreeMap<_, usize> = head.failures.iter().enumerate().map(|(n, f)| (place(f), n)).collect();
    kept.sort_by_key(|f| order.get(&place(f)).copied());
    Found { failures: kept, ..head }
}

/// Returns the base's counterpart of a failure of the head.
fn known<'a>(old: &'a Groups<'_>, new: &Groups<'_>, failure: &'a Failure) -> Option<&'a Known<'a>> {
    let all = old.get(&kind(failure))?;
    let partners = partners(all, new.get(&kind(failure))?);
    let (_, known) = all.get(*partners.get(failure.error.as_str())?)?;
    Some(known)
}

fn place(failure: &Failure) -> (crate::text::SourceId, u32, u32, String) {
    let at = failure.place;
    (at.file, at.span.start, at.span.end, failure.error.clone())
}

fn kind(failure: &Failure) -> Kind<'_> {
    (&failure.field, failure.summary(), failure.stops())
}

fn groups(found: &Found) -> Groups<'_> {
    let mut out = Groups::new();
    for failure in &found.failures {
        let all = out.entry(kind(failure)).or_default();
        let at = match all.iter().position(|(error, _)| *error == failure.error) {
            Some(at) => at,
            None => {
                all.push((failure.error.as_str(), Known::default()));
                all.len() - 1
            }
        };
        let Some((_, known)) = all.get_mut(at) else { continue };
        known.environments.extend(&failure.environments);
        known.gates.extend(failure.environments.is_empty().then_some(failure.gate.as_str()));
    }
    out
}

/// To each message of the head the number of its partner in the base: the one with the same words, else the next that has none.
fn partners<'a>(old: &[(&str, Known<'_>)], new: &[(&'a str, Known<'_>)]) -> BTreeMap<&'a str, usize> {
    let same = |error: &str| old.iter().position(|(text, _)| *text == error);
    let mut out: BTreeMap<&str, usize> =
        new.iter().filter_map(|(error, _)| Some((*error, same(error)?))).collect();
    let taken: BTreeSet<usize> = out.values().copied().collect();
    let mut left = (0..old.len()).filter(|n| !taken.contains(n));
    for (error, _) in new {
        if !out.contains_key(error) {
            let Some(next) = left.next() else { break };
            out.insert(error, next);
        }
    }
    out
}
