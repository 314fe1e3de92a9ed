//! What is no more.

use super::names;
use crate::text::Place;
use std::sync::Arc;

/// What a `removed` block names, in one instance of its Stack.
#[derive(Clone, Debug)]
pub struct Gone {
    /// The names of the calls that lead to its Stack.
    pub above: Vec<String>,
    /// The components or Stacks from there on, with their keys; without one it is every instance.
    pub steps: Vec<(Arc<str>, Option<Arc<str>>)>,
    /// Whether the objects are destroyed.
    pub destroys: bool,
    /// Where it stands.
    pub place: Place,
}

impl Gone {
    /// Returns true if it leads to something by these names of calls.
    pub fn leads_to(&self, labels: &[String]) -> bool {
        let Some(rest) = labels.strip_prefix(self.above.as_slice()) else { return false };
        rest.len() >= self.steps.len()
            && self.steps.iter().zip(rest).all(|((name, key), label)| match key {
                Some(key) => *label == names::call(name, Some(key)),
                None => names::is_of(label, name),
            })
    }

    /// The number of names with which its own address ends.
    pub fn depth(&self) -> usize {
        self.above.len() + self.steps.len()
    }
}
