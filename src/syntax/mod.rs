//! Our own syntax tree, with a byte span on every node: read directly where the forms are plain, else built from
//! hcl-edit's structure and spans.
//!
//! This is the only place that names `hcl_edit`. Invariant: names and literal values are read from the original
//! text's slices, never from hcl-edit's decoded nodes; both ways give the same tree. Absent on purpose: evaluation, name resolution, printing of
//! parsed nodes.

pub mod emit;
mod error;
pub mod limits;
mod lower;
mod parse;
mod plain;
mod scan;
pub mod traversal;
pub mod tree;
pub mod trivia;
pub mod walk;

pub use error::ParseError;
pub use parse::{
    is_name, on_big_stack, parse, parse_by_grammar, parse_expr, parse_expr_by_grammar, parse_template,
};
pub use traversal::{IndexKey, Traversal, TraversalStep};
pub use tree::*;

#[cfg(test)]
mod tests;
