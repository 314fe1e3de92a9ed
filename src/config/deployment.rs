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
    /// What it gives to the Stack's variables; nothing where HCP alone knows the value. With each its place.
    pub inputs: BTreeMap<Arc<str>, (Option<Value>, Place)>,
    /// Whether it is to be destroyed.
    pub destroy: bool,
    /// Where it stands.
    pub place: Place,
}
