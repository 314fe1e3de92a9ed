//! The range of a value, known or unknown: the basis of comparisons.
//!
//! Source of the semantics: go-cty `value_range.go`. `None` for a bound is infinity.

use crate::value::{Data, Number, Type, Value};
use std::sync::Arc;

/// Bounds of a value. Number and length bounds hold where the value is not null.
#[derive(Clone, Debug, Default)]
pub(in crate::value) struct Range {
    /// Known to be null, or not to be.
    pub null: Option<bool>,
    /// A string's prefix.
    pub prefix: Option<Arc<str>>,
    /// A number's least value.
    pub min: Option<(Number, bool)>,
    /// A number's greatest value.
    pub max: Option<(Number, bool)>,
    /// A collection's least length.
    pub min_len: u64,
    /// A collection's greatest length.
    pub max_len: Option<u64>,
}

impl Range {
    /// Returns the range of a value.
    pub(in crate::value) fn of(value: &Value) -> Range {
        let known = Range { null: Some(false), ..Range::default() };
        match &value.data {
            Data::Null => Range { null: Some(true), ..Range::default() },
            Data::Unknown(None) => Range::default(),
            Data::Unknown(Some(r)) => Range {
                null: r.not_null.then_some(false),
                prefix: r.prefix.clone(),
                min: r.min.clone(),
                max: r.max.clone(),
                min_len: r.min_len.unwrap_or(0),
                max_len: r.max_len,
            },
            Data::String(text) => Range { prefix: Some(text.clone()), ..known },
            Data::Number(n) => {
                let exact = Some((Number::clone(n), true));
                Range { min: exact.clone(), max: exact, ..known }
            }
            Data::Bool(_) => known,
            Data::Seq(_) | Data::Map(_) if value.ty.is_structural() => known,
            Data::Seq(_) | Data::Map(_) => {
                let (min_len, max_len) = length_bounds(value);
                Range { min_len, max_len: Some(max_len), ..known }
            }
        }
    }

    /// Returns true if two unknown texts differ for certain, because their prefixes do.
    pub(super) fn differs(&self, other: &Range) -> bool {
        let (Some(a), Some(b)) = (&self.prefix, &other.prefix) else { return false };
        let null = self.null != Some(false) && other.null != Some(false);
        !null && !a.starts_with(&**b) && !b.starts_with(&**a)
    }

    /// Returns true if an unknown of type `ty` with this range can't turn out to be the known value.
    pub(super) fn excludes(&self, ty: &Type, value: &Value) -> bool {
        if value.is_null() {
            return self.null == Some(false);
        }
        if self.null == Some(true) || !value.ty.conforms_to(ty) {
            return true;
        }
        match &value.data {
            Data::String(text) => self.prefix.as_ref().is_some_and(|p| !text.starts_with(p.as_ref())),
            Data::Number(n) => {
                let n = &**n;
                let below =
                    |(min, inclusive): &(Number, bool)| n < min && !n.same_as(min) || !inclusive && n == min;
                let above =
                    |(max, inclusive): &(Number, bool)| n > max && !n.same_as(max) || !inclusive && n == max;
                self.min.as_ref().is_some_and(below) || self.max.as_ref().is_some_and(above)
            }
            Data::Seq(_) | Data::Map(_) if ty.is_collection() => {
                let (least, most) = length_bounds(value);
                most < self.min_len || self.max_len.is_some_and(|max| least > max)
            }
            _ => false,
        }
    }
}

/// The lengths that a known collection may turn out to have: a set's unknown elements may coincide with others.
fn length_bounds(value: &Value) -> (u64, u64) {
    let length = value.length().and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
    if matches!(value.ty, Type::Set(_)) && length > 1 && !value.is_wholly_known() {
        (1, length)
    } else {
        (length, length)
    }
}
