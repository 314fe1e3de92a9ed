//! Resources in modules that copies are of, for the day when their `count` comes or goes.
//!
//! Terraform moves a resource by itself when its `count` comes or goes, if its module stays where it is. Where a way home leads the module, it
//! doesn't, and would destroy the object. In: the configuration that is applied; later the history, and the configuration as it is then. Out:
//! instances that a state holds, without a key or with the first; and chains for those whose form is another one by then. Absent: instances
//! by `for_each`, of which Terraform moves none by itself.

use crate::addr::{self, Held, Key, ModulePath, ObjectAddr, Target};
use crate::config::Config;
use crate::moves::{self, Declared, Statement};
use crate::specialise::moves::Chain;
use crate::specialise::record::history::History;
use crate::trace::Repetition;

/// Adds the instances in a module that go by no key or by the first, by their addresses. What goes by a history's own names isn't listed.
pub(super) fn list_instances(
    config: &Config,
    history: &History,
    (path, address): (&ModulePath, &str),
    out: &mut Vec<String>,
) {
    let Some(module) = config.at(path) else { return };
    for resource in module.managed() {
        let said = Repetition::of(module, &Target::Resource(resource.addr.clone()));
        let key = match (&said.for_each, &said.count) {
            (Some(_), _) => continue,
            (None, Some(_)) => "[0]",
            (None, None) => "",
        };
        if !history.is_original(&path.address_of(&resource.addr)) {
            out.push(format!("{address}.{}{key}", resource.addr));
        }
    }
    for name in module.calls.keys() {
        let below = path.child(name.clone());
        let said = Repetition::of(module, &Target::Call(name.clone().into()));
        let is_made = history.made_calls().any(|made| made.address == below.to_string());
        if said.is_none() && !is_made && !history.is_original(&below.to_string()) {
            list_instances(config, history, (&below, &format!("{address}.module.{name}")), out);
        }
    }
}

/// Chains for the instances that the history knows to stand within copies, and that Terraform would move by itself if the module stayed.
pub(super) fn find_recounted(
    history: &History,
    statements: &[Statement],
    declared: &dyn Declared,
) -> Vec<Chain> {
    let read = |address: &str| match addr::read(address).ok()? {
        (module, Some((resource, key))) => Some(ObjectAddr { module, resource, key }),
        _ => None,
    };
    let known: Vec<ObjectAddr> = history.within().filter_map(read).collect();
    let is_same = |from: &ObjectAddr, to: &ObjectAddr| {
        from.module == to.module && from.resource == to.resource && from.key != to.key
    };
    let mut out = Vec::new();
    // A state holds an instance in one of its forms, not in both.
    for form in [None, Some(Key::Index(0))] {
        let objects = known.iter().filter(|object| object.key == form).cloned();
        let ran = moves::run(&Held::objects(objects), statements, declared);
        let moved = ran.outcome.ends.iter().filter(|(from, to)| is_same(from, to));
        out.extend(moved.map(|(from, to)| Chain::new([from.to_string(), to.to_string()])));
    }
    out
}
