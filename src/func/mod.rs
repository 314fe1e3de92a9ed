//! Terraform's functions: one registration each, serving evaluator and tracer alike.
//!
//! A registration says everything about a function: what it takes, what it computes, when it fails, and what the tracer
//! may rely on, so that evaluator and tracer can't drift apart. `docs/functions.md` is generated from the registrations. Null, unknown and marked arguments are dealt with once, in
//! [`call`](call::call), by what each parameter allows; the functions themselves see plain values.
//! Absent on purpose: tables of facts about functions anywhere else.

pub mod args;
pub mod call;
mod context;
mod error;
mod family;
mod go_compat;
pub mod hidden;
mod registry;
mod signature;
mod surroundings;
pub mod unicode;
mod versions;
mod work;

pub use call::call;
pub use context::Context;
pub use error::{EvalError, FuncError, Obstacle};
pub use go_compat::regex::class::PROPERTIES as PATTERN_PROPERTIES;
pub use registry::{all, looks_at_files, lookup};
pub use signature::{Body, Function, Joins, Kind, Param, Purity, Returns, Run, Want};
pub use surroundings::{Decode, NoSurroundings, Surroundings};
pub use versions::TerraformVersions;
pub use work::Work;
