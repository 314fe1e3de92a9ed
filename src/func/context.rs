//! The context of a call: surroundings, and the work that is left.

use super::{FuncError, Surroundings, Work};

/// Passed to every function body.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Files and templates.
    pub outside: &'a dyn Surroundings,
    /// The work that may still be done.
    pub work: &'a Work,
}

impl Context<'_> {
    /// Returns true if Terraform is version 1.`minor` or later; `None` if it may be either.
    pub fn since(&self, minor: u32) -> Option<bool> {
        self.outside.terraform().since(minor)
    }

    /// The same; declines what is asked for where some versions are, and some aren't.
    ///
    /// # Errors
    /// Without a version, with the reason.
    pub fn decided_since(&self, minor: u32, why: &str) -> Result<bool, FuncError> {
        self.since(minor).ok_or_else(|| FuncError::version(why))
    }

    /// Declines what a Terraform before 1.`minor` answers otherwise, where it is known to be one. Answers are those of 1.11 elsewhere.
    ///
    /// # Errors
    /// For a known older version.
    pub fn declined_before(&self, minor: u32, what: &str) -> Result<(), FuncError> {
        match self.since(minor) {
            Some(false) => Err(FuncError::version(format!("{what} before Terraform 1.{minor}"))),
            _ => Ok(()),
        }
    }
}
