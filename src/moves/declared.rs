//! The declarations that moves ask for.

use crate::addr::{ModuleInstance, ModulePath, ObjectAddr, ResourceAddr};

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
