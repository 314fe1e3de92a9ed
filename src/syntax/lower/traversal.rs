//! Traversals: attribute, index and splat steps after a term.
//!
//! Semantics: hcl's `parseExpressionTraversals`: `.*` takes the attribute and legacy index steps that follow, `[*]`
//! takes all that follow.

use super::{Lower, Result};
use crate::syntax::error::ParseError;
use crate::syntax::tree::{Expr, ExprKind, InnerSplat, Splat, SplatStep, UnaryOp};
use crate::text::Span;
use crate::value::Number;
use hcl_edit::Decorated;
use hcl_edit::expr::{Expression, Traversal, TraversalOperator as Op};
use std::sync::Arc;

type Steps<'s> = &'s [Decorated<Op>];

impl Lower<'_> {
    pub(super) fn traversal(&mut self, traversal: &Traversal, span: Span) -> Result<Expr> {
        let base = self.span(&traversal.expr)?;
        if matches!(traversal.expr, Expression::Number(_)) && self.slice(base).starts_with('-') {
            // The sign applies to the whole traversal.
            let digits = self.unsigned(base);
            let rest = Span { start: digits.start, end: span.end };
            return self.make(span, |l| {
                let inner = l.steps(&traversal.expr, digits, &traversal.operators, rest)?;
                Ok(ExprKind::Unary(UnaryOp::Negate, Box::new(inner)))
            });
        }
        self.steps(&traversal.expr, base, &traversal.operators, span)
    }

    fn steps(&mut self, base: &Expression, base_span: Span, steps: Steps<'_>, span: Span) -> Result<Expr> {
        let layers = count_layers(steps);
        self.down(layers, span, |l| {
            let mut expr = match base {
                // Of a negative number only the digits.
                Expression::Number(_) => {
                    l.make(base_span, |l| Ok(ExprKind::Number(Arc::new(l.digits(base_span)?))))?
                }
                other => l.expr(other)?,
            };
            let mut rest = steps;
            while !rest.is_empty() {
                (expr, rest) = l.step(expr, rest)?;
            }
            Ok(expr)
        })
    }

    /// Wraps `expr` into its next step, and answers what steps are left.
    fn step<'s>(&mut self, expr: Expr, steps: Steps<'s>) -> Result<(Expr, Steps<'s>)> {
        let Some((step, rest)) = steps.split_first() else { return Ok((expr, steps)) };
        let place = self.span(step)?;
        let span = expr.span.to(place);
        let kind = match step.value() {
            Op::GetAttr(name) => ExprKind::GetAttr(Box::new(expr), self.ident(name)?),
            Op::LegacyIndex(_) => {
                let fraction = matches!(expr.kind, ExprKind::LegacyIndex(..) | ExprKind::Number(_));
                let number = self.legacy(step, fraction.then_some(expr.span.end))?;
                ExprKind::LegacyIndex(Box::new(expr), Box::new(number))
            }
            Op::Index(key) => ExprKind::Index(Box::new(expr), Box::new(self.expr(key)?)),
            Op::AttrSplat(_) | Op::FullSplat(_) => {
                let full = matches!(step.value(), Op::FullSplat(_));
                let (each, rest, end) = self.each(full, rest, place.end)?;
                let span = Span { start: span.start, end };
                let splat = Splat { source: expr, full, marker: place, each };
                return Ok((Expr { span, kind: ExprKind::Splat(Box::new(splat)) }, rest));
            }
        };
        Ok((Expr { span, kind }, rest))
    }

    /// The steps that a splat takes for each element, those it leaves, and where its last one ends.
    fn each<'s>(
        &mut self,
        full: bool,
        steps: Steps<'s>,
        mut end: u32,
    ) -> Result<(Vec<SplatStep>, Steps<'s>, u32)> {
        let mut each = Vec::new();
        let mut rest = steps;
        let mut number_end = None;
        while let Some((step, after)) = rest.split_first() {
            if !full && matches!(step.value(), Op::Index(_) | Op::FullSplat(_)) {
                break;
            }
            let place = self.span(step)?;
            end = place.end;
            rest = after;
            let before = number_end.take();
            each.push(match step.value() {
                Op::GetAttr(name) => SplatStep::Attr(self.ident(name)?),
                Op::LegacyIndex(_) => {
                    number_end = Some(end);
                    SplatStep::LegacyIndex(self.legacy(step, before)?, place)
                }
                Op::Index(key) => SplatStep::Index(self.expr(key)?),
                Op::AttrSplat(_) if !full => {
                    return Err(ParseError::over(
                        place,
                        "a splat may not stand inside an attribute-only splat",
                    ));
                }
                inner @ (Op::AttrSplat(_) | Op::FullSplat(_)) => {
                    let full = matches!(inner, Op::FullSplat(_));
                    let (each, after, last) = self.down(1, place, |l| l.each(full, rest, end))?;
                    (rest, end) = (after, last);
                    SplatStep::Splat(Box::new(InnerSplat { full, marker: place, each }))
                }
            });
        }
        Ok((each, rest, end))
    }

    /// The number of a `.0` step; `before` is where a number right before it ends.
    fn legacy(&self, step: &Decorated<Op>, before: Option<u32>) -> Result<Number> {
        let place = self.span(step)?;
        if before == Some(place.start) && self.byte(place.range().start + 1).is_ascii_digit() {
            // HCL reads `.0.1` as a dot and the number 0.1.
            return Err(ParseError::over(place, "two legacy indexes in a row; write [0][1] instead of .0.1"));
        }
        match step.value() {
            Op::LegacyIndex(index) => self.digits(self.span(index)?),
            _ => Err(ParseError::over(place, "expected an index")),
        }
    }
}

/// Returns the number of nodes that the steps add around the term.
fn count_layers(steps: Steps<'_>) -> usize {
    let mut layers = 0;
    let mut in_attr_splat = false;
    for step in steps {
        match step.value() {
            Op::FullSplat(_) => return layers + 1,
            Op::AttrSplat(_) if in_attr_splat => {}
            Op::AttrSplat(_) => {
                in_attr_splat = true;
                layers += 1;
            }
            Op::GetAttr(_) | Op::LegacyIndex(_) if in_attr_splat => {}
            Op::GetAttr(_) | Op::LegacyIndex(_) | Op::Index(_) => {
                in_attr_splat = false;
                layers += 1;
            }
        }
    }
    layers
}
