//! Refinements of an unknown value.
//!
//! Invariant: bounds are bounds of the value *if it is not null*, unless `not_null` says that it isn't.

use super::{Number, Type, Value};
use std::sync::Arc;

/// Refinements of an unknown value, as in cty. All default to "nothing known".
#[derive(Clone, Debug, PartialEq, Hash, Default)]
pub struct Refinements {
    /// Known not to be null.
    pub not_null: bool,
    /// A string's known prefix.
    pub prefix: Option<Arc<str>>,
    /// A number's least value, and whether it is itself included.
    pub min: Option<(Number, bool)>,
    /// A number's greatest value, and whether it is itself included.
    pub max: Option<(Number, bool)>,
    /// A collection's least length.
    pub min_len: Option<u64>,
    /// A collection's greatest length.
    pub max_len: Option<u64>,
}

/// Lists of known length are spelled out up to this length.
const MAX_SPELLED_OUT: u64 = 1024;

impl Refinements {
    /// Returns the refinements that apply to values of the type. An unknown of unknown type has none.
    #[must_use]
    pub fn fitting(self, ty: &Type) -> Refinements {
        let all = Refinements { not_null: self.not_null, ..Refinements::default() };
        match ty {
            Type::Dynamic => Refinements::default(),
            Type::String => Refinements { prefix: self.prefix.filter(|p| !p.is_empty()), ..all },
            Type::Number => Refinements {
                min: self.min.filter(|(n, _)| !(n.is_infinite() && n.is_negative())),
                max: self.max.filter(|(n, _)| !n.is_infinite() || n.is_negative()),
                ..all
            },
            Type::List(_) | Type::Set(_) | Type::Map(_) => {
                Refinements { min_len: self.min_len.filter(|n| *n > 0), max_len: self.max_len, ..all }
            }
            Type::Bool | Type::Tuple(_) | Type::Object(_) => all,
        }
    }

    /// The only value that is left, where one is.
    pub(super) fn collapse(&self, ty: &Type) -> Option<Value> {
        if !self.not_null {
            return None;
        }
        if let (Some((min, true)), Some((max, true))) = (&self.min, &self.max)
            && min.same_as(max)
        {
            return Some(Value::number(min.clone()));
        }
        let length = self.max_len.filter(|n| *n == self.min_len.unwrap_or(0))?;
        match (ty, length) {
            (Type::List(e), 0) => Some(Value::list(e.as_ref().clone(), Vec::new())),
            (Type::Set(e), 0) => Some(Value::set(e.as_ref().clone(), Vec::new())),
            (Type::Map(e), 0) => Some(Value::map(e.as_ref().clone(), std::iter::empty::<(&str, Value)>())),
            (Type::List(e), 1..=MAX_SPELLED_OUT) => {
                let unknown = Value::unknown(e.as_ref().clone());
                let length = usize::try_from(length).ok()?;
                Some(Value::list(e.as_ref().clone(), vec![unknown; length]))
            }
            (Type::Set(e), 1) => {
                Some(Value::set(e.as_ref().clone(), vec![Value::unknown(e.as_ref().clone())]))
            }
            _ => None,
        }
    }
}
