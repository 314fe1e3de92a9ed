//! What is known of `dynamic` blocks: where their `for_each` stands, and what each binds.
//!
//! In: fields. Out: places and names. Absent on purpose: how edges are found.

use super::shape::Shape;
use crate::config::In;
use crate::pipeline::field::Field;
use crate::syntax::{Attribute, Block};
use crate::text::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The `for_each` of `dynamic` blocks, by module and place.
#[derive(Default)]
pub(super) struct Dynamics {
    /// Those with something in their content.
    pub known: FxHashSet<(usize, Place)>,
    /// What each binds, once it was looked at.
    pub bound: FxHashMap<(usize, Place), Entry>,
}

/// What a `dynamic` block binds.
#[derive(Clone)]
pub(super) struct Entry {
    /// Its iterator, and what that stands for.
    pub name: (Arc<str>, Shape),
    /// What the keys come from.
    pub keys: Shape,
}

impl Dynamics {
    /// Notes the `dynamic` blocks that a field stands in.
    pub fn add(&mut self, module: usize, field: &Field) {
        // Those around it have this one in their content.
        if let Some(for_each) = field.site.dynamics.last().and_then(for_each_in) {
            self.known.insert((module, for_each.value_place()));
        }
    }
}

/// The `for_each` of a `dynamic` block.
pub(super) fn for_each_in(block: &In<Block>) -> Option<In<Attribute>> {
    block.body.attribute("for_each").map(|attr| In::new(block.file, attr.clone()))
}
