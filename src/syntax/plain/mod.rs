//! The plain forms of the language, read straight into the tree: nearly all that configurations are made of.
//!
//! Input: a text without NUL bytes, within the size limit, and how far to follow it. Output: the tree that the whole
//! grammar gives for it (see [`super::parse`]), or nothing where a form isn't plain: heredocs, directives, strip markers,
//! legacy indexes, names beyond ASCII, and whatever is wrong. Invariant: what both accept has the same tree, byte for byte
//! (`tests/plain.rs` compares them), and only for its depth and size does the whole grammar refuse what is read here. Absent on
//! purpose: errors, since only the whole grammar says what is wrong.

mod body;
mod expr;
mod object;
mod repeat;
mod steps;
mod string;
mod term;

use super::limits;
use super::tree::{Body, Expr, ExprKind, Ident};
use crate::text::Span;
use std::sync::Arc;

/// The limits up to which a text is read.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// The number of levels that blocks, brackets, arms and signs may nest.
    levels: usize,
    /// The height that an expression's tree may have. Each operator of a chain and each step of a traversal is a
    /// level.
    height: usize,
}

impl Reach {
    /// The limits for any stack.
    pub(super) const NEAR: Reach = Reach { levels: 16, height: 128 };
    /// The limits for a big stack.
    pub(super) const FAR: Reach = Reach { levels: limits::NESTING, height: limits::TREE_DEPTH };
}

/// The reason why a text was not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Other {
    /// It goes on deeper than it was followed.
    Deeper,
    /// Not all of it is plain.
    Form,
}

/// Reads a file, if it is plain.
pub(super) fn file(text: &str, reach: Reach) -> Result<Body, Other> {
    Reader::read(text, reach, |r| Some(Body { items: r.items(false)?, span: Span::new(0, text.len()) }))
}

/// Reads a standalone expression, if it is plain.
pub(super) fn standalone(text: &str, reach: Reach) -> Result<Expr, Other> {
    Reader::read(text, reach, |r| {
        r.flat = true;
        r.trivia()?;
        let expr = r.expr()?;
        r.space()?;
        (r.at == r.bytes.len()).then_some(expr)
    })
}

/// The state of reading; `at` is the next byte. Nothing is undone where a form isn't plain, since all is given up then.
struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// True if newlines mean nothing here.
    flat: bool,
    /// The start and end of the spaces that were skipped last. It is asked in turn if a step, an operator or an arm
    /// follows.
    passed: (usize, usize),
    reach: Reach,
    depth: usize,
    /// The height of the highest tree that was read inside of what is being read.
    below: usize,
    /// True if the text was given up for its depth.
    deeper: bool,
}

impl<'a> Reader<'a> {
    fn read<T>(text: &'a str, reach: Reach, all: impl FnOnce(&mut Self) -> Option<T>) -> Result<T, Other> {
        if memchr::memchr(b'\r', text.as_bytes()).is_some() {
            return Err(Other::Form);
        }
        let mut reader = Reader {
            text,
            bytes: text.as_bytes(),
            at: 0,
            flat: false,
            passed: (0, 0),
            reach,
            depth: 0,
            below: 0,
            deeper: false,
        };
        let done = all(&mut reader);
        done.ok_or(if reader.deeper { Other::Deeper } else { Other::Form })
    }

    /// Returns `None` if the tree becomes higher than the limit.
    fn high(&mut self, height: usize) -> Option<()> {
        self.deeper |= height > self.reach.height;
        (height <= self.reach.height).then_some(())
    }

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

    /// Skips what separates tokens, including newlines and line comments where they have no meaning.
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

    /// Reads one level deeper; `flat` says if newlines have no meaning there.
    fn inside<T>(&mut self, flat: bool, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = std::mem::replace(&mut self.flat, flat);
        self.depth += 1;
        if self.depth > self.reach.levels {
            self.deeper = true;
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

fn made(span: Span, kind: ExprKind) -> Expr {
    Expr { span, kind }
}
