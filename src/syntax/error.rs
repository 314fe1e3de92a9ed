//! Why a text could not be read.
//!
//! Absent on purpose: lines and columns; the source table computes them from the span.

use crate::issue::Code;
use crate::text::Span;

/// A text is no HCL, or lies beyond a limit that the message names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The message: one sentence without a full stop.
    pub message: String,
    /// The place in bytes of the text; empty if only a position is known.
    pub span: Span,
    /// [`Code::Unparsable`] if the text is wrong, else the limit that it exceeds.
    pub code: Code,
}

impl ParseError {
    /// An error at one byte.
    pub fn at(offset: usize, message: impl Into<String>) -> ParseError {
        ParseError { message: message.into(), span: Span::new(offset, offset), code: Code::Unparsable }
    }

    /// An error about a range.
    pub fn over(span: Span, message: impl Into<String>) -> ParseError {
        ParseError { message: message.into(), span, code: Code::Unparsable }
    }

    /// The same as a limit's error: `too-deep` or `too-large`.
    pub(super) fn beyond(self, code: Code) -> ParseError {
        ParseError { code, ..self }
    }

    /// Returns true if Terraform might read the text.
    pub fn is_limit(&self) -> bool {
        self.code != Code::Unparsable
    }
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.span.start)
    }
}

impl std::error::Error for ParseError {}
