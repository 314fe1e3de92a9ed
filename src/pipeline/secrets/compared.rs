//! What secrets are compared with, or combined with in another way: literals that may say what a secret is.
//!
//! In: an expression, and what names stand for around it. Out: where its literals stand that a secret meets. The rule is one: whatever an operator, an index, a call, a
//! `for` or any other expression makes of a secret and of literals, these may tell it. Shown stay those that only stand beside it: arms of conditionals,
//! elements of lists, entries of objects, sides of `&&` and `||`, and parts of texts. Absent on purpose: values.

use super::shape::{Edge, Finder, Shape};
use crate::addr::Target;
use crate::syntax::walk::walk;
use crate::syntax::{BinaryOp, Expr, ExprKind, For, ObjectKey, Template, TemplatePart, UnaryOp};
use crate::text::Span;

/// Below more expressions than this, each of which takes something for no secret, all counts as one.
const DEEPEST: usize = 24;

/// Finds the literals of an expression that secrets meet.
pub(super) struct Comparisons<'f, 'r, 'c> {
    pub finder: Finder<'r, 'c>,
    /// Says if an edge leads to a secret.
    pub is_secret: &'f dyn Fn(&Edge, &Target) -> bool,
    pub found: Vec<Span>,
}

impl Comparisons<'_, '_, '_> {
    /// Looks through an expression.
    pub fn find_in(&mut self, expr: &Expr) {
        self.look(expr, 0);
    }

    /// Returns true if a secret has a part in an expression, or too much was looked at to say.
    pub fn has_part_in(&mut self, expr: &Expr) -> bool {
        let shape = self.finder.shape(expr);
        self.are_secret(&shape)
    }

    fn are_secret(&self, shape: &Shape) -> bool {
        self.finder.roots.is_spent()
            || shape.iter().any(|edge| {
                self.finder.roots.all.get(edge.root).is_none_or(|(_, target)| (self.is_secret)(edge, target))
            })
    }

    fn look(&mut self, expr: &Expr, depth: usize) {
        match &expr.kind {
            ExprKind::Paren(inner) | ExprKind::Unary(UnaryOp::Not, inner) => self.look(inner, depth),
            ExprKind::GetAttr(inner, _) | ExprKind::LegacyIndex(inner, _) => self.look(inner, depth),
            ExprKind::Tuple(items) => items.iter().for_each(|item| self.look(item, depth)),
            ExprKind::Object(items) => {
                for item in items {
                    if let ObjectKey::Expr(key) = &item.key {
                        self.look(key, depth);
                    }
                    self.look(&item.value, depth);
                }
            }
            ExprKind::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|part| self.look(part, depth));
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.look(left, depth);
                self.look(right, depth);
            }
            ExprKind::Template(template) if is_joining(template) => {
                expr.each_child(&mut |inner| self.look(inner, depth));
            }
            // A name that is written out picks what has it. It tells something only where names come from a secret.
            ExprKind::Index(source, key) if matches!(key.kind, ExprKind::String(_) | ExprKind::Number(_)) => {
                let shape = self.finder.shape(source);
                let keys = self.finder.keys(&shape);
                if self.are_secret(&keys) {
                    self.found.push(key.span);
                }
                self.look(source, depth);
            }
            ExprKind::Null
            | ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::String(_)
            | ExprKind::Variable(_) => {}
            _ if depth >= DEEPEST || self.has_part_in(expr) => add_literals(expr, &mut self.found),
            // What is none as a whole may hold one that somebody says is none.
            ExprKind::For(of) => self.look_within(of, depth + 1),
            _ => expr.each_child(&mut |inner| self.look(inner, depth + 1)),
        }
    }

    fn look_within(&mut self, of: &For, depth: usize) {
        self.look(&of.collection, depth);
        let collection = self.finder.shape(&of.collection);
        let outside = self.finder.names.len();
        self.finder.bind(of.key.as_ref().map(|key| &key.text), &of.value.text, &collection);
        let parts = of.result_key.iter().chain([&of.result]).chain(&of.condition);
        parts.for_each(|part| self.look(part, depth));
        self.finder.names.truncate(outside);
    }
}

/// Returns true for a text that only has others as its parts.
fn is_joining(template: &Template) -> bool {
    let is_one = |part: &TemplatePart| match part {
        TemplatePart::Literal(..) | TemplatePart::Interpolation(..) => true,
        TemplatePart::If { .. } | TemplatePart::For { .. } => false,
    };
    template.parts.iter().all(is_one)
}

/// Adds where the literals of an expression stand.
pub(in crate::pipeline) fn add_literals(expr: &Expr, found: &mut Vec<Span>) {
    walk(expr, &mut |inner| {
        match &inner.kind {
            ExprKind::String(text) if !text.is_empty() => found.push(inner.span),
            ExprKind::Number(_) | ExprKind::Template(_) => found.push(inner.span),
            ExprKind::Object(items) => {
                for item in items {
                    if let ObjectKey::Name(name) = &item.key {
                        found.push(name.span);
                    }
                }
            }
            _ => {}
        }
        true
    });
}
