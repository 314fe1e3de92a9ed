//! From Go's pattern syntax to that of the `regex` crate.
//!
//! Invariant: what comes out means the same as what went in. What Go rejects is an error; what is rare or might
//! differ (rare scripts) is declined.
//! Source of the semantics: Go `regexp/syntax`.

use super::class;
use super::{declined, invalid};
use crate::func::FuncError;
use crate::func::unicode::is_assigned;

/// The longest pattern that is looked at.
const MAX_PATTERN: usize = 4096;
/// The number of levels that groups may nest.
const MAX_DEPTH: usize = 40;
/// Go's limit on the product of nested repetition counts.
const MAX_REPEAT: u64 = 1000;

/// A pattern in the syntax of the `regex` crate, all of whose groups are without names.
pub(in crate::func) struct Translated {
    /// The pattern.
    pub pattern: String,
    /// The names of its groups, in order: Go takes names twice, and such as begin with a digit.
    pub names: Vec<Option<String>>,
}

/// Translates a pattern.
///
/// # Errors
/// Returns an error if Go rejects it; declined where it is not sure to mean the same.
pub(in crate::func) fn translate(pattern: &str) -> Result<Translated, FuncError> {
    if pattern.len() > MAX_PATTERN {
        return Err(FuncError::declined("patterns this long are not supported"));
    }
    if pattern.chars().any(|c| !is_assigned(c)) {
        return Err(declined("a character of a later Unicode"));
    }
    let mut reader =
        Reader { rest: pattern, out: String::new(), names: Vec::new(), depth: 0, insensitive: false };
    reader.alternatives()?;
    if !reader.rest.is_empty() {
        return Err(invalid("unexpected )", reader.rest));
    }
    // Later characters may be other cases of earlier ones.
    if reader.insensitive && (reader.out.contains(r"\p{") || has_foreign_range(&reader.out)) {
        return Err(declined("a property or a range beyond ASCII, without regard to case,"));
    }
    Ok(Translated { pattern: reader.out, names: reader.names })
}

/// Returns true if a range goes beyond ASCII.
fn has_foreign_range(translated: &str) -> bool {
    let code = |rest: &str| rest.split_once('}').and_then(|(code, _)| u32::from_str_radix(code, 16).ok());
    translated.split(r"-\x{").skip(1).any(|rest| code(rest).is_none_or(|code| code > 0x7f))
}

struct Reader<'a> {
    rest: &'a str,
    out: String,
    names: Vec<Option<String>>,
    depth: usize,
    /// True if a part of the pattern ignores case.
    insensitive: bool,
}

/// The translation of a piece of a pattern, and what is known about it.
#[derive(Clone, Copy)]
struct Piece {
    /// The product of the repetition counts in it.
    repeat: u64,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn advance(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
        Some(c)
    }

    fn alternatives(&mut self) -> Result<Piece, FuncError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(declined("nesting this deep"));
        }
        let mut piece = self.sequence()?;
        while self.take("|") {
            self.out.push('|');
            let next = self.sequence()?;
            piece = Piece { repeat: piece.repeat.max(next.repeat) };
        }
        self.depth -= 1;
        Ok(piece)
    }

    fn sequence(&mut self) -> Result<Piece, FuncError> {
        let mut whole = Piece { repeat: 1 };
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            let start = self.out.len();
            let Some(piece) = self.atom()? else { continue };
            let piece = self.repetition(piece, start)?;
            whole = Piece { repeat: whole.repeat.max(piece.repeat) };
        }
        Ok(whole)
    }

    /// Reads an atom; `None` for a change of flags.
    fn atom(&mut self) -> Result<Option<Piece>, FuncError> {
        let before = self.rest;
        let full = Some(Piece { repeat: 1 });
        match self.advance() {
            Some('(') => return self.group(before),
            Some('[') => {
                let (class, rest) = class::bracketed(self.rest)?;
                self.out.push_str(&class);
                self.rest = rest;
            }
            Some('.') => self.out.push('.'),
            Some(c @ ('^' | '$')) => {
                self.out.push(c);
                return Ok(full);
            }
            Some('*' | '+' | '?') => return Err(invalid("missing argument to repetition operator", before)),
            Some('{') if count(before).is_some() => {
                return Err(invalid("missing argument to repetition operator", before));
            }
            Some('\\') => match self.peek() {
                Some(c @ ('A' | 'z' | 'b' | 'B')) => {
                    self.advance();
                    self.out.push_str(match c {
                        'A' => r"\A",
                        'z' => r"\z",
                        'b' => r"(?-u:\b)",
                        _ => r"(?-u:\B)",
                    });
                    return Ok(full);
                }
                Some('Q') => return self.quoted().map(Some),
                _ => {
                    let (class, rest) = class::escape(self.rest)?;
                    self.out.push_str(&class.shown());
                    self.rest = rest;
                }
            },
            Some(c) => class::push_char(c, &mut self.out),
            None => {}
        }
        Ok(full)
    }

    /// Reads literal text between `\Q` and `\E`. A repetition after it applies to its last character.
    fn quoted(&mut self) -> Result<Piece, FuncError> {
        self.advance();
        let (text, rest) = self.rest.split_once(r"\E").unwrap_or((self.rest, ""));
        self.rest = rest;
        let Some((at, last)) = text.char_indices().next_back() else {
            return Err(declined("an empty quotation"));
        };
        let mut literal = String::new();
        text.get(..at).unwrap_or_default().chars().for_each(|c| class::push_char(c, &mut literal));
        self.out.push_str(&literal);
        let start = self.out.len();
        class::push_char(last, &mut self.out);
        self.repetition(Piece { repeat: 1 }, start)
    }

    fn group(&mut self, before: &'a str) -> Result<Option<Piece>, FuncError> {
        if self.take("?") {
            if self.take("P<") || self.rest.starts_with('<') {
                self.take("<");
                self.name(before)?;
            } else {
                return self.flags(before);
            }
        } else {
            self.names.push(None);
        }
        self.out.push('(');
        self.body(before).map(Some)
    }

    fn body(&mut self, before: &str) -> Result<Piece, FuncError> {
        let piece = self.alternatives()?;
        if !self.take(")") {
            return Err(invalid("missing closing )", before));
        }
        self.out.push(')');
        Ok(piece)
    }

    fn name(&mut self, before: &str) -> Result<(), FuncError> {
        let Some((name, rest)) = self.rest.split_once('>') else {
            return Err(invalid("invalid named capture", before));
        };
        let word = |c: char| c == '_' || c.is_ascii_alphanumeric();
        if !name.is_ascii() {
            return Err(declined("this name of a group"));
        }
        if name.is_empty() || !name.chars().all(word) {
            return Err(invalid("invalid named capture", before));
        }
        self.names.push(Some(name.to_owned()));
        self.rest = rest;
        Ok(())
    }

    /// `(?i)`, `(?i:…)`, `(?:…)`
    fn flags(&mut self, before: &str) -> Result<Option<Piece>, FuncError> {
        let end =
            self.rest.find(|c: char| !matches!(c, 'i' | 'm' | 's' | 'U' | '-')).unwrap_or(self.rest.len());
        let (flags, rest) = self.rest.split_at_checked(end).unwrap_or_default();
        let (on, off) = flags.split_once('-').unwrap_or((flags, ""));
        let negated = flags.contains('-');
        self.rest = rest;
        if (negated && (off.is_empty() || off.contains('-'))) || !matches!(self.peek(), Some(':' | ')')) {
            return Err(invalid("invalid or unsupported Perl syntax", before));
        }
        if flags.is_empty() && self.peek() == Some(')') {
            return Err(declined("an empty group of flags"));
        }
        // Each flag once, and what is switched off last is off.
        let each = |given: &str| -> String { "imsU".chars().filter(|f| given.contains(*f)).collect() };
        let (off, on) = (each(off), each(on));
        let on: String = on.chars().filter(|f| !off.contains(*f)).collect();
        self.insensitive |= on.contains('i');
        self.out.push_str("(?");
        self.out.push_str(&on);
        if !off.is_empty() {
            self.out.push('-');
            self.out.push_str(&off);
        }
        if self.take(")") {
            self.out.push(')');
            if matches!(self.peek(), Some('*' | '+' | '?' | '{')) {
                return Err(declined("repetition behind flags"));
            }
            return Ok(None);
        }
        self.take(":");
        self.out.push(':');
        self.body(before).map(Some)
    }

    fn repetition(&mut self, piece: Piece, start: usize) -> Result<Piece, FuncError> {
        let before = self.rest;
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match count(self.rest) {
                Some((least, most, _)) => (least, most),
                None => return Ok(piece),
            },
            _ => return Ok(piece),
        };
        let length = count(self.rest).map_or(1, |(_, _, length)| length);
        self.rest = self.rest.get(length..).unwrap_or_default();
        if least > MAX_REPEAT || most.is_some_and(|m| m > MAX_REPEAT || m < least) {
            return Err(invalid("invalid repeat count", before));
        }
        // The operand as one group, so that what stands before it can't be drawn in.
        let operand = self.out.split_off(start);
        self.out.push_str(&format!("(?:{operand})"));
        self.out.push_str(&match most {
            None => format!("{{{least},}}"),
            Some(most) => format!("{{{least},{most}}}"),
        });
        if self.take("?") {
            self.out.push('?');
        }
        if matches!(self.peek(), Some('*' | '+' | '?')) || count(self.rest).is_some() {
            return Err(invalid("invalid nested repetition operator", before));
        }
        let times = most.unwrap_or(least).max(1);
        let repeat = piece.repeat.saturating_mul(times);
        if repeat > MAX_REPEAT / 2 && piece.repeat > 1 {
            return Err(declined("nested repetition of this size"));
        }
        Ok(Piece { repeat })
    }
}

/// A count in braces at the start of the text: least, most, length. What isn't one stands for itself.
fn count(text: &str) -> Option<(u64, Option<u64>, usize)> {
    let inner = text.strip_prefix('{')?;
    let (inner, _) = inner.split_once('}')?;
    let number = |t: &str| {
        let plain =
            !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit()) && (t == "0" || !t.starts_with('0'));
        // Too large for Go as well, which says so where it is used.
        plain.then(|| t.parse::<u64>().unwrap_or(u64::MAX))
    };
    let length = inner.len() + 2;
    match inner.split_once(',') {
        None => number(inner).map(|n| (n, Some(n), length)),
        Some((least, "")) => number(least).map(|n| (n, None, length)),
        Some((least, most)) => Some((number(least)?, Some(number(most)?), length)),
    }
}
