//! The plain forms of the language, read straight into the tree: nearly all that configurations are made of.
//!
//! Input: a text without NUL bytes, within the size limit. Output: the tree that the whole grammar gives for it (see
//! [`super::parse`]), or nothing where a form isn't plain: heredocs, directives, strip markers, legacy indexes, names
//! beyond ASCII, deep nesting, and whatever is wrong. Invariant: it accepts a part of what the whole grammar accepts,
//! and gives the same tree, byte for byte; `tests/plain.rs` compares both. Absent on purpose: errors, since only the whole
//! grammar says what is wrong; limits, since each lies far above what is read here.

mod body;
mod expr;
mod number;
mod object;
mod repeat;
mod steps;
mod string;
mod term;

use super::parse::Parsed;
use super::tree::{Body, Expr, ExprId, ExprKind, Ident};
use crate::text::Span;
use std::sync::Arc;

/// How deep blocks, brackets, arms and signs may nest, and how many steps a traversal may have.
const LEVELS: usize = 16;
/// Operators in one attribute.
const OPERATORS: usize = 64;
/// Keys of all objects of a file.
const KEYS: usize = 4_000;

/// Reads a file, if it is plain.
pub(super) fn file(text: &str) -> Option<Parsed> {
    if memchr::memchr(b'\r', text.as_bytes()).is_some() {
        return None;
    }
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        flat: false,
        passed: (0, 0),
        depth: 0,
        operators: 0,
        keys: 0,
        exprs: 0,
    };
    let items = reader.items(false)?;
    Some(Parsed { body: Body { span: Span::new(0, text.len()), items }, exprs: reader.exprs })
}

/// The state of reading; `at` is the next byte. Nothing is undone where a form isn't plain, since all is given up then.
struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Whether newlines mean nothing here.
    flat: bool,
    /// Where spaces were last passed over, and up to where: whether a step, an operator or an arm follows is asked in turn.
    passed: (usize, usize),
    depth: usize,
    operators: usize,
    keys: usize,
    exprs: u32,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> u8 {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> u8 {
        self.bytes.get(self.at + by).copied().unwrap_or(0)
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    /// Passes over a byte that has to stand here.
    fn eat(&mut self, byte: u8) -> Option<()> {
        if self.peek() != byte {
            return None;
        }
        self.at += 1;
        Some(())
    }

    fn span(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// What separates tokens here: newlines and comments of lines too, where they mean nothing.
    fn space(&mut self) -> Option<()> {
        if self.passed.0 == self.at {
            self.at = self.passed.1;
            return Some(());
        }
        let start = self.at;
        if self.flat {
            self.trivia()?;
        } else {
            self.inline()?;
        }
        self.passed = (start, self.at);
        Some(())
    }

    /// Spaces, tabs, comments between `/*` and `*/`.
    fn inline(&mut self) -> Option<()> {
        loop {
            match self.peek() {
                b' ' | b'\t' => self.at += 1,
                b'/' if self.ahead(1) == b'*' => {
                    let body = self.bytes.get(self.at + 2..).unwrap_or(&[]);
                    self.at += memchr::memmem::find(body, b"*/")? + 4;
                }
                _ => return Some(()),
            }
        }
    }

    /// Whitespace and comments of every kind.
    fn trivia(&mut self) -> Option<()> {
        loop {
            self.inline()?;
            if self.peek() == b'\n' {
                self.at += 1;
            } else if !self.comment() {
                return Some(());
            }
        }
    }

    /// A comment up to its line's end, if one begins here.
    fn comment(&mut self) -> bool {
        let begins = self.peek() == b'#' || (self.peek() == b'/' && self.ahead(1) == b'/');
        if begins {
            self.at += memchr::memchr(b'\n', self.rest()).unwrap_or(self.rest().len());
        }
        begins
    }

    /// A name of ASCII letters.
    fn name(&mut self) -> Option<&'a str> {
        if !starts_name(self.peek()) {
            return None;
        }
        let part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        let rest = self.rest();
        let length = rest.iter().position(|b| !part(b)).unwrap_or(rest.len());
        let start = self.at;
        self.at += length;
        if !self.peek().is_ascii() {
            return None;
        }
        self.text.get(start..self.at)
    }

    fn ident(&mut self) -> Option<Ident> {
        let start = self.at;
        let text = Arc::from(self.name()?);
        Some(Ident { text, span: self.span(start) })
    }

    /// One level deeper; what is inside says whether newlines mean something there.
    fn inside<T>(&mut self, flat: bool, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = std::mem::replace(&mut self.flat, flat);
        self.depth += 1;
        if self.depth > LEVELS {
            return None;
        }
        self.passed = (0, 0);
        let done = read(self)?;
        self.passed = (0, 0);
        self.depth -= 1;
        self.flat = before;
        Some(done)
    }
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// An expression without its number; see [`number`].
fn made(span: Span, kind: ExprKind) -> Expr {
    Expr { id: ExprId(0), span, kind }
}
