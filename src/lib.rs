//! `tf-phi` specialises Terraform configurations for fields that have to be known before plan. This page is the map of
//! the crate.
//!
//! # The way of the data
//!
//! Data flows one way, from files to files:
//!
//! 1. [`config`] loads a folder: declarations that know the file and the bytes they come from.
//! 2. [`trace`] follows each field backwards to every value that it can take, and the condition for each.
//! 3. [`specialise`] decides what is written: one residual per value, the gate that [`gate`] proves for it, and the texts of all files.
//! 4. [`moves`] and [`simulate`] say where each object in the state ends, and what would be lost on the way.
//! 5. [`txn`] writes all of it, or nothing.
//! 6. [`terraform`] starts the real Terraform on what was written.
//!
//! [`pipeline`] joins the steps 1 to 4 over any [`host::Host`], so that commands, golden trees, random trees and fuzzing take
//! the same way. [`ops`] holds the commands, [`report`] prints, and [`cli`] reads the command line.
//!
//! # The layers
//!
//! The modules below stand in the order of their layers. Each imports only those above it (`tests/layering` keeps it so).
//! Only [`host`] and [`txn`] touch the disk, only [`terraform`] starts a process, only [`report`] prints.
//!
//! | to | look at |
//! |---|---|
//! | read source text and edit it | [`text`], [`syntax`] |
//! | compute values | [`value`], [`func`], [`eval`] |
//! | reason about conditions | [`cond`] |
//! | name modules, resources, fields | [`addr`] |
//! | know which declarations an expression uses | [`graph`] |
//! | compare environments | [`matrix`] |
//! | write a Stack's deployment as a root module | [`stacks`] |
//! | say what is wrong | [`issue`] |
//!
//! Each module's page says its input, its output, what always holds, and what it deliberately doesn't do.
//! `docs/architecture.md` has the decisions and their reasons, `CONTRIBUTING.md` the recipes.

// Unit tests build their own trees and processes; the rule is for the product.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

#[cfg(windows)]
compile_error!("tf-phi doesn't run on Windows itself: use WSL (Windows Subsystem for Linux)");

pub mod host;
pub mod text;
pub mod issue;
pub mod value;
pub mod syntax;
pub mod addr;
pub mod cond;
pub mod moves;
pub mod func;
pub mod eval;
pub mod config;
pub mod graph;
pub mod trace;
pub mod gate;
pub mod specialise;
pub mod simulate;
pub mod pipeline;
pub mod matrix;
pub mod stacks;
pub mod txn;
pub mod terraform;
pub mod report;
pub mod ops;
pub mod cli;
