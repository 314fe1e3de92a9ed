//! The data source of a `check` block: there is one at most, it is one object, and its lifecycle is that of the check.

use super::looked::{Looked, Refused};
use crate::text::Place;

const SEVERAL: &str = "Multiple data resource blocks: A check block may have only one data resource.";
const LIFECYCLE: &str = "Invalid lifecycle block: Nested data blocks do not support \"lifecycle\" blocks as the lifecycle is managed by the \
                         containing block.";

pub(super) fn find_unsuitable(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for check in &looked.module.checks {
        let mut say = |error: String, place: Place| {
            found.push(Refused { at: format!("check.{}", check.name), error, place });
        };
        let block = &check.decl.block;
        for further in block.body.blocks_of("data").skip(1) {
            say(SEVERAL.to_owned(), block.at(further.kind.span));
        }
        for data in block.body.blocks_of("data") {
            for attr in ["count", "for_each"].into_iter().filter_map(|name| data.body.attribute(name)) {
                let error = format!(
                    "Invalid \"{}\" attribute: The \"count\" and \"for_each\" meta-arguments are not supported within nested data blocks.",
                    attr.name.text
                );
                say(error, block.at(attr.name.span));
            }
            for lifecycle in data.body.blocks_of("lifecycle") {
                say(LIFECYCLE.to_owned(), block.at(lifecycle.kind.span));
            }
        }
    }
}
