//! A matrix as JSON, a public contract, and as tables.

use super::Style;
use super::table::{Entry, Table, page};
use crate::matrix::{Cell, Instance, Instances, Matrix, Row};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// `{"format_version", "environments", "rows", "instances"}`
pub fn document(matrix: &Matrix) -> String {
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
    let rows: Vec<Json> =
        matrix.rows.iter().map(|row| json!({"field": row.field, "cells": cells(row)})).collect();
    let instances: Vec<Json> =
        matrix.instances.iter().map(|i| json!({"address": i.address, "cells": keys(i)})).collect();
    let environments: Vec<&str> = matrix.environments.iter().map(|e| &**e).collect();
    let whole = json!({
        "format_version": "1.0",
        "environments": environments,
        "rows": rows,
        "instances": instances,
    });
    let text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text + "\n"
}

/// For people, within so many columns of a terminal.
pub fn text(matrix: &Matrix, width: Option<usize>, style: Style) -> String {
    let mut out = String::new();
    if !matrix.rows.is_empty() {
        out.push_str(&values(matrix).text(width, style));
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
        out.push_str("No field and no instance differs between environments.\n");
    }
    out
}

/// For a comment.
pub fn markdown(matrix: &Matrix) -> String {
    let mut out = String::new();
    if !matrix.rows.is_empty() {
        out.push_str(&values(matrix).markdown());
        out.push('\n');
    }
    if !matrix.instances.is_empty() {
        out.push_str(&instances(matrix).markdown());
        out.push('\n');
    }
    if out.is_empty() {
        out.push_str("No field and no instance differs between environments.\n");
    }
    out
}

/// One table: fields, and behind them instances.
pub fn csv(matrix: &Matrix) -> String {
    let mut table = values(matrix);
    table.rows.extend(instances(matrix).rows);
    table.csv()
}

/// A page.
pub fn html(matrix: &Matrix) -> String {
    let mut body = values(matrix).html();
    if !matrix.instances.is_empty() {
        body.push_str(&instances(matrix).html());
    }
    page("Fields by environment", &body)
}

fn keys_of(all: &Option<Vec<Instance>>) -> Option<Vec<&str>> {
    all.as_ref().map(|all| all.iter().map(|one| one.keys.as_str()).collect())
}

fn head(first: &str, matrix: &Matrix) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(matrix.environments.iter().map(|e| e.to_string())).collect()
}

fn values(matrix: &Matrix) -> Table {
    let row = |row: &Row| {
        let common = most_common(&row.cells);
        let cells = row.cells.iter().map(|cell| Entry { text: cell.text(), strong: Some(cell) != common });
        std::iter::once(Entry::plain(row.field.clone())).chain(cells).collect()
    };
    Table { head: head("field", matrix), rows: matrix.rows.iter().map(row).collect() }
}

fn instances(matrix: &Matrix) -> Table {
    let shown = |all: &Option<Vec<Instance>>| match keys_of(all).as_deref() {
        None => "(not known)".to_owned(),
        Some([]) => "—".to_owned(),
        Some([""]) => "1".to_owned(),
        Some(keys) => format!("{}: {}", keys.len(), keys.join(", ")),
    };
    let row = |one: &Instances| {
        let common = most_common(&one.cells);
        let cells = one.cells.iter().map(|keys| Entry { text: shown(keys), strong: Some(keys) != common });
        std::iter::once(Entry::plain(one.address.clone())).chain(cells).collect()
    };
    Table { head: head("instances", matrix), rows: matrix.instances.iter().map(row).collect() }
}

/// What most environments have, so that what differs stands out; the first of what equally many have.
fn most_common<T: PartialEq>(cells: &[T]) -> Option<&T> {
    let count = |one: &T| cells.iter().filter(|other| *other == one).count();
    let mut best: Option<(&T, usize)> = None;
    for cell in cells {
        let n = count(cell);
        if best.is_none_or(|(_, most)| n > most) {
            best = Some((cell, n));
        }
    }
    best.map(|(cell, _)| cell)
}

/// Terraform's errors, each with the first environment that has it.
fn errors(matrix: &Matrix) -> Vec<(&str, &Arc<str>, String)> {
    fn first(cell: &Cell) -> Option<&str> {
        match cell {
            Cell::Error(text) => Some(text),
            Cell::Instances(all) => all.values().find_map(first),
            _ => None,
        }
    }
    let mut out: Vec<(&str, &Arc<str>, String)> = Vec::new();
    for row in &matrix.rows {
        let found = row.cells.iter().zip(&matrix.environments).find_map(|(c, e)| Some((e, first(c)?)));
        out.extend(found.map(|(env, error)| (row.field.as_str(), env, error.to_owned())));
    }
    out
}

#[cfg(test)]
mod tests;
