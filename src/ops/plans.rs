//! `tf-phi plan` of many root modules: one after the other, as if it had been started in each.
//!
//! In: directories, one request. Out: the worst status; what Terraform prints stays its own, under a heading for each. A root that can't
//! be planned doesn't keep the others from it. Absent on purpose: several at a time, since Terraform asks, locks and installs.

use super::roots::{self, Asked, Chosen};
use super::write::whole;
use super::{DONE, FAILED, Outcome, Start, plan};
use crate::report::roots::heading;
use crate::terraform::signals::is_asked_to_stop;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Runs the command.
///
/// # Errors
/// A directory that isn't there; those of [`plan::run`], where there is one directory.
pub fn run(start: &Start, asked: &Asked, request: &plan::Request) -> Outcome {
    let (dirs, args) = directories(start, request.command, &request.args);
    let request = &plan::Request { args, ..request.clone() };
    let vars = plan::read_words(request.command, &request.args).map(|(_, read)| plan::vars(&read));
    let asked = Asked { dirs, ..asked.clone() };
    match asked.chosen(start, &vars.unwrap_or_default())? {
        Chosen::One(dir) => plan::run(&roots::at(start, &dir), request),
        Chosen::Many(dirs) if dirs.is_empty() => {
            start.note(&asked.none());
            Ok(DONE)
        }
        Chosen::Many(dirs) => Ok(whole(|| Ok(each(start, &dirs, request)))?),
    }
}

/// The words that name directories, and the others: a plan takes no words but flags.
pub fn directories(start: &Start, command: &str, words: &[OsString]) -> (Vec<PathBuf>, Vec<OsString>) {
    let found = super::arguments::directories(start, command, words);
    let (mut dirs, mut others) = (Vec::new(), Vec::new());
    for (at, word) in words.iter().enumerate() {
        match found.contains(&at) {
            true => dirs.push(PathBuf::from(word)),
            false => others.push(word.clone()),
        }
    }
    (dirs, others)
}

fn each(start: &Start, dirs: &[PathBuf], request: &plan::Request) -> u8 {
    let is_json = request.args.iter().any(|word| word == "-json" || word == "--json");
    let mut ended: Vec<(&Path, u8)> = Vec::new();
    for dir in dirs {
        if is_asked_to_stop() {
            break;
        }
        titled(start, dir, is_json);
        let here = roots::at(start, dir);
        ended.push((dir, here.finish(plan::run(&here, request), request.format)));
    }
    if !request.dry_run {
        start.note(&counted(&ended, dirs.len()));
    }
    match ended.len() == dirs.len() {
        true => roots::worst(ended.iter().map(|(_, status)| *status)),
        false => FAILED,
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

fn counted(ended: &[(&Path, u8)], all: usize) -> String {
    let noun = if all == 1 { "directory" } else { "directories" };
    let good = ended.iter().filter(|(_, status)| matches!(*status, DONE | 2)).count();
    let bad = ended.iter().filter(|(_, status)| !matches!(*status, DONE | 2));
    let bad: Vec<String> = bad.map(|(dir, status)| format!("{} ({status})", heading(dir))).collect();
    let rest = all - ended.len();
    let open = if rest > 0 { format!(" Not begun: {rest}.") } else { String::new() };
    let failed = if bad.is_empty() { String::new() } else { format!(" Not planned: {}.", bad.join(", ")) };
    format!("{good} of {all} {noun} planned.{failed}{open}")
}
