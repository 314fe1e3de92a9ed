//! The graph of a module source: what its expressions are made of, and which declarations they name.
//!
//! In: a loaded module. Out: its uses of names ([`Use`]), which are bridges between declarations, and typed nodes with
//! the edges that tracing follows ([`Node`], [`Edge`]). One graph per module *source*: an instance is this graph plus a
//! path of calls. Invariant: immutable, derived from syntax alone. Absent on purpose: values, conditions, instances.

mod node;
mod uses;

pub use node::{Edge, Node, edges};
pub use uses::{Context, Use, uses, uses_in, uses_in_json, uses_of};
