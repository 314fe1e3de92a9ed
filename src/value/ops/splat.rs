//! `value[*]…` and `value.*…`.
//!
//! Source of the semantics: HCL `SplatExpr`. The caller evaluates what follows the star once per item that
//! [`splat`] names, and hands the results to [`Shape::finish`].

use super::Range;
use crate::value::{Mark, Marks, Refinements, Result, Type, Value, ValueError};

/// A splat under way.
#[derive(Clone, Debug)]
pub enum Splat {
    /// The result is settled (the source was null, or of no known type).
    Done(Value),
    /// The steps after the star have to be evaluated for each of the items.
    Each {
        /// The items: the elements, or unknowns that stand for them (for the types of the result only).
        items: Vec<Value>,
        /// How to combine the results.
        shape: Shape,
    },
}

/// How a splat combines its results.
#[derive(Clone, Debug)]
pub struct Shape {
    kind: Kind,
    marks: Marks,
}

#[derive(Clone, Debug)]
enum Kind {
    /// The results are a list's.
    List,
    /// The results are a tuple's.
    Tuple,
    /// The items only stand for the elements of an empty list.
    EmptyList,
    /// The items only stand for the elements of an unknown list or set.
    UnknownList(Refinements),
    /// The items only stand for the elements of an unknown tuple.
    UnknownTuple,
    /// The source may still turn out to be null, hence nothing is known of the result.
    Nothing,
}

/// Starts a splat.
///
/// # Errors
/// A null list, set or tuple.
pub fn splat(source: &Value) -> Result<Splat> {
    let sequence = matches!(source.ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
    if source.is_null() {
        if sequence {
            let message = "Splat expressions (with the * symbol) cannot be applied to null sequences.";
            return Err(ValueError::with_summary("Splat of null value", message));
        }
        return Ok(Splat::Done(Value::empty_tuple().with_marks(&source.marks)));
    }
    if source.ty == Type::Dynamic {
        return Ok(Splat::Done(Value::dynamic().with_marks(&source.marks)));
    }
    let (items, kind) = match (&source.ty, source.as_seq()) {
        (Type::List(e) | Type::Set(e), _) if !source.has_known_elements() => {
            let range = Range::of(source);
            let lengths = Refinements {
                not_null: true,
                min_len: Some(range.min_len),
                max_len: range.max_len,
                ..Refinements::default()
            };
            (vec![Value::unknown(e.as_ref().clone())], Kind::UnknownList(lengths))
        }
        (Type::List(e) | Type::Set(e), Some([])) => {
            (vec![Value::unknown(e.as_ref().clone()).with_mark(Mark::Sample)], Kind::EmptyList)
        }
        (Type::List(_) | Type::Set(_), elements) => (elements.unwrap_or_default().to_vec(), Kind::List),
        (Type::Tuple(types), None) => {
            (types.iter().cloned().map(Value::unknown).collect(), Kind::UnknownTuple)
        }
        (Type::Tuple(_), Some(elements)) => (elements.to_vec(), Kind::Tuple),
        _ if !source.is_known() && !source.definitely_not_null() => (vec![source.clone()], Kind::Nothing),
        _ => (vec![source.clone()], Kind::Tuple),
    };
    Ok(Splat::Each { items, shape: Shape { kind, marks: source.marks.clone() } })
}

/// Returns true if the source may turn out to be a null list, set or tuple, which is an error.
pub fn splat_may_fail(source: &Value) -> bool {
    let sequence = matches!(source.ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
    sequence && !source.is_known() && !source.definitely_not_null()
}

impl Shape {
    /// Returns true if the source may turn out to be null. Then errors of the steps after the star don't count. A
    /// placeholder for the elements of an empty list never turns out to be anything.
    pub fn may_be_empty(&self) -> bool {
        matches!(self.kind, Kind::Nothing) && !self.marks.has(Mark::Sample)
    }

    /// The splat's value, from the results in the order of the items.
    ///
    /// # Errors
    /// Results of a list whose types differ.
    pub fn finish(self, results: Vec<Value>) -> Result<Value> {
        let first = |results: &[Value]| results.first().map_or(Type::Dynamic, |v| v.ty.clone());
        let value = match self.kind {
            Kind::Tuple => Value::tuple(results),
            Kind::EmptyList => Value::list(first(&results), Vec::new()),
            Kind::UnknownList(lengths) => Value::unknown_refined(Type::list(first(&results)), lengths),
            Kind::UnknownTuple => Value::unknown_not_null(Type::tuple(results.into_iter().map(|v| v.ty))),
            Kind::Nothing => Value::dynamic(),
            Kind::List => Value::list_of(results).ok_or_else(|| {
                ValueError::with_summary(
                    "Invalid nested splat expressions",
                    "The second level of splat expression produced elements of different types, so it isn't \
                     possible to construct a valid list to represent the top-level result.\n\nConsider using a for \
                     expression instead, to produce a tuple-typed result which can therefore have non-homogenous \
                     element types.",
                )
            })?,
        };
        Ok(value.with_marks(&self.marks))
    }
}
