//! Values as HCL source.
//!
//! Input: a value. Output: an expression of literals on one line. What a literal can't express is lost, unless it is asked
//! for: sets and lists print as tuples, maps as objects, typed nulls as `null`; Terraform converts them back where a type is
//! wanted. Deliberately absent: heredocs, indentation, the element types of what is empty.

use super::{Data, Type, Value, set};
use std::fmt::Write;

/// The value as an expression of literals; `None` where anything in it is unknown, marked or infinite.
pub fn to_hcl(value: &Value) -> Option<String> {
    let mut out = String::new();
    append(value, false, &mut out)?;
    Some(out)
}

/// The same with its type, for where Terraform wants none and keeps the one that it gets: `toset(["a"])`.
pub fn to_typed_hcl(value: &Value) -> Option<String> {
    let mut out = String::new();
    append(value, true, &mut out)?;
    Some(out)
}

/// The function that gives a literal a type which it doesn't have by itself.
fn conversion(value: &Value) -> Option<&'static str> {
    Some(match (&value.ty, &value.data) {
        (Type::String, Data::Null) => "tostring",
        (Type::Number, Data::Null) => "tonumber",
        (Type::Bool, Data::Null) => "tobool",
        (_, Data::Null) => return None,
        (Type::List(_), _) => "tolist",
        (Type::Set(_), _) => "toset",
        (Type::Map(_), _) => "tomap",
        _ => return None,
    })
}

/// A string as a quoted template without interpolation.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '$' | '%' if chars.peek() == Some(&'{') => {
                out.push(c);
                out.push(c);
            }
            c if set::is_print(c) => out.push(c),
            c => escape(c, &mut out),
        }
    }
    out.push('"');
    out
}

/// A name as the key of an object: bare where that is an identifier and no keyword, quoted elsewhere.
pub fn key(name: &str) -> String {
    const KEYWORDS: [&str; 9] = ["for", "in", "if", "else", "endif", "endfor", "null", "true", "false"];
    let mut bytes = name.bytes();
    let bare = bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
        && !KEYWORDS.contains(&name);
    if bare { name.into() } else { quote(name) }
}

fn escape(c: char, out: &mut String) {
    let code = u32::from(c);
    // Writing to a String can't fail.
    let _ = if code > 0xffff { write!(out, "\\U{code:08x}") } else { write!(out, "\\u{code:04x}") };
}

fn append(value: &Value, typed: bool, out: &mut String) -> Option<()> {
    if !value.marks.is_empty() {
        return None;
    }
    if let Some(function) = conversion(value).filter(|_| typed) {
        out.push_str(function);
        out.push('(');
        literal(value, typed, out)?;
        out.push(')');
        return Some(());
    }
    literal(value, typed, out)
}

fn literal(value: &Value, typed: bool, out: &mut String) -> Option<()> {
    match &value.data {
        Data::Unknown(_) => return None,
        Data::Number(number) if number.is_infinite() => return None,
        Data::Null => out.push_str("null"),
        Data::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Data::Number(number) => out.push_str(&number.to_string()),
        Data::String(text) => out.push_str(&quote(text)),
        Data::Seq(elements) => {
            out.push('[');
            for (i, element) in elements.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                append(element, typed, out)?;
            }
            out.push(']');
        }
        Data::Map(entries) if entries.is_empty() => out.push_str("{}"),
        Data::Map(entries) => {
            for (i, (name, element)) in entries.iter().enumerate() {
                out.push_str(if i == 0 { "{ " } else { ", " });
                out.push_str(&key(name));
                out.push_str(" = ");
                append(element, typed, out)?;
            }
            out.push_str(" }");
        }
    }
    Some(())
}
