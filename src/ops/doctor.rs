//! `tf-phi doctor`: what there is to know of a root module before the first run, or where a run doesn't do what it should.
//!
//! In: a working directory. Out: which Terraform runs, what the sources are, which environments there are, what Terraform rejects, whether the
//! state can be read, what Git ignores. Invariant: nothing is changed, neither files nor state. Absent: judging the configuration.

use super::{Command, DONE, FAILED, Outcome, Start};
use crate::host::Machine;
use crate::issue::{Code, Issue};
use crate::ops::read::excluded;
use crate::ops::read::session::Session;
use crate::ops::run::decide::decide;
use crate::ops::run::initialised;
use crate::ops::run::terraformed;
use crate::ops::state::State;
use crate::report::doctor::{Examined, write_text};
use crate::specialise::record::{self, history};
use crate::specialise::{OVERRIDE, moves};
use crate::terraform::args::RunArgs;
use crate::terraform::git::{Excluded, Git};
use crate::terraform::said::leave_out_sources;
use crate::terraform::{Answer, Terraform, state_json};
use crate::trace::{Driven, Driver};
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Nobody who asks what is wrong waits longer for a state.
const PATIENCE: Duration = Duration::from_mins(1);

/// So many places are listed.
const MOST_PLACES: usize = 50;

/// The arguments of `tf-phi doctor`.
#[derive(Args, Clone, Debug)]
pub struct Request {}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let mut session = Session::open(start)?;
        let driven = session.driven(start);
        let unreadable = session.find_unreadable_sources(&session.copied(driven.clone()));
        session.extend(unreadable);
        let terraform = terraformed::find(start, &session);
        let all = vec![
            examine_terraform(&terraform),
            examine_sources(&session, &driven),
            examine_environments(&session),
            examine_rejected(&session, &driven),
            examine_state(&mut session, &driven, terraform.ok()),
            examine_git(&session),
        ];
        start.console.report(&write_text(&all, start.console.out));
        let is_well = all.iter().all(|one| one.advice.is_empty());
        Ok(if is_well { DONE } else { FAILED })
    }
}

/// One issue as a line, with the first of its fixes as advice.
fn advised(examined: Examined, issue: &Issue) -> Examined {
    let fix = issue.fixes.first().map(|fix| {
        let between = if fix.paste.contains('\n') { "\n" } else { " " };
        format!("{}{between}{}", fix.title, fix.paste).trim().to_owned()
    });
    examined.advised(fix.unwrap_or_else(|| issue.why.lines().next().unwrap_or_default().to_owned()))
}

fn examine_terraform(found: &Result<Terraform, Issue>) -> Examined {
    let what = "Terraform";
    let version = found.as_ref().map_err(Clone::clone).and_then(|t| t.version().cloned().map(|v| (t, v)));
    match version {
        Ok((terraform, version)) => Examined::new(what, format!("{version}, {}", terraform.path.display())),
        Err(issue) => advised(Examined::new(what, issue.summary.clone()), &issue),
    }
}

fn examine_sources(session: &Session, driven: &[Driven]) -> Examined {
    let what = "Sources";
    let blocking: Vec<&Issue> = session.issues.iter().filter(|issue| issue.is_error()).collect();
    if !blocking.is_empty() {
        let said = blocking.iter().map(|issue| issue.summary.clone());
        let found = Examined::new(what, "can't be specialised:").detailed(said);
        return found.advised("Run `tf-phi check`, which says where, why, and what to do.");
    }
    let standing = match (&session.record, session.phi.settings.keeps()) {
        (Some(_), _) => "are specialised, and stay so between runs",
        (None, _) if driven.is_empty() => "have nothing to specialise: every run is Terraform's own",
        (None, false) if !session.phi.settings.copies => {
            "are the original; each run puts its values in and takes them out again (`copies = false`)"
        }
        (None, false) => "are the original; each run puts them back (`keep = false`)",
        (None, _) => "are the original; the first run writes what is specialised",
    };
    if session.record.as_ref().is_some_and(|record| record.is_local) {
        let found = Examined::new(what, "are specialised, and `.phi/provenance.json` doesn't tell all of it");
        return found.advised("Run `tf-phi check --fix`, which writes the record anew, and commit it.");
    }
    let of = |driver| driven.iter().filter(|one| one.driver == driver).count();
    let counts = format!(
        "{} driven by `phi.hcl`, {} where Terraform takes no expression",
        counted(of(Driver::Pin), "field"),
        of(Driver::Static)
    );
    Examined::new(what, standing).detailed((!driven.is_empty()).then_some(counts))
}

fn examine_environments(session: &Session) -> Examined {
    let what = "Environments";
    let named: Vec<String> = session
        .named
        .iter()
        .filter(|one| !one.is_default)
        .map(|one| {
            let files: Vec<String> = one.files.iter().map(|file| file.display().to_string()).collect();
            let workspace =
                one.workspace.as_ref().map(|name| format!(", workspace {name}")).unwrap_or_default();
            let files = if files.is_empty() { "no file".to_owned() } else { files.join(", ") };
            format!("{}: {files}{workspace}", one.name)
        })
        .collect();
    match named.len() {
        // What blocks is said of the sources.
        0 if session.named.is_empty() && session.is_blocked() => {
            Examined::new(what, "weren't read, since the sources can't be")
        }
        0 => Examined::new(what, "none is named: `phi.hcl` and variable files name them"),
        count => Examined::new(what, counted(count, "environment")).detailed(named),
    }
}

fn examine_rejected(session: &Session, driven: &[Driven]) -> Examined {
    let what = "Rejected";
    let sources = &session.config.sources;
    // A module that is called on many paths holds each expression once.
    let mut fixed: BTreeMap<(String, u32, usize), (String, usize)> = BTreeMap::new();
    for one in driven.iter().filter(|one| one.driver == Driver::Static) {
        let place = one.site.attr.value_place();
        let file = sources.get(place.file);
        let start = place.span.start;
        let at = file.map(|f| (f.shown().display().to_string(), start, f.line_col(start).line));
        let known = fixed.entry(at.unwrap_or_default()).or_insert_with(|| (one.field.to_string(), 0));
        known.1 += 1;
    }
    if fixed.is_empty() && session.is_blocked() {
        return Examined::new(what, "wasn't looked for, since the sources can't be read");
    }
    if fixed.is_empty() {
        return Examined::new(what, "no expression stands where this Terraform takes none");
    }
    let all = format!(
        "{} where this Terraform takes none, so that `terraform` alone stops",
        counted(fixed.len(), "expression")
    );
    let more = fixed.len().saturating_sub(MOST_PLACES);
    let lines = fixed.into_iter().take(MOST_PLACES).map(|((file, _, line), (field, count))| match count {
        1 => format!("{file}:{line}: {field}"),
        _ => format!("{file}:{line}: {field}, and {} more by other calls", count - 1),
    });
    let rest = (more > 0).then(|| format!("… and {} more", counted(more, "place")));
    Examined::new(what, all).detailed(lines.chain(rest))
}

fn examine_state(session: &mut Session, driven: &[Driven], terraform: Option<Terraform>) -> Examined {
    let what = "State";
    let Some(terraform) = terraform else {
        return Examined::new(what, "wasn't asked for: there is no Terraform");
    };
    let terraform = terraform.within(PATIENCE);
    let read = RunArgs::default();
    let decided = match session.is_blocked() {
        true => None,
        false => decide(session, driven, &[]).ok(),
    };
    let session = &*session;
    let text = match &decided {
        Some(decided) => State::of(session, decided, driven, &read, &terraform).pull().map(<[u8]>::to_vec),
        None => terraform.state_pull(&session.host, &session.host.root).and_then(|answer| match answer {
            Answer::State(text) => Ok(text),
            Answer::Nothing => Ok(Vec::new()),
            Answer::Unreadable(said) => {
                Err(Issue::error(Code::Terraform, "can't be read, as things are", said)
                    .fix("Mend the sources first, then ask again.", ""))
            }
        }),
    };
    let held = text.and_then(|text| state_json::held(&text));
    let at = if initialised::names_backend(session) { "in its backend" } else { "here" };
    match held {
        Ok(held) if held.objects.is_empty() => Examined::new(what, format!("none, or an empty one, {at}")),
        Ok(held) => {
            let is_copy = |object: &&crate::addr::ObjectAddr| {
                session.history.readings(object).first().is_some_and(|own| own != *object)
            };
            let copies = held.objects.iter().filter(is_copy).count();
            let all = counted(held.objects.len(), "object");
            Examined::new(what, format!("can be read, {at}: {all}, {copies} under the name of a copy"))
        }
        Err(issue) => {
            // Its own excerpts show whatever stands in a line.
            let why = leave_out_sources(&issue.why);
            advised(Examined::new(what, issue.summary.clone()).detailed([why]), &issue)
        }
    }
}

/// What is to be committed, and what is lost where it isn't.
fn examine_git(session: &Session) -> Examined {
    let what = "Git";
    let host = &session.host;
    if !host.is_in_work_tree() {
        return Examined::new(what, "wasn't asked: this lies in no work tree");
    }
    let keeps = session.phi.settings.keeps();
    let files = [
        (history::FILE, "which copies state holds is told by it", true),
        (moves::FILE, "a plain plan needs it, so that copies come home", true),
        (record::FILE, "`restore` gives back by it what was replaced", keeps),
        (OVERRIDE, "copies that share a file differ in it", keeps),
    ];
    let to_come = files.iter().filter(|(_, _, counts)| *counts).map(|(path, ..)| PathBuf::from(path));
    let to_come: Vec<PathBuf> = to_come.collect();
    let found = Git::find(&Machine).and_then(|git| excluded::find_with(&git, host, &to_come));
    let found = match found {
        Ok(found) => found,
        Err(issue) => {
            return advised(Examined::new(what, format!("can't be asked: {}", issue.summary)), &issue);
        }
    };
    let lost = files.iter().filter_map(|(path, why, _)| {
        let is_it = |one: &&Excluded| one.file == host.root.join(path);
        found.iter().any(|one| is_it(&one)).then(|| format!("{path}: {why}"))
    });
    let issues = excluded::build_issues(host, &found);
    if issues.is_empty() {
        return Examined::new(what, "ignores nothing that has to be committed");
    }
    let whys = issues.iter().flat_map(|issue| issue.why.lines().map(str::to_owned));
    let examined = Examined::new(what, "ignores what has to be committed:").detailed(lost.chain(whys));
    issues.iter().fold(examined, advised)
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
