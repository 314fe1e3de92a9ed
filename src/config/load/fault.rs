//! The reason why a text is not a configuration.

use crate::issue::{Code, Issue};
use crate::text::{Place, SourceId, Span};

/// The reason why a text is not a configuration.
#[derive(Clone)]
pub(in crate::config) struct Fault {
    pub span: Span,
    /// The code: the text is wrong, or exceeds a limit.
    pub code: Code,
    pub summary: String,
    pub detail: String,
}

impl Fault {
    /// The same as an issue in a file.
    pub fn issue(self, file: SourceId) -> Issue {
        Issue::error(self.code, self.summary, self.detail).at(Place { file, span: self.span })
    }
}
