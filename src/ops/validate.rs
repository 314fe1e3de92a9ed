//! `tf-phi validate`: every input under which Terraform would stop.

use super::options::{Colours, Findings, Vars};
use super::roots::{self, Asked};
use super::{Command, DONE, FAILED, FOUND, Outcome, Start, Stop};
use crate::config::variables::chosen_environments;
use crate::issue::{Code, Issue};
use crate::ops::read::inputs::{Failing, find_rejected};
use crate::ops::read::session::Session;
use crate::ops::run::as_recorded::{as_error, find_doubt};
use crate::report::issue::Format;
use crate::report::progress::Progress;
use crate::report::roots::{Form, Part, Piece, Shape};
use crate::report::{Group, issue, validate as report};
use crate::text::{Sources, one_line};
use crate::trace::failures::{Failure, Found};
use clap::Args;
use std::path::Path;

/// The arguments of `tf-phi validate`. The variables count in every environment, above its own.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit status: 0 where Terraform stops for no input, 3 where it stops for some, 1 where that can't be said: a tree \
                  that can't be read, an option that isn't there."
)]
pub struct Request {
    #[command(flatten)]
    vars: Vars,
    #[command(flatten)]
    roots: Asked,
    /// Look at this environment alone; may be repeated
    #[arg(long = "env", value_name = "NAME")]
    environments: Vec<String>,
    #[command(flatten)]
    findings: Findings,
    /// List what could not be decided
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    colours: Colours,
}

/// The findings in one working directory.
struct Made {
    session: Session,
    failing: Failing,
    /// Warnings.
    warnings: Vec<Issue>,
    /// True if something wasn't looked at: files for which a record says what stands for them, and what can't be read.
    is_doubtful: bool,
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let shape = match self.findings.format() {
            Format::Text => Shape::Text,
            Format::Json => Shape::Json,
            Format::Markdown => Shape::Markdown,
            format => Shape::Findings(format),
        };
        let form = Form { shape, doing: "looking for inputs", nothing: "No input makes Terraform stop" };
        let many = self.roots.is_many();
        let found = roots::reports(start, &self.roots, &self.vars.0, &form, |start, dir| {
            let made = made(start, self)?;
            let dir = if many { dir } else { &start.dir };
            Ok((made.part(start, dir, shape, many && self.verbose), made))
        })?;
        // Everything but the findings is for standard error.
        found.print(start, &self.roots, &form, |made| {
            if shape == Shape::Text {
                start.console.note(&report::summary(&made.report(start)));
                let open = made.failing.found.undecided.iter().chain(&made.failing.unseen);
                open.filter(|_| self.verbose)
                    .for_each(|field| start.console.note(&format!("not decided: {field}")));
            }
        })
    }
}

fn made(start: &Start, request: &Request) -> Result<Made, Box<Stop>> {
    let mut session = Session::open_partly(start)?;
    session.judge()?;
    let rejected = session.copied(find_rejected(&session));
    let unreadable = session.find_unreadable_sources(&rejected);
    if !unreadable.is_empty() {
        return Err(session.stop(unreadable));
    }
    // Terraform plans a Stack without a word on what it passes over.
    let passed_over = |i: &&Issue| {
        !i.is_error() && (i.code == Code::Outside || session.config.is_stack() && i.code == Code::Config)
    };
    let unread = session.config.unread.clone();
    let is_doubt = |issue: &&Issue| unread.iter().any(|own| own.summary == issue.summary);
    let passed_over = session.issues.iter().filter(passed_over).filter(|issue| !is_doubt(issue));
    let mut warnings: Vec<Issue> = passed_over.cloned().collect();
    warnings.extend(crate::ops::read::unlisted::given(&mut session, &request.vars.0));
    let doubt = find_doubt(start, &session).map(as_error);
    let named = match chosen_environments(&session.meant(), &request.environments) {
        Ok(named) => named.into_iter().cloned().collect(),
        Err(issue) => return Err(session.stop(vec![*issue])),
    };
    let progress = Progress::start(start.console, "looking for inputs");
    let failing = Failing::of(&mut session, &request.vars.0, named);
    drop(progress);
    let doubt = doubt.into_iter().chain(unread.into_iter().map(as_error));
    let doubt = doubt.chain(find_left_out(&failing.found).map(as_error));
    let doubts: Vec<Issue> = doubt.chain(failing.faults.iter().cloned()).collect();
    let is_doubtful = !doubts.is_empty();
    warnings.extend(doubts);
    Ok(Made { session, failing, warnings, is_doubtful })
}

/// The warning that there was too much to look at.
pub(super) fn find_left_out(found: &Found) -> Option<Issue> {
    let left_out = Some(found.left_out).filter(|left_out| *left_out > 0)?;
    let summary = format!("{left_out} of {} expressions are not looked at", found.checked);
    let why = "What may be spent on all expressions in all environments is used up. Values that name others several times over, which do so \
               again, cost most. Whether Terraform stops at what is left out isn't known.";
    let issue = Issue::warning(Code::TooLarge, summary, why);
    Some(issue.fix("See what is not decided:", "tf-phi validate -v"))
}

impl Made {
    fn report<'s>(&'s self, start: &'s Start) -> report::Report<'s> {
        self.failing.report(start, &self.session)
    }

    /// The report of one root module; `open` adds the expressions that couldn't be decided to a text.
    fn part(&self, start: &Start, dir: &Path, shape: Shape, open: bool) -> Part {
        let (shown, console) = (self.report(start), start.console);
        let report = match shape {
            Shape::Text => {
                let open = shown.found.undecided.iter().chain(shown.unseen).filter(|_| open);
                let open: String = open.map(|field| format!("not decided: {}\n", one_line(field))).collect();
                Piece::Text(format!("{}{open}", report::text(&shown, console.out)))
            }
            Shape::Json => Piece::Json(report::document(&shown).into()),
            Shape::Markdown => {
                let issues = report::issues(&shown);
                let group = Group { dir, issues: &issues, sources: shown.sources };
                Piece::Text(issue::rendered(Format::Markdown, &[group], console.out))
            }
            Shape::Csv | Shape::Findings(_) | Shape::Html => {
                let issues = report::issues(&shown);
                // What nothing points into isn't kept.
                let sources = if issues.is_empty() { Sources::default() } else { shown.sources.clone() };
                Piece::Findings(issues, sources)
            }
        };
        let aside = Form::warned(&self.warnings, shown.sources, console);
        let counts = |f: &Failure| self.session.strict || f.stops();
        let status = match shown.found.failures.iter().any(counts) {
            true => FOUND,
            false if self.is_doubtful => FAILED,
            false => DONE,
        };
        Part { status, aside, ..Part::of(dir, report) }
    }
}
