//! The families of functions, a file each; registering one costs a line here.

use super::Function;

mod choose;
mod collection_basic;
mod convert;
mod float;
mod format;
mod mark;
mod number;
mod regex;
mod regex_class;
mod string;
mod string_list;
mod text;

/// All families.
pub const FAMILIES: &[&[Function]] = &[
    choose::FUNCTIONS,
    collection_basic::FUNCTIONS,
    convert::FUNCTIONS,
    format::FUNCTIONS,
    mark::FUNCTIONS,
    number::FUNCTIONS,
    regex::FUNCTIONS,
    string::FUNCTIONS,
    string_list::FUNCTIONS,
    text::FUNCTIONS,
];

#[cfg(test)]
mod tests;
