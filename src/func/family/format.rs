//! `format` and `formatlist`.
//!
//! [`scan`] takes a format string apart, [`render`] prints one value by one verb.
//! Source of the semantics: go-cty `stdlib/format.go` and `format_fsm.rl`, Go's `fmt` for numbers.

use crate::func::args::{arg, check_elements, check_text, string, text};
use crate::func::go_compat::printf::{render, scan};
use crate::func::{Context, FuncError, Function, Param, Returns, Want, Work};
use crate::value::{Refinements, Type, Value};
use scan::Piece;
use std::sync::Arc;

const FORMAT: &[Param] = &[Param::new("format", Want::String)];
const ARGS: Param = Param::new("args", Want::Any).null().unknown().dynamic();

pub(super) const FUNCTIONS: &[Function] = &[
    Function::text(
        "format",
        FORMAT,
        format,
        "Values printed by the verbs of a format string. Terraform docs: format; go-cty FormatFunc.",
    )
    .variadic(ARGS)
    .keeps_text()
    .costs_for_each(128),
    Function::new(
        "formatlist",
        FORMAT,
        Returns::Fixed(Want::List(&Want::String)),
        format_list,
        "A list of strings, formatted from lists of values. Terraform docs: formatlist; go-cty \
         FormatListFunc.",
    )
    .costs_for_each(64)
    .variadic(ARGS),
];

/// Returns true if an untyped null or unknown makes the whole result an untyped unknown, as it did before Terraform
/// 1.12.
fn lost_to_untyped(context: &Context<'_>, args: &[Value]) -> Result<bool, FuncError> {
    // Where the version isn't known it is a text at least once it is known.
    if context.since(12) == Some(false) && args.iter().any(|a| !a.is_known() && a.ty == Type::Dynamic) {
        return Ok(true);
    }
    if !args.iter().any(|a| a.is_null() && a.ty == Type::Dynamic) {
        return Ok(false);
    }
    context.decided_since(12, "formatting null depends on the version of Terraform").map(|since| !since)
}

fn format(context: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let template = text(args, 0)?;
    let values = args.get(1..).unwrap_or_default();
    if lost_to_untyped(context, values)? {
        return Ok(Value::unknown(Type::Dynamic));
    }
    if !values.iter().all(Value::is_wholly_known) {
        let prefix = template.find('%').and_then(|at| template.get(..at)).filter(|p| !p.is_empty());
        let prefix = prefix.map(Arc::from);
        let refinements = Refinements { not_null: true, prefix, ..Refinements::default() };
        return Ok(Value::unknown_refined(Type::String, refinements));
    }
    string(formatted(template, values, context.work)?)
}

/// The text that a format string makes of values.
fn formatted(template: &str, values: &[Value], work: &Work) -> Result<String, FuncError> {
    let mut out = String::new();
    let mut highest = 0;
    let mut scanner = scan::Scanner::new(template);
    while let Some(piece) = scanner.next_piece()? {
        match piece {
            Piece::Literal(c) => out.push(c),
            Piece::Verb(verb) => {
                highest = highest.max(verb.arg);
                out.push_str(&render::render(&verb, values, work)?);
            }
        }
        check_text(out.len())?;
    }
    if highest < values.len() {
        let message = match highest {
            0 => "too many arguments; no verbs in format string".to_owned(),
            n => format!("too many arguments; only {n} used by format string"),
        };
        return Err(FuncError::arg(highest + 1, message));
    }
    Ok(out)
}

fn is_sequence(value: &Value) -> bool {
    matches!(value.ty, Type::List(_) | Type::Set(_) | Type::Tuple(_)) && !value.is_null()
}

/// The length that all sequences among the values share.
fn common_length(values: &[Value]) -> Result<Option<usize>, FuncError> {
    let mut chosen: Option<(usize, usize)> = None;
    for (i, value) in values.iter().enumerate().filter(|(_, v)| is_sequence(v)) {
        let length = match (&value.ty, value.length()) {
            (Type::Tuple(types), _) => types.len(),
            (_, Some(n)) => n,
            (_, None) => continue,
        };
        match chosen {
            None => chosen = Some((i, length)),
            Some((first, expected)) if length != expected => {
                return Err(FuncError::arg(
                    i + 1,
                    format!(
                        "argument {} has length {length}, which is inconsistent with argument {} of length {expected}",
                        i + 1,
                        first + 1
                    ),
                ));
            }
            Some(_) => {}
        }
    }
    Ok(chosen.map(|(_, length)| length))
}

fn format_list(context: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let template = text(args, 0)?;
    let values = args.get(1..).unwrap_or_default();
    if lost_to_untyped(context, values)? {
        return Ok(Value::unknown(Type::Dynamic));
    }
    if values.is_empty() {
        return Ok(Value::list(
            Type::String,
            vec![format(context, &[arg(args, 0)?.clone()], &Type::String)?],
        ));
    }
    let length = common_length(values)?;
    let open_set = |v: &Value| matches!(v.ty, Type::Set(_)) && v.length() > Some(1) && !v.is_wholly_known();
    let open = |v: &Value| {
        (is_sequence(v) && (!v.is_known() || open_set(v))) || (v.ty == Type::Dynamic && !v.is_null())
    };
    if values.iter().any(open) {
        return Ok(Value::unknown(ty.clone()));
    }
    let length = length.unwrap_or(1);
    check_elements(length)?;
    let mut out = Vec::with_capacity(length);
    let mut size = 0;
    for i in 0..length {
        let row: Vec<Value> = values
            .iter()
            .map(|v| if is_sequence(v) { v.as_seq().and_then(|s| s.get(i)).unwrap_or(v) } else { v }.clone())
            .collect();
        if !row.iter().all(Value::is_wholly_known) {
            out.push(Value::unknown_not_null(Type::String));
            continue;
        }
        let text = formatted(template, &row, context.work).map_err(|e| FuncError {
            arg: None,
            message: format!("error on format iteration {i}: {}", e.message),
            ..e
        })?;
        size += text.len();
        check_text(size)?;
        out.push(Value::string(text));
    }
    Ok(Value::list(Type::String, out))
}
