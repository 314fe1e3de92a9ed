//! Steps after a term: attributes, indexes, full splats.

use super::{Reader, made, starts_name};
use crate::syntax::tree::{Expr, ExprKind, Ident, Splat, SplatStep};

/// A step as it is written.
enum Step {
    Attr(Ident),
    Index(Expr),
    Splat,
}

impl Reader<'_> {
    /// Wraps a term into the steps that follow it.
    pub(super) fn steps(&mut self, term: Expr) -> Option<Expr> {
        let start = term.span.range().start;
        let mut expr = term;
        let mut count = 0;
        while let Some(step) = self.step(&mut count)? {
            let span = self.span(start);
            let kind = match step {
                Step::Attr(name) => ExprKind::GetAttr(Box::new(expr), name),
                Step::Index(key) => ExprKind::Index(Box::new(expr), Box::new(key)),
                Step::Splat => return self.splat(expr, count),
            };
            expr = made(span, kind);
        }
        self.below += count;
        Some(expr)
    }

    /// All that follows a full splat belongs to it. Its marker has just been read.
    fn splat(&mut self, source: Expr, mut count: usize) -> Option<Expr> {
        let start = source.span.range().start;
        let opened = self.bytes.get(..self.at).and_then(|before| memchr::memrchr(b'[', before))?;
        let marker = self.span(opened);
        let mut each = Vec::new();
        while let Some(step) = self.step(&mut count)? {
            each.push(match step {
                Step::Attr(name) => SplatStep::Attr(name),
                Step::Index(key) => SplatStep::Index(key),
                Step::Splat => return None,
            });
        }
        self.below += count;
        let splat = Splat { source, full: true, marker, each };
        Some(made(self.span(start), ExprKind::Splat(Box::new(splat))))
    }

    /// The next step, if one follows; else nothing is passed over.
    fn step(&mut self, count: &mut usize) -> Option<Option<Step>> {
        let end = self.at;
        self.space()?;
        let step = match (self.peek(), self.ahead(1)) {
            (b'.', next) if starts_name(next) => {
                self.at += 1;
                Step::Attr(self.ident()?)
            }
            (b'.', next) if next != b'.' => return None,
            (b'[', _) => self.bracketed()?,
            _ => {
                self.at = end;
                return Some(None);
            }
        };
        *count += 1;
        self.high(*count)?;
        Some(Some(step))
    }

    fn bracketed(&mut self) -> Option<Step> {
        self.at += 1;
        self.inside(true, |r| {
            r.space()?;
            let step = if r.peek() == b'*' {
                r.at += 1;
                Step::Splat
            } else {
                Step::Index(r.expr()?)
            };
            r.space()?;
            r.eat(b']')?;
            Some(step)
        })
    }
}
