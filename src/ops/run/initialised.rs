//! Checks before anything is written that Terraform can go on without `terraform init`.
//!
//! No backend is configured and no provider chosen by tf-phi itself: with a partial backend (`-backend-config`) that would begin a
//! second state. In: a session, and the sources that are to be written. They are put into a copy of the working directory, with
//! their modules, and Terraform is asked there. What it says where it would ask for `terraform init` is what stops the run.
//! Invariant: Terraform is asked only where something tells of a backend or a provider that isn't there, since asking costs as much as
//! starting the providers. Absent: any judgement of our own; where Terraform has nothing to say the run goes on.

use crate::host::{EntryKind, Host as _};
use crate::issue::Issue;
use crate::ops::read::session::Session;
use crate::ops::run::decide::Tree;
use crate::ops::run::providers;
use crate::ops::run::scratch_plan::ScratchPlan;
use crate::specialise::moves;
use crate::terraform::args::RunArgs;
use crate::terraform::{Terraform, init};
use std::path::Path;

/// The file in Terraform's data folder in which it notes the backend.
const BACKEND: &str = "terraform.tfstate";

/// Checks that Terraform can plan the sources that are to be written.
///
/// # Errors
/// [`crate::issue::Code::NotInstalled`] with Terraform's words where it asks for `terraform init`; a copy that can't be made.
pub fn check(session: &Session, tree: &Tree, read: &RunArgs, terraform: &Terraform) -> Result<(), Issue> {
    if misses_backend(session, read.state.is_some()) || misses_provider(session) {
        return stopped(&in_a_copy(session, tree, terraform)?, true);
    }
    Ok(())
}

/// Checks that Terraform doesn't ask for a backend, in a tree whose modules aren't there yet.
///
/// # Errors
/// As [`check`].
pub fn check_backend(session: &Session, tree: &Tree, terraform: &Terraform) -> Result<(), Issue> {
    match misses_backend(session, false) {
        true => stopped(&in_a_copy(session, tree, terraform)?, false),
        false => Ok(()),
    }
}

fn in_a_copy(session: &Session, tree: &Tree, terraform: &Terraform) -> Result<ScratchPlan, Issue> {
    let scratch = ScratchPlan::new(session, terraform)?;
    let mut sources = session.loaded.clone();
    sources.extend(tree.clone());
    sources.insert(moves::FILE.into(), None);
    scratch.put(&sources)?;
    Ok(scratch)
}

/// Asks. Terraform asks for a backend before it looks for modules; `modules`: whether these are installed if it is they that are missing.
fn stopped(scratch: &ScratchPlan, modules: bool) -> Result<(), Issue> {
    let asked = || scratch.terraform.asked_for_init(scratch.dir());
    let mut said = asked()?;
    if said.as_deref().is_some_and(init::misses_module) {
        said = None;
        if modules {
            scratch.install()?;
            said = asked()?;
        }
    }
    said.as_deref().and_then(init::init_wanted).map_or(Ok(()), Err)
}

/// Returns true if the root module names a backend, or HCP Terraform, which is one as well.
pub fn names_backend(session: &Session) -> bool {
    let blocks = session.config.root().map(|m| m.terraform.as_slice()).unwrap_or_default();
    blocks.iter().any(|decl| {
        let body = &decl.block.body;
        body.blocks_of("cloud").next().is_some() || body.blocks_of("backend").next().is_some()
    })
}

/// Returns true if the state lies in the working directory: the root module names no backend, and none is initialised.
pub fn has_local_state(session: &Session) -> bool {
    !names_backend(session) && !is_backend_noted(session)
}

/// Returns true if Terraform may ask for a backend and isn't asked for the state, where it would say so. `named`: the state is read from
/// a file that the run names.
fn misses_backend(session: &Session, named: bool) -> bool {
    if is_backend_noted(session) { named } else { names_backend(session) }
}

/// Returns true if `init` has noted which backend it set up.
fn is_backend_noted(session: &Session) -> bool {
    let noted = init::data_dir(&session.host, Path::new("")).join(BACKEND);
    session.host.kind(&noted).is_some()
}

/// Returns true if a provider isn't locked, or is locked and not installed. Under a form factor a run installs what is new by itself.
fn misses_provider(session: &Session) -> bool {
    let host = &session.host;
    let lock = host.read(Path::new(init::LOCK)).unwrap_or_default();
    let data = init::data_dir(host, Path::new(""));
    let there = |package: &str| host.kind(&data.join("providers").join(package)) == Some(EntryKind::Dir);
    let lacks = session.rewrite.is_none() && providers::lacks(&session.config, &lock);
    lacks || !providers::packages(&lock).iter().all(|package| there(package))
}
