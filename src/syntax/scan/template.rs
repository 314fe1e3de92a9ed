//! Text of quoted strings and templates, and the balance of template directives.

use super::state::{Directive, Kind, Opened, Scanner, word_length};
use crate::syntax::error::ParseError;
use crate::syntax::trivia::skip_trivia;

/// The first word after spaces and an optional strip marker.
pub(super) fn first_word(text: &str) -> &str {
    let text = text.strip_prefix('~').unwrap_or(text);
    let text = text.get(skip_trivia(text, 0) as usize..).unwrap_or("");
    text.get(..word_length(text)).unwrap_or("")
}

impl Scanner<'_> {
    /// Text of a quoted string or a bare template, up to the next sequence or the end.
    pub(super) fn template_text(&mut self) -> Result<(), ParseError> {
        let quoted = self.top().kind == Kind::Quote;
        let plain = |b: &u8| !matches!(b, 0 | b'"' | b'\n' | b'\r' | b'\\' | b'$' | b'%');
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or(&[]);
            self.at += rest.iter().position(|b| !plain(b)).unwrap_or(rest.len());
            match self.peek(0) {
                0 if self.at >= self.bytes.len() => return Ok(()),
                b'"' if quoted => return self.close_quote(),
                b'\n' | b'\r' if quoted => {
                    let message = "a quoted string may not contain a newline; use a heredoc or \\n";
                    return Err(ParseError::at(self.at, message));
                }
                b'\\' if quoted => self.at += 2,
                b'$' | b'%' => {
                    if self.sequence()? {
                        return Ok(());
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    fn close_quote(&mut self) -> Result<(), ParseError> {
        let open = self.top();
        self.close_directives(open.directives)?;
        self.pop();
        self.at += 1;
        self.last = b'"';
        Ok(())
    }

    /// At `$` or `%`: opens a sequence, or passes over the run of that character.
    ///
    /// A single one before `{` opens a sequence; of a longer run the last two with the brace are an escape.
    pub(super) fn sequence(&mut self) -> Result<bool, ParseError> {
        let c = self.peek(0);
        let mut run = 1;
        while self.peek(run) == c {
            run += 1;
        }
        if self.peek(run) != b'{' {
            self.at += run;
            return Ok(false);
        }
        if run > 1 {
            self.at += run + 1;
            return Ok(false);
        }
        if let Some(f) = self.frame() {
            f.line_start = false;
        }
        self.push(if c == b'$' { Kind::Interpolation } else { Kind::Directive })?;
        self.at += 2;
        self.last = b'{';
        if self.peek(0) == b'~' {
            self.at += 1;
        }
        Ok(true)
    }

    /// Takes note of a directive that was closed.
    pub(super) fn directive(&mut self, word: &str, start: usize) -> Result<(), ParseError> {
        let outside = self.top().directives;
        let inner = self.directives.get(outside..).and_then(<[Directive]>::last).copied();
        let kind = inner.map(|d| d.kind);
        match (word, kind) {
            ("if", _) => self.directives.push(Directive { start, kind: Opened::If }),
            ("for", _) => self.directives.push(Directive { start, kind: Opened::For }),
            ("else", Some(Opened::If)) => {
                if let Some(d) = self.directives.last_mut() {
                    d.kind = Opened::Else;
                }
            }
            ("endif", Some(Opened::If | Opened::Else)) | ("endfor", Some(Opened::For)) => {
                self.directives.pop();
            }
            ("else" | "endif" | "endfor", _) => {
                return Err(ParseError::at(start, format!("this `{word}` directive belongs to nothing")));
            }
            _ => return Err(ParseError::at(start, "expected `if`, `else`, `endif`, `for` or `endfor`")),
        }
        Ok(())
    }

    /// Checks at a template's end that its directives are closed.
    pub(super) fn close_directives(&mut self, outside: usize) -> Result<(), ParseError> {
        match self.directives.get(outside) {
            None => Ok(()),
            Some(d) => Err(ParseError::at(d.start, "this template directive is never closed")),
        }
    }
}
