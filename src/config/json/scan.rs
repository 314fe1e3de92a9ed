//! JSON with a span on every node.
//!
//! Input: the text of a file. Invariant: numbers keep their digits and objects their order and repeated keys, which a
//! general JSON reader loses. The grammar is RFC 8259; nesting is limited. Absent on purpose: any meaning.

use crate::issue::Code;
use crate::text::Span;
use crate::value::json;
use std::sync::Arc;

/// Deeper nesting is refused.
const MAX_DEPTH: usize = 512;

/// A JSON value and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::config) struct Node {
    pub span: Span,
    pub kind: Kind,
}

/// The kind of a JSON value.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::config) enum Kind {
    Null,
    Bool(bool),
    /// The digits as written.
    Number(Arc<str>),
    String(Arc<str>),
    Array(Vec<Node>),
    Object(Vec<Member>),
}

/// A key, with its quotes' span, and its value.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::config) struct Member {
    pub key: Arc<str>,
    pub key_span: Span,
    pub value: Node,
}

/// The reason why a text is not JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::config) struct ScanError {
    pub span: Span,
    /// The code: the text is wrong, or exceeds a limit.
    pub code: Code,
    pub message: String,
}

impl ScanError {
    /// An error with its message and place.
    pub(in crate::config) fn new(span: Span, message: impl Into<String>) -> ScanError {
        ScanError { span, code: Code::Unparsable, message: message.into() }
    }
}

/// The one value of a JSON text.
pub(in crate::config) fn scan(text: &str) -> Result<Node, ScanError> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut scanner = Scanner { text, at: start, depth: 0 };
    scanner.space();
    let node = scanner.value()?;
    scanner.space();
    if scanner.at < text.len() {
        return scanner.fail("Extra characters after the value.");
    }
    Ok(node)
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn fail<T>(&self, message: &str) -> Result<T, ScanError> {
        let end = self.at + self.peek().map_or(0, char::len_utf8);
        Err(ScanError::new(Span::new(self.at, end), message))
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn value(&mut self) -> Result<Node, ScanError> {
        let start = self.at;
        let kind = match self.peek() {
            Some('"') => Kind::String(self.string()?),
            Some('{') => self.nested(Scanner::object)?,
            Some('[') => self.nested(Scanner::array)?,
            Some(c) if c == '-' || c.is_ascii_digit() => self.number()?,
            Some(c) if c.is_ascii_alphabetic() => self.word()?,
            _ => {
                return self.fail(
                    "A JSON value must start with a brace, a bracket, a number, a string, or a keyword.",
                );
            }
        };
        Ok(Node { span: Span::new(start, self.at), kind })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Kind, ScanError>) -> Result<Kind, ScanError> {
        if self.depth >= MAX_DEPTH {
            let error = self.fail::<Kind>("The value is nested too deeply.");
            return error.map_err(|e| ScanError { code: Code::TooDeep, ..e });
        }
        self.depth += 1;
        self.at += 1;
        self.space();
        let kind = read(self)?;
        self.depth -= 1;
        Ok(kind)
    }

    fn object(&mut self) -> Result<Kind, ScanError> {
        let mut members = Vec::new();
        if self.eat('}') {
            return Ok(Kind::Object(members));
        }
        loop {
            let start = self.at;
            if self.peek() != Some('"') {
                return self.fail("A JSON object property name must be a string in double quotes.");
            }
            let key = self.string()?;
            let key_span = Span::new(start, self.at);
            self.space();
            if !self.eat(':') {
                return self.fail("A colon must follow a property name.");
            }
            self.space();
            let value = self.value()?;
            members.push(Member { key, key_span, value });
            self.space();
            if self.eat('}') {
                return Ok(Kind::Object(members));
            }
            if !self.eat(',') {
                return self.fail("A comma or a closing brace must follow a property.");
            }
            self.space();
        }
    }

    fn array(&mut self) -> Result<Kind, ScanError> {
        let mut items = Vec::new();
        if self.eat(']') {
            return Ok(Kind::Array(items));
        }
        loop {
            items.push(self.value()?);
            self.space();
            if self.eat(']') {
                return Ok(Kind::Array(items));
            }
            if !self.eat(',') {
                return self.fail("A comma or a closing bracket must follow an array element.");
            }
            self.space();
        }
    }

    fn word(&mut self) -> Result<Kind, ScanError> {
        for (word, kind) in [("null", Kind::Null), ("true", Kind::Bool(true)), ("false", Kind::Bool(false))] {
            let after = self.rest().strip_prefix(word);
            if after.is_some_and(|r| !r.starts_with(|c: char| c.is_ascii_alphanumeric())) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        self.fail("This is not a JSON keyword: only true, false and null are.")
    }

    fn digits(&mut self) -> usize {
        let rest = self.rest();
        let count = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        self.at += count;
        count
    }

    fn number(&mut self) -> Result<Kind, ScanError> {
        let start = self.at;
        self.eat('-');
        let zero = self.peek() == Some('0');
        let whole = self.digits();
        let mut well_formed = whole > 0 && !(zero && whole > 1);
        if self.eat('.') {
            well_formed &= self.digits() > 0;
        }
        if self.eat('e') || self.eat('E') {
            if !self.eat('+') {
                self.eat('-');
            }
            well_formed &= self.digits() > 0;
        }
        if !well_formed {
            self.at = start;
            return self.fail("This is not a JSON number.");
        }
        Ok(Kind::Number(self.text.get(start..self.at).unwrap_or("").into()))
    }

    fn string(&mut self) -> Result<Arc<str>, ScanError> {
        self.at += 1;
        let mut out = String::new();
        loop {
            match self.peek() {
                Some('"') => {
                    self.at += 1;
                    return Ok(out.into());
                }
                Some('\\') => out.push(self.escape()?),
                Some(c) if c >= ' ' => {
                    self.at += c.len_utf8();
                    out.push(c);
                }
                Some(_) => return self.fail("A control character in a JSON string must be escaped."),
                None => return self.fail("The string has no closing quote."),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ScanError> {
        match json::escape(self.rest()) {
            Ok((c, length)) => {
                self.at += length;
                Ok(c)
            }
            Err(1) => {
                self.at += 1;
                self.fail("This is not a JSON escape.")
            }
            // The digits of the first escape, or of the second one of a pair.
            Err(bad) => {
                self.at += if bad < 8 { 2 } else { 8 };
                self.fail("Four hexadecimal digits must follow \\u.")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_values_with_their_spans() {
        let node = scan(r#" {"a": [1, -2.5e3, "x\u00e9\ud83d\ude00"], "a": null} "#).unwrap();
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
            assert!(scan(text).is_err(), "{text}");
        }
        assert!(scan(&"[".repeat(100_000)).is_err());
    }
}
