//! The order of sets.
//!
//! Strings go by bytes, numbers by value, false before true, unknowns after those and nulls last. Elements of other
//! types go by the key that cty derives from them; its exact form decides the order in which Terraform shows and
//! iterates them, so it is kept to the character. Source of the semantics: go-cty `set_internals.go`.

use super::ops::{Alike, Fingerprint};
use super::{Data, Type, Value};
use std::cmp::Ordering;
use std::fmt::Write;

/// An element with what orders it.
struct Entry {
    value: Value,
    key: String,
    bucket: u32,
}

/// Unmarked elements of one type in cty's order, without duplicates.
pub(super) fn in_order(values: Vec<Value>) -> Vec<Value> {
    let mut entries: Vec<Entry> = Vec::with_capacity(values.len());
    for value in values {
        let mut key = String::new();
        append_key(&value, &mut key);
        let bucket = crc32(key.as_bytes());
        entries.push(Entry { value, key, bucket });
    }
    // Buckets first, in the order of insertion within each: what remains of it decides ties below.
    entries.sort_by_key(|e| e.bucket);
    let mut alike = Alike::default();
    let mut unique: Vec<&Entry> = Vec::with_capacity(entries.len());
    for entry in &entries {
        // What isn't wholly known equals nothing for certain.
        if let Some(own) = Fingerprint::of(&entry.value) {
            if alike.has(entry.bucket, own, &entry.value) {
                continue;
            }
            alike.add(entry.bucket, own, &entry.value);
        }
        unique.push(entry);
    }
    unique.sort_by(compare);
    unique.into_iter().map(|e| e.value.clone()).collect()
}

fn compare(a: &&Entry, b: &&Entry) -> Ordering {
    let rank = |v: &Value| (v.is_null(), !v.is_known());
    rank(&a.value).cmp(&rank(&b.value)).then_with(|| match (&a.value.data, &b.value.data) {
        (Data::String(a), Data::String(b)) => a.cmp(b),
        (Data::Bool(a), Data::Bool(b)) => a.cmp(b),
        (Data::Number(a), Data::Number(b)) => a.cmp(b),
        (Data::Seq(_) | Data::Map(_), Data::Seq(_) | Data::Map(_)) => a.key.cmp(&b.key),
        _ => Ordering::Equal,
    })
}

fn append_key(value: &Value, key: &mut String) {
    match &value.data {
        Data::Unknown(_) => key.push('?'),
        Data::Null => key.push('~'),
        Data::Number(number) => key.push_str(&number.ten_digits()),
        Data::Bool(value) => key.push(if *value { 'T' } else { 'F' }),
        Data::String(text) => append_quoted(text, key),
        Data::Map(entries) if matches!(value.ty, Type::Map(_)) => {
            key.push('{');
            for (name, element) in entries.iter() {
                append_quoted(name, key);
                key.push(':');
                append_key(element, key);
                key.push(';');
            }
            key.push('}');
        }
        Data::Map(entries) => append_parts(('<', '>'), entries.values(), key),
        Data::Seq(elements) if matches!(value.ty, Type::Tuple(_)) => {
            append_parts(('<', '>'), elements.iter(), key)
        }
        Data::Seq(elements) => append_parts(('[', ']'), elements.iter(), key),
    }
}

fn append_parts<'a>(brackets: (char, char), parts: impl Iterator<Item = &'a Value>, key: &mut String) {
    key.push(brackets.0);
    for part in parts {
        append_key(part, key);
        key.push(';');
    }
    key.push(brackets.1);
}

/// A text in the double quotes of Go's `%q`.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::new();
    append_quoted(text, &mut out);
    out
}

fn append_quoted(text: &str, key: &mut String) {
    key.push('"');
    for c in text.chars() {
        match c {
            '"' => key.push_str("\\\""),
            '\\' => key.push_str("\\\\"),
            '\u{7}' => key.push_str("\\a"),
            '\u{8}' => key.push_str("\\b"),
            '\u{c}' => key.push_str("\\f"),
            '\n' => key.push_str("\\n"),
            '\r' => key.push_str("\\r"),
            '\t' => key.push_str("\\t"),
            '\u{b}' => key.push_str("\\v"),
            c if super::literal_text::is_print(c) => key.push(c),
            c => {
                let code = u32::from(c);
                // Writing to a String can't fail.
                let _ = match code {
                    0..=0x1f | 0x7f => write!(key, "\\x{code:02x}"),
                    0..=0xffff => write!(key, "\\u{code:04x}"),
                    _ => write!(key, "\\U{code:08x}"),
                };
            }
        }
    }
    key.push('"');
}

/// The checksum of ISO 3309, by which cty buckets a set's elements.
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}
