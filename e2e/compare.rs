//! Two plans, one of the original tree and one of the specialised, side by side: the same resources with the same
//! values and the same actions, whatever their addresses.
//!
//! The record that tf-phi leaves says which address stands for which; nothing else is taken from tf-phi.

use std::collections::BTreeMap;

use serde_json::Value;
use tf_phi::terraform::plan_json::{Change, Plan};

use crate::support::Scratch;

/// Addresses of specialised units, and what they were; and the addresses that the original's own plan names.
pub struct Originals {
    pairs: Vec<(String, String)>,
    planned: Vec<String>,
}

impl Originals {
    /// From the record of a specialised tree; empty where there is none.
    pub fn of(scratch: &Scratch, original: &Plan) -> Originals {
        let planned = original.resource_changes.iter().map(|c| c.address.clone()).collect();
        let Ok(text) = std::fs::read_to_string(scratch.dir().join(".phi/provenance.json")) else {
            return Originals { pairs: Vec::new(), planned };
        };
        let record: Value = serde_json::from_str(&text).unwrap();
        let text = |v: &Value| v.as_str().unwrap().to_owned();
        let mut pairs = Vec::new();
        for unit in record["units"].as_array().unwrap() {
            for address in unit["addresses"].as_array().unwrap() {
                pairs.push((text(address), text(&unit["original"])));
            }
        }
        Originals { pairs, planned }
    }

    /// The original's address. The `[0]` of a gate goes; a key of the original's own stays.
    pub fn original(&self, address: &str) -> String {
        let mut now = address.to_owned();
        // A unit inside a specialised unit needs one step for each.
        for _ in 0..8 {
            let Some(next) = self.pairs.iter().find_map(|(a, o)| self.step(&now, a, o)) else { break };
            now = next;
        }
        now
    }

    fn step(&self, now: &str, address: &str, original: &str) -> Option<String> {
        // Keys of modules above the unit stay as they are; records name addresses without keys.
        let (steps, unit) = (split(now), split(address));
        let names = |steps: &[(String, String)]| steps.iter().map(|s| s.0.clone()).collect::<Vec<_>>();
        if steps.len() < unit.len() || names(&steps[..unit.len()]) != names(&unit) || address == original {
            return None;
        }
        let mut back = steps.clone();
        let last = unit.len() - 1;
        back[last].0.clone_from(&split(original)[last].0);
        let whole = |steps: &[(String, String)]| {
            steps.iter().map(|s| format!("{}{}", s.0, s.1)).collect::<Vec<_>>().join(".")
        };
        // A unit that was repeated before keeps its own keys.
        let mut bare = back[..=last].to_vec();
        bare[last].1.clear();
        let repeated = format!("{}[", whole(&bare));
        if !self.planned.iter().any(|p| p.starts_with(&repeated)) && back[last].1 == "[0]" {
            back[last].1.clear();
        }
        Some(whole(&back))
    }
}

/// An address at its dots: names with their keys.
fn split(address: &str) -> Vec<(String, String)> {
    let (mut out, mut depth, mut quoted) = (vec![(String::new(), String::new())], 0, false);
    for c in address.chars() {
        if c == '.' && depth == 0 {
            out.push((String::new(), String::new()));
            continue;
        }
        quoted ^= c == '"';
        depth += i32::from(c == '[' && !quoted);
        let last = out.last_mut().unwrap();
        if depth > 0 {
            last.1.push(c)
        } else {
            last.0.push(c)
        }
        depth -= i32::from(c == ']' && !quoted);
    }
    out
}

/// What a plan does with one resource instance or output. `id` is left out: it is made up at each creation.
#[derive(Debug, PartialEq)]
pub struct Done {
    pub actions: String,
    pub before: Value,
    pub after: Value,
    pub unknown: Value,
}

fn done(change: &Change) -> Done {
    let plain = |v: &Value| {
        let mut v = v.clone();
        if let Some(map) = v.as_object_mut() {
            map.remove("id");
        }
        v
    };
    Done {
        actions: change.actions.join(" "),
        before: plain(&change.before),
        after: plain(&change.after),
        unknown: plain(&change.after_unknown),
    }
}

/// Everything that a plan does, by the original's addresses.
#[track_caller]
pub fn everything(plan: &Plan, originals: &Originals) -> BTreeMap<String, Done> {
    let mut all = BTreeMap::new();
    for change in &plan.resource_changes {
        let address = originals.original(&change.address);
        let other = all.insert(address.clone(), done(&change.change));
        assert!(other.is_none(), "{address} stands twice in the plan");
    }
    // What tf-phi adds to stop plans has no value.
    let own = [tf_phi::specialise::guard::OUTPUT, tf_phi::specialise::moves::bounds::OUTPUT];
    for (name, change) in plan.output_changes.iter().filter(|(name, _)| !own.contains(&name.as_str())) {
        all.insert(format!("output.{name}"), done(change));
    }
    all
}

/// Fails unless the two plans do the same.
#[track_caller]
pub fn same(original: &Plan, specialised: &Plan, scratch: &Scratch, what: &str) {
    let want = everything(original, &Originals { pairs: Vec::new(), planned: Vec::new() });
    let got = everything(specialised, &Originals::of(scratch, original));
    assert!(want == got, "{what}: the plans differ\noriginal    {want:#?}\nspecialised {got:#?}");
}

/// Fails where an object would be deleted.
#[track_caller]
pub fn nothing_is_destroyed(plan: &Plan, what: &str) {
    for change in &plan.resource_changes {
        let bad = change.change.actions.iter().any(|a| a == "delete" || a == "forget");
        assert!(!bad, "{what}: {} is {:?}", change.address, change.change.actions);
    }
}
