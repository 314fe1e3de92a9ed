//! `tf-phi matrix`: what fields are in every environment.

use super::roots::{self, Asked, Chosen};
use super::session::Session;
use super::{DONE, Outcome, Start, Stop};
use crate::addr::{FieldAddr, ModulePath, ResourceAddr, Target};
use crate::config::variables::{Named, chosen_environments};
use crate::issue::{Code, Issue};
use crate::matrix::{self, Assigned, Matrix};
use crate::pipeline::fields::{self, Field};
use crate::report::issue::{self, Format};
use crate::report::roots::{Form as Many, Part, Piece, Shape};
use crate::report::{Reader, matrix as report};
use std::collections::BTreeSet;
use std::path::Path;

/// What is asked for.
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
    /// How it is printed.
    pub format: Form,
}

/// The forms of a matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
    /// For comments.
    Markdown,
    /// A page.
    Html,
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
    let dirs = match request.roots.chosen(start, &[])? {
        Chosen::One(dir) => return one(&roots::at(start, &dir), request),
        Chosen::Many(dirs) => dirs,
    };
    let shape = match request.format {
        Form::Text => Shape::Text,
        Form::Json => Shape::Json,
        Form::Csv => Shape::Csv,
        Form::Markdown => Shape::Markdown,
        Form::Html => return Err(roots::one_page().into()),
    };
    let form = Many { shape, doing: "tracing", nothing: "Nothing differs between environments" };
    roots::printed(start, &request.roots, &dirs, &form, |start, dir| part(start, dir, request, shape))
}

/// One of many.
fn part(start: &Start, dir: &Path, request: &Request, shape: Shape) -> Result<Part, Box<Stop>> {
    let (session, matrix, warnings) = made(start, request)?;
    let console = start.console;
    let is_empty = matrix.rows.is_empty() && matrix.instances.is_empty();
    let report = match shape {
        Shape::Json => Piece::Json(report::object(&matrix)),
        Shape::Csv => Piece::Csv(report::table(&matrix)),
        _ if is_empty => Piece::Text(String::new()),
        Shape::Markdown => Piece::Text(report::markdown(&matrix)),
        Shape::Text | Shape::Findings(_) => {
            Piece::Text(report::text(&matrix, console.columns(), console.out))
        }
    };
    let aside = Many::warned(&warnings, &session.config.sources, console);
    Ok(Part { aside, ..Part::of(dir, report) })
}

fn one(start: &Start, request: &Request) -> Outcome {
    let (session, matrix, warnings) = made(start, request)?;
    issue::print(start.console, Format::Text, &warnings, &session.config.sources);
    let console = start.console;
    match request.format {
        Form::Text => console.report(&report::text(&matrix, console.columns(), console.out)),
        Form::Json => console.print(Reader::Json, &report::document(&matrix)),
        Form::Csv => console.print(Reader::People, &report::csv(&matrix)),
        Form::Markdown => console.report(&report::markdown(&matrix)),
        Form::Html => console.report(&report::html(&matrix)),
    };
    // The process ends: taking a large configuration apart would only take time.
    std::mem::forget((session, matrix));
    Ok(DONE)
}

type Made = (Session, Matrix, Vec<Issue>);

/// The matrix, with what is worth knowing besides.
fn made(start: &Start, request: &Request) -> Result<Made, Box<Stop>> {
    let mut session = Session::open_partly(start)?;
    let environments = environments(&mut session, &request.environments)?;
    session.extend(environments.iter().flat_map(|e| e.refused.clone()).collect());
    let driven = session.driven(start);
    let mut asked: Vec<Field> = Vec::new();
    if !session.is_blocked() {
        for text in &request.addresses {
            match fields::named(&mut session, text) {
                Ok(found) => asked.extend(found),
                Err(issue) => session.issues.push(issue),
            }
        }
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
