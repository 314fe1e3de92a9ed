//! Numbers from text, as `cty.ParseNumberVal` reads them.
//!
//! Accepted besides plain decimals: a leading `+`, `.5`, `5.`, exponents with `e` or (binary) `p`, `inf`.
//! Powers of five beyond 5^248 are themselves rounded, to the bits that Go keeps, so that the last bit agrees.

use super::mantissa::{quotient, round};
use super::{Form, MAX_BITS, Number, TEXT_PRECISION};
use crate::value::{Result, ValueError};
use dashu_int::UBig;

/// Longest text that is looked at.
const MAX_TEXT: usize = 1 << 18;

/// The parts of a decimal text.
struct Parts<'a> {
    neg: bool,
    whole: &'a str,
    fraction: &'a str,
    /// The exponent and whether it is a power of two.
    exponent: i64,
    binary: bool,
}

impl Number {
    /// Reads a decimal text with 512 bits of precision.
    ///
    /// # Errors
    /// `a number is required` where it isn't one; a limit where it is too long or too large.
    pub fn parse(text: &str) -> Result<Number> {
        if let Some(number) = parse_infinity(text) {
            return Ok(number);
        }
        if text.len() > MAX_TEXT {
            return Err(ValueError::limit("a number of this length is not supported"));
        }
        let parts = split(text).ok_or_else(|| ValueError::new("a number is required"))?;
        let digits = [parts.whole, parts.fraction].concat();
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Ok(Number { neg: parts.neg, prec: TEXT_PRECISION, form: Form::Zero });
        }
        let mant = UBig::from_str_radix(digits, 10).map_err(|_| ValueError::new("a number is required"))?;
        if parts.exponent.abs() > MAX_BITS {
            return Err(ValueError::limit("a number of this size is not supported"));
        }
        let scale = i64::try_from(parts.fraction.len()).unwrap_or(MAX_BITS);
        let ten = if parts.binary { -scale } else { parts.exponent - scale };
        let two = if parts.binary { parts.exponent } else { 0 };
        let (mant, exp) = scaled(&mant, ten);
        Number::rounded(parts.neg, mant, exp.saturating_add(two), false, TEXT_PRECISION).within_limits()
    }
}

/// `mant * 10^ten` to the precision of text.
fn scaled(mant: &UBig, ten: i64) -> (UBig, i64) {
    if ten == 0 {
        return round(mant.clone(), 0, false, TEXT_PRECISION);
    }
    let (power, power_exp) = power_of_five(ten.unsigned_abs());
    if ten > 0 {
        round(mant * power, power_exp + ten, false, TEXT_PRECISION)
    } else {
        quotient((mant, ten), (&power, power_exp), TEXT_PRECISION)
    }
}

/// 5^n to 576 bits, by the squarings that Go makes (each kept to 640 bits).
fn power_of_five(n: u64) -> (UBig, i64) {
    const TABLE: u64 = 27;
    let small = usize::try_from(n.min(TABLE)).unwrap_or(0);
    let mut power = (UBig::from(5u8).pow(small), 0i64);
    let mut factor = (UBig::from(5u8), 0i64);
    let mut rest = n.saturating_sub(TABLE);
    while rest > 0 {
        if rest & 1 == 1 {
            power = round(power.0 * &factor.0, power.1 + factor.1, false, TEXT_PRECISION + 64);
        }
        factor = round(factor.0.sqr(), factor.1 * 2, false, TEXT_PRECISION + 128);
        rest >>= 1;
    }
    power
}

fn parse_infinity(text: &str) -> Option<Number> {
    let (neg, rest) = sign(text);
    matches!(rest, "inf" | "Inf").then(|| Number::infinity(neg))
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn split(text: &str) -> Option<Parts<'_>> {
    let (neg, rest) = sign(text);
    let (mantissa, exponent) = match rest.find(['e', 'E', 'p', 'P']) {
        Some(at) => rest.split_at_checked(at)?,
        None => (rest, ""),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let binary = exponent.starts_with(['p', 'P']);
    let exponent = match exponent.get(1..) {
        None => 0,
        Some(power) => {
            let (_, digits) = sign(power);
            if digits.is_empty() || !is_digits(digits) {
                return None;
            }
            power.parse::<i64>().ok()?
        }
    };
    Some(Parts { neg, whole, fraction, exponent, binary })
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}
