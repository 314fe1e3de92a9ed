//! Repetition: what `count`, `for_each` and `dynamic` make of a declaration, and which instances there are.

pub(super) mod axis;
pub(super) mod dynamic;
pub(super) mod entries;
pub(super) mod indices;
pub(super) mod known;
pub(super) mod never_instantiated;
pub(super) mod over;
pub(super) mod unroll;
