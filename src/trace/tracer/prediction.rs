//! A prediction of an expression's value, made before it is traced.

use std::collections::BTreeSet;
use std::sync::Arc;

/// Variables by name.
pub(in crate::trace) type Names = Arc<BTreeSet<Arc<str>>>;

/// A prediction for an expression, made without its value.
#[derive(Clone, Debug)]
pub(in crate::trace) enum Prediction {
    /// It depends on no variable that has but a default.
    Fixed,
    /// Whatever happens, it is a text or a structure that holds what these variables give, or an error.
    Open {
        names: Names,
        /// True if each of its elements does, where it has any.
        each: bool,
    },
    /// Neither is sure.
    Unclear,
}

impl Prediction {
    /// Combines what is known of two parts.
    pub fn with(self, other: Prediction) -> Prediction {
        match (self, other) {
            (Prediction::Unclear, _) | (_, Prediction::Unclear) => Prediction::Unclear,
            (Prediction::Fixed, other) | (other, Prediction::Fixed) => other,
            (Prediction::Open { names: a, each }, Prediction::Open { names: b, .. }) => {
                let names = match (b.is_subset(&a), a.is_subset(&b)) {
                    (true, _) => a,
                    (_, true) => b,
                    _ => Arc::new(a.union(&b).cloned().collect()),
                };
                Prediction::Open { names, each }
            }
        }
    }

    /// The same, with what is known of its elements.
    pub fn of_each(self, each: bool) -> Prediction {
        match self {
            Prediction::Open { names, .. } => Prediction::Open { names, each },
            other => other,
        }
    }

    pub fn only_fixed(self) -> Prediction {
        match self {
            Prediction::Fixed => Prediction::Fixed,
            _ => Prediction::Unclear,
        }
    }
}
