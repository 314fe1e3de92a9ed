//! Operations that may yet fail: what is done with a value that isn't known may be an error once it is.
//!
//! An unknown result misleads nobody. A result that doesn't depend on the unknown, as in
//! `[1, var.x + 1][0]`, is right wherever there is one; but `try` and `can` ask whether there is one. Terraform itself
//! gives an unknown for whatever they ask of an expression that refers to anything unknown; here only what might fail
//! counts.

use super::Op;
use crate::func::{Function, Param, Want};
use crate::syntax::{BinaryOp, UnaryOp};
use crate::value::{Mark, Type, Value};

impl Op<'_> {
    /// Returns true if the operation gave no error, but could still fail once the unknowns in its operands are known.
    pub fn may_yet_fail(&self, args: &[Value]) -> bool {
        let all = |ty: &Type| args.iter().all(|arg| settled(arg, ty));
        // Of the triples of a `for`: the conditions, and the keys.
        let triples = |keys: bool| {
            args.chunks(3).any(|triple| match triple {
                [cond, key, ..] => !settled(cond, &Type::Bool) || (keys && !key.is_known()),
                _ => true,
            })
        };
        let text = |arg: &Value| arg.is_known() || (arg.ty.is_primitive() && arg.definitely_not_null());
        match self {
            Op::Unwrap | Op::Tuple | Op::SplatFinish(_) => false,
            Op::Binary(BinaryOp::Equal | BinaryOp::NotEqual) => false,
            Op::Unary(UnaryOp::Not) | Op::Binary(BinaryOp::And | BinaryOp::Or) => !all(&Type::Bool),
            Op::Binary(BinaryOp::Divide | BinaryOp::Modulo) => {
                !all(&Type::Number) || !args.last().is_some_and(Value::is_known)
            }
            Op::Unary(UnaryOp::Negate) | Op::Binary(_) => !all(&Type::Number),
            Op::Template => !args.iter().all(text),
            Op::ForTemplate => args.chunks(3).any(|triple| !triple.last().is_some_and(text)),
            Op::Object { .. } => args.iter().step_by(2).any(|key| !key.is_known()),
            Op::ForTuple => triples(false),
            Op::ForObject { .. } => triples(true),
            Op::GetAttr(name) => !args.first().is_some_and(|of| {
                let there = of.definitely_not_null() && of.ty.attr(name).is_some();
                of.is_known() || stands_for_none(of) || there
            }),
            Op::Index => !args.iter().all(|arg| arg.is_known() || stands_for_none(arg)),
            Op::Convert(_) | Op::Custom(_) => !args.iter().all(Value::is_wholly_known),
            Op::Call(function, expand) => {
                // What `...` makes of the last one was not followed.
                let total = function.total && !expand;
                let fine = |(at, arg): (usize, &Value)| {
                    arg.is_wholly_known() || stands_for_none(arg) || (total && asked_for(function, at, arg))
                };
                !args.iter().enumerate().all(fine)
            }
        }
    }
}

/// Returns true for an unknown that never becomes known: Terraform has the same one.
fn stands_for_none(value: &Value) -> bool {
    value.marks.has(Mark::Sample)
}

/// Returns true if an operand is known, or is certain to become a value of the type.
fn settled(value: &Value, ty: &Type) -> bool {
    value.is_known() || stands_for_none(value) || (value.ty == *ty && value.definitely_not_null())
}

/// Returns true if an argument is certain to become what the parameter asks for.
fn asked_for(function: &Function, at: usize, arg: &Value) -> bool {
    let Some(Param { want, .. }) = function.params.get(at).or(function.variadic.as_ref()) else {
        return false;
    };
    match want {
        Want::Any => !arg.ty.has_dynamic() && (arg.is_known() || arg.definitely_not_null()),
        want => settled(arg, &want.ty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_fail() {
        let plus = Op::Binary(BinaryOp::Add);
        let unknown = Value::unknown_not_null(Type::Number);
        assert!(!plus.may_yet_fail(&[Value::number(1), unknown.clone()]));
        assert!(plus.may_yet_fail(&[Value::number(1), Value::unknown(Type::Number)]));
        assert!(plus.may_yet_fail(&[Value::number(1), Value::dynamic()]));
        assert!(Op::Binary(BinaryOp::Divide).may_yet_fail(&[Value::number(1), unknown.clone()]));
        assert!(!Op::Tuple.may_yet_fail(&[Value::dynamic()]));
        let length = crate::func::lookup("length").unwrap();
        let of = |value: Value| Op::Call(length, false).may_yet_fail(&[value]);
        assert!(of(Value::dynamic()) && of(Value::unknown(Type::list(Type::String))));
        assert!(!of(Value::unknown_not_null(Type::list(Type::String))) && !of(Value::tuple(vec![unknown])));
    }
}
