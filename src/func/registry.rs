//! The table of all functions, by name.

use super::{Function, family};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// Every registered function, family by family.
pub fn all() -> impl Iterator<Item = &'static Function> {
    family::FAMILIES.iter().flat_map(|f| f.iter())
}

/// The function of that name; `core::upper` is `upper`.
pub fn lookup(name: &str) -> Option<&'static Function> {
    static TABLE: OnceLock<FxHashMap<&'static str, &'static Function>> = OnceLock::new();
    let table = TABLE.get_or_init(|| all().map(|f| (f.name, f)).collect());
    table.get(name.strip_prefix("core::").unwrap_or(name)).copied()
}

/// A call that Terraform versions answer differently; the function declines it.
pub struct VersionDifference {
    /// An expression that shows it.
    pub example: &'static str,
    /// The first version with the later answer, as far as known.
    pub since: &'static str,
    /// What changed.
    pub change: &'static str,
}

/// What differs between Terraform 1.11 and 1.15.
pub const VERSION_DIFFERENCES: &[VersionDifference] = &[
    VersionDifference {
        example: "element([1, 2], -1)",
        since: "1.12",
        change: "negative indices into tuples count from the end; before, they were an error",
    },
    VersionDifference {
        example: "contains([1, null], null)",
        since: "1.15",
        change: "null may be searched for; before, it was an error",
    },
    VersionDifference {
        example: "format(\"%v\", null)",
        since: "1.12",
        change: "an untyped null is printed; before, the result was unknown",
    },
    VersionDifference {
        example: "formatlist(\"%v\", null)",
        since: "1.12",
        change: "an untyped null is printed; before, the result was unknown",
    },
    VersionDifference {
        example: "merge({a = 1}, try({a = 1}, null) == null ? {a = 1} : null)",
        since: "1.15",
        change: "null objects count as empty ones; before, merging two of one type was an error",
    },
];
