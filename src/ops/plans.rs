//! `tf-phi plan` of many root modules, as if it had been started in each.
//!
//! In: directories, one request. Out: the worst status; what Terraform prints stays its own, under a heading for each, in the order of the
//! directories however many are planned at a time. A root that can't be planned doesn't keep the others from it. Several at a time
//! only where that is asked for: Terraform can ask for input only where it has the terminal to itself. Those of which one reads what is
//! written for the other still follow one another, and one installs at a time.

use super::arguments::directories;
use super::options::positive;
use super::roots::{self, Asked, Chosen, Purpose, Selection};
use super::{Command, DONE, FAILED, Outcome, Start, plan};
use crate::host::threads;
use crate::issue::Issue;
use crate::ops::run::terraformed;
use crate::ops::run::write::whole;
use crate::report::Console;
use crate::report::pane::Pane;
use crate::report::progress::Progress;
use crate::report::roots::heading;
use crate::terraform::signals::is_asked_to_stop;
use crate::text::KeptBack;
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The arguments of `tf-phi plan`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("arguments", |arg| arg.value_name("DIR|TERRAFORM'S ARGUMENTS").help(
    "Directories of root modules. Everything else is Terraform's own and reaches it unchanged"
)))]
pub struct Arguments {
    #[command(flatten)]
    request: plan::Request,
    #[command(flatten)]
    selection: Selection,
    /// How many root modules are planned at a time, without input; else one after the other
    #[arg(long, value_name = "N", value_parser = positive())]
    jobs: Option<usize>,
}

impl Command for Arguments {
    fn run(&self, start: &Start) -> Outcome {
        let (dirs, args) = directories(start, "plan", &self.request.args);
        let request = &plan::Request { command: "plan", args, ..self.request.clone() };
        let vars = terraformed::read_words("plan", &request.args).map(|(_, read)| read.vars);
        let asked = Asked {
            dirs,
            selection: self.selection.clone(),
            files: false,
            jobs: self.jobs,
            purpose: Purpose::Write,
        };
        match asked.chosen(start, &vars.unwrap_or_default())? {
            Chosen::One(dir) => request.run(&roots::at(start, &dir)),
            Chosen::Many(dirs) if dirs.is_empty() => {
                start.note(&asked.none());
                Ok(DONE)
            }
            Chosen::Many(dirs) => Ok(whole(|| each(start, &dirs, request, asked.jobs.unwrap_or(1)))?),
        }
    }
}

/// Plans each, `jobs` of them at a time: what is printed of one is then kept until its turn comes, and nobody is asked for input.
fn each(start: &Start, dirs: &[PathBuf], request: &plan::Request, jobs: usize) -> Result<u8, Issue> {
    let is_json = request.args.iter().any(|word| word == "-json" || word == "--json");
    let apart = jobs.min(dirs.len()) > 1;
    let groups = if apart { roots::groups(start, dirs)? } else { vec![(0..dirs.len()).collect()] };
    let turns = Turns::new(start.console);
    let progress = apart.then(|| Progress::counted_to_the_end(start.console, "planning", dirs.len()));
    let one = |at: usize| {
        let dir = dirs.get(at).filter(|_| !is_asked_to_stop())?;
        let pane = apart.then(Pane::new);
        let kept_back = if apart { KeptBack::new() } else { start.console.kept_back };
        let console = Console { pane, kept_back, watched: start.console.watched && !apart, ..start.console };
        let start = &Start { console, roots_of_run: dirs.len(), ..start.clone() };
        titled(start, dir, is_json);
        let here = roots::at(start, dir);
        let status = here.finish(request.run(&here), request.issues.format());
        if let (Some(pane), Some(progress)) = (pane, &progress) {
            progress.aside(|| turns.over(at, pane));
            progress.step();
        }
        Some((at, status))
    };
    let all = |group: &Vec<usize>| group.iter().filter_map(|at| one(*at)).collect::<Vec<_>>();
    let mut ended: Vec<(usize, u8)> =
        threads::map_waiting(&groups, jobs, all).into_iter().flatten().collect();
    drop(progress);
    turns.rest();
    ended.sort_unstable();
    if !request.dry_run {
        start.note(&counted(&ended, dirs));
    }
    Ok(match ended.len() == dirs.len() {
        true => roots::worst(ended.iter().map(|(_, status)| *status)),
        false => FAILED,
    })
}

/// Prints results in order, whatever order they come in.
struct Turns {
    console: Console,
    state: Mutex<(usize, BTreeMap<usize, &'static Pane>)>,
}

impl Turns {
    fn new(console: Console) -> Turns {
        Turns { console, state: Mutex::default() }
    }

    /// One is done: it is printed with all that wait for it, once those before it are.
    fn over(&self, at: usize, pane: &'static Pane) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, waiting) = &mut *state;
        waiting.insert(at, pane);
        while let Some(pane) = waiting.remove(next) {
            self.console.show(pane);
            *next += 1;
        }
    }

    /// Prints those before which others were not begun.
    fn rest(self) {
        let (_, waiting) = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        waiting.values().for_each(|pane| self.console.show(pane));
    }
}

/// Says whose plan follows, on each stream that isn't the other's: lines of JSON take no heading.
fn titled(start: &Start, dir: &Path, is_json: bool) {
    let console = start.console;
    let together = console.read || console.logged;
    if !is_json {
        console.report(&format!("{}\n", console.out.strong(&format!("── {}", heading(dir)))));
    }
    if is_json || !together {
        start.note(&format!("{}:", heading(dir)));
    }
}

fn counted(ended: &[(usize, u8)], dirs: &[PathBuf]) -> String {
    let all = dirs.len();
    let noun = if all == 1 { "directory" } else { "directories" };
    let (good, bad): (Vec<_>, Vec<_>) = ended.iter().partition(|(_, status)| matches!(*status, DONE | 2));
    let failed =
        bad.iter().filter_map(|(at, status)| Some(format!("{} ({status})", heading(dirs.get(*at)?))));
    let failed: Vec<String> = failed.collect();
    let failed =
        if failed.is_empty() { String::new() } else { format!(" Not planned: {}.", failed.join(", ")) };
    let rest = all - ended.len();
    let open = if rest > 0 { format!(" Not begun: {rest}.") } else { String::new() };
    format!("{} of {all} {noun} planned.{failed}{open}", good.len())
}
