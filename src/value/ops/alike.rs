//! Finding the values that equal another one by a hash, where there are many.
//!
//! Invariant: values that [`decide`] calls equal have one fingerprint, so that only those of one fingerprint are compared. What isn't wholly
//! known equals nothing for certain. Absent on purpose: what a comparison costs besides; who may compare a lot asks how much it was.

use super::decide;
use crate::value::{Data, Number, Type, Value};
use rustc_hash::FxHashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What values that are equal have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// That of a value; nothing of one that isn't wholly known.
    pub fn of(value: &Value) -> Option<Fingerprint> {
        hash_of(value).map(Fingerprint)
    }
}

fn hash_of(value: &Value) -> Option<u64> {
    // Its keys are the same on every machine, and so is what is declined.
    let mut hasher = DefaultHasher::new();
    match &value.data {
        Data::Unknown(_) => return None,
        // Of any type they are equal.
        Data::Null => 0u8.hash(&mut hasher),
        Data::Bool(truth) => (1u8, truth).hash(&mut hasher),
        Data::String(text) => (2u8, text).hash(&mut hasher),
        Data::Number(number) => hash_number(number, &mut hasher),
        Data::Seq(items) if matches!(value.ty, Type::Set(_)) => {
            let sum = items.iter().try_fold(0u64, |sum, item| Some(sum.wrapping_add(hash_of(item)?)))?;
            (4u8, items.len(), sum).hash(&mut hasher);
        }
        Data::Seq(items) => {
            (5u8, items.len()).hash(&mut hasher);
            items.iter().try_for_each(|item| hash_of(item).map(|one| one.hash(&mut hasher)))?;
        }
        Data::Map(entries) => {
            (6u8, entries.len()).hash(&mut hasher);
            entries.iter().try_for_each(|(key, item)| {
                key.hash(&mut hasher);
                hash_of(item).map(|one| one.hash(&mut hasher))
            })?;
        }
    }
    Some(hasher.finish())
}

/// Fractions are the same where they read alike, of whatever precision they are: the whole part is what all of those have.
fn hash_number(number: &Number, hasher: &mut DefaultHasher) {
    let is_integer = number.is_integer();
    (3u8, number.signum(), is_integer).hash(hasher);
    if is_integer {
        number.hash(hasher);
    } else {
        number.trunc().map(|(_, whole)| whole).hash(hasher);
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
