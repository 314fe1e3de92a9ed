//! `tf-phi test`: `terraform test` on the specialised tree, which is put back afterwards.
//!
//! In: Terraform's own arguments. Invariants: as an ephemeral run; no move chain is written. A chain fits the variables
//! of one plan, and the runs of a test file have variables of their own: over a chain for another branch they would
//! stop. Tests begin without state, so there is nothing to move. Absent: running tests on the originals, which
//! Terraform does by itself.

use super::options::{Amount, Issues, TERRAFORMS};
use super::{Command, Outcome, Start};
use crate::host::Machine;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::decide::Tree;
use crate::ops::run::enter::enter;
use crate::ops::run::terraformed::{Request, bare, find, install, terraformed};
use crate::ops::run::{ephemeral, tested};
use crate::specialise::moves;
use crate::terraform::args::{self, RunArgs};
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

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
        let (issues, args) = (self.issues, self.args.clone());
        let (dry_run, environment, amount) = (false, None, Amount::default());
        let asked = Request { command: "test", args, dry_run, ephemeral: true, environment, issues, amount };
        let format = self.issues.format();
        let words: Vec<String> = self.args.iter().map(|a| a.to_string_lossy().into_owned()).collect();
        let plain = words.iter().any(|w| matches!(w.as_str(), "-no-color" | "--no-color"));
        let start = &Start { console: start.console.plain_if(plain), ..start.clone() };
        let root = RootedHost::new(&start.dir)?.root;
        let held = enter(&root)?;
        let mut session = Session::open(start)?;
        if let Some(dir) = args::value_of(&Machine, "test", &words, "test-directory")? {
            session.tests_in(&dir);
        }
        session.given_to_tests(&RunArgs::read(&Machine, "test", &words)?.vars);
        let driven = session.driven(start);
        if session.is_idle(&driven) && (!session.asks() || !session.is_blocked()) {
            drop(held);
            return bare(start, &asked, &session);
        }
        session.judge()?;
        let decided = session.decide(&driven, &[])?;
        let terraform = find(start, &session)?;
        let mut warnings = decided.warnings;
        warnings.extend(tested::warnings(&session, &decided.specialised.splits));
        if session.strict && !warnings.is_empty() {
            return Err(session.stop(warnings));
        }
        session.print_warnings(start, format);
        session.print(start, format, &warnings);
        let _held = held?;
        let mut tree: Tree = decided.tree;
        tree.insert(PathBuf::from(moves::FILE), None);
        let set = ephemeral::change_set(&mut session, &tree)?;
        ephemeral::during(&session.host.root, &set, start.console, || {
            install(&terraform, &session)?;
            terraformed(start, &asked, &asked.args, &terraform)
        })
    }
}
