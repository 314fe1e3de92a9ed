//! Character classes and escapes of Go's patterns, for [`translate`](super::translate).
//!
//! Classes come out as explicit ranges: `\d`, `\w`, `\s` and `[:alpha:]` mean ASCII in Go.
//! Source of the semantics: Go `regexp/syntax` (`parseClass`, `parseEscape`, `perl_groups.go`).

use super::{declined, invalid};
use crate::func::FuncError;
use crate::func::unicode::is_assigned;
use std::fmt::Write;

/// The meaning of an escape.
pub(in crate::func) enum Escape {
    /// A character.
    Char(char),
    /// A class, as the inside of brackets, and whether it is negated.
    Class(String, bool),
}

impl Escape {
    /// Returns the class as a pattern by itself.
    pub(in crate::func) fn shown(&self) -> String {
        let mut out = String::new();
        match self {
            Escape::Char(c) => push_char(*c, &mut out),
            Escape::Class(inside, negated) => {
                out = format!("[{}{inside}]", if *negated { "^" } else { "" });
            }
        }
        out
    }
}

/// A character that stands for itself, in or outside brackets.
pub(in crate::func) fn push_char(c: char, out: &mut String) {
    if c.is_ascii_alphanumeric() {
        out.push(c);
    } else {
        // Writing to a String can't fail.
        let _ = write!(out, "\\x{{{:x}}}", u32::from(c));
    }
}

const DIGIT: &str = "0-9";
const SPACE: &str = r"\t\n\x0c\r\x20";
const WORD: &str = "0-9A-Za-z_";

/// Categories and scripts that hold the same characters here and in Terraform, as far as both know them: gone through
/// character by character in `e2e/differential/properties.rs`.
pub const PROPERTIES: &[&str] = &[
    "Any",
    "Cc",
    "Cf",
    "Co",
    "L",
    "Ll",
    "Lm",
    "Lo",
    "Lt",
    "Lu",
    "M",
    "Me",
    "N",
    "Nd",
    "Nl",
    "No",
    "P",
    "Pc",
    "Pd",
    "Pe",
    "Pf",
    "Pi",
    "Po",
    "Ps",
    "S",
    "Sc",
    "Sk",
    "Sm",
    "So",
    "Z",
    "Zl",
    "Zp",
    "Zs",
    "Arabic",
    "Armenian",
    "Bengali",
    "Bopomofo",
    "Braille",
    "Cherokee",
    "Common",
    "Coptic",
    "Cyrillic",
    "Devanagari",
    "Ethiopic",
    "Georgian",
    "Gothic",
    "Greek",
    "Gujarati",
    "Gurmukhi",
    "Han",
    "Hangul",
    "Hebrew",
    "Hiragana",
    "Inherited",
    "Kannada",
    "Katakana",
    "Khmer",
    "Lao",
    "Latin",
    "Malayalam",
    "Mongolian",
    "Myanmar",
    "Ogham",
    "Oriya",
    "Runic",
    "Sinhala",
    "Syriac",
    "Tamil",
    "Telugu",
    "Thaana",
    "Thai",
    "Tibetan",
];

/// The escape behind a backslash, and what follows it.
pub(in crate::func) fn escape(text: &str) -> Result<(Escape, &str), FuncError> {
    let Some(c) = text.chars().next() else {
        return Err(invalid("trailing backslash at end of expression", text));
    };
    let rest = text.get(c.len_utf8()..).unwrap_or_default();
    let class = |inside: &str, negated| Ok((Escape::Class(inside.to_owned(), negated), rest));
    let one = |c| Ok((Escape::Char(c), rest));
    match c {
        'd' | 'D' => class(DIGIT, c == 'D'),
        's' | 'S' => class(SPACE, c == 'S'),
        'w' | 'W' => class(WORD, c == 'W'),
        'p' | 'P' => property(rest, c == 'P'),
        'a' => one('\u{7}'),
        'f' => one('\u{c}'),
        't' => one('\t'),
        'n' => one('\n'),
        'r' => one('\r'),
        'v' => one('\u{b}'),
        'x' => hexadecimal(rest),
        '0' => octal(text),
        '1'..='7' if rest.starts_with(|next| matches!(next, '0'..='7')) => octal(text),
        c if c.is_ascii_alphanumeric() => Err(invalid("invalid escape sequence", text)),
        c if c.is_ascii() => one(c),
        _ => Err(invalid("invalid escape sequence", text)),
    }
}

/// Up to three octal digits.
fn octal(text: &str) -> Result<(Escape, &str), FuncError> {
    let end = text.bytes().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
    let (digits, rest) = text.split_at_checked(end).unwrap_or_default();
    let code = u32::from_str_radix(digits, 8).ok().and_then(char::from_u32);
    code.map(|c| (Escape::Char(c), rest)).ok_or_else(|| invalid("invalid escape sequence", text))
}

fn hexadecimal(text: &str) -> Result<(Escape, &str), FuncError> {
    let bad = || invalid("invalid escape sequence", text);
    let (digits, rest) = match text.strip_prefix('{') {
        Some(inner) => inner.split_once('}').ok_or_else(bad)?,
        None => text.split_at_checked(2).ok_or_else(bad)?,
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(bad());
    }
    let code = u32::from_str_radix(digits, 16).map_err(|_| bad())?;
    let c = char::from_u32(code)
        .ok_or_else(|| if code > 0x0010_ffff { bad() } else { declined("surrogates") })?;
    if is_assigned(c) { Ok((Escape::Char(c), rest)) } else { Err(declined("this character")) }
}

fn property(text: &str, negated: bool) -> Result<(Escape, &str), FuncError> {
    let (name, rest) = match text.strip_prefix('{') {
        Some(inner) => inner.split_once('}').ok_or_else(|| invalid("invalid character class range", text))?,
        None => text.split_at_checked(1).ok_or_else(|| declined("this property"))?,
    };
    let (name, negated) = match name.strip_prefix('^') {
        Some(name) => (name, !negated),
        None => (name, negated),
    };
    if !PROPERTIES.contains(&name) {
        return Err(declined("this property"));
    }
    Ok((Escape::Class(format!("\\p{{{name}}}"), negated), rest))
}

const POSIX: &[(&str, &str)] = &[
    ("alnum", "0-9A-Za-z"),
    ("alpha", "A-Za-z"),
    ("ascii", r"\x00-\x7F"),
    ("blank", r"\t\x20"),
    ("cntrl", r"\x00-\x1F\x7F"),
    ("digit", "0-9"),
    ("graph", r"\x21-\x7E"),
    ("lower", "a-z"),
    ("print", r"\x20-\x7E"),
    ("punct", r"\x21-\x2F\x3A-\x40\x5B-\x60\x7B-\x7E"),
    ("space", r"\t-\r\x20"),
    ("upper", "A-Z"),
    ("word", "0-9A-Za-z_"),
    ("xdigit", "0-9A-Fa-f"),
];

/// The class whose opening bracket has been read, and what follows it.
pub(in crate::func) fn bracketed(text: &str) -> Result<(String, &str), FuncError> {
    let mut out = String::from("[");
    let mut rest = text;
    if let Some(after) = rest.strip_prefix('^') {
        out.push('^');
        rest = after;
    }
    let mut first = true;
    loop {
        match rest.chars().next() {
            None => return Err(invalid("missing closing ]", text)),
            Some(']') if !first => {
                out.push(']');
                return Ok((out, rest.get(1..).unwrap_or_default()));
            }
            _ => {}
        }
        first = false;
        if let Some(after) = posix(rest, &mut out)? {
            rest = after;
            continue;
        }
        let (low, after) = item(rest)?;
        let low = match low {
            Escape::Class(..) => {
                out.push_str(&low.shown());
                rest = after;
                continue;
            }
            Escape::Char(c) => c,
        };
        push_char(low, &mut out);
        rest = after;
        if let Some(after) = rest.strip_prefix('-').filter(|r| !r.starts_with(']')) {
            let (Escape::Char(high), after) = item(after)? else {
                return Err(declined("this range"));
            };
            if high < low {
                return Err(invalid("invalid character class range", rest));
            }
            out.push('-');
            push_char(high, &mut out);
            rest = after;
        }
    }
}

fn item(text: &str) -> Result<(Escape, &str), FuncError> {
    match text.chars().next() {
        None => Err(invalid("missing closing ]", text)),
        Some('\\') => escape(text.get(1..).unwrap_or_default()),
        Some(c) if is_assigned(c) => Ok((Escape::Char(c), text.get(c.len_utf8()..).unwrap_or_default())),
        Some(_) => Err(declined("this character")),
    }
}

/// `[:alpha:]` and its like; nothing where the text doesn't start with one.
fn posix<'t>(text: &'t str, out: &mut String) -> Result<Option<&'t str>, FuncError> {
    let Some(inner) = text.strip_prefix("[:") else { return Ok(None) };
    let Some((name, rest)) = inner.split_once(":]") else { return Ok(None) };
    let (name, negated) = match name.strip_prefix('^') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let Some((_, inside)) = POSIX.iter().find(|(n, _)| *n == name) else {
        return Err(invalid("invalid character class range", text));
    };
    out.push_str(&Escape::Class((*inside).to_owned(), negated).shown());
    Ok(Some(rest))
}
