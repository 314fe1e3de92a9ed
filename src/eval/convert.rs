//! `convert(value, TYPE)`: the one function whose argument is a type and no value.
//!
//! Source of the semantics: Terraform 1.15 `convert`, HCL's `ext/typeexpr`; measured with `terraform console` 1.15.5.

use super::types::{self, Decoded};
use super::{EvalError, Outcome};
use crate::func::{Context, FuncError, call, lookup};
use crate::issue::Code;
use crate::syntax::Expr;
use crate::value::{Type, Value, convert};

/// The type that a call of `convert` writes out.
#[derive(Clone, Debug)]
pub struct TypeArg {
    decoded: Result<Decoded, EvalError>,
}

impl TypeArg {
    /// Reads the second argument. What is no type is an error of the conversion.
    pub fn read(expr: &Expr) -> TypeArg {
        let decoded = types::argument(expr).map_err(|e| {
            let message = format!("{}: {}", e.summary, e.detail);
            EvalError { limit: e.code == Code::Unsupported, ..EvalError::new(message) }
        });
        TypeArg { decoded }
    }

    /// The type as an argument of `convert`, where its text alone says all.
    pub fn written(&self) -> Option<String> {
        match &self.decoded {
            Ok((ty, None)) => Some(ty.to_string()),
            _ => None,
        }
    }

    /// The value as of this type; all its marks go to the whole.
    pub(super) fn convert(&self, value: &Value, context: &Context<'_>) -> Outcome {
        let Some(function) = lookup("convert") else {
            return Err(EvalError::declined("there is no convert"));
        };
        if !context.outside.has(function.since) {
            return Err(super::no_such_function(function.name));
        }
        let (ty, defaults) = self.decoded.as_ref().map_err(Clone::clone)?;
        let (plain, marks) = value.clone().unmark_deep();
        if plain.ty == Type::Dynamic && !plain.is_null() {
            return Ok(Value::dynamic().with_marks(&marks));
        }
        let filled = defaults.as_ref().map_or_else(|| plain.clone(), |d| d.apply(&plain));
        let converted = convert::convert(&filled, ty)
            .map_err(|e| call::error(function, &FuncError { arg: Some(0), ..FuncError::from(e) }))?;
        Ok(converted.with_marks(&marks))
    }
}
