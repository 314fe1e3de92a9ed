//! Stack issues as data: what is wrong, where, why, and what to paste.
//!
//! Analysis returns issues; only the report stage prints them. One table of codes ([`code::Code`]).

mod code;

pub use code::Code;

use crate::text::{Place, shell_path};

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

impl Fix {
    /// Returns true if a shell takes what is to be pasted, as a command or as options of one.
    pub fn is_for_shell(&self) -> bool {
        self.paste.starts_with('-') || self.is_command()
    }

    /// Returns true if what is to be pasted is a command, and no text for a file.
    pub fn is_command(&self) -> bool {
        let first = self.paste.split_whitespace().next().unwrap_or_default();
        // `NAME=value command`
        let assigns = first.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
        });
        PROGRAMS.contains(&first) || assigns
    }

    /// Returns the fix for somebody whose current directory isn't the working directory, which is `dir` from there. A shell that has
    /// pasted the command stands where it stood.
    #[must_use]
    pub fn run_in(mut self, dir: &str) -> Fix {
        if !self.is_command() {
            return self;
        }
        let dir = shell_path(dir);
        // A variable that is set in a subshell is gone with it.
        self.paste = match self.paste.starts_with("export ") {
            true if self.paste.contains("$(") => format!("cd {dir} && {} && cd -", self.paste),
            true => self.paste,
            false => format!("(cd {dir} && {})", self.paste.trim_end()),
        };
        self
    }
}

/// The programs that fixes name.
const PROGRAMS: [&str; 9] = ["tf-phi", "terraform", "tofu", "git", "export", "mv", "rm", "cd", "perl"];

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
