//! A command line that passes words on.

use std::ffi::OsString;

/// A command line that passes words on.
#[derive(Clone, Copy, Debug)]
pub struct Passed<'a> {
    /// The command of tf-phi.
    pub command: &'a str,
    /// Our options of this command, without dashes, and whether each takes a value.
    pub own: &'a [(&'a str, bool)],
    /// Those of other commands, each with its command.
    pub elsewhere: &'a [(&'a str, &'a str)],
    /// Everything before Terraform's words, the command's name included.
    pub front: &'a [OsString],
    /// Terraform's words.
    pub words: &'a [OsString],
    /// True if several root modules may be meant: which of these Terraform is left to isn't asked then.
    pub many: bool,
}

impl Passed<'_> {
    /// The command of Terraform that gets the words.
    pub fn terraforms(&self) -> &str {
        if self.command == "verify" { "plan" } else { self.command }
    }

    /// Returns true if nothing is to be written.
    pub fn dry_run(&self) -> bool {
        self.front.iter().any(|w| w == "--dry-run")
    }
}
