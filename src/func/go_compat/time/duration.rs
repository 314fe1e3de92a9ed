//! Durations as Go writes them: `1h30m`, `-1.5s`, `100µs`.

use crate::func::FuncError;

/// A duration in nanoseconds; digits beyond a nanosecond are cut off (Go `time.ParseDuration`).
///
/// # Errors
/// Returns an error for text that is no duration, or one that is longer than an `i64` counts.
pub(in crate::func) fn nanoseconds(text: &str) -> Result<i64, FuncError> {
    let invalid = || FuncError::new(format!("time: invalid duration {text:?}"));
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total: u128 = 0;
    while !rest.is_empty() {
        let whole = digits(&mut rest);
        let fraction = rest.strip_prefix('.').map(|after| {
            rest = after;
            digits(&mut rest)
        });
        if whole.is_empty() && fraction.is_none_or(str::is_empty) {
            return Err(invalid());
        }
        let unit = unit(&mut rest).ok_or_else(invalid)?;
        total += part(whole, fraction.unwrap_or(""), unit).ok_or_else(invalid)??;
        if total > LONGEST {
            return Err(invalid());
        }
    }
    let total = i128::try_from(total).map_err(|_| invalid())?;
    i64::try_from(if negative { -total } else { total }).map_err(|_| invalid())
}

/// 2^63: more is an error in every part, exactly so much only where it is negative.
const LONGEST: u128 = 1 << 63;

/// More digits of a fraction than these don't fit Go's integer.
const MAX_FRACTION: usize = 18;

fn digits<'a>(rest: &mut &'a str) -> &'a str {
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, after) = rest.split_at(end);
    *rest = after;
    digits
}

fn unit(rest: &mut &str) -> Option<u64> {
    let end = rest.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(rest.len());
    let (unit, after) = rest.split_at(end);
    *rest = after;
    Some(match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// Returns a number with its unit in nanoseconds; `None` if it is too large, an error where Go would drop digits.
fn part(whole: &str, fraction: &str, unit: u64) -> Option<Result<u128, FuncError>> {
    let whole: u128 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let nanoseconds = whole.checked_mul(unit.into()).filter(|n| *n <= LONGEST)?;
    if fraction.len() > MAX_FRACTION {
        return Some(Err(FuncError::unsupported("the duration's fraction has too many digits")));
    }
    let numerator: u64 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    let scale = fraction.bytes().fold(1.0, |scale, _| scale * 10.0);
    // The same operations on floats in the same order as Go's, so that rounding comes out alike.
    let part = numerator as f64 * (unit as f64 / scale);
    Some(Ok(nanoseconds + part as u128))
}
