//! Quoted strings and templates.

use super::{Reader, made};
use crate::syntax::lower::{normal, unescape};
use crate::syntax::tree::{Expr, ExprKind, Ident, Template, TemplatePart};
use crate::text::Span;
use std::sync::Arc;

impl Reader<'_> {
    /// A string, or a template with interpolations.
    pub(super) fn string(&mut self) -> Option<Expr> {
        let start = self.at;
        self.at += 1;
        let mut parts = Vec::new();
        let mut literal = self.at;
        while !self.text_ends()? {
            self.literal(literal, &mut parts)?;
            parts.push(self.interpolation()?);
            literal = self.at;
        }
        let kind = if parts.is_empty() {
            ExprKind::String(self.decoded(self.span(literal))?)
        } else {
            self.literal(literal, &mut parts)?;
            ExprKind::Template(Template { parts, heredoc: false })
        };
        self.at += 1;
        Some(made(self.span(start), kind))
    }

    /// A block's label in quotes.
    pub(super) fn label(&mut self) -> Option<Ident> {
        let start = self.at;
        self.at += 1;
        if !self.text_ends()? {
            return None;
        }
        let text = self.decoded(self.span(start + 1))?;
        self.at += 1;
        Some(Ident { text, span: self.span(start) })
    }

    /// Goes to the closing quote (true) or to the next interpolation (false).
    fn text_ends(&mut self) -> Option<bool> {
        let special = |b: &u8| matches!(b, b'"' | b'\\' | b'$' | b'%' | b'\n');
        loop {
            self.at += self.rest().iter().position(special)?;
            match self.peek() {
                b'"' => return Some(true),
                b'\\' if self.ahead(1) != b'\n' => self.at += 2,
                marker @ (b'$' | b'%') => {
                    let run = self.rest().iter().take_while(|b| **b == marker).count();
                    match (self.ahead(run), run, marker) {
                        (b'{', 1, b'$') => return Some(false),
                        (b'{', 1, _) => return None,
                        // Of a longer run the last two with the brace are an escape.
                        (b'{', ..) => self.at += run + 1,
                        _ => self.at += run,
                    }
                }
                _ => return None,
            }
        }
    }

    /// The text from `start` on as a part, if there is any.
    fn literal(&self, start: usize, parts: &mut Vec<TemplatePart>) -> Option<()> {
        let span = self.span(start);
        if !span.is_empty() {
            parts.push(TemplatePart::Literal(self.decoded(span)?, span));
        }
        Some(())
    }

    fn decoded(&self, span: Span) -> Option<Arc<str>> {
        unescape(self.slice(span), span.range().start).ok().map(|text| normal(&text))
    }

    fn interpolation(&mut self) -> Option<TemplatePart> {
        let start = self.at;
        self.at += 2;
        let expr = self.inside(true, |r| {
            r.space()?;
            let expr = r.expr()?;
            r.space()?;
            r.eat(b'}')?;
            Some(expr)
        })?;
        Some(TemplatePart::Interpolation(expr, self.span(start)))
    }
}
