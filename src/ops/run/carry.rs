//! The end of `plan` and `apply`: a decision is written, Terraform runs, and what it planned is read again.
//!
//! In: a decision that nothing speaks against, and the words for Terraform. Invariants: what can't be installed is taken back; in
//! an ephemeral run the sources are put back however Terraform ends. Absent on purpose: any decision.
//!
//! Plans split units once more after a plan that nobody saves, to say what it destroys there.
//!
//! Terraform ends a plan with `-out` in other words than one without, so tf-phi never adds `-out`: the user sees Terraform's
//! output, byte for byte. Terraform's exit status tells whether anything changes. If so, and if state holds objects of split units,
//! these alone are planned again in a copy of the working directory. In: a run that has ended. Out: a plan of these units.
//! Invariant: if that plan fails, nothing is said, since Terraform has reported already. Absent on purpose: what the plan destroys.

use crate::host::Machine;
use crate::issue::Issue;
use crate::ops::read::session::Session;
use crate::ops::run::decide::{Decided, change_set};
use crate::ops::run::scratch_plan::{self, ScratchPlan, Words};
use crate::ops::run::terraformed::{Request, install, read_words, terraformed};
use crate::ops::run::{ephemeral, saved, summary, targets, write};
use crate::ops::state::losses;
use crate::ops::state::place::Placed;
use crate::ops::{DONE, Outcome, Start};
use crate::pipeline::holds_sources;
use crate::pipeline::literals::Literals;
use crate::report::progress::Progress;
use crate::report::summary::{Aftermath, Summary};
use crate::specialise::moves::originals;
use crate::terraform::args::RunArgs;
use crate::terraform::plan_json::Plan;
use crate::terraform::signals::uninterrupted;
use crate::terraform::{Terraform, args};
use crate::trace::Driven;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

/// Terraform's status of a plan that changes something, where it is asked for.
const CHANGES: u8 = 2;

impl Ready {
    /// Writes, says what was written, and runs Terraform.
    pub fn carried_out(mut self, start: &Start, request: &Request) -> Outcome {
        let hops = summary::hops(start, request.issues.format());
        let said = |done| summary::print(start, request.issues.format(), &done, &hops);
        if request.ephemeral || !self.session.phi.settings.keeps() {
            self.literals.note(&mut self.decided.tree);
            let set = ephemeral::change_set(&mut self.session, &self.decided.tree)?;
            let Ready { session, decided, driven, placed, terraform, literals, .. } = &self;
            let mut done = summary::of_run(session, decided, driven, &set, &placed.listed);
            literals.tell(&mut done);
            let outcome = ephemeral::during(&session.host.root, &set, start.console, || {
                install(terraform, session)?;
                said(Summary { aftermath: Aftermath::PutBack, ..done });
                self.run(start, request)
            })?;
            return self.read_again(start, request, outcome);
        }
        let Ready { session, decided, driven, placed, terraform, .. } = &self;
        let set = change_set(session, &decided.tree);
        let undo = write::commit(&set, start.console)?;
        if let Err(issue) = install(terraform, session) {
            write::commit(&undo, start.console)?;
            return Err(issue.into());
        }
        said(summary::of_run(session, decided, driven, &set, &placed.listed));
        if let Some(text) = decided.instead.as_deref().filter(|_| holds_sources(set.changes.keys())) {
            summary::note(start, request.issues.format(), text);
        }
        write::warn_of_excluded(&session.host, start.console);
        let outcome = self.run(start, request)?;
        self.read_again(start, request, outcome)
    }

    /// Runs Terraform. Where something may have to be said of a plan that nobody saves, its status tells whether it changes anything.
    fn run(&self, start: &Start, request: &Request) -> Outcome {
        let mut words = self.words.clone();
        if is_planned_again(start, request, self) {
            words.insert(0, "-detailed-exitcode".into());
        }
        terraformed(start, request, &words, &self.terraform)
    }

    /// Holds a plan that was saved against what was simulated, and says what a plan takes away.
    fn read_again(mut self, start: &Start, request: &Request, outcome: u8) -> Outcome {
        let read = &self.read;
        if is_planned_again(start, request, &self) {
            if outcome == CHANGES
                && let Some(plan) = again(start, request, &self)
            {
                losses::print(start, request.issues.format(), (&self.decided, &self.placed), &plan);
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
            losses::print(start, request.issues.format(), (&self.decided, &self.placed), &plan);
            return Ok(outcome);
        }
        Err(self.session.stop(found))
    }
}

/// All that a run needs from here on.
pub struct Ready {
    pub session: Session,
    pub decided: Decided,
    pub driven: Vec<Driven>,
    /// What is in place of meta-arguments, where there are no copies.
    pub literals: Literals,
    pub read: RunArgs,
    pub placed: Placed,
    pub terraform: Terraform,
    /// The command's words in the specialised tree's addresses.
    pub words: Vec<OsString>,
}

/// Returns true if a run is one after which that would be said.
fn is_planned_again(start: &Start, request: &Request, ready: &Ready) -> bool {
    let read = &ready.read;
    let shown = start.tells(request.issues.format());
    let whole = !(read.destroy || read.refresh_only || read.json || read.help);
    request.command == "plan" && shown && whole && read.out.is_none() && !held(ready).is_empty()
}

/// The split units of which state holds an object.
fn held(ready: &Ready) -> BTreeSet<&str> {
    let objects: Vec<String> = ready.placed.contents.objects.iter().map(|o| o.original.to_string()).collect();
    let units = ready.decided.specialised.splits.iter().map(|split| split.original.as_str());
    units.filter(|unit| objects.iter().any(|o| originals::covers(unit, o))).collect()
}

/// Plans them once more; everything where Terraform wants more than them. Nothing where no plan can be made.
fn again(start: &Start, request: &Request, ready: &Ready) -> Option<Plan> {
    let _progress = Progress::start(start.console, "looking at what this plan takes away");
    // A plan holds secrets: it is gone before a request to stop is heard.
    uninterrupted(|| planned(request, ready)).ok()?
}

fn planned(request: &Request, ready: &Ready) -> Option<Plan> {
    let words = words(request).ok()?;
    let scratch = ScratchPlan::new(&ready.session, &ready.terraform).ok()?;
    let tree = scratch_plan::sources(&ready.session, &ready.decided);
    let own: Vec<String> = held(ready).into_iter().map(|unit| format!("-target={unit}")).collect();
    // A run that is narrowed down already is planned as it was.
    let narrowed = !ready.read.targets.is_empty() || !ready.read.excludes.is_empty();
    let narrower = (!narrowed).then(|| [words.clone(), own].concat());
    narrower.into_iter().chain([words]).find_map(|words| {
        let objects = &ready.placed.contents.objects;
        let words = targets::translated(&words, &ready.decided, objects);
        let words = args::without(&words, &["lock", "lock-timeout", "generate-config-out"]);
        let words = [words, vec!["-lock=false".to_owned()]].concat();
        scratch.plan(&tree, &Words::All(words), "again").ok()
    })
}

/// The words of the run, those of the environment included.
fn words(request: &Request) -> Result<Vec<String>, Issue> {
    let (own, _) = read_words(request.command, &request.args)?;
    args::words_of(&Machine, request.command, &own)
}
