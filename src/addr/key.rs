//! Keys of instances: `[0]` of `count`, `["k"]` of `for_each`.

use regex::Regex;
use std::fmt;
use std::sync::{Arc, LazyLock};

/// The key of one instance of a repeated module call or resource. Numbers order before strings, as in Terraform.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Key {
    /// An index of `count`.
    Index(i64),
    /// A key of `for_each`.
    Name(Arc<str>),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Index(n) => write!(f, "[{n}]"),
            Key::Name(s) => write!(f, "[\"{}\"]", quote(s)),
        }
    }
}

/// The inside of a quoted HCL string, escaped so that nothing in it is a template.
fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '$' | '%' if chars.peek() == Some(&'{') => {
                out.push(c);
                out.push(c);
            }
            c if is_printed(c) => out.push(c),
            c if u32::from(c) < 0x1_0000 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    out
}

/// Returns true if Terraform prints the character unescaped: letters, marks, numbers, punctuation, symbols, and the
/// plain space.
fn is_printed(c: char) -> bool {
    static PRINTED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\pL\pM\pN\pP\pS]$").ok());
    let mut bytes = [0; 4];
    c == ' '
        || c.is_ascii_graphic()
        || PRINTED.as_ref().is_some_and(|printed| printed.is_match(c.encode_utf8(&mut bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_terraform() {
        assert_eq!(Key::Index(3).to_string(), "[3]");
        assert_eq!(
            Key::Name("ä \u{a0}\u{200b}\u{e0001}".into()).to_string(),
            r#"["ä \u00a0\u200b\U000e0001"]"#
        );
        assert_eq!(Key::Name("a\"${b}".into()).to_string(), r#"["a\"$${b}"]"#);
    }
}
