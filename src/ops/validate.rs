//! `tf-phi validate`: every input under which Terraform would stop.

use super::inputs::inputs;
use super::session::Session;
use super::{DONE, FAILED, Outcome, Start};
use crate::config::variables::VarArg;
use crate::host::threads;
use crate::report::issue::Format;
use crate::report::progress::Progress;
use crate::report::{Group, issue, validate as report};
use crate::trace::failures::{Failure, failures};

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// How it is printed.
    pub format: Format,
    /// `-var` and `-var-file`, in order: in every environment, above its own.
    pub vars: Vec<VarArg>,
    /// The environments that are looked at; none for all.
    pub environments: Vec<String>,
    /// Whether what couldn't be decided is listed.
    pub verbose: bool,
}

/// Runs the command.
///
/// # Errors
/// Blocking issues of the configuration, an environment that nothing names.
pub fn run(start: &Start, request: &Request) -> Outcome {
    let mut session = Session::open_partly(start)?;
    if session.is_blocked() {
        return Err(session.stop());
    }
    session.ask();
    let (inputs, given) = match inputs(&mut session, &request.vars, &request.environments) {
        Ok(found) => found,
        Err(issue) => {
            session.extend(vec![issue]);
            return Err(session.stop());
        }
    };
    let progress = Progress::start(start.console, "looking for inputs");
    let found = threads::inside(|| failures(&session.config, session.limits(), &inputs, session.outside()));
    drop(progress);
    let environments = inputs.environments.len();
    let shown =
        report::Report { found: &found, sources: &session.config.sources, given: &given, environments };
    let console = start.console;
    match request.format {
        Format::Text => {
            console.report(&report::text(&shown, console.out));
            console.note(&report::summary(&shown));
            if request.verbose {
                found.undecided.iter().for_each(|field| console.note(&format!("not decided: {field}")));
            }
        }
        Format::Json => {
            console.print(request.format.reader(), &report::json(&shown));
        }
        format => {
            let issues = report::issues(&shown);
            let group = Group { dir: &start.dir, issues: &issues, sources: &session.config.sources };
            console.print(format.reader(), &issue::rendered(format, &[group], console.out));
        }
    }
    let stops = found.failures.iter().any(Failure::stops);
    std::mem::forget((session, found));
    Ok(if stops { FAILED } else { DONE })
}
