//! Functions that pick one of their arguments: `coalesce`, `try`, `can`.
//!
//! Invariant: an error that only this program has (a limit) is never taken for one that Terraform has.
//! Sources of the semantics: Terraform `funcs/collection.go`, HCL `ext/tryfunc`.

use crate::func::{Body, Context, EvalError, FuncError, Function, Joins, Param, Returns, Want};
use crate::value::unify::unify;
use crate::value::{Type, Value, convert};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "coalesce",
        &[],
        Returns::Computed(coalesce_type),
        coalesce,
        "The first argument that is neither null nor an empty string. Terraform docs: coalesce.",
    )
    .variadic(Param::new("vals", Want::Any).null().unknown().dynamic())
    .joins(Joins::All),
    Function::special(
        "try",
        &[],
        Returns::Fixed(Want::Any),
        Body::Lazy(try_),
        "The first argument that evaluates without an error. Terraform docs: try; HCL ext/tryfunc.",
    )
    .variadic(Param::new("expressions", Want::Any).null().unknown().dynamic().marked())
    .nullable(),
    Function::special(
        "can",
        &[Param::new("expression", Want::Any).null().unknown().dynamic().marked()],
        Returns::Fixed(Want::Bool),
        Body::Lazy(can),
        "Whether the argument evaluates without an error. Terraform docs: can; HCL ext/tryfunc.",
    ),
];

fn coalesce_type(args: &[Value]) -> Result<Type, FuncError> {
    let types: Vec<Type> = args.iter().map(|a| a.ty.clone()).collect();
    match unify(&types, true) {
        Some(unified) => Ok(unified.ty),
        None => Err(FuncError::new("all arguments must have the same type")),
    }
}

fn coalesce(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    for value in args {
        let value = convert::convert(value, ty)?;
        if !value.is_known() {
            return Ok(Value::unknown(ty.clone()));
        }
        if value.is_null() || (*ty == Type::String && value.as_str() == Some("")) {
            continue;
        }
        return Ok(value);
    }
    Err(FuncError::new("no non-null, non-empty-string arguments"))
}

/// An unknown in place of a value that isn't wholly known and may still fail. Marks are dropped, except for the
/// origin.
fn unsettled(value: &Value, ty: Type) -> Value {
    Value::unknown(ty).with_marks(&value.marks_deep().origins())
}

fn try_(args: &[Result<Value, EvalError>]) -> Result<Value, FuncError> {
    let mut reasons = String::new();
    for outcome in args {
        match outcome {
            Ok(value) if value.is_wholly_known() => return Ok(value.clone()),
            Ok(value) => return Ok(unsettled(value, Type::Dynamic)),
            Err(e) if e.limit => return Err(FuncError::from(e)),
            Err(e) => {
                if reasons.len() < 1000 {
                    reasons.push_str(&format!("- {e}\n"));
                }
            }
        }
    }
    if args.is_empty() {
        return Err(FuncError::new("at least one argument is required"));
    }
    Err(FuncError::new(format!(
        "no expression succeeded:\n{reasons}\nAt least one expression must produce a successful result"
    )))
}

fn can(args: &[Result<Value, EvalError>]) -> Result<Value, FuncError> {
    match args {
        [Ok(value)] if value.is_wholly_known() => Ok(Value::bool(true)),
        // Whatever comes of it, it is no null.
        [Ok(value)] => {
            let marks = unsettled(value, Type::Bool).marks;
            Ok(Value::unknown_not_null(Type::Bool).with_marks(&marks))
        }
        [Err(e)] if e.limit => Err(FuncError::from(e)),
        [Err(_)] => Ok(Value::bool(false)),
        _ => Err(FuncError::new("exactly one argument is required")),
    }
}
