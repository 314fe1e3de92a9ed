//! Properties of the evaluator and of the tracer, over the rows and the generator of the differential run.
//!
//! Terraform has said what the rows come to (`e2e/differential`); here the same expressions are evaluated with parts of
//! them unknown, sensitive, or chosen by variables, and have to say the same.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used
)] // a test; what goes wrong shall end it

#[allow(dead_code)]
#[path = "../../e2e/differential/folder.rs"]
mod folder;
#[allow(dead_code)]
#[path = "../../e2e/differential/generate.rs"]
mod generate;
mod harness;
mod holes;
mod marks;
#[allow(dead_code)]
#[path = "../../e2e/differential/rows.rs"]
mod rows;
mod strategies;
mod unknowns;
