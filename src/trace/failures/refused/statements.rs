//! `moved`, `removed` and `import` blocks that the declarations contradict.
//!
//! Of keys nothing is said here: which instances there are hangs on inputs.

use super::looked::{Looked, Refused};
use crate::addr::{Mode, ModuleInstance, ModulePath, ObjectAddr, ResourceAddr};
use crate::config::{Config, Decl, Module};
use crate::moves::{self, Declared, Endpoint, Refusal, Repetition, Statement};
use crate::text::Place;

pub(super) fn find_contradicted(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    // All modules together are looked at once, with the root.
    if looked.path.is_root() {
        find_moved(looked.config, found);
    }
    for decl in looked.module.removed.iter().filter(|decl| !decl.json) {
        let Some((address, end)) = end_of(decl, "from") else { continue };
        let Some(module) = module_at(looked.config, looked.path, &end.module) else { continue };
        let is_there = match &end.resource {
            Some((resource, _)) => module.resources.contains_key(resource),
            None => true,
        };
        if is_there {
            let what = if end.resource.is_some() { "resource" } else { "module" };
            let error = format!(
                "Removed {what} still exists: This statement declares that {address} was removed, but it is still declared in configuration."
            );
            found.push(Refused { at: "removed".to_owned(), error, place: decl.place() });
        }
    }
    for decl in looked.module.imports.iter().filter(|decl| !decl.json) {
        let Some((address, end)) = end_of(decl, "to") else { continue };
        let Some((resource, _)) = &end.resource else { continue };
        let module = module_at(looked.config, looked.path, &end.module);
        let is_there = module.is_some_and(|module| module.resources.contains_key(resource));
        let is_known = looked.config.chosen.is_empty() && (module.is_some() || end.module.0.is_empty());
        if !is_there && is_known && resource.mode == Mode::Managed {
            let error = format!(
                "Configuration for import target does not exist: The configuration for the given import target {address} does not exist. All \
                 target instances must have an associated configuration to be imported."
            );
            found.push(Refused { at: "import".to_owned(), error, place: decl.place() });
        }
    }
}

fn end_of(decl: &Decl, argument: &str) -> Option<(String, Endpoint)> {
    let address = decl.read_address(argument)?;
    let end = address.parse().ok()?;
    Some((address, end))
}

fn module_at<'c>(config: &'c Config, path: &ModulePath, below: &ModuleInstance) -> Option<&'c Module> {
    config.at(&below.0.iter().fold(path.clone(), |path, (name, _)| path.child(name.clone())))
}

fn find_moved(config: &Config, found: &mut Vec<Refused>) {
    let mut statements = Vec::new();
    let mut places: Vec<(String, String, Place)> = Vec::new();
    for (path, id) in &config.paths {
        for decl in config.module(*id).into_iter().flat_map(|module| &module.moved).filter(|decl| !decl.json)
        {
            let Some((from, to)) = end_of(decl, "from").zip(end_of(decl, "to")) else { continue };
            let place = decl.place();
            match Statement::new(path.plain(), from.1, to.1) {
                Some(statement) => {
                    places.push((path.plain().address_of(&from.0), path.plain().address_of(&to.0), place));
                    statements.push(statement);
                }
                None => {
                    let error = "Invalid \"moved\" addresses: The \"from\" and \"to\" addresses must either both refer to resources or both \
                                 refer to modules.";
                    found.push(Refused { at: "moved".to_owned(), error: error.to_owned(), place });
                }
            }
        }
    }
    for refusal in moves::refusals(&statements, &Written { config }) {
        let ends = refusal.ends();
        let own = ends.and_then(|(from, to)| places.iter().find(|(a, b, _)| a == from && b == to));
        let first = || places.first().filter(|_| matches!(refusal, Refusal::Cycle { .. }));
        let Some((_, _, place)) = own.or_else(first) else { continue };
        let error = format!("{}: {refusal}", refusal.summary());
        found.push(Refused { at: "moved".to_owned(), error, place: *place });
    }
}

/// What is declared whatever the inputs are: nothing with a key.
struct Written<'c> {
    config: &'c Config,
}

impl Written<'_> {
    fn module(&self, at: &ModuleInstance) -> Option<&Module> {
        let plain = at.0.iter().all(|(_, key)| key.is_none());
        plain.then(|| module_at(self.config, &ModulePath::ROOT, at)).flatten()
    }
}

impl Declared for Written<'_> {
    fn repetition(&self, _: &ModulePath, _: &ResourceAddr) -> Option<Repetition> {
        None
    }

    fn has_module_instance(&self, module: &ModuleInstance) -> bool {
        let single = |at: usize| {
            let (above, own) = module.0.split_at(at);
            let caller = self.module(&ModuleInstance(above.to_vec()));
            let call = caller.zip(own.first()).and_then(|(caller, (name, _))| caller.calls.get(name));
            call.is_some_and(|call| call.count.is_none() && call.for_each.is_none())
        };
        self.module(module).is_some() && (0..module.0.len()).all(single)
    }

    fn has_call(&self, module: &ModuleInstance, name: &str) -> bool {
        self.module(module).is_some_and(|module| module.calls.contains_key(name))
    }

    fn has_resource(&self, module: &ModuleInstance, resource: &ResourceAddr) -> bool {
        self.module(module).is_some_and(|module| module.resources.contains_key(resource))
    }

    fn has_instance(&self, object: &ObjectAddr) -> bool {
        let declared = self.module(&object.module).and_then(|module| module.resources.get(&object.resource));
        declared.is_some_and(|resource| {
            object.key.is_none() && resource.count.is_none() && resource.for_each.is_none()
        })
    }

    fn module_instances(&self, module: &ModulePath) -> Vec<ModuleInstance> {
        vec![ModuleInstance(module.0.iter().map(|call| (call.name.clone(), None)).collect())]
    }
}
