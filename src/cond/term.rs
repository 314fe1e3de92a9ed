//! Terms, and the values that they take.

use super::consts::ConstId;
use crate::value::{Data, Marks, Type, Value};
use std::sync::Arc;

/// A term in a [`Formulas`](super::table::Formulas); ordered by creation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub(super) u32);

/// The values that a term can have.
#[derive(Clone, PartialEq, Debug)]
pub enum Domain {
    /// Any value of any type, null included.
    Open,
    /// Any number, never null: then `t < 5` and `t >= 5` are each other's negation.
    Number,
    /// One of `values`, which must be wholly known. An empty list, or one with an unknown value, counts as
    /// [`Domain::Open`].
    Closed {
        /// The universe.
        values: Vec<Value>,
        /// True if Terraform itself rejects other values, as for a bool or with a `validation` block of the
        /// configuration. If false, formulas are also about values outside.
        enforced: bool,
    },
}

/// An ordering comparison of a term with a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Domain {
    /// The domain of a bool that can't be null.
    pub fn bool() -> Domain {
        Domain::Closed { values: vec![bool_value(false), bool_value(true)], enforced: true }
    }
}

/// A plain bool.
pub(super) fn bool_value(b: bool) -> Value {
    Value { ty: Type::Bool, data: Data::Bool(b), marks: Marks::NONE }
}

/// [`Domain`] over constants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Bounds {
    Open,
    Number,
    Assumed(Universe),
    Enforced(Universe),
}

/// The values of a closed term, each once, in the order given.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Universe {
    listed: Arc<[ConstId]>,
    /// Their places there, in order of their ids: to find one among thousands.
    places: Arc<[(ConstId, usize)]>,
}

impl Universe {
    pub fn of(listed: Vec<ConstId>) -> Universe {
        let mut places: Vec<(ConstId, usize)> =
            listed.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        places.sort_unstable();
        Universe { listed: listed.into(), places: places.into() }
    }

    /// The values in the order given.
    pub fn iter(&self) -> std::slice::Iter<'_, ConstId> {
        self.listed.iter()
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.listed.len()
    }

    /// Returns true if the value is one of them.
    pub fn contains(&self, id: &ConstId) -> bool {
        self.place(id).is_some()
    }

    /// The place of a value in the order given.
    pub fn place(&self, id: &ConstId) -> Option<usize> {
        let at = self.places.binary_search_by_key(id, |(id, _)| *id).ok()?;
        self.places.get(at).map(|(_, place)| *place)
    }
}

impl Bounds {
    /// The universe, assumed or enforced, in the order given.
    pub fn universe(&self) -> Option<&Universe> {
        match self {
            Bounds::Assumed(u) | Bounds::Enforced(u) => Some(u),
            _ => None,
        }
    }
}

/// A term: its key and its values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Term {
    pub key: Arc<str>,
    pub bounds: Bounds,
}
