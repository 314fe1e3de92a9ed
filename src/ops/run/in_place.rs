//! What runs on the specialised tree without planning anything: the tree is written, something runs, and the sources are put back.
//!
//! In: a working directory, and what is to run there ([`Work`]). Invariants: as an ephemeral run, also where runs keep what they write; no move
//! chain is written, since nothing is planned; a tree with nothing to specialise is left as it stands. Absent on purpose: values of a
//! run's variables. None is asked for.

use crate::issue::Issue;
use crate::ops::init::prepared;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::decide::{Decided, Tree};
use crate::ops::run::enter::enter;
use crate::ops::run::ephemeral;
use crate::ops::run::literals::{self, Opened};
use crate::ops::run::terraformed::{find, install};
use crate::ops::{Outcome, Start, Stop};
use crate::pipeline::literals::Literals;
use crate::report::issue::Format;
use crate::specialise::moves;
use crate::terraform::Terraform;
use crate::trace::Driven;
use std::path::PathBuf;

/// What runs on a specialised tree.
pub trait Work {
    /// Takes what is to be known of the tree before anything is traced.
    ///
    /// # Errors
    /// Arguments that can't be read.
    fn prepare(&self, _session: &mut Session) -> Result<(), Box<Stop>> {
        Ok(())
    }

    /// Returns true if the tree is good as it stands.
    fn is_left_alone(&self, session: &Session, driven: &[Driven]) -> bool {
        session.is_idle(driven)
    }

    /// Returns true if it needs copies, where other runs have none.
    fn needs_copies(&self) -> bool {
        false
    }

    /// Returns what else is worth knowing.
    fn warn(&self, _session: &Session, _decided: &Decided) -> Vec<Issue> {
        Vec::new()
    }

    /// Runs. Where the tree is specialised, its modules are installed; Terraform is missing only where nothing had to be.
    ///
    /// # Errors
    /// A program that can't be found or started.
    fn run(&self, session: &Session, terraform: Result<Terraform, Issue>) -> Outcome;
}

/// Runs it, and says how it ended.
///
/// # Errors
/// Blocking issues; then nothing was written and nothing was started.
pub fn run(start: &Start, format: Format, work: &dyn Work) -> Outcome {
    let root = RootedHost::new(&start.dir)?.root;
    let held = enter(&root)?;
    let open = || {
        let mut session = Session::open(start)?;
        if !session.phi.settings.copies && !work.needs_copies() {
            let mut opened = literals::open(start, &[], held.is_ok())?;
            work.prepare(&mut opened.session)?;
            return Ok(opened);
        }
        work.prepare(&mut session)?;
        let driven = session.driven(start);
        Ok::<_, Box<Stop>>(Opened { session, driven, literals: Literals::default() })
    };
    let mut opened = open()?;
    if opened.session.is_blocked() && held.is_ok() && prepared(start, &opened.session)? {
        opened = open()?;
    }
    let Opened { mut session, driven, literals } = opened;
    let terraform = find(start, &session);
    if literals.is_empty() && work.is_left_alone(&session, &driven) {
        drop(held);
        return work.run(&session, terraform);
    }
    session.judge()?;
    let decided = session.decide(&driven, &[])?;
    let mut warnings = work.warn(&session, &decided);
    warnings.splice(0..0, decided.warnings.iter().cloned());
    if session.strict && !warnings.is_empty() {
        return Err(session.stop(warnings));
    }
    session.print_warnings(start, format);
    session.print(start, format, &warnings);
    let _held = held?;
    let mut tree: Tree = decided.tree;
    tree.insert(PathBuf::from(moves::FILE), None);
    literals.note(&mut tree);
    let set = ephemeral::change_set(&mut session, &tree)?;
    ephemeral::during(&session.host.root, &set, start.console, || {
        if let Ok(terraform) = &terraform {
            install(terraform, &session)?;
        }
        work.run(&session, terraform)
    })
}
