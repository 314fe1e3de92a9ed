//! Functions on lists of bools.

use super::seq::{arg, elements};
use crate::func::{Context, FuncError, Function, Param, Want};
use crate::value::{Type, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::truth(
        "alltrue",
        &[Param::new("list", Want::List(&Want::Bool))],
        all_true,
        "Whether all elements are true; null counts as false (Terraform docs: alltrue).",
    ),
    Function::truth(
        "anytrue",
        &[Param::new("list", Want::List(&Want::Bool))],
        any_true,
        "Whether any element is true; null counts as false (Terraform docs: anytrue).",
    ),
];

/// The first element that is not true decides, an unknown one too.
fn all_true(_: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    for element in elements(arg(args, 0)?) {
        if !element.is_known() {
            return Ok(Value::unknown_not_null(Type::Bool));
        }
        if element.as_bool() != Some(true) {
            return Ok(Value::bool(false));
        }
    }
    Ok(Value::bool(true))
}

fn any_true(_: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let elements = elements(arg(args, 0)?);
    if elements.iter().any(|e| e.as_bool() == Some(true)) {
        return Ok(Value::bool(true));
    }
    if elements.iter().all(Value::is_known) {
        return Ok(Value::bool(false));
    }
    Ok(Value::unknown_not_null(Type::Bool))
}
