//! Terms: names, calls, literals, brackets.

use super::{Reader, made, starts_name};
use crate::syntax::tree::{Call, Expr, ExprKind, Ident};
use crate::text::Span;
use crate::value::Number;
use std::sync::Arc;

/// Longer numbers are read otherwise.
const DIGITS: usize = 15;

impl Reader<'_> {
    /// A term with the steps after it.
    pub(super) fn term(&mut self) -> Option<Expr> {
        let term = match self.peek() {
            b'"' => self.string()?,
            b'(' => self.paren()?,
            b'[' => self.tuple()?,
            b'{' => self.brace()?,
            b'0'..=b'9' => self.digits()?,
            b if starts_name(b) => self.named()?,
            _ => return None,
        };
        self.steps(term)
    }

    /// A name, a keyword, or a call.
    fn named(&mut self) -> Option<Expr> {
        let start = self.at;
        let name = self.name()?;
        let span = self.span(start);
        self.space()?;
        match (self.peek(), self.ahead(1)) {
            (b'(', _) => return self.call(Ident { text: Arc::from(name), span }),
            (b':', b':') => return None,
            _ => self.at = span.range().end,
        }
        let kind = match name {
            "null" => ExprKind::Null,
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            name => ExprKind::Variable(Arc::from(name)),
        };
        Some(made(span, kind))
    }

    /// Reads a call from the opening parenthesis on.
    fn call(&mut self, name: Ident) -> Option<Expr> {
        self.at += 1;
        let start = name.span.range().start;
        let (args, expand_final) = self.inside(true, |r| {
            let args = r.list(b')')?;
            let expand = !args.is_empty() && r.dots();
            r.space()?;
            r.eat(b')')?;
            Some((args, expand))
        })?;
        Some(made(self.span(start), ExprKind::Call(Box::new(Call { name, args, expand_final }))))
    }

    /// `...`, if it stands here.
    pub(super) fn dots(&mut self) -> bool {
        let found = self.rest().starts_with(b"...");
        if found {
            self.at += 3;
        }
        found
    }

    /// Expressions between commas, up to `close` or to dots right behind one.
    fn list(&mut self, close: u8) -> Option<Vec<Expr>> {
        let mut items = Vec::new();
        loop {
            self.space()?;
            if self.peek() == close {
                return Some(items);
            }
            items.push(self.expr()?);
            self.space()?;
            if self.peek() != b',' {
                return Some(items);
            }
            self.at += 1;
        }
    }

    pub(super) fn paren(&mut self) -> Option<Expr> {
        let start = self.at;
        self.at += 1;
        let inner = self.inside(true, |r| {
            r.space()?;
            let inner = r.expr()?;
            r.space()?;
            r.eat(b')')?;
            Some(inner)
        })?;
        Some(made(self.span(start), ExprKind::Paren(Box::new(inner))))
    }

    fn tuple(&mut self) -> Option<Expr> {
        let start = self.at;
        self.at += 1;
        let kind = self.inside(true, |r| {
            r.space()?;
            let kind = match r.repeats()? {
                true => r.repeated(b']')?,
                false => ExprKind::Tuple(r.list(b']')?),
            };
            r.eat(b']')?;
            Some(kind)
        })?;
        Some(made(self.span(start), kind))
    }

    fn digits(&mut self) -> Option<Expr> {
        let start = self.at;
        self.run_of_digits();
        if self.peek() == b'.' && self.ahead(1) != b'.' {
            self.at += 1;
            let fraction = self.at;
            self.run_of_digits();
            if self.at == fraction {
                return None;
            }
        }
        let span = self.span(start);
        if span.len() > DIGITS || self.peek().is_ascii_alphabetic() || matches!(self.peek(), b'_' | 0x80..) {
            return None;
        }
        self.plain_number(span)
    }

    fn plain_number(&self, span: Span) -> Option<Expr> {
        let number = Number::parse(self.slice(span)).ok()?;
        Some(made(span, ExprKind::Number(Arc::new(number))))
    }

    fn run_of_digits(&mut self) {
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
    }
}
