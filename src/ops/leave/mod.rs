//! `tf-phi leave`: the original sources back for good, with the way home as a file of the user's.
//!
//! In: a working directory, its history. Out: the originals, as the form factor has them that is on, an ordinary file of `moved` and
//! `removed` blocks, and nothing else of tf-phi. Invariant: it is one transaction, so that the history is never gone without the blocks
//! that are made of it. Absent: asking for a state, unless it alone tells the keys of a unit.

mod applied;

use super::options::Amount;
use super::restore::say_gaps;
use super::{Command, DONE, Outcome, Start, Stop, stacks};
use crate::config::writable::PHI_HCL;
use crate::host::{Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::decide::{Tree, change_set};
use crate::ops::run::enter::enter;
use crate::ops::run::write;
use crate::ops::state::home::{HomeFile, find_home};
use crate::specialise::moves::OneSource;
use crate::specialise::record::history;
use crate::specialise::{moves, record};
use crate::txn::PHI_DIR;
use clap::Args;
use std::path::{Path, PathBuf};

/// The arguments of `tf-phi leave`.
#[derive(Args, Clone, Debug)]
pub struct LeaveRequest {
    /// Show the diff and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    amount: Amount,
}

impl Command for LeaveRequest {
    fn run(&self, start: &Start) -> Outcome {
        let root = RootedHost::new(&start.dir)?.root;
        let lock = enter(&root)?;
        if stacks::is_stack(start) {
            let _held = lock.map_err(Box::<Stop>::from)?;
            return stacks::leave_stack(start, self.dry_run, &|folder| self.run(folder));
        }
        let mut session = Session::recorded(&start.dir)?;
        session.judge()?;
        if let Some(issue) = applied::ask_for_form_factor(start)? {
            return Err(issue.into());
        }
        let home = find_home(start);
        if home.is_unknown {
            return Err(session.stopped(home.issues));
        }
        if let Some(one) = home.one_source.first() {
            return Err(want_source(one).into());
        }
        let mut tree = session.originals_with_comments();
        let lost = session.lost(&tree);
        let factor = applied::apply_form_factor(start, &mut tree)?;
        let file = free_name(&session);
        remove_own_files(&session, &mut tree);
        if let Some(text) = &home.text {
            tree.insert(file.clone(), Some(text.clone()));
        }
        let set = change_set(&session, &tree);
        if set.changes.is_empty() {
            start.console.note("nothing of tf-phi is here.");
            return Ok(DONE);
        }
        if self.dry_run {
            super::diff::show(start, &session, &tree, Path::new(""));
            return Ok(DONE);
        }
        let held = lock.map_err(Box::<Stop>::from)?;
        write::commit(&set, start.console)?;
        crate::ops::read::modules::settle_originals(&root, Some(start.console));
        if !lost.is_empty() {
            start.console.note("comments in what tf-phi wrote went with it:");
            start.console.paste(&lost.join("\n"));
        }
        drop(held);
        if let Some(factor) = factor {
            start.console.note(&format!(
                "the tree is what the form factor \"{factor}\" makes of it, for good: what its services put in stands there as your own."
            ));
        }
        say_left(start, &home, &file);
        Ok(DONE)
    }
}

/// The issue of a way home that one source alone makes right.
fn want_source(OneSource { unit, call }: &OneSource) -> Issue {
    let why = "Terraform takes no expression for a source, so that one is written out for good. The `moved` blocks that lead home are right \
               beside some of its sources and wrong beside others. Nothing was written.";
    let summary = format!("the way home of {unit} depends on the source of {call}");
    Issue::error(Code::Held, summary, why).about(unit.clone()).fix(
        "Apply with the values that decide for the source that stays, and put the sources back; then write that source out in place of the \
         expression, and run `tf-phi leave` again:",
        "tf-phi apply && tf-phi restore",
    )
}

/// Plans the removal of every file that is tf-phi's own. What else lies in its folder stays.
fn remove_own_files(session: &Session, tree: &mut Tree) {
    let own = [
        record::FILE,
        record::local::FILE,
        history::FILE,
        history::FORMER,
        history::ATTRIBUTES.0,
        moves::FILE,
        PHI_HCL,
    ];
    let standing = own.map(PathBuf::from).into_iter().filter(|path| session.host.kind(path).is_some());
    tree.extend(standing.map(|path| (path, None)));
    let list = Path::new(record::local::IGNORE);
    if session.host.read(list).is_ok_and(|text| record::local::is_own_list(&text)) {
        tree.insert(list.to_path_buf(), None);
    }
}

/// A name that no file has.
fn free_name(session: &Session) -> PathBuf {
    let numbered = (2..).map(|n| format!("moved_{n}.tf"));
    let mut names = std::iter::once("moved.tf".to_owned()).chain(numbered).map(PathBuf::from);
    names.find(|path| session.host.kind(path).is_none()).unwrap_or_else(|| PathBuf::from("moved.tf"))
}

fn say_left(start: &Start, home: &HomeFile, file: &Path) {
    match home.text {
        Some(_) => start.console.note(&format!(
            "everything of tf-phi is gone. {} leads every object in state from the name of a copy back to its own address, in every workspace. \
             Commit it. Run `terraform apply` once in each workspace and for each state; then remove it.",
            file.display()
        )),
        None => start.console.note("everything of tf-phi is gone. No state holds anything under the name of a copy."),
    }
    if !home.released.is_empty() {
        start.console.note(&format!(
            "a state that holds any of these belongs to another form of this tree: {}. A plan gives them up without destroying them. \
             Leave under that form factor, on a branch of its own, where they are to be kept.",
            home.released.join(", ")
        ));
    }
    say_gaps(start, home, true);
    if Machine.kind(&start.dir.join(PHI_DIR)).is_some() {
        start.console.note(&format!(
            "{PHI_DIR} holds files that tf-phi doesn't know. Remove it if nothing needs them."
        ));
    }
}
