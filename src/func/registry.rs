//! The table of all functions, by name.

use super::{Function, Purity, family};
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

/// True for a function that looks at files or at where Terraform runs, by its name as it is called: `file`, `core::templatefile`.
pub fn looks_at_files(name: &str) -> bool {
    lookup(name).is_some_and(|f| f.purity == Purity::Files)
}

/// A difference between the answers of Terraform versions. The answer is declined if the version isn't known.
pub struct VersionDifference {
    /// An expression that shows it.
    pub example: &'static str,
    /// The minor version of Terraform 1 that has the later answer first.
    pub since: u32,
    /// The change, in words.
    pub change: &'static str,
}

/// The differences between Terraform 1.11 and later versions, without the functions that are new since (see
/// [`Function::since`]).
pub const VERSION_DIFFERENCES: &[VersionDifference] = &[
    VersionDifference {
        example: "false && [][0]",
        since: 12,
        change: "an operand that decides hides an error of the other one",
    },
    VersionDifference {
        example: "true || null",
        since: 12,
        change: "an operand that decides makes up for null, which counts as false; before, it was an error",
    },
    VersionDifference {
        example: "tolist([\"a\", null])[*][*]",
        since: 12,
        change: "splats within splats that give lists of different types are an error; before, Terraform crashed",
    },
    VersionDifference {
        example: "element([1, 2], -1)",
        since: 12,
        change: "negative indices into tuples count from the end; before, they were an error",
    },
    VersionDifference {
        example: "format(\"%v\", null)",
        since: 12,
        change: "an untyped null is printed; before, the result was unknown",
    },
    VersionDifference {
        example: "formatlist(\"%v\", null)",
        since: 12,
        change: "an untyped null is printed; before, the result was unknown",
    },
    VersionDifference {
        example: "jsondecode(\"{\\\"a\\\": 1, \\\"a\\\": \\\"x\\\"}\")",
        since: 15,
        change: "a key that occurs twice with values of different types is an error; in 1.11, one value was read as of the \
                 other one's type (what is between the two was not measured)",
    },
    VersionDifference {
        example: "contains([1, null], null)",
        since: 16,
        change: "null may be searched for; before, it was an error",
    },
    VersionDifference {
        example: "merge({a = 1}, true ? null : {a = 1})",
        since: 16,
        change: "null objects count as empty ones; before, merging only such was an error",
    },
];
