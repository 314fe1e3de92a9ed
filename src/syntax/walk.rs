//! The one exhaustive walk over the tree.
//!
//! Invariant: every `match` here names every variant, so that a new one does not compile before it is walked; children
//! come in pre-order, the order in which ids are given. Absent on purpose: scopes (see [`super::traversal`]).

use super::tree::{Attribute, Block, Body, Expr, ExprKind, Item, ObjectKey, SplatStep, TemplatePart};

impl Expr {
    /// The expressions directly inside, in the order of their ids.
    ///
    /// Keys of objects that are expressions, collections of `for` expressions and directives, conditions and index
    /// keys are among them; bare object keys are names, not expressions.
    pub fn children(&self) -> Vec<&Expr> {
        let mut children = Vec::new();
        self.each_child(&mut |c| children.push(c));
        children
    }

    /// Calls `each` with every expression directly inside; see [`Expr::children`].
    pub fn each_child<'e>(&'e self, each: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Null
            | ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::String(_)
            | ExprKind::Variable(_) => {}
            ExprKind::Template(t) => template_parts(&t.parts, each),
            ExprKind::Tuple(items) => items.iter().for_each(each),
            ExprKind::Object(items) => {
                for item in items {
                    match &item.key {
                        ObjectKey::Name(_) => {}
                        ObjectKey::Expr(key) => each(key),
                    }
                    each(&item.value);
                }
            }
            ExprKind::GetAttr(base, _) | ExprKind::LegacyIndex(base, _) => each(base),
            ExprKind::Index(base, key) => {
                each(base);
                each(key);
            }
            ExprKind::Splat(splat) => {
                each(&splat.source);
                splat_steps(&splat.each, each);
            }
            ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => each(inner),
            ExprKind::Binary(_, left, right) => {
                each(left);
                each(right);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                each(condition);
                each(then);
                each(otherwise);
            }
            ExprKind::Call(call) => call.args.iter().for_each(each),
            ExprKind::For(f) => {
                each(&f.collection);
                f.result_key.iter().for_each(&mut *each);
                each(&f.result);
                f.condition.iter().for_each(each);
            }
        }
    }
}

fn template_parts<'e>(parts: &'e [TemplatePart], each: &mut dyn FnMut(&'e Expr)) {
    for part in parts {
        match part {
            TemplatePart::Literal(..) => {}
            TemplatePart::Interpolation(expr, _) => each(expr),
            TemplatePart::If { condition, then, otherwise, span: _ } => {
                each(condition);
                template_parts(then, each);
                template_parts(otherwise, each);
            }
            TemplatePart::For { key: _, value: _, collection, body, span: _ } => {
                each(collection);
                template_parts(body, each);
            }
        }
    }
}

fn splat_steps<'e>(steps: &'e [SplatStep], each: &mut dyn FnMut(&'e Expr)) {
    for step in steps {
        match step {
            SplatStep::Attr(_) | SplatStep::LegacyIndex(..) => {}
            SplatStep::Index(key) => each(key),
            SplatStep::Splat(inner) => splat_steps(&inner.each, each),
        }
    }
}

/// Visits an expression and, where `visit` says `true`, everything in it, in pre-order.
pub fn walk<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr) -> bool) {
    if visit(expr) {
        expr.each_child(&mut |child| walk(child, visit));
    }
}

/// Visits every attribute of a body and of the blocks in it, in source order, with the blocks around it from the
/// outside in.
pub fn walk_body<'b>(body: &'b Body, visit: &mut dyn FnMut(&[&'b Block], &'b Attribute)) {
    items(body, &mut Vec::new(), visit);
}

fn items<'b>(body: &'b Body, path: &mut Vec<&'b Block>, visit: &mut dyn FnMut(&[&'b Block], &'b Attribute)) {
    for item in &body.items {
        match item {
            Item::Attribute(attribute) => visit(path, attribute),
            Item::Block(block) => {
                path.push(block);
                items(&block.body, path, visit);
                path.pop();
            }
        }
    }
}
