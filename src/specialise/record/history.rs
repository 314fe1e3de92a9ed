//! `.phi/history.jsonl`: whose objects state may hold under the names of copies.
//!
//! State outlives sources. What was applied from a specialised tree stands in state under the addresses of copies, whatever
//! becomes of the sources: `restore`, another form factor, another workspace, an ephemeral run. So every address that was ever
//! written for a copy is kept here with the address that it stands for. In: units. Invariants: an entry that was written
//! once stays; an entry is one line that says all it means, and lines are sorted, so that two branches merge by having the
//! lines of both. Absent on purpose: values, instances, anything that has to do with sources.

use crate::specialise::record::{FORMAT, Record, UnitRecord};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The file, relative to the working directory.
pub const FILE: &str = ".phi/history.jsonl";

/// The file that kept the same in earlier versions, relative to the working directory.
pub const FORMER: &str = ".phi/addresses.json";

/// Tells Git to merge the file by taking the lines of both sides.
pub const ATTRIBUTES: (&str, &str) = (".phi/.gitattributes", "history.jsonl merge=union\n");

/// The meaning of a copy's instance keys.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keys {
    /// `[0]` comes from the gate: the original has no key.
    Gate,
    /// They are the original's own.
    Own,
}

/// An address of a copy without instance keys, and what it stands for. Both are in the original's modules.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The copy's address. The same as `original` where somebody has said that it is no copy.
    pub address: String,
    /// The unit's address in the original.
    pub original: String,
    /// The meaning of its keys.
    pub keys: Keys,
}

/// All entries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    entries: BTreeSet<Entry>,
}

impl History {
    /// Reads the file's text. The marks of a merge that Git could not finish are passed over: both sides count.
    ///
    /// # Errors
    /// A sentence with the number of the line that is no entry.
    pub fn parse(text: &str) -> Result<History, String> {
        let mark =
            |line: &str| ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|m| line.starts_with(m));
        let mut entries = BTreeSet::new();
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if !line.is_empty() && !mark(line) {
                let entry = serde_json::from_str(line).map_err(|e| format!("line {number}: {e}"))?;
                entries.insert(entry);
            }
        }
        Ok(History { entries })
    }

    /// Reads the text of [`FORMER`].
    ///
    /// # Errors
    /// A sentence where it is no such file, or of a later format.
    pub fn parse_former(text: &str) -> Result<History, String> {
        #[derive(Deserialize)]
        struct Document {
            format_version: String,
            units: Vec<UnitRecord>,
        }
        let document: Document = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let major = |v: &str| v.split('.').next().map(str::to_owned);
        if major(&document.format_version) != major(FORMAT) {
            return Err(format!("its format {} is not one that this version knows", document.format_version));
        }
        let mut history = History::default();
        history.add_units(&document.units);
        Ok(history)
    }

    /// The file's text.
    pub fn to_text(&self) -> String {
        let line = |e: &Entry| serde_json::to_string(e).unwrap_or_default() + "\n";
        self.entries.iter().map(line).collect()
    }

    /// Returns true if nothing was ever split.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries, sorted.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// Adds an entry.
    pub fn add(&mut self, entry: Entry) {
        self.entries.insert(entry);
    }

    /// Adds all addresses of units, those of before included.
    pub fn add_units(&mut self, units: &[UnitRecord]) {
        for unit in units {
            let keys = if unit.repeated { Keys::Own } else { Keys::Gate };
            for address in unit.addresses.iter().chain(&unit.former_addresses) {
                self.add(Entry { address: address.clone(), original: unit.original.clone(), keys });
            }
        }
    }

    /// The units that were ever split, with all addresses of their copies as former ones.
    pub fn units(&self) -> Vec<UnitRecord> {
        let mut out: Vec<UnitRecord> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in self.entries.iter().filter(|e| e.address != e.original) {
            let at = *places.entry(&entry.original).or_insert(out.len());
            if at == out.len() {
                let original = entry.original.clone();
                out.push(UnitRecord { original, ..UnitRecord::default() });
            }
            let Some(unit) = out.get_mut(at) else { continue };
            unit.repeated |= entry.keys == Keys::Own;
            // Entries are in the order of their addresses.
            if unit.former_addresses.last() != Some(&entry.address) {
                unit.former_addresses.push(entry.address.clone());
            }
        }
        out
    }

    /// The names of copies, each with those of the units whose it is or was; of what is nobody's copy, with its own.
    pub(in crate::specialise) fn names(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut out: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for entry in &self.entries {
            let last = |address: &'_ str| address.rfind('.').map_or(0, |at| at + 1);
            let name = entry.address.get(last(&entry.address)..).unwrap_or_default();
            let unit = entry.original.get(last(&entry.original)..).unwrap_or_default();
            out.entry(name).or_default().push(unit);
        }
        out
    }

    /// The entries for a copy's address.
    pub(in crate::specialise) fn of<'h>(&'h self, address: &str) -> impl Iterator<Item = &'h Entry> {
        let from = Entry { address: address.to_owned(), original: String::new(), keys: Keys::Gate };
        let same = address.to_owned();
        self.entries.range(from..).take_while(move |e| e.address == same)
    }
}

/// The record from before with the units that history tells of; nothing where there is neither.
pub fn merged(record: Option<&Record>, history: &History) -> Option<Record> {
    if record.is_none() && history.is_empty() {
        return None;
    }
    let mut merged = record.cloned().unwrap_or_else(Record::empty);
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (at, unit) in merged.units.iter().enumerate() {
        places.entry(unit.original.clone()).or_insert(at);
    }
    for unit in history.units() {
        let Some(known) = places.get(&unit.original).and_then(|at| merged.units.get_mut(*at)) else {
            merged.units.push(unit);
            continue;
        };
        let there: BTreeSet<String> =
            known.addresses.iter().chain(&known.former_addresses).cloned().collect();
        known
            .former_addresses
            .extend(unit.former_addresses.into_iter().filter(|address| !there.contains(address)));
    }
    Some(merged)
}

#[cfg(test)]
mod tests {
    use crate::specialise::record::history::*;

    fn unit(original: &str, addresses: &[&str], former: &[&str]) -> UnitRecord {
        let owned = |all: &[&str]| all.iter().map(ToString::to_string).collect();
        let (addresses, former_addresses) = (owned(addresses), owned(former));
        UnitRecord { original: original.to_owned(), addresses, former_addresses, repeated: false }
    }

    #[test]
    fn there_and_back() {
        let mut history = History::default();
        history.add_units(&[unit("module.a", &["module.a_x"], &["module.a_y"])]);
        let text = history.to_text();
        assert_eq!(text.lines().count(), 2);
        assert_eq!(History::parse(&text).unwrap(), history);
        assert!(History::parse("{}\n").unwrap_err().starts_with("line 1"));
        let former = "{\"format_version\": \"1.0\", \"units\": [{\"original\": \"module.a\", \"addresses\": \
                      [\"module.a_x\"], \"former_addresses\": [\"module.a_y\"]}]}";
        assert_eq!(History::parse_former(former).unwrap(), history);
        assert!(History::parse_former(&former.replace("1.0", "2.0")).is_err());
    }

    #[test]
    fn a_merge_has_the_lines_of_both() {
        let line = |a: &str| format!("{{\"address\":\"t.{a}\",\"original\":\"t.a\",\"keys\":\"gate\"}}\n");
        let text = format!("<<<<<<< ours\n{}=======\n{}>>>>>>> theirs\n", line("a_2"), line("a_1"));
        let all = History::parse(&text).unwrap();
        assert_eq!(all.to_text(), line("a_1") + &line("a_2"));
    }

    #[test]
    fn no_address_is_lost() {
        let mut record = Record::empty();
        record.units.push(unit("module.a", &["module.a_x"], &[]));
        let mut history = History::default();
        history.add_units(&[unit("module.a", &["module.a_x", "module.a_y"], &["module.a_z"])]);
        history.add_units(&[unit("t.b", &["t.b_1"], &[])]);
        let merged = merged(Some(&record), &history).unwrap();
        assert_eq!(merged.units[0], unit("module.a", &["module.a_x"], &["module.a_y", "module.a_z"]));
        assert_eq!(merged.units[1], unit("t.b", &[], &["t.b_1"]));
        assert_eq!(crate::specialise::record::history::merged(None, &History::default()), None);
    }
}
