//! Traces as JSON: a public contract (`format_version` 1.0).

use super::json_text::Text;
use super::outcome::without;
use super::trace_text::Tally;
use super::{Found, Row, TraceReport};
use crate::cond::Condition;
use crate::issue::{Code, Fix};
use crate::matrix::shown;
use crate::text::{Place, Sources};
use crate::value::json::{Plain, reported_name};
use crate::value::{Data, Value};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The level of a trace in a document.
const LEVEL: usize = 2;

/// `{"format_version": "1.0", "traces": [T…]}`
pub fn document(reports: &[TraceReport], sources: &Sources) -> String {
    let mut out = String::from(HEAD);
    for (at, report) in reports.iter().enumerate() {
        out.push_str(separator(at == 0));
        push(&mut out, report, sources);
    }
    out + &end(reports.is_empty(), None)
}

/// A document's text before its traces.
pub const HEAD: &str = "{\n  \"format_version\": \"1.0\",\n  \"traces\": [";

/// Returns the text between two traces.
pub fn separator(first: bool) -> &'static str {
    if first { "\n    " } else { ",\n    " }
}

/// A document's text behind its traces; with `summary`, the counts by result and code besides.
pub fn end(empty: bool, summary: Option<&Tally>) -> String {
    let mut out = String::from(if empty { "]" } else { "\n  ]" });
    if let Some(tally) = summary {
        let counts: BTreeMap<String, usize> = tally.counts().collect();
        out.push_str(",\n  \"summary\": ");
        let mut text = Text::new(1);
        text.object(|text| {
            for (name, count) in &counts {
                text.member(name).scalar(count);
            }
        });
        out.push_str(&text.finished());
    }
    out + "\n}\n"
}

/// Writes one trace as it stands in a document.
pub fn push(out: &mut String, report: &TraceReport, sources: &Sources) {
    let mut text = Text::behind(std::mem::take(out), LEVEL);
    text.object(|text| write(text, report, sources));
    *out = text.finished();
}

/// One trace.
pub fn trace(report: &TraceReport, sources: &Sources) -> Json {
    let mut out = String::new();
    push(&mut out, report, sources);
    serde_json::from_str(&out).unwrap_or(Json::Null)
}

fn write(text: &mut Text, report: &TraceReport, sources: &Sources) {
    text.named("\"field\": ").string(&report.field);
    text.named("\"result\": ").string(report.kind().0);
    match &report.found {
        Found::Resolved(only) => {
            plain(text.named("\"value\": "), only);
            branches(text, std::slice::from_ref(&**only), sources);
        }
        Found::Bounded { selector, rows, .. } => {
            text.named("\"selector\": ").scalar(selector);
            if let Some(rounded) = &report.rounded_from {
                text.named("\"rounded_from\": ").string(rounded);
            }
            branches(text, rows, sources);
        }
        Found::Unbounded { code, why, place, fixes } => {
            text.named("\"reason\": ").string(why);
            text.named("\"code\": ").string(Code::name(*code));
            text.named("\"source_span\": ").scalar(&span(*place, sources));
            text.named("\"fixes\": ").list(fixes, |text, f| text.string(&fix(f)));
        }
        Found::Error(e) => {
            text.named("\"error\": ").string(&e.message);
            text.named("\"source_span\": ").scalar(&span(e.place, sources));
        }
    }
}

fn branches(text: &mut Text, rows: &[Row], sources: &Sources) {
    // The branches of a field stand in one block.
    let mut last: Option<(Place, String)> = None;
    text.named("\"branches\": ").list(rows, |text, row| {
        text.object(|text| {
            plain(text.named("\"value\": "), row);
            condition(text.named("\"condition\": "), &row.condition, &row.secrets);
            text.named("\"gate\": ").string(&row.gate);
            text.named("\"scope\": ").string(&row.scope);
            text.named("\"trace_path\": ").list(row.path.iter(), |text, (hop, _)| match hop.texts() {
                Some(texts) => text.joined(&texts),
                None => text.shown(hop),
            });
            let (_, span) = match last.take().filter(|(of, _)| *of == row.block) {
                Some(same) => last.insert(same),
                None => last.insert((row.block, sources.span_text(row.block))),
            };
            text.named("\"source_span\": ").string(span);
        });
    });
}

/// A branch's value as plain JSON; one that is secret or has marks shows only that. JSON has no infinite numbers: a value with
/// one is `{"infinite": true}`, with the value's text where one of these is negative.
fn plain(text: &mut Text, row: &Row) {
    match Plain::of(&row.given).filter(|_| !row.secret) {
        Some(_) => value(text, &row.given),
        None if !row.secret && row.given.is_plain() => {
            let shown = shown(&row.given);
            text.object(|text| {
                text.named("\"infinite\": ").scalar(&true);
                if shown.contains("(negative infinite") {
                    text.named("\"text\": ").string(&shown);
                }
            });
        }
        None => hidden(text),
    }
}

fn hidden(text: &mut Text) {
    text.object(|text| text.named("\"sensitive\": ").scalar(&true));
}

/// A value that has a plain form.
fn value(text: &mut Text, of: &Value) {
    match &of.data {
        Data::String(own) => text.string(own),
        Data::Seq(elements) => text.list(&**elements, value),
        Data::Map(entries) => text.object(|text| {
            for (name, entry) in &**entries {
                value(text.member(&reported_name(&of.data, name)), entry);
            }
        }),
        Data::Bool(_) | Data::Null | Data::Unknown(_) | Data::Number(_) => text.scalar(&Plain::of(of)),
    }
}

/// A condition without secret values.
pub(super) fn condition_of(of: &Condition) -> Json {
    let mut text = Text::new(0);
    condition(&mut text, of, &[]);
    serde_json::from_str(&text.finished()).unwrap_or(Json::Null)
}

/// A condition in the form of the trace contract: `{"existing": EXPR}`, `{"not": C}`, `{"and": [C, C]}`,
/// `{"or": [C, …]}`, `{"eq": [SELECTOR, V]}`. Conjunctions have two parts; longer ones nest to the right.
fn condition(text: &mut Text, of: &Condition, secrets: &[Value]) {
    text.object(|text| match of {
        Condition::Always => text.named("\"existing\": ").string("true"),
        Condition::Existing(site) if secrets.is_empty() => text.named("\"existing\": ").string(&site.text),
        Condition::Existing(site) => text.named("\"existing\": ").string(&without(&site.text, secrets)),
        Condition::Not(part) => condition(text.named("\"not\": "), part, secrets),
        Condition::Eq(site, constant) => text.named("\"eq\": ").list([None, Some(constant)], |text, part| {
            match part.map(|v| (v, Plain::of(v).filter(|_| !secrets.contains(v)))) {
                None => text.string(&site.text),
                Some((v, Some(_))) => value(text, v),
                Some((_, None)) => hidden(text),
            }
        }),
        Condition::Or(parts) => {
            text.named("\"or\": ").list(parts.iter(), |text, part| condition(text, part, secrets))
        }
        Condition::And(parts) => all(text, parts, secrets),
    });
}

/// The member that says that all of several parts hold.
fn all(text: &mut Text, parts: &[Arc<Condition>], secrets: &[Value]) {
    let [first, rest @ ..] = parts else { return text.named("\"existing\": ").string("true") };
    text.named("\"and\": ").list([true, false], |text, own| match rest {
        _ if own => condition(text, first, secrets),
        [last] => condition(text, last, secrets),
        more => text.object(|text| all(text, more, secrets)),
    });
}

/// Returns the entry of a field that Terraform rejects.
pub fn rejected(message: &str) -> Json {
    json!({ "result": "error", "error": message })
}

fn span(place: Option<Place>, sources: &Sources) -> Option<String> {
    place.map(|p| sources.span_text(p)).filter(|s| !s.is_empty())
}

fn fix(fix: &Fix) -> String {
    if fix.paste.is_empty() { fix.title.clone() } else { format!("{}\n{}", fix.title, fix.paste) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::addr::ModulePath;
    use crate::cond::{Binding, FormulaId, Meaning, Site};

    fn of(condition: &Condition, secrets: &[Value]) -> Json {
        let mut text = Text::new(0);
        super::condition(&mut text, condition, secrets);
        serde_json::from_str(&text.finished()).unwrap()
    }

    #[test]
    fn conditions_as_the_contract_has_them() {
        let site = |text: &str| Site {
            scope: ModulePath::ROOT,
            text: text.into(),
            binding: Binding::Primary,
            nullable: false,
            meaning: Meaning::Formula(FormulaId::TRUE),
        };
        let eq = |v: &str| Arc::new(Condition::Eq(site("var.env"), Value::string(v)));
        let flag = Arc::new(Condition::Existing(site("var.flag")));
        let not = Condition::negate(&eq("prod"));
        let all = Condition::all([flag, not, Condition::any([eq("a"), eq("b")])]);
        let expected = json!({"and": [
            {"existing": "var.flag"},
            {"and": [
                {"not": {"eq": ["var.env", "prod"]}},
                {"or": [{"eq": ["var.env", "a"]}, {"eq": ["var.env", {"sensitive": true}]}]},
            ]},
        ]});
        assert_eq!(of(&all, &[Value::string("b")]), expected);
        assert_eq!(of(&Condition::Always, &[]), json!({"existing": "true"}));
    }
}
