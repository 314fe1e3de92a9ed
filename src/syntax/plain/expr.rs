//! Operators and conditionals.

use super::{OPERATORS, Reader, made};
use crate::syntax::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Reader<'_> {
    /// An expression; what follows it stays, spaces included.
    pub(super) fn expr(&mut self) -> Option<Expr> {
        let condition = self.binary(0)?;
        let end = self.at;
        self.space()?;
        if self.peek() != b'?' {
            self.at = end;
            return Some(condition);
        }
        self.at += 1;
        self.inside(self.flat, |r| {
            r.space()?;
            let then = r.expr()?;
            r.space()?;
            r.eat(b':')?;
            r.space()?;
            let otherwise = r.expr()?;
            let span = condition.span.to(otherwise.span);
            let arms = (Box::new(then), Box::new(otherwise));
            Some(made(span, ExprKind::Conditional(Box::new(condition), arms.0, arms.1)))
        })
    }

    /// Operations that bind at least as strongly as `least`.
    fn binary(&mut self, least: u8) -> Option<Expr> {
        let mut left = self.operand()?;
        loop {
            let end = self.at;
            self.space()?;
            let Some((op, length)) = self.operator().filter(|(op, _)| op.precedence() >= least) else {
                self.at = end;
                return Some(left);
            };
            self.operators += 1;
            if self.operators > OPERATORS {
                return None;
            }
            self.at += length;
            self.space()?;
            let right = self.binary(op.precedence() + 1)?;
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

    /// A term with its steps and signs.
    fn operand(&mut self) -> Option<Expr> {
        let op = match self.peek() {
            b'-' => UnaryOp::Negate,
            b'!' => UnaryOp::Not,
            _ => return self.term(),
        };
        let start = self.at;
        self.at += 1;
        let inner = self.inside(self.flat, |r| {
            r.space()?;
            r.operand()
        })?;
        Some(made(self.span(start), ExprKind::Unary(op, Box::new(inner))))
    }
}
