//! The map of the crate.
//!
//! Data flows one way: load → graph → trace → specialise → edits → transaction → terraform → report.
//! The modules below stand in that order; each imports only those above it (`tests/layering.rs` keeps it so).
//! Only [`host`] and [`txn`] touch the disk, only [`terraform`] starts a process, only [`report`] and [`cli`] print.

// Unit tests build their own trees and processes; the rule is for the product.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod host;
pub mod text;
pub mod issue;
pub mod value;
pub mod cond;
pub mod syntax;
pub mod addr;
pub mod moves;
pub mod func;
pub mod eval;
pub mod config;
pub mod graph;
pub mod trace;
pub mod specialise;
pub mod simulate;
pub mod pipeline;
pub mod matrix;
pub mod txn;
pub mod terraform;
pub mod report;
pub mod ops;
pub mod cli;
