//! Taking a format string apart.
//!
//! Invariant: widths, precisions and argument numbers stay within [`MAX_NUMBER`]; larger ones are declined.

use crate::func::FuncError;

/// The largest width or precision that is computed.
const MAX_NUMBER: usize = 100_000;

/// A verb with its flags.
pub(in crate::func) struct Verb {
    /// The text of it, for messages.
    pub(in crate::func) raw: String,
    /// Its offset in bytes.
    pub(in crate::func) offset: usize,
    /// The argument it prints, from 1.
    pub(in crate::func) arg: usize,
    /// The letter.
    pub(in crate::func) mode: char,
    pub(in crate::func) zero: bool,
    pub(in crate::func) sharp: bool,
    pub(in crate::func) plus: bool,
    pub(in crate::func) minus: bool,
    pub(in crate::func) space: bool,
    pub(in crate::func) width: Option<usize>,
    pub(in crate::func) precision: Option<usize>,
}

/// A part of a format string.
pub(in crate::func) enum Piece {
    Literal(char),
    Verb(Verb),
}

/// Reads pieces from left to right.
pub(in crate::func) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    next_arg: usize,
}

impl<'a> Scanner<'a> {
    pub(in crate::func) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0, next_arg: 1 }
    }

    /// The next piece; nothing at the end.
    pub(in crate::func) fn next_piece(&mut self) -> Result<Option<Piece>, FuncError> {
        match self.peek() {
            None => Ok(None),
            Some('%') => self.verb().map(Some),
            Some(c) => {
                self.at += c.len_utf8();
                Ok(Some(Piece::Literal(c)))
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at..).and_then(|rest| rest.chars().next())
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn unexpected(&self) -> FuncError {
        FuncError::new(match self.peek() {
            Some(c) => format!("unrecognized format character {c:?} at offset {}", self.at),
            None => format!("invalid format string starting at offset {}", self.at),
        })
    }

    fn verb(&mut self) -> Result<Piece, FuncError> {
        let offset = self.at;
        self.at += 1;
        if self.take('%') {
            return Ok(Piece::Literal('%'));
        }
        let mut verb = Verb {
            raw: String::new(),
            offset,
            arg: self.next_arg,
            mode: 'v',
            zero: false,
            sharp: false,
            plus: false,
            minus: false,
            space: false,
            width: None,
            precision: None,
        };
        self.flags(&mut verb);
        if matches!(self.peek(), Some('1'..='9')) {
            verb.width = Some(self.digits()?);
        }
        if self.take('.') {
            verb.precision = Some(self.digits()?);
        }
        if self.take('[') {
            if !matches!(self.peek(), Some('1'..='9')) {
                return Err(self.unexpected());
            }
            verb.arg = self.digits()?;
            if !self.take(']') {
                return Err(self.unexpected());
            }
        }
        match self.peek() {
            Some(c) if c.is_ascii_alphabetic() => verb.mode = c,
            _ => return Err(self.unexpected()),
        }
        self.at += 1;
        verb.raw = self.text.get(offset..self.at).unwrap_or_default().to_owned();
        self.next_arg = verb.arg + 1;
        Ok(Piece::Verb(verb))
    }

    fn flags(&mut self, verb: &mut Verb) {
        loop {
            match self.peek() {
                Some('0') => verb.zero = true,
                Some('#') => verb.sharp = true,
                Some('-') => verb.minus = true,
                Some('+') => verb.plus = true,
                Some(' ') => verb.space = true,
                _ => return,
            }
            self.at += 1;
        }
    }

    fn digits(&mut self) -> Result<usize, FuncError> {
        let mut number = 0;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            self.at += 1;
            number = number * 10 + usize::try_from(digit).unwrap_or(0);
            if number > MAX_NUMBER {
                return Err(FuncError::declined("numbers this large in a format string are not supported"));
            }
        }
        Ok(number)
    }
}
