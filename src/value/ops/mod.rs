//! The operators of the language.
//!
//! Input: operands as they come; they are converted as Terraform converts them. Invariant: results carry the marks of
//! all operands; an unknown operand gives an unknown result, except where comparison is decided by refinements.
//! `false && unknown` is unknown, as in Terraform 1.11 (later ones say false).
//! Sources of the semantics: HCL `expression_ops.go`, go-cty `function/stdlib`.

mod cond;
mod equal;
mod fingerprint;
mod index;
mod range;
mod splat;

pub use cond::{conditional, conditional_type};
pub use equal::{Alike, decide, equals};
pub use fingerprint::Fingerprint;
pub use index::{get_attr, index};
pub use splat::{Shape, Splat, splat, splat_may_fail};

pub(in crate::value) use index::quoted;
pub(in crate::value) use range::Range;

use super::{Number, Result, Type, Value, ValueError, convert::convert};

/// A unary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `!`
    Not,
}

/// A binary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
}

/// Applies a unary operator.
///
/// # Errors
/// Operands that don't convert, null operands.
pub fn unary(op: UnaryOp, value: &Value) -> Result<Value> {
    let ty = if op == UnaryOp::Not { Type::Bool } else { Type::Number };
    let value = operand(value, &ty, "unary")?;
    require_not_null(&value)?;
    let result = match (op, value.as_bool(), value.as_number()) {
        (UnaryOp::Not, Some(b), _) => Value::bool(!b),
        (UnaryOp::Negate, _, Some(n)) => Value::number(n.neg()),
        _ => Value::unknown_not_null(ty),
    };
    Ok(result.with_marks(&value.marks))
}

/// Applies a binary operator.
///
/// # Errors
/// Operands that don't convert, null operands (except of `==` and `!=`), arithmetic without a result.
pub fn binary(op: BinaryOp, left: &Value, right: &Value) -> Result<Value> {
    match op {
        BinaryOp::Equal => Ok(equals(left, right)),
        BinaryOp::NotEqual => {
            let equal = equals(left, right);
            let result = equal.as_bool().map_or_else(|| equal.clone(), |b| Value::bool(!b));
            Ok(result.with_marks(&equal.marks))
        }
        BinaryOp::Or | BinaryOp::And => {
            let (left, right) = operands(left, right, &Type::Bool)?;
            let result = match (left.as_bool(), right.as_bool(), op) {
                (Some(a), Some(b), BinaryOp::Or) => Value::bool(a || b),
                (Some(a), Some(b), _) => Value::bool(a && b),
                _ => Value::unknown_not_null(Type::Bool),
            };
            Ok(result.with_marks(&left.marks.union(&right.marks)))
        }
        BinaryOp::Greater | BinaryOp::GreaterEqual | BinaryOp::Less | BinaryOp::LessEqual => {
            compare(op, left, right)
        }
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => {
            arithmetic(op, left, right)
        }
    }
}

fn arithmetic(op: BinaryOp, left: &Value, right: &Value) -> Result<Value> {
    let (left, right) = operands(left, right, &Type::Number)?;
    let result = match (left.as_number(), right.as_number()) {
        (Some(a), Some(b)) => Value::number(calculate(op, a, b).map_err(failed)?),
        _ => Value::unknown_not_null(Type::Number),
    };
    Ok(result.with_marks(&left.marks.union(&right.marks)))
}

fn calculate(op: BinaryOp, a: &Number, b: &Number) -> Result<Number> {
    match op {
        BinaryOp::Subtract => a.sub(b),
        BinaryOp::Multiply => a.mul(b),
        BinaryOp::Divide => a.div(b),
        BinaryOp::Modulo => a.rem(b),
        _ => a.add(b),
    }
}

fn compare(op: BinaryOp, left: &Value, right: &Value) -> Result<Value> {
    let (left, right) = operands(left, right, &Type::Number)?;
    let (low, high) = match op {
        BinaryOp::Less | BinaryOp::LessEqual => (&left, &right),
        _ => (&right, &left),
    };
    let strict = less(low, high);
    let result = match op {
        BinaryOp::Less | BinaryOp::Greater => strict,
        _ => match (strict, decide(low, high)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
    };
    let result = result.map_or_else(|| Value::unknown_not_null(Type::Bool), Value::bool);
    Ok(result.with_marks(&left.marks.union(&right.marks)))
}

/// `a < b`, where it can be told.
fn less(a: &Value, b: &Value) -> Option<bool> {
    if let (Some(a), Some(b)) = (a.as_number(), b.as_number()) {
        return Some(a < b);
    }
    let (a, b) = (Range::of(a), Range::of(b));
    let below = |x: &Option<(Number, bool)>, y: &Option<(Number, bool)>| match (x, y) {
        (Some((x, _)), Some((y, _))) => x < y,
        _ => false,
    };
    if below(&a.max, &b.min) {
        Some(true)
    } else if below(&b.max, &a.min) {
        Some(false)
    } else {
        None
    }
}

fn operands(left: &Value, right: &Value, ty: &Type) -> Result<(Value, Value)> {
    let left = operand(left, ty, "left")?;
    let right = operand(right, ty, "right")?;
    require_not_null(&left)?;
    require_not_null(&right)?;
    Ok((left, right))
}

fn operand(value: &Value, ty: &Type, side: &str) -> Result<Value> {
    convert(value, ty).map_err(|e| ValueError {
        summary: "Invalid operand",
        message: format!("Unsuitable value for {side} operand: {}.", e.message),
        limit: e.limit,
    })
}

fn require_not_null(value: &Value) -> Result<()> {
    if value.is_null() { Err(failed(ValueError::new("argument must not be null"))) } else { Ok(()) }
}

fn failed(error: ValueError) -> ValueError {
    ValueError {
        summary: "Operation failed",
        message: format!("Error during operation: {}.", error.message),
        limit: error.limit,
    }
}

#[cfg(test)]
mod tests;
