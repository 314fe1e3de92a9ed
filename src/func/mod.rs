//! Terraform's functions: one registration each, serving evaluator and tracer alike.
//!
//! A registration says what a function takes, computes, and how the tracer may push alternatives through it, so
//! that evaluator and tracer can't drift apart. Null, unknown and marked arguments are dealt with once, in
//! [`call`](call::call), by what each parameter allows; the functions themselves see plain values.
//! Absent on purpose: tables of facts about functions anywhere else.

pub mod args;
pub mod call;
mod family;
mod registry;
mod signature;
mod surroundings;
pub mod unicode;
mod work;

pub use call::call;
pub use family::PATTERN_PROPERTIES;
pub use registry::{VERSION_DIFFERENCES, VersionDifference, all, lookup};
pub use signature::{
    Body, EvalError, FuncError, Function, Joins, Obstacle, Param, Purity, Returns, Strategy, Want,
};
pub use surroundings::{Context, NoSurroundings, Surroundings};
pub use work::{ArmRisk, Work};
