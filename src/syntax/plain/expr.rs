//! Operators and conditionals.

use super::{Reader, made};
use crate::syntax::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Reader<'_> {
    /// An expression; what follows it stays, spaces included.
    pub(super) fn expr(&mut self) -> Option<Expr> {
        let (condition, mut height) = self.binary(0)?;
        let end = self.at;
        self.space()?;
        let expr = if self.peek() == b'?' {
            self.at += 1;
            let outside = std::mem::take(&mut self.below);
            let expr = self.inside(self.flat, |r| r.arms(condition))?;
            height = height.max(std::mem::replace(&mut self.below, outside)) + 1;
            self.high(height)?;
            expr
        } else {
            self.at = end;
            condition
        };
        self.below = self.below.max(height);
        Some(expr)
    }

    /// Reads the arms of a conditional after the question mark.
    fn arms(&mut self, condition: Expr) -> Option<Expr> {
        self.space()?;
        let then = self.expr()?;
        self.space()?;
        self.eat(b':')?;
        self.space()?;
        let otherwise = self.expr()?;
        let span = condition.span.to(otherwise.span);
        let arms = (Box::new(then), Box::new(otherwise));
        Some(made(span, ExprKind::Conditional(Box::new(condition), arms.0, arms.1)))
    }

    /// Operations that bind at least as strongly as `least`, and the height of their tree.
    fn binary(&mut self, least: u8) -> Option<(Expr, usize)> {
        let (mut left, mut height) = self.operand()?;
        loop {
            let end = self.at;
            self.space()?;
            let Some((op, length)) = self.operator().filter(|(op, _)| op.precedence() >= least) else {
                self.at = end;
                return Some((left, height));
            };
            self.at += length;
            self.space()?;
            let (right, beside) = self.binary(op.precedence() + 1)?;
            height = height.max(beside) + 1;
            self.high(height)?;
            let span = left.span.to(right.span);
            left = made(span, ExprKind::Binary(op, Box::new(left), Box::new(right)));
        }
    }

    /// The operator that stands here, and its length.
    fn operator(&self) -> Option<(BinaryOp, usize)> {
        Some(match (self.peek(), self.ahead(1)) {
            (b'|', b'|') => (BinaryOp::Or, 2),
            (b'&', b'&') => (BinaryOp::And, 2),
            (b'=', b'=') => (BinaryOp::Equal, 2),
            (b'!', b'=') => (BinaryOp::NotEqual, 2),
            (b'>', b'=') => (BinaryOp::GreaterEqual, 2),
            (b'<', b'=') => (BinaryOp::LessEqual, 2),
            (b'>', _) => (BinaryOp::Greater, 1),
            (b'<', b'<') | (b'/', b'/') => return None,
            (b'<', _) => (BinaryOp::Less, 1),
            (b'+', _) => (BinaryOp::Add, 1),
            (b'-', _) => (BinaryOp::Subtract, 1),
            (b'*', _) => (BinaryOp::Multiply, 1),
            (b'/', _) => (BinaryOp::Divide, 1),
            (b'%', _) => (BinaryOp::Modulo, 1),
            _ => return None,
        })
    }

    /// A term with its steps and signs, and the height of its tree.
    fn operand(&mut self) -> Option<(Expr, usize)> {
        let op = match self.peek() {
            b'-' => UnaryOp::Negate,
            b'!' => UnaryOp::Not,
            _ => {
                let outside = std::mem::take(&mut self.below);
                let term = self.term()?;
                let height = std::mem::replace(&mut self.below, outside) + 1;
                self.high(height)?;
                return Some((term, height));
            }
        };
        let start = self.at;
        self.at += 1;
        let (inner, height) = self.inside(self.flat, |r| {
            r.space()?;
            r.operand()
        })?;
        Some((made(self.span(start), ExprKind::Unary(op, Box::new(inner))), height + 1))
    }
}
