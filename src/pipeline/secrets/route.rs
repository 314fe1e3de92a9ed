//! Ways into values, and which of them meet.
//!
//! A route is a list of steps from a value to a part of it: names of attributes, [`EACH`] for any element, [`KEYS`] for the keys. Invariant: none is longer
//! than [`DEEPEST`]; what lies deeper counts as the part at that depth.

use std::sync::Arc;

/// The steps from a value to a part of it.
pub(super) type Route = Vec<Arc<str>>;

/// Any element of a collection.
pub(super) const EACH: &str = "*";

/// The keys of a collection.
pub(super) const KEYS: &str = "#";

/// The step to an element or attribute of a name. One that is named like the keys of a collection counts as any.
pub(super) fn step_to(name: &Arc<str>) -> Arc<str> {
    if **name == *KEYS { EACH.into() } else { name.clone() }
}

/// More steps than this aren't told apart.
pub(super) const DEEPEST: usize = 6;

/// Returns true if two steps may lead to the same part.
pub(super) fn may_meet(a: &str, b: &str) -> bool {
    a == b || (a == EACH && b != KEYS) || (b == EACH && a != KEYS)
}

/// Returns true if one of two routes leads into what the other one leads to.
pub(super) fn is_around(a: &[Arc<str>], b: &[Arc<str>]) -> bool {
    a.iter().zip(b).all(|(a, b)| may_meet(a, b))
}

/// Both routes one behind the other, as far as steps are told apart.
pub(super) fn joined(first: &[Arc<str>], then: &[Arc<str>]) -> Route {
    first.iter().chain(then).take(DEEPEST).cloned().collect()
}
