//! Filling in replacement templates: `$1`, `${name}`, `$$`.
//!
//! A name is as long as it can be: `$1x` is the group `1x`, not `1`. Source of the semantics: Go `Regexp.Expand`.

use super::Pattern;
use ::regex::{Captures, Regex};

/// Appends the template with its references replaced.
pub(super) fn expand(template: &str, pattern: &Pattern, captures: &Captures<'_>, out: &mut String) {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        if let Some(after) = after.strip_prefix('$') {
            out.push('$');
            rest = after;
        } else if let Some((name, after)) = reference(after) {
            out.push_str(group(name, pattern, captures));
            rest = after;
        } else {
            out.push('$');
            rest = after;
        }
    }
    out.push_str(rest);
}

/// The name behind a dollar sign, and what follows it.
fn reference(text: &str) -> Option<(&str, &str)> {
    let (inner, braced) = match text.strip_prefix('{') {
        Some(inner) => (inner, true),
        None => (text, false),
    };
    let end = inner.find(|c: char| !(c == '_' || is_word(c))).unwrap_or(inner.len());
    let (name, after) = inner.split_at_checked(end)?;
    if name.is_empty() {
        return None;
    }
    if braced { after.strip_prefix('}').map(|after| (name, after)) } else { Some((name, after)) }
}

/// Go's letters and decimal digits.
fn is_word(c: char) -> bool {
    static WORD: std::sync::LazyLock<Option<Regex>> =
        std::sync::LazyLock::new(|| Regex::new(r"^[\p{L}\p{Nd}]$").ok());
    c.is_ascii_alphanumeric()
        || (!c.is_ascii() && WORD.as_ref().is_some_and(|re| re.is_match(c.encode_utf8(&mut [0; 4]))))
}

fn group<'h>(name: &str, pattern: &Pattern, captures: &Captures<'h>) -> &'h str {
    let number =
        name.bytes().all(|b| b.is_ascii_digit()) && (name == "0" || !name.starts_with('0')) && name.len() < 9;
    let found = if number {
        name.parse::<usize>().ok().and_then(|i| captures.get(i))
    } else {
        pattern.named(name, captures)
    };
    found.map_or("", |m| m.as_str())
}
