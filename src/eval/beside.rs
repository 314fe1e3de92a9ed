//! The unknown value with which Terraform continues after an error.
//!
//! HCL gives a value along with its diagnostics, mostly an unknown one. Its type counts where the error doesn't: in
//! the arm of a conditional that isn't chosen, beside an operand that decides. Only the type is kept here.
//! Source of the semantics: HCL `hclsyntax/expression.go`, expression by expression.

use super::op::{included, key_text};
use super::{Op, Outcome};
use crate::syntax::{BinaryOp, UnaryOp};
use crate::value::{Type, Value, convert, ops};
use std::collections::BTreeMap;
use std::sync::Arc;

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
                [Err(e), Ok(key)] if e.built => part(&e.ty, key).unwrap_or(Type::Dynamic),
                [Err(e), Ok(key)] => {
                    ops::index(&Value::unknown(e.ty.clone()), key).map_or(Type::Dynamic, |v| v.ty)
                }
                _ => Type::Dynamic,
            },
            Op::SplatFinish(shape) => {
                let unknowns = args.iter().map(|a| Value::unknown(of(a))).collect();
                (**shape).clone().finish(unknowns).map_or(Type::Dynamic, |v| v.ty)
            }
            Op::ForTuple => for_tuple(args).map_or(Type::Dynamic, Type::tuple),
            Op::ForObject { group } => for_object(args, *group).map_or(Type::Dynamic, Type::object),
            Op::Custom(_) | Op::Convert(_) | Op::Call(..) => Type::Dynamic,
        }
    }
}

impl Op<'_> {
    /// Returns true if Terraform continues with a tuple or object that it has built, whatever failed in it.
    pub fn built_beside(&self) -> bool {
        matches!(self, Op::Tuple | Op::Object { .. })
    }

    /// Returns true if Terraform may continue with a known value: an element of a tuple or object in which another
    /// element failed.
    pub fn known_beside(&self, args: &[Outcome]) -> bool {
        let part = matches!(self, Op::GetAttr(_) | Op::Index | Op::Unwrap);
        part && matches!(args.first(), Some(Err(e)) if e.may_be_known())
    }

    /// Returns true if the operation looks at values that Terraform may know beside an error. Then
    /// [`Op::type_beside`], which takes them for unknown, may give another type than Terraform, or Terraform may know
    /// the value.
    pub fn vague_beside(&self, args: &[Outcome]) -> bool {
        // What isn't known here may be known to Terraform, or once it is.
        let known = |arg: &Outcome| match arg {
            Err(e) => e.may_be_known(),
            Ok(value) => !value.is_known(),
        };
        match self {
            // Whether it is one of which Terraform knows the parts was not followed.
            Op::Index => {
                let parts = |arg: &Outcome, key: &Outcome| matches!(arg, Err(e) if e.ty.is_structural() && (!e.built || known(key)));
                matches!(args, [of, key] if parts(of, key) || matches!(key, Err(e) if e.may_be_known()))
            }
            Op::Object { .. } => args.iter().step_by(2).any(known),
            Op::ForTuple => args.iter().step_by(3).any(known),
            Op::ForObject { .. } => args.chunks(3).any(|triple| triple.iter().take(2).any(known)),
            _ => false,
        }
    }
}

/// The type of the part of a tuple or object that a key names.
fn part(of: &Type, key: &Value) -> Option<Type> {
    let Type::Tuple(items) = of else {
        let name = convert::convert(key, &Type::String).ok()?;
        return match of {
            Type::Object(object) => object.attrs.get(name.as_str()?).cloned(),
            _ => None,
        };
    };
    let at = convert::convert(key, &Type::Number).ok()?;
    items.get(usize::try_from(at.as_number()?.as_i64()?).ok()?).cloned()
}

fn of(arg: &Outcome) -> Type {
    match arg {
        Ok(value) => value.ty.clone(),
        Err(e) => e.ty.clone(),
    }
}

/// Returns true if an element counts; `None` if that isn't known.
fn counts(cond: &Outcome) -> Option<bool> {
    included(cond.as_ref().ok()?).ok()?.0
}

fn for_tuple(args: &[Outcome]) -> Option<Vec<Type>> {
    let mut types = Vec::new();
    for triple in args.chunks_exact(3) {
        let [cond, _, value] = triple else { return None };
        if counts(cond)? {
            types.push(of(value));
        }
    }
    Some(types)
}

fn for_object(args: &[Outcome], group: bool) -> Option<BTreeMap<Arc<str>, Type>> {
    let mut types: BTreeMap<Arc<str>, Vec<Type>> = BTreeMap::new();
    for triple in args.chunks_exact(3) {
        let [cond, key, value] = triple else { return None };
        if counts(cond)? {
            let (name, _) = key_text(key.as_ref().ok()?, "").ok()?;
            types.entry(name?).or_default().push(of(value));
        }
    }
    // Without grouping, the first of several equal keys stays.
    let one = |types: Vec<Type>| if group { Some(Type::tuple(types)) } else { types.into_iter().next() };
    types.into_iter().map(|(name, types)| Some((name, one(types)?))).collect()
}
