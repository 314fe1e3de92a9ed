//! Equality, as `==` has it.
//!
//! Source of the semantics: go-cty `Value.Equals`. Where cty's own answer depends on Go's order of map iteration (an
//! object with one unknown and one different attribute) or ignores unknowns deep inside set elements, the answer here
//! is "unknown".

use super::fingerprint::Fingerprint;
use super::range::Range;
use crate::value::{Data, Refinements, Type, Value};
use rustc_hash::FxHashMap;

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

/// Values by their fingerprints, within groups.
#[derive(Default, Debug)]
pub struct Alike<'v> {
    by_fingerprint: FxHashMap<(u32, Fingerprint), Vec<&'v Value>>,
    /// The parts of values that were compared and aren't equal.
    compared: u64,
}

impl<'v> Alike<'v> {
    /// Returns true if a value of the same fingerprint in the group is equal.
    pub fn has(&mut self, group: u32, fingerprint: Fingerprint, value: &Value) -> bool {
        let Some(known) = self.by_fingerprint.get(&(group, fingerprint)) else { return false };
        let mut parts = None;
        for other in known {
            if decide(other, value) == Some(true) {
                return true;
            }
            let parts = *parts.get_or_insert_with(|| count_parts(value));
            self.compared = self.compared.saturating_add(parts);
        }
        false
    }

    /// Adds a value.
    pub fn add(&mut self, group: u32, fingerprint: Fingerprint, value: &'v Value) {
        self.by_fingerprint.entry((group, fingerprint)).or_default().push(value);
    }

    /// How many parts of values were compared in vain.
    pub fn compared(&self) -> u64 {
        self.compared
    }
}

fn count_parts(value: &Value) -> u64 {
    match &value.data {
        Data::Seq(_) | Data::Map(_) => value.parts().map(count_parts).fold(1, u64::saturating_add),
        Data::String(text) => 1 + text.len() as u64 / 256,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Number;

    fn assert_alike(a: &Value, b: &Value) {
        assert_eq!(decide(a, b), Some(true), "{a:?} {b:?}");
        assert_eq!(Fingerprint::of(a), Fingerprint::of(b), "{a:?} {b:?}");
    }

    #[test]
    fn what_is_equal_has_one_fingerprint() {
        let object = |value: Value| Value::object([("a", value)]);
        assert_alike(&Value::null(Type::Bool), &Value::null(Type::String));
        assert_alike(&object(Value::number(1)), &object(Value::number(1)));
        for text in ["0.1", "2.5", "1e-30", "-0.7", "123456.789", "1e30", "0.12345678905"] {
            let exact = Value::number(Number::parse(text).unwrap());
            let float = Value::number(Number::from_f64(text.parse::<f64>().unwrap()).unwrap());
            if decide(&exact, &float) == Some(true) {
                assert_alike(&exact, &float);
            }
        }
        let set = |all: &[i32]| Value::set(Type::Number, all.iter().map(|n| Value::number(*n)).collect());
        assert_alike(&set(&[1, 2, 3]), &set(&[3, 2, 1]));
        assert_ne!(Fingerprint::of(&object(Value::number(1))), Fingerprint::of(&object(Value::number(2))));
        assert_eq!(Fingerprint::of(&object(Value::unknown(Type::Bool))), None);
    }

    #[test]
    fn only_what_may_be_equal_is_compared() {
        let all: Vec<Value> = (0..1000).map(|n| Value::object([("a", Value::number(n))])).collect();
        let mut alike = Alike::default();
        for value in &all {
            let own = Fingerprint::of(value).unwrap();
            assert!(!alike.has(0, own, value));
            alike.add(0, own, value);
            assert!(alike.has(0, own, value) && !alike.has(1, own, value));
        }
        assert_eq!(alike.compared(), 0);
    }
}
