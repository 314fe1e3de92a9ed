//! The declarations that moves ask for.

use crate::addr::{Key, ModuleInstance, ModulePath, ObjectAddr, ResourceAddr};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The way in which a resource is repeated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Repetition {
    /// It isn't.
    Single,
    /// With `count`.
    Count,
    /// With `for_each`.
    ForEach,
}

/// The declarations of a configuration, and the instances that this run has of them.
pub trait Declared {
    /// The repetition of a resource; `None` where the module doesn't declare it.
    fn repetition(&self, module: &ModulePath, resource: &ResourceAddr) -> Option<Repetition>;
    /// Returns true if the module instance exists. The root always does.
    fn has_module_instance(&self, module: &ModuleInstance) -> bool;
    /// Returns true if a module instance declares the call, even if the call has no instance.
    fn has_call(&self, module: &ModuleInstance, name: &str) -> bool;
    /// Returns true if a module instance declares the resource, even if the resource has no instance.
    fn has_resource(&self, module: &ModuleInstance, resource: &ResourceAddr) -> bool;
    /// Returns true if the resource instance exists.
    fn has_instance(&self, object: &ObjectAddr) -> bool;
    /// All instances of a module; the root's one for the root.
    fn module_instances(&self, module: &ModulePath) -> Vec<ModuleInstance>;
}

/// Declarations as lists. In the beginning there is only the root, without anything in it.
#[derive(Clone, Debug, Default)]
pub struct Instances {
    repetitions: BTreeMap<(ModulePath, ResourceAddr), Repetition>,
    modules: BTreeMap<ModulePath, BTreeSet<ModuleInstance>>,
    calls: BTreeSet<(ModuleInstance, Arc<str>)>,
    resources: BTreeMap<(ModuleInstance, ResourceAddr), BTreeSet<Option<Key>>>,
}

impl Instances {
    /// A module declares a resource, whether or not the module has instances.
    pub fn declare(&mut self, module: ModulePath, resource: ResourceAddr, repetition: Repetition) {
        self.repetitions.insert((module, resource), repetition);
    }

    /// A module instance has a call, with or without instances.
    pub fn add_call(&mut self, module: ModuleInstance, name: impl Into<Arc<str>>) {
        self.calls.insert((module, name.into()));
    }

    /// There is a module instance, and the call that it comes of.
    pub fn add_module(&mut self, module: ModuleInstance) {
        if let Some(((name, _), above)) = module.0.split_last() {
            self.add_call(ModuleInstance(above.to_vec()), name.clone());
            self.modules.entry(module.path()).or_default().insert(module);
        }
    }

    /// A module instance has a resource with these instances.
    pub fn add_resource(
        &mut self,
        module: ModuleInstance,
        resource: ResourceAddr,
        keys: impl IntoIterator<Item = Option<Key>>,
    ) {
        self.resources.entry((module, resource)).or_default().extend(keys);
    }
}

impl Declared for Instances {
    fn repetition(&self, module: &ModulePath, resource: &ResourceAddr) -> Option<Repetition> {
        self.repetitions.get(&(module.clone(), resource.clone())).copied()
    }

    fn has_module_instance(&self, module: &ModuleInstance) -> bool {
        module.0.is_empty() || self.modules.get(&module.path()).is_some_and(|all| all.contains(module))
    }

    fn has_call(&self, module: &ModuleInstance, name: &str) -> bool {
        self.calls.contains(&(module.clone(), name.into()))
    }

    fn has_resource(&self, module: &ModuleInstance, resource: &ResourceAddr) -> bool {
        self.resources.contains_key(&(module.clone(), resource.clone()))
    }

    fn has_instance(&self, object: &ObjectAddr) -> bool {
        let keys = self.resources.get(&(object.module.clone(), object.resource.clone()));
        keys.is_some_and(|keys| keys.contains(&object.key))
    }

    fn module_instances(&self, module: &ModulePath) -> Vec<ModuleInstance> {
        if module.is_root() {
            return vec![ModuleInstance::default()];
        }
        self.modules.get(module).into_iter().flatten().cloned().collect()
    }
}
