//! Printing one value by one verb.

use super::scan::Verb;
use crate::func::args::check_written;
use crate::func::unicode::graphemes;
use crate::func::{FuncError, Work};
use crate::value::number::Notation;
use crate::value::{Number, Type, Value, convert, json};

/// The text of the verb's argument.
pub(in crate::func) fn render(verb: &Verb, values: &[Value], work: &Work) -> Result<String, FuncError> {
    let value = verb.arg.checked_sub(1).and_then(|i| values.get(i)).ok_or_else(|| {
        FuncError::new(format!(
            "not enough arguments for {:?} at {}: need index {} but have {} total",
            verb.raw,
            verb.offset,
            verb.arg,
            values.len()
        ))
    })?;
    if verb.mode != 'v' && value.is_null() {
        return Err(unsupported(verb, "null value cannot be formatted"));
    }
    match verb.mode {
        'v' => as_is(verb, value, work),
        't' => {
            let value = converted(verb, value, &Type::Bool)?;
            Ok(if value.as_bool() == Some(true) { "true" } else { "false" }.to_owned())
        }
        'b' | 'd' | 'o' | 'x' | 'X' | 'e' | 'E' | 'f' | 'g' | 'G' => {
            let value = converted(verb, value, &Type::Number)?;
            let number = value.as_number().ok_or_else(|| unsupported(verb, "a number is required"))?;
            if matches!(verb.mode, 'b' | 'd' | 'o' | 'x' | 'X') {
                integer(verb, number)
            } else {
                Ok(float(verb, number))
            }
        }
        's' | 'q' => text(verb, value, work),
        mode => {
            let Verb { raw, offset, .. } = verb;
            Err(FuncError::new(format!("unsupported format verb {mode:?} in {raw:?} at offset {offset}")))
        }
    }
}

fn unsupported(verb: &Verb, why: &str) -> FuncError {
    FuncError::new(format!("unsupported value for {:?} at {}: {why}", verb.raw, verb.offset))
}

fn converted(verb: &Verb, value: &Value, ty: &Type) -> Result<Value, FuncError> {
    convert::convert(value, ty).map_err(|e| FuncError { limit: e.limit, ..unsupported(verb, &e.message) })
}

fn as_is(verb: &Verb, value: &Value, work: &Work) -> Result<String, FuncError> {
    if let (false, Some(text)) = (verb.sharp, value.as_str()) {
        return padded(verb, text, work);
    }
    if let (false, Some(number)) = (verb.sharp, value.as_number()) {
        return padded(verb, &number.in_notation(Notation::General, None), work);
    }
    check_written(value)?;
    let json =
        json::encode(value).map_err(|e| FuncError { limit: e.limit, ..unsupported(verb, &e.message) })?;
    padded(verb, &json, work)
}

fn text(verb: &Verb, value: &Value, work: &Work) -> Result<String, FuncError> {
    let value = converted(verb, value, &Type::String)?;
    let text = value.as_str().ok_or_else(|| unsupported(verb, "string required"))?;
    let shortened;
    let text = match verb.precision {
        Some(n) if n > 0 => {
            shortened = graphemes(text, work)?.into_iter().take(n).collect::<String>();
            &shortened
        }
        _ => text,
    };
    if verb.mode == 'q' {
        return padded(verb, &json::encode(&Value::string(text))?, work);
    }
    padded(verb, text, work)
}

/// Filled up to the width, which counts grapheme clusters.
fn padded(verb: &Verb, text: &str, work: &Work) -> Result<String, FuncError> {
    let Some(width) = verb.width else { return Ok(text.to_owned()) };
    let missing = width.saturating_sub(graphemes(text, work)?.len());
    let fill = if verb.zero { "0" } else { " " }.repeat(missing);
    Ok(if verb.minus { format!("{text}{fill}") } else { format!("{fill}{text}") })
}

fn sign(verb: &Verb, negative: bool) -> &'static str {
    match (negative, verb.plus, verb.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

/// Prints a whole number as Go prints a `big.Int`.
fn integer(verb: &Verb, number: &Number) -> Result<String, FuncError> {
    if !number.is_integer() {
        return Err(unsupported(verb, "an integer is required"));
    }
    let (_, magnitude) = number.trunc().ok_or_else(|| unsupported(verb, "an integer is required"))?;
    let base = match verb.mode {
        'b' => 2,
        'o' => 8,
        'x' | 'X' => 16,
        _ => 10,
    };
    let mut digits = magnitude.in_radix(base).to_string();
    if verb.mode == 'X' {
        digits.make_ascii_uppercase();
    }
    let prefix = match (verb.sharp, verb.mode) {
        (true, 'b') => "0b",
        (true, 'o') => "0",
        (true, 'x') => "0x",
        (true, 'X') => "0X",
        _ => "",
    };
    if verb.precision == Some(0) && digits == "0" {
        return Ok(String::new());
    }
    let sign = sign(verb, number.is_negative());
    let mut zeros = verb.precision.unwrap_or(0).saturating_sub(digits.len());
    let length = sign.len() + prefix.len() + zeros + digits.len();
    let missing = verb.width.unwrap_or(0).saturating_sub(length);
    let (mut left, mut right) = (0, 0);
    if verb.minus {
        right = missing;
    } else if verb.zero && verb.precision.is_none() {
        zeros = missing;
    } else {
        left = missing;
    }
    let spaces = |n: usize| " ".repeat(n);
    Ok(format!("{}{sign}{prefix}{}{digits}{}", spaces(left), "0".repeat(zeros), spaces(right)))
}

/// Prints a number as Go prints a `big.Float`.
fn float(verb: &Verb, number: &Number) -> String {
    let (notation, default) = match verb.mode {
        'e' | 'E' => (Notation::Scientific, Some(6)),
        'f' => (Notation::Plain, Some(6)),
        _ => (Notation::General, None),
    };
    let mut text = number.in_notation(notation, verb.precision.or(default));
    if matches!(verb.mode, 'E' | 'G') && !number.is_infinite() {
        text.make_ascii_uppercase();
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let sign = match (number.is_infinite() && !negative, verb.space) {
        (true, false) => "+",
        (true, true) => " ",
        (false, _) => sign(verb, negative),
    };
    let missing = verb.width.unwrap_or(0).saturating_sub(sign.len() + digits.len());
    // Go's minus flag takes the zero flag back.
    if verb.zero && !verb.minus && !number.is_infinite() {
        format!("{sign}{}{digits}", "0".repeat(missing))
    } else if verb.minus {
        format!("{sign}{digits}{}", " ".repeat(missing))
    } else {
        format!("{}{sign}{digits}", " ".repeat(missing))
    }
}
