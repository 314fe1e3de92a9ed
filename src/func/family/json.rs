//! `jsonencode` and `jsondecode`.

use crate::func::args::{MAX_TEXT, arg, check_elements, check_text, check_written, shared_text};
use crate::func::{Context, FuncError, Function, Obstacle, Param, Returns, Want};
use crate::value::{Refinements, Type, Value, json};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::text(
        "jsonencode",
        &[Param::new("val", Want::Any).null().unknown().dynamic()],
        encode,
        "A value as JSON (Terraform docs: jsonencode; go-cty stdlib).",
    )
    .costs_for_each(64)
    .total(),
    Function::new(
        "jsondecode",
        &[Param::new("str", Want::String)],
        Returns::Fixed(Want::Any),
        decode,
        "The value of a JSON text (Terraform docs: jsondecode; go-cty stdlib).",
    )
    .costs_for_each(16)
    .decodes()
    .nullable(),
];

/// Encodes a value. For a value that isn't wholly known, the first character may be known.
fn encode(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let value = arg(args, 0)?;
    if value.is_wholly_known() {
        check_written(value)?;
        let encoded = json::encode(value)?;
        check_text(encoded.len())?;
        return Ok(Value::string(encoded));
    }
    if !value.definitely_not_null() {
        return Ok(Value::unknown(ty.clone()));
    }
    let prefix = match value.ty {
        Type::String => Some("\""),
        Type::Object(_) | Type::Map(_) => Some("{"),
        Type::Tuple(_) | Type::List(_) | Type::Set(_) => Some("["),
        Type::Dynamic | Type::Number | Type::Bool => None,
    };
    let known = Refinements { not_null: true, prefix: prefix.map(Into::into), ..Refinements::default() };
    Ok(Value::unknown_refined(ty.clone(), known))
}

fn decode(context: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let source = shared_text(args, 0)?;
    if source.len() > MAX_TEXT {
        return Err(FuncError::declined("the JSON text is too long"));
    }
    context.outside.decoded("jsondecode", source, &|source| decode_text(context, source))
}

fn decode_text(context: &Context<'_>, source: &str) -> Result<Value, FuncError> {
    check_elements(count_values(source))?;
    json::decode(source).map_err(|e| {
        // Before, Terraform took one value as of the other one's type.
        let twice = e.limit && e.message.starts_with("duplicate ");
        match context.since(15) {
            Some(true) if twice => FuncError::new(e.message),
            _ if twice => FuncError { obstacle: Obstacle::Version, ..FuncError::from(e) },
            _ => FuncError::from(e),
        }
    })
}

/// No fewer values than a JSON text holds, keys included: each but the first stands behind a bracket, a comma or a colon.
fn count_values(source: &str) -> usize {
    let (mut values, mut is_text, mut is_escaped) = (1, false, false);
    for byte in source.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'[' | b'{' | b',' | b':' if !is_text => values += 1,
            _ => {}
        }
    }
    values
}
