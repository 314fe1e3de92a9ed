//! Errors of values: those that Terraform itself reports, and those for what this program declines to compute.
//!
//! Input: nothing. Invariant: `limit` errors are never confused with Terraform's own, so that `try` and `can`
//! don't turn "too large for us" into a wrong answer. Deliberately absent: places in source text.

use std::fmt;

/// An error of an operation on values, in the wording of Terraform's diagnostics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// Terraform's diagnostic summary ("Invalid operand"); empty where the caller has to choose one.
    pub summary: &'static str,
    /// The detail, without the final period where Terraform's own error text has none.
    pub message: String,
    /// True where Terraform might well give an answer and only this program declines (sizes, version-dependent
    /// corners). Such an error must not be caught by `try` or `can`: what depends on it is unknown.
    pub limit: bool,
}

impl ValueError {
    /// An error that Terraform has too.
    pub fn new(message: impl Into<String>) -> ValueError {
        ValueError { summary: "", message: message.into(), limit: false }
    }

    /// An error that Terraform has too, under a summary.
    pub fn with_summary(summary: &'static str, message: impl Into<String>) -> ValueError {
        ValueError { summary, message: message.into(), limit: false }
    }

    /// An answer that this program declines to compute.
    pub fn limit(message: impl Into<String>) -> ValueError {
        ValueError { summary: "Unsupported value", message: message.into(), limit: true }
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ValueError {}

/// The result of an operation on values.
pub type Result<T> = std::result::Result<T, ValueError>;
