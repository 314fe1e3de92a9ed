//! From a folder to a [`Config`]: the root module, and every module that it calls.
//!
//! Invariant: each folder is read once, and all that calls lead to in parallel. A fault in one file is an issue and the
//! rest is loaded all the same, so that one run names all faults. Absent on purpose: downloading. What isn't installed
//! is an issue that says what to type.

mod ahead;
mod fault;
pub(in crate::config) mod folder;
mod leaves;
mod manifest;
mod submodules;
mod version;
mod walk;

pub use ahead::{CalledFrom, called_from};
pub(super) use fault::Fault;
pub use folder::{is_configuration_name, is_tofus};
pub use manifest::ASIDE;
pub use version::is_within;
pub use walk::attach;
pub(super) use walk::root;

#[cfg(test)]
mod tests;
