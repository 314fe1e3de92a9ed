//! `tf-phi test`: `terraform test` on the specialised tree, which is put back afterwards.
//!
//! In: Terraform's own arguments. Invariants: as an ephemeral run; no move chain is written. A chain fits the variables
//! of one plan, and the runs of a test file have variables of their own: over a chain for another branch they would
//! stop. Tests begin without state, so there is nothing to move. Absent: running tests on the originals, which
//! Terraform does by itself.

use super::options::{Amount, Issues, TERRAFORMS};
use super::{Command, Outcome, Start, Stop};
use crate::host::Machine;
use crate::issue::Issue;
use crate::ops::read::session::Session;
use crate::ops::run::decide::Decided;
use crate::ops::run::in_place::{self, Work};
use crate::ops::run::terraformed::{Request, terraformed};
use crate::ops::run::tested;
use crate::terraform::Terraform;
use crate::terraform::args::{self, RunArgs};
use crate::trace::Driven;
use clap::Args;
use std::ffi::OsString;

/// The arguments of `tf-phi test`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    issues: Issues,
    /// Arguments of terraform test
    #[arg(id = "arguments", value_name = TERRAFORMS, num_args(0..), allow_hyphen_values = true, trailing_var_arg = true)]
    args: Vec<OsString>,
}

impl Command for Arguments {
    fn run(&self, start: &Start) -> Outcome {
        let words: Vec<String> = self.args.iter().map(|a| a.to_string_lossy().into_owned()).collect();
        let plain = words.iter().any(|w| matches!(w.as_str(), "-no-color" | "--no-color"));
        let start = &Start { console: start.console.plain_if(plain), ..start.clone() };
        let (issues, args) = (self.issues, self.args.clone());
        let (dry_run, environment, amount) = (false, None, Amount::default());
        let request =
            Request { command: "test", args, dry_run, ephemeral: true, environment, issues, amount };
        in_place::run(start, self.issues.format(), &Tests { start, request, words })
    }
}

/// A run of test files.
struct Tests<'a> {
    start: &'a Start,
    request: Request,
    words: Vec<String>,
}

impl Work for Tests<'_> {
    fn prepare(&self, session: &mut Session) -> Result<(), Box<Stop>> {
        if let Some(dir) = args::value_of(&Machine, "test", &self.words, "test-directory")? {
            session.tests_in(&dir);
        }
        session.given_to_tests(&RunArgs::read(&Machine, "test", &self.words)?.vars);
        Ok(())
    }

    fn is_left_alone(&self, session: &Session, driven: &[Driven]) -> bool {
        session.is_idle(driven) && (!session.asks() || !session.is_blocked())
    }

    /// Runs of a test file have variables of their own, for which there is no one value. No state holds what they make.
    fn needs_copies(&self) -> bool {
        true
    }

    fn warn(&self, session: &Session, decided: &Decided) -> Vec<Issue> {
        tested::warnings(session, &decided.specialised.splits)
    }

    fn run(&self, _session: &Session, terraform: Result<Terraform, Issue>) -> Outcome {
        terraformed(self.start, &self.request, &self.request.args, &terraform?)
    }
}
