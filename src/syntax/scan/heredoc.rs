//! Heredocs: where they end, and their shadow as a quoted template of the same length.
//!
//! hcl-edit ends a heredoc at any line that begins with the terminator's word, and doesn't see the end of an empty
//! one. As a quoted template whose literal text is spaces it can err in neither.

use super::state::{Heredoc, Kind, Scanner, word_length};
use crate::syntax::error::ParseError;

impl Scanner<'_> {
    /// At `<<`: opens a heredoc if one is introduced here.
    pub(super) fn open_heredoc(&mut self) -> Result<bool, ParseError> {
        let flush = self.peek(2) == b'-';
        let word = self.at + if flush { 3 } else { 2 };
        let rest = self.text.get(word..).unwrap_or("");
        let starts = rest.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
        let word_length = word_length(rest);
        let after = rest.get(word_length..).unwrap_or("");
        let newline = if after.starts_with('\n') {
            1
        } else if after.starts_with("\r\n") {
            2
        } else {
            0
        };
        if !starts || newline == 0 {
            return Ok(false);
        }
        let body = word + word_length + newline;
        self.push(Kind::Heredoc { index: self.heredocs.len() })?;
        let start = self.at;
        self.heredocs.push(Heredoc { start, body, body_end: body, end: body, flush, word, word_length });
        self.blank(start, body);
        self.fill(start, start + 1, b'"');
        self.at = body;
        Ok(true)
    }

    /// Text of a heredoc up to the end of its line, or to a sequence.
    pub(super) fn heredoc_text(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        let frame = self.top();
        let Kind::Heredoc { index } = frame.kind else { return Ok(()) };
        if frame.line_start && self.close_heredoc(index)? {
            return Ok(());
        }
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\n' => {
                    self.at += 1;
                    if let Some(f) = self.frame() {
                        f.line_start = true;
                    }
                    break;
                }
                b'$' | b'%' => {
                    let before = self.at;
                    if self.sequence()? {
                        self.blank(start, before);
                        return Ok(());
                    }
                }
                _ => self.at += 1,
            }
        }
        self.blank(start, self.at);
        Ok(())
    }

    /// Closes the heredoc if the line that begins here holds nothing but its terminator.
    fn close_heredoc(&mut self, index: usize) -> Result<bool, ParseError> {
        let start = self.at;
        let Some(heredoc) = self.heredocs.get(index).copied() else { return Ok(false) };
        let rest = self.text.get(start..).unwrap_or("");
        // Without a newline at its end the line is no terminator to Terraform either.
        let Some(length) = self.bytes.get(start..).and_then(|b| b.iter().position(|b| *b == b'\n')) else {
            return Ok(false);
        };
        let line = rest.get(..length).unwrap_or("");
        let word = self.text.get(heredoc.word..heredoc.word + heredoc.word_length).unwrap_or("");
        if line.trim() != word || line.is_empty() {
            return Ok(false);
        }
        let indent = line.len() - line.trim_start().len();
        let end = start + indent + heredoc.word_length;
        if let Some(h) = self.heredocs.get_mut(index) {
            h.body_end = start;
            h.end = end;
        }
        self.close_directives(self.top().directives)?;
        self.blank(start, end);
        self.fill(end - 1, end, b'"');
        // Other whitespace than spaces and tabs may follow; hcl-edit doesn't know it.
        let line_end = start + line.trim_end_matches('\r').len();
        self.blank(end, line_end.max(end));
        self.pop();
        self.at = end;
        while matches!(self.peek(0), b' ' | b'\t') {
            self.at += 1;
        }
        self.at = line_end.max(end);
        Ok(true)
    }
}
