//! Object constructors.

use super::{Lower, Result};
use crate::syntax::parse::parse_slice;
use crate::syntax::tree::{ExprKind, Ident, ObjectItem, ObjectKey};
use crate::text::Span;
use hcl_edit::expr as foreign;
use std::sync::Arc;

impl Lower<'_> {
    pub(super) fn object(&mut self, object: &foreign::Object) -> Result<ExprKind> {
        let mut items = Vec::with_capacity(object.len());
        for (key, value) in object.iter() {
            let key = self.key(key)?;
            items.push(ObjectItem { key, value: self.expr(value.expr())?, once: false });
        }
        Ok(ExprKind::Object(items))
    }

    /// A key; the keywords `null`, `true` and `false` are names here, as in HCL.
    fn key(&mut self, key: &foreign::ObjectKey) -> Result<ObjectKey> {
        let span = match key {
            foreign::ObjectKey::Ident(name) => self.span(name)?,
            foreign::ObjectKey::Expression(expr) => self.span(expr)?,
        };
        let text = self.slice(span);
        if is_name(text) {
            return Ok(ObjectKey::Name(Ident { text: Arc::from(text), span }));
        }
        match key {
            foreign::ObjectKey::Expression(expr) => Ok(ObjectKey::Expr(self.expr(expr)?)),
            // A repeated key that the shadow renamed.
            foreign::ObjectKey::Ident(_) => self.renamed(span),
        }
    }

    fn renamed(&mut self, span: Span) -> Result<ObjectKey> {
        let range = span.range();
        let text = self.text.get(range.clone()).unwrap_or("");
        let base = std::mem::replace(&mut self.base, range.start);
        let expr = parse_slice(text, range.start).and_then(|e| self.expr(&e));
        self.base = base;
        Ok(ObjectKey::Expr(expr?))
    }
}

/// Returns true if a key that hcl-edit took for an expression or a name is written as a bare name.
fn is_name(text: &str) -> bool {
    let starts = text.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || !c.is_ascii());
    starts && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-') || !c.is_ascii())
}
