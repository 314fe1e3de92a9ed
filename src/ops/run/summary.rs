//! Turns a run's outcome into data for [`crate::report::summary`].
//!
//! In: a decision, its change set, the addresses in state. Absent on purpose: any decision; printing except through `report`.

use crate::addr::{FieldAddr, ModulePath};
use crate::gate::Gate;
use crate::ops::Start;
use crate::ops::diff::is_record;
use crate::ops::read::session::Session;
use crate::ops::run::decide::Decided;
use crate::ops::trace;
use crate::report::issue::Format;
use crate::report::outcome::HIDDEN;
use crate::report::summary::{self, Active, Aftermath, Branch, Detail, Summary, Unit};
use crate::report::{negation, trace_text};
use crate::specialise::moves::originals;
use crate::specialise::record::{self, Specialization, history};
use crate::specialise::{SplitUnit, moves};
use crate::trace::Driven;
use crate::txn::{Change, ChangeSet};
use crate::value::hcl::quote;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Makes the summary of a decision over driven fields. `run`: whether there is a run, whose values tell which copy is
/// active.
pub fn of(session: &Session, decided: &Decided, driven: &[Driven], run: bool) -> Summary {
    let hidden = driven.iter().map(|d| &d.field).filter(|field| session.hides(field));
    let hidden =
        hidden.map(|field| FieldAddr { module: ModulePath::ROOT, ..field.clone() }.to_string()).collect();
    Summary { fields: driven.len(), units: units(session, decided, &hidden, run), ..Summary::default() }
}

/// The same with what a run writes and moves; `held` are the addresses in state.
pub fn of_run(
    session: &Session,
    decided: &Decided,
    driven: &[Driven],
    set: &ChangeSet,
    held: &[String],
) -> Summary {
    let mut summary = of(session, decided, driven, true);
    summary.moves = moved(&decided.specialised.chains(&decided.copies), held);
    files(&mut summary, set);
    summary
}

/// Notes what a change set does to sources, and whether it changes records.
pub fn files(summary: &mut Summary, set: &ChangeSet) {
    let records = [history::FILE, record::FILE];
    summary.has_records = records.iter().any(|path| set.changes.contains_key(Path::new(path)));
    for (path, planned) in set.changes.iter().filter(|(path, _)| !is_record(path)) {
        let files = match planned.change {
            Change::Write(_) | Change::Link { .. } => &mut summary.written,
            Change::Delete => &mut summary.removed,
        };
        files.push(path.display().to_string());
    }
}

/// Prints a summary and what follows it, where findings go to people.
pub fn print(start: &Start, format: Format, summary: &Summary, more: &str) {
    if start.tells(format) {
        let console = start.console;
        let stay = summary.aftermath == Aftermath::Silent && console.hints;
        let aftermath = if stay { Aftermath::Stay } else { summary.aftermath };
        let summary = &Summary { aftermath, ..summary.clone() };
        let text = summary::text(summary, start.detail, console.width(), console.err);
        console.say(&format!("{text}{more}"));
    }
}

/// Prints one more sentence, where findings go to people.
pub fn note(start: &Start, format: Format, text: &str) {
    if start.tells(format) {
        start.console.note(text);
    }
}

/// Every hop of every driven field, where it is asked for. Asked before anything is written: the tree is read for it.
pub fn hops(start: &Start, format: Format) -> String {
    if start.detail != Detail::Verbose || format != Format::Text {
        return String::new();
    }
    let Ok((session, reports)) = trace::reports(start, &trace::What::Driven, &[]) else {
        return String::new();
    };
    let full = |report| trace_text::full(report, &session.config.sources, start.console.err);
    reports.iter().map(full).map(|text| format!("\n{text}")).collect()
}

/// One per split unit, and one per address whose fields have one value. Modules that a `source` chooses between share addresses.
fn units(session: &Session, decided: &Decided, hidden: &BTreeSet<String>, run: bool) -> Vec<Unit> {
    let mut by_address: BTreeMap<&str, BTreeMap<&Path, Vec<&Specialization>>> = BTreeMap::new();
    for one in &decided.specialised.record.specializations {
        by_address.entry(&one.address).or_default().entry(folder_of(one)).or_default().push(one);
    }
    let value = |s: &Specialization| match hidden.contains(&s.source_field) {
        true => HIDDEN.to_owned(),
        false => value(&s.branch_value),
    };
    let mut out = Vec::new();
    let split = decided.specialised.splits.iter().enumerate().filter(|(_, s)| !s.gates.is_empty());
    for (index, split) in split {
        let known = run && decided.known.get(index).is_some_and(Option::is_some);
        let folder = session.config.at(&split.scope).map_or(Path::new(""), |module| &module.dir);
        let own = |address: &String| -> Vec<&Specialization> {
            let Some(all) = by_address.get(address.as_str()) else { return Vec::new() };
            // What drives a copy of a call may stand in the modules behind it.
            all.get(folder).cloned().unwrap_or_else(|| all.values().flatten().copied().collect())
        };
        let rows: Vec<Vec<&Specialization>> = split.addresses.iter().map(own).collect();
        let columns = distinct_columns(&rows);
        let branch = |(at, row): (usize, &Vec<&Specialization>)| Branch {
            values: pick_columns(row, &columns).into_iter().map(value).collect(),
            active: if known { active(decided, index, split, at) } else { Active::No },
        };
        out.push(Unit {
            address: address_of(split),
            fields: rows.first().map(|row| fields(&pick_columns(row, &columns))).unwrap_or_default(),
            branches: rows.iter().enumerate().map(branch).collect(),
        });
    }
    for (address, all) in
        by_address.iter().flat_map(|(address, by)| by.values().map(move |all| (address, all)))
    {
        let resolved: Vec<&Specialization> = all.iter().copied().filter(|s| s.gate.is_none()).collect();
        if !resolved.is_empty() {
            let values = resolved.iter().map(|s| value(s)).collect();
            out.push(Unit {
                address: (*address).to_owned(),
                fields: fields(&resolved),
                branches: vec![Branch { values, active: Active::Always }],
            });
        }
    }
    out
}

/// The folder of the file that a specialised block stands in.
fn folder_of(one: &Specialization) -> &Path {
    let file = one.source_span.rsplit_once(':').map_or("", |(file, _)| file);
    Path::new(file).parent().unwrap_or(Path::new(""))
}

/// The address of a unit, with the chosen source of each call above it where there is a choice.
fn address_of(split: &SplitUnit) -> String {
    match split.scope == split.scope.plain() {
        true => split.original.clone(),
        false => format!("{}.{}", split.scope, split.target),
    }
}

/// The columns of a table, a row per copy, without those that repeat an earlier one: a field that several modules behind a call
/// have, with the same values.
fn distinct_columns(rows: &[Vec<&Specialization>]) -> Vec<usize> {
    let column = |at: usize| -> Vec<Option<(&str, String)>> {
        rows.iter().map(|row| row.get(at).map(|s| (&*s.source_field, s.branch_value.to_string()))).collect()
    };
    let mut seen = BTreeSet::new();
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    (0..count).filter(|at| seen.insert(column(*at))).collect()
}

/// The columns of a row.
fn pick_columns<'a>(row: &[&'a Specialization], columns: &[usize]) -> Vec<&'a Specialization> {
    columns.iter().filter_map(|at| row.get(*at).copied()).collect()
}

/// The names of fields: their paths, with the resource where several have one path.
fn fields(all: &[&Specialization]) -> Vec<String> {
    let path = |s: &Specialization| {
        let names = originals::names(&s.source_field);
        let skipped = match names.first().map(|name| &**name) {
            Some("data") => 3,
            _ => 2,
        };
        names.get(skipped..).unwrap_or_default().join(".")
    };
    let paths: Vec<String> = all.iter().map(|s| path(s)).collect();
    let distinct: BTreeSet<&String> = paths.iter().collect();
    if distinct.len() == paths.len() { paths } else { all.iter().map(|s| s.source_field.clone()).collect() }
}

/// Returns whether a copy of a unit is active, and for how many of the instances that are there.
fn active(decided: &Decided, unit: usize, split: &SplitUnit, copy: usize) -> Active {
    let there = || decided.copies.get(unit).into_iter().flatten().filter(|a| a.there);
    match (there().filter(|a| a.copy == Some(copy)).count(), there().count()) {
        (0, _) => Active::No,
        (own, all) if own == all => {
            split.gates.get(copy).map_or(Active::Always, |g| Active::When(condition(g)))
        }
        (own, all) => Active::Partly(own, all),
    }
}

/// A gate in the user's words.
pub fn condition(gate: &Gate) -> String {
    if gate.negated { negation(&gate.text) } else { gate.text.clone() }
}

/// A value of the record as HCL.
fn value(json: &serde_json::Value) -> String {
    json.as_str().map_or_else(|| json.to_string(), quote)
}

/// An object is moved so many times at most: once by each unit that it lies in.
const MOST_STEPS: usize = 64;

/// The moves that concern objects in state: from where chains find them to where they lead them.
fn moved(chains: &[moves::Chain], held: &[String]) -> Vec<(String, String)> {
    let mut ends: FxHashMap<&str, &str> = FxHashMap::default();
    for (last, former) in chains.iter().filter_map(|c| c.addresses.split_last()) {
        ends.extend(former.iter().map(|from| (from.as_str(), last.as_str())));
    }
    let mut out: Vec<(String, String)> = Vec::new();
    let mut known = BTreeSet::new();
    for address in held {
        let mut now = address.clone();
        for _ in 0..MOST_STEPS {
            let Some((from, to)) = step(&ends, &now) else { break };
            let one = (from.to_owned(), to.to_owned());
            now = format!("{to}{}", now.get(from.len()..).unwrap_or_default());
            if known.insert(one.clone()) {
                out.push(one);
            }
        }
    }
    out
}

/// The move that takes an object from an address, or what it lies in: outer ones first.
fn step<'e>(ends: &FxHashMap<&'e str, &'e str>, address: &str) -> Option<(&'e str, &'e str)> {
    let ends_at = address.char_indices().filter(|(_, c)| matches!(c, '.' | '[')).map(|(at, _)| at);
    ends_at.chain([address.len()]).find_map(|at| {
        let (front, rest) = address.split_at_checked(at)?;
        let (from, to) = ends.get_key_value(front)?;
        // A whole is moved with its keys, and an instance without.
        (!rest.starts_with('[') || !to.ends_with(']')).then_some((*from, *to))
    })
}
