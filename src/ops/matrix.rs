//! `tf-phi matrix`: what fields are in every environment.

use super::options::{Colours, one_of, positive};
use super::roots::{self, Asked, Purpose, Selection};
use super::{Command, Outcome, Start, Stop};
use crate::addr::{ModulePath, ResourceAddr, Target};
use crate::config::variables::{Named, chosen_environments};
use crate::issue::{Code, Issue, Severity};
use crate::matrix::{self, Assigned, Matrix};
use crate::ops::read::session::Session;
use crate::ops::run::as_recorded::find_doubt;
use crate::pipeline::fields::{self, Field};
use crate::report::matrix as report;
use crate::report::roots::{Form as Many, Part, Piece, Shape};
use clap::Args;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The forms of the report.
const FORMS: [(&str, Shape); 5] = [
    ("text", Shape::Text),
    ("json", Shape::Json),
    ("csv", Shape::Csv),
    ("markdown", Shape::Markdown),
    ("html", Shape::Html),
];

/// The arguments of `tf-phi matrix`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Terraform isn't started and no credentials are asked for.")]
pub struct Request {
    /// Directories of root modules; fields, or all fields of a declaration: none shows the driven fields and what differs
    #[arg(value_name = "DIR|ADDRESS[.FIELD]", num_args(0..))]
    words: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    /// How many to look at at a time [default: as many as there are processors and memory for]
    #[arg(long, value_name = "N", value_parser = positive())]
    jobs: Option<usize>,
    /// Show every argument, whether it differs or not
    #[arg(long)]
    all: bool,
    /// Only this environment; may be repeated
    #[arg(long = "env", value_name = "NAME")]
    environments: Vec<String>,
    /// How it is printed
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&FORMS), conflicts_with = "json")]
    format: Option<Shape>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    colours: Colours,
}

impl Request {
    fn shape(&self) -> Shape {
        if self.json { Shape::Json } else { self.format.unwrap_or(Shape::Text) }
    }
}

/// Returns true if a word names a directory: an address has a dot, and a slash at most in a key.
fn is_directory(word: &str) -> bool {
    let name = word.split('[').next().unwrap_or(word);
    name.contains('/') || !name.trim_matches('.').contains('.')
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let (dirs, addresses): (Vec<String>, Vec<String>) =
            self.words.iter().cloned().partition(|word| is_directory(word));
        if self.all && !addresses.is_empty() {
            let why = "`--all` shows every argument, so there is nothing to choose.";
            let issue = Issue::error(Code::Config, "an address stands beside --all", why);
            return Err(issue.fix("Leave out one of the two.", "").into());
        }
        let nothing = match addresses.is_empty() {
            true => "Nothing differs between environments",
            false => "There is no such field",
        };
        let form = Many { shape: self.shape(), doing: "tracing", nothing };
        let dirs = dirs.into_iter().map(PathBuf::from).collect();
        let asked = Asked {
            dirs,
            selection: self.selection.clone(),
            files: false,
            jobs: self.jobs,
            purpose: Purpose::Read,
        };
        let named = Addresses { asked: addresses, found: Mutex::default() };
        let made = roots::reports(start, &asked, &[], &form, |start, dir| part(start, dir, self, &named))?;
        named.judge()?;
        made.print(start, &asked, &form, |_| {})
    }
}

/// The report of one root module.
fn part(
    start: &Start,
    dir: &Path,
    request: &Request,
    named: &Addresses,
) -> Result<(Part, (Session, Matrix)), Box<Stop>> {
    let (session, matrix, warnings) = made(start, request, named)?;
    let console = start.console;
    let report = match request.shape() {
        Shape::Json => Piece::Json(report::object(&matrix)),
        Shape::Csv => Piece::Csv(report::table(&matrix)),
        Shape::Markdown => Piece::Text(report::markdown(&matrix)),
        Shape::Html => Piece::Html(report::page(&matrix)),
        Shape::Text | Shape::Findings(_) => {
            Piece::Text(report::text(&matrix, console.columns(), console.out))
        }
    };
    let tells = !(matrix.rows.is_empty() && matrix.instances.is_empty());
    let aside = Many::warned(&warnings, &session.config.sources, console);
    Ok((Part { aside, tells, ..Part::of(dir, report) }, (session, matrix)))
}

/// The addresses that are asked for.
#[derive(Default)]
struct Addresses {
    asked: Vec<String>,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    /// Those that a root module has.
    known: BTreeSet<String>,
    /// The issue with an address in each root module that doesn't have it.
    unknown: BTreeMap<(String, PathBuf), Issue>,
}

impl Addresses {
    /// The fields that an address names in a root module.
    fn of(&self, start: &Start, session: &mut Session, text: &str) -> Vec<Field> {
        let found = fields::named(session, text);
        let mut all = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.is_ok() {
            all.known.insert(text.to_owned());
        }
        found.unwrap_or_else(|issue| {
            all.unknown.insert((text.to_owned(), start.seen.clone()), issue);
            Vec::new()
        })
    }

    /// # Errors
    /// The addresses that no root module has, each once.
    fn judge(self) -> Result<(), Box<Stop>> {
        let Found { mut known, unknown } = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let count = |text: &str| unknown.keys().filter(|(own, _)| own == text).count();
        let mut issues = Vec::new();
        for ((text, dir), issue) in &unknown {
            if known.insert(text.clone()) {
                let why = match count(text) {
                    1 => issue.why.clone(),
                    all => format!("None of {all} root modules has it. In {}: {}", dir.display(), issue.why),
                };
                issues.push(Issue { why, ..issue.clone() });
            }
        }
        match issues.is_empty() {
            true => Ok(()),
            false => Err(issues.into()),
        }
    }
}

type Made = (Session, Matrix, Vec<Issue>);

/// The matrix, with what is worth knowing besides.
fn made(start: &Start, request: &Request, named: &Addresses) -> Result<Made, Box<Stop>> {
    let mut session = Session::open_partly(start)?;
    let environments = environments(&mut session, &request.environments)?;
    let driven = session.driven(start);
    let mut asked: Vec<Field> = Vec::new();
    if !session.is_blocked() {
        asked.extend(named.asked.iter().flat_map(|text| named.of(start, &mut session, text)));
    }
    session.extend(find_doubt(start, &session).into_iter().collect());
    let (session, mut warnings) = session.cleared()?;
    warnings.extend(environments.iter().flat_map(|e| e.refused.iter().map(not_taken)));
    if !named.asked.is_empty() {
        let of = |f: &&Field| {
            asked.iter().any(|a| a.addr.module == f.addr.module && a.addr.target == f.addr.target)
        };
        let all = fields::all(&session.config);
        let targets: Vec<&Field> = all.iter().filter(of).collect();
        let mut declared = matrix::declarations(&session);
        declared.retain(|(path, resource)| targets.iter().any(|f| is_of(f, path, resource)));
        let matrix = matrix::of(&session, &environments, &asked, &declared);
        warnings.extend(report::left_out(&matrix.left_out));
        warnings.extend(report::open_workspace(&matrix));
        return Ok((session, matrix, warnings));
    }
    let all = fields::all(&session.config);
    let declared = matrix::declarations(&session);
    let mut matrix = matrix::of(&session, &environments, &all, &declared);
    let lacks = matrix::Missing::of(&session, &all, &matrix).issues();
    let lacks = lacks.into_iter().chain(matrix::unset_variables(&session, &environments));
    warnings.extend(lacks.map(|issue| Issue { severity: Severity::Warning, ..issue }));
    warnings.extend(report::left_out(&matrix.left_out));
    warnings.extend(report::open_workspace(&matrix));
    if !request.all {
        let driven: BTreeSet<String> = driven.iter().map(|d| d.field.plain().to_string()).collect();
        matrix.retain_different(&driven);
        matrix.fold(&session.config, &driven);
    }
    Ok((session, matrix, warnings))
}

/// A value that its variable doesn't take: what hangs on it has no value in this environment, and the others have theirs.
fn not_taken(issue: &Issue) -> Issue {
    let end = if issue.why.ends_with('.') { "" } else { "." };
    let why = format!("{}{end} What hangs on it has no value in this environment.", issue.why);
    Issue { severity: Severity::Warning, why, ..issue.clone() }
}

fn is_of(field: &Field, path: &ModulePath, resource: &ResourceAddr) -> bool {
    field.addr.module == *path && matches!(&field.addr.target, Target::Resource(own) if own == resource)
}

/// The environments that are asked for, with their values. What is wrong with these is among the session's issues, apart from values
/// that variables don't take.
///
/// # Errors
/// One that nobody names; values that can't be read.
pub(super) fn environments(session: &mut Session, asked: &[String]) -> Result<Vec<Assigned>, Box<Stop>> {
    let named = session.named.clone();
    if session.is_blocked() {
        return Ok(Vec::new());
    }
    let chosen: Vec<Named> = match chosen_environments(&named, asked) {
        Ok(chosen) => chosen.into_iter().cloned().collect(),
        Err(issue) => {
            session.issues.push(*issue);
            return Ok(Vec::new());
        }
    };
    let workspace = crate::ops::run::decide::workspace_of_user(session);
    Ok(matrix::assigned(session, &chosen, &workspace).unwrap_or_else(|issues: Vec<Issue>| {
        session.extend(issues);
        Vec::new()
    }))
}
