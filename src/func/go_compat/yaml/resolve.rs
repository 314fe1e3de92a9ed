//! The value of a scalar's text.
//!
//! YAML 1.1's words for bools and nulls, numbers mostly of YAML 1.2, and times, which read as RFC 3339 strings.
//! Deliberately absent: numbers in forms that only an explicit tag allows, declined.
//! Source of the semantics: go-cty-yaml 1.1 `resolve.go`, Go's `time.Parse`.

use super::scan::Style;
use crate::func::FuncError;
use crate::func::family::base64;
use crate::func::go_compat::time::rfc3339::days_in;
use crate::value::{Number, Type, Value};
use dashu_int::UBig;
use regex::Regex;
use std::sync::LazyLock;

static DECIMAL: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\A[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\z").ok());

static TIME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let clock = r"([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})([.,][0-9]+)?";
    Regex::new(&format!(
        r"\A([0-9]{{4}})-([0-9]{{1,2}})-([0-9]{{1,2}})(?:[Tt]{clock}(Z|[-+][0-9]{{2}}:[0-9]{{2}})| +{clock})?\z"
    ))
    .ok()
});

/// The value of a scalar.
///
/// # Errors
/// Tags that are unknown or that the text doesn't fit, and not-a-number; limits.
pub(in crate::func) fn resolve(tag: Option<&str>, text: &str, style: Style) -> Result<Value, FuncError> {
    let tag = match tag {
        None => None,
        Some(tag) => Some(known_tag(tag)?),
    };
    let by_looks = !matches!(tag, Some("str" | "binary"));
    if by_looks && style == Style::Quoted && looks_special(text) {
        return Ok(Value::string(text));
    }
    if by_looks && let Some(value) = word(text) {
        return Ok(value);
    }
    if by_looks && let Some(value) = special(tag, text)? {
        return Ok(value);
    }
    let unfit = || FuncError::new(format!("cannot parse {text:?} as !!{}", tag.unwrap_or_default()));
    match tag {
        None | Some("str") => Ok(Value::string(text)),
        Some("null") => Ok(Value::null(Type::Dynamic)),
        Some("bool" | "timestamp") => Err(unfit()),
        Some("int" | "float") => number(&text.replace('_', "")),
        // It stays encoded.
        Some("binary") if base64::decode(text).is_some() => Ok(Value::string(text)),
        Some("binary") => Err(unfit()),
        _ => Err(FuncError::unsupported("this YAML tag is not supported")),
    }
}

fn known_tag(tag: &str) -> Result<&str, FuncError> {
    tag.strip_prefix("tag:yaml.org,2002:")
        .filter(|name| matches!(*name, "str" | "bool" | "int" | "float" | "null" | "timestamp" | "binary"))
        .ok_or_else(|| FuncError::new(format!("unsupported tag {tag:?}")))
}

/// Returns true if a text begins as something other than a string could.
fn looks_special(text: &str) -> bool {
    text.chars().next().is_none_or(|c| c.is_ascii_digit() || "+-.yYnNtTfFoO~".contains(c))
}

fn word(text: &str) -> Option<Value> {
    Some(match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Value::bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Value::bool(false)
        }
        "" | "~" | "null" | "Null" | "NULL" => Value::null(Type::Dynamic),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Value::number(Number::infinity(false)),
        "-.inf" | "-.Inf" | "-.INF" => Value::number(Number::infinity(true)),
        _ => return None,
    })
}

/// Times and numbers, by their looks.
fn special(tag: Option<&str>, text: &str) -> Result<Option<Value>, FuncError> {
    if tag.is_none() && matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Err(FuncError::new("floating point NaN is not supported"));
    }
    let Some(first) = text.chars().next() else { return Ok(None) };
    if first != '.' && first != '+' && first != '-' && !first.is_ascii_digit() {
        return Ok(None);
    }
    if first == '.' {
        // Go reads a binary exponent too.
        let binary = text.trim_start_matches(['.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        if binary.starts_with(['p', 'P']) {
            return Err(FuncError::unsupported("a YAML number with a binary exponent is not supported"));
        }
    } else if matches!(tag, None | Some("timestamp"))
        && let Some(time) = time(text)?
    {
        return Ok(Some(Value::string(time)));
    }
    let prefixed = text.strip_prefix("0o").or_else(|| text.strip_prefix("0x"));
    let hex = text.starts_with("0x");
    let digits = |c: char| if hex { c.is_ascii_hexdigit() } else { matches!(c, '0'..='7') };
    let whole = prefixed.is_some_and(|rest| !rest.is_empty() && rest.chars().all(digits));
    if whole || is_decimal(text) { number(text).map(Some) } else { Ok(None) }
}

fn is_decimal(text: &str) -> bool {
    DECIMAL.as_ref().is_some_and(|re| re.is_match(text))
}

/// Decimal numbers of any size; octal and hexadecimal ones of 64 bits.
fn number(text: &str) -> Result<Value, FuncError> {
    if is_decimal(text) {
        return Ok(Value::number(Number::parse(text)?));
    }
    let digits = match (text.strip_prefix("0o"), text.strip_prefix("0x")) {
        (Some(rest), _) => u64::from_str_radix(rest, 8),
        (_, Some(rest)) => u64::from_str_radix(rest, 16),
        _ => return Err(FuncError::unsupported(format!("the YAML number {text:?} is not supported"))),
    };
    let number = digits.map_err(|_| FuncError::new(format!("cannot parse {text:?} as a number")))?;
    Ok(Value::number(Number::from_integer(false, UBig::from(number))?))
}

/// A time as RFC 3339, without fractions of a second; `None` where it is none.
fn time(text: &str) -> Result<Option<String>, FuncError> {
    let Some(parts) = TIME.as_ref().and_then(|re| re.captures(text)) else { return Ok(None) };
    let at = |i: usize| parts.get(i).and_then(|m| m.as_str().parse::<u32>().ok());
    let (year, month, day) = (at(1).unwrap_or(0), at(2).unwrap_or(0), at(3).unwrap_or(0));
    let clock = [(4, 9), (5, 10), (6, 11)].map(|(zoned, plain)| at(zoned).or(at(plain)).unwrap_or(0));
    let [hour, minute, second] = clock;
    if !(1..=12).contains(&month)
        || day < 1
        || i64::from(day) > days_in(year.into(), month.into())
        || hour > 23
        || minute > 59
        || second > 59
    {
        return Ok(None);
    }
    let zone = match parts.get(8).map_or("Z", |m| m.as_str()) {
        "Z" | "+00:00" | "-00:00" => "Z",
        zone => {
            let number = |range: std::ops::Range<usize>| zone.get(range).and_then(|n| n.parse::<u32>().ok());
            if number(1..3).is_none_or(|n| n > 23) || number(4..6).is_none_or(|n| n > 59) {
                return Err(FuncError::unsupported("this time zone in YAML is not supported"));
            }
            zone
        }
    };
    Ok(Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}")))
}
