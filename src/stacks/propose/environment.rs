//! An environment of a root module, which becomes a deployment of the proposed Stack.

use crate::matrix::Assigned;
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The values of an environment.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The value of each root variable, defaults included.
    pub assigned: Assigned,
    /// The values that the environment sets itself.
    pub given: BTreeMap<Arc<str>, Value>,
    /// Its workspace.
    pub workspace: String,
}
