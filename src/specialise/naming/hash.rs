//! Values as names say them, and names that end in a hash.

use crate::addr::FieldPath;
use crate::value::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// A field's value, as a name says it.
#[derive(Clone, PartialEq, Debug)]
pub struct Said {
    /// The field's own name, without what it stands in.
    pub field: Arc<str>,
    /// Its value.
    pub value: Value,
}

impl Said {
    /// Builds it for the field at a path within its declaration.
    pub fn of(path: &FieldPath, value: Value) -> Said {
        let named = path.0.iter().rev().find(|step| step.parse::<usize>().is_err());
        Said { field: named.cloned().unwrap_or_default(), value }
    }
}

pub(super) fn values(said: &[Said]) -> Vec<Value> {
    said.iter().map(|s| s.value.clone()).collect()
}

/// Six hex digits of a hash of some values.
pub(super) fn digits(values: &[Value]) -> String {
    let text: Vec<String> = values.iter().map(|v| json::encode(v).unwrap_or_default()).collect();
    let kinds: Vec<String> = values.iter().map(|v| v.ty.to_string()).collect();
    hex6(&format!("{}\n{}", kinds.join("\n"), text.join("\n")))
}

/// Six hex digits of a hash of a text.
pub fn hex6(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(3).map(|b| format!("{b:02x}")).collect()
}

/// The longest name that is left as it is.
const LONGEST: usize = 40;

/// Returns true if a name is made of a slug, whatever else was called so. A hash is of all values, a slug of those
/// that differ.
pub(super) fn hashed(copy: &str, unit: &str, slug: &str, some: &[Value], all: &[Value]) -> bool {
    let plain = format!("{unit}_{slug}");
    let free: &dyn Fn(&str) -> bool = &|_| false;
    let taken: &dyn Fn(&str) -> bool = &|name| name == plain;
    [free, taken].iter().any(|taken| [some, all].iter().any(|of| named(unit, slug, of, taken) == copy))
}

/// The number of names that are tried before one that is taken is given all the same.
const MOST_TRIES: usize = 4;

pub(super) fn named(unit: &str, slug: &str, values: &[Value], taken: &dyn Fn(&str) -> bool) -> String {
    let plain = format!("{unit}_{slug}");
    if plain.chars().count() <= LONGEST && !taken(&plain) {
        return plain;
    }
    let ended = |end: &str| {
        let kept: String = plain.chars().take(LONGEST - end.len() - 1).collect();
        format!("{}_{end}", kept.trim_end_matches('_'))
    };
    let mut end = digits(values);
    for _ in 1..MOST_TRIES {
        if !taken(&ended(&end)) {
            break;
        }
        end = hex6(&end);
    }
    ended(&end)
}
