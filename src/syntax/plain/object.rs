//! Object constructors.

use super::{Reader, made};
use crate::syntax::limits;
use crate::syntax::tree::{Expr, ExprKind, Ident, ObjectItem, ObjectKey};
use std::sync::Arc;

impl Reader<'_> {
    /// `{ … }` where a value is expected.
    pub(super) fn brace(&mut self) -> Option<Expr> {
        let start = self.at;
        self.at += 1;
        self.trivia()?;
        let kind = match self.repeats()? {
            true => self.inside(true, |r| {
                let kind = r.repeated(b'}')?;
                r.eat(b'}')?;
                Some(kind)
            }),
            false => self.inside(false, |r| Some(ExprKind::Object(r.entries()?))),
        }?;
        Some(made(self.span(start), kind))
    }

    /// The items, and the closing brace.
    fn entries(&mut self) -> Option<Vec<ObjectItem>> {
        let mut items = Vec::new();
        loop {
            self.trivia()?;
            if self.peek() == b'}' {
                self.at += 1;
                return Some(items);
            }
            items.push(self.entry()?);
            if items.len() > limits::OBJECT_KEYS {
                return None;
            }
            self.inline()?;
            match self.peek() {
                b'}' => {}
                b',' => self.at += 1,
                _ => {
                    self.comment();
                    self.eat(b'\n')?;
                }
            }
        }
    }

    fn entry(&mut self) -> Option<ObjectItem> {
        let outside = std::mem::take(&mut self.below);
        let key = self.key()?;
        self.below = outside.max(self.below + 1);
        self.inline()?;
        match (self.peek(), self.ahead(1)) {
            (b'=', b'=') | (b':', b':') => return None,
            (b'=' | b':', _) => self.at += 1,
            _ => return None,
        }
        self.inline()?;
        Some(ObjectItem { key, value: self.expr()?, once: false })
    }

    fn key(&mut self) -> Option<ObjectKey> {
        Some(match self.peek() {
            b'"' => ObjectKey::Expr(self.string()?),
            b'(' => ObjectKey::Expr(self.paren()?),
            _ => {
                let key = self.term()?;
                match key.kind {
                    // Keywords are names here.
                    ExprKind::Variable(_) | ExprKind::Null | ExprKind::Bool(_) => {
                        ObjectKey::Name(Ident { text: Arc::from(self.slice(key.span)), span: key.span })
                    }
                    ExprKind::GetAttr(..) | ExprKind::Call(_) => ObjectKey::Expr(key),
                    _ => return None,
                }
            }
        })
    }
}
