//! JSON as values, where Terraform reads it without a scope: strings are literal, arrays tuples, objects objects.

use super::node::JsonError;
use crate::value::json::scan::{Kind, Node};
use crate::value::{Number, Type, Value};
use std::collections::BTreeMap;

/// The value of a JSON node.
pub(in crate::config) fn value(node: &Node) -> Result<Value, JsonError> {
    Ok(match &node.kind {
        Kind::Null => Value::null(Type::Dynamic),
        Kind::Bool(b) => Value::bool(*b),
        Kind::Number(digits) => {
            let number = Number::parse(digits)
                .map_err(|_| JsonError::new(node.span, "The number is out of range."))?;
            Value::number(number)
        }
        Kind::String(text) => Value::string(text),
        Kind::Array(items) => Value::tuple(items.iter().map(value).collect::<Result<_, _>>()?),
        Kind::Object(members) => {
            let mut map = BTreeMap::new();
            for member in members {
                if map.insert(member.key.clone(), value(&member.value)?).is_some() {
                    let message = format!("The key \"{}\" is given twice.", member.key);
                    return Err(JsonError::new(member.key_span, message));
                }
            }
            Value::object(map)
        }
    })
}
