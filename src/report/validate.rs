//! The inputs that make Terraform stop, for people and as JSON: a public contract (`format_version` 1.0).

use super::wrap::{capital, paragraph};
use super::{Style, excerpt, trace_json};
use crate::config::variables::VarArg;
use crate::issue::{Code, Issue};
use crate::matrix::shown_json;
use crate::text::{Sources, one_line, shell_word, visible};
use crate::trace::failures::{Failure, Found, Witness};
use crate::value::json::Plain;
use crate::value::{Value, hcl};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The number of environments named in one sentence.
const MOST_NAMES: usize = 6;

/// The number of values written out in a command.
const MOST_SET: usize = 4;

/// The findings of `validate`, and how they are shown.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The findings.
    pub found: &'a Found,
    /// The files.
    pub sources: &'a Sources,
    /// The arguments that give each environment's values.
    pub given: &'a BTreeMap<Arc<str>, Vec<VarArg>>,
    /// The number of environments looked at.
    pub environments: usize,
    /// True if environments are the deployments of a Stack, which no command plans.
    pub in_stack: bool,
    /// The directory that Terraform changes into.
    pub chdir: Option<&'a Path>,
    /// The program that plans here.
    pub program: &'a str,
}

/// Summary and detail of Terraform's message.
fn parts(failure: &Failure) -> (String, String) {
    let error = visible(&failure.error).into_owned();
    match error.split_once(": ") {
        Some((summary, detail)) if summary.len() <= 60 => (summary.to_owned(), detail.to_owned()),
        // A rule of which the message can't be shown.
        None if is_rule(&error) => (error, String::new()),
        _ => ("Error".to_owned(), error),
    }
}

/// The detail as a sentence; what a rule of the tree says stands as it is written.
fn worded(summary: &str, detail: String) -> String {
    if is_rule(summary) { detail } else { capital(&detail) }
}

/// Returns true if Terraform's summary says that a rule is false.
fn is_rule(summary: &str) -> bool {
    summary == "Invalid value for variable" || summary.ends_with("condition failed")
}

/// For people.
pub fn text(report: &Report<'_>, style: Style) -> String {
    let mut out = String::new();
    for failure in &report.found.failures {
        let (summary, detail) = parts(failure);
        let marker = if failure.stops() { style.error("⚠ Stops:") } else { style.warning("⚠ Warning:") };
        out.push_str(&format!("{marker} {}\n", style.strong(&one_line(&summary))));
        out.push_str(&format!("  {}\n", one_line(&failure.field)));
        out.push_str(&excerpt::excerpt(report.sources, failure.place, style));
        out.push_str(&format!("\n{}", paragraph(&worded(&summary, detail), "  ")));
        for note in notes(failure) {
            out.push_str(&paragraph(&note, "  "));
        }
        out.push_str(&format!("  {} {}\n", style.strong("Where:"), one_line(&where_it_is(report, failure))));
        out.push_str(&format!("  {}  {}\n\n", style.strong("Seen:"), one_line(&command(report, failure))));
    }
    out
}

fn notes(failure: &Failure) -> Vec<String> {
    let mut notes = Vec::new();
    if failure.warning {
        notes.push("Terraform goes on with a warning.".to_owned());
    }
    if failure.before_lazy {
        notes.push("Terraform 1.12 and later don't evaluate what `&&` and `||` don't need.".to_owned());
    }
    if failure.kept_out {
        notes.push("A rule keeps out what no environment asks for.".to_owned());
    }
    notes
}

/// For which inputs, in one line.
fn where_it_is(report: &Report<'_>, failure: &Failure) -> String {
    let everywhere = failure.environments.len() == report.environments;
    match (&*failure.gate, names(&failure.environments)) {
        ("true", _) if everywhere => "for every input".to_owned(),
        // Of secrets nothing more is said.
        ("true", Some(names)) => format!("in {names}"),
        ("true", None) => "for some input".to_owned(),
        (gate, Some(names)) if report.environments > 1 => format!("{gate} ({names})"),
        (gate, _) => gate.to_owned(),
    }
}

fn names(all: &[Arc<str>]) -> Option<String> {
    let shown: Vec<&str> = all.iter().take(MOST_NAMES).map(|n| &**n).collect();
    match all.len() {
        0 => None,
        n if n > MOST_NAMES => Some(format!("{} and {} more", shown.join(", "), n - MOST_NAMES)),
        _ => Some(shown.join(", ")),
    }
}

/// Returns the command that shows the failure in Terraform.
fn command(report: &Report<'_>, failure: &Failure) -> String {
    let witness = &failure.witness;
    let chdir = report.chdir.map(|dir| format!("{} ", shell_word(&format!("-chdir={}", dir.display()))));
    let base = witness.environment.as_ref().or(witness.beside.as_ref());
    let mut words = vec![match (report.in_stack, base) {
        (false, _) => format!("{} {}plan", report.program, chdir.unwrap_or_default()),
        (true, None) => "HCP's plan".to_owned(),
        (true, Some(name)) => format!("HCP's plan of the deployment {name}"),
    }];
    if &*witness.workspace != "default" && !report.in_stack {
        words.insert(0, format!("TF_WORKSPACE={}", shell_word(&witness.workspace)));
    }
    for arg in base.filter(|_| !report.in_stack).and_then(|name| report.given.get(name)).into_iter().flatten()
    {
        match arg {
            VarArg::File(file) => {
                words.push(format!("-var-file={}", shell_word(&file.display().to_string())))
            }
            VarArg::Var(text) => {
                let name = text.split('=').next().unwrap_or_default();
                let secret = witness.secret.iter().any(|s| **s == *name);
                let shown = if secret { format!("{name}=(sensitive)") } else { text.clone() };
                words.push(format!("-var {}", shell_word(&shown)));
            }
        }
    }
    let shown = |name: &&Arc<str>| witness.set.len() <= MOST_SET || !witness.open.contains(*name);
    for name in witness.set.iter().filter(shown) {
        if let Some(value) = witness.variables.get(name) {
            words.push(match value.is_null() {
                // `-var` takes the text "null" for a text.
                true => format!("-var-file=<(echo {})", shell_word(&format!("{name} = null"))),
                false => {
                    format!("-var {}", shell_word(&format!("{name}={}", argument(witness, name, value))))
                }
            });
        }
    }
    let mut command = words.join(" ");
    if witness.set.len() > MOST_SET && !witness.open.is_empty() {
        command.push_str(&format!(" (and values for {} variables without any)", witness.open.len()));
    }
    command
}

fn argument(witness: &Witness, name: &Arc<str>, value: &Value) -> String {
    if witness.secret.contains(name) {
        return "(sensitive)".to_owned();
    }
    match value.as_str() {
        Some(text) => text.to_owned(),
        None => hcl::to_hcl(value).unwrap_or_default(),
    }
}

/// Returns one line with the numbers of findings, expressions and environments.
pub fn summary(report: &Report<'_>) -> String {
    let found = report.found;
    let count = |one: &str, n: usize| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let seen =
        format!("{} in {}", count("expression", found.checked), count("environment", report.environments));
    let open = match found.undecided.len() {
        0 => String::new(),
        n => format!("; {n} not decided (-v lists them)"),
    };
    let stopping = found.failures.iter().filter(|f| f.stops()).count();
    let warnings = found.failures.len() - stopping;
    let warned = if warnings == 0 { String::new() } else { format!(", {}", count("warning", warnings)) };
    match stopping {
        0 => format!("no input makes Terraform stop{warned}: {seen}{open}"),
        n => format!("{} at which Terraform stops{warned}: {seen}{open}", count("place", n)),
    }
}

/// Returns the findings as issues, for scanners and comments.
pub fn issues(report: &Report<'_>) -> Vec<Issue> {
    let each = report.found.failures.iter().map(|failure| {
        let (summary, detail) = parts(failure);
        let said = notes(failure).join(" ");
        let detail = detail.trim_end();
        let end = if detail.ends_with(['.', '!', '?', ':']) { "" } else { "." };
        let why = format!(
            "{detail}{end} {said} Where: {}. Seen with: {}",
            where_it_is(report, failure),
            command(report, failure)
        );
        let why = why.replace("  ", " ");
        let issue = match failure.stops() {
            true => Issue::error(Code::Fails, summary, why),
            false => Issue::warning(Code::Fails, summary, why),
        };
        issue.at(failure.place).about(failure.field.clone())
    });
    each.collect()
}

/// The same as an object.
pub fn document(report: &Report<'_>) -> Json {
    json!({ "format_version": "1.0", "findings": findings(report), "undecided": report.found.undecided })
}

/// Returns the findings as JSON objects.
pub(super) fn findings(report: &Report<'_>) -> Vec<Json> {
    report.found.failures.iter().map(|f| finding(report, f)).collect()
}

fn finding(report: &Report<'_>, failure: &Failure) -> Json {
    let witness = &failure.witness;
    let mut variables = Map::new();
    for (name, value) in &witness.variables {
        let shown = Plain::of(value).filter(|_| !witness.secret.contains(name));
        let shown = shown.map(|_| shown_json(value));
        variables.insert(name.to_string(), shown.unwrap_or_else(|| json!({ "sensitive": true })));
    }
    let mut out = Map::new();
    out.insert("field".into(), failure.field.clone().into());
    out.insert("severity".into(), if failure.stops() { "error" } else { "warning" }.into());
    out.insert("error".into(), failure.error.clone().into());
    if failure.before_lazy {
        out.insert("terraform".into(), "< 1.12".into());
    }
    out.insert("condition".into(), trace_json::condition_of(&failure.condition));
    out.insert("gate".into(), failure.gate.clone().into());
    out.insert(
        "witness".into(),
        json!({
            "workspace": &*witness.workspace,
            "variables": variables,
            "environment": witness.environment.as_deref(),
        }),
    );
    out.insert("environments".into(), failure.environments.iter().map(|name| Json::from(&**name)).collect());
    out.insert("source_span".into(), report.sources.span_text(failure.place).into());
    Json::Object(out)
}
