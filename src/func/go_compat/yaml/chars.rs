//! The characters of a YAML text, and where one is in them.

use crate::func::FuncError;

/// A position: characters from the beginning, line, column in characters.
#[derive(Clone, Copy, Default)]
pub(in crate::func) struct Mark {
    pub(in crate::func) index: usize,
    pub(in crate::func) line: usize,
    pub(in crate::func) column: i64,
}

pub(in crate::func) struct Chars {
    all: Vec<char>,
    mark: Mark,
}

impl Chars {
    /// The characters of a text, without the byte order mark at its beginning.
    ///
    /// # Errors
    /// Control characters; a limit for byte order marks within, which libyaml treats in surprising ways.
    pub(in crate::func) fn new(text: &str) -> Result<Chars, FuncError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.contains('\u{feff}') {
            return Err(FuncError::unsupported("a byte order mark within a YAML text is not supported"));
        }
        if !text.chars().all(is_allowed) {
            return Err(FuncError::new("control characters are not allowed"));
        }
        Ok(Chars { all: text.chars().collect(), mark: Mark::default() })
    }

    /// The character so many places ahead.
    pub(in crate::func) fn peek(&self, ahead: usize) -> Option<char> {
        self.all.get(self.mark.index + ahead).copied()
    }

    pub(in crate::func) fn mark(&self) -> Mark {
        self.mark
    }

    /// Passes over a character that is no line break.
    pub(in crate::func) fn skip(&mut self) {
        self.mark.index += 1;
        self.mark.column += 1;
    }

    /// Passes over a line break; all but U+2028 and U+2029 read as `\n`.
    pub(in crate::func) fn read_line(&mut self) -> Option<char> {
        let c = self.peek(0).filter(|c| is_break(*c))?;
        self.mark.index += if c == '\r' && self.peek(1) == Some('\n') { 2 } else { 1 };
        self.mark.line += 1;
        self.mark.column = 0;
        Some(if matches!(c, '\u{2028}' | '\u{2029}') { c } else { '\n' })
    }
}

fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..)
}

pub(in crate::func) fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

pub(in crate::func) fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}

/// White space, a line break or the end of the text.
pub(in crate::func) fn is_blank_or_end(c: Option<char>) -> bool {
    c.is_none_or(|c| is_blank(c) || is_break(c))
}
