//! A file as one JSON value, and what is wrong with it.

use crate::issue::Code;
use crate::text::Span;
use crate::value::json::scan::{self, Node};

/// Deeper nesting is refused.
const MAX_DEPTH: usize = 512;

/// The reason why a text is no configuration in JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::config) struct JsonError {
    pub span: Span,
    /// The code: the text is wrong, or exceeds a limit.
    pub code: Code,
    /// Terraform's summary.
    pub summary: &'static str,
    pub message: String,
}

impl JsonError {
    /// An error with its message and place.
    pub fn new(span: Span, message: impl Into<String>) -> JsonError {
        JsonError { span, code: Code::Unparsable, summary: "Invalid JSON", message: message.into() }
    }
}

/// The one value of a file. A byte order mark before it is an error, as to Terraform.
pub(in crate::config) fn node(text: &str) -> Result<Node, JsonError> {
    let (node, end) = scan::scan(text, 0, MAX_DEPTH).map_err(|e| JsonError {
        code: if e.limit { Code::TooDeep } else { Code::Unparsable },
        ..JsonError::new(e.span, e.message)
    })?;
    match text.get(end..).and_then(|rest| rest.chars().next()) {
        None => Ok(node),
        Some(c) => {
            let span = Span::new(end, end + c.len_utf8());
            Err(JsonError::new(span, "Extra characters after the value."))
        }
    }
}
