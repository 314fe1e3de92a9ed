//! Removes from a report whatever could harm the terminal or the log that shows it.
//!
//! In: a report, ready to print. Out: the same text, in which nothing moves the cursor, hides text, or gives an order to the
//! service that keeps the log. Writers escape what they quote for their own format; all output passes here last. Absent on purpose:
//! any knowledge of where a text came from.

use super::Style;
use crate::text::{is_hidden, visible};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The reader of an output, which decides what is escaped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    /// A person, or a page that a person reads.
    People,
    /// A program that reads JSON.
    Json,
    /// GitHub, line by line, as orders.
    Workflow,
    /// A program that wants every byte, such as `patch` or a shell.
    Exact,
}

impl Reader {
    /// The text as it may be printed; `style` says whether our own colours may stand in it.
    pub fn guarded(self, text: &str, style: Style) -> Cow<'_, str> {
        match self {
            Reader::Exact => Cow::Borrowed(text),
            Reader::Json => json(text),
            Reader::Workflow => match visible(text) {
                Cow::Borrowed(text) => unmarked(text),
                Cow::Owned(text) => Cow::Owned(unmarked(&text).into_owned()),
            },
            Reader::People => match plain_or_coloured(text, style) {
                Cow::Borrowed(text) => orderless(text),
                Cow::Owned(text) => Cow::Owned(orderless(&text).into_owned()),
            },
        }
    }
}

/// Colours stay, and nothing else that begins with ESC.
fn plain_or_coloured(text: &str, style: Style) -> Cow<'_, str> {
    if style == Style::Plain || !text.contains('\u{1b}') {
        return visible(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut pieces = text.split('\u{1b}');
    out.push_str(&visible(pieces.next().unwrap_or_default()));
    for piece in pieces {
        match colour(piece) {
            Some((code, rest)) => {
                out.push('\u{1b}');
                out.push_str(code);
                out.push_str(&visible(rest));
            }
            None => {
                out.push_str("\\u{1b}");
                out.push_str(&visible(piece));
            }
        }
    }
    Cow::Owned(out)
}

/// A colour or weight at the beginning of what follows an ESC, and the rest. Not what conceals text.
fn colour(piece: &str) -> Option<(&str, &str)> {
    let (code, rest) = piece.split_at_checked(piece.find('m')? + 1)?;
    let numbers = code.strip_prefix('[')?.strip_suffix('m')?;
    let shown = |n: &str| matches!(n, "0" | "1" | "2" | "4" | "22" | "24" | "39") || is_foreground(n);
    numbers.split(';').all(shown).then_some((code, rest))
}

/// Red, green, yellow, blue, magenta, cyan.
fn is_foreground(number: &str) -> bool {
    matches!(number.as_bytes(), [b'3' | b'9', b'1'..=b'6'])
}

/// Nothing that a log's service takes for an order: `::…` at the beginning of a line, behind space, too, and `##[…]`, `##vso[…]`,
/// `##teamcity[…]` anywhere.
fn orderless(text: &str) -> Cow<'_, str> {
    let is_order = |line: &str| line.trim_start().starts_with("::");
    if !text.contains("##") && !text.contains("::") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let line = unmarked(line);
        if is_order(&line) {
            out.push_str(&line.replacen("::", "\\u{3a}:", 1));
        } else {
            out.push_str(&line);
        }
    }
    Cow::Owned(out)
}

fn unmarked(line: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(line);
    for mark in ["##[", "##vso[", "##teamcity["] {
        if out.contains(mark) {
            out = Cow::Owned(out.replace(mark, &mark.replacen('#', "\\u{23}", 1)));
        }
    }
    out
}

/// Hidden characters as JSON's own escapes, which mean the same to a program. JSON has them within strings only.
fn json(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| is_hidden(c) && c != '\n';
    // Documents are long, and most are of plain letters.
    let plain = text.bytes().all(|b| matches!(b, b' '..=b'~' | b'\n'));
    if (plain || !text.contains(hidden)) && !text.contains("##") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut last = '\0';
    for c in text.chars() {
        if hidden(c) || (c == '#' && last == '#') {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a String can't fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
        last = c;
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn people(text: &str, style: Style) -> String {
        Reader::People.guarded(text, style).into_owned()
    }

    #[test]
    fn only_colours_are_left() {
        let ours = Style::Coloured.error("bad\u{1b}]0;t\u{7}");
        assert!(people(&ours, Style::Coloured).starts_with("\u{1b}["), "{ours:?}");
        assert!(!people(&ours, Style::Coloured).contains("\u{1b}]"));
        assert!(!people(&ours, Style::Plain).contains('\u{1b}'));
        for order in ["\u{1b}[8m", "\u{1b}[2J", "\u{1b}[30m", "\u{1b}]8;;http://x\u{7}", "\u{1b}", "\u{1b}[1"]
        {
            assert!(!people(order, Style::Coloured).contains('\u{1b}'), "{order:?}");
        }
        assert_eq!(
            people("\u{1b}[31;1ma\u{1b}[0m\u{202e}", Style::Coloured),
            "\u{1b}[31;1ma\u{1b}[0m\\u{202e}"
        );
    }

    #[test]
    fn no_log_takes_orders() {
        assert_eq!(people(" ::add-mask::x\na::b\n", Style::Plain), " \\u{3a}:add-mask::x\na::b\n");
        assert_eq!(people("x ##[error]y ##vso[z]", Style::Plain), "x \\u{23}#[error]y \\u{23}#vso[z]");
        assert_eq!(Reader::Workflow.guarded("::error::a ##[b]", Style::Plain), "::error::a \\u{23}#[b]");
        let orders = "::error title=a::b\u{1b}\n";
        assert_eq!(Reader::Workflow.guarded(orders, Style::Plain), "::error title=a::b\\u{1b}\n");
    }

    #[test]
    fn json_means_the_same() {
        let text = "{\n  \"a\": \"\u{202e}\u{7f}##[x]\u{e0041}\"\n}\n";
        let shown = Reader::Json.guarded(text, Style::Plain);
        assert!(shown.is_ascii() && !shown.contains("##"), "{shown}");
        let read = |t: &str| serde_json::from_str::<serde_json::Value>(t).unwrap();
        assert_eq!(read(&shown), read(text));
    }
}
