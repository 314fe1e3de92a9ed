//! Sets of values that are equal in all: type, data and marks.

use super::{Data, Value};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Values, each once.
#[derive(Debug, Default)]
pub struct Distinct {
    /// The values, by a hash that equal values share.
    known: FxHashMap<u64, Vec<Value>>,
}

impl Distinct {
    /// Collects the distinct ones among these values.
    pub fn of<'a>(values: impl IntoIterator<Item = &'a Value>) -> Distinct {
        let mut all = Distinct::default();
        for value in values {
            all.add(value);
        }
        all
    }

    /// Adds a value; false where it is there already.
    pub fn add(&mut self, value: &Value) -> bool {
        let alike = self.known.entry(hash_of(value)).or_default();
        let new = !alike.contains(value);
        if new {
            alike.push(value.clone());
        }
        new
    }

    /// Returns true if it holds no value.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Returns true if it holds an equal value.
    pub fn contains(&self, value: &Value) -> bool {
        self.known.get(&hash_of(value)).is_some_and(|alike| alike.contains(value))
    }
}

/// A number that equal values share.
pub fn hash_of(value: &Value) -> u64 {
    let mut state = FxHasher::default();
    add(value, &mut state);
    state.finish()
}

fn add(value: &Value, state: &mut FxHasher) {
    match &value.data {
        Data::Null => 0.hash(state),
        Data::Unknown(_) => 1.hash(state),
        Data::Bool(b) => b.hash(state),
        Data::Number(n) => n.hash(state),
        Data::String(s) => s.hash(state),
        Data::Seq(all) => all.iter().for_each(|v| add(v, state)),
        Data::Map(all) => all.iter().for_each(|(key, v)| {
            key.hash(state);
            add(v, state);
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_there_once() {
        let values = [Value::string("1"), Value::number(1), Value::bool(true), Value::string("1")];
        let mut all = Distinct::default();
        assert_eq!(values.each_ref().map(|v| all.add(v)), [true, true, true, false]);
        assert!(values.iter().all(|v| all.contains(v)) && !all.contains(&Value::string("2")));
    }
}
