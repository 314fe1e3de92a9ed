//! Functions that Terraform names only to say that they are gone.

use crate::func::{FuncError, Function, Param, Returns, Run, Want};
use crate::value::{Type, Value};

const fn gone(name: &'static str, work_out: fn(&[Value]) -> Result<Type, FuncError>, body: Run) -> Function {
    Function::new(
        name,
        &[],
        Returns::Computed(work_out),
        body,
        "Always an error since Terraform 0.12 (Terraform docs: list, map).",
    )
    .variadic(Param::new("vals", Want::Any).unknown().dynamic().null())
    .nullable()
}

pub(super) const FUNCTIONS: &[Function] = &[
    gone("list", |_| Err(no_list()), |_, _, _| Err(no_list())),
    gone("map", |_| Err(no_map()), |_, _, _| Err(no_map())),
];

fn no_list() -> FuncError {
    FuncError::new(
        "the \"list\" function was deprecated in Terraform v0.12 and is no longer available; use tolist([ ... ]) \
         syntax to write a literal list",
    )
}

fn no_map() -> FuncError {
    FuncError::new(
        "the \"map\" function was deprecated in Terraform v0.12 and is no longer available; use tomap({ ... }) \
         syntax to write a literal map",
    )
}
