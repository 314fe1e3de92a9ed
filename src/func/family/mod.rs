//! The families of functions, a file each; registering one costs a line here.

use super::Function;

/// All families.
pub const FAMILIES: &[&[Function]] = &[];
