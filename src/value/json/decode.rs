//! Reading JSON as `jsondecode` does.
//!
//! Objects become objects, arrays tuples, nulls untyped. Go's decoder decides the corners: the last of several equal keys
//! counts, and text that follows is tolerated if it begins with a closing bracket. Where several equal keys have values of
//! different types, Terraform's answer depends on its version, and there is a limit error here.

use super::scan::{Kind, Node, NotJson, scan};
use crate::value::{MAX_DEPTH, Number, Result, Type, Value, ValueError, normalise};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of a JSON text.
///
/// # Errors
/// Returns an error if it is no JSON; a limit where it nests deeper than [`MAX_DEPTH`] or is ambiguous.
pub fn decode(text: &str) -> Result<Value> {
    let (node, end) = scan(text, 0, MAX_DEPTH).map_err(|e| unexpected(text, &e))?;
    match text.as_bytes().get(end) {
        None | Some(b']' | b'}') => value(node),
        Some(_) => Err(ValueError::new("extraneous data after JSON object")),
    }
}

fn unexpected(text: &str, error: &NotJson) -> ValueError {
    if error.limit {
        return ValueError::limit("the JSON text is nested too deeply");
    }
    let context = &error.context;
    match text.get(error.span.range()).and_then(|rest| rest.chars().next()) {
        None => ValueError::new(if text.trim().is_empty() { "EOF" } else { "unexpected EOF" }),
        Some('\'') => ValueError::new(format!("invalid character '\\'' {context}")),
        Some('"') => ValueError::new(format!("invalid character '\"' {context}")),
        Some(c) => ValueError::new(format!("invalid character '{}' {context}", c.escape_debug())),
    }
}

fn value(node: Node) -> Result<Value> {
    Ok(match node.kind {
        Kind::Null => Value::null(Type::Dynamic),
        Kind::Bool(b) => Value::bool(b),
        Kind::Number(digits) => Value::number(Number::parse(&digits)?),
        Kind::String(text) => Value::string(text),
        Kind::Array(items) => {
            let elements = items.into_iter().map(value).collect::<Result<Vec<_>>>()?;
            Value::check_depth(&elements)?;
            Value::tuple(elements)
        }
        Kind::Object(members) => {
            let mut attrs: BTreeMap<Arc<str>, Value> = BTreeMap::new();
            for member in members {
                let (key, value) = (normalise(&member.key), value(member.value)?);
                if attrs.get(&key).is_some_and(|earlier| earlier.ty != value.ty) {
                    return Err(ValueError::limit(format!("duplicate {key:?} property in JSON object")));
                }
                attrs.insert(key, value);
            }
            Value::check_depth(attrs.values())?;
            Value::object(attrs)
        }
    })
}
