//! Attributes and blocks.

use super::{Reader, starts_name};
use crate::syntax::tree::{Attribute, Block, Body, Ident, Item};
use crate::text::Span;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Bodies of up to so many items are looked through in pairs.
const SMALL: usize = 8;

impl Reader<'_> {
    /// The items up to the end, or up to a closing brace, which stays.
    pub(super) fn items(&mut self, braced: bool) -> Option<Vec<Item>> {
        let mut items = Vec::new();
        loop {
            self.trivia()?;
            if braced && self.peek() == b'}' {
                break;
            }
            if self.at == self.bytes.len() {
                if braced {
                    return None;
                }
                break;
            }
            items.push(self.item()?);
            self.inline()?;
            self.comment();
            if self.at < self.bytes.len() {
                self.eat(b'\n')?;
            }
        }
        distinct(&items).then_some(items)
    }

    fn item(&mut self) -> Option<Item> {
        let name = self.ident()?;
        self.inline()?;
        if self.peek() == b'=' {
            return Some(Item::Attribute(Arc::new(self.attribute(name)?)));
        }
        let mut labels = Vec::new();
        while self.peek() != b'{' {
            labels.push(if self.peek() == b'"' { self.label()? } else { self.ident()? });
            self.inline()?;
        }
        self.inside(false, |r| Some(Item::Block(Arc::new(r.block(name, labels)?))))
    }

    /// Reads an attribute from the equals sign on.
    fn attribute(&mut self, name: Ident) -> Option<Attribute> {
        self.eat(b'=')?;
        self.inline()?;
        self.below = 0;
        let expr = self.expr()?;
        Some(Attribute { span: name.span.to(expr.span), name, expr })
    }

    /// Reads a block from the opening brace on.
    fn block(&mut self, kind: Ident, labels: Vec<Ident>) -> Option<Block> {
        let open = self.at;
        self.eat(b'{')?;
        self.inline()?;
        let items = if starts_name(self.peek()) {
            let name = self.ident()?;
            self.inline()?;
            let attribute = self.attribute(name)?;
            self.inline()?;
            vec![Item::Attribute(Arc::new(attribute))]
        } else if self.peek() == b'}' {
            Vec::new()
        } else {
            self.comment();
            self.eat(b'\n')?;
            self.items(true)?
        };
        let close = self.at;
        self.eat(b'}')?;
        let span = Span::new(open + 1, close);
        let one_line = !self.slice(span).contains('\n');
        Some(Block {
            span: Span { start: kind.span.start, end: span.end + 1 },
            kind,
            labels,
            body: Body { span, items },
            braces: self.span(open),
            one_line,
        })
    }
}

/// Returns true if no attribute stands there twice.
fn distinct(items: &[Item]) -> bool {
    let name = |item: &Item| match item {
        Item::Attribute(a) => Some(Arc::clone(&a.name.text)),
        Item::Block(_) => None,
    };
    let names: Vec<Arc<str>> = items.iter().filter_map(name).collect();
    if names.len() <= SMALL {
        return names.iter().enumerate().all(|(i, n)| !names.iter().take(i).any(|before| before == n));
    }
    let mut seen = FxHashSet::default();
    names.iter().all(|n| seen.insert(&**n))
}
