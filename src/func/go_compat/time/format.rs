//! The patterns of `formatdate`: letters repeated, and text in single quotes.

use super::rfc3339::{Parts, Time};
use crate::func::FuncError;
use crate::func::args::check_text;
use std::fmt::Write;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// Go reads a pattern token by token, and stops without a word at one longer than this.
const MAX_PATTERN: usize = 60_000;

/// A point in time by a pattern.
///
/// # Errors
/// Letters that mean nothing or are repeated too often, and quotes that don't end; declined very long patterns.
pub(in crate::func) fn format(pattern: &str, time: &Time) -> Result<String, FuncError> {
    if pattern.len() > MAX_PATTERN {
        return Err(FuncError::declined("the date format is too long"));
    }
    let parts = time.parts();
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        check_text(out.len())?;
        if first == '\'' {
            rest = quoted(rest, &mut out)?;
        } else if first.is_ascii_alphabetic() {
            let end = rest.find(|c| c != first).unwrap_or(rest.len());
            let (verb, after) = rest.split_at(end);
            write_verb(&mut out, first, verb, &parts, time)?;
            rest = after;
        } else {
            let end = rest.find(|c: char| c == '\'' || c.is_ascii_alphabetic()).unwrap_or(rest.len());
            let (literal, after) = rest.split_at(end);
            out.push_str(literal);
            rest = after;
        }
    }
    Ok(out)
}

/// Writes a quoted text out and gives what follows it. Two quotes in a row are one, inside and outside.
fn quoted<'a>(text: &'a str, out: &mut String) -> Result<&'a str, FuncError> {
    if let Some(rest) = text.strip_prefix("''") {
        out.push('\'');
        return Ok(rest);
    }
    let mut rest = text.strip_prefix('\'').unwrap_or(text);
    loop {
        let (literal, after) =
            rest.split_once('\'').ok_or_else(|| FuncError::arg(0, "unterminated literal '"))?;
        out.push_str(literal);
        match after.strip_prefix('\'') {
            Some(after) => {
                out.push('\'');
                rest = after;
            }
            None => return Ok(after),
        }
    }
}

fn write_verb(
    out: &mut String,
    letter: char,
    verb: &str,
    parts: &Parts,
    time: &Time,
) -> Result<(), FuncError> {
    let invalid = || FuncError::arg(0, format!("invalid date format verb {verb:?}"));
    let name = |names: &[&'static str], index: u8| names.get(usize::from(index)).copied().unwrap_or("");
    let short = |name: &'static str| name.get(..3).unwrap_or(name);
    let twelve = match parts.hour % 12 {
        0 => 12,
        hour => hour,
    };
    let halves = if parts.hour < 12 { ["AM", "am"] } else { ["PM", "pm"] };
    let zone = time.offset_text("");
    let written = match (letter, verb.len()) {
        ('Y', 2) => write!(out, "{:02}", parts.year % 100),
        ('Y', 4) => write!(out, "{:04}", parts.year),
        ('M', 3) => write!(out, "{}", short(name(&MONTHS, parts.month.saturating_sub(1)))),
        ('M', 4) => write!(out, "{}", name(&MONTHS, parts.month.saturating_sub(1))),
        ('E', 3) => write!(out, "{}", short(name(&DAYS, parts.weekday))),
        ('E', 4) => write!(out, "{}", name(&DAYS, parts.weekday)),
        ('M', 1 | 2) => number(out, parts.month, verb),
        ('D', 1 | 2) => number(out, parts.day, verb),
        ('h', 1 | 2) => number(out, parts.hour, verb),
        ('H', 1 | 2) => number(out, twelve, verb),
        ('m', 1 | 2) => number(out, parts.minute, verb),
        ('s', 1 | 2) => number(out, parts.second, verb),
        ('A', 2) => write!(out, "{}", halves[0]),
        ('a', 2) => write!(out, "{}", halves[1]),
        ('Z', 1) if time.offset == 0 => write!(out, "Z"),
        ('Z', 3) if time.offset == 0 => write!(out, "UTC"),
        ('Z', 3 | 4) => write!(out, "{zone}"),
        ('Z', 1 | 5) => write!(out, "{}", time.offset_text(":")),
        _ => return Err(invalid()),
    };
    written.map_err(|_| invalid())
}

fn number(out: &mut String, number: u8, verb: &str) -> std::fmt::Result {
    write!(out, "{number:00$}", verb.len())
}
