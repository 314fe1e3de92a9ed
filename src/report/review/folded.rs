//! What a person decides on, out of all that differs in an environment.
//!
//! In: an environment of a review, where its values come from. Out: what is wholly new or gone, one line each; values that differ, below what
//! was edited; how many fields are told of by these. Invariant: every field that differs is in a row, in a line, or in a count. Programs get
//! all of them.

use super::delta;
use super::lines::{self, Line, Within};
use super::together;
use crate::matrix::review::Review;
use crate::matrix::{Cell, Origin, is_told_by_instances};
use crate::specialise::moves::originals::without_keys;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Why a field has no row of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fold {
    /// It belongs to what is wholly new or gone.
    Within,
    /// Instances that come or go say it.
    Instances,
    /// It only hands on a value that has a row.
    HandedOn,
    /// Another row, which counts it, says the same.
    Alike,
}

impl Fold {
    /// The public name.
    pub fn name(self) -> &'static str {
        match self {
            Fold::Within => "within",
            Fold::Instances => "instances",
            Fold::HandedOn => "handed-on",
            Fold::Alike => "alike",
        }
    }
}

/// A value that differs, in one field or in several.
pub(super) struct Row {
    /// The first field, with the part of its value.
    pub field: String,
    /// The other fields.
    pub others: Vec<String>,
    /// What it was.
    pub before: Arc<Cell>,
    /// What it is.
    pub after: Arc<Cell>,
    /// What was edited behind it; empty where that is the field itself.
    pub cause: String,
}

/// An environment as people read it.
#[derive(Default)]
pub(super) struct Folded<'e> {
    /// What comes and goes.
    pub lines: Vec<Line>,
    /// Values that differ, those below one edit in a row.
    pub rows: Vec<Row>,
    /// The fields without a row of their own.
    pub folds: BTreeMap<&'e str, Fold>,
}

impl Folded<'_> {
    fn count(&self, fold: Fold) -> usize {
        self.folds.values().filter(|own| **own == fold).count()
    }

    /// What isn't shown, and how to see it.
    pub fn note(&self) -> Option<String> {
        super::super::matrix::folded_note(self.count(Fold::HandedOn), self.count(Fold::Instances))
    }
}

/// The fields of an environment that differ, with where they come from.
struct Field<'e> {
    name: &'e str,
    origin: Option<&'e Origin>,
    before: Arc<Cell>,
    after: Arc<Cell>,
}

/// Folds what differs in an environment; nothing where everything is to be shown.
pub(super) fn folded<'e>(review: &'e Review, group: &together::Group<'e>, is_whole: bool) -> Folded<'e> {
    let env = group.env;
    let mut out = Folded::default();
    let told: HashMap<&str, (Arc<Cell>, Arc<Cell>)> =
        together::values(env).map(|(field, before, after)| (field, (before, after))).collect();
    let within = Within::of(env);
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut fields = Vec::new();
    let repeated: BTreeSet<String> =
        env.instances.iter().flat_map(|(address, ..)| beginnings(address)).collect();
    for (name, old, new) in &env.values {
        let whole = within.whole(name);
        if let (Some(at), false) = (whole, is_whole) {
            out.folds.insert(name, Fold::Within);
            *counts.entry(at).or_default() += 1;
            continue;
        }
        let owner = name.strip_suffix(".count").or_else(|| name.strip_suffix(".for_each"));
        let is_told = owner.is_some_and(|owner| repeated.contains(owner)) && is_told_by_instances(old, new);
        let every = || (old.clone(), new.clone());
        match told.get(&**name).cloned().or_else(|| is_whole.then(every)) {
            Some((before, after)) if is_whole || !is_told => fields.push(Field {
                name,
                origin: review.origins.get(name).map(|origin| &**origin),
                before,
                after,
            }),
            _ => drop(out.folds.insert(name, Fold::Instances)),
        }
    }
    out.lines = match is_whole {
        true => lines::each(env),
        false => lines::of(env, &within, &counts),
    };
    out.rows = match is_whole {
        true => fields.into_iter().map(Row::of).collect(),
        false => rows(fields, group, &mut out.folds),
    };
    out
}

/// The declaration and the modules of an instance.
fn beginnings(address: &str) -> Vec<String> {
    let plain = without_keys(address);
    let ends = plain.match_indices('.').map(|(at, _)| at).chain([plain.len()]);
    ends.filter_map(|at| plain.get(..at).map(str::to_owned)).collect()
}

impl Row {
    fn of(field: Field<'_>) -> Row {
        let Field { name, before, after, .. } = field;
        Row { field: name.to_owned(), others: Vec::new(), before, after, cause: String::new() }
    }
}

/// One part of what differs in a field.
struct Part {
    /// Its field, by number.
    of: usize,
    /// The names that lead to it within the field's value.
    path: Vec<String>,
    before: Arc<Cell>,
    after: Arc<Cell>,
}

impl Part {
    fn name(&self, field: &str) -> String {
        std::iter::once(field).chain(self.path.iter().map(String::as_str)).collect::<Vec<_>>().join(".")
    }
}

fn rows<'e>(
    fields: Vec<Field<'e>>,
    group: &together::Group<'_>,
    folds: &mut BTreeMap<&'e str, Fold>,
) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    // The fields that are named in a row, each with whether it begins one.
    let mut shown: BTreeMap<usize, bool> = BTreeMap::new();
    let mut alike: HashMap<(String, String, String, String), usize> = HashMap::new();
    for parts in by_source(&fields) {
        let is_end = |part: &&Part| fields.get(part.of).is_some_and(|f| f.origin.is_none_or(|o| o.is_end));
        let ends: Vec<&Part> = parts.iter().filter(is_end).collect();
        let first = ends.is_empty().then(|| parts.first()).flatten();
        let is_direct = ends.is_empty();
        for part in ends.into_iter().chain(first) {
            let Some(field) = fields.get(part.of) else { continue };
            let cause = cause(field, group);
            let name = match field.origin {
                // What is at the beginning of a chain says it for all.
                Some(origin) if is_direct && parts.len() > 1 => {
                    let path: Vec<String> = origin.path.iter().chain(&part.path).cloned().collect();
                    std::iter::once(origin.source.clone()).chain(path).collect::<Vec<_>>().join(".")
                }
                _ => part.name(field.name),
            };
            let (before, after) = delta::texts(&part.before, &part.after);
            // What reads alike on both sides says nothing but that it differs.
            let attribute = if before == after && !cause.is_empty() { "" } else { attribute(&name) };
            // Different errors are no one difference.
            let errors = [&part.before, &part.after].map(|cell| cell.error().unwrap_or_default());
            let key = (cause.clone(), attribute.to_owned(), before, after + &errors.concat());
            let known = alike.get(&key).copied();
            match known.and_then(|at| rows.get_mut(at)) {
                Some(row) => {
                    row.others.push(name);
                    shown.entry(part.of).or_insert(false);
                }
                None => {
                    alike.insert(key, rows.len());
                    rows.push(Row {
                        field: name,
                        others: Vec::new(),
                        before: part.before.clone(),
                        after: part.after.clone(),
                        cause,
                    });
                    shown.insert(part.of, true);
                }
            }
        }
    }
    for (at, field) in fields.iter().enumerate() {
        match shown.get(&at) {
            None => drop(folds.insert(field.name, Fold::HandedOn)),
            Some(false) => drop(folds.insert(field.name, Fold::Alike)),
            Some(true) => {}
        }
    }
    by_cause(rows)
}

/// The name of an argument without what declares it, and of anything else the name.
fn attribute(name: &str) -> &str {
    let mut rest = name;
    while let Some((call, behind)) = rest.strip_prefix("module.").and_then(|own| own.split_once('.')) {
        if call.is_empty() {
            break;
        }
        rest = behind;
    }
    let names = if rest.starts_with("data.") { 3 } else { 2 };
    match rest.match_indices('.').nth(names - 1) {
        Some((at, _)) if !rest.starts_with("output.") => rest.get(at + 1..).unwrap_or(rest),
        _ => rest,
    }
}

/// The parts of all fields, those together that hand on one value of one declaration, in the order of the fields.
fn by_source(fields: &[Field<'_>]) -> Vec<Vec<Part>> {
    let mut at: HashMap<(String, Vec<String>, Cell, Cell), usize> = HashMap::new();
    let mut out: Vec<Vec<Part>> = Vec::new();
    for (of, field) in fields.iter().enumerate() {
        for (path, before, after) in delta::parts(&field.before, &field.after) {
            let (source, outer) = match field.origin {
                Some(origin) => (origin.source.clone(), origin.path.clone()),
                None => (field.name.to_owned(), Vec::new()),
            };
            let whole = outer.into_iter().chain(path.iter().cloned()).collect();
            let key = (source, whole, before.alike().clone(), after.alike().clone());
            let own = *at.entry(key).or_insert(out.len());
            if own == out.len() {
                out.push(Vec::new());
            }
            out.get_mut(own).into_iter().for_each(|all| {
                all.push(Part { of, path: path.clone(), before: before.clone(), after: after.clone() });
            });
        }
    }
    out
}

/// So many edits are named behind a row.
const NAMED: usize = 3;

/// What was edited behind a field; empty where that is the field itself, or nothing that is known.
fn cause(field: &Field<'_>, group: &together::Group<'_>) -> String {
    let Some(origin) = field.origin.filter(|origin| !origin.is_edited) else { return String::new() };
    let given = group.env.variables.keys().filter(|name| origin.variables.contains(*name));
    let given: Vec<String> = given.map(|name| group.variable(name)).collect();
    // A variable may be edited where it is declared, and given a value elsewhere: the more that is said of it, the better.
    let is_said =
        |one: &str, by: &[&String]| by.iter().any(|more| more.len() > one.len() && more.starts_with(one));
    let (of_given, of_edited): (Vec<_>, Vec<_>) = (given.iter().collect(), origin.edited.iter().collect());
    let given = given.iter().filter(|one| !is_said(one, &of_edited));
    let edited = origin.edited.iter().filter(|one| !is_said(one, &of_given));
    let all: BTreeSet<String> = given.chain(edited).cloned().collect();
    let mut named: Vec<String> = all.iter().take(NAMED).cloned().collect();
    if all.len() > NAMED {
        named.push(format!("and {} more", all.len() - NAMED));
    }
    named.join(", ")
}

/// Those below one edit in a row, in the order of the first ones; the rows that were edited themselves first.
fn by_cause(rows: Vec<Row>) -> Vec<Row> {
    let mut order: HashMap<String, usize> = HashMap::from([(String::new(), 0)]);
    for row in &rows {
        let next = order.len();
        order.entry(row.cause.clone()).or_insert(next);
    }
    let mut rows = rows;
    rows.sort_by_key(|row| order.get(&row.cause).copied());
    rows
}
