//! Saved plans, read again.
//!
//! In: a plan that Terraform saved; what the simulation kept, or the history. Out: an issue for each object that the plan destroys
//! although it stays; and the objects that it leaves under the names of copies. Invariant: what a plan destroys in both worlds is no finding; a replacement that the configuration asks
//! for is none either, since the object stays at its address. Absent: what the plan does besides.

use crate::addr::ObjectAddr;
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::specialise::record::UnitRecord;
use crate::specialise::record::history::History;
use crate::terraform::plan_json::{Plan, ResourceChange};
use crate::text::shell_word;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

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
pub fn find_torn(
    plan: &Plan,
    session: &Session,
    file: &str,
    units: &dyn Fn() -> Vec<UnitRecord>,
) -> Vec<Issue> {
    let mut torn = torn_apart(plan, &session.history, &History::default());
    if !torn.is_empty() {
        torn = torn_apart(plan, &session.history, &history_of(units()));
    }
    torn.into_iter().map(|(from, to)| issue(file, &from, Some(&to))).collect()
}

/// Lists the managed objects that a plan leaves in state under the names of copies, each with its address in the original. Where the history
/// has two meanings for their keys, `units` says which of them it is in this tree.
pub fn list_copies(
    plan: &Plan,
    history: &History,
    units: &dyn Fn() -> Vec<UnitRecord>,
) -> Vec<(ObjectAddr, ObjectAddr)> {
    let tree = LazyCell::new(|| history_of(units()));
    let is_left = |c: &&ResourceChange| {
        let ends = c.change.actions.iter().all(|action| matches!(&**action, "delete" | "forget"));
        c.mode == "managed" && c.deposed.is_none() && !ends
    };
    let read = |c: &ResourceChange| {
        let held: ObjectAddr = c.address.parse().ok()?;
        let readings = history.readings(&held);
        let (first, others) = readings.split_first().filter(|(_, others)| !others.is_empty())?;
        let is_first = |other: &&ObjectAddr| {
            other.resource == first.resource && other.module.path() == first.module.path()
        };
        if !others.iter().any(|other| is_first(&other)) {
            return Some((held, first.clone()));
        }
        let of_tree = tree.readings(&held);
        of_tree.first().filter(|_| of_tree.len() > 1).map(|original| (held, original.clone()))
    };
    plan.resource_changes.iter().filter(is_left).filter_map(read).collect()
}

/// The history of these units alone.
fn history_of(units: Vec<UnitRecord>) -> History {
    let mut history = History::default();
    history.add_units(&units);
    history
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
    fn what_a_plan_leaves_under_the_names_of_copies() {
        let mut history = History::default();
        for (address, keys) in
            [("t.n_a", Keys::Gate), ("t.m_a", Keys::Own), ("t.o_a", Keys::Own), ("t.o_a", Keys::Gate)]
        {
            let original = address.trim_end_matches("_a").to_owned();
            history.add(Entry { address: address.to_owned(), original, keys });
        }
        let unit = |repeated| UnitRecord {
            original: "t.o".to_owned(),
            addresses: vec!["t.o_a".to_owned()],
            repeated,
            ..UnitRecord::default()
        };
        let listed = |changes: &[(&str, &str)], repeated| -> Vec<String> {
            let all = list_copies(&plan(changes), &history, &|| vec![unit(repeated)]);
            all.into_iter().map(|(held, original)| format!("{held} is {original}")).collect()
        };
        let changes = [
            ("t.n_a[0]", "create"),
            ("t.m_a[\"k\"]", "no-op"),
            ("t.m_a[\"l\"]", "delete"),
            ("t.m_a[\"m\"]", "forget"),
            ("t.own", "create"),
        ];
        assert_eq!(listed(&changes, true), ["t.n_a[0] is t.n", "t.m_a[\"k\"] is t.m[\"k\"]"]);
        assert_eq!(listed(&[("t.o_a[0]", "create")], true), ["t.o_a[0] is t.o[0]"]);
        assert_eq!(listed(&[("t.o_a[0]", "create")], false), ["t.o_a[0] is t.o"]);
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
