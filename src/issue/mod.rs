//! Stack issues as data: what is wrong, where, why, and what to paste.
//!
//! Analysis returns issues; only the report stage prints them. One table of codes ([`code::Code`]).

mod code;

pub use code::Code;

use crate::text::Place;

/// The severity of an issue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the run goes on.
    Warning,
    /// Blocking: nothing is written and Terraform is not started.
    Error,
}

impl Severity {
    /// Returns its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// Something to do about an issue.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fix {
    /// One sentence on what it does. It ends in a colon if text to paste follows.
    pub title: String,
    /// Text that can be pasted as it is; empty where the title says it all.
    pub paste: String,
}

/// A finding.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Issue {
    /// Stable code; see `docs/codes.md`.
    pub code: Code,
    /// Blocking or not.
    pub severity: Severity,
    /// Full address of the field, where the finding is about one.
    pub field: Option<String>,
    /// The place in a loaded file.
    pub place: Option<Place>,
    /// Path (and perhaps `:line:column`) where no file could be loaded.
    pub path: Option<String>,
    /// One line on what is wrong.
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

    /// Sets the place.
    #[must_use]
    pub fn at(mut self, place: impl Into<Option<Place>>) -> Issue {
        self.place = place.into();
        self
    }

    /// Sets the path, for an issue that isn't in a loaded file.
    #[must_use]
    pub fn in_path(mut self, path: impl Into<String>) -> Issue {
        self.path = Some(path.into());
        self
    }

    /// Sets the field that it is about.
    #[must_use]
    pub fn about(mut self, field: impl Into<String>) -> Issue {
        self.field = Some(field.into());
        self
    }

    /// Adds a fix.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, paste: impl Into<String>) -> Issue {
        self.fixes.push(Fix { title: title.into(), paste: paste.into() });
        self
    }

    /// Puts a fix in the place of all others.
    pub fn refix(&mut self, title: impl Into<String>, paste: impl Into<String>) {
        self.fixes = vec![Fix { title: title.into(), paste: paste.into() }];
    }

    /// Returns true if it blocks.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Returns true if it may come from a copy, or a call of one, that no record explains.
    pub fn is_of_unrecorded(&self) -> bool {
        self.is_error() && matches!(self.code, Code::Edited | Code::Missing)
    }
}
