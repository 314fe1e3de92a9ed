//! What is known about an unknown value.

use super::Number;
use std::sync::Arc;

/// Refinements of an unknown value, as in cty. All default to "nothing known".
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Refinements {
    /// Known not to be null.
    pub not_null: bool,
    /// A string's known prefix.
    pub prefix: Option<Arc<str>>,
    /// A number's least value, and whether it is itself included.
    pub min: Option<(Number, bool)>,
    /// A number's greatest value, and whether it is itself included.
    pub max: Option<(Number, bool)>,
    /// A collection's least length.
    pub min_len: Option<u64>,
    /// A collection's greatest length.
    pub max_len: Option<u64>,
}
