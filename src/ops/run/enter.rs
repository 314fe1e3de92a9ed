//! Before a command writes: the lock, and what an interrupted run left behind.

use crate::host::{self, EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::ops::read::rooted_host::confined;
use crate::ops::read::unfinished::unfinished;
use crate::ops::run::ephemeral;
use crate::ops::run::write::whole;
use crate::ops::{Start, Stop};
use crate::report::Console;
use crate::terraform::flags::parse_duration;
use crate::txn::{Lock, PHI_DIR, recover};
use std::path::Path;

/// Takes the lock and settles what an interrupted run left. In a tree that can't be written, and in which nothing of
/// ours stands, the fault is given back for when something has to be written.
///
/// # Errors
/// Another run in the same directory; what can't be settled.
pub fn enter(root: &Path) -> Result<Result<Lock, Issue>, Box<Stop>> {
    enter_within(root, &Wait::NONE)
}

/// How long to wait for another run in the same directory.
pub struct Wait<'a> {
    /// `-lock-timeout`, which is Terraform's: who waits for a state waits for the run that has it.
    timeout: Option<&'a str>,
    console: Option<Console>,
}

impl<'a> Wait<'a> {
    /// Not at all, and nothing is said.
    pub const NONE: Wait<'static> = Wait { timeout: None, console: None };

    /// As long as `-lock-timeout` says.
    pub fn new(start: &Start, timeout: Option<&'a str>) -> Wait<'a> {
        Wait { timeout, console: Some(start.console) }
    }

    fn tell(&self, owner: &str) {
        if let (Some(console), Some(timeout)) = (self.console, self.timeout) {
            console.note(&format!(
                "waiting for {owner}, which works in this directory (-lock-timeout={timeout})."
            ));
        }
    }
}

/// The same, and waits for another run.
///
/// # Errors
/// As [`enter`].
pub fn enter_within(root: &Path, wait: &Wait) -> Result<Result<Lock, Issue>, Box<Stop>> {
    let has_own = Machine.kind(&root.join(PHI_DIR)) == Some(EntryKind::Dir);
    match acquire(root, wait) {
        Ok(lock) => {
            let lost = whole(|| {
                recover(&confined(root)?, root)?;
                ephemeral::put_back(root)
            })?;
            if let Some(console) = wait.console {
                ephemeral::tell_lost(console, &lost);
            }
            Ok(Ok(lock))
        }
        Err(issue) if has_own || issue.code == Code::Locked => Err(issue.into()),
        Err(issue) => Ok(Err(issue)),
    }
}

/// The same before a run that may be dry: that takes no lock and settles nothing, and what an interrupted run left, it finds when it reads.
///
/// # Errors
/// As [`enter`].
pub fn enter_unless(is_dry: bool, root: &Path) -> Result<Result<Option<Lock>, Issue>, Box<Stop>> {
    enter_unless_within(is_dry, root, &Wait::NONE)
}

/// The same, and waits for another run.
///
/// # Errors
/// As [`enter`].
pub fn enter_unless_within(
    is_dry: bool,
    root: &Path,
    wait: &Wait,
) -> Result<Result<Option<Lock>, Issue>, Box<Stop>> {
    if is_dry { Ok(Ok(None)) } else { Ok(enter_within(root, wait)?.map(Some)) }
}

/// Settles what a killed run left, where no run is at work. What can't be settled is left to those who write.
pub fn settle(root: &Path) {
    if unfinished(root).is_some() && !Lock::is_held(root) {
        drop(enter(root));
    }
}

fn acquire(root: &Path, wait: &Wait) -> Result<Lock, Issue> {
    if let Err(e) = host::writable(root) {
        let shown = root.display().to_string();
        let why = format!("The directory can't be written: {e}. No file was changed.");
        let issue = Issue::error(Code::Io, format!("can't write in {shown}"), why).in_path(shown);
        return Err(issue.fix("Make it writable for the user who runs tf-phi, or work in a copy.", ""));
    }
    let most = wait.timeout.and_then(parse_duration).unwrap_or_default();
    Lock::acquire_within(root, most, &|owner| wait.tell(owner))
}
