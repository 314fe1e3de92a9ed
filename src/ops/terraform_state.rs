//! `tf-phi state` and `tf-phi workspace`: the same of Terraform on the specialised tree, which is put back afterwards.
//!
//! Terraform reads no state in a directory whose sources it rejects, and so it moves and forgets nothing there either, and selects no
//! workspace. In: Terraform's own
//! arguments. Invariants: as an ephemeral run; no move chain is written, since nothing is planned. Absent: saying what is to be moved.

use super::options::{Amount, Issues, TERRAFORMS};
use super::{Command, Outcome, Start};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::decide::Tree;
use crate::ops::run::enter::enter;
use crate::ops::run::ephemeral;
use crate::ops::run::terraformed::{Request, bare, find, install, terraformed};
use crate::specialise::moves;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

/// The arguments of `tf-phi state`.
#[derive(Args, Clone, Debug)]
pub struct StateRequest {
    #[command(flatten)]
    issues: Issues,
    /// Arguments of terraform state
    #[arg(id = "arguments", value_name = TERRAFORMS, num_args(0..), allow_hyphen_values = true, trailing_var_arg = true)]
    args: Vec<OsString>,
}

/// The arguments of `tf-phi workspace`.
#[derive(Args, Clone, Debug)]
pub struct WorkspaceRequest {
    #[command(flatten)]
    issues: Issues,
    /// Arguments of terraform workspace
    #[arg(id = "arguments", value_name = TERRAFORMS, num_args(0..), allow_hyphen_values = true, trailing_var_arg = true)]
    args: Vec<OsString>,
}

impl Command for StateRequest {
    fn run(&self, start: &Start) -> Outcome {
        run_on_specialised(start, ("state", &self.args), self.issues)
    }
}

impl Command for WorkspaceRequest {
    fn run(&self, start: &Start) -> Outcome {
        run_on_specialised(start, ("workspace", &self.args), self.issues)
    }
}

/// Runs a command of Terraform that needs sources which can be read, and nothing else of them.
fn run_on_specialised(
    start: &Start,
    (command, args): (&'static str, &[OsString]),
    issues: Issues,
) -> Outcome {
    let (args, amount) = (args.to_vec(), Amount::default());
    let (dry_run, environment) = (false, None);
    let asked = Request { command, args, dry_run, ephemeral: true, environment, issues, amount };
    let root = RootedHost::new(&start.dir)?.root;
    let held = enter(&root)?;
    let mut session = Session::open(start)?;
    let driven = session.driven(start);
    // A tree that is specialised already is one that Terraform reads.
    if session.is_idle(&driven) || session.record.is_some() {
        drop(held);
        return bare(start, &asked, &session);
    }
    session.judge()?;
    let decided = session.decide(&driven, &[])?;
    let terraform = find(start, &session)?;
    let _held = held?;
    let mut tree: Tree = decided.tree;
    tree.insert(PathBuf::from(moves::FILE), None);
    let set = ephemeral::change_set(&mut session, &tree)?;
    ephemeral::during(&session.host.root, &set, start.console, || {
        install(&terraform, &session)?;
        terraformed(start, &asked, &asked.args, &terraform)
    })
}
