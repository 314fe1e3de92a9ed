//! Stack issues as data: what is wrong, where, why, and what to paste.
//!
//! Analysis returns issues; only the report stage prints them. One table of codes ([`code::Code`]).

mod code;

pub use code::Code;

use crate::text::Place;

/// How much an issue weighs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the run goes on.
    Warning,
    /// Blocking: nothing is written and Terraform is not started.
    Error,
}

/// Something to do about an issue.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fix {
    /// What it does, one sentence that ends in a colon where text to paste follows.
    pub title: String,
    /// Text that can be pasted as it is; empty where the title says it all.
    pub paste: String,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Issue {
    /// Stable code; see `docs/codes.md`.
    pub code: Code,
    /// Blocking or not.
    pub severity: Severity,
    /// Full address of the field, where the finding is about one.
    pub field: Option<String>,
    /// Where in a loaded file.
    pub place: Option<Place>,
    /// Path (and perhaps `:line:column`) where no file could be loaded.
    pub path: Option<String>,
    /// One line: what is wrong.
    pub summary: String,
    /// Sentences: why.
    pub why: String,
    /// Any one of these makes it go away.
    pub fixes: Vec<Fix>,
}

impl Issue {
    /// A blocking issue with a summary and a reason.
    pub fn error(code: Code, summary: impl Into<String>, why: impl Into<String>) -> Issue {
        Issue {
            code,
            severity: Severity::Error,
            field: None,
            place: None,
            path: None,
            summary: summary.into(),
            why: why.into(),
            fixes: Vec::new(),
        }
    }

    /// A warning.
    pub fn warning(code: Code, summary: impl Into<String>, why: impl Into<String>) -> Issue {
        Issue { severity: Severity::Warning, ..Issue::error(code, summary, why) }
    }

    /// With its place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Issue {
        self.place = Some(place);
        self
    }

    /// With a path, where there is no loaded file to point into.
    #[must_use]
    pub fn in_path(mut self, path: impl Into<String>) -> Issue {
        self.path = Some(path.into());
        self
    }

    /// With the field it is about.
    #[must_use]
    pub fn about(mut self, field: impl Into<String>) -> Issue {
        self.field = Some(field.into());
        self
    }

    /// With one more fix.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, paste: impl Into<String>) -> Issue {
        self.fixes.push(Fix { title: title.into(), paste: paste.into() });
        self
    }

    /// Returns true if it blocks.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
