//! What makes no instance: a `count` of 0, an empty `for_each`.
//!
//! Invariant: only errors of Terraform's are passed over, as in `var.create && false` where `var.create` is null. Absent on purpose:
//! the text of values. `var.create && false` is sensitive where `var.create` is, and a `count` doesn't mind.

use super::named::{By, Folder, Named};
use crate::syntax::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::text::SourceId;
use crate::value::{Data, Type, Value, convert};

/// Functions that give nothing of nothing.
const HANDED_ON: [&str; 12] = [
    "compact", "concat", "distinct", "flatten", "keys", "merge", "reverse", "sort", "tolist", "tomap",
    "toset", "values",
];

impl Folder<'_> {
    /// Returns what a condition is whatever its other parts are.
    pub(super) fn truth(&self, expr: &Expr, file: SourceId) -> Option<bool> {
        self.spend()?;
        if let Some(Value { data: Data::Bool(truth), .. }) =
            self.constant_value(expr, file, &mut By::default())
        {
            return Some(truth);
        }
        match &expr.kind {
            ExprKind::Bool(truth) => Some(*truth),
            ExprKind::Paren(inner) => self.truth(inner, file),
            ExprKind::Unary(UnaryOp::Not, inner) => self.truth(inner, file).map(|truth| !truth),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let decisive = *op == BinaryOp::Or;
                let (left, right) = (self.truth(left, file), self.truth(right, file));
                if left == Some(decisive) || right == Some(decisive) {
                    return Some(decisive);
                }
                (left.is_some() && right.is_some()).then_some(!decisive)
            }
            ExprKind::Conditional(test, yes, no) => {
                self.truth(if self.truth(test, file)? { yes } else { no }, file)
            }
            _ => match self.name_of(expr, file)? {
                Named::Local(local) => self.truth(&local.attr.expr, local.attr.file),
                _ => None,
            },
        }
    }

    /// Returns true if a `count` is 0.
    pub(super) fn is_zero(&self, expr: &Expr, file: SourceId) -> bool {
        let zero = |value: &Value| {
            let number = convert::convert(value, &Type::Number).map(|number| number.data);
            matches!(number, Ok(Data::Number(n)) if n.as_i64() == Some(0))
        };
        self.comes_to(expr, file, &zero, &|_, _| false)
    }

    /// Returns true if a `for_each` is empty.
    pub(super) fn is_empty(&self, expr: &Expr, file: SourceId) -> bool {
        let empty = |value: &Value| match &value.data {
            Data::Seq(elements) => elements.is_empty(),
            Data::Map(entries) => entries.is_empty(),
            _ => false,
        };
        let by_form = |expr: &Expr, file: SourceId| match &expr.kind {
            ExprKind::Tuple(items) => items.is_empty(),
            ExprKind::Object(items) => items.is_empty(),
            ExprKind::Call(call) => {
                let all = || call.args.iter().all(|arg| self.is_empty(arg, file));
                HANDED_ON.contains(&&*call.name.text) && !call.expand_final && !call.args.is_empty() && all()
            }
            ExprKind::For(each) => {
                let none = each.condition.as_ref().is_some_and(|c| self.truth(c, file) == Some(false));
                none || self.is_empty(&each.collection, file)
            }
            _ => false,
        };
        self.comes_to(expr, file, &empty, &by_form)
    }

    fn comes_to(
        &self,
        expr: &Expr,
        file: SourceId,
        is: &dyn Fn(&Value) -> bool,
        by_form: &dyn Fn(&Expr, SourceId) -> bool,
    ) -> bool {
        if self.spend().is_none() {
            return false;
        }
        let again = |expr: &Expr, file| self.comes_to(expr, file, is, by_form);
        if let Some(value) = self.constant_value(expr, file, &mut By::default()) {
            return is(&value);
        }
        match &expr.kind {
            ExprKind::Number(number) => is(&Value::number((**number).clone())),
            ExprKind::Paren(inner) => again(inner, file),
            ExprKind::Conditional(test, yes, no) => match self.truth(test, file) {
                Some(truth) => again(if truth { yes } else { no }, file),
                None => false,
            },
            _ => match self.name_of(expr, file) {
                Some(Named::Local(local)) => again(&local.attr.expr, local.attr.file),
                _ => by_form(expr, file),
            },
        }
    }
}
