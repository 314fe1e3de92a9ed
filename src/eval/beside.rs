//! The unknown value with which Terraform continues after an error.
//!
//! HCL gives a value along with its diagnostics, mostly an unknown one. Its type counts where the error doesn't: in
//! the arm of a conditional that isn't chosen, beside an operand that decides. Only the type is kept here.
//! Source of the semantics: HCL `hclsyntax/expression.go`, expression by expression.

use super::op::key_text;
use super::{Op, Outcome};
use crate::syntax::{BinaryOp, UnaryOp};
use crate::value::{Type, Value, ops};

impl Op<'_> {
    /// The type of what Terraform goes on with where the operation or one of its operands fails.
    pub fn type_beside(&self, args: &[Outcome]) -> Type {
        match self {
            Op::Unary(UnaryOp::Negate) => Type::Number,
            Op::Binary(
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo,
            ) => Type::Number,
            Op::Unary(_) | Op::Binary(_) => Type::Bool,
            Op::Template | Op::ForTemplate => Type::String,
            Op::Unwrap => args.first().map_or(Type::Dynamic, of),
            Op::Tuple => Type::tuple(args.iter().map(of)),
            Op::Object { .. } => {
                let attr = |pair: &[Outcome]| match pair {
                    [Ok(key), value] => key_text(key, "").ok()?.0.map(|name| (name, of(value))),
                    _ => None,
                };
                args.chunks_exact(2).map(attr).collect::<Option<Vec<_>>>().map_or(Type::Dynamic, Type::object)
            }
            Op::GetAttr(name) => match args {
                [Err(e)] => {
                    ops::get_attr(&Value::unknown(e.ty.clone()), name).map_or(Type::Dynamic, |v| v.ty)
                }
                _ => Type::Dynamic,
            },
            Op::Index => match args {
                [Err(e), Ok(key)] => {
                    ops::index(&Value::unknown(e.ty.clone()), key).map_or(Type::Dynamic, |v| v.ty)
                }
                _ => Type::Dynamic,
            },
            Op::SplatFinish(shape) => {
                let unknowns = args.iter().map(|a| Value::unknown(of(a))).collect();
                (**shape).clone().finish(unknowns).map_or(Type::Dynamic, |v| v.ty)
            }
            Op::ForTuple | Op::ForObject { .. } | Op::Custom(_) | Op::Convert(_) | Op::Call(..) => {
                Type::Dynamic
            }
        }
    }
}

impl Op<'_> {
    /// Returns true if the operation looks at values that Terraform may know beside an error. Then it may go on with another type
    /// than [`Op::type_beside`], which takes them for unknown, or with a known value.
    pub fn vague_beside(&self, args: &[Outcome]) -> bool {
        let fails = |arg: &Outcome| matches!(arg, Err(e) if e.may_be_known());
        // What isn't known here may be known to Terraform, or once it is.
        let known = |arg: &Outcome| fails(arg) || matches!(arg, Ok(value) if !value.is_known());
        match self {
            Op::GetAttr(_) | Op::Index | Op::Unwrap => args.iter().any(fails),
            Op::Object { .. } => args.iter().step_by(2).any(known),
            // Its elements have types, but the ones that fail may be left out.
            Op::ForTuple | Op::ForObject { .. } => true,
            _ => false,
        }
    }
}

fn of(arg: &Outcome) -> Type {
    match arg {
        Ok(value) => value.ty.clone(),
        Err(e) => e.ty.clone(),
    }
}
