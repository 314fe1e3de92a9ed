//! Functions between strings and lists of strings: `join`, `split`, `replace`.
//!
//! Sources of the semantics: go-cty `stdlib/string.go`, Terraform `funcs/string.go`, Go's `strings`.

use crate::func::args::{check_text, string, strings, text};
use crate::func::{Context, FuncError, Function, Param, Returns, Want};
use crate::value::{Type, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::text(
        "join",
        &[Param::new("separator", Want::String)],
        join,
        "The elements of all lists with a separator between them. Terraform docs: join; Go strings.Join.",
    )
    .variadic(Param::new("lists", Want::List(&Want::String))),
    Function::new(
        "split",
        &[Param::new("separator", Want::String), Param::new("str", Want::String)],
        Returns::Fixed(Want::List(&Want::String)),
        split,
        "The parts of a string between separators. Terraform docs: split; Go strings.Split.",
    )
    .costs_for_each(128),
    Function::text(
        "replace",
        &[
            Param::new("str", Want::String),
            Param::new("substr", Want::String),
            Param::new("replace", Want::String),
        ],
        replace,
        "Every occurrence replaced, of a text or of a /regular expression/. Terraform docs: replace.",
    )
    .costs_for_each(128),
];

fn join(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let separator = text(args, 0)?;
    let lists = args.get(1..).unwrap_or_default();
    if lists.is_empty() {
        return Err(FuncError::new("at least one list is required"));
    }
    if !lists.iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown(ty.clone()));
    }
    let mut out = String::new();
    let mut first = true;
    for (at, list) in lists.iter().enumerate() {
        for (i, element) in list.parts().enumerate() {
            let Some(part) = element.as_str() else {
                let what = if lists.len() > 1 { format!(" of list {}", at + 1) } else { String::new() };
                let message = format!("element {i}{what} is null; cannot concatenate null values");
                return Err(FuncError::arg(at + 1, message));
            };
            if !first {
                out.push_str(separator);
            }
            first = false;
            out.push_str(part);
            check_text(out.len())?;
        }
    }
    string(out)
}

fn split(_: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let (separator, text) = (text(args, 0)?, text(args, 1)?);
    if separator.is_empty() {
        return strings(text.chars().map(String::from));
    }
    strings(text.split(separator))
}

fn replace(context: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let (text, from, to) = (text(args, 0)?, text(args, 1)?, text(args, 2)?);
    if from.len() > 1 && from.starts_with('/') && from.ends_with('/') {
        let pattern = from.get(1..from.len() - 1).unwrap_or_default();
        return super::regex::replace(context, text, pattern, to);
    }
    let count = if from.is_empty() { text.chars().count() + 1 } else { text.matches(from).count() };
    check_text(text.len().saturating_add(count.saturating_mul(to.len())))?;
    string(text.replace(from, to))
}
