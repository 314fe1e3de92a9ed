//! A matrix as a page.

use crate::issue::Code;
use crate::matrix::{Cell, Matrix};
use crate::report::html::{Fact, Item, Page, Rows, Tone, escaped, section};

/// The page.
pub fn page(matrix: &Matrix) -> Page {
    let mut body = String::new();
    if matrix.read_rows().next().is_some() {
        body.push_str(&section("", "Fields", &fields(matrix).html()));
    }
    if !matrix.instances.is_empty() {
        body.push_str(&section(
            "",
            "Instances",
            &Rows::of_table("Instances", &super::instances(matrix), Item::Code).html(),
        ));
    }
    if let (Some(note), false) = (super::folded(matrix), body.is_empty()) {
        body.push_str(&format!("<p data-row>{}</p>\n", escaped(&note)));
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
    let errors = matrix.rows.iter().filter(|row| row.cells.iter().any(|cell| cell.error().is_some())).count();
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

fn fields(matrix: &Matrix) -> Rows {
    let rows = Rows::of_table("Fields", &super::values(matrix, matrix.read_rows()), Item::Code);
    rows.with_cells(matrix.read_rows().map(|row| row.cells.clone()), said)
}

/// What is said of a cell in place of its text.
fn said(cell: &Cell) -> Option<Item> {
    Some(match cell {
        Cell::Absent => Item::None,
        Cell::Error(why) => Item::Why(Tone::Destroy, "error".into(), why.clone()),
        Cell::Unbounded { code: Code::ApplyTimeValue, reason, .. } => {
            Item::Why(Tone::Plain, "known after apply".into(), reason.clone())
        }
        Cell::Unbounded { reason, .. } => Item::Why(Tone::Replace, "not known".into(), reason.clone()),
        Cell::Resolved(_) | Cell::Written(_) | Cell::Instances(_) | Cell::Marked(_) => return None,
    })
}
