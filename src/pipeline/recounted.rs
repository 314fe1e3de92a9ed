//! Resources in modules that copies are of, for the day when their `count` comes or goes.
//!
//! Terraform moves a resource by itself when its `count` comes or goes, if its module stays where it is. Where a way home leads the module, it
//! doesn't, and would destroy the object. In: the configuration that is applied; later the history, and the configuration as it is then. Out:
//! instances that a state holds, without a key or with the first; and chains for those whose form is another one by then. Absent: instances
//! by `for_each`, of which Terraform moves none by itself.

use crate::addr::{self, Held, Key, ModulePath, ObjectAddr, Target};
use crate::config::{Config, Module};
use crate::moves::{self, Declared, Statement};
use crate::specialise::moves::Chain;
use crate::specialise::record::history::History;
use crate::trace::Repetition;
use std::collections::{BTreeMap, BTreeSet};

/// Lists the instances in modules that go by no key or by the first, by their addresses. What goes by a history's own names isn't listed.
pub(super) struct InstanceList<'a> {
    history: &'a History,
    /// The modules at each address: one for each source, where an expression chooses that.
    modules: BTreeMap<ModulePath, Vec<&'a Module>>,
    listed: BTreeSet<String>,
}

impl<'a> InstanceList<'a> {
    pub(super) fn new(config: &'a Config, history: &'a History) -> InstanceList<'a> {
        let mut modules: BTreeMap<ModulePath, Vec<&Module>> = BTreeMap::new();
        for path in config.paths.keys() {
            modules.entry(path.plain()).or_default().extend(config.at(path));
        }
        InstanceList { history, modules, listed: BTreeSet::new() }
    }

    /// Adds those of a module and of the single modules below, which stand at this address.
    pub(super) fn add_module(&mut self, path: &ModulePath, address: &str) {
        for module in self.modules.get(path).cloned().unwrap_or_default() {
            for resource in module.managed() {
                let said = Repetition::of(module, &Target::Resource(resource.addr.clone()));
                let key = match (&said.for_each, &said.count) {
                    (Some(_), _) => continue,
                    (None, Some(_)) => "[0]",
                    (None, None) => "",
                };
                if !self.history.is_original(&path.address_of(&resource.addr)) {
                    self.listed.insert(format!("{address}.{}{key}", resource.addr));
                }
            }
            for name in module.calls.keys() {
                let below = path.child(name.clone());
                let said = Repetition::of(module, &Target::Call(name.clone().into()));
                let is_made = self.history.made_calls().any(|made| made.address == below.to_string());
                if said.is_none() && !is_made && !self.history.is_original(&below.to_string()) {
                    self.add_module(&below, &format!("{address}.module.{name}"));
                }
            }
        }
    }

    /// The addresses, sorted.
    pub(super) fn into_addresses(self) -> Vec<String> {
        self.listed.into_iter().collect()
    }
}

/// Reads the instances that the history knows to stand within copies, by the original's addresses.
pub(super) fn read_known_instances(history: &History) -> Vec<ObjectAddr> {
    let read = |address: &str| match addr::read(address).ok()? {
        (module, Some((resource, key))) => Some(ObjectAddr { module, resource, key }),
        _ => None,
    };
    history.within().filter_map(read).collect()
}

/// Finds chains for instances within copies that Terraform would move by itself if the module stayed.
pub(super) fn find_recounted(
    known: &[ObjectAddr],
    statements: &[Statement],
    declared: &dyn Declared,
) -> BTreeSet<Chain> {
    let forms = [None, Some(Key::Index(0))];
    // To any other key the user's own block leads.
    let is_recounted = |from: &ObjectAddr, to: &ObjectAddr| {
        from.module == to.module
            && from.resource == to.resource
            && from.key != to.key
            && forms.contains(&to.key)
    };
    let mut out = BTreeSet::new();
    // A state holds an instance in one of its forms, not in both.
    for form in &forms {
        let objects = known.iter().filter(|object| object.key == *form).cloned();
        let ran = moves::run(&Held::objects(objects), statements, declared);
        let moved = ran.outcome.ends.iter().filter(|(from, to)| is_recounted(from, to));
        out.extend(moved.map(|(from, to)| Chain::new([from.to_string(), to.to_string()])));
    }
    out
}
