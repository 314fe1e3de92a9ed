//! The commands: each wires the stages, from reading the tree to the exit status.
//!
//! Input: requests, whose fields say which options fill them. Output: an exit status; everything else is printed by the
//! report stage. Invariants: nothing is written unless every stage before agreed; where a blocking issue is found,
//! Terraform is not started. Deliberately absent: the command line as a whole, and any analysis of its own.

pub mod arguments;
pub mod check;
mod commits;
mod compare;
pub mod diff;
pub mod doctor;
pub mod explain;
mod expr;
pub mod history;
pub mod matrix;
pub mod graph;
pub mod init;
pub mod leave;
pub mod options;
pub mod plan;
pub mod plans;
pub mod restore;
pub mod review;
mod review_absent;
mod review_addresses;
mod review_attributes;
mod review_changed;
mod review_committed;
mod review_history;
mod review_leads;
mod review_own_files;
mod review_plan;
mod review_settled;
mod review_side;
mod review_stack;
mod review_values;
mod review_written;
pub mod roots;
pub mod services;
pub mod stacks;
mod state;
mod stream;
pub mod suggest;
pub mod terraforms;
pub mod test;
pub mod trace;
pub mod validate;
pub mod verify;
mod verify_values;
mod read;
mod run;

use crate::host::{Host as _, Machine};
use crate::issue::Issue;
use crate::report::Console;
use crate::report::issue::Format;
use crate::report::summary::Detail;
use crate::text::Sources;
use std::path::PathBuf;

/// The settings that all commands share.
#[derive(Clone, Debug)]
pub struct Start {
    /// The working directory: that of `-chdir`, or `.`.
    pub dir: PathBuf,
    /// The working directory from where paths are shown: a directory that was named as one of several that may be.
    pub seen: PathBuf,
    /// `-chdir`, which Terraform gets, too: `path.cwd` is where it was started.
    pub chdir: Option<PathBuf>,
    /// `--terraform`
    pub terraform: Option<String>,
    /// True if the command may start a process to learn something. Commands that only read start none.
    pub asks: bool,
    /// The workspace that an environment names, in place of the selected one.
    pub workspace: Option<String>,
    /// The working directory whose installed modules count here, too: this one is a copy of a revision of it.
    pub beside: Option<PathBuf>,
    /// `--form-factor`
    pub form_factor: Option<String>,
    /// True if functions see no file that Git doesn't track: what is read is compared with a revision, and shown to others.
    pub tracked_only: bool,
    /// `--no-copies`: meta-arguments become this run's values, as with `copies = false` in `phi.hcl`.
    pub no_copies: bool,
    /// The number of root modules that are worked on.
    pub roots_of_run: usize,
    /// `--strict`: what is only worth knowing blocks, too.
    pub strict: bool,
    /// The streams.
    pub console: Console,
    /// The amount of output besides findings and reports.
    pub detail: Detail,
}

/// The environment variable that names the form factor.
const FORM_FACTOR: &str = "TF_PHI_FORM_FACTOR";

/// Exit status of success.
pub const DONE: u8 = 0;
/// Exit status of a blocking issue, and of everything that could not be done.
pub const FAILED: u8 = 1;

/// Exit status where two things that were compared differ.
pub const DIFFERENT: u8 = 3;

/// Exit status where something was found that ought not to be there.
pub const FOUND: u8 = 3;

/// Why a command stopped: issues, and the files that they point into.
#[derive(Debug)]
pub struct Stop {
    /// One at least is blocking.
    pub issues: Vec<Issue>,
    /// The files.
    pub sources: Sources,
}

impl From<Issue> for Box<Stop> {
    fn from(issue: Issue) -> Box<Stop> {
        vec![issue].into()
    }
}

impl From<Vec<Issue>> for Box<Stop> {
    fn from(issues: Vec<Issue>) -> Box<Stop> {
        Box::new(Stop { issues, sources: Sources::default() })
    }
}

/// The result of a command: an exit status, or the reason why it stopped.
pub type Outcome = Result<u8, Box<Stop>>;

/// A command whose arguments are all read.
pub trait Command: clap::Args {
    /// Runs it and returns the exit status.
    ///
    /// # Errors
    /// Blocking issues, and what can't be done.
    fn run(&self, start: &Start) -> Outcome;
}

impl Start {
    /// Returns true if notes and reports stand beside what is printed: they go to people, and those want to hear them.
    pub fn tells(&self, format: Format) -> bool {
        self.detail != Detail::Quiet && format == Format::Text
    }

    /// The form factor that is asked for, by the command line or the environment.
    fn form_factor(&self) -> Option<String> {
        self.form_factor.clone().or_else(|| Machine.env(FORM_FACTOR))
    }

    /// Says one line, unless only what is wrong is wanted.
    pub fn note(&self, text: &str) {
        if self.detail != Detail::Quiet {
            self.console.note(text);
        }
    }

    /// Prints why a command stopped, and gives its exit status.
    pub fn finish(&self, outcome: Outcome, format: Format) -> u8 {
        outcome.unwrap_or_else(|stop| {
            let Stop { issues, sources } = *stop;
            let sources = sources.changed_to(self.chdir.as_deref());
            crate::report::issue::print(self.console, format, &issues, &sources);
            FAILED
        })
    }
}
