//! The addresses that an object in state may have in the original.
//!
//! In: the history, an address as state holds it. Out: addresses of the original, most likely first. A step of the address that
//! the history names is a copy's; whether its `[0]` is the gate's or the original's own depends on whether the unit was
//! repeated when it was written, which both may have been. Absent on purpose: choosing between readings, guessing from names.

use crate::addr::{Key, ModuleInstance, ObjectAddr, ResourceAddr};
use crate::specialise::record::history::{Entry, History, Keys};
use crate::specialise::record::keys::read_given_up;
use std::sync::Arc;

/// A step's name and key in the original.
type Step = (Arc<str>, Option<Key>);

impl History {
    /// Returns the addresses that an object in the state may have in the original: by each entry for a step on its
    /// way, or by none, or only its own, if somebody has said so. The first one is that for which the most steps
    /// speak.
    pub fn readings(&self, object: &ObjectAddr) -> Vec<ObjectAddr> {
        let mut modules = vec![ModuleInstance::default()];
        for (name, key) in &object.module.0 {
            let next = |module: &ModuleInstance| {
                let address = module.path().address_of(format!("module.{name}"));
                let steps = steps(self, &address, name, key.as_ref());
                steps.into_iter().map(|(name, key)| module.child(name, key)).collect::<Vec<_>>()
            };
            modules = modules.iter().flat_map(next).collect();
        }
        let resource = &object.resource;
        let within = |module: ModuleInstance| {
            let address = module.path().address_of(resource);
            let steps = steps(self, &address, &resource.name, object.key.as_ref());
            let one = move |(name, key): Step| ObjectAddr {
                module: module.clone(),
                resource: ResourceAddr { name, ..resource.clone() },
                key,
            };
            steps.into_iter().map(one).collect::<Vec<_>>()
        };
        let mut out: Vec<ObjectAddr> = Vec::new();
        for one in modules.into_iter().flat_map(within) {
            if !out.contains(&one) {
                out.push(one);
            }
        }
        out
    }

    /// Returns true if somebody has said of an object that it is nobody's copy.
    pub fn is_own(&self, object: &ObjectAddr) -> bool {
        let mut above = ModuleInstance::default();
        let says = |address: &str| self.of(address).any(|e| e.original == e.address);
        for (name, key) in &object.module.0 {
            if says(&above.path().address_of(format!("module.{name}"))) {
                return true;
            }
            above = above.child(name.clone(), key.clone());
        }
        says(&above.path().address_of(&object.resource))
    }
}

/// Returns what a step may stand for: what the entries for its address say, and then itself.
fn steps(history: &History, address: &str, name: &Arc<str>, key: Option<&Key>) -> Vec<Step> {
    let own = (name.clone(), key.cloned());
    let entries: Vec<&Entry> = history.of(address).collect();
    if entries.iter().any(|e| e.original == e.address) {
        return vec![own];
    }
    let of_entry = |entry: &&Entry| {
        let name: Arc<str> = entry.original.rsplit('.').next().unwrap_or_default().into();
        let kept = match (entry.keys, key) {
            (Keys::Own, _) => Some(key.cloned()),
            (Keys::Gate, Some(Key::Index(0))) => Some(None),
            (Keys::Gate, _) => None,
        };
        let all = read_given_up(entry.keys, key).into_iter().chain(kept);
        all.map(|key| (name.clone(), key)).collect::<Vec<_>>()
    };
    entries.iter().flat_map(of_entry).chain([own]).collect()
}

#[cfg(test)]
mod tests {
    use crate::specialise::record::readings::*;

    fn history() -> History {
        let entry = |address: &str, original: &str, keys| Entry {
            address: address.to_owned(),
            original: original.to_owned(),
            keys,
        };
        let mut history = History::default();
        history.add(entry("module.db_a", "module.db", Keys::Gate));
        history.add(entry("module.db.t.x_1", "module.db.t.x", Keys::Own));
        history.add(entry("t.y_1", "t.y", Keys::Gate));
        history.add(entry("t.y_1", "t.y", Keys::Own));
        history.add(entry("t.z_1", "t.z_1", Keys::Own));
        history
    }

    #[track_caller]
    fn reads(address: &str, wanted: &[&str]) {
        let found = history().readings(&address.parse().unwrap());
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn steps_are_read_from_the_outside_in() {
        reads(
            "module.db_a[0].t.x_1[\"k\"]",
            &["module.db.t.x[\"k\"]", "module.db.t.x_1[\"k\"]", "module.db_a[0].t.x_1[\"k\"]"],
        );
        reads("t.free[1]", &["t.free[1]"]);
    }

    #[test]
    fn a_key_may_be_the_gates_or_the_originals() {
        reads("t.y_1[0]", &["t.y", "t.y[0]", "t.y_1[0]"]);
        reads("t.y_1[1]", &["t.y[1]", "t.y_1[1]"]);
        reads("t.z_1[0]", &["t.z_1[0]"]);
    }
}
