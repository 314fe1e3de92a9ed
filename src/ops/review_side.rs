//! `review --plan`: a plan of one side, by addresses of the original.
//!
//! In: a plan, what an address was in the original. Out: its changes, its outputs, what data sources answered, its text for people. Invariant: the text holds
//! nothing that the plan calls sensitive. Absent on purpose: how it was made.

use crate::specialise::moves::without_keys;
use crate::terraform::plan_json::{Change, Plan, ResourceChange, resources};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One plan that is to be made: its environment, and whether it is the head's.
pub(super) type Task = (Arc<str>, bool);

/// One side's plan, by addresses of the original.
pub(super) struct Side {
    pub changes: BTreeMap<String, ResourceChange>,
    pub outputs: BTreeMap<String, Change>,
    /// What data sources answered.
    pub answers: BTreeMap<String, Json>,
    pub text: String,
    /// What the state holds, by the addresses there, without keys.
    held: BTreeSet<String>,
    /// The objects in state that the committed file of moves leads elsewhere than this plan, each with where to.
    pub elsewhere: BTreeMap<String, String>,
}

impl Side {
    pub fn of(plan: Plan, text: String, back: &dyn Fn(&str) -> String) -> Side {
        let state = plan.prior_state.get("values").and_then(|values| values.get("root_module"));
        let answers = resources(state).into_iter().filter_map(|one| {
            let is_data = one.get("mode").and_then(Json::as_str) == Some("data");
            Some((back(one.get("address").filter(|_| is_data)?.as_str()?), one.get("values")?.clone()))
        });
        let held = plan.resource_changes.iter().filter(|change| !change.change.before.is_null());
        let held = held.map(|change| change.previous_address.as_ref().unwrap_or(&change.address));
        Side {
            elsewhere: BTreeMap::new(),
            held: held.map(|address| without_keys(address)).collect(),
            answers: answers.collect(),
            text: masked(&plan, text),
            outputs: plan.output_changes,
            changes: by_address(plan.resource_changes, back),
        }
    }
}

impl Side {
    /// Returns true if the state holds an object at an address, keys aside, or below it.
    pub fn holds(&self, address: &str) -> bool {
        let address = without_keys(address);
        let below = format!("{address}.");
        let next = self.held.range(below.clone()..).next();
        self.held.contains(&address) || next.is_some_and(|held| held.starts_with(&below))
    }
}

/// Changes by address; that of an object which is no longer current stands behind the current one's.
fn by_address(
    changes: Vec<ResourceChange>,
    back: &dyn Fn(&str) -> String,
) -> BTreeMap<String, ResourceChange> {
    let name = |change: &ResourceChange| match &change.deposed {
        Some(key) => format!("{} (deposed {key})", back(&change.address)),
        None => back(&change.address),
    };
    changes.into_iter().map(|change| (name(&change), change)).collect()
}

/// Terraform's text without what the plan calls sensitive somewhere: a provider's attribute may show it again unmarked, and a
/// review is read by more people than a log.
fn masked(plan: &Plan, text: String) -> String {
    let mut secrets = BTreeSet::new();
    for change in plan.resource_changes.iter().map(|c| &c.change) {
        secret_texts(&change.before, &change.before_sensitive, &mut secrets);
        secret_texts(&change.after, &change.after_sensitive, &mut secrets);
    }
    // Longer ones first, as one may hold another.
    let mut secrets: Vec<String> = secrets.into_iter().collect();
    secrets.sort_by_key(|s| std::cmp::Reverse(s.len()));
    secrets.iter().fold(text, |text, secret| {
        text.replace(&Json::from(secret.as_str()).to_string(), "(sensitive value)")
    })
}

/// The strings of a value that are marked, or lie in what is marked.
fn secret_texts(value: &Json, marks: &Json, out: &mut BTreeSet<String>) {
    let whole = marks == &Json::Bool(true);
    match value {
        Json::String(text) if whole && !text.is_empty() => {
            out.insert(text.clone());
        }
        Json::Array(items) => items.iter().enumerate().for_each(|(i, item)| {
            secret_texts(item, if whole { marks } else { marks.get(i).unwrap_or(&Json::Null) }, out);
        }),
        Json::Object(members) => members.iter().for_each(|(name, member)| {
            secret_texts(member, if whole { marks } else { marks.get(name).unwrap_or(&Json::Null) }, out);
        }),
        _ => {}
    }
}

/// Returns the unknown parts of a mask, without those that are known.
pub(super) fn unknown(mask: &Json) -> Json {
    match mask {
        Json::Bool(true) => Json::Bool(true),
        Json::Object(map) => {
            let left = map.iter().map(|(k, v)| (k.clone(), unknown(v))).filter(|(_, v)| !v.is_null());
            let left: serde_json::Map<String, Json> = left.collect();
            if left.is_empty() { Json::Null } else { Json::Object(left) }
        }
        Json::Array(items) => {
            let items: Vec<Json> = items.iter().map(unknown).collect();
            if items.iter().all(Json::is_null) { Json::Null } else { Json::Array(items) }
        }
        _ => Json::Null,
    }
}
