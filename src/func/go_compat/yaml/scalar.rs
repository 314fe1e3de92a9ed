//! The texts of scalars: block, quoted and plain.

use super::chars::{is_blank, is_blank_or_end, is_break};
use super::scan::Scanner;
use crate::func::FuncError;

/// Line breaks met between two pieces of text: the first, and those that follow it.
#[derive(Default)]
struct Breaks {
    first: Option<char>,
    more: String,
}

impl Breaks {
    fn add(&mut self, c: Option<char>) {
        match self.first {
            None => self.first = c,
            Some(_) => self.more.extend(c),
        }
    }

    /// A single line feed reads as a space, several as all but the first.
    fn fold_into(&mut self, text: &mut String) {
        let breaks = std::mem::take(self);
        match breaks.first {
            Some('\n') if breaks.more.is_empty() => text.push(' '),
            Some('\n') => text.push_str(&breaks.more),
            first => {
                text.extend(first);
                text.push_str(&breaks.more);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomp {
    Strip,
    Clip,
    Keep,
}

impl Scanner {
    /// A literal (`|`) or folded (`>`) block, from its indicator on.
    pub(in crate::func) fn block_scalar(&mut self, literal: bool) -> Result<String, FuncError> {
        let (chomp, increment) = self.block_header()?;
        let mut indent = match increment {
            Some(n) => self.indent.max(0) + n,
            None => 0,
        };
        let mut text = String::new();
        let mut first: Option<char> = None;
        let mut more = self.block_breaks(&mut indent)?;
        let mut was_blank = false;
        while self.column() == indent && self.chars.peek(0).is_some() {
            let blank = self.chars.peek(0).is_some_and(is_blank);
            if !literal && !was_blank && !blank && first == Some('\n') {
                if more.is_empty() {
                    text.push(' ');
                }
            } else {
                text.extend(first);
            }
            text.push_str(&more);
            was_blank = blank;
            while let Some(c) = self.chars.peek(0).filter(|c| !is_break(*c)) {
                text.push(c);
                self.chars.skip();
            }
            first = self.chars.read_line();
            more = self.block_breaks(&mut indent)?;
        }
        if chomp != Chomp::Strip {
            text.extend(first);
        }
        if chomp == Chomp::Keep {
            text.push_str(&more);
        }
        Ok(text)
    }

    /// Reads the header of a block scalar after the indicator, to the end of its line.
    fn block_header(&mut self) -> Result<(Chomp, Option<i64>), FuncError> {
        self.chars.skip();
        let mut chomp = None;
        let mut increment = None;
        loop {
            match self.chars.peek(0) {
                Some(c @ ('+' | '-')) if chomp.is_none() => {
                    chomp = Some(if c == '+' { Chomp::Keep } else { Chomp::Strip });
                }
                Some('0') if increment.is_none() => {
                    return Err(FuncError::new("found an indentation indicator equal to 0"));
                }
                Some(c @ '1'..='9') if increment.is_none() => increment = c.to_digit(10).map(i64::from),
                _ => break,
            }
            self.chars.skip();
        }
        while self.chars.peek(0).is_some_and(is_blank) {
            self.chars.skip();
        }
        if self.chars.peek(0) == Some('#') {
            while self.chars.peek(0).is_some_and(|c| !is_break(c)) {
                self.chars.skip();
            }
        }
        if self.chars.peek(0).is_some() && self.chars.read_line().is_none() {
            return Err(FuncError::new("did not find expected comment or line break"));
        }
        Ok((chomp.unwrap_or(Chomp::Clip), increment))
    }

    /// Passes over indentation and empty lines; settles the indentation where it is not known (0).
    fn block_breaks(&mut self, indent: &mut i64) -> Result<String, FuncError> {
        let mut breaks = String::new();
        let mut deepest = 0;
        loop {
            let within = |scanner: &Scanner| *indent == 0 || scanner.column() < *indent;
            while within(self) && self.chars.peek(0) == Some(' ') {
                self.chars.skip();
            }
            deepest = deepest.max(self.column());
            if within(self) && self.chars.peek(0) == Some('\t') {
                return Err(FuncError::new("found a tab character where an indentation space is expected"));
            }
            match self.chars.read_line() {
                Some(c) => breaks.push(c),
                None => break,
            }
        }
        if *indent == 0 {
            *indent = deepest.max(self.indent + 1).max(1);
        }
        Ok(breaks)
    }

    /// A scalar in single or double quotes, from its quote on.
    pub(in crate::func) fn quoted_scalar(&mut self, single: bool) -> Result<String, FuncError> {
        let quote = if single { '\'' } else { '"' };
        self.chars.skip();
        let mut text = String::new();
        loop {
            if self.column() == 0 && self.document_indicator().is_some() {
                return Err(FuncError::new("found unexpected document indicator"));
            }
            if self.chars.peek(0).is_none() {
                return Err(FuncError::new("found unexpected end of stream"));
            }
            let mut joined = self.quoted_run(single, quote, &mut text)?;
            if self.chars.peek(0) == Some(quote) {
                self.chars.skip();
                return Ok(text);
            }
            let mut spaces = String::new();
            let mut breaks = Breaks::default();
            while let Some(c) = self.chars.peek(0).filter(|c| is_blank(*c) || is_break(*c)) {
                if is_blank(c) {
                    if !joined {
                        spaces.push(c);
                    }
                    self.chars.skip();
                } else if joined {
                    // After an escaped line break the first one counts among those that follow.
                    let c = self.chars.read_line();
                    if breaks.first.is_some() { breaks.add(c) } else { breaks.more.extend(c) }
                } else {
                    spaces.clear();
                    breaks.add(self.chars.read_line());
                    joined = true;
                }
            }
            if joined { breaks.fold_into(&mut text) } else { text.push_str(&spaces) }
        }
    }

    /// Text up to white space or the closing quote; whether it ended in an escaped line break.
    fn quoted_run(&mut self, single: bool, quote: char, text: &mut String) -> Result<bool, FuncError> {
        while !is_blank_or_end(self.chars.peek(0)) {
            let (Some(c), next) = (self.chars.peek(0), self.chars.peek(1)) else { break };
            if single && c == quote && next == Some(quote) {
                text.push(quote);
                self.chars.skip();
                self.chars.skip();
            } else if c == quote {
                break;
            } else if !single && c == '\\' {
                self.chars.skip();
                if next.is_some_and(is_break) {
                    self.chars.read_line();
                    return Ok(true);
                }
                text.push(self.escape()?);
            } else {
                text.push(c);
                self.chars.skip();
            }
        }
        Ok(false)
    }

    /// The character that an escape stands for, behind its backslash.
    fn escape(&mut self) -> Result<char, FuncError> {
        let unknown = || FuncError::new("found unknown escape character");
        let c = self.chars.peek(0).ok_or_else(unknown)?;
        self.chars.skip();
        Ok(match c {
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' | '\t' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            'e' => '\u{1b}',
            ' ' | '"' | '\'' | '\\' => c,
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            'x' => self.hex(2)?,
            'u' => self.hex(4)?,
            'U' => self.hex(8)?,
            _ => return Err(unknown()),
        })
    }

    fn hex(&mut self, digits: usize) -> Result<char, FuncError> {
        let mut code = 0u32;
        for _ in 0..digits {
            let digit = self.chars.peek(0).and_then(|c| c.to_digit(16));
            let digit = digit.ok_or_else(|| FuncError::new("did not find expected hexdecimal number"))?;
            code = code.wrapping_shl(4) | digit;
            self.chars.skip();
        }
        char::from_u32(code).ok_or_else(|| FuncError::new("found invalid Unicode character escape code"))
    }

    /// A scalar without quotes. Where it ends after a line break, a key may follow.
    pub(in crate::func) fn plain_scalar(&mut self) -> Result<String, FuncError> {
        let indent = self.indent + 1;
        let mut text = String::new();
        let mut spaces = String::new();
        let mut breaks = Breaks::default();
        loop {
            let document = self.column() == 0 && self.document_indicator().is_some();
            if document || self.chars.peek(0) == Some('#') {
                break;
            }
            while !is_blank_or_end(self.chars.peek(0)) && !self.ends_plain() {
                if breaks.first.is_some() {
                    breaks.fold_into(&mut text);
                } else {
                    text.push_str(&spaces);
                }
                spaces.clear();
                text.extend(self.chars.peek(0));
                self.chars.skip();
            }
            if !self.chars.peek(0).is_some_and(|c| is_blank(c) || is_break(c)) {
                break;
            }
            while let Some(c) = self.chars.peek(0).filter(|c| is_blank(*c) || is_break(*c)) {
                if is_break(c) {
                    spaces.clear();
                    breaks.add(self.chars.read_line());
                    continue;
                }
                if breaks.first.is_none() {
                    spaces.push(c);
                } else if c == '\t' && self.column() < indent {
                    return Err(FuncError::new("found a tab character that violates indentation"));
                }
                self.chars.skip();
            }
            if !self.in_flow() && self.column() < indent {
                break;
            }
        }
        if breaks.first.is_some() {
            self.key_allowed = true;
        }
        Ok(text)
    }

    /// Returns true if an indicator ends a plain scalar here.
    fn ends_plain(&self) -> bool {
        match self.chars.peek(0) {
            Some(':') => is_blank_or_end(self.chars.peek(1)),
            Some(c) => self.in_flow() && ",?[]{}".contains(c),
            None => true,
        }
    }
}
