//! What the rules look at, and what they find.

use crate::addr::ModulePath;
use crate::config::{Config, Module};
use crate::graph::Use;
use crate::text::Place;

/// Something that Terraform refuses.
#[derive(Clone, Debug)]
pub(in crate::trace::failures) struct Refused {
    /// The address of the declaration, or the name of the block.
    pub at: String,
    /// Terraform's summary, and after a colon what it says besides.
    pub error: String,
    /// Where.
    pub place: Place,
}

/// What the rules look at.
pub(super) struct Looked<'c> {
    /// All modules.
    pub config: &'c Config,
    /// The path of this one.
    pub path: &'c ModulePath,
    /// The module.
    pub module: &'c Module,
    /// The uses of names in its files, in either syntax.
    pub uses: Vec<Use>,
}

/// The address of the block that a use stands in.
pub(super) fn address_of(used: &Use) -> String {
    let blocks: Vec<&str> = used.context.blocks.iter().map(|kind| &**kind).collect();
    match blocks.as_slice() {
        [] => used.context.attribute.to_string(),
        blocks => format!("{}.{}", blocks.join("."), used.context.attribute),
    }
}
