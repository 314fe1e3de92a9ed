//! The one exhaustive walk over the tree, for looking at it and for changing it.
//!
//! Invariant: every `match` here names every variant, so that a new one does not compile before it is walked; children
//! come in the order of the text. Absent on purpose: what names mean (see [`super::traversal`]).

use super::tree::{
    Attribute, Block, Body, Call, Expr, ExprKind, For, Ident, InnerSplat, Item, ObjectKey, Splat, SplatStep,
    TemplatePart,
};
use crate::text::Span;
use std::sync::Arc;

/// Writes a walk over what stands directly inside of an expression; once for looking, once for changing.
macro_rules! parts_of {
    ($(#[$about:meta])* $Part:ident, $each:ident, $in_template:ident, $in_steps:ident $(, $mut:tt)?) => {
        $(#[$about])*
        #[derive(Debug)]
        pub enum $Part<'e> {
            /// An expression.
            Expr(&'e $($mut)? Expr),
            /// A name that stands in no expression of its own: of a function, an attribute, a bare key, or what a `for` binds.
            Name(&'e $($mut)? Ident),
            /// The place of something without a node: a splat's marker, a legacy index, a part of a template.
            Place(&'e $($mut)? Span),
        }

        impl Expr {
            /// Calls `each` with every part directly inside, and the names that are bound for it there. Expressions come in the
            /// order of the text: see [`Expr::children`].
            pub fn $each<'e>(&'e $($mut)? self, each: &mut dyn FnMut($Part<'e>, &[Arc<str>])) {
                match &$($mut)? self.kind {
                    ExprKind::Null
                    | ExprKind::Bool(_)
                    | ExprKind::Number(_)
                    | ExprKind::String(_)
                    | ExprKind::Variable(_) => {}
                    ExprKind::Template(t) => $in_template(&$($mut)? t.parts, &mut Vec::new(), each),
                    ExprKind::Tuple(items) => {
                        for item in items {
                            each($Part::Expr(item), &[]);
                        }
                    }
                    ExprKind::Object(items) => {
                        for item in items {
                            match &$($mut)? item.key {
                                ObjectKey::Name(name) => each($Part::Name(name), &[]),
                                ObjectKey::Expr(key) => each($Part::Expr(key), &[]),
                            }
                            each($Part::Expr(&$($mut)? item.value), &[]);
                        }
                    }
                    ExprKind::GetAttr(base, name) => {
                        each($Part::Name(name), &[]);
                        each($Part::Expr(base), &[]);
                    }
                    ExprKind::LegacyIndex(inner, _) | ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => {
                        each($Part::Expr(inner), &[]);
                    }
                    ExprKind::Index(first, second) | ExprKind::Binary(_, first, second) => {
                        each($Part::Expr(first), &[]);
                        each($Part::Expr(second), &[]);
                    }
                    ExprKind::Splat(splat) => {
                        let Splat { source, full: _, marker, each: steps } = &$($mut)? **splat;
                        each($Part::Place(marker), &[]);
                        each($Part::Expr(source), &[]);
                        $in_steps(steps, each);
                    }
                    ExprKind::Conditional(condition, then, otherwise) => {
                        each($Part::Expr(condition), &[]);
                        each($Part::Expr(then), &[]);
                        each($Part::Expr(otherwise), &[]);
                    }
                    ExprKind::Call(call) => {
                        let Call { name, args, expand_final: _ } = &$($mut)? **call;
                        each($Part::Name(name), &[]);
                        for arg in args {
                            each($Part::Expr(arg), &[]);
                        }
                    }
                    ExprKind::For(f) => {
                        let For { key, value, collection, result_key, result, group: _, condition } =
                            &$($mut)? **f;
                        let bound: Vec<Arc<str>> = key.iter().chain([&*value]).map(|n| n.text.clone()).collect();
                        each($Part::Expr(collection), &[]);
                        if let Some(result_key) = result_key {
                            each($Part::Expr(result_key), &bound);
                        }
                        each($Part::Expr(result), &bound);
                        if let Some(condition) = condition {
                            each($Part::Expr(condition), &bound);
                        }
                        if let Some(key) = key {
                            each($Part::Name(key), &[]);
                        }
                        each($Part::Name(value), &[]);
                    }
                }
            }
        }

        /// Calls `each` with every part directly inside of a template's parts, and the names that are bound for it there, beside `bound`.
        pub(crate) fn $in_template<'e>(
            parts: &'e $($mut)? [TemplatePart],
            bound: &mut Vec<Arc<str>>,
            each: &mut dyn FnMut($Part<'e>, &[Arc<str>]),
        ) {
            for part in parts {
                match part {
                    TemplatePart::Literal(_, span) => each($Part::Place(span), bound),
                    TemplatePart::Interpolation(expr, span) => {
                        each($Part::Place(span), bound);
                        each($Part::Expr(expr), bound);
                    }
                    TemplatePart::If { condition, then, otherwise, span } => {
                        each($Part::Place(span), bound);
                        each($Part::Expr(condition), bound);
                        $in_template(then, bound, each);
                        $in_template(otherwise, bound, each);
                    }
                    TemplatePart::For { key, value, collection, body, span } => {
                        each($Part::Place(span), bound);
                        each($Part::Expr(collection), bound);
                        let outside = bound.len();
                        bound.extend(key.iter().chain([&*value]).map(|n| n.text.clone()));
                        $in_template(body, bound, each);
                        bound.truncate(outside);
                        if let Some(key) = key {
                            each($Part::Name(key), bound);
                        }
                        each($Part::Name(value), bound);
                    }
                }
            }
        }

        fn $in_steps<'e>(steps: &'e $($mut)? [SplatStep], each: &mut dyn FnMut($Part<'e>, &[Arc<str>])) {
            for step in steps {
                match step {
                    SplatStep::Attr(name) => each($Part::Name(name), &[]),
                    SplatStep::Index(key) => each($Part::Expr(key), &[]),
                    SplatStep::LegacyIndex(_, span) => each($Part::Place(span), &[]),
                    SplatStep::Splat(inner) => {
                        let InnerSplat { full: _, marker, each: steps } = &$($mut)? **inner;
                        each($Part::Place(marker), &[]);
                        $in_steps(steps, each);
                    }
                }
            }
        }
    };
}

parts_of!(
    /// A part directly inside of an expression.
    Part, each_part, in_template, in_steps
);

parts_of!(
    /// A part directly inside of an expression, to be changed.
    PartMut, each_part_mut, in_template_mut, in_steps_mut, mut
);

impl Expr {
    /// The expressions directly inside, in the order of the text.
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
        self.each_part(&mut |part, _| match part {
            Part::Expr(child) => each(child),
            Part::Name(_) | Part::Place(_) => {}
        });
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
