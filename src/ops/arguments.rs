//! The judging of Terraform's arguments, before anything is written.
//!
//! In: the words of a command line that Terraform gets, and those that the environment adds. Out: nothing, or an issue for
//! each word that neither tf-phi nor the Terraform in use knows. Invariants: no lock is taken and no file written; a process
//! is started only where the answer depends on the version. Terraform would refuse the same words, but only after the tree
//! was written. Absent: what flags mean together, addresses, and files that flags name.

mod fault;
mod known;
mod line;
mod passed;
mod positional;

pub use passed::Passed;

mod said;
mod scan;
mod unknown;

use super::{Start, Stop};
use crate::host::{Host as _, Machine};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::terraformed::find_by_setting;
use crate::terraform::{Terraform, Version, args, flags};
use crate::txn::PHI_DIR;
use fault::Fault;
use line::Line;
use positional::is_directory;
use scan::Scan;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The words of a plan that name directories, and the others: a plan takes no words but flags.
pub(super) fn directories(start: &Start, command: &str, words: &[OsString]) -> (Vec<PathBuf>, Vec<OsString>) {
    let (mut dirs, mut others) = (Vec::new(), Vec::new());
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.to_string_lossy();
        match text.strip_prefix('-') {
            None if command == "plan" && is_directory(start, &text) => {
                dirs.push(PathBuf::from(word));
                continue;
            }
            Some("-") => {
                others.push(word.clone());
                break;
            }
            _ => others.push(word.clone()),
        }
        if let Some(flag) = text.strip_prefix('-')
            && args::takes_value(flag.trim_start_matches('-'))
        {
            others.extend(rest.next().cloned());
        }
    }
    others.extend(rest.cloned());
    (dirs, others)
}

/// Judges the words.
///
/// # Errors
/// An issue for each that nobody knows.
pub fn judge(start: &Start, passed: Passed<'_>) -> Result<(), Box<Stop>> {
    let (dirs, _) = directories(start, passed.command, passed.words);
    let root = match dirs.as_slice() {
        [only] => Some(super::roots::at(start, only)),
        _ => None,
    };
    let many = passed.many || dirs.len() > 1;
    let root = root.as_ref().unwrap_or(start);
    let idle = || passed.command != "verify" && !many && is_left_to_terraform(root);
    let environment = match args::words_of_environment(&Machine, passed.terraforms()) {
        Err(issue) if !idle() => return Err(issue.into()),
        words => words.unwrap_or_default(),
    };
    let line = Line::new(environment, passed.words);
    let scan = |version| Scan { passed, line: &line, start, version }.faults();
    let mut faults = scan(None);
    let suspect = !faults.is_empty();
    if suspect && idle() {
        faults.retain(|f| f.ours);
        return refusal(&passed, &line, &faults);
    }
    let depends = faults.iter().any(Fault::is_unknown) || line.depends_on_version(passed.terraforms());
    // A misspelt option of ours is one in every version, and a dry run starts nothing.
    if depends
        && faults.iter().all(|f| !f.ours)
        && !passed.dry_run()
        && let Some((terraform, version)) = in_use(start)
    {
        faults = scan(Some(&version));
        if flags::is_newer(&version) {
            let help = help(&terraform, passed.terraforms());
            faults.retain(|f| !f.may_be_new(&help));
        }
        // Reading the tree costs more than the version, and most lines are right.
        if !suspect && !faults.is_empty() && idle() {
            faults.retain(|f| f.ours);
        }
    }
    refusal(&passed, &line, &faults)
}

fn refusal(passed: &Passed<'_>, line: &Line, faults: &[Fault]) -> Result<(), Box<Stop>> {
    match faults.is_empty() {
        true => Ok(()),
        false => Err(said::issues(passed, line, faults).into()),
    }
}

/// Returns true if Terraform gets the words whatever they are, since there is nothing to specialise.
fn is_left_to_terraform(start: &Start) -> bool {
    // Where something of ours stands, reading it may have to finish what a killed run began.
    let ours = |root: &RootedHost| Machine.kind(&root.root.join(PHI_DIR)).is_some();
    if RootedHost::new(&start.dir).is_ok_and(|root| ours(&root)) {
        return false;
    }
    let Ok(mut session) = Session::open(start) else { return false };
    let driven = session.driven(start);
    session.is_terraforms(&driven)
}

/// The Terraform that would run, and its version; `None` where that can't be told.
fn in_use(start: &Start) -> Option<(Terraform, Version)> {
    let host = RootedHost::new(&start.dir).ok()?;
    let terraform = find_by_setting(start, &host).ok()?;
    let version = terraform.version().ok()?.clone();
    Some((terraform, version))
}

/// Returns the help for a command from a Terraform that is newer than the table of flags.
fn help(terraform: &Terraform, command: &str) -> String {
    let words = [OsString::from(command), OsString::from("-help")];
    let said = terraform.ask(Path::new("."), &words);
    said.map(|s| s.shown()).unwrap_or_default()
}
