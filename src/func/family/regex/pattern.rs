//! A pattern that is ready to be searched for.

use ::regex::{Captures, Match, Regex};

/// A compiled pattern, and the names of its groups.
pub(in crate::func::family) struct Pattern {
    pub regex: Regex,
    pub names: Vec<Option<String>>,
    /// The cost of compiling it, as a number of expressions.
    pub cost: u64,
    /// The most bytes that a match may have, where there is such a bound.
    pub longest_match: Option<usize>,
}

impl Pattern {
    /// The group that a name stands for in a replacement: the first of that name that took part.
    pub fn named<'h>(&self, name: &str, captures: &Captures<'h>) -> Option<Match<'h>> {
        let groups = self.names.iter().zip(1..).filter(|(own, _)| own.as_deref() == Some(name));
        groups.filter_map(|(_, i)| captures.get(i)).next()
    }
}
