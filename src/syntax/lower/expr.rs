//! Expressions other than traversals, objects and templates.

use super::{Lower, Result};
use crate::syntax::error::ParseError;
use crate::syntax::tree::{BinaryOp, Call, Expr, ExprKind, For, Ident, UnaryOp};
use crate::text::Span;
use crate::value::Number;
use hcl_edit::expr as foreign;
use hcl_edit::template::Template;
use std::sync::Arc;

impl Lower<'_> {
    /// An expression with everything in it.
    pub(in crate::syntax) fn expr(&mut self, expr: &foreign::Expression) -> Result<Expr> {
        use foreign::Expression as E;
        let span = self.span(expr)?;
        match expr {
            E::Traversal(t) => self.traversal(t, span),
            E::Number(_) => self.number(span),
            E::Null(_) => self.make(span, |_| Ok(ExprKind::Null)),
            E::Bool(_) => self.make(span, |l| Ok(ExprKind::Bool(l.slice(span) == "true"))),
            E::String(_) => self.make(span, |l| l.string(span, &Template::new())),
            E::StringTemplate(t) => self.make(span, |l| l.string(span, t)),
            E::HeredocTemplate(_) => Err(ParseError::over(span, "the end of this heredoc was not found")),
            E::Variable(_) => self.make(span, |l| Ok(ExprKind::Variable(Arc::from(l.slice(span))))),
            E::Array(a) => self.make(span, |l| {
                let mut items = Vec::with_capacity(a.len());
                for item in a.iter() {
                    items.push(l.expr(item)?);
                }
                Ok(ExprKind::Tuple(items))
            }),
            E::Object(o) => self.make(span, |l| l.object(o)),
            E::Parenthesis(p) => self.make(span, |l| Ok(ExprKind::Paren(Box::new(l.expr(p.inner())?)))),
            E::Conditional(c) => self.make(span, |l| {
                let condition = Box::new(l.expr(&c.cond_expr)?);
                let then = Box::new(l.expr(&c.true_expr)?);
                Ok(ExprKind::Conditional(condition, then, Box::new(l.expr(&c.false_expr)?)))
            }),
            E::FuncCall(c) => self.make(span, |l| l.call(c)),
            E::UnaryOp(u) => self.make(span, |l| {
                let op = match u.operator.value() {
                    foreign::UnaryOperator::Neg => UnaryOp::Negate,
                    foreign::UnaryOperator::Not => UnaryOp::Not,
                };
                Ok(ExprKind::Unary(op, Box::new(l.expr(&u.expr)?)))
            }),
            E::BinaryOp(b) => self.make(span, |l| {
                let left = Box::new(l.expr(&b.lhs_expr)?);
                Ok(ExprKind::Binary(binary(*b.operator.value()), left, Box::new(l.expr(&b.rhs_expr)?)))
            }),
            E::ForExpr(f) => self.make(span, |l| l.for_expr(f)),
        }
    }

    /// A number; hcl-edit counts a minus sign to it, in HCL it is an operator.
    fn number(&mut self, span: Span) -> Result<Expr> {
        if !self.slice(span).starts_with('-') {
            return self.make(span, |l| Ok(ExprKind::Number(Arc::new(l.digits(span)?))));
        }
        let digits = self.unsigned(span);
        self.make(span, |l| {
            let number = l.make(digits, |l| Ok(ExprKind::Number(Arc::new(l.digits(digits)?))))?;
            Ok(ExprKind::Unary(UnaryOp::Negate, Box::new(number)))
        })
    }

    /// The digits of a number that hcl-edit took with its sign.
    pub(super) fn unsigned(&self, span: Span) -> Span {
        let text = self.slice(span);
        let start = text.rfind(|c: char| c.is_whitespace() || c == '/').map_or(1, |n| n + 1);
        Span::new(span.range().start + start, span.range().end)
    }

    pub(super) fn digits(&self, span: Span) -> Result<Number> {
        let message = || ParseError::over(span, "a number that can't be read");
        Number::parse(self.slice(span)).map_err(|_| message())
    }

    fn call(&mut self, call: &foreign::FuncCall) -> Result<ExprKind> {
        let name = &call.name;
        let last = self.ident(&name.name)?;
        let name = match name.namespace.first() {
            None => last,
            Some(first) => {
                let mut text = String::new();
                for part in &name.namespace {
                    text.push_str(self.slice(self.span(part)?));
                    text.push_str("::");
                }
                text.push_str(&last.text);
                Ident { text: Arc::from(text), span: self.span(first)?.to(last.span) }
            }
        };
        let mut args = Vec::with_capacity(call.args.len());
        for arg in call.args.iter() {
            args.push(self.expr(arg)?);
        }
        Ok(ExprKind::Call(Box::new(Call { name, args, expand_final: call.args.expand_final() })))
    }

    fn for_expr(&mut self, f: &foreign::ForExpr) -> Result<ExprKind> {
        let key = f.intro.key_var.as_ref().map(|k| self.ident(k)).transpose()?;
        let value = self.ident(&f.intro.value_var)?;
        let collection = self.expr(&f.intro.collection_expr)?;
        let result_key = f.key_expr.as_ref().map(|k| self.expr(k)).transpose()?;
        let result = self.expr(&f.value_expr)?;
        let condition = f.cond.as_ref().map(|c| self.expr(&c.expr)).transpose()?;
        self.apart(collection.span)?;
        condition.iter().try_for_each(|c| self.apart(c.span))?;
        let group = f.grouping;
        Ok(ExprKind::For(Box::new(For { key, value, collection, result_key, result, group, condition })))
    }
}

fn binary(op: foreign::BinaryOperator) -> BinaryOp {
    use foreign::BinaryOperator as F;
    match op {
        F::Or => BinaryOp::Or,
        F::And => BinaryOp::And,
        F::Eq => BinaryOp::Equal,
        F::NotEq => BinaryOp::NotEqual,
        F::Greater => BinaryOp::Greater,
        F::GreaterEq => BinaryOp::GreaterEqual,
        F::Less => BinaryOp::Less,
        F::LessEq => BinaryOp::LessEqual,
        F::Plus => BinaryOp::Add,
        F::Minus => BinaryOp::Subtract,
        F::Mul => BinaryOp::Multiply,
        F::Div => BinaryOp::Divide,
        F::Mod => BinaryOp::Modulo,
    }
}
