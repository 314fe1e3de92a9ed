//! Typed nodes and the edges between an expression and its parts.

use crate::syntax::{Expr, ExprKind};

/// What a node of the graph is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Node {
    Primitive,
    Reference,
    Conditional,
    Call,
    Operator,
    Template,
    Index,
    Splat,
    For,
    Object,
    List,
}

/// How a node hangs on another (the article, part 3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Edge {
    /// From a local or output to its value.
    Val,
    /// From a resource to an argument, or from a call to what it passes.
    Field,
    /// From an expression to a part of it.
    ExprArg(&'static str),
    /// From an iteration to the collection that it goes over.
    GenIter,
}

impl Node {
    /// What an expression is, parentheses aside.
    pub fn of(expr: &Expr) -> Node {
        match &expr.kind {
            ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => Node::Primitive,
            ExprKind::Variable(_) | ExprKind::GetAttr(..) => Node::Reference,
            ExprKind::Index(..) | ExprKind::LegacyIndex(..) => Node::Index,
            ExprKind::Conditional(..) => Node::Conditional,
            ExprKind::Call(_) => Node::Call,
            ExprKind::Unary(..) | ExprKind::Binary(..) => Node::Operator,
            ExprKind::Template(_) => Node::Template,
            ExprKind::Splat(_) => Node::Splat,
            ExprKind::For(_) => Node::For,
            ExprKind::Object(_) => Node::Object,
            ExprKind::Tuple(_) => Node::List,
            ExprKind::Paren(inner) => Node::of(inner),
        }
    }
}

/// The parts of an expression with the edge to each, in source order.
pub fn edges(expr: &Expr) -> Vec<(Edge, &Expr)> {
    match &expr.kind {
        ExprKind::Paren(inner) => edges(inner),
        ExprKind::Conditional(cond, then, otherwise) => vec![
            (Edge::ExprArg("condition"), cond),
            (Edge::ExprArg("true"), then),
            (Edge::ExprArg("false"), otherwise),
        ],
        ExprKind::For(f) => {
            let mut parts = vec![(Edge::GenIter, &f.collection)];
            parts.extend(f.result_key.iter().map(|k| (Edge::ExprArg("key"), k)));
            parts.push((Edge::ExprArg("value"), &f.result));
            parts.extend(f.condition.iter().map(|c| (Edge::ExprArg("if"), c)));
            parts
        }
        _ => expr.children().into_iter().map(|c| (Edge::ExprArg("part"), c)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conditional_has_three_edges() {
        let expr = crate::syntax::parse_expr("(var.a ? [1] : null)").unwrap();
        assert_eq!(Node::of(&expr), Node::Conditional);
        let kinds: Vec<_> = edges(&expr).into_iter().map(|(e, n)| (e, Node::of(n))).collect();
        let expected = [
            (Edge::ExprArg("condition"), Node::Reference),
            (Edge::ExprArg("true"), Node::List),
            (Edge::ExprArg("false"), Node::Primitive),
        ];
        assert_eq!(kinds, expected);
    }
}
