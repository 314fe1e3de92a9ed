//! Values as Go's `flag` package reads them.

use std::time::Duration;

/// Returns true for a boolean of `strconv.ParseBool`.
pub(super) fn is_bool(text: &str) -> bool {
    let yes = ["1", "t", "T", "true", "TRUE", "True"];
    yes.contains(&text) || ["0", "f", "F", "false", "FALSE", "False"].contains(&text)
}

/// A whole number as `strconv.ParseInt` with base 0 has it, and not below zero: Terraform refuses that later.
pub(super) fn is_count(text: &str) -> bool {
    let text = text.strip_prefix('+').unwrap_or(text);
    let lower = text.to_ascii_lowercase();
    let (radix, digits) = match (lower.strip_prefix("0x"), lower.strip_prefix("0b"), lower.strip_prefix("0o"))
    {
        (Some(rest), _, _) => (16, rest.strip_prefix('_').unwrap_or(rest)),
        (_, Some(rest), _) => (2, rest.strip_prefix('_').unwrap_or(rest)),
        (_, _, Some(rest)) => (8, rest.strip_prefix('_').unwrap_or(rest)),
        _ if lower.len() > 1 && lower.starts_with('0') => (8, lower.as_str()),
        _ => (10, lower.as_str()),
    };
    let apart = digits.split('_').all(|part| !part.is_empty() && part.chars().all(|c| c.is_digit(radix)));
    apart && i64::from_str_radix(&digits.replace('_', ""), radix).is_ok()
}

/// Returns true for a duration of `time.ParseDuration`.
pub(super) fn is_duration(text: &str) -> bool {
    parse_seconds(text).is_some()
}

/// The length of a duration of `time.ParseDuration`; none at all for one below zero.
pub fn parse_duration(text: &str) -> Option<Duration> {
    let seconds = parse_seconds(text)?;
    Some(Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX))
}

/// Units with their seconds, longer names first: `ms` begins like `m`.
const UNITS: [(&str, f64); 8] = [
    ("ns", 1e-9),
    ("us", 1e-6),
    ("\u{b5}s", 1e-6),
    ("\u{3bc}s", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
    ("m", 60.0),
    ("h", 3600.0),
];

fn parse_seconds(text: &str) -> Option<f64> {
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return Some(0.0);
    }
    let mut sum = None;
    while !rest.is_empty() {
        let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (digits, after) = rest.split_at(number);
        let well = digits.matches('.').count() <= 1 && digits.contains(|c: char| c.is_ascii_digit());
        let (next, seconds) =
            UNITS.iter().find_map(|(u, s)| Some((after.strip_prefix(u)?, s))).filter(|_| well)?;
        let count: f64 = format!("0{digits}0").parse().unwrap_or(0.0);
        let count = if digits.contains('.') { count } else { count / 10.0 };
        (rest, sum) = (next, Some(sum.unwrap_or(0.0) + count * seconds));
    }
    sum.map(|sum| if text.starts_with('-') { -sum } else { sum })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_duration() {
        for (text, millis) in [
            ("0", 0),
            ("60s", 60_000),
            ("1m30s", 90_000),
            ("1.5h", 5_400_000),
            ("250ms", 250),
            (".5s", 500),
            ("2.s", 2_000),
            ("-3s", 0),
        ] {
            assert_eq!(parse_duration(text), Some(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "60", "s", "1.2.3s", "1d", "99"] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }
}
