//! `for` expressions.

use super::Reader;
use crate::syntax::tree::{ExprKind, For};

impl Reader<'_> {
    /// Says if a `for` expression begins here, after the bracket and the spaces behind it.
    pub(super) fn repeats(&self) -> Option<bool> {
        let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | 0x80..);
        if !self.rest().starts_with(b"for") || word(self.ahead(3)) {
            return Some(false);
        }
        // Of a name that is written like the keyword the whole grammar has to say what it is.
        matches!(self.ahead(3), b' ' | b'\t' | b'\n' | b'#' | b'/').then_some(true)
    }

    /// Reads a `for` expression from the keyword up to `close`.
    pub(super) fn repeated(&mut self, close: u8) -> Option<ExprKind> {
        self.at += 3;
        self.space()?;
        let first = self.ident()?;
        self.space()?;
        let (key, value) = if self.peek() == b',' {
            self.at += 1;
            self.space()?;
            let value = self.ident()?;
            self.space()?;
            (Some(first), value)
        } else {
            (None, first)
        };
        self.keyword("in")?;
        let collection = self.expr()?;
        self.space()?;
        self.eat(b':')?;
        self.space()?;
        let mut result = self.expr()?;
        self.space()?;
        let (mut result_key, mut group) = (None, false);
        if close == b'}' {
            self.eat(b'=')?;
            self.eat(b'>')?;
            self.space()?;
            result_key = Some(std::mem::replace(&mut result, self.expr()?));
            self.space()?;
            group = self.dots();
            self.space()?;
        }
        let mut condition = None;
        if self.peek() != close {
            self.keyword("if")?;
            condition = Some(self.expr()?);
            self.space()?;
        }
        Some(ExprKind::For(Box::new(For { key, value, collection, result_key, result, group, condition })))
    }

    fn keyword(&mut self, word: &str) -> Option<()> {
        (self.name()? == word).then_some(())?;
        self.space()
    }
}
