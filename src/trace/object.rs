//! Instances of resources as things that a value may be.

use crate::addr::{Key, ResourceAddr};

/// An instance of a resource.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResourceInstance {
    /// The index of the instance of its module among those that the tracer has met.
    pub module: u32,
    /// The resource.
    pub addr: ResourceAddr,
    /// Its key, where the resource is repeated.
    pub key: Option<Key>,
}
