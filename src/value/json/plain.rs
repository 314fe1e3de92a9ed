//! Values on their way into a JSON document, without a copy of them in between.

use super::check;
use crate::value::{Data, Number, Value};
use serde::ser::{Error as _, Serialize, Serializer};

/// A value that has a plain JSON form, as [`super::to_json`] gives it.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'v>(&'v Value);

impl<'v> Plain<'v> {
    /// Wraps a value; `None` if [`super::to_json`] would refuse it.
    pub fn of(value: &'v Value) -> Option<Plain<'v>> {
        Plain::checked(value).ok()
    }

    /// The same, with the reason for which it has no JSON.
    pub(super) fn checked(value: &'v Value) -> crate::value::Result<Plain<'v>> {
        fn fits(value: &Value) -> crate::value::Result<()> {
            check(value)?;
            value.parts().try_for_each(fits)
        }
        fits(value).map(|()| Plain(value))
    }
}

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.data {
            Data::Null | Data::Unknown(_) => serializer.serialize_unit(),
            Data::Bool(value) => serializer.serialize_bool(*value),
            Data::Number(value) => number(value, serializer),
            Data::String(text) => serializer.serialize_str(text),
            Data::Seq(elements) => serializer.collect_seq(elements.iter().map(Plain)),
            Data::Map(entries) => serializer.collect_map(entries.iter().map(|(k, v)| (&**k, Plain(v)))),
        }
    }
}

/// Whole numbers below this are printed alike by everybody.
const SMALL: i64 = 1 << 50;

fn number<S: Serializer>(value: &Number, serializer: S) -> Result<S::Ok, S::Error> {
    match value.as_i64() {
        // Zero may have a sign.
        Some(n) if n != 0 && n.abs() < SMALL => serializer.serialize_i64(n),
        _ => {
            let parsed = serde_json::from_str::<serde_json::Number>(&value.to_string());
            parsed.map_err(S::Error::custom)?.serialize(serializer)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::json::{encode, to_json};

    #[test]
    fn as_the_copy_would_be() {
        let texts = ["-0", "0.1", "1e400", "123456789012345678901234567890", "-7", "1125899906842624"];
        let numbers = texts.map(|t| Value::number(Number::parse(t).unwrap()));
        let inner =
            Value::object([("b", Value::null(crate::value::Type::String)), ("a\"", Value::bool(true))]);
        let value = Value::tuple(numbers.into_iter().chain([inner, Value::empty_tuple()]).collect());
        let copy: serde_json::Value = serde_json::from_str(&encode(&value).unwrap()).unwrap();
        assert_eq!(to_json(&value).unwrap().to_string(), copy.to_string());
        let pretty = serde_json::to_string_pretty(&Plain::of(&value).unwrap()).unwrap();
        assert_eq!(pretty, serde_json::to_string_pretty(&copy).unwrap());
        assert!(Plain::of(&Value::tuple(vec![Value::dynamic()])).is_none());
    }
}
