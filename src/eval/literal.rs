//! Literals, and operators on them, as values: what can be read without any scope or function.
//!
//! Used where a constant has to be known while loading: defaults of optional attributes, flags such as `sensitive`,
//! elements of a universe. Absent on purpose: templates, conditionals, functions, references.

use crate::syntax::{Expr, ExprKind, ObjectKey};
use crate::text::Span;
use crate::value::ops::{binary, unary};
use crate::value::{Data, Type, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of a literal: null, bool, number, string, lists and objects of literals (as tuples and objects), and
/// operators on literals.
///
/// # Errors
/// The span of the first part that is not a literal.
pub fn literal(expr: &Expr) -> Result<Value, Span> {
    match &expr.kind {
        ExprKind::Null => Ok(Value::null(Type::Dynamic)),
        ExprKind::Bool(b) => Ok(Value::bool(*b)),
        ExprKind::Number(n) => Ok(Value::number((**n).clone())),
        ExprKind::String(s) => Ok(Value::string(s)),
        ExprKind::Paren(inner) => literal(inner),
        ExprKind::Unary(op, inner) => unary(*op, &literal(inner)?).map_err(|_| expr.span),
        ExprKind::Binary(op, a, b) => binary(*op, &literal(a)?, &literal(b)?).map_err(|_| expr.span),
        ExprKind::Tuple(items) => {
            let items: Vec<Value> = items.iter().map(literal).collect::<Result<_, _>>()?;
            Ok(Value::tuple(items))
        }
        ExprKind::Object(items) => {
            let mut map = BTreeMap::new();
            for item in items {
                let key = key_text(&item.key).ok_or(expr.span)?;
                map.insert(key, literal(&item.value)?);
            }
            Ok(Value::object(map))
        }
        _ => Err(expr.span),
    }
}

/// The text of a key that is a name or a literal string.
pub fn key_text(key: &ObjectKey) -> Option<Arc<str>> {
    match key {
        ObjectKey::Name(name) => Some(name.text.clone()),
        ObjectKey::Expr(expr) => match &literal(expr).ok()?.data {
            Data::String(s) => Some(s.clone()),
            _ => None,
        },
    }
}

/// A constant bool as Terraform decodes flags: a bool, or a string that reads as one. `None` for null.
///
/// # Errors
/// The span of what is neither.
pub fn flag(expr: &Expr) -> Result<Option<bool>, Span> {
    match &literal(expr)?.data {
        Data::Bool(b) => Ok(Some(*b)),
        Data::Null => Ok(None),
        Data::String(s) if matches!(&**s, "true" | "1") => Ok(Some(true)),
        Data::String(s) if matches!(&**s, "false" | "0") => Ok(Some(false)),
        _ => Err(expr.span),
    }
}
