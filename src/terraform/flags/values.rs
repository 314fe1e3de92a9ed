//! Values as Go's `flag` package reads them.

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
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let mut any = false;
    while !rest.is_empty() {
        let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (digits, after) = rest.split_at(number);
        let well = digits.matches('.').count() <= 1 && digits.contains(|c: char| c.is_ascii_digit());
        // Longer units first: `ms` begins like `m`.
        let units = ["ns", "us", "\u{b5}s", "\u{3bc}s", "ms", "s", "m", "h"];
        let Some(next) = units.iter().find_map(|u| after.strip_prefix(u)).filter(|_| well) else {
            return false;
        };
        (rest, any) = (next, true);
    }
    any
}
