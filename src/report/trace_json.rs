//! Traces as JSON: a public contract (`format_version` 1.0).

use super::{Found, Row, TraceReport};
use crate::issue::Fix;
use crate::text::{Place, Sources};
use serde_json::{Map, Value as Json, json};

/// `{"format_version": "1.0", "traces": [T…]}`; with `summary`, the counts by result and code besides.
pub fn document(reports: &[TraceReport], sources: &Sources, summary: bool) -> Json {
    let traces: Vec<Json> = reports.iter().map(|r| trace(r, sources)).collect();
    let mut document = json!({ "format_version": "1.0", "traces": traces });
    if summary && let Some(map) = document.as_object_mut() {
        let counts = super::trace_text::counts(reports);
        map.insert("summary".into(), counts.into_iter().map(|(k, n)| (k, Json::from(n))).collect());
    }
    document
}

/// One trace.
pub fn trace(report: &TraceReport, sources: &Sources) -> Json {
    let mut map = Map::new();
    let mut put = |key: &str, value: Json| {
        map.insert(key.to_owned(), value);
    };
    put("field", report.field.as_str().into());
    put("result", report.kind().0.into());
    match &report.found {
        Found::Resolved(only) => {
            put("value", only.value.clone());
            put("branches", vec![row(only, sources)].into());
        }
        Found::Bounded { selector, rows } => {
            put("selector", selector.clone().into());
            put("branches", rows.iter().map(|r| row(r, sources)).collect::<Vec<_>>().into());
        }
        Found::Unbounded { code, why, place, fixes } => {
            put("reason", why.as_str().into());
            put("code", code.name().into());
            put("source_span", span(*place, sources));
            put("fixes", fixes.iter().map(fix).collect::<Vec<_>>().into());
        }
        Found::Error(e) => {
            put("error", e.message.to_string().into());
            put("source_span", span(e.place, sources));
        }
    }
    Json::Object(map)
}

/// What Terraform itself would reject.
pub fn rejected(message: &str) -> Json {
    json!({ "result": "error", "error": message })
}

fn row(row: &Row, sources: &Sources) -> Json {
    let path: Vec<&str> = row.path.iter().map(|(text, _)| text.as_str()).collect();
    json!({
        "value": row.value,
        "condition": row.condition,
        "gate": row.gate,
        "scope": row.scope,
        "trace_path": path,
        "source_span": sources.span_text(row.block),
    })
}

fn span(place: Option<Place>, sources: &Sources) -> Json {
    place.map(|p| sources.span_text(p)).filter(|s| !s.is_empty()).into()
}

fn fix(fix: &Fix) -> Json {
    if fix.paste.is_empty() {
        fix.title.as_str().into()
    } else {
        format!("{}\n{}", fix.title, fix.paste).into()
    }
}
