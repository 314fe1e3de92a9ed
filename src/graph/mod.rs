//! Uses of names in a module: which declarations its expressions refer to.
//!
//! In: a loaded module. Out: its uses of names ([`Use`]), the edges between declarations. They belong to the module's
//! *source*: an instance is this graph plus a path of calls. Invariant: immutable, derived from syntax alone. Absent on
//! purpose: values, conditions, instances.

mod behind;
mod uses;

pub use behind::{Behind, Resources};
pub use uses::{Context, Use, reference, uses, uses_in, uses_in_json, uses_of};
