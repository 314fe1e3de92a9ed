//! Our own syntax tree, with a byte span on every node, built from hcl-edit's structure and spans.
//!
//! This is the only place that names `hcl_edit`. Invariant: names and literal values are read from the original
//! text's slices, never from hcl-edit's decoded nodes. Absent on purpose: evaluation, name resolution, printing of
//! parsed nodes.

pub mod tree;

pub use tree::*;
