//! The open brackets around the next token.

use super::state::{Frame, Kind, Scanner};
use crate::syntax::error::ParseError;
use crate::text::Span;

impl Scanner<'_> {
    pub(super) fn frame(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    /// Notes where an item of a body or object begins.
    ///
    /// hcl-edit goes on with an expression in the next line where a bracket closed before the newline. An item that begins
    /// with an operator is an error in HCL, unless it is the sign of a key; before what may begin a key the shadow has a
    /// comma, which ends the item as the newline does.
    pub(super) fn begin_item(&mut self) -> Result<(), ParseError> {
        let (at, first) = (self.at, self.peek(0));
        let Some(f) = self.frame().filter(|f| f.newlines_count() && f.item.is_none()) else { return Ok(()) };
        f.item = Some(at);
        let newline = f.newline.take().filter(|_| matches!(first, b'!' | b'-' | b'[' | b'(' | b'<'));
        let wrong = match f.kind {
            Kind::Body => !matches!(first, b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'}' | 0x80..),
            _ => matches!(first, b'?' | b'.' | b'+' | b'*' | b'/' | b'%' | b'&' | b'|' | b'>' | b'=' | b':'),
        };
        if wrong {
            return Err(ParseError::at(at, "expected an argument or a block"));
        }
        if let Some(newline) = newline {
            let start = newline.range().start;
            self.blank(start, newline.range().end);
            self.fill(start, start + 1, b',');
        }
        Ok(())
    }

    /// Leaves the innermost frame.
    pub(super) fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.conditionals = frame.conditionals;
        }
    }

    /// A newline that counts; `start` is where it stands, or the comment before it.
    pub(super) fn end_line(&mut self, start: usize) {
        let newline = Span::new(start, self.at);
        if let Some(f) = self.frame().filter(|f| f.kind == Kind::Object && f.item.is_some()) {
            f.newline = Some(newline);
        }
        self.end_item();
    }

    pub(super) fn end_item(&mut self) {
        self.operators = 0;
        self.conditionals = self.top().conditionals;
        if let Some(f) = self.frame() {
            f.in_value = false;
            f.asked = 0;
            f.item = None;
        }
    }

    /// The question mark of a conditional.
    pub(super) fn ask(&mut self) -> Result<(), ParseError> {
        self.conditionals += 1;
        if let Some(f) = self.frame().filter(|f| !f.in_value) {
            f.asked += 1;
        }
        self.check_depth()
    }

    pub(super) fn comma(&mut self) {
        if self.top().kind == Kind::Object {
            self.end_item();
        }
        self.conditionals = self.top().conditionals;
    }

    /// `=` or `:`, which may end a key; operators that start with `=` are passed whole.
    pub(super) fn assign(&mut self) {
        let double = matches!(self.peek(1), b'=' | b'>') && self.peek(0) == b'=';
        // `!=`, `<=` and `>=` are no assignments either.
        let comparison = self.peek(0) == b'=' && matches!(self.last, b'!' | b'<' | b'>') && self.adjacent();
        if double {
            self.at += 2;
            return;
        }
        let (at, colon) = (self.at, self.peek(0) == b':');
        let Some(f) = self.frame().filter(|f| !f.in_value && !comparison) else { return };
        if colon && f.asked > 0 {
            f.asked -= 1;
            return;
        }
        f.in_value = matches!(f.kind, Kind::Body | Kind::Object);
        if let (Kind::Object, Some(start)) = (f.kind, f.item) {
            self.record_key(start, at);
        }
    }

    fn adjacent(&self) -> bool {
        self.at
            .checked_sub(1)
            .and_then(|i| self.bytes.get(i))
            .is_some_and(|b| matches!(b, b'!' | b'<' | b'>'))
    }

    pub(super) fn open_brace(&mut self) -> Result<(), ParseError> {
        let top = self.top();
        if top.kind == Kind::Body && !top.in_value {
            return self.push(Kind::Body);
        }
        self.push_brackets(Kind::Object)
    }

    /// Opens `[` or `{`; a following `for` makes a brace insensitive to newlines.
    pub(super) fn push_brackets(&mut self, kind: Kind) -> Result<(), ParseError> {
        let rest = self.text.get(self.at + 1..).unwrap_or("");
        let kind = if kind == Kind::Object && super::template::first_word(rest) == "for" {
            Kind::ForObject
        } else {
            kind
        };
        self.push(kind)
    }

    pub(super) fn close(&mut self, kind: Kind) -> Result<(), ParseError> {
        let open = self.top();
        if open.kind != kind || self.frames.len() == 1 {
            return Err(self.stray());
        }
        self.pop();
        Ok(())
    }

    fn stray(&self) -> ParseError {
        let open = self.top();
        let closer = char::from(self.peek(0));
        if self.frames.len() == 1 {
            return ParseError::at(self.at, format!("`{closer}` closes nothing"));
        }
        let name = open.kind.name();
        let before = self.bytes.get(..open.start).unwrap_or_default();
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        ParseError::at(self.at, format!("`{closer}` does not close the {name} opened on line {line}"))
    }

    pub(super) fn close_brace(&mut self) -> Result<(), ParseError> {
        let open = self.top();
        match open.kind {
            Kind::Object => {
                self.check_keys(open)?;
                self.keys.truncate(open.keys);
            }
            Kind::Directive => {
                let word = super::template::first_word(self.text.get(open.start + 2..).unwrap_or(""));
                self.pop();
                self.directive(word, open.start)?;
                return self.check_depth();
            }
            Kind::Body | Kind::ForObject | Kind::Interpolation if self.frames.len() > 1 => {}
            _ => return Err(self.stray()),
        }
        self.pop();
        Ok(())
    }
}
