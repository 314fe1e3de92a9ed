//! The families of functions, a file each; registering one costs a line here.

use super::Function;

mod choose;
mod collection_basic;
mod convert;
mod counting;
mod csv;
mod float;
mod format;
mod gone;
mod json;
mod lists;
mod mark;
mod number;
mod regex;
mod regex_class;
mod search;
mod seq;
mod sets;
mod string;
mod string_list;
mod template;
mod text;
mod truth;
mod yaml;

/// All families.
pub const FAMILIES: &[&[Function]] = &[
    choose::FUNCTIONS,
    collection_basic::FUNCTIONS,
    convert::FUNCTIONS,
    counting::FUNCTIONS,
    csv::FUNCTIONS,
    format::FUNCTIONS,
    gone::FUNCTIONS,
    json::FUNCTIONS,
    lists::FUNCTIONS,
    mark::FUNCTIONS,
    number::FUNCTIONS,
    regex::FUNCTIONS,
    search::FUNCTIONS,
    sets::FUNCTIONS,
    string::FUNCTIONS,
    string_list::FUNCTIONS,
    template::FUNCTIONS,
    text::FUNCTIONS,
    truth::FUNCTIONS,
    yaml::FUNCTIONS,
];

#[cfg(test)]
mod tests;
