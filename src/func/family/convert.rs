//! Conversions by name: `tostring` and its like.
//!
//! Source of the semantics: Terraform `funcs/conversion.go`.

use crate::func::args::arg;
use crate::func::{Body, FuncError, Function, Joins, Kind, Param, Returns, Want};
use crate::value::{Type, Value, convert};

const ANYTHING: &[Param] = &[Param::new("v", Want::Any).null().unknown().dynamic().marked()];

/// A conversion to a type; its two halves differ in nothing but the type.
macro_rules! conversion {
    ($name:literal, $want:expr, $doc:literal) => {
        Function::new(
            $name,
            ANYTHING,
            Returns::Computed(|args| possible(args, &$want.ty())),
            |_, args, ty| to(args, ty, &$want.ty()),
            $doc,
        )
        .nullable()
    };
}

pub(super) const FUNCTIONS: &[Function] = &[
    Function::special(
        "convert",
        &[Param::new("value", Want::Any).null(), Param::new("type", Want::Any)],
        Returns::Fixed(Want::Any),
        Body::Typed,
        "The value as of the type that is written out. Terraform docs: convert.",
    )
    .nullable()
    .since(15),
    conversion!("tobool", Want::Bool, "The value as a bool. Terraform docs: tobool."),
    conversion!("tonumber", Want::Number, "The value as a number. Terraform docs: tonumber."),
    conversion!("tostring", Want::String, "The value as a string. Terraform docs: tostring.").total(),
    conversion!("tolist", Want::List(&Want::Any), "The value as a list. Terraform docs: tolist.")
        .joins(Joins::All),
    conversion!("tomap", Want::Map(&Want::Any), "The value as a map. Terraform docs: tomap.")
        .joins(Joins::All)
        .gives(Kind::Map),
    conversion!("toset", Want::Set(&Want::Any), "The value as a set. Terraform docs: toset.")
        .costs_for_each(128)
        .joins(Joins::All)
        .gives(Kind::Set),
];

fn mismatch(have: &Type, want: &Type) -> FuncError {
    let (have, want) = (have.friendly_name(), want.friendly_name_for_constraint());
    FuncError::arg(0, format!("cannot convert {have} to {want}"))
}

fn possible(args: &[Value], want: &Type) -> Result<Type, FuncError> {
    let have = &arg(args, 0)?.ty;
    if convert::converts(have, want, true) { Ok(want.clone()) } else { Err(mismatch(have, want)) }
}

fn to(args: &[Value], ty: &Type, want: &Type) -> Result<Value, FuncError> {
    let value = arg(args, 0)?;
    if !value.is_known() {
        return Ok(Value::unknown(ty.clone()).with_marks(&value.marks));
    }
    convert::convert(value, ty).map_err(|e| {
        if e.limit {
            return FuncError::from(e);
        }
        let sensitive = value.marks_deep().is_secret();
        match (value.as_str(), want) {
            _ if sensitive => {
                let (have, want) = (value.ty.friendly_name(), want.friendly_name_for_constraint());
                FuncError::arg(0, format!("cannot convert this sensitive {have} to {want}"))
            }
            (Some(text), Type::Bool) => FuncError::arg(
                0,
                format!("cannot convert {text:?} to bool; only the strings \"true\" or \"false\" are allowed"),
            ),
            (Some(text), Type::Number) => FuncError::arg(
                0,
                format!(
                    "cannot convert {text:?} to number; given string must be a decimal representation of a number"
                ),
            ),
            _ => mismatch(&value.ty, want),
        }
    })
}
