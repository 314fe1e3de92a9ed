//! Equality, as `==` has it.
//!
//! Source of the semantics: go-cty `Value.Equals`. Where cty's own answer depends on Go's order of map iteration (an
//! object with one unknown and one different attribute) or ignores unknowns deep inside set elements, the answer here
//! is "unknown".

use super::alike::{Alike, Fingerprint};
use super::range::Range;
use crate::value::{Data, Refinements, Type, Value};

/// `a == b`; unknown (but not null) where it can't be told yet. Marks of everything inside are carried over.
pub fn equals(a: &Value, b: &Value) -> Value {
    let result = match decide(a, b) {
        Some(equal) => Value::bool(equal),
        None => Value::unknown_refined(Type::Bool, Refinements { not_null: true, ..Refinements::default() }),
    };
    result.with_marks(&a.marks_deep().union(&b.marks_deep()))
}

/// Compares two values without their marks; `None` if it depends on something unknown.
pub fn decide(a: &Value, b: &Value) -> Option<bool> {
    if a.is_null() && b.definitely_not_null() || b.is_null() && a.definitely_not_null() {
        return Some(false);
    }
    match (&a.data, &b.data) {
        (Data::Unknown(_), Data::Unknown(_)) => Range::of(a).differs(&Range::of(b)).then_some(false),
        (Data::Unknown(_), _) => decide_unknown(a, b),
        (_, Data::Unknown(_)) => decide_unknown(b, a),
        (Data::Null, Data::Null) => Some(true),
        _ if !type_is_known(a) || !type_is_known(b) => {
            let possible = a.ty.conforms_to(&b.ty) || b.ty.conforms_to(&a.ty);
            if possible { None } else { Some(false) }
        }
        _ if a.ty != b.ty => Some(false),
        (Data::Bool(a), Data::Bool(b)) => Some(a == b),
        (Data::Number(a), Data::Number(b)) => Some(a.same_as(b)),
        (Data::String(a), Data::String(b)) => Some(a == b),
        (Data::Seq(x), Data::Seq(y)) if matches!(a.ty, Type::Set(_)) => decide_sets(x, y),
        (Data::Seq(x), Data::Seq(y)) => decide_sequences(x, y),
        (Data::Map(x), Data::Map(y)) => {
            if x.len() != y.len() || !x.keys().eq(y.keys()) {
                return Some(false);
            }
            x.values().zip(y.values()).try_fold(true, |all, (a, b)| Some(decide(a, b)? && all))
        }
        _ => Some(false),
    }
}

fn decide_unknown(unknown: &Value, known: &Value) -> Option<bool> {
    if Range::of(unknown).excludes(&unknown.ty, known) {
        return Some(false);
    }
    let undecided = known.is_null() || unknown.ty.has_dynamic() || known.ty == unknown.ty;
    if undecided { None } else { Some(false) }
}

fn decide_sequences(a: &[Value], b: &[Value]) -> Option<bool> {
    if a.len() != b.len() {
        return Some(false);
    }
    for (a, b) in a.iter().zip(b) {
        if !decide(a, b)? {
            return Some(false);
        }
    }
    Some(true)
}

fn decide_sets(a: &[Value], b: &[Value]) -> Option<bool> {
    if !a.iter().chain(b).all(Value::is_wholly_known) {
        return None;
    }
    if a.len() != b.len() {
        return Some(false);
    }
    let is_same = a.iter().zip(b).all(|(x, y)| decide(x, y) == Some(true));
    Some(is_same || has_all(a, b) && has_all(b, a))
}

/// Returns true if each of some values is among others. All are wholly known.
fn has_all(values: &[Value], others: &[Value]) -> bool {
    let mut alike = Alike::default();
    for (value, own) in others.iter().filter_map(|value| Some((value, Fingerprint::of(value)?))) {
        alike.add(0, own, value);
    }
    values.iter().all(|value| Fingerprint::of(value).is_some_and(|own| alike.has(0, own, value)))
}

/// Returns true if the type of the value and of everything in it is known.
fn type_is_known(value: &Value) -> bool {
    match &value.data {
        Data::Null => true,
        Data::Unknown(_) => !value.ty.has_dynamic(),
        _ => value.parts().all(type_is_known),
    }
}
