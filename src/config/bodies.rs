//! Bodies that were put together from a declaration and its overrides.

use super::In;
use crate::syntax::{Attribute, Block};

/// Arguments and nested blocks of a declaration, without what Terraform itself takes (`count`, `lifecycle`, …).
#[derive(Clone, Debug, Default)]
pub struct MergedBody {
    /// Arguments in source order; those that an override adds come last.
    pub attributes: Vec<In<Attribute>>,
    /// Nested blocks, `dynamic` ones included, in source order. Of a JSON file, blocks of a provider's schema can't be
    /// told from arguments and stand among the attributes.
    pub blocks: Vec<In<Block>>,
}

impl MergedBody {
    /// The argument of that name.
    pub fn attribute(&self, name: &str) -> Option<&In<Attribute>> {
        self.attributes.iter().find(|a| &*a.name.text == name)
    }
}
