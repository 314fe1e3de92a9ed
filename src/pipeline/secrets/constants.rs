//! The constants of a secret: texts, numbers and keys.
//!
//! In: an expression, or a value. Out: what is written out in it, but for keys that such entries are commonly called by. Absent on purpose: whether anybody may see them.

use crate::config::{is_secret_name, stands_beside_secrets};
use crate::syntax::{BinaryOp, Expr, ExprKind, ObjectKey, TemplatePart};
use crate::value::{Data, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Adds the texts and numbers of a value, keys among them.
pub(super) fn add_parts(value: &Value, found: &mut BTreeSet<Arc<str>>) {
    match &value.data {
        Data::String(text) => drop(found.insert(text.as_ref().into())),
        Data::Number(number) => drop(found.insert(number.to_string().into())),
        Data::Seq(items) => items.iter().for_each(|item| add_parts(item, found)),
        Data::Map(entries) => entries.iter().for_each(|(key, value)| {
            add_key(key, found);
            add_parts(value, found);
        }),
        _ => {}
    }
}

/// Keys that are words of the language: what is said to be pasted has them, too.
const OF_LANGUAGE: [&str; 24] = [
    "condition",
    "config",
    "count",
    "data",
    "default",
    "each",
    "false",
    "key",
    "keys",
    "list",
    "local",
    "map",
    "module",
    "name",
    "null",
    "number",
    "object",
    "output",
    "source",
    "string",
    "true",
    "type",
    "value",
    "values",
];

/// Adds a key, unless it is what such an entry is commonly called.
fn add_key(key: &str, found: &mut BTreeSet<Arc<str>>) {
    if !is_secret_name(key) && !stands_beside_secrets(key) && !OF_LANGUAGE.contains(&key) {
        found.insert(key.into());
    }
}

/// Adds what an expression makes a value of: not what it only compares or picks by.
pub(super) fn add_constants(expr: &Expr, found: &mut BTreeSet<Arc<str>>) {
    match &expr.kind {
        ExprKind::String(text) => drop(found.insert(text.clone())),
        ExprKind::Number(number) => drop(found.insert(number.to_string().into())),
        ExprKind::Template(template) => {
            for part in &template.parts {
                if let TemplatePart::Literal(text, _) = part {
                    found.insert(text.clone());
                }
            }
        }
        ExprKind::Binary(op, ..)
            if !matches!(
                op,
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo
            ) =>
        {
            return;
        }
        ExprKind::Index(source, _) => return add_constants(source, found),
        ExprKind::Object(items) => {
            for item in items {
                match &item.key {
                    ObjectKey::Name(name) => add_key(&name.text, found),
                    ObjectKey::Expr(Expr { kind: ExprKind::String(text), .. }) => add_key(text, found),
                    ObjectKey::Expr(key) => add_constants(key, found),
                }
                add_constants(&item.value, found);
            }
            return;
        }
        _ => {}
    }
    expr.each_child(&mut |inner| add_constants(inner, found));
}
