//! `tf-phi plan` and `tf-phi apply`: specialise, then Terraform.

use super::session::Session;
use super::{DONE, Outcome, Start};
use crate::config::Overlay;
use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::report::issue::Format;
use crate::report::progress::Progress;
use crate::terraform::args::RunArgs;
use crate::terraform::{Terraform, locate};
use crate::trace::{issue_of, trace_driven};
use crate::txn::{Lock, PHI_DIR, recover};
use std::ffi::OsString;
use std::path::Path;

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// `plan` or `apply`.
    pub command: &'static str,
    /// Terraform's own arguments, in order.
    pub args: Vec<OsString>,
    /// Only show what would be written.
    pub dry_run: bool,
    /// How issues are printed.
    pub format: Format,
}

/// Runs the command.
///
/// # Errors
/// Blocking issues; then nothing was written and Terraform was not started.
pub fn run(start: &Start, request: &Request) -> Outcome {
    let read = read_args(request);
    let plain = read.as_ref().is_ok_and(|r| r.no_color);
    let start = &Start { console: start.console.plain_if(plain), ..start.clone() };
    let root = super::rooted::Rooted::new(&start.dir)?.root;
    // A saved plan carries its own configuration.
    if request.command == "apply" && read.as_ref().is_ok_and(|r| !r.positional.is_empty()) {
        return bare(start, request, None);
    }
    let has_records = Machine.kind(&root.join(PHI_DIR)) == Some(EntryKind::Dir);
    let lock = lock(&root);
    match &lock {
        Ok(_) => drop(recover(&Machine, &root)?),
        Err(issue) if has_records || issue.code == Code::Locked => return Err(issue.clone().into()),
        // In a tree that can't be written there is nothing to recover, and perhaps nothing to write.
        Err(_) => {}
    }
    let progress = Progress::start(start.console, "tracing");
    let mut session = Session::open(&start.dir, Overlay::new())?;
    let driven = session.driven();
    if driven.is_empty() && !has_records && (session.phi.source.is_none() || !session.is_blocked()) {
        drop((progress, lock));
        return nothing_to_do(start, request, session);
    }
    read?;
    let universes = session.universes();
    if session.is_blocked() {
        return Err(session.stop());
    }
    let (_, traces, _) =
        trace_driven(&session.config, session.limits(), &universes, session.outside(), &driven);
    let issues = traces.iter().filter_map(issue_of).collect();
    session.extend(issues);
    drop(progress);
    if session.is_blocked() {
        return Err(session.stop());
    }
    let lock = lock?;
    let terraform = find(start, &session, &root)?;
    drop(lock);
    terraformed(start, request, &terraform)
}

fn read_args(request: &Request) -> Result<RunArgs, Issue> {
    let words: Vec<String> = request
        .args
        .iter()
        .map(|a| {
            let text = a.to_str().map(str::to_owned);
            text.ok_or_else(|| {
                Issue::error(Code::Config, "an argument is not valid UTF-8", a.to_string_lossy())
            })
        })
        .collect::<Result<_, _>>()?;
    RunArgs::read(&Machine, request.command, &words)
}

fn lock(root: &Path) -> Result<Lock, Issue> {
    use crate::host::WriteHost as _;
    if let Err(e) = Machine.writable(root) {
        let shown = root.display().to_string();
        let why = format!("The directory can't be written: {e}. No file was changed.");
        let issue = Issue::error(Code::Io, format!("can't write in {shown}"), why).in_path(shown);
        return Err(issue.fix("Make it writable for the user who runs tf-phi, or work in a copy.", ""));
    }
    Lock::acquire(root)
}

/// No driven field: Terraform as if it had been called itself, whatever it may have to say of the configuration.
fn nothing_to_do(start: &Start, request: &Request, session: Session) -> Outcome {
    let why = match session.phi.source {
        None => "there is no phi.hcl, and no meta-argument is an expression",
        Some(_) => "no field that phi.hcl names is set, and no meta-argument is an expression",
    };
    if request.dry_run {
        start.console.note(&format!("nothing to specialise: {why}."));
        return Ok(DONE);
    }
    start
        .console
        .note(&format!("nothing to specialise: {why}. Running terraform {} as it is.", request.command));
    bare(start, request, Some(&session))
}

fn bare(start: &Start, request: &Request, session: Option<&Session>) -> Outcome {
    let terraform = match session {
        Some(session) => find(start, session, &session.host.root)?,
        None => {
            let session = Session::open(&start.dir, Overlay::new())?;
            find(start, &session, &session.host.root)?
        }
    };
    terraformed(start, request, &terraform)
}

fn find(start: &Start, session: &Session, root: &Path) -> Result<Terraform, Issue> {
    let setting = session.phi.settings.terraform.as_deref().map(|t| (t, root));
    locate(&Machine, start.terraform.as_deref(), setting)
}

/// Starts Terraform as the user would have: with their `-chdir`, command and arguments. Its exit status is ours.
fn terraformed(start: &Start, request: &Request, terraform: &Terraform) -> Outcome {
    let mut args: Vec<OsString> = Vec::new();
    if let Some(dir) = &start.chdir {
        let mut word = OsString::from("-chdir=");
        word.push(dir);
        args.push(word);
    }
    args.push(request.command.into());
    args.extend(request.args.iter().cloned());
    let exit = terraform.run(Path::new("."), &args)?;
    Ok(u8::try_from(exit.code).unwrap_or(super::FAILED))
}
