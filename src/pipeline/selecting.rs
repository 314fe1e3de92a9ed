//! Arguments that select something: a version, an image, a source, a size.

use super::field::Field;
use crate::addr::{Mode, Target};

/// Last names of arguments that select, in providers of clouds, clusters and databases.
const NAMES: &[&str] = &[
    "ami",
    "ami_type",
    "broker_instance_type",
    "cache_node_type",
    "chart",
    "edition",
    "engine",
    "engine_mode",
    "flavor",
    "flavor_name",
    "handler",
    "host_instance_type",
    "image",
    "image_id",
    "image_tag",
    "image_uri",
    "instance_class",
    "instance_size",
    "instance_type",
    "machine_type",
    "node_type",
    "package_type",
    "parameter_group_family",
    "release_label",
    "repository",
    "runtime",
    "size",
    "sku",
    "sku_name",
    "solution_stack_name",
    "template_url",
    "tier",
    "vm_size",
];

/// The other suffixes of their names.
const ENDS: &[&str] = &["_version", "_instance_type"];

/// Returns true if a field is an argument of a managed resource that selects a version, an image, a source or a size.
pub fn selects(field: &Field) -> bool {
    let Target::Resource(resource) = &field.addr.target else { return false };
    let Some(name) = field.addr.path.0.last() else { return false };
    resource.mode == Mode::Managed
        && (&**name == "version"
            || NAMES.binary_search(&&**name).is_ok()
            || ENDS.iter().any(|end| name.ends_with(end)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_sorted() {
        assert!(super::NAMES.is_sorted());
    }
}
