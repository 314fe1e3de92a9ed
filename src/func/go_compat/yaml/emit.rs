//! Values as YAML, to the byte as go-cty-yaml writes them.
//!
//! Strings are double-quoted, those with line breaks literal blocks where that is possible; collections are blocks,
//! empty ones flows; long double-quoted text is folded at spaces beyond column 80. Input: a wholly known value.
//! The state is that of libyaml's emitter, whose corners (`? ` before long keys, `...` after a bare scalar) follow
//! from it. Source of the semantics: go-cty-yaml 1.1 `encode.go`, `emitterc.go`.

use super::chars::is_break;
use crate::func::FuncError;
use crate::func::args::check_text;
use crate::value::{Data, Type, Value};
use std::fmt::Write;

const INDENT: usize = 2;
const WIDTH: usize = 80;
/// Longer keys, in bytes, are written after `? `.
const MAX_SIMPLE_KEY: usize = 128;

/// The YAML text of a wholly known value without marks.
///
/// # Errors
/// Texts that would be too long.
pub(in crate::func) fn emit(value: &Value) -> Result<String, FuncError> {
    let mut emitter = Emitter {
        out: String::new(),
        indent: None,
        column: 0,
        space: true,
        indention: true,
        open_ended: false,
    };
    emitter.node(value, Place::Root)?;
    emitter.line();
    if emitter.open_ended {
        emitter.indicator("...", Hint { apart: true, ..Hint::default() });
        emitter.line();
    }
    Ok(emitter.out)
}

/// The position of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Item,
    Value,
    /// A key; a simple one stays on its line.
    Key {
        simple: bool,
    },
}

/// The surroundings of an indicator: a space before it, white space or a possible indentation after it.
#[derive(Clone, Copy, Default)]
struct Hint {
    apart: bool,
    space: bool,
    indention: bool,
}

struct Emitter {
    out: String,
    indent: Option<usize>,
    column: usize,
    /// True if the last character written was white space.
    space: bool,
    /// True if the line has only indentation and indicators so far.
    indention: bool,
    open_ended: bool,
}

impl Emitter {
    fn put(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }

    fn end_line(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    /// Goes to the current indentation, on a new line where the present one is in use.
    fn line(&mut self) {
        let indent = self.indent.unwrap_or(0);
        if !self.indention || self.column > indent || (self.column == indent && !self.space) {
            self.end_line();
        }
        while self.column < indent {
            self.put(' ');
        }
        self.space = true;
        self.indention = true;
    }

    fn indicator(&mut self, text: &str, hint: Hint) {
        if hint.apart && !self.space {
            self.put(' ');
        }
        text.chars().for_each(|c| self.put(c));
        self.space = hint.space;
        self.indention &= hint.indention;
        self.open_ended = false;
    }

    /// Runs with more indentation.
    fn deeper(
        &mut self,
        flow: bool,
        same: bool,
        inner: impl FnOnce(&mut Emitter) -> Result<(), FuncError>,
    ) -> Result<(), FuncError> {
        let before = self.indent;
        self.indent = Some(match before {
            None if flow => INDENT,
            None => 0,
            Some(indent) if same => indent,
            Some(indent) => indent + INDENT,
        });
        let result = inner(self);
        self.indent = before;
        result
    }

    fn node(&mut self, value: &Value, place: Place) -> Result<(), FuncError> {
        check_text(self.out.len())?;
        match &value.data {
            Data::Seq(elements) if elements.is_empty() => self.empty("[", "]"),
            Data::Map(entries) if entries.is_empty() => self.empty("{", "}"),
            Data::Seq(elements) => {
                let same = matches!(place, Place::Value | Place::Key { .. }) && !self.indention;
                self.deeper(false, same, |e| elements.iter().try_for_each(|element| e.item(element)))?;
            }
            Data::Map(entries) => {
                self.deeper(false, false, |e| {
                    entries.iter().try_for_each(|(key, value)| e.entry(key, value))
                })?;
            }
            Data::String(text) => self.text(text, place)?,
            Data::Number(number) => self.plain(&number.to_string(), place),
            Data::Bool(value) => self.plain(if *value { "true" } else { "false" }, place),
            Data::Null | Data::Unknown(_) => self.plain("null", place),
        }
        check_text(self.out.len())
    }

    fn empty(&mut self, open: &str, close: &str) {
        self.indicator(open, Hint { apart: true, space: true, indention: false });
        self.indicator(close, Hint::default());
    }

    fn item(&mut self, element: &Value) -> Result<(), FuncError> {
        self.line();
        self.indicator("-", Hint { apart: true, space: false, indention: true });
        self.node(element, Place::Item)
    }

    fn entry(&mut self, key: &str, value: &Value) -> Result<(), FuncError> {
        self.line();
        let simple = key.len() <= MAX_SIMPLE_KEY && !key.contains(is_break);
        let key = Value { ty: Type::String, ..Value::string(key) };
        let block = Hint { apart: true, space: false, indention: true };
        if simple {
            self.node(&key, Place::Key { simple })?;
            self.indicator(":", Hint::default());
        } else {
            self.indicator("?", block);
            self.node(&key, Place::Key { simple })?;
            self.line();
            self.indicator(":", block);
        }
        self.node(value, Place::Value)
    }

    fn plain(&mut self, text: &str, place: Place) {
        if !self.space {
            self.put(' ');
        }
        text.chars().for_each(|c| self.put(c));
        self.space = false;
        self.indention = false;
        if place == Place::Root {
            self.open_ended = true;
        }
    }

    fn text(&mut self, text: &str, place: Place) -> Result<(), FuncError> {
        let simple = place == Place::Key { simple: true };
        self.deeper(true, false, |e| {
            if text.contains('\n') && !simple && fits_block(text) {
                e.literal(text)
            } else {
                e.quoted(text, !simple)
            }
        })
    }

    fn quoted(&mut self, text: &str, fold: bool) -> Result<(), FuncError> {
        self.indicator("\"", Hint { apart: true, ..Hint::default() });
        // libyaml asks whether the whole text begins with a byte order mark, and then escapes all of it.
        let marked = text.starts_with('\u{feff}');
        let mut spaces = false;
        for (at, c) in text.char_indices() {
            if marked || !is_printable(c) || is_break(c) || c == '"' || c == '\\' {
                self.escape(c);
                spaces = false;
            } else if c == ' ' {
                let inside = at > 0 && at + 1 < text.len();
                if fold && !spaces && self.column > WIDTH && inside {
                    self.line();
                    if text.get(at + 1..).is_some_and(|rest| rest.starts_with(' ')) {
                        self.put('\\');
                    }
                } else {
                    self.put(c);
                }
                spaces = true;
            } else {
                self.put(c);
                spaces = false;
            }
            check_text(self.out.len())?;
        }
        self.indicator("\"", Hint::default());
        self.space = false;
        self.indention = false;
        Ok(())
    }

    fn escape(&mut self, c: char) {
        let before = self.out.len();
        // Writing to a String can't fail.
        let _ = match (c, u32::from(c)) {
            ('\0', _) => self.out.write_str("\\0"),
            ('\u{7}', _) => self.out.write_str("\\a"),
            ('\u{8}', _) => self.out.write_str("\\b"),
            ('\t', _) => self.out.write_str("\\t"),
            ('\n', _) => self.out.write_str("\\n"),
            ('\u{b}', _) => self.out.write_str("\\v"),
            ('\u{c}', _) => self.out.write_str("\\f"),
            ('\r', _) => self.out.write_str("\\r"),
            ('\u{1b}', _) => self.out.write_str("\\e"),
            ('"', _) => self.out.write_str("\\\""),
            ('\\', _) => self.out.write_str("\\\\"),
            ('\u{85}', _) => self.out.write_str("\\N"),
            ('\u{a0}', _) => self.out.write_str("\\_"),
            ('\u{2028}', _) => self.out.write_str("\\L"),
            ('\u{2029}', _) => self.out.write_str("\\P"),
            (_, code @ ..=0xff) => write!(self.out, "\\x{code:02X}"),
            (_, code @ ..=0xffff) => write!(self.out, "\\u{code:04X}"),
            (_, code) => write!(self.out, "\\U{code:08X}"),
        };
        self.column += self.out.len() - before;
    }

    fn literal(&mut self, text: &str) -> Result<(), FuncError> {
        self.indicator("|", Hint { apart: true, ..Hint::default() });
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            self.indicator("2", Hint::default());
        }
        self.open_ended = false;
        let mut from_end = text.chars().rev();
        match (from_end.next().is_some_and(is_break), from_end.next()) {
            (false, _) => self.indicator("-", Hint::default()),
            (true, None) => self.indicator("+", Hint::default()),
            (true, Some(c)) if is_break(c) => self.indicator("+", Hint::default()),
            (true, _) => {}
        }
        self.end_line();
        self.space = true;
        self.indention = true;
        let mut fresh = true;
        for c in text.chars() {
            if is_break(c) {
                self.out.push(c);
                self.column = 0;
                self.indention = true;
                fresh = true;
                continue;
            }
            if fresh {
                self.line();
            }
            self.put(c);
            self.indention = false;
            fresh = false;
            check_text(self.out.len())?;
        }
        Ok(())
    }
}

fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// Returns true if a text may be a block: printable throughout, no spaces at its end or before a break.
fn fits_block(text: &str) -> bool {
    let mut after_space = false;
    for c in text.chars() {
        if !is_printable(c) || (after_space && is_break(c)) {
            return false;
        }
        after_space = c == ' ';
    }
    !after_space
}
