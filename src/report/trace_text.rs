//! Traces for people: a table of branches, and how each value came about.

use super::formats::escaped;
use super::outcome::line_of;
use super::wrap::paragraph;
use super::{Found, Row, Style, TraceReport};
use crate::issue::Code;
use crate::text::Sources;
use std::collections::BTreeMap;

/// One trace in full.
pub fn full(report: &TraceReport, sources: &Sources, style: Style) -> String {
    let name = style.strong(&report.field);
    match &report.found {
        Found::Resolved(only) => {
            let mut out = format!("{name}: always {}\n\n", only.text);
            path(only, sources, style, &mut out);
            out
        }
        Found::Bounded { selector, rows } => {
            let by = selector.as_ref().map_or_else(String::new, |s| format!(", chosen by {}", flat(s)));
            let values = if rows.len() == 1 {
                "1 value or an error".to_owned()
            } else {
                format!("{} values", rows.len())
            };
            let mut out = format!("{name}: {values}{by}\n\n");
            out.push_str(&table(rows, sources, style));
            for row in rows {
                out.push_str(&format!("\n  {}\n", style.strong(&row.text)));
                path(row, sources, style, &mut out);
            }
            out
        }
        Found::Unbounded { code, why, place, fixes } => {
            let at = place.and_then(|p| line_of(sources, p)).map_or_else(String::new, |l| format!(" at {l}"));
            let mut out = format!("{name}: unbounded ({code}){at}\n\n{}", paragraph(&capital(why), "  "));
            for fix in fixes {
                out.push_str(&format!("\n  - {}\n", fix.title));
                out.push_str(&super::wrap::indented(&fix.paste, "      "));
            }
            out
        }
        Found::Error(e) => {
            let at =
                e.place.and_then(|p| line_of(sources, p)).map_or_else(String::new, |l| format!(" at {l}"));
            format!("{name}: {}{at}\n\n{}", style.error("error"), paragraph(&e.message, "  "))
        }
    }
}

/// One trace in a line.
pub fn line(report: &TraceReport, style: Style) -> String {
    let what = match &report.found {
        Found::Resolved(only) => format!("resolved   {}", only.text),
        Found::Bounded { rows, .. } => {
            let values: Vec<&str> = rows.iter().map(|r| r.text.as_str()).collect();
            format!("bounded    {}", values.join(" | "))
        }
        Found::Unbounded { code, .. } => format!("unbounded  {code}"),
        Found::Error(e) => format!("{}      {}", style.error("error"), flat(&e.message)),
    };
    format!("{}\n  {}\n", style.strong(&report.field), shortened(&what, 160))
}

/// How many traces gave what: by result, and by `result: code`. Takes what [`TraceReport::kind`] says of each.
pub fn counts(kinds: impl Iterator<Item = (&'static str, Option<Code>)>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (kind, code) in kinds {
        *counts.entry(kind.to_owned()).or_insert(0) += 1;
        if let Some(code) = code {
            *counts.entry(format!("{kind}: {code}")).or_insert(0) += 1;
        }
    }
    counts
}

/// The counts for people.
pub fn summary(kinds: &[(&'static str, Option<Code>)], style: Style) -> String {
    let mut out = format!("\n{}\n", style.strong(&format!("{} arguments", kinds.len())));
    for (what, number) in counts(kinds.iter().copied()) {
        let indent = if what.contains(':') { "    " } else { "  " };
        out.push_str(&format!("{indent}{number:>6}  {what}\n"));
    }
    out
}

/// Traces as Markdown tables.
pub fn markdown(reports: &[TraceReport], sources: &Sources) -> String {
    let code = |t: &str| format!("`{}`", flat(t).replace('|', "\\|").replace('`', "'"));
    let mut out = String::new();
    for report in reports {
        out.push_str(&format!("### {}\n\n", code(&report.field)));
        let rows: &[Row] = match &report.found {
            Found::Resolved(row) => std::slice::from_ref(row),
            Found::Bounded { rows, .. } => rows,
            Found::Unbounded { code: kind, why, .. } => {
                out.push_str(&format!("Unbounded (`{kind}`): {}\n\n", escaped(&capital(why))));
                continue;
            }
            Found::Error(e) => {
                out.push_str(&format!("Error: {}\n\n", escaped(&e.message)));
                continue;
            }
        };
        out.push_str("| Value | When | From |\n|---|---|---|\n");
        for row in rows {
            let from = row.path.iter().rev().find_map(|(_, place)| line_of(sources, (*place)?));
            let from = from.map_or_else(String::new, |f| code(&f));
            out.push_str(&format!("| {} | {} | {from} |\n", code(&row.text), code(&row.gate)));
        }
        out.push('\n');
    }
    out
}

fn table(rows: &[Row], sources: &Sources, style: Style) -> String {
    let cells: Vec<[String; 3]> = rows
        .iter()
        .map(|row| {
            let scope = if row.scope.is_empty() { String::new() } else { format!("  (in {})", row.scope) };
            let from = row.path.iter().rev().find_map(|(_, place)| line_of(sources, (*place)?));
            [row.text.clone(), format!("{}{scope}", flat(&row.gate)), from.unwrap_or_default()]
        })
        .collect();
    let width = |at: usize, head: &str| {
        let cells = cells.iter().filter_map(|c| c.get(at)).map(|c| c.chars().count());
        cells.chain([head.len()]).max().unwrap_or(0)
    };
    let (value, gate) = (width(0, "VALUE"), width(1, "WHEN"));
    let mut out = format!("  {}\n", style.faint(&format!("{:value$}  {:gate$}  FROM", "VALUE", "WHEN")));
    for [v, g, from] in &cells {
        out.push_str(format!("  {v:value$}  {g:gate$}  {from}").trim_end());
        out.push('\n');
    }
    out
}

fn path(row: &Row, sources: &Sources, style: Style, out: &mut String) {
    let places: Vec<String> =
        row.path.iter().map(|(_, p)| p.and_then(|p| line_of(sources, p)).unwrap_or_default()).collect();
    let width = places.iter().map(|p| p.chars().count()).max().unwrap_or(0);
    for ((text, _), place) in row.path.iter().zip(&places) {
        out.push_str(&format!(
            "    {}  {}\n",
            style.faint(&format!("{place:width$}")),
            flat(&text.to_string())
        ));
    }
}

/// On one line.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most).chain(['…']).collect()
}

/// With a capital, unless it begins with an address or code.
fn capital(text: &str) -> String {
    if text.split(' ').next().is_some_and(|w| w.contains(['.', '_', '`', '"'])) {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}
