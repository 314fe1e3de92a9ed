//! The families of functions, a file each; registering one costs a line here.

use super::Function;

mod counting;
mod gone;
mod lists;
mod search;
mod seq;
mod sets;
mod truth;

/// All families.
pub const FAMILIES: &[&[Function]] = &[
    counting::FUNCTIONS,
    gone::FUNCTIONS,
    lists::FUNCTIONS,
    search::FUNCTIONS,
    sets::FUNCTIONS,
    truth::FUNCTIONS,
];
