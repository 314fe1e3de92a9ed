//! Traces as JSON: a public contract (`format_version` 1.0).

use super::json_text::Pretty;
use super::trace_text::Tally;
use super::{Found, Row, TraceReport};
use crate::issue::{Code, Fix};
use crate::text::{Place, Sources};
use crate::trace::HopText;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Where the traces stand in a document.
const LEVEL: usize = 2;

/// `{"format_version": "1.0", "traces": [T…]}`
pub fn document(reports: &[TraceReport], sources: &Sources) -> String {
    let mut out = String::from(HEAD);
    for (at, report) in reports.iter().enumerate() {
        out.push_str(separator(at == 0));
        out.push_str(&member(report, sources));
    }
    out + &end(reports.is_empty(), None)
}

/// A document's text before its traces.
pub const HEAD: &str = "{\n  \"format_version\": \"1.0\",\n  \"traces\": [";

/// What stands before a trace.
pub fn separator(first: bool) -> &'static str {
    if first { "\n    " } else { ",\n    " }
}

/// A document's text behind its traces; with `summary`, the counts by result and code besides.
pub fn end(empty: bool, summary: Option<&Tally>) -> String {
    let mut out = String::from(if empty { "]" } else { "\n  ]" });
    if let Some(tally) = summary {
        let counts: BTreeMap<String, usize> = tally.counts().collect();
        out.push_str(",\n  \"summary\": ");
        out.push_str(&Pretty::text(&counts, 1));
    }
    out + "\n}\n"
}

/// One trace as it stands in a document.
pub fn member(report: &TraceReport, sources: &Sources) -> String {
    Pretty::text(&Traced { report, sources }, LEVEL)
}

/// One trace.
pub fn trace(report: &TraceReport, sources: &Sources) -> Json {
    serde_json::to_value(Traced { report, sources }).unwrap_or(Json::Null)
}

struct Traced<'a> {
    report: &'a TraceReport,
    sources: &'a Sources,
}

impl Serialize for Traced<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Traced { report, sources } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("field", &report.field)?;
        map.serialize_entry("result", report.kind().0)?;
        match &report.found {
            Found::Resolved(only) => {
                map.serialize_entry("value", only)?;
                map.serialize_entry("branches", &[Branch { row: only, sources }])?;
            }
            Found::Bounded { selector, rows } => {
                let rows: Vec<Branch<'_>> = rows.iter().map(|row| Branch { row, sources }).collect();
                map.serialize_entry("selector", selector)?;
                map.serialize_entry("branches", &rows)?;
            }
            Found::Unbounded { code, why, place, fixes } => {
                let fixes: Vec<String> = fixes.iter().map(fix).collect();
                map.serialize_entry("reason", why)?;
                map.serialize_entry("code", Code::name(*code))?;
                map.serialize_entry("source_span", &span(*place, sources))?;
                map.serialize_entry("fixes", &fixes)?;
            }
            Found::Error(e) => {
                map.serialize_entry("error", &*e.message)?;
                map.serialize_entry("source_span", &span(e.place, sources))?;
            }
        }
        map.end()
    }
}

struct Branch<'a> {
    row: &'a Row,
    sources: &'a Sources,
}

impl Serialize for Branch<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Branch { row, sources } = self;
        let path: Vec<Hop<'_>> = row.path.iter().map(|(text, _)| Hop(text)).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("value", row)?;
        map.serialize_entry("condition", &row.condition)?;
        map.serialize_entry("gate", &row.gate)?;
        map.serialize_entry("scope", &row.scope)?;
        map.serialize_entry("trace_path", &path)?;
        map.serialize_entry("source_span", &sources.span_text(row.block))?;
        map.end()
    }
}

struct Hop<'a>(&'a HopText);

impl Serialize for Hop<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

/// What Terraform itself would reject.
pub fn rejected(message: &str) -> Json {
    json!({ "result": "error", "error": message })
}

fn span(place: Option<Place>, sources: &Sources) -> Option<String> {
    place.map(|p| sources.span_text(p)).filter(|s| !s.is_empty())
}

fn fix(fix: &Fix) -> String {
    if fix.paste.is_empty() { fix.title.clone() } else { format!("{}\n{}", fix.title, fix.paste) }
}
