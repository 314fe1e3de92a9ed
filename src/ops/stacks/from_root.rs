//! `tf-phi stacks from-root`: proposes a Stack for a root module with environments.
//!
//! In: a root module. Out: the files of a Stack, printed or written to a new folder. Invariant: no file is overwritten, and nothing
//! is written through a symbolic link. Absent on purpose: the contents of the files.

use crate::config::variables::of_environment;
use crate::config::{View, paths};
use crate::issue::{Code, Issue};
use crate::matrix::assigned;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::enter::enter;
use crate::ops::run::fresh::free;
use crate::ops::run::write;
use crate::ops::{Command, DONE, Outcome, Start, Stop};
use crate::report::Reader;
use crate::report::issue::Format;
use crate::stacks::{Environment, Proposal, propose};
use crate::text::one_line;
use crate::txn::ChangeSet;
use crate::value::Value;
use clap::{Args, Subcommand};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder that paths refer to if the files are only printed.
const FOLDER: &str = "stack";

/// The arguments of `tf-phi stacks`.
#[derive(Args, Clone, Debug)]
#[command(disable_help_subcommand = true)]
pub struct Request {
    #[command(subcommand)]
    what: What,
}

/// What is done.
#[derive(Subcommand, Clone, Debug)]
enum What {
    /// Print a Stack whose deployments plan what a root module plans in its environments
    FromRoot {
        /// The root module; without it the working directory
        #[arg(value_name = "DIR")]
        dir: Option<PathBuf>,
        /// Write the files to a new folder below the root module
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let What::FromRoot { dir, out: folder } = &self.what;
        let start = &match dir {
            Some(dir) => Start { dir: start.dir.join(dir), seen: dir.clone(), ..start.clone() },
            None => start.clone(),
        };
        let mut session = Session::open_partly(start)?;
        if session.config.is_stack() {
            let issue = Issue::error(
                Code::Unsupported,
                "This is a Stack already",
                "It has files that end in .tfcomponent.hcl.",
            );
            return Err(issue.fix("See what its deployments are:", "tf-phi matrix").into());
        }
        let environments = environments(&mut session)?;
        let (session, warnings) = session.cleared()?;
        let out = paths::clean(folder.as_deref().unwrap_or(Path::new(FOLDER)));
        let root = RootedHost::new(&start.dir)?.root;
        if folder.is_some() {
            free(&root, &out, "The folder of the Stack lies below the root module.")?;
        }
        let proposal = propose(&session, &environments, out.components().count())
            .map_err(|issues| session.stopped(issues))?;
        let said: Vec<Issue> = warnings.into_iter().chain(proposal.notes.iter().cloned()).collect();
        session.print(start, Format::Text, &said);
        match folder {
            None => drop(start.console.hand_on(Reader::People, &text(&proposal, &out))),
            Some(_) => {
                let _held = enter(&root)??;
                let mut set = ChangeSet::new(root);
                proposal
                    .files
                    .iter()
                    .for_each(|(path, text)| set.write(out.join(path), text.as_bytes(), None));
                write::commit(&set, start.console)?;
                start.console.report(&moves(&proposal));
                let count = proposal.files.len();
                start.note(&format!("{count} files written to {}.", start.seen.join(&out).display()));
            }
        }
        Ok(DONE)
    }
}

/// Returns the environments with their values.
fn environments(session: &mut Session) -> Result<Vec<Environment>, Box<Stop>> {
    session.judge()?;
    let named = session.named.clone();
    let found = assigned(session, &named, "default").map_err(|issues| session.stopped(issues))?;
    let mut out = Vec::new();
    for (env, assigned) in named.iter().zip(found) {
        if assigned.refused.iter().any(Issue::is_error) {
            return Err(session.stopped(assigned.refused));
        }
        let view = View { host: &session.host, overlay: &session.overlay };
        let (values, _) = of_environment(view, &mut session.config, env);
        let value = |v: &crate::config::variables::VarValue| v.given.value().ok();
        let given: BTreeMap<Arc<str>, Value> =
            values.iter().filter_map(|(name, own)| Some((name.clone(), value(own)?))).collect();
        let workspace = env.workspace.clone().unwrap_or_else(|| "default".to_owned());
        out.push(Environment { assigned, given, workspace });
    }
    Ok(out)
}

/// Returns the text of all files, each below its path in a comment.
fn text(proposal: &Proposal, out: &Path) -> String {
    let mut text = String::new();
    for (path, own) in &proposal.files {
        text.push_str(&format!("# {}\n\n{own}\n", one_line(&out.join(path).display().to_string())));
    }
    for line in moves(proposal).lines() {
        text.push_str(&format!("# {line}\n"));
    }
    text
}

/// Returns the lines that show the address in the Stack of each object of the root module.
fn moves(proposal: &Proposal) -> String {
    if proposal.moves.is_empty() {
        return String::new();
    }
    let width = proposal.moves.iter().map(|(from, _)| from.len()).max().unwrap_or_default();
    let lines: String = proposal.moves.iter().map(|(from, to)| format!("  {from:width$} → {to}\n")).collect();
    format!("Objects in state, for HCP's migration:\n{lines}")
}
