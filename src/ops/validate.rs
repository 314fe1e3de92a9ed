//! `tf-phi validate`: every input under which Terraform would stop.

use super::options::{Colours, Findings, Vars};
use super::roots::{self, Asked, Chosen};
use super::{Command, DONE, FAILED, Outcome, Start, Stop};
use crate::host::threads;
use crate::issue::{Code, Issue};
use crate::ops::read::inputs::{ByEnvironment, inputs};
use crate::ops::read::session::Session;
use crate::report::issue::Format;
use crate::report::progress::Progress;
use crate::report::roots::{Form, Part, Piece, Shape, print_one};
use crate::report::{Group, issue, validate as report};
use crate::text::{Sources, one_line};
use crate::trace::failures::{Failure, Found, failures};
use clap::Args;
use std::path::Path;

/// The arguments of `tf-phi validate`. The variables count in every environment, above its own.
#[derive(Args, Clone, Debug)]
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
    given: ByEnvironment,
    environments: usize,
    found: Found,
    /// Warnings.
    warnings: Vec<Issue>,
}

impl Made {
    fn report<'s>(&'s self, start: &'s Start) -> report::Report<'s> {
        report::Report {
            found: &self.found,
            sources: &self.session.config.sources,
            given: &self.given,
            environments: self.environments,
            in_stack: self.session.config.is_stack(),
            chdir: start.chdir.as_deref(),
        }
    }

    fn status(&self) -> u8 {
        let counts = |f: &Failure| self.session.strict || f.stops();
        if self.found.failures.iter().any(counts) { FAILED } else { DONE }
    }
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
        match self.roots.chosen(start, &self.vars.0)? {
            Chosen::One(dir) => one(&roots::at(start, &dir), self, &form),
            Chosen::Many(dirs) => roots::printed(start, &self.roots, &dirs, &form, |start, dir| {
                Ok(made(start, self)?.part(start, dir, shape, self.verbose))
            }),
        }
    }
}

fn made(start: &Start, request: &Request) -> Result<Made, Box<Stop>> {
    let mut session = Session::open_partly(start)?;
    session.judge()?;
    session.ask();
    // Terraform plans a Stack without a word on what it passes over.
    let passed_over = |i: &&Issue| session.config.is_stack() && i.code == Code::Config && !i.is_error();
    let mut warnings: Vec<Issue> = session.issues.iter().filter(passed_over).cloned().collect();
    warnings.extend(crate::ops::read::unlisted::given(&mut session, &request.vars.0));
    let found = inputs(&mut session, &request.vars.0, &request.environments);
    let (inputs, given) = found.map_err(|issue| session.stop(vec![issue]))?;
    let progress = Progress::start(start.console, "looking for inputs");
    let found = threads::inside(|| failures(&session.config, session.limits(), &inputs, session.outside()));
    drop(progress);
    Ok(Made { session, given, environments: inputs.environments.len(), found, warnings })
}

/// The only one. Everything but the findings is for standard error.
fn one(start: &Start, request: &Request, form: &Form) -> Outcome {
    let made = made(start, request)?;
    let (console, part) = (start.console, made.part(start, &start.dir, form.shape, false));
    print_one(console, form, &part);
    if form.shape == Shape::Text {
        console.note(&report::summary(&made.report(start)));
        let open = made.found.undecided.iter().filter(|_| request.verbose);
        open.for_each(|field| console.note(&format!("not decided: {field}")));
    }
    // The process ends: taking a large configuration apart would only take time.
    std::mem::forget(made);
    Ok(part.status)
}

impl Made {
    /// The report of one root module; `open` adds the expressions that couldn't be decided to a text.
    fn part(&self, start: &Start, dir: &Path, shape: Shape, open: bool) -> Part {
        let (shown, console) = (self.report(start), start.console);
        let report = match shape {
            Shape::Text => {
                let open = self.found.undecided.iter().filter(|_| open);
                let open: String = open.map(|field| format!("not decided: {}\n", one_line(field))).collect();
                Piece::Text(format!("{}{open}", report::text(&shown, console.out)))
            }
            Shape::Json => Piece::Json(report::document(&shown)),
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
        Part { status: self.status(), aside, ..Part::of(dir, report) }
    }
}
