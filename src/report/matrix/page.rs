//! A matrix as a page.

use super::most_common;
use crate::issue::Code;
use crate::matrix::{Cell, Instance, Matrix};
use crate::report::html::{Fact, Item, Page, Rows, Tone, escaped, section};
use std::sync::Arc;

/// The page.
pub fn page(matrix: &Matrix) -> Page {
    let mut body = String::new();
    if !matrix.rows.is_empty() {
        body.push_str(&section("", "Fields", &fields(matrix).html()));
    }
    if !matrix.instances.is_empty() {
        body.push_str(&section("", "Instances", &instances(matrix).html()));
    }
    if body.is_empty() {
        body.push_str(&format!("<p class=\"empty\">{}</p>\n", escaped(&super::nothing(matrix))));
    }
    let lead = match matrix.environments.len() {
        0 | 1 => "What each field is, without starting Terraform.".to_owned(),
        n => format!("What each field is in {n} environments. What differs from most of them is marked."),
    };
    Page { command: "matrix", title: "Fields by environment".to_owned(), lead, facts: facts(matrix), body }
}

fn facts(matrix: &Matrix) -> Vec<Fact> {
    let fact = |tone, count, one, several| Fact { tone, count, what: [one, several] };
    let errors = matrix.rows.iter().filter(|row| row.cells.iter().any(|cell| is_error(cell))).count();
    let mut out = vec![
        fact(Tone::Plain, matrix.environments.len(), "environment", "environments"),
        fact(Tone::Plain, matrix.rows.len(), "field", "fields"),
        fact(
            Tone::Plain,
            matrix.rows.iter().filter(|row| row.differs()).count(),
            "field differs",
            "fields differ",
        ),
        fact(Tone::Plain, matrix.instances.len(), "resource or data source", "resources and data sources"),
    ];
    if errors > 0 {
        out.insert(0, fact(Tone::Destroy, errors, "field with an error", "fields with errors"));
    }
    out
}

fn is_error(cell: &Cell) -> bool {
    match cell {
        Cell::Error(_) => true,
        Cell::Instances(all) => all.values().any(is_error),
        _ => false,
    }
}

fn table(caption: &str, first: &str, matrix: &Matrix) -> Rows {
    let environments = matrix.environments.iter().map(|name| &**name);
    Rows::of(caption, std::iter::once(first).chain(environments))
}

fn fields(matrix: &Matrix) -> Rows {
    let mut rows = table("Fields", "field", matrix);
    rows.rows = matrix.rows.iter().map(|row| one(&row.field, &row.cells)).collect();
    rows
}

fn one(field: &str, cells: &[Arc<Cell>]) -> Vec<Item> {
    let texts: Vec<String> = cells.iter().map(|cell| cell.text()).collect();
    let common = most_common(&texts).map(str::to_owned);
    let item = |(cell, text): (&Arc<Cell>, String)| match &**cell {
        Cell::Absent => Item::None,
        Cell::Error(why) => Item::Why(Tone::Destroy, text, why.clone()),
        Cell::Unbounded { code: Code::ApplyTimeValue, reason } => {
            Item::Why(Tone::Plain, "known after apply".into(), reason.clone())
        }
        Cell::Unbounded { reason, .. } => Item::Why(Tone::Replace, "not known".into(), reason.clone()),
        _ if Some(&text) == common.as_ref() => Item::Code(text),
        _ => Item::Marked(text),
    };
    let name = Item::Code(field.to_owned());
    std::iter::once(name).chain(cells.iter().zip(texts.clone()).map(item)).collect()
}

fn instances(matrix: &Matrix) -> Rows {
    let mut rows = table("Instances", "instances", matrix);
    let shown = |all: &Option<Vec<Instance>>| super::shown_instances(all);
    rows.rows = matrix
        .instances
        .iter()
        .map(|one| {
            let texts: Vec<String> = one.cells.iter().map(shown).collect();
            let common = most_common(&texts).map(str::to_owned);
            let item = |text: String| match text.as_str() {
                "—" if Some(&text) == common.as_ref() => Item::None,
                _ if Some(&text) == common.as_ref() => Item::Code(text),
                _ => Item::Marked(text),
            };
            std::iter::once(Item::Code(one.address.clone()))
                .chain(texts.clone().into_iter().map(item))
                .collect()
        })
        .collect();
    rows
}
