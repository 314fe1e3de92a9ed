//! A document letter by letter, whatever it is written in.
//!
//! In: a document in any format that leaves. Out: its letters and digits, small, and what stands between them. Escapes of JSON, of the language, of HTML, Markdown, Mermaid and
//! addresses, `\u{…}`, and colours of a terminal are one unit each. Absent on purpose: which format it is.

use super::visible::is_hidden;

/// No escape is longer, in bytes.
const LONGEST: usize = 24;

/// One letter, digit, or other character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    /// A letter or digit of ASCII, small.
    Letter(u8),
    /// What parts values from each other: space, quotes, brackets and the like.
    Break,
    /// Any other character.
    Other,
    /// Nothing that is seen.
    Nothing,
}

/// Calls `each` with every unit, and where it begins and ends.
pub(super) fn units(document: &str, each: &mut dyn FnMut(Unit, (usize, usize))) {
    let mut at = 0;
    while let Some(c) = document.get(at..).and_then(|rest| rest.chars().next()) {
        let (unit, length) = match c {
            '\\' | '&' | '%' | '#' | '\u{1b}' => {
                let rest = document.get(at..).unwrap_or_default();
                escape(c, rest).unwrap_or((of_char(c), c.len_utf8()))
            }
            c => (of_char(c), c.len_utf8()),
        };
        each(unit, (at, at + length));
        at += length;
    }
}

fn of_char(c: char) -> Unit {
    match c {
        c if c.is_ascii_alphanumeric() => {
            Unit::Letter(u8::try_from(c.to_ascii_lowercase()).unwrap_or_default())
        }
        '\n' | '\t' | '\r' | '\u{1b}' => Unit::Break,
        c if is_hidden(c) => Unit::Nothing,
        c if c.is_whitespace() => Unit::Break,
        '"' | '\'' | '`' | '=' | ':' | ',' | ';' | '{' | '}' | '[' | ']' | '(' | ')' | '<' | '>' | '|' => {
            Unit::Break
        }
        // What is put onto the letter before.
        '\u{300}'..='\u{36f}' | '\u{fe00}'..='\u{fe0f}' => Unit::Nothing,
        _ => Unit::Other,
    }
}

/// What stands for another character, and its length.
fn escape(first: char, rest: &str) -> Option<(Unit, usize)> {
    // What lies further is no part of it.
    let behind = rest.get(1..rest.floor_char_boundary(LONGEST.min(rest.len())))?;
    let number = |digits: &str, base: u32| u32::from_str_radix(digits, base).ok();
    // Half of a pair stands for no character that is looked at.
    let of_number = |n: u32| char::from_u32(n).map_or(Unit::Nothing, of_char);
    match first {
        '\\' => {
            if let Some(inner) = behind.strip_prefix("u{") {
                let digits = inner.get(..inner.find('}').filter(|end| *end <= 6)?)?;
                return Some((of_number(number(digits, 16)?), 4 + digits.len()));
            }
            if let Some(digits) = behind.strip_prefix('u').and_then(|inner| inner.get(..4)) {
                return Some((of_number(number(digits, 16)?), 6));
            }
            match behind.chars().next()? {
                'n' | 'r' | 't' => Some((Unit::Break, 2)),
                // The backslash of an escaped text is escaped once more.
                '\\' => Some(match escape('\\', behind) {
                    Some((unit, length)) if length > 2 => (unit, length + 1),
                    _ => (Unit::Other, 2),
                }),
                c if c.is_ascii_alphanumeric() => None,
                c => Some((of_char(c), 1 + c.len_utf8())),
            }
        }
        '&' => {
            let name = behind.get(..behind.find(';').filter(|end| (2..=8).contains(end))?)?;
            let unit = match name {
                "amp" => Unit::Other,
                "lt" | "gt" | "quot" | "apos" => Unit::Break,
                name => match name.strip_prefix("#x") {
                    Some(digits) => of_number(number(digits, 16)?),
                    None => of_number(number(name.strip_prefix('#')?, 10)?),
                },
            };
            Some((unit, name.len() + 2))
        }
        '#' => {
            let digits = behind.get(..behind.find(';').filter(|end| (2..=4).contains(end))?)?;
            Some((of_number(number(digits, 10)?), digits.len() + 2))
        }
        '%' => Some((of_number(number(behind.get(..2)?, 16)?), 3)),
        _ => {
            let code = behind.strip_prefix('[')?;
            let end = code.find('m').filter(|end| *end <= 16)?;
            let is_code = code.get(..end)?.bytes().all(|byte| byte.is_ascii_digit() || byte == b';');
            is_code.then_some((Unit::Break, end + 3))
        }
    }
}
