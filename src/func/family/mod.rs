//! The families of functions, a file each; registering one costs a line here.

use super::Function;

mod string_case;

/// All families.
pub const FAMILIES: &[&[Function]] = &[string_case::FUNCTIONS];
