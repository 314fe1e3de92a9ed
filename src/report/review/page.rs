//! A review as a page: what goes first, then findings, then each environment.

use super::folded::{Folded, folded};
use super::lines::Line;
use super::together::{self, Group};
use super::{Shown, counted};
use crate::issue::Issue;
use crate::matrix::Cell;
use crate::matrix::review::{Action, Environment, PlanDifference, Planned};
use crate::report::html::{Fact, Item, Page, Rows, Tone, escaped, finding, group, section, tag};
use std::collections::BTreeMap;

/// The number of environments named in a heading.
const NAMED: usize = 6;

/// A field and its two values.
const VALUES: usize = 3;

/// The number of groups that are open when the page is loaded.
const OPEN: usize = 12;

/// The page.
pub fn page(shown: &Shown<'_>) -> Page {
    let review = shown.review;
    let findings = shown.issues();
    let groups = together::groups(review);
    let mut body = going(shown);
    if !findings.is_empty() {
        let all: String = findings.iter().map(|issue| finding(shown.failures.sources, issue)).collect();
        body.push_str(&section("findings", "Findings", &all));
    }
    let differs = groups.iter().filter(|group| !group.is_same);
    for (at, group) in differs.enumerate() {
        body.push_str(&environment(shown, group, at < OPEN));
    }
    if !review.specializations.is_empty() {
        body.push_str(&section(
            "",
            "Specializations",
            &Rows::of_table("Specializations", &super::specializations(review), Item::Old).html(),
        ));
    }
    for group in groups.iter().filter(|group| group.is_same) {
        let text = format!("<p data-row>{}</p>\n", escaped(&group.names()));
        let quiet = if shown.has_findings() { "No difference is shown in" } else { "Nothing differs in" };
        body.push_str(&section("quiet", quiet, &text));
    }
    if review.environments.is_empty() && findings.is_empty() {
        body.push_str("<p class=\"empty\">Nothing differs.</p>\n");
    }
    Page {
        command: "review",
        title: format!("Changes since {}", review.base),
        lead: lead(shown),
        facts: facts(shown, &findings),
        body,
    }
}

fn lead(shown: &Shown<'_>) -> String {
    let review = shown.review;
    let same = |e: &&Environment| together::is_same(e);
    let (all, same) = (review.environments.len(), review.environments.iter().filter(same).count());
    match (all, all - same) {
        (_, 0) if shown.has_findings() => "No difference is shown, and there are findings.".to_owned(),
        (_, 0) if !review.left_out.is_empty() => "Nothing differs of what was compared.".to_owned(),
        (1, 0) => "Nothing differs.".to_owned(),
        (1, _) => "What the change means.".to_owned(),
        (_, 0) => format!("Nothing differs in any of {all} environments."),
        (_, some) => {
            format!("What the change means in each environment: {some} of {all} differ.")
        }
    }
}

/// What plans do, with its tone and word.
const PLANNED: [(Tone, Action, &str); 4] = [
    (Tone::Destroy, Action::Delete, "destroyed"),
    (Tone::Replace, Action::Replace, "replaced"),
    (Tone::Change, Action::Update, "changed"),
    (Tone::Add, Action::Create, "created"),
];

fn facts(shown: &Shown<'_>, findings: &[Issue]) -> Vec<Fact> {
    let review = shown.review;
    let fact = |tone, count, one, several| Fact { tone, count, what: [one, several] };
    let mut out = Vec::new();
    if review.environments.iter().any(|env| env.plan.is_some()) {
        for (tone, action, what) in PLANNED {
            let made = review.environments.iter().filter_map(Environment::made);
            out.push(fact(tone, made.map(|made| made.count(action)).sum(), what, what));
        }
        let failed = review.environments.iter().filter(|env| env.is_unplanned()).count();
        if failed > 0 {
            out.push(fact(Tone::Destroy, failed, "environment not planned", "environments not planned"));
        }
    } else {
        let instances = |goes: bool| {
            review
                .environments
                .iter()
                .flat_map(|env| &env.instances)
                .filter(|(_, before, _)| *before == goes)
                .count()
        };
        out.push(fact(Tone::Destroy, instances(true), "instance goes", "instances go"));
        out.push(fact(Tone::Add, instances(false), "instance comes", "instances come"));
        let values = |env| folded(review, &Group::of(env), shown.is_whole).rows.len();
        let values = review.environments.iter().map(values).sum();
        out.push(fact(Tone::Change, values, "value changes", "values change"));
    }
    let open = review.environments.iter().map(|env| env.uncompared.len()).sum();
    out.push(fact(Tone::Replace, open, "argument not compared", "arguments not compared"));
    let stops = findings.iter().filter(|issue| issue.is_error()).count();
    let tone = if stops > 0 { Tone::Destroy } else { Tone::Replace };
    out.push(fact(tone, findings.len(), "finding", "findings"));
    out
}

/// The environments in which an object is destroyed or replaced, and the attributes that force the replacement.
#[derive(Default)]
struct Gone<'a> {
    environments: Vec<&'a str>,
    attributes: Vec<&'a str>,
}

/// Returns the list of objects that are destroyed or replaced in any environment. An environment without a plan adds the instances
/// that are gone.
fn going(shown: &Shown<'_>) -> String {
    let review = shown.review;
    let lines = |env| folded(review, &Group::of(env), shown.is_whole).lines;
    let named: BTreeMap<&str, Vec<Line>> =
        review.environments.iter().map(|env| (&*env.name, lines(env))).collect();
    // By what is done, address, and whether a plan says so.
    let mut all: BTreeMap<(Action, &str, bool), Gone<'_>> = BTreeMap::new();
    for env in &review.environments {
        let Some(made) = env.made() else {
            for line in named.get(&*env.name).into_iter().flatten().filter(|line| !line.is_new) {
                all.entry((Action::Delete, &line.name, false)).or_default().environments.push(&env.name);
            }
            continue;
        };
        let gone = made.resources.iter().filter(|r| matches!(r.after, Action::Delete | Action::Replace));
        for one in gone {
            let known = all.entry((one.after, &one.address, true)).or_default();
            known.environments.push(&env.name);
            let attributes = one.attributes.iter().filter(|_| one.after == Action::Replace);
            known.attributes.extend(attributes.map(String::as_str));
        }
    }
    if all.is_empty() {
        return String::new();
    }
    let is_planned = review.environments.iter().any(|env| env.made().is_some());
    let heading = if is_planned { "Destroyed or replaced" } else { "Instances that go" };
    let mut rows = Rows::of(heading, ["resource", "action", "environments", "attributes"]);
    for ((action, address, by_plan), Gone { environments, mut attributes }) in all {
        attributes.sort_unstable();
        attributes.dedup();
        let label = if by_plan { acted(action) } else { Item::Tag(Tone::Destroy, "goes".into()) };
        let attributes = if attributes.is_empty() { Item::None } else { Item::Code(attributes.join(", ")) };
        let environments = Item::Words(environments.join(", "));
        rows.rows.push(vec![Item::Code(address.to_owned()), label, environments, attributes]);
    }
    section("alarm", heading, &rows.html())
}

fn acted(action: Action) -> Item {
    let (tone, text) = match action {
        Action::Delete => (Tone::Destroy, "destroy"),
        Action::Replace => (Tone::Replace, "replace"),
        Action::Forget => (Tone::Replace, "forget"),
        Action::Update => (Tone::Change, "change"),
        Action::Create => (Tone::Add, "create"),
        Action::Read => (Tone::Plain, "read"),
        Action::NoOp => (Tone::Plain, "no change"),
        Action::Absent => return Item::None,
    };
    Item::Tag(tone, text.to_owned())
}

/// One environment, or several in which the same differs.
fn environment(shown: &Shown<'_>, differing: &Group<'_>, open: bool) -> String {
    let (env, names) = (differing.env, differing.names());
    let count = differing.count();
    let heading = if count > NAMED { format!("{count} environments") } else { names.clone() };
    let mut out = String::new();
    if count > NAMED {
        out.push_str(&format!("<p>{}</p>\n", escaped(&names)));
    }
    match &env.plan {
        Some(Planned::Made(made)) => out.push_str(&planned(made)),
        Some(Planned::Failed(why)) => {
            out.push_str(&format!(
                "<h3>Not planned</h3>\n<div class=\"finding\" data-row><pre>{}</pre></div>\n",
                escaped(why)
            ));
        }
        None => {}
    }
    let folded = folded(shown.review, differing, shown.is_whole);
    if !folded.lines.is_empty() {
        out.push_str(&format!("<h3>Instances</h3>\n{}", instances(&folded).html()));
    }
    if !folded.rows.is_empty() {
        out.push_str(&format!("<h3>Values</h3>\n{}", values(&folded).html()));
    }
    if let Some(note) = folded.note() {
        out.push_str(&format!("<p data-row>{}</p>\n", escaped(&note)));
    }
    for note in super::notes(env) {
        out.push_str(&format!("<p data-row>{}</p>\n", escaped(&note)));
    }
    group("", &names, &heading, &tags(env, folded.rows.len()), open, &out)
}

/// Returns the labels that a closed group shows.
fn tags(env: &Environment, values: usize) -> String {
    let mut counts: Vec<(Tone, usize, &str)> = Vec::new();
    if let Some(made) = env.made() {
        counts.extend(PLANNED.map(|(tone, action, what)| (tone, made.count(action), what)));
    } else {
        let going = env.instances.iter().filter(|(_, before, _)| *before).count();
        counts.push((Tone::Destroy, going, "gone"));
        counts.push((Tone::Add, env.instances.len() - going, "new"));
    }
    counts.push((Tone::Plain, values, if values == 1 { "value" } else { "values" }));
    counts.push((Tone::Replace, env.uncompared.len(), "not compared"));
    if env.is_unplanned() {
        counts.push((Tone::Destroy, 1, "not planned"));
    }
    let some = counts.iter().filter(|(_, count, _)| *count > 0);
    some.map(|(tone, count, what)| format!(" {}", tag(*tone, &format!("{count} {what}")))).collect()
}

fn planned(made: &PlanDifference) -> String {
    let mut out = format!("<p>{}</p>\n", escaped(&counted(made)));
    if !made.resources.is_empty() {
        let mut rows = Rows::of("What the plans do otherwise", ["resource", "before", "after", "attributes"]);
        let row = |r: &crate::matrix::review::ResourceDifference| {
            let attributes =
                if r.attributes.is_empty() { Item::None } else { Item::Code(r.attributes.join(", ")) };
            vec![Item::Code(r.address.clone()), acted(r.before), acted(r.after), attributes]
        };
        rows.rows = made.resources.iter().map(row).collect();
        out.push_str(&rows.html());
    }
    out.extend(super::outputs(made).map(|line| format!("<p data-row>{}</p>\n", escaped(&line))));
    if !made.text.trim().is_empty() {
        out.push_str(&format!(
            "<details class=\"plan\"><summary>terraform plan</summary>\n<pre tabindex=\"0\">{}</pre></details>\n",
            escaped(made.text.trim_end())
        ));
    }
    out
}

fn instances(folded: &Folded<'_>) -> Rows {
    let mut rows = Rows::of("Instances", ["instance", "change", "holds"]);
    let row = |line: &Line| {
        let label = match line.is_new {
            true => Item::Tag(Tone::Add, "comes".into()),
            false => Item::Tag(Tone::Destroy, "goes".into()),
        };
        let holds = if line.holds.is_empty() { Item::None } else { Item::Words(line.holds.clone()) };
        vec![Item::Code(line.name.clone()), label, holds]
    };
    rows.rows = folded.lines.iter().map(row).collect();
    if folded.lines.iter().all(|line| line.holds.is_empty()) {
        rows.columns.pop();
        rows.rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    rows
}

fn values(folded: &Folded<'_>) -> Rows {
    let rows = Rows::of_table("Values", &super::rows::values(folded), Item::Old);
    let cells = folded.rows.iter().map(|row| vec![row.before.clone(), row.after.clone()]);
    let mut rows = rows.with_cells(cells, |cell| match cell {
        Cell::Absent => Some(Item::None),
        Cell::Error(why) => Some(Item::Why(Tone::Destroy, "error".into(), why.clone())),
        _ => None,
    });
    // Behind the values stands what isn't a value.
    for item in rows.rows.iter_mut().flat_map(|row| row.iter_mut().skip(VALUES)) {
        if let Item::Old(text) = item {
            *item = Item::Words(std::mem::take(text));
        }
    }
    rows
}
