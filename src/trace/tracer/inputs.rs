//! The inputs of a tracer: the configuration, limits, listed values, assumptions, and what functions see of the machine.

use crate::config::Config;
use crate::config::phi::Settings;
use crate::func::Surroundings;
use crate::text::Place;
use crate::trace::Assumptions;
use crate::value::{Number, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name under which `phi.hcl` gives the selected workspace a universe.
pub const WORKSPACE: &str = "terraform.workspace";

/// Limits; every one that is reached gives Unbounded with a reason.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Branches of one field.
    pub branches: usize,
    /// Module boundaries crossed.
    pub depth: usize,
    /// Alternatives of one intermediate value.
    pub alternatives: usize,
    /// Combinations that one operation may look at.
    pub combinations: usize,
    /// References followed within one another.
    pub nesting: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { branches: 16, depth: 20, alternatives: 1024, combinations: 4096, nesting: 2000 }
    }
}

impl Limits {
    /// Returns the limits that `phi.hcl` sets.
    pub fn of(settings: &Settings) -> Limits {
        Limits { branches: settings.branches, depth: settings.depth, ..Limits::default() }
    }
}

/// A finite set of values that a root variable may take, and who says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Universe {
    /// The values; none where there are bins alone.
    pub values: Vec<Value>,
    /// True if Terraform itself keeps other values out (a validation block, a type).
    pub enforced: bool,
    /// Bounds to which a number is rounded up where its values aren't listed, or are too many.
    pub bins: Vec<Number>,
    /// True if environments alone say so: what a driver lists for a field that hands the variable on goes before.
    pub environments: bool,
    /// The places of the values, in their order, if they aren't in `phi.hcl`.
    pub places: Vec<Place>,
}

impl Universe {
    /// Values that are listed for the variable itself.
    pub fn listed(values: Vec<Value>, enforced: bool) -> Universe {
        Universe { values, enforced, bins: Vec::new(), environments: false, places: Vec::new() }
    }
}

/// Universes by the name of a root variable, [`WORKSPACE`], or the address of a data source's attribute.
pub type Universes = BTreeMap<Arc<str>, Universe>;

/// The inputs of a tracer. They stay the same for as long as the tracer lives.
pub(in crate::trace) struct Inputs<'a> {
    pub config: &'a Config,
    pub limits: Limits,
    pub universes: &'a Universes,
    /// True if the universe of any data source's attribute is among them.
    pub lists_data: bool,
    pub assumptions: Assumptions,
    pub outside: &'a dyn Surroundings,
    /// True if the arguments of resources count as what a plan shows of them: for reports, which decide nothing.
    pub follows_configured: bool,
}
