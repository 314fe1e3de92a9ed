//! Two plans side by side: the same resources and outputs, with the same values and the same actions.
//!
//! In: the plan of the original tree, that of the specialised one, and the way back from its addresses. Out: what
//! differs, as two texts each. Invariant: no sensitive value stands in a text. Absent: moves, which are meant to differ.

use crate::specialise::guard;
use crate::specialise::moves::bounds;
use crate::terraform::plan_json::{Change, Plan, resources};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// The text of both plans for an address where they differ; `None` on the side that doesn't have it.
pub(super) struct Difference {
    /// The original's address.
    pub address: String,
    /// In the original's plan.
    pub original: Option<String>,
    /// In the specialised tree's plan.
    pub specialised: Option<String>,
}

/// The planned change of an address.
#[derive(PartialEq)]
struct Done {
    exact: Json,
    shown: String,
}

/// Returns the number of addresses compared, and the differences.
pub(super) fn compare(
    original: &Plan,
    specialised: &Plan,
    back: &dyn Fn(&str) -> String,
) -> (usize, Vec<Difference>) {
    let mut want = everything(original, &str::to_owned);
    let mut got = everything(specialised, back);
    // What is neither there nor made any more is no part of a plan.
    let names: Vec<String> = want.keys().chain(got.keys()).cloned().collect();
    let mut differences = BTreeMap::new();
    for address in &names {
        let (a, b) = (want.remove(address), got.remove(address));
        if a.is_none() && b.is_none() || a.as_ref().map(|d| &d.exact) == b.as_ref().map(|d| &d.exact) {
            continue;
        }
        let mut original = a.map(|d| d.shown);
        let specialised = b.map(|d| d.shown);
        if original == specialised {
            original = original.map(|t| format!("{t}a sensitive value, which is another one\n"));
        }
        let address = address.clone();
        differences.insert(address.clone(), Difference { address, original, specialised });
    }
    let mut unique = names;
    unique.sort();
    unique.dedup();
    (unique.len(), differences.into_values().collect())
}

fn everything(plan: &Plan, back: &dyn Fn(&str) -> String) -> BTreeMap<String, Done> {
    let mut all = BTreeMap::new();
    for change in &plan.resource_changes {
        let deposed = change.deposed.as_ref().map_or_else(String::new, |d| format!(" (deposed {d})"));
        let mut name = format!("{}{deposed}", back(&change.address));
        // Two objects under one address are a difference in themselves.
        while all.contains_key(&name) {
            name.push_str(" (once more)");
        }
        all.insert(name, done(&change.change));
    }
    let own = |name: &str| [guard::OUTPUT, bounds::OUTPUT].contains(&name);
    for (name, change) in plan.output_changes.iter().filter(|(name, _)| !own(name)) {
        all.insert(format!("output.{name}"), done(change));
    }
    let is_data = |r: &&Json| r.get("mode").and_then(Json::as_str) == Some("data");
    for resource in resources(plan.prior_state.pointer("/values/root_module")).into_iter().filter(is_data) {
        let address = resource.get("address").and_then(Json::as_str).unwrap_or_default();
        let part = |name: &str| resource.get(name).cloned().unwrap_or_default();
        let exact = json!({ "values": part("values"), "sensitive": part("sensitive_values") });
        let shown = text(&json!({ "values": masked(&part("values"), &part("sensitive_values")) }));
        all.insert(format!("{} (as it was read)", back(address)), Done { exact, shown });
    }
    all
}

fn done(change: &Change) -> Done {
    let entries = |before: Json, after: Json| {
        json!({
            "actions": change.actions,
            "before": before,
            "after": after,
            "known after apply": change.after_unknown,
            "sensitive before": change.before_sensitive,
            "sensitive after": change.after_sensitive,
            "replaced because of": change.replace_paths,
            "imported": change.importing,
        })
    };
    let (before, after) =
        (masked(&change.before, &change.before_sensitive), masked(&change.after, &change.after_sensitive));
    Done { exact: entries(change.before.clone(), change.after.clone()), shown: text(&entries(before, after)) }
}

/// A value with everything hidden that the mask says is sensitive.
fn masked(value: &Json, mask: &Json) -> Json {
    match (value, mask) {
        (_, Json::Bool(true)) => "(sensitive value)".into(),
        (Json::Object(map), Json::Object(masks)) => {
            let one = |(k, v): (&String, &Json)| (k.clone(), masked(v, masks.get(k).unwrap_or(&Json::Null)));
            Json::Object(map.iter().map(one).collect::<Map<_, _>>())
        }
        (Json::Array(list), Json::Array(masks)) => {
            let one = |(i, v): (usize, &Json)| masked(v, masks.get(i).unwrap_or(&Json::Null));
            list.iter().enumerate().map(one).collect()
        }
        _ => value.clone(),
    }
}

fn text(value: &Json) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(address: &str, action: &str, after: &Json) -> Plan {
        let text = json!({ "format_version": "1.2", "resource_changes": [{ "address": address, "mode": "managed",
            "type": "t", "name": "a", "change": { "actions": [action], "after": after,
            "after_sensitive": { "pw": true } } }], "output_changes": { "x": { "actions": ["create"], "after": 1 } } });
        Plan::parse(text.to_string().as_bytes()).unwrap()
    }

    fn differing(a: &Plan, b: &Plan) -> Vec<Difference> {
        compare(a, b, &|address| address.replace("t.a_x[0]", "t.a")).1
    }

    #[test]
    fn addresses_are_led_back() {
        let values = json!({ "v": 1, "pw": "s" });
        let (a, b) = (plan("t.a", "create", &values), plan("t.a_x[0]", "create", &values));
        assert_eq!(differing(&a, &b).len(), 0);
        assert_eq!(compare(&a, &b, &str::to_owned).0, 3);
        assert_eq!(differing(&a, &plan("t.a_y[0]", "create", &values)).len(), 2);
    }

    #[test]
    fn values_and_actions_count_and_secrets_stay_hidden() {
        let a = plan("t.a", "create", &json!({ "v": 1, "pw": "hunter2" }));
        let found = differing(&a, &plan("t.a_x[0]", "update", &json!({ "v": 1, "pw": "hunter2" })));
        assert!(found[0].specialised.as_ref().unwrap().contains("update"));
        let found = differing(&a, &plan("t.a_x[0]", "create", &json!({ "v": 1, "pw": "hunter3" })));
        let shown = format!("{:?}{:?}", found[0].original, found[0].specialised);
        assert!(shown.contains("another one") && !shown.contains("hunter"), "{shown}");
    }
}
