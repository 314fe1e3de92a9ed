//! Lowering: hcl-edit's structure and spans become our tree.
//!
//! Input: the original text, and what hcl-edit made of its shadow. Invariant:
//! every name, number and piece of text is read from the original. Absent on purpose: any decoded value of hcl-edit's.

mod body;
mod expr;
mod object;
mod template;
mod text;
mod traversal;

use super::error::ParseError;
use super::limits;
use super::scan::Heredoc;
use super::tree::{Expr, ExprKind, Ident};
use crate::issue::Code;
use crate::text::Span;
use std::ops::Range;
use std::sync::Arc;
pub(super) use text::{normal, unescape};

type Result<T> = std::result::Result<T, ParseError>;

/// The state of one lowering.
pub(super) struct Lower<'a> {
    text: &'a str,
    heredocs: &'a [Heredoc],
    /// The offset that is added to those of hcl-edit.
    base: usize,
    depth: usize,
}

impl<'a> Lower<'a> {
    pub(super) fn new(text: &'a str, heredocs: &'a [Heredoc], base: usize) -> Lower<'a> {
        Lower { text, heredocs, base, depth: 0 }
    }

    fn span(&self, node: &impl hcl_edit::Span) -> Result<Span> {
        match node.span() {
            Some(Range { start, end }) => Ok(Span::new(start + self.base, end + self.base)),
            None => Err(ParseError::at(self.base, "a part of this text has no known place")),
        }
    }

    fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or("")
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// A bare name.
    fn ident(&self, node: &impl hcl_edit::Span) -> Result<Ident> {
        let span = self.span(node)?;
        Ok(Ident { text: Arc::from(self.slice(span)), span })
    }

    /// Checks that a keyword stands apart from what follows it, which hcl-edit doesn't ask for (`ifx` as `if x`).
    fn apart(&self, follower: Span) -> Result<()> {
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let before = self.text.get(..follower.range().start).and_then(|t| t.chars().next_back());
        if before.is_some_and(word) && self.slice(follower).starts_with(word) {
            return Err(ParseError::over(follower, "expected a space after the keyword"));
        }
        Ok(())
    }

    /// Goes down `levels` of the tree.
    fn down<T>(&mut self, levels: usize, at: Span, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += levels;
        if self.depth > limits::TREE_DEPTH {
            let message =
                format!("nested too deeply: more than {} levels of expressions", limits::TREE_DEPTH);
            return Err(ParseError::over(at, message).beyond(Code::TooDeep));
        }
        let result = inner(self);
        self.depth -= levels;
        result
    }

    fn make(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Result<ExprKind>) -> Result<Expr> {
        Ok(Expr { kind: self.down(1, span, inner)?, span })
    }
}
