//! `.phi/history.jsonl`: whose objects state may hold under the names of copies.
//!
//! State outlives sources. What was applied from a specialised tree stands in state under the addresses of copies, whatever
//! becomes of the sources: `restore`, another form factor, another workspace, an ephemeral run. So every address that was ever
//! written for a copy is kept here with the address that it stands for, and which instances a state was seen to hold there. What a
//! service made is kept beside it, with the resource or call that it was made for: it is in state still when the service isn't on any
//! more. In: units, instances, services. Invariants: an entry that was written once stays; a name is never given a second meaning
//! ([`History::is_taken`]); an entry is one line that says all it means, and lines are sorted, so that two branches merge by having
//! the lines of both. Absent on purpose: values, anything that has to do with sources.

use crate::addr::{
    Key, ModuleInstance, ObjectAddr, ResourceAddr, is_declaration_address, is_instance_address,
};
pub use crate::specialise::record::keys::Keys;
use crate::specialise::record::keys::{place_given_up, read_given_up};
use crate::specialise::record::lines::{is_mark, no_address};
use crate::specialise::record::{FORMAT, Record, ServiceRecord, UnitRecord, WithinLine};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The file, relative to the working directory.
pub const FILE: &str = ".phi/history.jsonl";

/// The file that kept the same in earlier versions, relative to the working directory.
pub const FORMER: &str = ".phi/addresses.json";

/// Tells Git to merge the records by taking the lines of both sides, and those who show differences what is generated.
pub const ATTRIBUTES: (&str, &str) = (
    ".phi/.gitattributes",
    "history.jsonl merge=union\nprovenance.json merge=union linguist-generated\nmodules/** linguist-generated\n",
);

/// What earlier versions told it.
pub const FORMER_ATTRIBUTES: [&str; 2] = [
    "history.jsonl merge=union\n",
    "history.jsonl merge=union\nprovenance.json merge=union linguist-generated\n",
];

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

/// An instance of the original that a state holds, or may hold, under the name of a copy.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct AppliedInstance {
    /// The entry for the copy.
    #[serde(flatten)]
    pub entry: Entry,
    /// The unit's instance in the original, with all keys on its way.
    pub applied: String,
}

/// The call of a service, and what it stands in for. Addresses are the original's, without instance keys.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Made {
    /// The address of the call, before anything was split.
    pub address: String,
    /// The resource or call that the service replaced; the same address for an operator, which all services of the form factor need.
    pub made_for: String,
    /// The service.
    pub service: String,
    /// The form factor.
    pub form_factor: String,
}

/// A block's type and label, as the history has them.
pub fn name_block(kind: &str, label: &str) -> String {
    format!("{kind} \"{label}\"")
}

impl Made {
    /// What a service's record tells; nothing of what is only dropped.
    fn of(service: &ServiceRecord) -> Option<Made> {
        Some(Made {
            address: service.module.clone()?,
            made_for: service.resource.clone(),
            service: service.service.clone(),
            form_factor: service.form_factor.clone(),
        })
    }

    /// Returns true if it stands in for nothing, since it is an operator that other services need.
    pub fn is_operator(&self) -> bool {
        self.address == self.made_for
    }
}

/// A block of `phi.hcl` under which something was made, as it stood there last.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PhiBlock {
    /// The type and the label: `service "x"`.
    pub block: String,
    /// Its text.
    pub text: String,
}

/// All entries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    entries: BTreeSet<Entry>,
    applied: BTreeSet<AppliedInstance>,
    made: BTreeSet<Made>,
    /// The calls behind which a state holds, or held, objects.
    applied_calls: BTreeSet<Made>,
    blocks: BTreeMap<String, String>,
    /// Instances that a state holds, or held, below a copy of a module and under their own names.
    within: BTreeSet<String>,
}

/// The line of a service's call.
#[derive(Serialize, Deserialize)]
struct MadeLine {
    #[serde(flatten)]
    made: Made,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    applied: bool,
}

/// A line of the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Copy {
        #[serde(flatten)]
        entry: Entry,
        #[serde(default)]
        applied: Option<String>,
    },
    Made(MadeLine),
    Block(PhiBlock),
    Within(WithinLine),
}

impl Line {
    /// The first text in the place of an address that is none: what is written of it would be read as something else.
    fn find_strange_address(&self) -> Option<&str> {
        let (declarations, instance) = match self {
            Line::Copy { entry, applied } => (vec![&entry.address, &entry.original], applied.as_ref()),
            Line::Made(MadeLine { made, .. }) => (vec![&made.address, &made.made_for], None),
            Line::Within(line) => (Vec::new(), Some(&line.within)),
            Line::Block(_) => (Vec::new(), None),
        };
        let strange = declarations.into_iter().find(|address| !is_declaration_address(address));
        strange.or_else(|| instance.filter(|address| !is_instance_address(address))).map(String::as_str)
    }
}

impl History {
    /// Reads the file's text. The marks of a merge that Git could not finish are passed over: both sides count.
    ///
    /// # Errors
    /// A sentence with the number of the line that is no entry.
    pub fn parse(text: &str) -> Result<History, String> {
        let mut history = History::default();
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if !line.is_empty() && !is_mark(line) {
                let line: Line = serde_json::from_str(line).map_err(|e| format!("line {number}: {e}"))?;
                if let Some(strange) = line.find_strange_address() {
                    return Err(format!("line {number}: {}", no_address(strange)));
                }
                match line {
                    Line::Copy { entry, applied } => {
                        if let Some(applied) = applied {
                            history.note_applied(AppliedInstance { entry: entry.clone(), applied });
                        }
                        history.entries.insert(entry);
                    }
                    Line::Made(MadeLine { made, applied }) => {
                        if applied {
                            history.applied_calls.insert(made.clone());
                        }
                        history.made.insert(made);
                    }
                    Line::Block(block) => history.note_block(block),
                    Line::Within(line) => drop(history.within.insert(line.within)),
                }
            }
        }
        Ok(history)
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
        let strange = document.units.iter().flat_map(UnitRecord::all_addresses);
        if let Some(strange) = strange.into_iter().find(|address| !is_declaration_address(address)) {
            return Err(no_address(strange));
        }
        let mut history = History::default();
        history.add_units(&document.units);
        Ok(history)
    }

    /// The file's text.
    pub fn to_text(&self) -> String {
        let entry = |e: &Entry| serde_json::to_string(e).unwrap_or_default() + "\n";
        let applied = |e: &AppliedInstance| serde_json::to_string(e).unwrap_or_default() + "\n";
        let made = |(made, applied): (&Made, bool)| {
            serde_json::to_string(&MadeLine { made: made.clone(), applied }).unwrap_or_default() + "\n"
        };
        let copies = self.entries.iter().map(entry).chain(self.applied.iter().map(applied));
        let block = |(block, text): (&String, &String)| {
            let block = PhiBlock { block: block.clone(), text: text.clone() };
            serde_json::to_string(&block).unwrap_or_default() + "\n"
        };
        let calls = self.made.iter().map(|call| (call, false));
        let calls = calls.chain(self.applied_calls.iter().map(|call| (call, true))).map(made);
        let within = |within: &String| {
            serde_json::to_string(&WithinLine { within: within.clone() }).unwrap_or_default() + "\n"
        };
        let others = calls.chain(self.blocks.iter().map(block)).chain(self.within.iter().map(within));
        let lines: BTreeSet<String> = copies.chain(others).collect();
        lines.into_iter().collect()
    }

    /// Returns true if nothing was ever split or replaced.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.made.is_empty()
    }

    /// The calls of services that were ever written, sorted.
    pub fn made_calls(&self) -> impl Iterator<Item = &Made> {
        self.made.iter()
    }

    /// What services made under a call on the way to a module instance of the original, the innermost call last.
    pub fn made_around<'h>(&'h self, module: &ModuleInstance) -> Vec<&'h Made> {
        let mut out = Vec::new();
        for depth in 1..=module.0.len() {
            let call = ModuleInstance(module.0.iter().take(depth).cloned().collect()).path().to_string();
            out.extend(self.made.iter().filter(|made| made.address == call));
        }
        out
    }

    /// The entries, sorted.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// Adds an entry.
    pub fn add(&mut self, entry: Entry) {
        self.entries.insert(entry);
    }

    /// Adds the calls of services. What is only dropped makes nothing.
    pub fn add_services(&mut self, services: &[ServiceRecord]) {
        self.made.extend(services.iter().filter_map(Made::of));
    }

    /// Adds the calls of services, and notes that a state holds objects behind them, or will after this run.
    pub fn note_applied_services(&mut self, services: &[ServiceRecord]) {
        self.add_services(services);
        self.applied_calls.extend(services.iter().filter_map(Made::of));
    }

    /// Returns true if some state holds, or held, something that a run made or moved.
    pub fn is_anything_applied(&self) -> bool {
        !self.applied.is_empty() || !self.applied_calls.is_empty()
    }

    /// Notes a block of `phi.hcl` in place of what it was before.
    pub fn note_block(&mut self, block: PhiBlock) {
        self.blocks.insert(block.block, block.text);
    }

    /// The text of a block of `phi.hcl`, by its type and label, as it was when something was made under it last.
    pub fn find_block(&self, kind: &str, label: &str) -> Option<&str> {
        self.blocks.get(&name_block(kind, label)).map(String::as_str)
    }

    /// Adds the call of a service.
    pub fn add_made(&mut self, made: Made) {
        self.made.insert(made);
    }

    /// Adds the root module's call of an operator, which services of a form factor need once.
    pub fn add_operator(&mut self, name: &str, factor: &str) {
        let address = format!("module.{name}");
        let (made_for, service, form_factor) = (address.clone(), name.to_owned(), factor.to_owned());
        self.made.insert(Made { address, made_for, service, form_factor });
    }

    /// Forgets the copies whose names the sources give to something of their own.
    pub fn forget_declared(&mut self, is_declared: &dyn Fn(&str) -> bool) {
        self.entries.retain(|entry| !is_declared(&entry.address));
        self.applied.retain(|applied| !is_declared(&applied.entry.address));
    }

    /// Adds all of another history.
    pub fn extend(&mut self, other: History) {
        self.entries.extend(other.entries);
        self.applied.extend(other.applied);
        self.made.extend(other.made);
        self.applied_calls.extend(other.applied_calls);
        self.blocks.extend(other.blocks);
        self.within.extend(other.within);
    }

    /// The instances that a state holds, or may hold, below copies of modules and under their own names, by their addresses in the original. Only those
    /// that Terraform would move by itself are noted: without a key, or with the first. Those of a record have no keys of modules.
    pub fn within(&self) -> impl Iterator<Item = &str> {
        self.within.iter().map(String::as_str)
    }

    /// Notes such instances.
    pub fn note_within(&mut self, all: impl IntoIterator<Item = String>) {
        self.within.extend(all);
    }

    /// The addresses, without keys, of everything that had a copy.
    pub fn list_originals(&self) -> BTreeSet<&str> {
        let copies = self.entries.iter().filter(|entry| entry.address != entry.original);
        copies.map(|entry| entry.original.as_str()).collect()
    }

    /// Adds what another history tells of copies and calls that this one doesn't know. Of the others this one knows better.
    pub fn fill_in(&mut self, other: History) {
        let known = self.clone();
        let is_new = |entry: &Entry| known.of(&entry.address).next().is_none();
        self.entries.extend(other.entries.into_iter().filter(is_new));
        self.applied.extend(other.applied.into_iter().filter(|applied| is_new(&applied.entry)));
        let calls: BTreeSet<&str> = known.made.iter().map(|made| made.address.as_str()).collect();
        self.made.extend(other.made.into_iter().filter(|made| !calls.contains(made.address.as_str())));
    }

    /// Notes that a state holds an instance under the name of a copy, or will after this run.
    pub fn note_applied(&mut self, instance: AppliedInstance) {
        self.entries.insert(instance.entry.clone());
        self.applied.insert(instance);
    }

    /// Notes an object that a state holds, by its address there and that in the original.
    pub fn note_object(&mut self, held: &ObjectAddr, original: &ObjectAddr) {
        if held.module.0.len() != original.module.0.len() {
            return;
        }
        self.note_module(&held.module, &original.module);
        let around: Vec<Made> = self.made_around(&original.module).into_iter().cloned().collect();
        let is_made = !around.is_empty();
        self.applied_calls.extend(around);
        let is_own = held.resource == original.resource && held.key == original.key;
        let is_countable = matches!(held.key, None | Some(Key::Index(0)));
        if held.module != original.module && is_own && is_countable && !is_made {
            self.within.insert(original.to_string());
        }
        let at = |resource: &ResourceAddr| original.module.path().address_of(resource);
        let copy = (at(&held.resource), held.key.as_ref());
        self.note_step(copy, (at(&original.resource), original.key.as_ref()), original.to_string());
    }

    /// Notes a module instance that a state holds, by its address there and that in the original.
    pub fn note_module(&mut self, held: &ModuleInstance, original: &ModuleInstance) {
        let mut above = ModuleInstance::default();
        for ((name, key), (own, own_key)) in held.0.iter().zip(&original.0) {
            let path = above.path();
            above = above.child(own.clone(), own_key.clone());
            let at = |name: &str| path.address_of(format_args!("module.{name}"));
            self.note_step((at(name), key.as_ref()), (at(own), own_key.as_ref()), above.to_string());
        }
    }

    /// Notes one step of an address, if it is a copy's.
    fn note_step(
        &mut self,
        (address, key): (String, Option<&Key>),
        (original, own): (String, Option<&Key>),
        applied: String,
    ) {
        let gate = match own {
            None => key.is_some() && read_given_up(Keys::Own, key).is_none(),
            Some(own) => key == Some(&place_given_up(Some(own))),
        };
        let keys = if gate { Keys::Gate } else { Keys::Own };
        if address != original {
            self.note_applied(AppliedInstance { entry: Entry { address, original, keys }, applied });
        }
    }

    /// The instances that a state was seen to hold under the names of copies, sorted.
    pub fn applied(&self) -> impl Iterator<Item = &AppliedInstance> {
        self.applied.iter()
    }

    /// Returns true if a state was seen to hold an instance under the name of a copy.
    pub fn is_applied(&self, instance: &AppliedInstance) -> bool {
        self.applied.contains(instance)
    }

    /// Adds all addresses of units, those of before included.
    pub fn add_units(&mut self, units: &[UnitRecord]) {
        for unit in units {
            for (address, keys) in unit.forms() {
                self.add(Entry { address: address.to_owned(), original: unit.original.clone(), keys });
            }
        }
    }

    /// Returns true if the address, without keys, was ever written for a copy.
    pub fn is_known(&self, address: &str) -> bool {
        self.of(address).next().is_some()
    }

    /// Returns true if a copy's address has another meaning already: then an object that some state holds there would be taken
    /// for another one.
    pub fn is_taken(&self, address: &str, original: &str, keys: Keys) -> bool {
        self.of(address).any(|e| e.original != original || e.keys != keys)
    }

    /// The units that were ever split, with all addresses of their copies as former ones.
    pub fn units(&self) -> Vec<UnitRecord> {
        let mut out: Vec<UnitRecord> = Vec::new();
        let mut former: Vec<Vec<(&str, Keys)>> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in self.entries.iter().filter(|e| e.address != e.original) {
            let place = *places.entry(&entry.original).or_insert(out.len());
            if place == out.len() {
                out.push(UnitRecord { original: entry.original.clone(), ..UnitRecord::default() });
                former.push(Vec::new());
            }
            former.get_mut(place).into_iter().for_each(|own| own.push((&entry.address, entry.keys)));
        }
        for (unit, former) in out.iter_mut().zip(former) {
            unit.add_former(former);
        }
        out
    }

    /// The names of copies, each with those of the units whose it is or was; of what is nobody's copy, with its own.
    pub fn names(&self) -> BTreeMap<&str, Vec<&str>> {
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
    for (place, unit) in merged.units.iter().enumerate() {
        places.entry(unit.original.clone()).or_insert(place);
    }
    for unit in history.units() {
        match places.get(&unit.original).and_then(|place| merged.units.get_mut(*place)) {
            Some(known) => known.add_former(unit.forms()),
            None => merged.units.push(unit),
        }
    }
    Some(merged)
}

#[cfg(test)]
mod tests {
    use crate::specialise::record::history::*;

    fn unit(original: &str, addresses: &[&str], former: &[&str]) -> UnitRecord {
        let owned = |all: &[&str]| all.iter().map(ToString::to_string).collect();
        let (addresses, former_addresses) = (owned(addresses), owned(former));
        UnitRecord { original: original.to_owned(), addresses, former_addresses, ..UnitRecord::default() }
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
    fn what_services_made_is_kept_beside_copies() {
        let service = |module: Option<&str>| ServiceRecord {
            form_factor: "on-prem".to_owned(),
            service: "pg".to_owned(),
            resource: "module.m.t.db".to_owned(),
            module: module.map(str::to_owned),
        };
        let mut history = History::default();
        history.add_units(&[unit("module.a", &["module.a_x"], &[])]);
        history.add_services(&[service(Some("module.m.module.db")), service(None)]);
        for text in ["service \"pg\" {}", "service \"pg\" {\n}"] {
            history.note_block(PhiBlock { block: name_block("service", "pg"), text: text.to_owned() });
        }
        let text = history.to_text();
        assert_eq!(History::parse(&text).unwrap(), history);
        assert_eq!(
            text.lines().nth(1).unwrap(),
            "{\"address\":\"module.m.module.db\",\"made_for\":\"module.m.t.db\",\"service\":\"pg\",\"form_factor\":\"on-prem\"}"
        );
        assert_eq!(history.find_block("service", "pg"), Some("service \"pg\" {\n}"));
        let within = |address: &str| {
            let object: crate::addr::ObjectAddr = address.parse().unwrap();
            history.made_around(&object.module).iter().map(|m| m.made_for.clone()).collect::<Vec<_>>()
        };
        assert_eq!(within("module.m[\"k\"].module.db[0].module.x.t.y"), ["module.m.t.db"]);
        assert_eq!(within("module.m.module.db_old.t.y"), Vec::<String>::new());
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
