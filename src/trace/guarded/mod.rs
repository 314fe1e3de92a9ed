//! Guarded values: alternatives under conditions, with how they came about and how they read. It knows no tracer.

pub(super) mod alt;
pub(super) mod hops;
pub mod wording;
