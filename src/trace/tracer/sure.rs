//! The fixed beginning and end of a template's values.
//!
//! In: a template's parts. Out: a test that fails for a text which the template can't give. Terraform puts a template's text into
//! the composed form of Unicode, in which a letter and the mark after it are one character, so the beginning is compared in the
//! decomposed form. Absent: the part in between.

use crate::eval::Op;
use crate::value::{Data, Value};
use std::sync::Arc;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// The sure parts of a text of which not all is known.
pub(in crate::trace) struct Sure {
    /// Decomposed, up to the last character that isn't a mark: marks that follow may be put in another order.
    begins: Vec<char>,
    ends: Arc<str>,
}

impl Sure {
    /// Returns the fixed ends of an operation's result; `None` if it isn't a template.
    pub fn of(op: &Op<'_>, args: &[Value]) -> Option<Sure> {
        let (Op::Template, [first, .., last]) = (op, args) else { return None };
        let mut begins: Vec<char> = text(first).nfd().collect();
        let base = begins.iter().rposition(|c| canonical_combining_class(*c) == 0);
        begins.truncate(base.map_or(0, |at| at + 1));
        // What begins with a mark may be written as one with the character before.
        let ends = text(last).trim_start_matches(|c: char| !c.is_ascii());
        Some(Sure { begins, ends: ends.into() })
    }

    /// Returns true if a text may be one of the values.
    pub fn admits(&self, text: &str) -> bool {
        let Some(rest) = text.strip_suffix(&*self.ends) else { return false };
        let mut decomposed = rest.nfd();
        self.begins.iter().all(|c| decomposed.next() == Some(*c))
    }
}

fn text(part: &Value) -> &str {
    match &part.data {
        Data::String(text) => text,
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sure(first: &str, last: &str) -> Sure {
        let parts = [Value::string(first), Value::unknown(crate::value::Type::String), Value::string(last)];
        Sure::of(&Op::Template, &parts).unwrap()
    }

    #[test]
    fn what_begins_or_ends_otherwise_is_not_admitted() {
        for (first, last, text, fits) in [
            ("a", "", "bx", false),
            ("a", "", "ax", true),
            ("a", "", "a", true),
            ("a", "b", "ab", true),
            ("a", "a", "a", false),
            ("", "b", "xb", true),
            ("", "b", "bx", false),
            // A mark after the beginning makes one character of both.
            ("a", "", "\u{e4}x", true),
            ("b", "", "\u{e4}x", false),
            // Marks are put in order: what is below goes before what is above.
            ("a\u{308}", "", "\u{1ea1}\u{308}", true),
        ] {
            assert_eq!(sure(first, last).admits(text), fits, "{first:?} {last:?} {text:?}");
        }
    }

    #[test]
    fn what_is_put_together_is_admitted() {
        let parts = ["a", "\u{308}", "\u{323}", "x", "\u{1100}", "\u{1161}", "\u{e4}", "-", ""];
        for first in parts {
            for middle in parts.iter().flat_map(|a| parts.iter().map(move |b| format!("{a}{b}"))) {
                for last in parts {
                    let text: String = format!("{first}{middle}{last}").nfc().collect();
                    let last: String = last.nfc().collect();
                    assert!(sure(first, &last).admits(&text), "{first:?} {middle:?} {last:?}");
                }
            }
        }
    }
}
