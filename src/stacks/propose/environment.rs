//! An environment of a root module, which becomes a deployment.

use crate::matrix::Assigned;
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What an environment gives.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The value of each variable in it, defaults included.
    pub assigned: Assigned,
    /// What it gives itself.
    pub given: BTreeMap<Arc<str>, Value>,
    /// Its workspace.
    pub workspace: String,
}
