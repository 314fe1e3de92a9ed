//! `templatefile` and `templatestring`.
//!
//! The rendering itself is asked of [`Surroundings`](crate::func::Surroundings), because it evaluates expressions.
//! That the first argument of `templatestring` has to be a reference is checked by the walk, which sees expressions.

use crate::func::args::{arg, text};
use crate::func::{Context, FuncError, Function, Param, Returns, Want};
use crate::value::convert::convert;
use crate::value::{Type, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "templatefile",
        &[Param::new("path", Want::String).unknown(), Param::new("vars", Want::Any).unknown()],
        Returns::Fixed(Want::Any),
        template_file,
        "A file's text as a template with the given names (Terraform docs: templatefile).",
    )
    .nullable()
    .on_files(),
    Function::text(
        "templatestring",
        &[Param::new("template", Want::Any).null().unknown().dynamic(), Param::new("vars", Want::Any)],
        template_string,
        "A string from elsewhere as a template with the given names (Terraform docs: templatestring).",
    )
    .since(9),
];

fn template_file(context: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let (path, vars) = (arg(args, 0)?, arg(args, 1)?);
    if !path.is_known() || !vars.is_known() {
        return Ok(Value::unknown(ty.clone()));
    }
    let Some(bytes) = super::file::bytes_at(context, text(args, 0)?)? else {
        return Ok(Value::unknown(ty.clone()));
    };
    let template = String::from_utf8(bytes)
        .map_err(|_| FuncError::new("the contents of the template file are not valid UTF-8"))?;
    context.outside.render(&template, true, vars, context.work)
}

fn template_string(context: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let template = arg(args, 0)?;
    if !template.is_known() {
        return Ok(Value::unknown(ty.clone()));
    }
    let Some(text) = template.as_str() else {
        return Err(FuncError::arg(0, "invalid template value: a string is required"));
    };
    let result = context.outside.render(text, false, arg(args, 1)?, context.work)?;
    convert(&result, ty)
        .map_err(|e| FuncError { limit: e.limit, ..FuncError::new(format!("invalid template result: {e}")) })
}
