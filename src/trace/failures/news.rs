//! Finds the failures that one configuration has and another hasn't.
//!
//! In: the failures of a base and of a head. Out: the failures that are new in the head, each with its environments and a witness.
//! Failures are matched by the field and by Terraform's message; lines move and messages are reworded, so the rest are matched in
//! order. Each kind of failure is matched once: what that costs grows as the failures do, or nearly so. Invariant: a new failure occurs in the head for its witness, and did not occur so in the base in its environments. Absent
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

/// The failures of one kind, by message.
#[derive(Default)]
struct Group<'a> {
    /// In order.
    all: Vec<(&'a str, Known<'a>)>,
    /// The place of each message in it.
    places: BTreeMap<&'a str, usize>,
}

/// The failures of a side, by kind.
type Groups<'a> = BTreeMap<Kind<'a>, Group<'a>>;

/// The base's counterpart of each message of the head, by kind.
type Partners<'g, 'a> = BTreeMap<Kind<'a>, BTreeMap<&'a str, &'g Known<'a>>>;

/// Returns the failures of the head alone. `asked` looks for failures of the base under inputs of the head. Each
/// input is an environment that is named by its number.
pub fn news(base: &Found, head: Found, asked: impl FnOnce(&[&Witness]) -> Found) -> Found {
    let (old, new) = (groups(base), groups(&head));
    let partners: Partners<'_, '_> =
        new.iter().filter_map(|(kind, new)| Some((*kind, pair_with_known(old.get(kind)?, new)))).collect();
    let mut kept: Vec<Failure> = Vec::new();
    let mut doubtful: Vec<Failure> = Vec::new();
    for failure in &head.failures {
        let known = partners.get(&kind(failure)).and_then(|own| own.get(failure.error.as_str()));
        let Some(known) = known else {
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
        let fails: BTreeSet<(&str, &str, &str)> = before
            .failures
            .iter()
            .flat_map(|f| f.environments.iter().map(move |env| (&*f.field, f.summary(), &**env)))
            .collect();
        kept.extend(doubtful.into_iter().enumerate().filter_map(|(number, failure)| {
            let own = (&*failure.field, failure.summary(), &*number.to_string());
            (!fails.contains(&own)).then_some(failure)
        }));
    }
    let order: BTreeMap<_, usize> = head.failures.iter().enumerate().map(|(n, f)| (place(f), n)).collect();
    kept.sort_by_key(|f| order.get(&place(f)).copied());
    Found { failures: kept, ..head }
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
        let Group { all, places } = out.entry(kind(failure)).or_default();
        let at = *places.entry(failure.error.as_str()).or_insert_with_key(|error| {
            all.push((*error, Known::default()));
            all.len() - 1
        });
        let Some((_, known)) = all.get_mut(at) else { continue };
        known.environments.extend(&failure.environments);
        known.gates.extend(failure.environments.is_empty().then_some(failure.gate.as_str()));
    }
    out
}

/// To each message of the head its partner in the base: the one with the same words, else the next that has none.
fn pair_with_known<'g, 'a>(old: &'g Group<'a>, new: &Group<'a>) -> BTreeMap<&'a str, &'g Known<'a>> {
    let has_same = |error: &str, other: &Group<'_>| other.places.contains_key(error);
    let mut left = old.all.iter().filter(|(error, _)| !has_same(error, new));
    let partner = |(error, _): &(&'a str, Known<'a>)| {
        let same = old.places.get(error).and_then(|at| old.all.get(*at));
        Some((*error, &same.or_else(|| left.next())?.1))
    };
    new.all.iter().filter_map(partner).collect()
}
