//! JSON as values, where Terraform reads it without a scope: strings are literal, arrays tuples, objects objects.

use super::scan::{Kind, Node, ScanError};
use crate::config::{bridge, literal};
use crate::value::{Data, Marks, Type, Value};
use std::collections::BTreeMap;

/// The value of a JSON node.
pub(in crate::config) fn value(node: &Node) -> Result<Value, ScanError> {
    let plain = |ty, data| Value { ty, data, marks: Marks::NONE };
    Ok(match &node.kind {
        Kind::Null => plain(Type::Dynamic, Data::Null),
        Kind::Bool(b) => plain(Type::Bool, Data::Bool(*b)),
        Kind::Number(digits) => {
            let number = bridge::number(digits).ok_or_else(|| ScanError {
                span: node.span,
                message: "The number is out of range.".into(),
            })?;
            plain(Type::Number, Data::Number(number))
        }
        Kind::String(text) => literal::string(text),
        Kind::Array(items) => literal::tuple(items.iter().map(value).collect::<Result<_, _>>()?),
        Kind::Object(members) => {
            let mut map = BTreeMap::new();
            for member in members {
                if map.insert(member.key.clone(), value(&member.value)?).is_some() {
                    let message = format!("The key \"{}\" is given twice.", member.key);
                    return Err(ScanError { span: member.key_span, message });
                }
            }
            literal::object(map)
        }
    })
}
