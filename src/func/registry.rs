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
