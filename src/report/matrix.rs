//! A matrix as JSON, a public contract, and as tables.

use super::Style;
use super::document::Document;
use super::table::{Entry, Table};
use crate::issue::{Code, Issue};
use crate::matrix::{Fold, Instance, Instances, Matrix, Row};
use crate::text::one_line;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

mod page;

pub use page::page;

/// `{"format_version", "environments", "rows", "instances"}`
pub fn object(matrix: &Matrix) -> Document {
    let cells = |row: &Row| -> Map<String, Json> {
        matrix.environments.iter().zip(&row.cells).map(|(env, cell)| (env.to_string(), cell.json())).collect()
    };
    let keys = |one: &Instances| -> Map<String, Json> {
        matrix
            .environments
            .iter()
            .zip(&one.cells)
            .map(|(env, all)| (env.to_string(), json!(keys_of(all))))
            .collect()
    };
    let shown = |row: &Row| {
        let mut shown = json!({"field": row.field, "cells": cells(row)});
        if let (Some(fold), Some(members)) = (matrix.folds.get(&row.field), shown.as_object_mut()) {
            members.insert("folded".to_owned(), fold.name().into());
        }
        shown
    };
    let environments: Vec<&str> = matrix.environments.iter().map(|e| &**e).collect();
    let mut document = Document::from(json!({"format_version": "1.0", "environments": environments}));
    document.add_items("rows", matrix.rows.iter().map(shown));
    let instances = matrix.instances.iter().map(|i| json!({"address": i.address, "cells": keys(i)}));
    document.add_items("instances", instances);
    add_left_out(&mut document, &matrix.left_out);
    if !matrix.uncompared.is_empty() {
        document.add("uncompared", json!(matrix.uncompared));
    }
    document
}

/// Says in a document how much isn't in it.
pub(super) fn add_left_out(document: &mut Document, left_out: &BTreeSet<String>) {
    if !left_out.is_empty() {
        document.add("left_out", left_out.len());
    }
}

/// A warning that a report doesn't hold everything.
pub fn left_out(all: &BTreeSet<String>) -> Option<Issue> {
    let first = all.first()?;
    let summary = match all.len() {
        1 => format!("{first} is left out"),
        count => format!("{count} fields and declarations are left out, {first} among them"),
    };
    let why =
        "All environments together are too much to be looked at and kept, so that nothing is said of these.";
    Some(Issue::warning(Code::TooLarge, summary, why).fix("Choose among the environments:", "--env NAME"))
}

/// The warning where anything hangs on a workspace that nothing names.
pub fn open_workspace(matrix: &Matrix) -> Option<Issue> {
    matrix.hangs_on_workspace().then(|| {
        let why = "Values depend on `terraform.workspace`, and nothing says which workspace the environments have. \
                   So both alternatives are shown.";
        Issue::warning(Code::Config, "The workspace is open", why).fix(
            "Name it in `phi.hcl`:",
            "environment \"prod\" {\n  workspace = \"prod\"\n  var_files = [\"env/prod.tfvars\"]\n}",
        )
    })
}

/// For people, within so many columns of a terminal.
pub fn text(matrix: &Matrix, width: Option<usize>, style: Style) -> String {
    let mut out = String::new();
    let values = values(matrix, matrix.read_rows());
    if !values.rows.is_empty() {
        out.push_str(&values.text(width, style));
    }
    if !matrix.instances.is_empty() {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&instances(matrix).text(width, style));
    }
    for (field, env, error) in errors(matrix) {
        out.push_str(&format!("\n{} {field} in {env}: {error}\n", style.error("error:")));
    }
    if out.is_empty() {
        out.push_str(&nothing(matrix));
        out.push('\n');
    }
    if let Some(note) = folded(matrix) {
        out.push_str(&format!("{}\n", style.faint(&note)));
    }
    if let Some(open) = uncompared(matrix) {
        out.push_str(&open);
        out.push('\n');
    }
    out
}

/// How many rows aren't shown, and why.
fn folded(matrix: &Matrix) -> Option<String> {
    let count = |fold: Fold| matrix.folds.values().filter(|own| **own == fold).count();
    folded_note(count(Fold::HandedOn), count(Fold::Instances))
}

/// Says how many fields have no row, and how to see them: those that hand on a value which has one, and those that the instances tell of.
pub(super) fn folded_note(handed_on: usize, by_instances: usize) -> Option<String> {
    let said = |count: usize, [one, several]: [&str; 2]| match count {
        0 => None,
        1 => Some(format!("1 more field {one}")),
        _ => Some(format!("{count} more fields {several}")),
    };
    let all = [
        said(handed_on, ["only hands on a value above", "only hand on values above"]),
        said(by_instances, ["only says which instances there are", "only say which instances there are"]),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| format!("{}: --all shows them.", all.join(", ")))
}

/// So many fields are named in one sentence.
const MOST_NAMED: usize = 10;

/// Says of which fields nobody can say whether they differ.
fn uncompared(matrix: &Matrix) -> Option<String> {
    let count = matrix.uncompared.len();
    let named: Vec<String> =
        matrix.uncompared.iter().take(MOST_NAMED).map(|f| one_line(f).into_owned()).collect();
    let more = if count > MOST_NAMED { format!(" and {} more", count - MOST_NAMED) } else { String::new() };
    let fields = if count == 1 { "1 field" } else { &format!("{count} fields") };
    (count > 0).then(|| format!("{fields} can't be compared: {}{more}. --all shows why.", named.join(", ")))
}

/// The text for a matrix without rows.
fn nothing(matrix: &Matrix) -> String {
    match matrix.environments.as_slice() {
        [only] => format!(
            "{} is one environment, and differs from no other. --all shows its fields.",
            one_line(only)
        ),
        _ if !matrix.uncompared.is_empty() => {
            "No field that can be compared and no instance differs between environments.".to_owned()
        }
        _ => "No field and no instance differs between environments.".to_owned(),
    }
}

/// For a comment.
pub fn markdown(matrix: &Matrix) -> String {
    let mut out = String::new();
    let values = values(matrix, matrix.read_rows());
    if !values.rows.is_empty() {
        out.push_str(&values.markdown());
        out.push('\n');
    }
    if !matrix.instances.is_empty() {
        out.push_str(&instances(matrix).markdown());
        out.push('\n');
    }
    if out.is_empty() {
        out.push_str(&nothing(matrix));
        out.push('\n');
    }
    if let Some(note) = folded(matrix) {
        out.push_str(&format!("{}\n", super::markdown::text(&note)));
    }
    if let Some(open) = uncompared(matrix) {
        out.push_str(&super::markdown::text(&open));
        out.push('\n');
    }
    out
}

/// One table for spreadsheets: fields, and behind them instances.
pub fn table(matrix: &Matrix) -> Table {
    let mut table = values(matrix, matrix.rows.iter());
    table.rows.extend(instances(matrix).rows);
    table
}

fn keys_of(all: &Option<Vec<Instance>>) -> Option<Vec<&str>> {
    all.as_ref().map(|all| all.iter().map(|one| one.keys.as_str()).collect())
}

fn head(first: &str, matrix: &Matrix) -> Vec<String> {
    std::iter::once(first.to_owned())
        .chain(matrix.environments.iter().map(|e| one_line(e).into_owned()))
        .collect()
}

fn values<'m>(matrix: &'m Matrix, rows: impl Iterator<Item = &'m Row>) -> Table {
    let own = |one: &Row| row(&one.field, one.cells.iter().map(|cell| cell.text()).collect());
    Table { head: head("field", matrix), rows: rows.map(own).collect() }
}

fn instances(matrix: &Matrix) -> Table {
    let own = |one: &Instances| row(&one.address, one.cells.iter().map(shown_instances).collect());
    Table { head: head("instances", matrix), rows: matrix.instances.iter().map(own).collect() }
}

/// A row; what differs from most is strong.
fn row(name: &str, texts: Vec<String>) -> Vec<Entry> {
    let common = most_common(&texts).map(str::to_owned);
    let cell = |text: String| Entry { strong: Some(&text) != common.as_ref(), text };
    std::iter::once(Entry::plain(name)).chain(texts.into_iter().map(cell)).collect()
}

fn shown_instances(all: &Option<Vec<Instance>>) -> String {
    match keys_of(all).as_deref() {
        None => "(not known)".to_owned(),
        Some([]) => "—".to_owned(),
        Some([""]) => "1".to_owned(),
        Some(keys) => format!("{}: {}", keys.len(), keys.join(", ")),
    }
}

/// Returns the text that most environments show, the first of equals. It stays plain, so that the others stand out.
fn most_common(texts: &[String]) -> Option<&str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    texts.iter().for_each(|text| *counts.entry(text).or_default() += 1);
    let most = counts.values().copied().max()?;
    texts.iter().map(String::as_str).find(|text| counts.get(text) == Some(&most))
}

/// Terraform's errors, each with the first environment that has it.
fn errors(matrix: &Matrix) -> impl Iterator<Item = (&str, &Arc<str>, &str)> {
    matrix.rows.iter().filter_map(|row| {
        let mut cells = row.cells.iter().zip(&matrix.environments);
        cells.find_map(|(cell, env)| Some((row.field.as_str(), env, cell.error()?)))
    })
}

#[cfg(test)]
mod tests;
