//! Values as JSON.
//!
//! [`encode`] is what `jsonencode` prints, to the byte; [`decode`] what `jsondecode` gives. Numbers are exact in both
//! directions. Deliberately absent: indentation, and types (sets and tuples become arrays).
//! Sources of the semantics: go-cty `json`, Go's `encoding/json`.

mod decode;
mod escape;
mod plain;
pub mod scan;

pub use decode::decode;
pub use escape::escape;
pub use plain::Plain;

use super::{Data, Result, Value, ValueError};
use std::fmt::Write;

/// The JSON text of a value, as `jsonencode` prints it: no spaces, keys in order, `<`, `>` and `&` escaped.
///
/// # Errors
/// Unknown or marked parts, infinities.
pub fn encode(value: &Value) -> Result<String> {
    let mut out = String::new();
    append(value, &mut out)?;
    Ok(out)
}

/// The plain JSON of a value, with exact numbers.
///
/// # Errors
/// As [`encode`].
pub fn to_json(value: &Value) -> Result<serde_json::Value> {
    let plain = Plain::checked(value)?;
    serde_json::to_value(plain).map_err(|_| infinite())
}

fn check(value: &Value) -> Result<()> {
    if !value.marks.is_empty() {
        return Err(ValueError::new("value has marks, so it cannot be serialized as JSON"));
    }
    match &value.data {
        Data::Unknown(_) => Err(ValueError::new("value is not known")),
        Data::Number(number) if number.is_infinite() => Err(infinite()),
        _ => Ok(()),
    }
}

fn infinite() -> ValueError {
    ValueError::new("cannot serialize infinity as JSON")
}

fn append(value: &Value, out: &mut String) -> Result<()> {
    check(value)?;
    match &value.data {
        Data::Null | Data::Unknown(_) => out.push_str("null"),
        Data::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Data::Number(number) => out.push_str(&number.to_string()),
        Data::String(text) => append_string(text, out),
        Data::Seq(elements) => {
            out.push('[');
            for (i, element) in elements.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                append(element, out)?;
            }
            out.push(']');
        }
        Data::Map(entries) => {
            out.push('{');
            for (i, (key, element)) in entries.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                append_string(key, out);
                out.push(':');
                append(element, out)?;
            }
            out.push('}');
        }
    }
    Ok(())
}

fn append_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                // Writing to a String can't fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests;
