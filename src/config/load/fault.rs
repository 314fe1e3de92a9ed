//! The reason why a text is not a configuration.

use crate::issue::Code;
use crate::text::Span;

/// The reason why a text is not a configuration.
#[derive(Clone)]
pub(in crate::config) struct Fault {
    pub span: Span,
    /// The code: the text is wrong, or exceeds a limit.
    pub code: Code,
    pub summary: String,
    pub detail: String,
}
