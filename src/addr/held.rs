//! What a state holds, by address.

use super::{ModuleInstance, ObjectAddr, ResourceAddr};

/// The addresses in a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// The instances of resources and data sources.
    pub objects: Vec<ObjectAddr>,
    /// Resources that are in state with no instance. Terraform calls them husks; an apply that failed leaves them behind. No
    /// command lists them, and yet no resource is moved to where one is.
    pub husks: Vec<(ModuleInstance, ResourceAddr)>,
}

impl Held {
    /// Objects and nothing else.
    pub fn objects(objects: impl IntoIterator<Item = ObjectAddr>) -> Held {
        Held { objects: objects.into_iter().collect(), husks: Vec::new() }
    }
}
