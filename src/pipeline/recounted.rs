//! Resources in modules that copies are of, for the day when their `count` comes or goes.
//!
//! Terraform moves a resource by itself when its `count` comes or goes, if its module stays where it is. Where a way home leads the module, it
//! doesn't, and would destroy the object. In: the configuration that is written and applied; later the history, the record, and the configuration as
//! it is then. Out: instances that a state holds, without a key or with the first; the forms in which they are written, for states that others
//! than tf-phi apply; and chains for those whose form is another one by then. Absent: instances
//! by `for_each`, of which Terraform moves none by itself.

use crate::addr::{self, CallName, Held, Key, ModuleInstance, ModulePath, ObjectAddr, Target};
use crate::config::{Config, Module, Resource};
use crate::moves::{self, Declared, Statement};
use crate::specialise::moves::Chain;
use crate::specialise::record::UnitRecord;
use crate::specialise::record::history::History;
use crate::trace::{Repetition, Standing, Tracer};
use std::collections::BTreeSet;

/// Lists the instances in copied modules, and in the modules that these call, that go by no key or by the first: by their addresses in the
/// original. `copied`: the instances of calls that have a copy, by the original's addresses. What goes by a history's own names isn't
/// listed. Calls whose `count` isn't known before a plan count as one instance, those whose `for_each` isn't known as none.
pub(super) fn list_instances(
    config: &Config,
    history: &History,
    copied: &BTreeSet<String>,
    tracer: &mut Tracer<'_>,
) -> BTreeSet<String> {
    let mut listed = BTreeSet::new();
    let roots: BTreeSet<ModulePath> =
        copied.iter().filter_map(|address| Some(addr::read(address).ok()?.0.path())).collect();
    let originals = history.list_originals();
    let made: BTreeSet<&str> = history.made_calls().map(|made| made.address.as_str()).collect();
    for path in config.paths.keys() {
        let above: Vec<ModulePath> = path.plain().list_prefixes();
        let is_made = above.iter().any(|call| made.contains(call.to_string().as_str()));
        let depths: Vec<usize> =
            above.iter().filter(|call| roots.contains(call)).map(|c| c.0.len()).collect();
        let Some(module) = config.at(path).filter(|_| !is_made && !depths.is_empty()) else { continue };
        for Standing { module: at, .. } in tracer.possible_standings(path) {
            let is_copied = |depth: &usize| {
                let outer = ModuleInstance(at.0.iter().take(*depth).cloned().collect());
                copied.contains(&outer.to_string())
            };
            if depths.iter().any(is_copied) {
                listed.extend(list_in_module(module, &path.plain(), &at, &originals));
            }
        }
    }
    listed
}

/// Lists the same without the keys of modules: of the units that are split, whatever values there are.
pub(super) fn list_forms(config: &Config, history: &History, units: &[UnitRecord]) -> BTreeSet<String> {
    let copied = units.iter().filter(|unit| !unit.addresses.is_empty());
    let calls = copied.filter_map(|unit| match addr::read(&unit.original).ok()? {
        (call, None) => Some(call.path()),
        _ => None,
    });
    let calls: BTreeSet<ModulePath> = calls.collect();
    if calls.is_empty() {
        return BTreeSet::new();
    }
    let mut known = history.clone();
    known.add_units(units);
    let originals = known.list_originals();
    let made: BTreeSet<&str> = history.made_calls().map(|made| made.address.as_str()).collect();
    let is_listed = |path: &ModulePath| {
        let above = path.list_prefixes();
        above.iter().any(|call| calls.contains(call))
            && !above.iter().any(|call| made.contains(call.to_string().as_str()))
    };
    let mut listed = BTreeSet::new();
    for (path, module) in config.paths.keys().filter_map(|path| Some((path.plain(), config.at(path)?))) {
        if is_listed(&path) {
            let keyless = |at: ModuleInstance, call: &CallName| at.child(call.name.clone(), None);
            let at = path.0.iter().fold(ModuleInstance::default(), keyless);
            listed.extend(list_in_module(module, &path, &at, &originals));
        }
    }
    listed
}

/// Lists those of one instance of a module.
fn list_in_module(
    module: &Module,
    path: &ModulePath,
    at: &ModuleInstance,
    originals: &BTreeSet<&str>,
) -> Vec<String> {
    let address = |resource: &Resource| {
        let said = Repetition::of(module, &Target::Resource(resource.addr.clone()));
        let key = match (&said.for_each, &said.count) {
            (Some(_), _) => return None,
            (None, Some(_)) => "[0]",
            (None, None) => "",
        };
        let is_unit = originals.contains(&*path.address_of(&resource.addr));
        (!is_unit).then(|| format!("{at}.{}{key}", resource.addr))
    };
    module.managed().filter_map(address).collect()
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
