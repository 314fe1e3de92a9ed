//! A review as JSON, a public contract, and for people.

mod delta;
mod folded;
mod lines;
mod page;
mod rows;
mod together;

pub use page::page;

use super::document::Document;
use super::issue::{self, Format};
use super::markdown::{fenced, text as escaped_text};
use super::matrix::add_left_out;
use super::table::{Entry, Table};
use super::validate::{self, Report};
use super::{Group, Style};
use crate::issue::Issue;
use crate::matrix::review::{Counts, Environment, PlanDifference, Planned, Review, Specialization};
use crate::matrix::{Cell, shown_json};
use crate::text::one_line;
use crate::value::Value;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;

/// A review, and the head that its findings stand in.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The differences.
    pub review: &'a Review,
    /// The failures of the head among its findings.
    pub failures: Report<'a>,
    /// True if every row is shown, and nothing is folded.
    pub is_whole: bool,
}

impl Shown<'_> {
    /// Returns true if there is a finding of either kind.
    fn has_findings(&self) -> bool {
        !self.review.unable.is_empty() || !self.failures.found.failures.is_empty()
    }

    /// All findings as issues: those at which Terraform stops, then what can't be specialised.
    fn issues(&self) -> Vec<Issue> {
        let mut all = validate::issues(&self.failures);
        all.extend(self.review.unable.iter().cloned());
        all
    }

    fn rendered(&self, format: Format, issues: &[Issue], style: Style) -> String {
        issue::rendered(
            format,
            &[Group { dir: Path::new(""), issues, sources: self.failures.sources }],
            style,
        )
    }
}

/// `{"format_version", "base", "findings", "specializations", "environments"}`
pub fn object(shown: &Shown<'_>) -> Document {
    let review = shown.review;
    let mut findings = validate::findings(&shown.failures);
    findings.extend(review.unable.iter().map(|issue| unable(shown, issue)));
    let mut document = Document::from(json!({
        "format_version": "1.0",
        "base": review.base,
        "findings": findings,
        "specializations": review.specializations.iter().map(specialization).collect::<Vec<_>>(),
    }));
    document.add_items("environments", review.environments.iter().map(|env| environment(review, env)));
    add_left_out(&mut document, &review.left_out);
    document
}

/// Returns true if there is a difference or a finding.
pub fn says_anything(shown: &Shown<'_>) -> bool {
    let review = shown.review;
    !review.unable.is_empty()
        || !review.specializations.is_empty()
        || !shown.failures.found.failures.is_empty()
        || together::groups(review).iter().any(|group| !group.is_same)
}

/// A field that can't be specialised: no input shows it.
fn unable(shown: &Shown<'_>, issue: &Issue) -> Json {
    let error = format!("{}: {}", issue.summary, issue.why);
    json!({
        "field": issue.field,
        "severity": "error",
        "code": issue.code.name(),
        "error": error,
        "condition": null,
        "gate": null,
        "witness": null,
        "environments": [],
        "source_span": issue.place.map(|place| shown.failures.sources.span_text(place)),
    })
}

fn specialization(one: &Specialization) -> Json {
    let all = |values: &[Value]| values.iter().map(shown_json).collect::<Vec<_>>();
    json!({"unit": one.unit, "before": all(&one.before), "after": all(&one.after)})
}

fn environment(review: &Review, env: &Environment) -> Json {
    let folded = folded::folded(review, &together::Group::of(env), false);
    let value = |(field, old, new): &(String, Arc<Cell>, Arc<Cell>)| {
        let mut value = json!({"field": field, "before": old.json(), "after": new.json()});
        if let (Some(fold), Some(members)) = (folded.folds.get(&**field), value.as_object_mut()) {
            members.insert("folded".to_owned(), fold.name().into());
        }
        value
    };
    let values = env.values.iter().map(value);
    let instances = env.instances.iter();
    let instances =
        instances.map(|(a, before, after)| json!({"address": a, "before": before, "after": after}));
    let mut out = json!({
        "name": &*env.name,
        "values": values.collect::<Vec<_>>(),
        "instances": instances.collect::<Vec<_>>(),
        "plan": env.plan.as_ref().map(planned),
    });
    for (name, all) in [("uncompared", &*env.uncompared), ("may_go", env.may_go())] {
        if let (false, Some(members)) = (all.is_empty(), out.as_object_mut()) {
            members.insert(name.to_owned(), json!(all));
        }
    }
    out
}

fn planned(plan: &Planned) -> Json {
    match plan {
        Planned::Failed(why) => json!({"error": why}),
        Planned::Made(made) => json!(made),
    }
}

/// For people, within so many columns of a terminal.
pub fn text(shown: &Shown<'_>, width: Option<usize>, style: Style) -> String {
    let review = shown.review;
    let mut out = String::new();
    for group in together::groups(review) {
        let (env, names) = (group.env, group.names());
        if group.is_same {
            out.push_str(&format!("{}: {}\n\n", style.strong(&names), describe_same(shown, env)));
            continue;
        }
        out.push_str(&format!("{}\n", style.strong(&names)));
        if let Some(plan) = &env.plan {
            out.push_str(&plan_text(plan, width, style));
        }
        let folded = folded::folded(review, &group, shown.is_whole);
        out.push_str(&rows::text(&folded, width, style));
        if let Some(open) = left_open(env) {
            out.push_str(&format!("{} {open}\n", style.warning("not compared:")));
        }
        if let Some(may_go) = may_go(env) {
            out.push_str(&format!("{} {may_go}\n", style.warning("may go:")));
        }
        out.push('\n');
    }
    if !review.specializations.is_empty() {
        out.push_str(&format!(
            "{}\n{}\n",
            style.strong("specializations"),
            specializations(review).text(width, style)
        ));
    }
    out.push_str(&validate::text(&shown.failures, style));
    out.push_str(&shown.rendered(Format::Text, &review.unable, style));
    out
}

/// What is said where no difference is shown: with findings, no more than what was compared.
fn describe_same(shown: &Shown<'_>, env: &Environment) -> &'static str {
    match (shown.has_findings(), env.made()) {
        (false, _) if !shown.review.left_out.is_empty() => "nothing differs of what was compared",
        (false, _) => "nothing differs",
        (true, None) => "no value and no instance differs, and there are findings",
        (true, Some(_)) => "no value, no instance and no plan differs, and there are findings",
    }
}

/// For a comment on a pull request.
pub fn markdown(shown: &Shown<'_>) -> String {
    let review = shown.review;
    let mut out = format!("### Changes since {}\n\n", super::markdown::code(&review.base));
    out.push_str(&shown.rendered(Format::Markdown, &shown.issues(), Style::Plain));
    for group in together::groups(review) {
        let (env, names) = (group.env, group.names());
        if group.is_same {
            let names = super::markdown::plain_cell(&names);
            out.push_str(&format!("**{names}**: {}\n\n", describe_same(shown, env)));
            continue;
        }
        out.push_str(&format!("#### {}\n\n", escaped_text(&names)));
        if let Some(plan) = &env.plan {
            out.push_str(&plan_markdown(plan));
        }
        out.push_str(&rows::markdown(&folded::folded(review, &group, shown.is_whole)));
        for note in notes(env) {
            out.push_str(&format!("⚠️ {}\n\n", escaped_text(&note)));
        }
    }
    if !review.specializations.is_empty() {
        out.push_str(&format!("#### Specializations\n\n{}\n", specializations(review).markdown()));
    }
    out
}

/// The number of names in a list of fields or declarations.
const NAMED: usize = 12;

/// What could not be compared.
fn left_open(env: &Environment) -> Option<String> {
    let (what, verb) = match env.uncompared.len() {
        0 => return None,
        1 => ("1 argument".to_owned(), "depends"),
        all => (format!("{all} arguments"), "depend"),
    };
    // Where plans were made, they don't say it.
    let without = if env.made().is_some() { "" } else { " without --plan" };
    let names = named(&env.uncompared);
    Some(format!("{what} {verb} on what can't be read here, and can't be compared{without}: {names}"))
}

/// Of what instances may go.
fn may_go(env: &Environment) -> Option<String> {
    let what = match env.may_go().len() {
        0 => return None,
        1 => "1 declaration".to_owned(),
        all => format!("{all} declarations"),
    };
    Some(format!("{what} may lose instances: {}", named(env.may_go())))
}

/// Both, as sentences.
fn notes(env: &Environment) -> impl Iterator<Item = String> {
    left_open(env).into_iter().chain(may_go(env))
}

/// The first of some names.
fn named(all: &[String]) -> String {
    let names: Vec<String> = all.iter().take(NAMED).map(|name| one_line(name).into_owned()).collect();
    let more = if all.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", names.join(", "))
}

fn head(names: [&str; 3]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

fn specializations(review: &Review) -> Table {
    let all = |values: &[Value]| {
        let texts = values.iter().map(|v| crate::matrix::Cell::Resolved(v.clone()).text());
        texts.collect::<Vec<_>>().join(", ")
    };
    let row = |one: &Specialization| {
        vec![
            Entry::plain(one.unit.clone()),
            Entry::plain(all(&one.before)),
            Entry { text: all(&one.after), strong: true },
        ]
    };
    Table { head: head(["field", "before", "after"]), rows: review.specializations.iter().map(row).collect() }
}

fn counted(made: &PlanDifference) -> String {
    let one = |c: Counts| {
        format!(
            "{} to add, {} to change, {} to destroy, {} to replace",
            c.add, c.change, c.destroy, c.replace
        )
    };
    format!("Plan: {} (before: {}).", one(made.after), one(made.before))
}

fn resources(made: &PlanDifference) -> Table {
    let row = |r: &crate::matrix::review::ResourceDifference| {
        vec![
            Entry::plain(r.address.clone()),
            Entry::plain(r.before.name()),
            Entry { text: r.after.name().to_owned(), strong: true },
            Entry::plain(r.attributes.join(", ")),
        ]
    };
    let head = ["resource", "before", "after", "attributes"].map(str::to_owned).to_vec();
    Table { head, rows: made.resources.iter().map(row).collect() }
}

/// The outputs that end otherwise, in a line.
fn outputs(made: &PlanDifference) -> Option<String> {
    (!made.outputs.is_empty()).then(|| format!("Outputs that end otherwise: {}.", named(&made.outputs)))
}

fn plan_text(plan: &Planned, width: Option<usize>, style: Style) -> String {
    match plan {
        Planned::Failed(why) => format!("{} {}\n", style.warning("not planned:"), why.trim()),
        Planned::Made(made) => {
            let mut out = format!("{}\n", counted(made));
            if !made.resources.is_empty() {
                out.push_str(&resources(made).text(width, style));
            }
            out.extend(outputs(made).into_iter().map(|line| format!("{line}\n")));
            out
        }
    }
}

fn plan_markdown(plan: &Planned) -> String {
    match plan {
        Planned::Failed(why) => format!("⚠️ Not planned:\n\n{}", fenced("", why)),
        Planned::Made(made) => {
            let mut out = format!("{}\n\n", escaped_text(&counted(made)));
            if !made.resources.is_empty() {
                out.push_str(&format!("{}\n", resources(made).markdown()));
            }
            out.extend(outputs(made).into_iter().map(|line| format!("{}\n\n", escaped_text(&line))));
            if !made.text.trim().is_empty() {
                out.push_str(&format!(
                    "<details><summary>terraform plan</summary>\n\n{}</details>\n\n",
                    fenced("", &made.text)
                ));
            }
            out
        }
    }
}
