//! What values have in common that are equal: a hash.
//!
//! Invariant: values that `==` calls equal have one fingerprint, whatever their types and precisions, so that only those of one fingerprint are
//! compared. What isn't wholly known equals nothing for certain, and has none. Absent on purpose: comparing.

use crate::value::{Data, Number, Type, Value};
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
