//! Functions on numbers.
//!
//! `log` and `pow` go through 64-bit floats as Terraform's do, see [`float`].
//! Sources of the semantics: go-cty `stdlib/number.go`, Terraform `funcs/number.go`, `funcs/collection.go` (sum).

use crate::func::args::{arg, int, number, text};
use crate::func::go_compat::float;
use crate::func::{Context, FuncError, Function, Param, Want};
use crate::value::{Number, Type, Value, convert};
use dashu_int::UBig;

const NUM: Param = Param::new("num", Want::Number);
const NUMBERS: Param = Param::new("numbers", Want::Number).dynamic();

pub(super) const FUNCTIONS: &[Function] = &[
    Function::number(
        "abs",
        &[NUM.dynamic()],
        |_, args, _| Ok(Value::number(number(args, 0)?.abs())),
        "The number without its sign. Terraform docs: abs.",
    ),
    Function::number(
        "ceil",
        &[NUM],
        |_, args, _| Ok(Value::number(number(args, 0)?.ceil())),
        "The least whole number not below. Terraform docs: ceil.",
    ),
    Function::number(
        "floor",
        &[NUM],
        |_, args, _| Ok(Value::number(number(args, 0)?.floor())),
        "The greatest whole number not above. Terraform docs: floor.",
    ),
    Function::number(
        "log",
        &[NUM, Param::new("base", Want::Number)],
        |_, args, _| float::result(float::log(float::argument(args, 0)?, float::argument(args, 1)?)?),
        "The logarithm to a base. Terraform docs: log; Go math.Log.",
    ),
    Function::number(
        "max",
        &[],
        |_, args, _| extreme(args, |a, b| a > b),
        "The greatest number. Terraform docs: max.",
    )
    .variadic(NUMBERS),
    Function::number(
        "min",
        &[],
        |_, args, _| extreme(args, |a, b| a < b),
        "The least number. Terraform docs: min.",
    )
    .variadic(NUMBERS),
    Function::number(
        "parseint",
        &[Param::new("number", Want::Any), Param::new("base", Want::Number)],
        parse_int,
        "A whole number read in a base. Terraform docs: parseint; Go big.Int.SetString.",
    )
    .costs_for_each(16),
    Function::number(
        "pow",
        &[NUM, Param::new("power", Want::Number)],
        |_, args, _| float::result(float::pow(float::argument(args, 0)?, float::argument(args, 1)?)?),
        "A power. Terraform docs: pow; Go math.Pow.",
    ),
    Function::number(
        "signum",
        &[NUM],
        |_, args, _| Ok(Value::number(int(args, 0)?.signum())),
        "-1, 0 or 1 by the sign of a whole number. Terraform docs: signum.",
    ),
    Function::number(
        "sum",
        &[Param::new("list", Want::Any)],
        sum,
        "The sum of the elements of a list, set or tuple. Terraform docs: sum.",
    ),
];

fn extreme(args: &[Value], better: fn(&Number, &Number) -> bool) -> Result<Value, FuncError> {
    let mut best = number(args, 0).map_err(|_| FuncError::new("must pass at least one number"))?;
    for i in 1..args.len() {
        let next = number(args, i)?;
        if better(next, best) {
            best = next;
        }
    }
    Ok(Value::number(best.clone()))
}

/// Digits beyond this many are not read.
const MAX_DIGITS: usize = 20_000;

fn parse_int(_: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let name = arg(args, 0)?.ty.friendly_name();
    if arg(args, 0)?.ty != Type::String {
        return Err(FuncError::arg(0, format!("first argument must be a string, not {name}")));
    }
    let (text, base) = (text(args, 0)?, int(args, 1)?);
    let base = u32::try_from(base)
        .ok()
        .filter(|b| (2..=62).contains(b))
        .ok_or_else(|| FuncError::arg(1, "base must be a whole number between 2 and 62 inclusive"))?;
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let invalid = || FuncError::arg(0, format!("cannot parse {text:?} as a base {base} integer"));
    if digits.is_empty() {
        return Err(invalid());
    }
    if digits.len() > MAX_DIGITS {
        return Err(FuncError::declined("a number of this length is not supported"));
    }
    let mut magnitude = UBig::ZERO;
    for c in digits.chars() {
        let digit = match c {
            '0'..='9' => u32::from(c) - u32::from('0'),
            'a'..='z' => u32::from(c) - u32::from('a') + 10,
            'A'..='Z' if base <= 36 => u32::from(c) - u32::from('A') + 10,
            'A'..='Z' => u32::from(c) - u32::from('A') + 36,
            _ => return Err(invalid()),
        };
        if digit >= base {
            return Err(invalid());
        }
        magnitude = magnitude * base + digit;
    }
    Ok(Value::number(Number::from_integer(negative && magnitude != UBig::ZERO, magnitude)?))
}

fn sum(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let list = arg(args, 0)?;
    if !matches!(list.ty, Type::List(_) | Type::Set(_) | Type::Tuple(_)) {
        let name = list.ty.friendly_name();
        return Err(FuncError::arg(0, format!("argument must be list, set, or tuple. Received {name}")));
    }
    if list.length() == Some(0) {
        return Err(FuncError::arg(0, "cannot sum an empty list"));
    }
    if !list.is_wholly_known() {
        return Ok(Value::unknown(ty.clone()));
    }
    let mut total: Option<Number> = None;
    for element in list.parts() {
        let wrong = || FuncError::arg(0, "argument must be list, set, or tuple of number values");
        let converted =
            convert::convert(element, &Type::Number).map_err(|e| FuncError { limit: e.limit, ..wrong() })?;
        let number = converted.as_number().ok_or_else(wrong)?;
        total = Some(match total {
            None => number.clone(),
            Some(total) => total.add(number)?,
        });
    }
    total.map(Value::number).ok_or_else(|| FuncError::declined("nothing to sum"))
}
