//! `tf-phi suggest`: a `phi.hcl` to begin with.
//!
//! In: a tree, with a `phi.hcl` or without. Out: the text of one. A field is proposed where its name says that it selects something
//! and its trace is Bounded; where variables lack a universe that is said, with the block to fill in. Nothing is written.

use super::trace::alone;
use super::{Command, DONE, Outcome, Start};
use crate::addr::{FieldAddr, Target};
use crate::config::variables::Environment;
use crate::issue::Code;
use crate::ops::read::session::Session;
use crate::ops::run::as_recorded::find_doubt;
use crate::pipeline::fields::{self, Field};
use crate::pipeline::narrowing::each;
use crate::pipeline::selecting::selects;
use crate::report::progress::Progress;
use crate::report::suggest::{Open, Pin, Suggestion};
use crate::report::{Found, Row, TraceReport};
use crate::trace::{Driven, Driver};
use clap::Args;
use std::collections::{BTreeMap, BTreeSet};

/// `tf-phi suggest`, which takes no arguments.
#[derive(Args, Clone, Debug)]
pub struct Request {}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let mut session = Session::open_partly(start)?.no_stack()?;
        let universes = session.universes();
        let driven = session.driven(start);
        session.extend(find_doubt(start, &session).into_iter().collect());
        let session = session.go_on(start)?;
        let known: BTreeSet<&FieldAddr> = driven.iter().map(|d| &d.field).collect();
        let mut candidates = fields::all(&session.config);
        candidates.retain(|f| selects(f) && !known.contains(&f.addr));
        let progress = Progress::start(start.console, "tracing");
        let reports =
            each(&session, &universes, &candidates, |tracers, field| alone(tracers, field, &session));
        drop(progress);
        let names = |driver: fn(&Driver) -> bool| {
            let of: BTreeSet<String> = driven.iter().filter(|d| driver(&d.driver)).map(name).collect();
            of.into_iter().collect()
        };
        let named = session.phi.settings.environments.is_some() || !session.phi.environments.is_empty();
        let suggestion = Suggestion {
            always: names(|d| *d == Driver::Static),
            pinned: names(|d| *d != Driver::Static),
            environments: if named { Vec::new() } else { patterns(&session.environments) },
            pins: pins(&candidates, &reports, session.limits().branches),
            open: open(&candidates, &reports),
        };
        let reader = start.console.file_reader();
        start.console.print(reader, &suggestion.text(env!("CARGO_PKG_VERSION")));
        Ok(DONE)
    }
}

fn name(driven: &Driven) -> String {
    driven.field.plain().to_string()
}

/// The folders of variable files as patterns; no pattern holds a file of another folder.
fn patterns(files: &[Environment]) -> Vec<String> {
    let pattern = |file: &Environment| {
        let name = file.path.file_name()?.to_str()?;
        let end = if name.ends_with(".json") { "*.tfvars.json" } else { "*.tfvars" };
        let folder = file.path.parent()?.to_str()?;
        // What Terraform reads by itself counts in any case.
        let read =
            folder.is_empty() && (name.starts_with("terraform.tfvars") || name.contains(".auto.tfvars"));
        (!read).then(|| if folder.is_empty() { end.to_owned() } else { format!("{folder}/{end}") })
    };
    files.iter().filter_map(pattern).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The Bounded fields, by type where all declarations of the type have a finite result, and else by address.
fn pins(fields: &[Field], reports: &[TraceReport], most: usize) -> Vec<Pin> {
    let mut by_kind: BTreeMap<(&str, String), Vec<(&Field, &TraceReport)>> = BTreeMap::new();
    for (field, report) in fields.iter().zip(reports) {
        if let Target::Resource(resource) = &field.addr.target {
            by_kind.entry((&resource.kind, field.addr.path.to_string())).or_default().push((field, report));
        }
    }
    let mut pins: BTreeMap<String, Pin> = BTreeMap::new();
    for ((kind, path), all) in by_kind {
        let finite = |report: &TraceReport| {
            matches!(&report.found, Found::Resolved(_)) || several(report, most).is_some()
        };
        let whole = all.iter().all(|(_, report)| finite(report));
        for (field, report) in all {
            let Some(rows) = several(report, most) else { continue };
            let label = if whole { kind.to_owned() } else { declaration(&field.addr) };
            let pin =
                pins.entry(label.clone()).or_insert(Pin { label, fields: Vec::new(), values: Vec::new() });
            if !pin.fields.contains(&path) {
                pin.fields.push(path.clone());
            }
            pin.values.push((report.field.clone(), rows.iter().map(Row::text).collect()));
        }
    }
    pins.into_values().collect()
}

/// The rows of a Bounded field that has several values, and no more than are specialised.
fn several(report: &TraceReport, most: usize) -> Option<&[Row]> {
    match &report.found {
        Found::Bounded { rows, .. } if (2..=most).contains(&rows.len()) => Some(rows),
        _ => None,
    }
}

fn declaration(field: &FieldAddr) -> String {
    let mut whole = field.plain();
    whole.path.0.clear();
    whole.to_string()
}

/// The universes that are missing, each with the fields that wait for it and their pins.
fn open(fields: &[Field], reports: &[TraceReport]) -> Vec<Open> {
    let mut blocks: BTreeMap<&str, Open> = BTreeMap::new();
    for (field, report) in fields.iter().zip(reports) {
        if let Found::Unbounded { code: Code::NoUniverse, why, fixes, .. } = &report.found
            && matches!(field.addr.target, Target::Resource(_) | Target::Call(_))
            && let Some(fix) =
                fixes.iter().find(|f| f.paste.starts_with("variable \"") && f.paste.contains("universe"))
        {
            let open = blocks.entry(&fix.paste).or_insert_with(|| Open {
                block: fix.paste.clone(),
                fields: Vec::new(),
                pins: Vec::new(),
            });
            open.fields.push((report.field.clone(), why.clone()));
            let (label, name) = (declaration(&field.addr), field.addr.path.to_string());
            match open.pins.iter_mut().find(|(of, _)| *of == label) {
                Some((_, names)) if names.contains(&name) => {}
                Some((_, names)) => names.push(name),
                None => open.pins.push((label, vec![name])),
            }
        }
    }
    blocks.into_values().collect()
}
