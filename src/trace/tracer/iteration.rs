//! The values of `each` and `count` where an expression stands.

use crate::cond::FormulaId;
use crate::trace::Guarded;

/// The values of `each` and `count` inside a block.
#[derive(Clone, Debug, Default)]
pub(in crate::trace) struct Iteration {
    /// `each.key`
    pub key: Option<Guarded>,
    /// `each.value`
    pub value: Option<Guarded>,
    /// `count.index`
    pub index: Option<Guarded>,
    /// The condition under which there is an instance; `None` if there always is.
    pub exists: Option<FormulaId>,
}

impl Iteration {
    /// Returns true if nothing is repeated here.
    pub fn is_none(&self) -> bool {
        self.key.is_none() && self.value.is_none() && self.index.is_none()
    }
}
