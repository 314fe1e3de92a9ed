//! Reads the state through Terraform.
//!
//! Terraform reads no state in a directory whose sources it rejects, and it rejects expressions in some meta-arguments. Then the
//! state is read in a copy of the directory that holds the specialised tree. In: a working directory and the decision for it.
//! Absent: what follows from the state.

mod as_decided;
mod as_pinned;
pub(super) mod by_hand;
pub(super) mod copy_identity;
pub(super) mod hints;
pub(super) mod home;
pub(super) mod losses;
pub(super) mod lost;
pub(super) mod place;
pub(super) mod whose;
pub(super) mod would_destroy;

use crate::addr::Held;
use crate::host::Host as _;
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::ops::run::decide::{Decided, Tree, holds_text_of_links, workspace};
use crate::ops::run::initialised;
use crate::ops::run::scratch_plan::{self, ScratchPlan};
use crate::ops::run::terraform_blocks;
use crate::specialise::SplitUnit;
use crate::specialise::record::Specialization;
use crate::terraform::args::RunArgs;
use crate::terraform::{Answer, Terraform, init, state_json};
use crate::trace::{Driven, Driver, Universes};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// A state's file.
const FILE: &str = "terraform.tfstate";

/// The state of a working directory, and the sources through which it is read.
pub(super) struct State<'a> {
    /// The working directory.
    pub session: &'a Session,
    /// The files to be written there.
    pub tree: &'a Tree,
    /// The units that are split there.
    pub splits: &'a [SplitUnit],
    /// The values that the copies have there.
    pub written: &'a [Specialization],
    /// The universes under which these were decided; none where nothing was.
    pub universes: Option<&'a Universes>,
    /// The driven fields.
    pub driven: &'a [Driven],
    /// The arguments of the run.
    pub read: &'a RunArgs,
    /// The program that reads the state.
    pub terraform: &'a Terraform,
    /// The state, once it has been read.
    pub text: OnceCell<Vec<u8>>,
}

impl<'a> State<'a> {
    /// All of it together.
    pub fn of(
        session: &'a Session,
        decided: &'a Decided,
        driven: &'a [Driven],
        read: &'a RunArgs,
        terraform: &'a Terraform,
    ) -> State<'a> {
        let (tree, splits) = (&decided.tree, decided.specialised.splits.as_slice());
        let written = decided.specialised.record.specializations.as_slice();
        let universes = Some(&decided.universes);
        State { session, tree, splits, written, universes, driven, read, terraform, text: OnceCell::new() }
    }

    /// The addresses in it; none where there is no state.
    ///
    /// # Errors
    /// Returns an error if Terraform can't be started, the directory can't be copied, or there is a state that can't be read.
    pub fn held(&self) -> Result<Held, Issue> {
        state_json::held(self.pull()?)
    }

    /// The state as JSON; empty where there is none.
    ///
    /// # Errors
    /// As [`State::held`].
    pub fn pull(&self) -> Result<&[u8], Issue> {
        if let Some(text) = self.text.get() {
            return Ok(text);
        }
        let text = if self.may_be() { self.asked()? } else { Vec::new() };
        Ok(self.text.get_or_init(|| text))
    }

    fn asked(&self) -> Result<Vec<u8>, Issue> {
        let host = &self.session.host;
        if let Some(path) = self.read.state.as_ref().filter(|_| !scratch_plan::lies_elsewhere(self.session)) {
            let path = Path::new(path);
            // Only a file that isn't there holds nothing.
            return match host.kind(path) {
                None => Ok(Vec::new()),
                Some(_) => host.read_named(path).map_err(|e| unreadable(&e.to_string())),
            };
        }
        if !self.session.phi.settings.copies {
            return self.of_sources();
        }
        self.whole(self.terraform.state_pull(host, &host.root)?)
    }

    /// Returns the state where a run has no copies, and the sources are rejected. No more is asked of it than whether it holds copies from
    /// before: one that lies in a file here is read as it is.
    fn of_sources(&self) -> Result<Vec<u8>, Issue> {
        let session = self.session;
        let path = match workspace(session).as_str() {
            "default" => PathBuf::from(FILE),
            name => Path::new("terraform.tfstate.d").join(name).join(FILE),
        };
        if initialised::has_local_state(session) {
            // Terraform takes 50 ms to start, and would look for the same file.
            if session.host.kind(&path).is_none() {
                return Ok(Vec::new());
            }
            let text = session.host.read(&path).ok();
            if let Some(state) = text.filter(|state| state_json::held(state).is_ok()) {
                return Ok(state);
            }
        }
        match terraform_blocks::pull_state(&session.host, self.terraform)? {
            Answer::State(state) => Ok(state),
            Answer::Nothing => Ok(Vec::new()),
            Answer::Unreadable(said) => Err(unreadable(&said)),
        }
    }

    /// Returns the state in an answer. The question is put again in a copy of the directory if Terraform may have rejected the
    /// sources, if a local module isn't installed, or if links are files that Terraform can't read.
    fn whole(&self, mut answer: Answer) -> Result<Vec<u8>, Issue> {
        let fields = || self.driven.iter().any(|d| d.driver == Driver::Static);
        let rejected =
            |said: &str| init::misses_module(said) || fields() || holds_text_of_links(self.session);
        if matches!(&answer, Answer::Unreadable(said) if rejected(said)) {
            let scratch = ScratchPlan::new(self.session, self.terraform)?;
            scratch.put(self.tree)?;
            // Where that fails, what Terraform said of the state is what helps.
            if scratch.install().is_ok() {
                answer = scratch.terraform.state_pull(&self.session.host, scratch.dir())?;
            }
        }
        let is_of_factor = self.session.origin.is_some();
        if matches!(&answer, Answer::Unreadable(said) if is_of_factor && init::init_wanted(said).is_none()) {
            // What a service replaces may be what Terraform rejects: the original stands there, and nothing of it is driven.
            match terraform_blocks::pull_state(&self.session.host, self.terraform)? {
                Answer::Unreadable(_) => {}
                read => answer = read,
            }
        }
        match answer {
            Answer::State(state) => Ok(state),
            Answer::Nothing => Ok(Vec::new()),
            Answer::Unreadable(said) => Err(unreadable(&said)),
        }
    }

    /// A tree of built-in providers alone needs no `init` to have a state; one that names a backend has it elsewhere.
    fn may_be(&self) -> bool {
        let host = &self.session.host;
        let local = ["terraform.tfstate", "terraform.tfstate.d"].map(Path::new);
        self.read.state.is_some()
            || init::is_initialised(host, Path::new(""))
            || initialised::names_backend(self.session)
            || local.iter().any(|path| host.kind(path).is_some())
    }
}

/// Copies that no record tells of are known by what state holds: without it they might be destroyed.
fn unreadable(said: &str) -> Issue {
    if let Some(issue) = init::init_wanted(said) {
        return issue;
    }
    let why = format!(
        "Before anything is written, the state is asked which copies it holds, so that none of them is destroyed. \
         Terraform says:\n{said}"
    );
    Issue::error(Code::Terraform, "the state can't be read", why)
        .fix("Have this print the state, then run again:", "tf-phi state pull")
}
