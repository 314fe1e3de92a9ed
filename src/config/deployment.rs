//! A deployment of a Stack: a named assignment of its variables.

use crate::text::Place;
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A `deployment` block.
#[derive(Clone, Debug)]
pub struct Deployment {
    /// The name.
    pub name: Arc<str>,
    /// The values of the Stack's variables, each with its place. `None` stands for a value that only HCP knows.
    pub inputs: BTreeMap<Arc<str>, (Option<Value>, Place)>,
    /// True if the deployment is to be destroyed.
    pub destroy: bool,
}
