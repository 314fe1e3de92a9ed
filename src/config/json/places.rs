//! The place in the file of each byte of a JSON string's text.
//!
//! Escapes make the bytes of a string's text differ from those of the file, so each byte of the text has its own place.

use crate::text::Span;
use crate::value::json::escape;

/// Maps bytes of a string's text to bytes of the file.
pub(super) enum Places {
    /// The text stands there as it is, from this byte on.
    From(u32),
    /// The place of each byte, and of the closing quote.
    Each(Vec<u32>),
}

impl Places {
    /// Builds the map of the string literal, with its quotes, at a span of a file.
    pub fn of(file: &str, literal: Span) -> Places {
        let start = literal.start.saturating_add(1);
        let inner = Span { start, end: literal.end.saturating_sub(1).max(start) };
        let raw = file.get(inner.range()).unwrap_or_default();
        if !raw.contains('\\') {
            return Places::From(start);
        }
        let mut each = Vec::with_capacity(raw.len() + 1);
        let mut at = start;
        let mut rest = raw;
        while let Some((taken, length)) = unit(rest) {
            each.extend(std::iter::repeat_n(at, length));
            at = at.saturating_add(u32::try_from(taken).unwrap_or(u32::MAX));
            rest = rest.get(taken..).unwrap_or_default();
        }
        each.push(inner.end);
        Places::Each(each)
    }

    /// A span of the text as one of the file.
    pub fn of_span(&self, span: Span) -> Span {
        Span { start: self.at(span.start), end: self.at(span.end) }
    }

    fn at(&self, byte: u32) -> u32 {
        match self {
            Places::From(start) => start.saturating_add(byte),
            Places::Each(each) => each.get(byte as usize).or(each.last()).copied().unwrap_or_default(),
        }
    }
}

/// The first character of a string literal's inside: how many bytes it takes there, and in the text.
fn unit(raw: &str) -> Option<(usize, usize)> {
    let first = raw.chars().next()?;
    if first != '\\' {
        return Some((first.len_utf8(), first.len_utf8()));
    }
    Some(escape(raw).map_or((2.min(raw.len()), 1), |(c, taken)| (taken, c.len_utf8())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::json::node::node;
    use crate::value::json::scan::Kind;

    /// Each character of the decoded text, against what stands at its place.
    #[test]
    fn every_byte_has_its_place() {
        let file = r#"  "a\"\u00e9é\ud83d\ude00\ud83dx\/\n$z" "#;
        let node = node(file).unwrap();
        let Kind::String(text) = &node.kind else { panic!() };
        let places = Places::of(file, node.span);
        let raw: Vec<&str> = text
            .char_indices()
            .map(|(at, c)| {
                let span = Span::new(at, at + c.len_utf8());
                &file[places.of_span(span).range()]
            })
            .collect();
        let want = ["a", r#"\""#, r"\u00e9", "é", r"\ud83d\ude00", r"\ud83d", "x", r"\/", r"\n", "$", "z"];
        assert_eq!(raw, want);
        let whole = places.of_span(Span::new(0, text.len()));
        assert_eq!((whole.start, whole.end), (node.span.start + 1, node.span.end - 1));
    }
}
