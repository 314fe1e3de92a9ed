//! Reading JSON as `jsondecode` does.
//!
//! Objects become objects, arrays tuples, nulls untyped. Go's decoder decides the corners: lone surrogates become
//! U+FFFD, the last of several equal keys counts, and text that follows is tolerated if it begins with a closing
//! bracket. Where several equal keys have values of different types, Terraform's answer depends on its version, and
//! there is a limit error here.

use super::escape;
use crate::value::{MAX_DEPTH, Number, Result, Type, Value, ValueError, normalise};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of a JSON text.
///
/// # Errors
/// Returns an error if it is no JSON; a limit where it nests deeper than [`MAX_DEPTH`] or is ambiguous.
pub fn decode(text: &str) -> Result<Value> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(MAX_DEPTH)?;
    match reader.peek() {
        None | Some(b']' | b'}') => Ok(value),
        Some(_) => Err(ValueError::new("extraneous data after JSON object")),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// The next byte that is no white space, without passing it.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let space = rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count();
        self.at += space;
        rest.get(space).copied()
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn unexpected(&mut self, context: &str) -> ValueError {
        match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            None => ValueError::new(if self.text.trim().is_empty() { "EOF" } else { "unexpected EOF" }),
            Some('\'') => ValueError::new(format!("invalid character '\\'' {context}")),
            Some('"') => ValueError::new(format!("invalid character '\"' {context}")),
            Some(c) => ValueError::new(format!("invalid character '{}' {context}", c.escape_debug())),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value> {
        if depth == 0 {
            return Err(ValueError::limit("the JSON text is nested too deeply"));
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Value::string),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::bool(true)),
            Some(b'f') => self.word("false", Value::bool(false)),
            Some(b'n') => self.word("null", Value::null(Type::Dynamic)),
            _ => Err(self.unexpected("looking for beginning of value")),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value> {
        if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            self.at += word.len();
            return Ok(value);
        }
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let same = rest.iter().zip(word.as_bytes()).take_while(|(a, b)| a == b).count();
        self.at += same;
        let wanted = word.get(same..=same).unwrap_or_default();
        Err(self.unexpected(&format!("in literal {word} (expecting '{wanted}')")))
    }

    fn array(&mut self, depth: usize) -> Result<Value> {
        self.at += 1;
        let mut elements = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::empty_tuple());
        }
        loop {
            elements.push(self.value(depth - 1)?);
            let next = self.peek();
            match next {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.unexpected("after array element")),
            }
        }
        self.at += 1;
        Value::check_depth(&elements)?;
        Ok(Value::tuple(elements))
    }

    fn object(&mut self, depth: usize) -> Result<Value> {
        self.at += 1;
        let mut attrs: BTreeMap<Arc<str>, Value> = BTreeMap::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::empty_object());
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("looking for beginning of object key string"));
            }
            let key = normalise(&self.string()?);
            if self.peek() != Some(b':') {
                return Err(self.unexpected("after object key"));
            }
            self.at += 1;
            let value = self.value(depth - 1)?;
            if attrs.get(&key).is_some_and(|earlier| earlier.ty != value.ty) {
                return Err(ValueError::limit(format!("duplicate {key:?} property in JSON object")));
            }
            attrs.insert(key, value);
            let next = self.peek();
            match next {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.unexpected("after object key:value pair")),
            }
        }
        self.at += 1;
        Value::check_depth(attrs.values())?;
        Ok(Value::object(attrs))
    }

    fn number(&mut self) -> Result<Value> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        match self.byte() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.unexpected("in numeric literal")),
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.need_digits("after decimal point in numeric literal")?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.need_digits("in exponent of numeric literal")?;
        }
        Number::parse(self.text.get(start..self.at).unwrap_or_default()).map(Value::number)
    }

    fn digits(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|b| b.is_ascii_digit()).count();
    }

    fn need_digits(&mut self, context: &str) -> Result<()> {
        if !self.byte().is_some_and(|b| b.is_ascii_digit()) {
            return Err(self.unexpected(context));
        }
        self.digits();
        Ok(())
    }

    fn string(&mut self) -> Result<String> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            out.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    let (c, length) =
                        escape(self.text.get(self.at..).unwrap_or_default()).map_err(|bad| {
                            self.at += bad;
                            self.unexpected(match bad {
                                1 => "in string escape code",
                                _ => "in \\u hexadecimal character escape",
                            })
                        })?;
                    self.at += length;
                    out.push(c);
                }
                _ => return Err(self.unexpected("in string literal")),
            }
        }
    }
}
