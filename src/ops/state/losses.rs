//! Lists the objects of split units that a saved plan destroys or replaces, once Terraform has ended.
//!
//! In: the plan, and the decision behind it. Out: a [`Loss`] for each object, under the original's address. Invariant: sensitive
//! values are not shown. Absent on purpose: whether that is right; [`crate::ops::run::saved`] stops what must not happen.

use crate::addr::ObjectAddr;
use crate::ops::Start;
use crate::ops::run::decide::Decided;
use crate::ops::state::place::Placed;
use crate::report::issue::Format;
use crate::report::losses::{Act, Loss, text};
use crate::report::summary::Detail;
use crate::specialise::Active;
use crate::specialise::moves::originals;
use crate::terraform::plan_json::{Change, Plan, ResourceChange};
use crate::value::hcl::quote;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The paths of driven fields, by the address of the copy.
type Fields<'a> = BTreeMap<&'a str, Vec<Vec<String>>>;

/// Prints them, where findings go to people.
pub fn print(start: &Start, format: Format, (decided, placed): (&Decided, &Placed), plan: &Plan) {
    let all = losses(decided, placed, plan);
    if !all.is_empty() && start.tells(format) {
        let width = start.console.width().filter(|_| start.detail != Detail::Verbose);
        start.console.say(&text(&all, start.detail, width, start.console.err));
    }
}

/// In the plan's order, what is destroyed first.
fn losses(decided: &Decided, placed: &Placed, plan: &Plan) -> Vec<Loss> {
    let index = originals::Index::of(&decided.specialised.splits);
    let mut fields = Fields::new();
    for one in &decided.specialised.record.specializations {
        let path = originals::names(&one.source_field).iter().skip(2).map(ToString::to_string).collect();
        fields.entry(&one.address).or_default().push(path);
    }
    let one = |change: &ResourceChange| {
        let held = change.previous_address.as_ref().unwrap_or(&change.address);
        let through = [&change.address, held].map(|address| index.copies(address));
        let copies = through.into_iter().find(|copies| !copies.is_empty())?;
        Some(Loss {
            address: original_address(&index, placed, change),
            act: act(change)?,
            why: why((decided, &fields), change, &copies),
        })
    };
    let managed = plan.resource_changes.iter().filter(|c| c.mode == "managed" && c.deposed.is_none());
    let mut all: Vec<Loss> = managed.filter_map(one).collect();
    all.sort_by_key(|loss| loss.act);
    all
}

/// The object's address in the original. What state holds is known by its address there.
fn original_address(index: &originals::Index, placed: &Placed, change: &ResourceChange) -> String {
    let held = change.previous_address.as_ref().unwrap_or(&change.address).parse::<ObjectAddr>().ok();
    let end = held.and_then(|held| placed.ends.get(&held));
    end.map_or_else(|| index.original(&change.address), ToString::to_string)
}

fn act(change: &ResourceChange) -> Option<Act> {
    let has = |action: &str| change.change.actions.iter().any(|a| a == action);
    match (has("delete"), has("create")) {
        (true, true) => Some(Act::Replaced),
        (true, false) => Some(Act::Destroyed),
        (false, _) => None,
    }
}

/// Why, in the words of the original; nothing where Terraform gives no reason.
fn why(known: (&Decided, &Fields<'_>), change: &ResourceChange, copies: &[(usize, Active)]) -> String {
    let reason = match change.action_reason.as_deref().unwrap_or_default() {
        "replace_because_tainted" => "it is tainted",
        "replace_by_request" => "-replace asks for it",
        "replace_by_triggers" => "replace_triggered_by asks for it",
        "delete_because_no_resource_config" | "delete_because_no_module" => "it is no longer declared",
        "delete_because_wrong_repetition" => "count or for_each came or went",
        "delete_because_count_index" => "count has no such index any more",
        "delete_because_each_key" => "for_each has no such key any more",
        "delete_because_no_move_target" => "it moves to where nothing is declared",
        _ => return replaced(known, change, copies),
    };
    reason.to_owned()
}

/// The attributes that force a replacement, and what chose the copy where a driven field is among them.
fn replaced(
    (decided, fields): (&Decided, &Fields<'_>),
    change: &ResourceChange,
    copies: &[(usize, Active)],
) -> String {
    let paths: Vec<Vec<String>> = change.change.replace_paths.iter().map(path).collect();
    let changes: Vec<String> = paths.iter().map(|path| attribute(&change.change, path)).collect();
    let chosen = copies.iter().find_map(|(unit, active)| {
        let split = decided.specialised.splits.get(*unit)?;
        let (copy, address) = (active.copy?, split.addresses.get(active.copy?)?);
        let drives = |field: &Vec<String>| paths.iter().any(|p| field.starts_with(p) || p.starts_with(field));
        let drives = fields.get(address.as_str()).into_iter().flatten().any(drives);
        split.gates.get(copy).filter(|_| drives).map(crate::ops::run::summary::condition)
    });
    let since = chosen.map(|gate| format!(", since {gate}")).unwrap_or_default();
    format!("{}{since}", changes.join(", "))
}

fn path(steps: &Json) -> Vec<String> {
    let step = |step: &Json| step.as_str().map_or_else(|| step.to_string(), str::to_owned);
    steps.as_array().into_iter().flatten().map(step).collect()
}

/// `name: before → after`; without what is sensitive, and without a value that isn't known.
fn attribute(change: &Change, path: &[String]) -> String {
    let before = shown(&change.before, &change.before_sensitive, &Json::Null, path);
    let after = shown(&change.after, &change.after_sensitive, &change.after_unknown, path);
    format!("{}: {before} → {after}", path.join("."))
}

fn shown(value: &Json, sensitive: &Json, unknown: &Json, path: &[String]) -> String {
    if marked(sensitive, path) {
        return "(sensitive value)".to_owned();
    }
    if marked(unknown, path) {
        return "(known after apply)".to_owned();
    }
    match at(value, path) {
        Some(Json::String(text)) => quote(text),
        Some(other) => other.to_string(),
        None => "null".to_owned(),
    }
}

fn at<'j>(value: &'j Json, path: &[String]) -> Option<&'j Json> {
    path.iter().try_fold(value, |value, step| match value {
        Json::Array(all) => all.get(step.parse::<usize>().ok()?),
        other => other.get(step),
    })
}

/// Returns true if a mark stands at a path, on the way to it, or within what it leads to.
fn marked(marks: &Json, path: &[String]) -> bool {
    fn any(marks: &Json) -> bool {
        match marks {
            Json::Bool(mark) => *mark,
            Json::Array(all) => all.iter().any(any),
            Json::Object(all) => all.values().any(any),
            _ => false,
        }
    }
    let on_the_way =
        (0..path.len()).any(|n| at(marks, path.get(..n).unwrap_or_default()) == Some(&Json::Bool(true)));
    on_the_way || at(marks, path).is_some_and(any)
}
