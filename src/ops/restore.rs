//! `tf-phi restore`: the original sources back.

use super::options::Amount;
use super::{Command, DONE, Outcome, Start, Stop};
use crate::ops::read::session::Session;
use crate::ops::run::decide::{change_set, remember};
use crate::ops::run::enter::enter_unless;
use crate::ops::run::write;
use crate::ops::state::home::{self, Home};
use crate::specialise::{Record, record};
use crate::txn::PHI_DIR;
use clap::Args;
use std::path::{Path, PathBuf};

/// The arguments of `tf-phi restore`.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// Show the diff and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    amount: Amount,
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let root = crate::ops::read::rooted_host::RootedHost::new(&start.dir)?.root;
        let lock = enter_unless(self.dry_run, &root)?;
        let mut session = Session::recorded(&start.dir)?;
        if session.record.is_none() && session.history.is_empty() {
            start.console.note("nothing to restore: nothing is specialised here.");
            return Ok(DONE);
        }
        session.judge()?;
        let mut tree = session.originals_with_comments();
        let lost = session.lost(&tree);
        tree.insert(PathBuf::from(record::FILE), None);
        remember(&session, &Record::empty(), &mut tree);
        if self.dry_run {
            super::diff::show(start, &session, &tree, Path::new(""));
            return Ok(DONE);
        }
        let _held = lock.map_err(Box::<Stop>::from)?;
        // Terraform may reject the originals, and then it doesn't read the state there either.
        let home = home::find(start);
        if session.record.is_some() {
            let set = change_set(&session, &tree);
            let files = set.changes.keys().filter(|path| !path.starts_with(PHI_DIR)).count();
            write::commit(&set, start.console)?;
            crate::ops::read::modules::settle_originals(&root, Some(start.console));
            start.console.note(&format!("restored {files} {}.", if files == 1 { "file" } else { "files" }));
            if !lost.is_empty() {
                start.console.note("comments in what tf-phi wrote went with it:");
                start.console.paste(&lost.join("\n"));
            }
        } else {
            start.console.note("nothing to restore: the originals are in place.");
        }
        say(start, home);
        Ok(DONE)
    }
}

/// Puts the original sources back, without a word, where a run is about to write them anew. The lock of what lies above is held.
///
/// # Errors
/// Files that were edited so that the original text can't be found; a tree that can't be written.
pub(super) fn put_back(start: &Start) -> Result<(), Box<Stop>> {
    let mut session = Session::recorded(&start.dir)?;
    session.judge()?;
    let mut tree = session.originals_with_comments();
    tree.insert(PathBuf::from(record::FILE), None);
    remember(&session, &Record::empty(), &mut tree);
    write::commit(&change_set(&session, &tree), start.console)?;
    crate::ops::read::modules::settle_originals(&session.host.root, None);
    Ok(())
}

/// Says what happens to the state if tf-phi isn't run again.
fn say(start: &Start, home: Home) {
    match home {
        Home::There => {}
        Home::Blocks(blocks) => {
            start.console.note(
                "state holds addresses of the specialised form. `tf-phi plan` moves them back. If you go on with plain \
                 Terraform, add these blocks first, or it destroys and creates anew:",
            );
            start.console.paste(&blocks);
        }
        Home::Unknown(issues) => {
            let why = issues.first().map(|i| format!(" ({})", i.summary)).unwrap_or_default();
            start.console.note(&format!(
                "state may hold addresses of the specialised form; which could not be told{why}. `tf-phi plan` moves them back. \
                 Before you go on with plain Terraform, run `tf-phi restore` again: it prints the blocks that are needed."
            ));
        }
    }
}
