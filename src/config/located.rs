//! A node of a syntax tree together with the file it stands in.

use crate::syntax::{Attribute, Block, Expr};
use crate::text::{Place, SourceId, Span};
use std::ops::Deref;
use std::sync::Arc;

/// A node and its file. Cheap to clone. Merged declarations hold nodes of several files, so each carries its own.
#[derive(Debug)]
pub struct In<T> {
    /// The file.
    pub file: SourceId,
    /// The node.
    pub node: Arc<T>,
}

impl<T> Clone for In<T> {
    fn clone(&self) -> In<T> {
        In { file: self.file, node: self.node.clone() }
    }
}

impl<T> In<T> {
    /// A node of a file.
    pub fn new(file: SourceId, node: impl Into<Arc<T>>) -> In<T> {
        In { file, node: node.into() }
    }

    /// A span in the same file.
    pub fn at(&self, span: Span) -> Place {
        Place { file: self.file, span }
    }
}

impl<T> Deref for In<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.node
    }
}

impl In<Attribute> {
    /// Returns the place of the attribute, from name to value.
    pub fn place(&self) -> Place {
        self.at(self.node.span)
    }

    /// Returns the place of its value.
    pub fn value_place(&self) -> Place {
        self.at(self.node.expr.span)
    }
}

impl In<Block> {
    /// Returns the place of the whole block.
    pub fn place(&self) -> Place {
        self.at(self.node.span)
    }

    /// Returns the place of the block's type and labels.
    pub fn header(&self) -> Place {
        let last = self.node.labels.last().map_or(self.node.kind.span, |l| l.span);
        self.at(self.node.kind.span.to(last))
    }
}

impl In<Expr> {
    /// Returns the place of the expression.
    pub fn place(&self) -> Place {
        self.at(self.node.span)
    }
}
