//! `&&` and `||` on outcomes, errors included.
//!
//! Since Terraform 1.12 (HCL 2.24) an operand that decides the result makes an error of the other one vanish, and null
//! counts as false where it decides; before, both were errors. Where the version isn't known and matters, the answer is
//! declined. Source of the semantics: HCL `expression_ops.go`.

use super::{EvalError, Outcome};
use crate::func::{Context, Obstacle};
use crate::syntax::BinaryOp;
use crate::value::{Marks, Type, Value, ValueError, convert, ops};

/// Applies one of the two operators.
///
/// # Errors
/// Operands that are no bools, errors of operands that matter; declined where versions differ.
pub(super) fn apply(op: BinaryOp, left: &Outcome, right: &Outcome, context: &Context<'_>) -> Outcome {
    if let (Err(e), _) | (_, Err(e)) = (left, right)
        && e.limit
    {
        return Err(e.clone());
    }
    match context.since(12) {
        Some(true) => short(op, left, right),
        Some(false) => long(op, left, right),
        None => match (long(op, left, right), short(op, left, right)) {
            (Err(e), Ok(_)) => {
                let why = format!("{e} Since Terraform 1.12 this is no error.");
                Err(EvalError::new(why).declined_for(Obstacle::Version))
            }
            (either, _) => either,
        },
    }
}

/// Both operands count.
fn long(op: BinaryOp, left: &Outcome, right: &Outcome) -> Outcome {
    let (left, right) = (left.clone()?, right.clone()?);
    Ok(ops::binary(op, &left, &right)?)
}

/// Returns an operand without its marks; an error is an unknown.
fn operand(outcome: &Outcome, side: &str) -> Result<(Value, Marks), EvalError> {
    match outcome {
        Err(e) if !convert::converts(&e.ty, &Type::Bool, true) => Err(e.clone()),
        // Terraform may go on with a known text here, which might even be a bool's, or leave a mark.
        Err(e) if e.may_be_known() => Err(e.clone().declined_for(Obstacle::Unknown)),
        Err(_) => Ok((Value::unknown(Type::Bool), Marks::NONE)),
        Ok(value) => {
            let value = convert::convert(value, &Type::Bool).map_err(|e| ValueError {
                summary: "Invalid operand",
                message: format!("Unsuitable value for {side} operand: {}.", e.message),
                // What isn't known may yet fail, which might count for nothing.
                limit: e.limit || !value.is_known(),
            })?;
            Ok(value.unmark())
        }
    }
}

/// Returns the result of `&&` or `||`. An operand that decides hides the other one.
fn short(op: BinaryOp, left: &Outcome, right: &Outcome) -> Outcome {
    let ((a, marks), (b, more)) = (operand(left, "left")?, operand(right, "right")?);
    let marks = marks.union(&more);
    let deciding = op == BinaryOp::Or;
    // Null is known and not true.
    let truth = |v: &Value| v.is_known().then(|| v.as_bool() == Some(true));
    let unknown = || Value::unknown_not_null(Type::Bool).with_marks(&marks);
    if let (Err(e), Ok(_)) | (Ok(_), Err(e)) = (left, right)
        && (left.is_err() || truth(&a).is_none())
        && (right.is_err() || truth(&b).is_none())
    {
        return Err(e.clone().declined_for(Obstacle::Unknown));
    }
    match (truth(&a), truth(&b)) {
        (Some(x), _) | (_, Some(x)) if x == deciding => Ok(Value::bool(deciding).with_marks(&marks)),
        (_, Some(x)) if x == deciding => Ok(Value::bool(deciding).with_marks(&marks)),
        (None, _) => left.clone().map(|_| unknown()),
        (_, None) => right.clone().map(|_| unknown()),
        (Some(_), Some(_)) => Ok(ops::binary(op, &a, &b)?.with_marks(&marks)),
    }
}
