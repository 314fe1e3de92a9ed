//! The input of a search for failing inputs, and the identity of a fault.

use super::checks::Check;
use super::faults::Fault;
use super::{Assignment, Inputs, Listed, Witness};
use crate::config::Config;
use crate::text::{Place, SourceId};
use crate::trace::Limits;
use std::sync::OnceLock;

/// The input of a search.
pub(super) struct Searched<'a> {
    /// What may be spent on all expressions in all environments.
    pub most: u64,
    pub config: &'a Config,
    pub limits: Limits,
    pub inputs: &'a Inputs,
    pub checks: Vec<Check<'a>>,
    /// The whole assignment of each environment.
    pub wholes: Vec<Assignment>,
    /// The listed values that no environment has, for each environment.
    pub free: Vec<Listed>,
    /// Each environment as an input, once somebody asks for it.
    pub as_they_are: Vec<OnceLock<Witness>>,
}

/// One way to fail: where, and what Terraform calls it.
pub(super) type Way = ((SourceId, u32, u32), String);

/// Returns what distinguishes a fault from others.
pub(super) fn way(fault: &Fault) -> Way {
    let Place { file, span } = fault.place;
    let summary = fault.error.split(':').next().unwrap_or_default().to_owned();
    ((file, span.start, span.end), summary)
}
