//! Bodies, attributes, blocks.

use super::{Lower, Result};
use crate::syntax::error::ParseError;
use crate::syntax::tree::{Attribute, Block, Body, Ident, Item};
use crate::syntax::trivia;
use crate::text::Span;
use hcl_edit::structure as foreign;
use std::sync::Arc;

impl Lower<'_> {
    /// A whole file.
    pub(in crate::syntax) fn file(&mut self, body: &foreign::Body) -> Result<Body> {
        let span = Span::new(0, self.text.len());
        Ok(Body { span, items: self.items(body)? })
    }

    fn items(&mut self, body: &foreign::Body) -> Result<Vec<Item>> {
        let mut items = Vec::with_capacity(body.len());
        for structure in body.iter() {
            items.push(match structure {
                foreign::Structure::Attribute(a) => Item::Attribute(Arc::new(self.attribute(a)?)),
                foreign::Structure::Block(b) => Item::Block(Arc::new(self.block(b)?)),
            });
        }
        Ok(items)
    }

    fn attribute(&mut self, attribute: &foreign::Attribute) -> Result<Attribute> {
        let name = self.ident(&attribute.key)?;
        let expr = self.expr(&attribute.value)?;
        Ok(Attribute { span: name.span.to(expr.span), name, expr })
    }

    fn block(&mut self, block: &foreign::Block) -> Result<Block> {
        let kind = self.ident(&block.ident)?;
        let labels = block.labels.iter().map(|l| self.label(l)).collect::<Result<Vec<_>>>()?;
        let head = labels.last().map_or(kind.span.end, |l| l.span.end);
        let end = self.span(block)?.end;
        // Only comments and spaces stand before the brace.
        let open = trivia::skip_inline(self.text, head);
        let close = end.saturating_sub(1);
        if self.byte(open as usize) != b'{' || self.byte(close as usize) != b'}' || close <= open {
            return Err(ParseError::over(kind.span, "the braces of this block were not found"));
        }
        let span = Span { start: open + 1, end: close };
        let body = Body { span, items: self.down(1, kind.span, |l| l.items(&block.body))? };
        let one_line = !self.slice(span).contains('\n');
        let braces = Span { start: open, end };
        Ok(Block { span: Span { start: kind.span.start, end }, kind, labels, body, braces, one_line })
    }

    fn label(&self, label: &foreign::BlockLabel) -> Result<Ident> {
        match label {
            foreign::BlockLabel::Ident(name) => self.ident(name),
            foreign::BlockLabel::String(text) => {
                let span = self.span(text)?;
                Ok(Ident { text: self.quoted(span)?, span })
            }
        }
    }
}
