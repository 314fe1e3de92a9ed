//! Components and Stacks that `removed` blocks name.

use super::names;
use std::sync::Arc;

/// A component or Stack that a `removed` block names, in one instance of the Stack with the block.
#[derive(Clone, Debug)]
pub struct Gone {
    /// The names of the calls that lead to its Stack.
    pub above: Vec<String>,
    /// The components or Stacks from there on, with their keys. Without a key, every instance is meant.
    pub steps: Vec<(Arc<str>, Option<Arc<str>>)>,
    /// True if the objects are destroyed, false if Terraform only forgets them.
    pub destroys: bool,
}

impl Gone {
    /// Returns true if these names of calls lead to the removed component or Stack, or below it.
    pub fn leads_to(&self, labels: &[String]) -> bool {
        let Some(rest) = labels.strip_prefix(self.above.as_slice()) else { return false };
        rest.len() >= self.steps.len()
            && self.steps.iter().zip(rest).all(|((name, key), label)| match key {
                Some(key) => *label == names::call(name, Some(key)),
                None => names::is_of(label, name),
            })
    }

    /// Returns the number of calls that lead to the removed component or Stack.
    pub fn depth(&self) -> usize {
        self.above.len() + self.steps.len()
    }
}
