//! `yamlencode` and `yamldecode`, as go-cty-yaml has them: libyaml's emitter, scanner and parser.

mod emit;

use crate::func::args::arg;
use crate::func::{Body, Context, FuncError, Function, Param, Returns, Strategy, Want};
use crate::value::{Type, Value};

pub(super) const FUNCTIONS: &[Function] = &[Function::new(
    "yamlencode",
    &[Param::new("value", Want::Any).null().dynamic()],
    Returns::Fixed(Want::String),
    Body::Plain(encode),
    Strategy::ElementWise,
    "A value as YAML (Terraform docs: yamlencode; go-cty-yaml).",
)
.nullable()];

fn encode(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let value = arg(args, 0)?;
    if !value.is_wholly_known() {
        return Ok(Value::unknown(ty.clone()));
    }
    emit::emit(value).map(Value::string)
}
