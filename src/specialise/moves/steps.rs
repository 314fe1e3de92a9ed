//! Addresses in Terraform's text, step by step.

use crate::addr::Key;

/// A name in an address, and the key after it as it is printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::specialise) struct Step {
    pub name: String,
    pub key: Option<String>,
}

/// A key from `[0]` or `["k"]`.
pub(in crate::specialise) fn key(text: &str) -> Option<Key> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    if let Ok(index) = inner.parse() {
        return Some(Key::Index(index));
    }
    let name: String = serde_json::from_str(inner).ok()?;
    Some(Key::Name(name.replace("$${", "${").replace("%%{", "%{").into()))
}

/// An address at its dots, those in keys aside.
pub(in crate::specialise) fn parse(address: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut step = Step { name: String::new(), key: None };
    let (mut quoted, mut escaped, mut depth) = (false, false, 0);
    for c in address.chars() {
        if depth == 0 && c == '.' {
            steps.push(std::mem::replace(&mut step, Step { name: String::new(), key: None }));
            continue;
        }
        match c {
            '"' if !escaped => quoted = !quoted,
            '[' if !quoted => depth += 1,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        if depth > 0 {
            step.key.get_or_insert_default().push(c);
        } else {
            step.name.push(c);
        }
        if c == ']' && !quoted {
            depth -= 1;
        }
    }
    steps.push(step);
    steps
}

pub(in crate::specialise) fn shown(steps: &[Step]) -> String {
    let parts: Vec<String> =
        steps.iter().map(|s| format!("{}{}", s.name, s.key.as_deref().unwrap_or_default())).collect();
    parts.join(".")
}

/// An address without its keys.
pub fn without_keys(address: &str) -> String {
    names(address).join(".")
}

/// The names in an address, without keys.
pub fn names(address: &str) -> Vec<String> {
    parse(address).into_iter().map(|s| s.name).collect()
}

/// An address without the key at its end.
pub fn without_last_key(address: &str) -> &str {
    let key = parse(address).pop().and_then(|s| s.key).unwrap_or_default();
    address.strip_suffix(&key).unwrap_or(address)
}

/// Returns true if an address that Terraform is pointed to takes in another one: as Terraform has it, a key may be
/// left out at its end alone.
pub fn covers(named: &str, address: &str) -> bool {
    let (named, steps) = (parse(named), parse(address));
    let Some((last, before)) = named.split_last() else { return false };
    let own = steps.get(before.len());
    steps.starts_with(before)
        && own.is_some_and(|s| s.name == last.name && (last.key.is_none() || last.key == s.key))
}

/// The names of some steps as one text.
pub(in crate::specialise) fn joined(steps: &[Step]) -> String {
    steps.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(".")
}

/// Returns true if an address is in what another without keys names. A unit within the copy itself is no reason to
/// look on.
pub(in crate::specialise) fn begins(steps: &[Step], prefix: &[Step]) -> bool {
    steps.len() >= prefix.len() && steps.iter().zip(prefix).all(|(a, b)| a.name == b.name)
}
