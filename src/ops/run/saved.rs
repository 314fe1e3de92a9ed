//! Saved plans, read again.
//!
//! In: a plan that Terraform saved; what the simulation kept, or the history. Out: an issue for each object that the plan destroys
//! although it stays. Invariant: what a plan destroys in both worlds is no finding; a replacement that the configuration asks
//! for is none either, since the object stays at its address. Absent: what the plan does besides.

use crate::addr::ObjectAddr;
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::specialise::record::UnitRecord;
use crate::specialise::record::history::History;
use crate::terraform::Terraform;
use crate::terraform::plan_json::{Plan, ResourceChange};
use crate::text::shell_word;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Returns an issue for each object that a saved plan destroys, though the simulation kept it.
pub fn check(plan: &Plan, file: &str, kept: &BTreeSet<ObjectAddr>) -> Vec<Issue> {
    let before = |c: &ResourceChange| c.previous_address.as_ref().unwrap_or(&c.address).parse().ok();
    let gone = destroyed(plan).filter(|c| before(c).is_some_and(|held| kept.contains(&held)));
    gone.map(|c| issue(file, &c.address, None)).collect()
}

/// Returns an issue for each object that a plan destroys at one address and creates at another, though the history says that both
/// are the same object.
///
/// Over time, one name may have belonged to a copy of a single object and to a copy of a repeated one. If the history alone would
/// stop the plan, `units` says which of them it is in this tree.
///
/// # Errors
/// Fails if the plan can't be read.
pub fn torn(
    terraform: &Terraform,
    session: &Session,
    file: &str,
    units: impl FnOnce() -> Vec<UnitRecord>,
) -> Result<Vec<Issue>, Issue> {
    let plan = terraform.show_plan(&session.host.root, Path::new(file))?;
    let mut torn = torn_apart(&plan, &session.history, &History::default());
    if !torn.is_empty() {
        let mut tree = History::default();
        tree.add_units(&units());
        torn = torn_apart(&plan, &session.history, &tree);
    }
    Ok(torn.into_iter().map(|(from, to)| issue(file, &from, Some(&to))).collect())
}

/// Returns the pairs of destroyed and created addresses of one object. `tree` says what a created copy stands for; if it doesn't
/// know the copy, the history counts.
fn torn_apart(plan: &Plan, history: &History, tree: &History) -> Vec<(String, String)> {
    let read = |by: &History, c: &ResourceChange| {
        let address: Option<ObjectAddr> = c.address.parse().ok();
        address.map(|a| by.readings(&a)).unwrap_or_default()
    };
    let stands_for = |c: &ResourceChange| match read(tree, c).as_slice() {
        [original, _, ..] => vec![original.clone()],
        _ => read(history, c),
    };
    let mut created: BTreeMap<ObjectAddr, (&ResourceChange, bool)> = BTreeMap::new();
    for change in plan.resource_changes.iter().filter(|c| is(c, "create")) {
        let is_copy = read(history, change).len() > 1;
        created.extend(stands_for(change).into_iter().map(|a| (a, (change, is_copy))));
    }
    let mut out = Vec::new();
    for change in destroyed(plan) {
        let of = read(history, change);
        let same = of.iter().find_map(|a| created.get(a)).filter(|(c, _)| c.address != change.address);
        // What no history speaks of is nobody's copy.
        if let Some((other, _)) = same.filter(|(_, is_copy)| of.len() > 1 || *is_copy) {
            out.push((change.address.clone(), other.address.clone()));
        }
    }
    out
}

fn destroyed(plan: &Plan) -> impl Iterator<Item = &ResourceChange> {
    plan.resource_changes.iter().filter(|c| is(c, "delete"))
}

/// Returns true if a plan does only this with a managed object that is current.
fn is(change: &ResourceChange, action: &str) -> bool {
    change.mode == "managed"
        && change.deposed.is_none()
        && matches!(change.change.actions.as_slice(), [one] if one == action)
}

fn issue(file: &str, address: &str, other: Option<&str>) -> Issue {
    let why = match other {
        Some(other) => format!("The plan creates {other}, which is the same object under another address."),
        None => "The original configuration keeps it, and so did the simulation of this run.".to_owned(),
    };
    Issue::error(Code::Held, format!("the plan {file} destroys {address}"), why)
        .about(address)
        .fix("Don't apply that plan. Make a new one:", format!("tf-phi plan -out={}", shell_word(file)))
}

#[cfg(test)]
mod tests {
    use crate::ops::run::saved::*;
    use crate::specialise::record::history::{Entry, Keys};

    fn plan(changes: &[(&str, &str)]) -> Plan {
        let one = |(address, action): &(&str, &str)| {
            serde_json::json!({ "address": address, "mode": "managed", "type": "t", "name": "n",
                "change": { "actions": [action] } })
        };
        let all: Vec<_> = changes.iter().map(one).collect();
        let text = serde_json::json!({ "format_version": "1.2", "resource_changes": all }).to_string();
        Plan::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn one_object_under_two_addresses() {
        let mut history = History::default();
        for address in ["t.n_a", "t.n_b"] {
            history.add(Entry { address: address.to_owned(), original: "t.n".to_owned(), keys: Keys::Gate });
        }
        let torn = |changes: &[(&str, &str)]| torn_apart(&plan(changes), &history, &History::default()).len();
        assert_eq!(torn(&[("t.n_a[0]", "delete"), ("t.n_b[0]", "create")]), 1);
        assert_eq!(torn(&[("t.n_a[0]", "delete"), ("t.n", "create")]), 1);
        // Another object, a change in place, and what history doesn't speak of.
        assert_eq!(torn(&[("t.n_a[0]", "delete"), ("t.m", "create")]), 0);
        assert_eq!(torn(&[("t.n_a[0]", "delete"), ("t.n_b[0]", "update")]), 0);
        assert_eq!(torn(&[("t.free[0]", "delete"), ("t.free", "create")]), 0);
    }

    #[test]
    fn a_name_that_was_a_single_objects_and_a_repeated_ones() {
        let of = |all: &[Keys]| {
            let mut history = History::default();
            for keys in all {
                history.add(Entry { address: "t.n_a".to_owned(), original: "t.n".to_owned(), keys: *keys });
            }
            history
        };
        let both = of(&[Keys::Own, Keys::Gate]);
        let torn = |changes: &[(&str, &str)], tree: &History| torn_apart(&plan(changes), &both, tree).len();
        // It is single now, and those that were repeated go.
        let went = [("t.n[0]", "delete"), ("t.n[1]", "delete"), ("t.n_a[0]", "create")];
        assert_eq!(torn(&went, &of(&[Keys::Gate])), 0);
        // Nothing says which it is.
        assert_eq!(torn(&went, &of(&[])), 1);
        // It is repeated still.
        assert_eq!(torn(&went, &of(&[Keys::Own])), 1);
        assert_eq!(torn(&[("t.n", "delete"), ("t.n_a[0]", "create")], &of(&[Keys::Gate])), 1);
    }

    #[test]
    fn a_copy_within_a_copy() {
        let mut history = History::default();
        let entries = [
            ("module.m_a", "module.m"),
            ("module.m_b", "module.m"),
            ("module.m.t.n_a", "module.m.t.n"),
            ("module.m.t.n_b", "module.m.t.n"),
        ];
        for (address, original) in entries {
            let entry =
                Entry { address: address.to_owned(), original: original.to_owned(), keys: Keys::Gate };
            history.add(entry);
        }
        let changes = [("module.m_a[0].t.n_a[0]", "delete"), ("module.m_b[0].t.n_b[0]", "create")];
        for tree in [&history, &History::default()] {
            assert_eq!(torn_apart(&plan(&changes), &history, tree).len(), 1);
        }
    }
}
