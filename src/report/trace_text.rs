//! Traces for people: a table of branches, and how each value came about.

use super::markdown::{self, cell, code};
use super::outcome::line_of;
use super::way::{self, Hop, WIDEST};
use super::wrap::{capital, flat, paragraph, shortened};
use super::{Found, Row, Style, TraceReport};
use crate::text::Sources;
use std::collections::BTreeMap;

/// One trace in full.
pub fn full(report: &TraceReport, sources: &Sources, style: Style) -> String {
    let name = style.strong(&report.field);
    match &report.found {
        Found::Resolved(only) => {
            let mut out = format!("{name}: always {}\n\n", shortened(&only.text(), 10 * WIDEST));
            way(&way::lines(only.path.iter(), sources), style, &mut out);
            out
        }
        Found::Bounded { selector, rows, fails } => {
            let by = selector.as_ref().filter(|_| rows.len() > 1);
            let by = by.map_or_else(String::new, |s| format!(", chosen by {}", way::brief(s)));
            let values = match rows.as_slice() {
                [only] => format!("1 value, and an error unless {}", way::condition(&only.gate)),
                rows if *fails => format!("{} values, and an error otherwise", rows.len()),
                rows => format!("{} values", rows.len()),
            };
            let rounded = report.rounded_from.as_ref();
            let rounded = rounded
                .map_or_else(String::new, |from| format!("; `{from}` is rounded up to the next of them"));
            let mut out = format!("{name}: {values}{by}{rounded}\n\n");
            out.push_str(&table((rows, *fails), sources, style));
            for (values, hops) in ways(rows, sources) {
                let values: Vec<String> =
                    values.iter().map(|v| style.strong(&shortened(v, WIDEST))).collect();
                out.push_str(&format!("\n  {}\n", values.join(", ")));
                way(&hops, style, &mut out);
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
        Found::Resolved(only) => format!("resolved   {}", only.text()),
        Found::Bounded { rows, .. } => {
            let values: Vec<String> = rows.iter().map(Row::text).collect();
            format!("bounded    {}", values.join(" | "))
        }
        Found::Unbounded { code, .. } => format!("unbounded  {code}"),
        Found::Error(e) => format!("{}      {}", style.error("error"), flat(&e.message)),
    };
    format!("{}\n  {}\n", style.strong(&report.field), shortened(&what, WIDEST))
}

/// The number of traces by result and by code.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    results: BTreeMap<&'static str, usize>,
    codes: BTreeMap<&'static str, usize>,
}

impl Tally {
    /// Counts one more.
    pub fn add(&mut self, report: &TraceReport) {
        let (kind, code) = report.kind();
        *self.results.entry(kind).or_insert(0) += 1;
        if let Some(code) = code {
            *self.codes.entry(code.name()).or_insert(0) += 1;
        }
    }

    /// Several as one.
    pub fn sum(tallies: impl IntoIterator<Item = Tally>) -> Tally {
        let mut sum = Tally::default();
        for tally in tallies {
            tally.results.into_iter().for_each(|(kind, n)| *sum.results.entry(kind).or_insert(0) += n);
            tally.codes.into_iter().for_each(|(code, n)| *sum.codes.entry(code).or_insert(0) += n);
        }
        sum
    }

    /// Returns the number of traces.
    pub fn total(&self) -> usize {
        self.results.values().sum()
    }

    /// By result, and by `unbounded: code`.
    pub fn counts(&self) -> impl Iterator<Item = (String, usize)> {
        let results = self.results.iter().map(|(kind, n)| ((*kind).to_owned(), *n));
        results.chain(self.codes.iter().map(|(code, n)| (format!("unbounded: {code}"), *n)))
    }

    /// The counts for people, the commonest code first.
    pub fn summary(&self, style: Style) -> String {
        let total = self.total();
        let mut out = format!("\n{}\n", style.strong(&format!("{total} arguments")));
        let share = |n: usize| format!("{:>3} %", (n * 100 + total / 2) / total.max(1));
        for kind in ["resolved", "bounded", "unbounded", "error"] {
            if let Some(n) = self.results.get(kind) {
                out.push_str(&format!("  {n:>6}  {}  {kind}\n", share(*n)));
            }
            if kind == "unbounded" {
                let mut codes: Vec<(&str, usize)> = self.codes.iter().map(|(c, n)| (*c, *n)).collect();
                codes.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
                for (code, n) in codes {
                    out.push_str(&format!("    {n:>6}  {}  {code}\n", share(n)));
                }
            }
        }
        out
    }
}

/// Traces as Markdown tables.
pub fn markdown(reports: &[TraceReport], sources: &Sources) -> String {
    let mut out = String::new();
    for report in reports {
        out.push_str(&format!("### {}\n\n", code(&report.field)));
        match &report.found {
            Found::Resolved(_) | Found::Bounded { .. } => {}
            Found::Unbounded { code: kind, why, .. } => {
                out.push_str(&format!("Unbounded (`{kind}`): {}\n\n", markdown::text(&capital(why))));
                continue;
            }
            Found::Error(e) => {
                out.push_str(&format!("Error: {}\n\n", markdown::text(&e.message)));
                continue;
            }
        }
        let (rows, fails) = (report.found.rows(), report.found.fails());
        out.push_str("| Value | When | From |\n|---|---|---|\n");
        for row in rows {
            let from = row.origin(sources);
            let from = from.map_or_else(String::new, |f| cell(&f));
            out.push_str(&format!(
                "| {} | {} | {from} |\n",
                cell(&row.text()),
                cell(&way::when(row, rows, fails))
            ));
        }
        if let Some(from) = &report.rounded_from {
            out.push_str(&format!("\n{} is rounded up to the next of these.\n", code(from)));
        }
        out.push('\n');
    }
    out
}

fn table((rows, fails): (&[Row], bool), sources: &Sources, style: Style) -> String {
    let cells: Vec<[String; 3]> = rows
        .iter()
        .map(|row| {
            let scope = if row.scope.is_empty() { String::new() } else { format!("  (in {})", row.scope) };
            let from = row.origin(sources);
            let value = shortened(&row.text(), WIDEST);
            [value, format!("{}{scope}", way::when(row, rows, fails)), from.unwrap_or_default()]
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

/// The values by the way they came, in the order of the table.
fn ways(rows: &[Row], sources: &Sources) -> Vec<(Vec<String>, Vec<Hop>)> {
    let mut out: Vec<(Vec<String>, Vec<Hop>)> = Vec::new();
    for row in rows {
        let hops = way::lines(row.path.iter(), sources);
        match out.iter_mut().find(|(_, known)| *known == hops) {
            Some((values, _)) => values.push(row.text()),
            None => out.push((vec![row.text()], hops)),
        }
    }
    out
}

pub(super) fn way(hops: &[Hop], style: Style, out: &mut String) {
    let width = hops.iter().map(|hop| hop.at.chars().count()).max().unwrap_or(0);
    for Hop { at, line } in hops {
        let line = format!("    {}  {}", style.faint(&format!("{at:width$}")), shortened(line, WIDEST));
        out.push_str(line.trim_end());
        out.push('\n');
    }
}
