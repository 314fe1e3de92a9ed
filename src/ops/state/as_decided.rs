//! Compares an object in state with the copies that the present decision writes.
//!
//! A name that the decision itself gives a copy of the same unit is no riddle, even though state doesn't show all values that it
//! says: `prevent_destroy` and `source` are never in state. In: the values of copies as they are decided, those in state. Invariant:
//! a name alone decides nothing. A value in state has to agree, or the name has to say a field by its name, as
//! `db_prevent_destroy_true` does; and nothing may speak against it. Absent: names that nobody writes now.

use crate::addr::FieldAddr;
use crate::ops::read::names::Names;
use crate::ops::state::copy_identity::CopyIdentity;
use crate::specialise::record::history::{Entry, Keys};
use serde_json::Value as Json;

/// What the decision and the state say together of a name.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Evidence {
    /// It is a copy's.
    For,
    /// It is a copy's as far as anything is known.
    Nothing,
    /// It isn't a copy's, or nobody writes it.
    Against,
}

impl CopyIdentity<'_> {
    /// Returns true if the names on the way to an object are those that the decision gives copies, and the values agree.
    pub fn is_decided(&self, entries: &[Entry], names: &Names<'_>) -> bool {
        let all: Vec<Evidence> = entries.iter().map(|entry| self.weigh(entry, names)).collect();
        all.contains(&Evidence::For) && !all.contains(&Evidence::Against)
    }

    fn weigh(&self, entry: &Entry, names: &Names<'_>) -> Evidence {
        let now = names.now(&entry.original);
        match self.is_copy(entry, &now) {
            true => Evidence::For,
            false => self.weigh_written(entry, &now),
        }
    }

    /// Returns true if each name on the way to an object is that of a copy of what is driven already, or of one that the decision
    /// writes with the very value that state has.
    pub fn is_written_now(&self, known: &CopyIdentity<'_>, entries: &[Entry], names: &Names<'_>) -> bool {
        entries.iter().all(|entry| {
            let now = names.now(&entry.original);
            known.is_copy(entry, &now) || self.weigh_written(entry, &now) == Evidence::For
        })
    }

    /// What speaks for a copy that the decision writes.
    fn weigh_written(&self, entry: &Entry, now: &str) -> Evidence {
        let keys = |repeated| if repeated { Keys::Own } else { Keys::Gate };
        let is_written = self.splits.iter().any(|split| {
            split.original == entry.original
                && split.addresses.contains(&entry.address)
                && keys(split.repeated) == entry.keys
        });
        if !is_written {
            return Evidence::Against;
        }
        let all: Vec<Evidence> =
            self.stand_for(entry, now).map(|(unit, copy)| self.weigh_values(&unit, &copy)).collect();
        match (all.contains(&Evidence::Against), all.contains(&Evidence::For)) {
            (true, _) => Evidence::Against,
            (false, true) => Evidence::For,
            (false, false) => Evidence::Nothing,
        }
    }

    /// A unit and its copy, and those that they are split along with.
    fn stand_for(&self, entry: &Entry, now: &str) -> impl Iterator<Item = (String, String)> {
        let slug = entry.address.strip_prefix(&entry.original).unwrap_or_default().to_owned();
        let leaders = self.led.iter().filter(move |(own, _)| own == now).map(|(_, leader)| leader);
        let led: Vec<(String, String)> =
            leaders.map(|leader| (leader.clone(), format!("{leader}{slug}"))).collect();
        std::iter::once((entry.original.clone(), entry.address.clone())).chain(led)
    }

    fn weigh_values(&self, unit: &str, copy: &str) -> Evidence {
        let mut evidence = Evidence::Nothing;
        for one in self.written.iter().filter(|one| one.address == copy) {
            // Two fields that are called alike in two modules are told apart by nothing: either's value will do.
            let said =
                self.written.iter().filter(|w| w.address == copy && w.source_field == one.source_field);
            let said: Vec<&Json> = said.map(|w| &w.branch_value).collect();
            if said.iter().any(|value| names_its_field(value)) {
                evidence = Evidence::For;
            }
            let own = self.driven.iter().filter(|d| within_module(&d.field) == one.source_field);
            for value in own.flat_map(|driven| self.values(driven, unit, copy)) {
                match said.iter().any(|said| reads_alike(said, value)) {
                    true => evidence = Evidence::For,
                    false => return Evidence::Against,
                }
            }
        }
        evidence
    }
}

/// Returns true if a value says nothing without its field's name, so that a copy's name holds both.
fn names_its_field(value: &Json) -> bool {
    match value {
        Json::Null | Json::Bool(_) => true,
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(items) => items.is_empty(),
        Json::Number(_) => false,
    }
}

/// The field's address within its module.
fn within_module(field: &FieldAddr) -> String {
    FieldAddr { module: Default::default(), ..field.plain() }.to_string()
}

/// Returns true if two values are the same as far as types of arguments go: providers keep numbers as text as well.
fn reads_alike(said: &Json, held: &Json) -> bool {
    let text = |value: &Json| match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    said == held || text(said) == text(held)
}
