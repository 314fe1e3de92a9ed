//! The only stage that starts a process: Terraform or OpenTofu.
//!
//! Input: a working directory that holds what has to be planned, and arguments. Invariants: what Terraform
//! prints to its stdout is its own, byte for byte; every environment variable reaches it untouched; tf-phi
//! outlives it, whatever signal arrives ([`signals`]). Deliberately absent: reading or changing any `.tf` file,
//! and any opinion on what a plan says.

pub mod args;
mod bounded;
pub mod leash;
pub mod flags;
pub mod git;
pub mod init;
pub mod locate;
pub mod plan_json;
mod run;
pub mod said;
pub mod signals;
mod state;
mod strange;
pub mod state_json;
mod words;

pub use locate::{Product, Terraform, Version};
pub use run::{Captured, Exit};
pub use state::Answer;
