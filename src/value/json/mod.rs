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
use serde::Serialize as _;
use serde_json::ser::{Formatter, Serializer};
use std::io;

/// Members by which a report says what a value isn't: an object that holds one alone, and `true` for it, is no value.
pub const MARKERS: [&str; 2] = ["sensitive", "infinite"];

/// The name of a member in a report. A value that looks like a marker itself has `=` before the name, and one that looks like that another.
pub fn reported_name<'n>(entries: &crate::value::Data, name: &'n str) -> std::borrow::Cow<'n, str> {
    let is_like = match entries {
        // An infinite value has a text besides.
        Data::Map(all) => {
            all.iter().all(|(k, v)| &**k == "text" || matches!(v.data, Data::Bool(true))) && all.len() <= 2
        }
        _ => false,
    };
    match is_like && MARKERS.contains(&name.trim_start_matches('=')) {
        true => std::borrow::Cow::Owned(format!("={name}")),
        false => std::borrow::Cow::Borrowed(name),
    }
}

/// The JSON text of a value, as `jsonencode` prints it: no spaces, keys in order, `<`, `>` and `&` escaped.
///
/// # Errors
/// Unknown or marked parts, infinities.
pub fn encode(value: &Value) -> Result<String> {
    let mut out = Vec::new();
    let written = Plain::checked(value)?.serialize(&mut Serializer::with_formatter(&mut out, Escaping));
    written.ok().and_then(|()| String::from_utf8(out).ok()).ok_or_else(infinite)
}

/// Writes JSON without spaces; what may mean something in HTML stands there as its number, as Go has it.
struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        const SPECIAL: [char; 5] = ['<', '>', '&', '\u{2028}', '\u{2029}'];
        for part in text.split_inclusive(SPECIAL) {
            let plain = part.trim_end_matches(SPECIAL);
            out.write_all(plain.as_bytes())?;
            for c in part.chars().skip(plain.chars().count()) {
                write!(out, "\\u{:04x}", u32::from(c))?;
            }
        }
        Ok(())
    }
}

/// The plain JSON of a value, with exact numbers.
///
/// # Errors
/// As [`encode`].
pub fn to_json(value: &Value) -> Result<serde_json::Value> {
    serde_json::to_value(Plain::checked(value)?).map_err(|_| infinite())
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

#[cfg(test)]
mod tests;
