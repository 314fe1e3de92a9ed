//! `tf-phi matrix`: what fields are in every environment.

use super::roots::{self, Asked};
use super::session::Session;
use super::{Outcome, Start, Stop};
use crate::addr::{FieldAddr, ModulePath, ResourceAddr, Target};
use crate::config::variables::{Named, chosen_environments};
use crate::issue::{Code, Issue};
use crate::matrix::{self, Assigned, Matrix};
use crate::pipeline::fields::{self, Field};
use crate::report::matrix as report;
use crate::report::roots::{Form as Many, Part, Piece, Shape};
use crate::text::Sources;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The arguments of `tf-phi matrix`.
#[derive(Clone, Debug)]
pub struct Request {
    /// The root modules.
    pub roots: Asked,
    /// Fields, or declarations for all of theirs; none for the driven fields and what differs.
    pub addresses: Vec<String>,
    /// Every field there is.
    pub all: bool,
    /// Names of environments; none for all.
    pub environments: Vec<String>,
    /// The form of the report.
    pub shape: Shape,
}

/// Runs the command.
///
/// # Errors
/// Blocking issues of the configuration; an address or an environment that isn't there.
pub fn run(start: &Start, request: &Request) -> Outcome {
    if request.all && !request.addresses.is_empty() {
        let why = "`--all` shows every argument, so there is nothing to choose.";
        let issue = Issue::error(Code::Config, "an address stands beside --all", why);
        return Err(issue.fix("Leave out one of the two.", "").into());
    }
    let nothing = match request.addresses.is_empty() {
        true => "Nothing differs between environments",
        false => "There is no such field",
    };
    let form = Many { shape: request.shape, doing: "tracing", nothing };
    let named = Addresses::default();
    let made = roots::reports(start, &request.roots, &form, |start, dir| part(start, dir, request, &named))?;
    named.judge()?;
    made.print(start, &request.roots, &form)
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
    let report = match request.shape {
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
struct Addresses(Mutex<Found>);

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
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
        let Found { mut known, unknown } = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
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
            false => Err(Box::new(Stop { issues, sources: Sources::default() })),
        }
    }
}

type Made = (Session, Matrix, Vec<Issue>);

/// The matrix, with what is worth knowing besides.
fn made(start: &Start, request: &Request, named: &Addresses) -> Result<Made, Box<Stop>> {
    let mut session = Session::open_partly(start)?;
    let environments = environments(&mut session, &request.environments)?;
    session.extend(environments.iter().flat_map(|e| e.refused.clone()).collect());
    let driven = session.driven(start);
    let mut asked: Vec<Field> = Vec::new();
    if !session.is_blocked() {
        asked.extend(request.addresses.iter().flat_map(|text| named.of(start, &mut session, text)));
    }
    let (session, warnings) = session.cleared()?;
    if !request.addresses.is_empty() {
        let of = |f: &&Field| {
            asked.iter().any(|a| a.addr.module == f.addr.module && a.addr.target == f.addr.target)
        };
        let all = fields::all(&session.config);
        let targets: Vec<&Field> = all.iter().filter(of).collect();
        let mut declared = matrix::declarations(&session);
        declared.retain(|(path, resource)| targets.iter().any(|f| is_of(f, path, resource)));
        let matrix = matrix::of(&session, &environments, &asked, &declared);
        return Ok((session, matrix, warnings));
    }
    let all = fields::all(&session.config);
    let declared = matrix::declarations(&session);
    let mut matrix = matrix::of(&session, &environments, &all, &declared);
    if !request.all {
        let driven: BTreeSet<String> = driven
            .iter()
            .map(|d| FieldAddr { module: d.field.module.plain(), ..d.field.clone() }.to_string())
            .collect();
        matrix.rows.retain(|row| row.differs() || driven.contains(&row.field));
        matrix.instances.retain(matrix::Instances::differs);
    }
    Ok((session, matrix, warnings))
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
    let workspace = super::decide::workspace(session);
    Ok(matrix::assigned(session, &chosen, &workspace).unwrap_or_else(|issues: Vec<Issue>| {
        session.extend(issues);
        Vec::new()
    }))
}
