//! The addresses of a state.

use super::{ModuleInstance, ObjectAddr, ResourceAddr};

/// The addresses in a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// The instances of resources and data sources.
    pub objects: Vec<ObjectAddr>,
    /// Resources that are in the state without an instance. Terraform calls them husks; a failed apply leaves them
    /// behind. No command lists them, but no resource can be moved to the address of one.
    pub husks: Vec<(ModuleInstance, ResourceAddr)>,
}

impl Held {
    /// Builds a state of these objects, without husks.
    pub fn objects(objects: impl IntoIterator<Item = ObjectAddr>) -> Held {
        Held { objects: objects.into_iter().collect(), husks: Vec::new() }
    }
}
