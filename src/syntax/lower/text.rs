//! Decoding of literal text: escapes, strip markers, indentation of heredocs.
//!
//! Semantics: hcl's `ParseStringLiteralToken` and `parseTemplateParts`: text is decoded, then trimmed token by token;
//! in heredocs and bare templates a token ends with its line, in quoted strings trimming never meets a boundary.

use super::{Lower, Result};
use crate::syntax::error::ParseError;
use crate::text::Span;
use std::borrow::Cow;
use std::sync::Arc;
use unicode_normalization::UnicodeNormalization;

/// Literal text between two sequences of a template.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    pub span: Span,
    /// The sequence before ends with `~}`.
    pub trim_start: bool,
    /// The sequence after starts with `~`.
    pub trim_end: bool,
}

/// The way in which literal text is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// Between quotes, with backslash escapes.
    Quoted,
    /// Line by line.
    Lines,
    /// Line by line, without the common indentation.
    Flush,
}

impl Lower<'_> {
    /// A quoted string without sequences; the span includes the quotes.
    pub(super) fn quoted(&self, span: Span) -> Result<Arc<str>> {
        let inner = Span { start: span.start + 1, end: span.end.saturating_sub(1) };
        let raw = self.slice(inner);
        Ok(normal(&unescape(raw, inner.start as usize)?))
    }

    /// The decoded texts of a template's gaps. `None` stands for a sequence.
    pub(super) fn decode(&self, gaps: &[Option<Gap>], style: Style) -> Result<Vec<Arc<str>>> {
        if style == Style::Quoted {
            return gaps.iter().flatten().map(|g| self.quoted_gap(*g)).collect();
        }
        let mut tokens: Vec<Option<Token<'_>>> = Vec::new();
        for (at, gap) in gaps.iter().enumerate() {
            match gap {
                None => tokens.push(None),
                Some(gap) => self.lines(at, *gap, &mut tokens),
            }
        }
        if style == Style::Flush {
            dedent(&mut tokens);
        }
        let mut texts: Vec<(usize, String)> = Vec::new();
        for token in tokens.into_iter().flatten() {
            match texts.last_mut().filter(|(gap, _)| *gap == token.gap) {
                Some((_, text)) => text.push_str(&token.text),
                None => texts.push((token.gap, token.text.into_owned())),
            }
        }
        Ok(texts.iter().map(|(_, text)| normal(text)).collect())
    }

    fn quoted_gap(&self, gap: Gap) -> Result<Arc<str>> {
        let text = unescape(self.slice(gap.span), gap.span.start as usize)?;
        let mut trimmed: &str = &text;
        if gap.trim_start {
            trimmed = trimmed.trim_start();
        }
        if gap.trim_end {
            trimmed = trimmed.trim_end();
        }
        Ok(normal(trimmed))
    }

    /// The gap's lines, the first and last trimmed as the neighbouring sequences ask.
    fn lines<'t>(&'t self, gap_at: usize, gap: Gap, tokens: &mut Vec<Option<Token<'t>>>) {
        let first = tokens.len();
        for line in self.slice(gap.span).split_inclusive('\n') {
            tokens.push(Some(Token { gap: gap_at, text: double_markers(line) }));
        }
        if let Some(Some(token)) = tokens.get_mut(first).filter(|_| gap.trim_start) {
            token.text = Cow::Owned(token.text.trim_start().to_string());
        }
        if let Some(Some(token)) = tokens.last_mut().filter(|_| gap.trim_end) {
            token.text = Cow::Owned(token.text.trim_end().to_string());
        }
    }
}

/// A line of a gap, or a part of one.
struct Token<'t> {
    gap: usize,
    text: Cow<'t, str>,
}

/// Removes the smallest indentation from all lines, as hcl's `flushHeredocTemplateParts` does.
///
/// A line that begins with a sequence has none; blank lines don't count; a line whose newline was trimmed away does
/// not end, so that what follows it is no line start.
fn dedent(tokens: &mut [Option<Token<'_>>]) {
    let indent = |text: &str| text.len() - text.trim_start().len();
    let mut starts = Vec::new();
    let mut least = usize::MAX;
    let mut at_start = true;
    for (i, token) in tokens.iter().enumerate() {
        if std::mem::take(&mut at_start) {
            match token {
                None => least = 0,
                Some(t) if t.text.trim_start().is_empty() && t.text.ends_with('\n') => {}
                Some(t) => {
                    let spaces = t.text.get(..indent(&t.text)).unwrap_or("").chars().count();
                    least = least.min(spaces);
                    starts.push(i);
                }
            }
        }
        at_start = token.as_ref().is_some_and(|t| t.text.ends_with('\n'));
    }
    for i in starts {
        if let Some(Some(token)) = tokens.get_mut(i) {
            let cut = token.text.char_indices().nth(least).map_or(token.text.len(), |(n, _)| n);
            token.text = Cow::Owned(token.text.get(cut..).unwrap_or("").to_string());
        }
    }
}

/// The text in NFC, which is what a literal's value is.
pub(in crate::syntax) fn normal(text: &str) -> Arc<str> {
    if text.is_ascii() { Arc::from(text) } else { Arc::from(text.nfc().collect::<String>()) }
}

/// `$${` and `%%{` as `${` and `%{`.
fn double_markers(raw: &str) -> Cow<'_, str> {
    if !raw.bytes().any(|b| b == b'{') || (!raw.contains("$${") && !raw.contains("%%{")) {
        return Cow::Borrowed(raw);
    }
    Cow::Owned(raw.replace("$${", "${").replace("%%{", "%{"))
}

/// Undoes the escapes of a quoted string; `start` is where `raw` stands, for errors.
pub(in crate::syntax) fn unescape(raw: &str, start: usize) -> Result<Cow<'_, str>> {
    if !raw.bytes().any(|b| matches!(b, b'\\' | b'"')) {
        return Ok(double_markers(raw));
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(n) = rest.find(['\\', '"']) {
        let at = start + (raw.len() - rest.len()) + n;
        let (plain, escape) = rest.split_at(n);
        out.push_str(&double_markers(plain));
        let (c, length) =
            escape_at(escape).map_err(|message| ParseError::over(Span::new(at, at + 2), message))?;
        out.push(c);
        rest = escape.get(length..).unwrap_or("");
    }
    out.push_str(&double_markers(rest));
    Ok(Cow::Owned(out))
}

/// The character that an escape sequence stands for, and the sequence's length in bytes.
fn escape_at(text: &str) -> std::result::Result<(char, usize), &'static str> {
    let mut chars = text.chars();
    if chars.next() == Some('"') {
        return Err("this string ends before its template does");
    }
    let hex = |digits: usize| {
        let number = text.get(2..2 + digits).filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit()));
        let number = number.and_then(|h| u32::from_str_radix(h, 16).ok());
        let number = number.ok_or("\\u takes four hexadecimal digits, \\U takes eight")?;
        let c = char::from_u32(number).ok_or("this number is no Unicode character")?;
        Ok((c, 2 + digits))
    };
    match chars.next() {
        Some('n') => Ok(('\n', 2)),
        Some('r') => Ok(('\r', 2)),
        Some('t') => Ok(('\t', 2)),
        Some('"') => Ok(('"', 2)),
        Some('\\') => Ok(('\\', 2)),
        Some('u') => hex(4),
        Some('U') => hex(8),
        _ => Err(
            "this is no escape sequence; \\n, \\r, \\t, \\\", \\\\, \\u with four hexadecimal digits and \\U with eight are",
        ),
    }
}
