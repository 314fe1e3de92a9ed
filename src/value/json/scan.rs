//! JSON with a span on every node.
//!
//! Input: a text. Invariant: numbers keep their digits and objects their order and repeated keys, which a general JSON
//! reader loses. The grammar is RFC 8259; nesting is limited. Lone surrogates become U+FFFD, as in Go. Absent on purpose: any meaning.

use super::escape;
use crate::text::Span;
use std::sync::Arc;

/// A JSON value and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its bytes.
    pub span: Span,
    /// Its kind, and what it holds.
    pub kind: Kind,
}

/// The kind of a JSON value.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// The digits as written.
    Number(Arc<str>),
    /// The text without escapes.
    String(Arc<str>),
    /// The elements.
    Array(Vec<Node>),
    /// The members in the order in which they are written, with each key as often as it is there.
    Object(Vec<Member>),
}

/// A key, with its quotes' span, and its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// The key.
    pub key: Arc<str>,
    /// The bytes of the key.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

/// The reason why a text is not JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotJson {
    /// The character that doesn't belong there; empty at the end of the text.
    pub span: Span,
    /// True if the text is nested too deeply, and may be JSON.
    pub limit: bool,
    /// What the reader was at, in the words of Go's `encoding/json`.
    pub context: String,
    /// The reason as a sentence.
    pub message: &'static str,
}

const VALUE: &str = "looking for beginning of value";
const AFTER_MEMBER: (&str, &str) =
    ("after object key:value pair", "A comma or a closing brace must follow a property.");
const AFTER_ELEMENT: (&str, &str) =
    ("after array element", "A comma or a closing bracket must follow an array element.");

type Result<T> = std::result::Result<T, NotJson>;

/// The value that stands at a byte of a text, and the byte behind it and the white space that follows. Values may stand in
/// `deepest` others.
///
/// # Errors
/// Returns an error if it isn't JSON, or nests deeper.
pub fn scan(text: &str, at: usize, deepest: usize) -> Result<(Node, usize)> {
    let mut scanner = Scanner { text, at, left: deepest };
    scanner.space();
    let node = scanner.value()?;
    scanner.space();
    Ok((node, scanner.at))
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    left: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fail<T>(&self, context: impl Into<String>, message: &'static str) -> Result<T> {
        let end = self.at + self.rest().chars().next().map_or(0, char::len_utf8);
        Err(NotJson { span: Span::new(self.at, end), limit: false, context: context.into(), message })
    }

    fn pass(&mut self, is: fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let count = rest.iter().take_while(|b| is(**b)).count();
        self.at += count;
        count
    }

    fn space(&mut self) {
        self.pass(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
    }

    fn eat(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self) -> Result<Node> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'"') => Kind::String(self.string()?),
            Some(b'{') => Kind::Object(self.nested(b'}', Scanner::member, AFTER_MEMBER)?),
            Some(b'[') => Kind::Array(self.nested(b']', Scanner::value, AFTER_ELEMENT)?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'n') => self.word("null", Kind::Null)?,
            Some(b't') => self.word("true", Kind::Bool(true))?,
            Some(b'f') => self.word("false", Kind::Bool(false))?,
            Some(b) if b.is_ascii_alphabetic() => {
                return self.fail(VALUE, "This is not a JSON keyword: only true, false and null are.");
            }
            _ => {
                let message =
                    "A JSON value must start with a brace, a bracket, a number, a string, or a keyword.";
                return self.fail(VALUE, message);
            }
        };
        Ok(Node { span: Span::new(start, self.at), kind })
    }

    /// The items between brackets: `item` reads one, and `after` says what follows it.
    fn nested<T>(
        &mut self,
        end: u8,
        item: fn(&mut Self) -> Result<T>,
        after: (&'static str, &'static str),
    ) -> Result<Vec<T>> {
        if self.left == 0 {
            let deep = self.fail("", "The value is nested too deeply.");
            return deep.map_err(|e| NotJson { limit: true, ..e });
        }
        self.left -= 1;
        self.at += 1;
        self.space();
        let mut items = Vec::new();
        if !self.eat(end) {
            loop {
                items.push(item(self)?);
                self.space();
                if self.eat(end) {
                    break;
                }
                if !self.eat(b',') {
                    return self.fail(after.0, after.1);
                }
                self.space();
            }
        }
        self.left += 1;
        Ok(items)
    }

    fn member(&mut self) -> Result<Member> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            let message = "A JSON object property name must be a string in double quotes.";
            return self.fail("looking for beginning of object key string", message);
        }
        let key = self.string()?;
        let key_span = Span::new(start, self.at);
        self.space();
        if !self.eat(b':') {
            return self.fail("after object key", "A colon must follow a property name.");
        }
        self.space();
        Ok(Member { key, key_span, value: self.value()? })
    }

    fn word(&mut self, word: &'static str, kind: Kind) -> Result<Kind> {
        let same = self.rest().bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
        self.at += same;
        match word.get(same..=same) {
            None => Ok(kind),
            Some(wanted) => {
                let context = format!("in literal {word} (expecting '{wanted}')");
                self.fail(context, "This is not a JSON keyword: only true, false and null are.")
            }
        }
    }

    fn number(&mut self) -> Result<Kind> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits("in numeric literal")?;
        }
        if self.eat(b'.') {
            self.digits("after decimal point in numeric literal")?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _ = self.eat(b'+') || self.eat(b'-');
            self.digits("in exponent of numeric literal")?;
        }
        Ok(Kind::Number(self.text.get(start..self.at).unwrap_or("").into()))
    }

    fn digits(&mut self, context: &'static str) -> Result<()> {
        match self.pass(|b| b.is_ascii_digit()) {
            0 => self.fail(context, "This is not a JSON number."),
            _ => Ok(()),
        }
    }

    fn string(&mut self) -> Result<Arc<str>> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.rest();
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            out.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            let message = match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out.into());
                }
                Some(b'\\') => {
                    out.push(self.escape()?);
                    continue;
                }
                Some(_) => "A control character in a JSON string must be escaped.",
                None => "The string has no closing quote.",
            };
            return self.fail("in string literal", message);
        }
    }

    fn escape(&mut self) -> Result<char> {
        let (c, length) = escape(self.rest()).or_else(|bad| {
            self.at += bad;
            match bad {
                1 => self.fail("in string escape code", "This is not a JSON escape."),
                _ => self
                    .fail("in \\u hexadecimal character escape", "Four hexadecimal digits must follow \\u."),
            }
        })?;
        self.at += length;
        Ok(c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Option<Node> {
        scan(text, 0, 512).ok().filter(|(_, end)| *end == text.len()).map(|(node, _)| node)
    }

    #[test]
    fn reads_values_with_their_spans() {
        let node = all(r#" {"a": [1, -2.5e3, "x\u00e9\ud83d\ude00"], "a": null} "#).unwrap();
        let Kind::Object(members) = &node.kind else { panic!() };
        assert_eq!(members.len(), 2);
        let Kind::Array(items) = &members[0].value.kind else { panic!() };
        assert_eq!(items[1].kind, Kind::Number("-2.5e3".into()));
        assert_eq!(items[2].kind, Kind::String("xé😀".into()));
        assert_eq!(members[0].key_span, Span::new(2, 5));
    }

    #[test]
    fn refuses_what_is_not_json() {
        for text in
            ["", "{", "[1,]", "{a:1}", "01", "1.", "nul", "truex", "\"\n\"", "\"\\x\"", "1 2", "{\"a\" 1}"]
        {
            assert!(all(text).is_none(), "{text}");
        }
        assert!(scan(&"[".repeat(100_000), 0, 512).unwrap_err().limit);
    }
}
