//! Paragraphs, and lines that are cut.

use crate::text::one_line;

/// A paragraph longer than this is broken between its sentences.
const WIDTH: usize = 92;

/// The text, cut where it has more characters than this.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most).chain(['…']).collect()
}

/// The text, each line after `indent`. A long paragraph gets a line for each sentence; no sentence is ever cut, so that
/// it can be searched for.
pub(super) fn paragraph(text: &str, indent: &str) -> String {
    let mut broken = String::new();
    for line in text.trim_end().lines() {
        if line.chars().count() > WIDTH {
            broken.push_str(&sentences(line));
        } else {
            broken.push_str(line);
        }
        broken.push('\n');
    }
    indented(&broken, indent)
}

/// A line break between sentences: behind a full stop that a space and a capital (or a quote) follow.
fn sentences(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        let starts = chars.peek().is_some_and(|n| n.is_uppercase() || *n == '`');
        out.push(if c == ' ' && matches!(before, '.' | '?' | '!') && starts { '\n' } else { c });
        before = c;
    }
    out
}

/// On one line, with nothing hidden in it.
pub(super) fn flat(text: &str) -> String {
    one_line(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// Every line after `indent`; empty lines stay empty.
pub(super) fn indented(text: &str, indent: &str) -> String {
    let mut out = String::new();
    for line in text.trim_end().lines() {
        if !line.is_empty() {
            out.push_str(indent);
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// With a capital, unless it begins with an address or code.
pub(super) fn capital(text: &str) -> String {
    if text.split(' ').next().is_some_and(|w| w.contains(['.', '_', '`', '"'])) {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_between_sentences_only() {
        assert_eq!(paragraph("A b. C d.\n\ne", "  "), "  A b. C d.\n\n  e\n");
        let long = format!("{}. Did you mean \"x\"?", "word ".repeat(20));
        assert_eq!(paragraph(&long, "  ").lines().count(), 2);
        assert_eq!(indented("a {\n\n  b\n}\n", "  "), "  a {\n\n    b\n  }\n");
    }
}
