//! The expressions that a tree's Terraform accepts in static fields, found without starting one.
//!
//! In: `required_version`, the record. Out: which expressions are accepted. Commands that only read start no process, since whoever wrote the tree may have chosen the program. Invariant: what isn't said is taken
//! as what every version accepts. Absent on purpose: running a binary.

use crate::config::VersionConstraint;
use crate::host::Host;
use crate::pipeline::Session;
use crate::terraform::{Product, Version};
use crate::trace::accepts::{Accepts, Sources};

/// Returns which expressions a version accepts in static fields.
pub fn of_version(version: &Version) -> Accepts {
    let sources = if version.is_at_least(Product::OpenTofu, 1, 8) {
        Sources::Variables
    } else if version.is_at_least(Product::Terraform, 1, 15) {
        Sources::Constants
    } else {
        Sources::Literals
    };
    Accepts { sources, prevent_destroy: version.is_at_least(Product::OpenTofu, 1, 12) }
}

/// Returns which expressions the tree's Terraform accepts in static fields: as the record says, else as the oldest version does
/// that the tree allows.
pub fn accepts<H: Host + Clone>(session: &Session<H>) -> Accepts {
    if let Some(accepts) = session.record.as_ref().and_then(|r| r.accepts) {
        return accepts;
    }
    let bound = |one: VersionConstraint| {
        matches!(&*one.operator, "" | "=" | ">=" | ">" | "~>").then_some(one.numbers)
    };
    let least = session.config.version_constraints().into_iter().filter_map(bound).max();
    let [major, minor, ..] = least.as_deref().unwrap_or_default() else { return Accepts::default() };
    let product = if session.phi.settings.is_for_tofu() { Product::OpenTofu } else { Product::Terraform };
    of_version(&Version { product, major: *major, minor: *minor, patch: 0, pre: String::new() })
}
