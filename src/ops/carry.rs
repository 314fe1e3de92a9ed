//! The end of `plan` and `apply`: a decision is written, Terraform runs, and what it planned is read again.
//!
//! In: a decision that nothing speaks against, and the words for Terraform. Invariants: what can't be installed is taken back; in
//! an ephemeral run the sources are put back however Terraform ends. Absent on purpose: any decision.

use super::decide::change_set;
use super::ready::Ready;
use super::terraformed::{Request, install, terraformed};
use super::{DONE, Outcome, Start, again, ephemeral, init, losses, saved, summary, write};
use crate::pipeline::holds_sources;
use crate::report::summary::{Aftermath, Summary};
use std::path::Path;

/// Terraform's status of a plan that changes something, where it is asked for.
const CHANGES: u8 = 2;

impl Ready {
    /// Writes, says what was written, and runs Terraform.
    pub fn carried_out(self, start: &Start, request: &Request) -> Outcome {
        let Ready { session, decided, driven, placed, terraform, .. } = &self;
        let hops = summary::hops(start, request.issues.format());
        let said = |done| summary::print(start, request.issues.format(), &done, &hops);
        if request.ephemeral || !session.phi.settings.keep {
            let set = ephemeral::change_set(session, &decided.tree)?;
            let done = summary::of_run(decided, driven.len(), &set, &placed.listed);
            let outcome = ephemeral::during(&session.host.root, &set, start.console, || {
                init::initialise(terraform, session, driven)?;
                install(terraform, session)?;
                said(Summary { aftermath: Aftermath::PutBack, ..done });
                self.run(start, request)
            })?;
            return self.read_again(start, request, outcome);
        }
        let set = change_set(session, &decided.tree);
        let undo = write::commit(&set, start.console)?;
        let ready = init::initialise(terraform, session, driven);
        if let Err(issue) = ready.and_then(|()| install(terraform, session)) {
            write::commit(&undo, start.console)?;
            return Err(issue.into());
        }
        said(summary::of_run(decided, driven.len(), &set, &placed.listed));
        if let Some(text) = decided.instead.as_deref().filter(|_| holds_sources(set.changes.keys())) {
            summary::note(start, request.issues.format(), text);
        }
        let outcome = self.run(start, request)?;
        self.read_again(start, request, outcome)
    }

    /// Runs Terraform. Where something may have to be said of a plan that nobody saves, its status tells whether it changes anything.
    fn run(&self, start: &Start, request: &Request) -> Outcome {
        let mut words = self.words.clone();
        if again::is_wanted(start, request, self) {
            words.insert(0, "-detailed-exitcode".into());
        }
        terraformed(start, request, &words, &self.terraform)
    }

    /// Holds a plan that was saved against what was simulated, and says what a plan takes away.
    fn read_again(mut self, start: &Start, request: &Request, outcome: u8) -> Outcome {
        let read = &self.read;
        if again::is_wanted(start, request, &self) {
            if outcome == CHANGES
                && let Some(plan) = again::plan(start, request, &self)
            {
                losses::print(start, request.issues.format(), &self.decided, &plan);
            }
            return Ok(if outcome == CHANGES && !read.detailed_exitcode { DONE } else { outcome });
        }
        let Some(file) = read.out.as_ref().filter(|_| matches!(outcome, DONE | CHANGES) && !read.destroy)
        else {
            return Ok(outcome);
        };
        let plan = self.terraform.show_plan(&self.session.host.root, Path::new(file))?;
        let found = saved::check(&plan, file, &self.placed.kept);
        if found.is_empty() {
            losses::print(start, request.issues.format(), &self.decided, &plan);
            return Ok(outcome);
        }
        Err(self.session.stop(found))
    }
}
