//! The assumptions about root variables that make driven fields finite; they hold for all fields together.

use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The assumptions about variables for which nothing is said. An emitted `validation` enforces each of them.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Assumptions {
    /// Variables that count as their default alone.
    pub pinned: BTreeSet<Arc<str>>,
    /// Variables of which the whole value counts, and not each attribute by itself.
    pub whole: BTreeSet<Arc<str>>,
    /// Variables that are numbers whatever their universe says, and never null: their range is cut into bins.
    pub binned: BTreeSet<Arc<str>>,
    /// Values that a driver lists for its field, by the label of what the field hands on.
    pub supplied: BTreeMap<Arc<str>, Vec<Value>>,
}

impl Assumptions {
    /// Variables that count as their default, and nothing else.
    pub fn defaults(pinned: BTreeSet<Arc<str>>) -> Assumptions {
        Assumptions { pinned, ..Assumptions::default() }
    }

    /// Returns true if there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.pinned.is_empty() && self.whole.is_empty() && self.binned.is_empty() && self.supplied.is_empty()
    }

    /// Takes in what another field needs; whether that is more than before. What was said first stays.
    pub fn take_in(&mut self, more: Assumptions) -> bool {
        let size = |m: &Assumptions| m.pinned.len() + m.whole.len() + m.binned.len() + m.supplied.len();
        let before = size(self);
        self.pinned.extend(more.pinned);
        self.whole.extend(more.whole);
        self.binned.extend(more.binned);
        for (name, values) in more.supplied {
            self.supplied.entry(name).or_insert(values);
        }
        size(self) > before
    }
}
