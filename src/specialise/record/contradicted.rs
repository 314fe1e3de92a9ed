//! Names of copies that stand for two originals.
//!
//! In: a history and the text of its file. Out: each such name, with its originals and the lines that tell of them. Two branches that gave one
//! name to copies of different units merge to that. An object that a state holds there would be led to both, which Terraform refuses. Invariant:
//! the same original with both kinds of keys is no contradiction: `count` came or went, and a state may hold either form.

use crate::specialise::record::Record;
use crate::specialise::record::history::{Entry, History};
use std::collections::{BTreeMap, BTreeSet};

/// A name with several originals.
#[derive(Debug)]
pub struct Contradiction {
    /// The address of the copy.
    pub address: String,
    /// What it stands for.
    pub meanings: Vec<Meaning>,
}

/// One original of a name.
#[derive(Debug)]
pub struct Meaning {
    /// What is told first.
    pub entry: Entry,
    /// The numbers of the file's lines that tell it. None where only the record does.
    pub lines: Vec<usize>,
}

impl History {
    /// Returns true if a name stands for something else than this original.
    pub fn means_other(&self, address: &str, original: &str) -> bool {
        self.of(address).any(|entry| entry.address != entry.original && entry.original != original)
    }

    /// Finds the names with several originals; `text` is that of the file.
    pub fn find_contradictions(&self, text: &str) -> Vec<Contradiction> {
        let copies = || self.entries().filter(|entry| entry.address != entry.original);
        let is_meant = |entry: &&Entry| self.means_other(&entry.address, &entry.original);
        let mut found: BTreeMap<&str, Vec<Meaning>> = BTreeMap::new();
        for entry in copies().filter(is_meant) {
            let meanings = found.entry(&entry.address).or_default();
            if meanings.iter().all(|known| known.entry.original != entry.original) {
                meanings.push(Meaning { entry: entry.clone(), lines: Vec::new() });
            }
        }
        if found.is_empty() {
            return Vec::new();
        }
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            let Ok(entry) = serde_json::from_str::<Entry>(line) else { continue };
            let meanings = found.get_mut(&*entry.address).into_iter().flatten();
            let own = meanings.filter(|known| known.entry.original == entry.original);
            own.for_each(|meaning| meaning.lines.push(number));
        }
        let one = |(address, meanings): (&str, Vec<Meaning>)| Contradiction {
            address: address.to_owned(),
            meanings,
        };
        found.into_iter().map(one).collect()
    }
}

/// Takes what the history says otherwise off a record: whoever settles a contradiction does so in the history's file.
pub fn drop_contradicted(record: &mut Record, history: &History) {
    for unit in &mut record.units {
        let original = unit.original.clone();
        let contradicted: BTreeSet<String> = unit
            .forms()
            .filter(|(address, _)| history.means_other(address, &original))
            .map(|(address, _)| address.to_owned())
            .collect();
        let lists = [&mut unit.addresses, &mut unit.former_addresses, &mut unit.rekeyed_addresses];
        lists.into_iter().for_each(|all| all.retain(|address| !contradicted.contains(address)));
    }
}
