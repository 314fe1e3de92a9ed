//! Folding: what a driven value decides in a copy's expressions and blocks, and the text that is left.
//!
//! In: a module's text, the variables that carry driven values, and the blocks without instances. Out: edits, and the blocks without
//! instances that have to stay. Invariant: an expression is replaced by the value that Terraform computes for it, or by a part of it
//! that has this value; where it stands in an argument that Terraform converts, by one that converts to the same. Absent on purpose:
//! functions that give different results in different versions or places.

mod absent;
mod arms;
mod back;
mod constant;
mod counted;
mod demands;
mod empty;
mod named;
mod place;
mod search;
mod stand_ins;
mod types;
mod walk;

#[cfg(test)]
mod back_tests;
#[cfg(test)]
mod tests;

pub use absent::Absent;
pub use back::misread;
pub use demands::direct_in;
pub use named::Facts;
pub use search::absent;
pub use stand_ins::{Joined, Reread};
pub use walk::{Folded, folded};
