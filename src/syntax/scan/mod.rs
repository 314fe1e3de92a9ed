//! A token scanner of ours that runs before hcl-edit: limits, extents of heredocs, and the *shadow*.
//!
//! Input: the original text. Output: a text of equal length in which everything that hcl-edit misreads is
//! neutralised, so that it can be trusted for structure and spans: the byte order mark, newlines and comments where
//! HCL ignores newlines, heredocs (written as quoted templates), numbers out of range, repeated object keys.
//! Semantics of tokens: hcl's `scan_tokens.rl`; of newlines: the parser's stack of "include newlines".
//! Invariant: the shadow has the same length, and the same bytes wherever names, operators and plain text of quoted
//! strings stand. Absent on purpose: a grammar; what is well-formed beyond brackets is for hcl-edit to say.

mod frame;
mod heredoc;
mod keys;
mod state;
mod template;

pub(super) use state::{Heredoc, Renamed, Scan};

use super::error::ParseError;
use super::limits;
use crate::issue::Code;
use crate::text::Span;
use state::{Frame, Kind, Scanner, ascii_length, word_length};

/// The kind of text to scan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// A file: attributes and blocks.
    Body,
    /// An expression, in which newlines are ignored.
    Expression,
    /// A template without quotes.
    Template,
}

/// Scans a text.
///
/// # Errors
/// A limit, unbalanced brackets, an unterminated string, comment or template, a newline in a quoted string.
pub(super) fn scan(text: &str, mode: Mode, renamed: Renamed) -> Result<Scan, ParseError> {
    let kind = match mode {
        Mode::Body => Kind::Body,
        Mode::Expression => Kind::Paren,
        Mode::Template => Kind::Bare,
    };
    let mut s = Scanner {
        text,
        bytes: text.as_bytes(),
        at: 0,
        frames: vec![Frame::new(kind, 0)],
        shadow: None,
        heredocs: Vec::new(),
        keys: Vec::new(),
        renamed,
        key_work: 0,
        directives: Vec::new(),
        depth: 0,
        operators: 0,
        conditionals: 0,
        comment: None,
        last: 0,
    };
    if mode != Mode::Template && text.starts_with('\u{feff}') {
        s.blank(0, 3);
        s.at = 3;
    }
    s.run()?;
    let shadow = match s.shadow.map(String::from_utf8) {
        None => None,
        Some(Ok(text)) => Some(text),
        Some(Err(_)) => return Err(ParseError::at(0, "the text could not be prepared for parsing")),
    };
    Ok(Scan { shadow, heredocs: s.heredocs, depth: s.depth })
}

impl Scanner<'_> {
    fn run(&mut self) -> Result<(), ParseError> {
        while self.at < self.bytes.len() {
            match self.frames.last().map_or(Kind::Body, |f| f.kind) {
                Kind::Quote | Kind::Bare => self.template_text()?,
                Kind::Heredoc { .. } => self.heredoc_text()?,
                _ => self.token()?,
            }
        }
        if self.frames.len() > 1 {
            let open = self.top();
            return Err(ParseError::at(open.start, format!("this {} is never closed", open.kind.name())));
        }
        self.close_directives(0)
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn top(&self) -> Frame {
        self.frames.last().copied().unwrap_or(Frame::new(Kind::Body, 0))
    }

    fn push(&mut self, kind: Kind) -> Result<(), ParseError> {
        let mut frame = Frame::new(kind, self.at);
        frame.keys = self.keys.len();
        frame.directives = self.directives.len();
        frame.conditionals = self.conditionals;
        self.frames.push(frame);
        self.operators = 0;
        self.check_depth()
    }

    fn check_depth(&mut self) -> Result<(), ParseError> {
        let depth = self.frames.len() + self.directives.len() + self.operators + self.conditionals;
        self.depth = self.depth.max(depth);
        if depth > limits::NESTING {
            let message = format!("nested too deeply: more than {} levels", limits::NESTING);
            return Err(ParseError::at(self.at, message).beyond(Code::TooDeep));
        }
        Ok(())
    }

    /// Reads a token outside of template text.
    fn token(&mut self) -> Result<(), ParseError> {
        while matches!(self.peek(0), b' ' | b'\t') {
            self.at += 1;
        }
        let b = self.peek(0);
        let start = self.at;
        match b {
            0 if start >= self.bytes.len() => return Ok(()),
            b'\n' | b'\r' => return self.newline(),
            b'#' => return self.comment(),
            b'/' if matches!(self.peek(1), b'/' | b'*') => return self.comment(),
            _ => self.begin_item()?,
        }
        match b {
            b'"' => self.push(Kind::Quote)?,
            b'(' => self.push(Kind::Paren)?,
            b'[' => self.push_brackets(Kind::Bracket)?,
            b'{' => self.open_brace()?,
            b')' => self.close(Kind::Paren)?,
            b']' => self.close(Kind::Bracket)?,
            b'}' => self.close_brace()?,
            b'<' if self.peek(1) == b'<' && self.open_heredoc()? => {
                self.last = b'"';
                return Ok(());
            }
            b'0'..=b'9' => {
                self.number();
                return Ok(());
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => {
                self.word();
                return Ok(());
            }
            b',' => self.comma(),
            b'=' | b':' => self.assign(),
            b'?' => self.ask()?,
            b'!' | b'-' => {
                self.operators += 1;
                self.check_depth()?;
            }
            _ => {}
        }
        if !matches!(b, b'!' | b'-') {
            self.operators = 0;
        }
        self.last = b;
        if self.at == start {
            self.at += 1;
        }
        Ok(())
    }

    fn newline(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        if self.last == b'.' && self.top().newlines_count() {
            return Err(ParseError::at(start, "expected an attribute name after the dot"));
        }
        let crlf = self.peek(0) == b'\r' && self.peek(1) == b'\n';
        self.at += if crlf { 2 } else { 1 };
        if self.top().newlines_count() {
            let comment = self.comment.take().map(Span::range).filter(|c| c.end == start);
            self.end_line(comment.map_or(start, |c| c.start));
        } else {
            self.blank(start, self.at);
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or(&[]);
        let length = if self.peek(1) == b'*' && self.peek(0) == b'/' {
            let body = rest.get(2..).unwrap_or(&[]);
            match body.windows(2).position(|w| w == b"*/") {
                Some(n) => n + 4,
                None => return Err(ParseError::at(start, "this comment is never closed")),
            }
        } else {
            let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            // The carriage return belongs to the line ending, which hcl-edit reads after the comment.
            if line < rest.len() && rest.get(line.wrapping_sub(1)) == Some(&b'\r') { line - 1 } else { line }
        };
        self.at = start + length;
        if !self.top().newlines_count() {
            self.blank(start, self.at);
        }
        self.comment = Some(Span::new(start, self.at));
        Ok(())
    }

    /// A name or keyword.
    fn word(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        let ascii = ascii_length(rest);
        if rest.get(ascii).is_none_or(u8::is_ascii) {
            self.at += ascii.max(1);
        } else {
            self.at += word_length(self.text.get(self.at..).unwrap_or("")).max(1);
            while !self.text.is_char_boundary(self.at) {
                self.at += 1;
            }
        }
        self.operators = 0;
        self.last = b'a';
    }

    /// A number; what doesn't fit hcl-edit's types is written as a small one of the same length.
    fn number(&mut self) {
        let start = self.at;
        let digits = |s: &mut Self| {
            while s.peek(0).is_ascii_digit() {
                s.at += 1;
            }
        };
        digits(self);
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            digits(self);
        }
        let signed = matches!(self.peek(1), b'+' | b'-') && self.peek(2).is_ascii_digit();
        if matches!(self.peek(0), b'e' | b'E') && (self.peek(1).is_ascii_digit() || signed) {
            self.at += if signed { 2 } else { 1 };
            digits(self);
        }
        let odd = self.at - start > 15
            || !self.text.get(start..self.at).unwrap_or("").bytes().all(|b| b != b'e' && b != b'E');
        if odd && self.last != b'.' {
            self.fill(start, self.at, b'0');
            self.fill(start, start + 1, b'1');
            self.fill(start + 1, start + 2, b'.');
        }
        self.operators = 0;
        self.last = b'0';
    }

    /// Writes spaces into the shadow.
    fn blank(&mut self, start: usize, end: usize) {
        self.fill(start, end, b' ');
    }

    fn fill(&mut self, start: usize, end: usize, byte: u8) {
        let bytes = self.bytes;
        let shadow = self.shadow.get_or_insert_with(|| bytes.to_vec());
        if let Some(range) = shadow.get_mut(start..end) {
            range.fill(byte);
        }
    }
}
