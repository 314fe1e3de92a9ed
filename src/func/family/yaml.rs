//! `yamlencode` and `yamldecode`.

use crate::func::args::{MAX_TEXT, arg, check_written, shared_text};
use crate::func::go_compat::yaml::{emit, parse};
use crate::func::{Context, FuncError, Function, Obstacle, Param, Returns, Want};
use crate::value::{Type, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::text(
        "yamlencode",
        &[Param::new("value", Want::Any).null().dynamic()],
        encode,
        "A value as YAML (Terraform docs: yamlencode; go-cty-yaml).",
    )
    .costs_for_each(16)
    .nullable(),
    Function::new(
        "yamldecode",
        &[Param::new("src", Want::String)],
        Returns::Fixed(Want::Any),
        decode,
        "The value of a YAML text of one document (Terraform docs: yamldecode; go-cty-yaml).",
    )
    .costs_for_each(8)
    .decodes()
    .nullable(),
];

fn encode(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let value = arg(args, 0)?;
    if !value.is_wholly_known() {
        return Ok(Value::unknown(ty.clone()));
    }
    check_written(value)?;
    emit(value).map(Value::string)
}

fn decode(context: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let source = shared_text(args, 0)?;
    if source.len() > MAX_TEXT {
        return Err(FuncError::declined("the YAML text is too long"));
    }
    // Measured on 1.6, 1.8 and 1.9: `1_000` and `-0x1` were numbers, and `[-]` an error.
    context.declined_before(10, "YAML is read otherwise")?;
    let decode = |source: &str| {
        parse(source).map_err(|e| match e.obstacle == Obstacle::Version && context.since(16) == Some(false) {
            true => FuncError::new(e.message),
            false => e,
        })
    };
    context.outside.decoded("yamldecode", source, &decode)
}
