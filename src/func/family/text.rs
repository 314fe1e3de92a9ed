//! More functions on strings: pieces of them, tests on them, and white space.
//!
//! "Characters" are grapheme clusters where go-cty counts them (`substr`, `strrev`), code points elsewhere (`title`).
//! Sources of the semantics: go-cty `stdlib/string.go`, Terraform `funcs/string.go`.

use super::string::title_case;
use crate::func::args::{arg, check_text, int, string, text};
use crate::func::unicode::graphemes;
use crate::func::{Context, FuncError, Function, Param, Want};
use crate::value::{Type, Value};

const STR: Param = Param::new("str", Want::String);

pub(super) const FUNCTIONS: &[Function] = &[
    Function::text(
        "chomp",
        &[STR],
        |_, args, _| string(text(args, 0)?.trim_end_matches(['\r', '\n'])),
        "Without newlines at the end. Terraform docs: chomp.",
    ),
    Function::text(
        "indent",
        &[Param::new("spaces", Want::Number), STR],
        indent,
        "With spaces after each newline. Terraform docs: indent.",
    ),
    Function::text(
        "title",
        &[STR],
        |_, args, _| string(title(text(args, 0)?)?),
        "With the first letter of each word in title case. Terraform docs: title; Go strings.Title.",
    )
    .costs_for_each(64),
    Function::text(
        "strrev",
        &[STR.dynamic()],
        |context, args, _| {
            string(graphemes(text(args, 0)?, context.work)?.into_iter().rev().collect::<String>())
        },
        "The characters in reverse order. Terraform docs: strrev.",
    ),
    Function::text(
        "substr",
        &[
            STR.dynamic(),
            Param::new("offset", Want::Number).dynamic(),
            Param::new("length", Want::Number).dynamic(),
        ],
        substr,
        "Some of the characters. Terraform docs: substr; go-cty SubstrFunc.",
    ),
    Function::truth(
        "startswith",
        &[STR.unknown(), Param::new("prefix", Want::String)],
        starts_with,
        "Whether a string has a prefix. Terraform docs: startswith.",
    )
    .total(),
    Function::truth(
        "endswith",
        &[STR, Param::new("suffix", Want::String)],
        |_, args, _| Ok(Value::bool(text(args, 0)?.ends_with(text(args, 1)?))),
        "Whether a string has a suffix. Terraform docs: endswith.",
    )
    .total(),
    Function::truth(
        "strcontains",
        &[STR, Param::new("substr", Want::String)],
        |_, args, _| Ok(Value::bool(text(args, 0)?.contains(text(args, 1)?))),
        "Whether a string occurs in another. Terraform docs: strcontains.",
    )
    .total()
    .nullable(),
];

fn indent(_: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let text = text(args, 1)?;
    let spaces = usize::try_from(int(args, 0)?)
        .map_err(|_| FuncError::new("panic in function implementation: strings: negative Repeat count"))?;
    let newlines = text.matches('\n').count().max(1);
    check_text(text.len().saturating_add(spaces.saturating_mul(newlines)))?;
    string(text.replace('\n', &format!("\n{}", " ".repeat(spaces))))
}

fn title(text: &str) -> Result<String, FuncError> {
    let mut before = ' ';
    text.chars()
        .map(|c| {
            let separated = match before {
                '_' => false,
                b if b.is_ascii() => !b.is_ascii_alphanumeric(),
                b => b.is_whitespace(),
            };
            before = c;
            if separated { title_case(c) } else { Ok(c) }
        })
        .collect()
}

fn substr(context: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let text = text(args, 0)?;
    let (mut offset, length) = (int(args, 1)?, int(args, 2)?);
    let characters = graphemes(text, context.work)?;
    if offset < 0 {
        offset = offset.saturating_add(i64::try_from(characters.len()).unwrap_or(i64::MAX));
    } else if length == 0 {
        return string("");
    }
    let rest = characters.get(usize::try_from(offset).unwrap_or(0)..).unwrap_or_default();
    // A length of zero behind a negative offset means everything: so counts go-cty.
    let length = usize::try_from(length).ok().filter(|n| *n > 0).unwrap_or(usize::MAX);
    string(rest.iter().take(length).copied().collect::<String>())
}

fn starts_with(_: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let (value, prefix) = (arg(args, 0)?, text(args, 1)?);
    if value.is_known() {
        return Ok(Value::bool(text(args, 0)?.starts_with(prefix)));
    }
    let known = value.refinements().and_then(|r| r.prefix.as_deref()).unwrap_or_default();
    Ok(if prefix.is_empty() || known.starts_with(prefix) {
        Value::bool(true)
    } else if known.len() >= prefix.len() {
        Value::bool(false)
    } else {
        Value::unknown(Type::Bool)
    })
}
