//! Every input under which Terraform would stop, found without running it.
//!
//! In: a configuration, the inputs that are meant (environments, and listed values that no environment has). Out:
//! [`Failure`]s, each with a condition and a witness. How: every expression that Terraform evaluates in a plan is traced in the
//! values of each environment, the errors among its alternatives are put under the condition that there is an instance
//! and that the variables' rules hold, and a model of that formula is an input. Values that no environment has are tried beside
//! each environment, and what is found so is evaluated once more with the witness alone.
//!
//! Invariants: what isn't known is never a failure; a witness is one of the inputs that are meant. Absent on purpose: values that
//! nobody listed. Any index fails for some of them.

mod checks;
mod ephemeral;
mod faults;
mod inputs;
mod news;
mod providers;
mod refused;
mod refused_values;
mod repeated;
mod search;
mod searched;
mod settle;
mod triggers;
mod unexpanded;
mod words;

pub use inputs::{Attribute, Environment, Inputs, Listed, Unreadable, Unsuitable, listed};
pub use news::news;
pub use refused_values::{RefusedValue, find_refused_values};
pub use search::failures;

use crate::addr::FieldAddr;
use crate::cond::Condition;
use crate::text::Place;
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values of root variables by name, and of the workspace by [`super::WORKSPACE`].
pub type Assignment = BTreeMap<Arc<str>, Value>;

/// Something at which Terraform stops for some input.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The address of what fails.
    pub field: String,
    /// The field that it is, where it is one.
    pub of: Option<FieldAddr>,
    /// Terraform's summary, and after a colon what it says besides.
    pub error: String,
    /// The expression that fails.
    pub place: Place,
    /// True if Terraform only warns: an assertion of a `check` block that is false.
    pub warning: bool,
    /// True if a rule keeps out what nobody asked for: it is false for a value of a `bool` that no environment has.
    pub kept_out: bool,
    /// True if it is an error before Terraform 1.12 alone, which evaluates both sides of `&&` and `||`.
    pub before_lazy: bool,
    /// For which inputs.
    pub condition: Arc<Condition>,
    /// The same as HCL in the root module.
    pub gate: String,
    /// An input for which it fails.
    pub witness: Witness,
    /// The environments in which it fails as they are.
    pub environments: Vec<Arc<str>>,
}

impl Failure {
    /// Returns true if it makes Terraform stop, in every version.
    pub fn stops(&self) -> bool {
        !self.warning && !self.before_lazy && !self.kept_out
    }

    /// Terraform's summary.
    pub fn summary(&self) -> &str {
        let first = self.error.split(':').next().unwrap_or_default();
        // A sentence that quotes a value is none.
        if first.contains(['"', '\n']) { "Invalid value" } else { first }
    }
}

/// An input.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The workspace.
    pub workspace: Arc<str>,
    /// The values of root variables, those that are their defaults left out.
    pub variables: BTreeMap<Arc<str>, Value>,
    /// The names of variables whose values must not be shown.
    pub secret: Vec<Arc<str>>,
    /// The environment that it is, where it is one.
    pub environment: Option<Arc<str>>,
    /// The environment from which it differs, where it does.
    pub beside: Option<Arc<str>>,
    /// The variables that no variable file of the environment gives this value.
    pub set: Vec<Arc<str>>,
    /// Those of them that have neither a value nor a default: any would do.
    pub open: Vec<Arc<str>>,
}

/// The result of the search.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The failures, by place.
    pub failures: Vec<Failure>,
    /// The addresses of what couldn't be decided everywhere.
    pub undecided: Vec<String>,
    /// How many of them no work was left for: nobody looked at these.
    pub left_out: usize,
    /// The number of expressions looked at.
    pub checked: usize,
    /// Each environment in which something fails, as an input.
    pub inputs: BTreeMap<Arc<str>, Witness>,
}
