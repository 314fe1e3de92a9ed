//! Strings and keys as HCL writes them.

use regex::Regex;
use std::fmt::Write;
use std::sync::LazyLock;

/// A string as a quoted template without interpolation.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '$' | '%' if chars.peek() == Some(&'{') => {
                out.push(c);
                out.push(c);
            }
            c if is_print(c) => out.push(c),
            c => escape(c, &mut out),
        }
    }
    out.push('"');
    out
}

/// Returns true if `text` may stand as a bare name: an attribute, a block type, a key.
pub fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// A name as the key of an object: bare where that is an identifier and no keyword, quoted elsewhere.
pub fn key(name: &str) -> String {
    const KEYWORDS: [&str; 9] = ["for", "in", "if", "else", "endif", "endfor", "null", "true", "false"];
    if is_identifier(name) && !KEYWORDS.contains(&name) { name.into() } else { quote(name) }
}

fn escape(c: char, out: &mut String) {
    let code = u32::from(c);
    // Writing to a String can't fail.
    let _ = if code > 0xffff { write!(out, "\\U{code:08x}") } else { write!(out, "\\u{code:04x}") };
}

/// Go's `unicode.IsPrint`, of Unicode 15.0.
pub fn is_print(c: char) -> bool {
    static PRINT: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^[[\p{L}\p{M}\p{N}\p{P}\p{S}]&&\p{Age=15.0}]$").ok());
    match c {
        ' '..='~' => true,
        c if c.is_ascii() => false,
        c => PRINT.as_ref().is_some_and(|re| re.is_match(c.encode_utf8(&mut [0; 4]))),
    }
}
