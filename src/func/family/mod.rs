//! The families of functions, a file each; registering one costs a line here.

use super::Function;

mod choose;
mod collection_basic;
mod convert;
mod format;
mod string;
mod string_list;

/// All families.
pub const FAMILIES: &[&[Function]] = &[
    choose::FUNCTIONS,
    collection_basic::FUNCTIONS,
    convert::FUNCTIONS,
    format::FUNCTIONS,
    string::FUNCTIONS,
    string_list::FUNCTIONS,
];

#[cfg(test)]
mod tests;
