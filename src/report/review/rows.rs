//! What differs in an environment as text and as Markdown: lines of what comes and goes, then values below what was edited.

use super::delta;
use super::folded::{Folded, Row};
use super::lines::Line;
use crate::report::Style;
use crate::report::markdown::text as escaped_text;
use crate::report::table::{Entry, Table};

fn head(names: [&str; 3]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// So many fields are named beside the first one of a row.
const NAMED: usize = 4;

/// For people, within so many columns of a terminal.
pub(super) fn text(folded: &Folded<'_>, width: Option<usize>, style: Style) -> String {
    let mut out = String::new();
    for Line { is_new, name, holds } in &folded.lines {
        let holds = if holds.is_empty() { String::new() } else { format!(" ({holds})") };
        let line = match is_new {
            true => style.added(&format!("  + {name}{holds}")),
            false => style.removed(&format!("  - {name}{holds}")),
        };
        out.push_str(&format!("{line}\n"));
    }
    if !folded.rows.is_empty() {
        out.push_str(&below_causes(folded).text(width, style));
    }
    if let Some(note) = folded.note() {
        out.push_str(&format!("{}\n", style.faint(&note)));
    }
    out
}

/// For a comment on a pull request.
pub(super) fn markdown(folded: &Folded<'_>) -> String {
    let mut out = String::new();
    if !folded.lines.is_empty() {
        out.push_str(&format!("{}\n", lines(folded).markdown()));
    }
    if !folded.rows.is_empty() {
        out.push_str(&format!("{}\n", values(folded).markdown()));
    }
    if let Some(note) = folded.note() {
        out.push_str(&format!("{}\n\n", escaped_text(&note)));
    }
    out
}

/// One table, in which what was edited stands above the rows that it changes.
fn below_causes(folded: &Folded<'_>) -> Table {
    let mut rows = Vec::new();
    let mut known = "";
    for row in &folded.rows {
        if row.cause != known {
            rows.push(vec![Entry { text: format!("from {}", row.cause), strong: true }]);
            known = &row.cause;
        }
        rows.push(cells(row));
        if let Some(others) = others(row) {
            rows.push(vec![Entry::plain(format!("  also {others}"))]);
        }
    }
    Table { head: head(["field", "before", "after"]), rows }
}

fn cells(row: &Row) -> Vec<Entry> {
    let (before, after) = delta::texts(&row.before, &row.after);
    vec![Entry::plain(row.field.clone()), Entry::plain(before), Entry { text: after, strong: true }]
}

/// The fields of a row behind the first.
fn others(row: &Row) -> Option<String> {
    let more = row.others.len().saturating_sub(NAMED);
    let mut named: Vec<String> = row.others.iter().take(NAMED).cloned().collect();
    if more > 0 {
        named.push(format!("and {more} more"));
    }
    (!named.is_empty()).then(|| named.join(", "))
}

/// A column behind the values: its name, and what stands in it.
type Column = (&'static str, fn(&Row) -> String);

/// The values with a column for what was edited, and for the other fields, where there is any.
pub(super) fn values(folded: &Folded<'_>) -> Table {
    let mut table =
        Table { head: head(["field", "before", "after"]), rows: folded.rows.iter().map(cells).collect() };
    let columns: [Column; 2] =
        [("from", |row| row.cause.clone()), ("also", |row| others(row).unwrap_or_default())];
    for (name, of) in columns {
        if folded.rows.iter().any(|row| !of(row).is_empty()) {
            table.head.push(name.to_owned());
            let cells = folded.rows.iter().map(|row| Entry::plain(of(row)));
            table.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
        }
    }
    table
}

/// What comes and goes.
fn lines(folded: &Folded<'_>) -> Table {
    let there = |is: bool| Entry::plain(if is { "there" } else { "—" });
    let row = |line: &Line| {
        let after = Entry { strong: true, ..there(line.is_new) };
        vec![Entry::plain(line.name.clone()), there(!line.is_new), after, Entry::plain(line.holds.clone())]
    };
    let mut table = Table {
        head: ["instance", "before", "after", "holds"].map(str::to_owned).to_vec(),
        rows: folded.lines.iter().map(row).collect(),
    };
    if folded.lines.iter().all(|line| line.holds.is_empty()) {
        table.head.pop();
        table.rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    table
}
